"""Motions: read, checked, filtered, differentiated, planned."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from freebody import load, simulate
from freebody.cli import main
from freebody.errors import MotionError
from freebody.files import FileError
from freebody.motion import (
    Markers,
    Motion,
    minimum_jerk,
    posture_reach,
    read_markers,
    read_motion,
    residual_analysis,
)
from freebody.motion.filtering import filtered


def _written(folder: Path, text: str, name: str = "motion.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def _rows(*cells: str) -> str:
    return "\n".join(["time,alpha1 [deg],alpha2 [rad]", *cells]) + "\n"


GOOD = [f"{n / 100:.2f},{90 + n},{n / 10}" for n in range(20)]


def _told(path: Path, **how: object) -> list[str]:
    with pytest.raises(MotionError) as raised:
        read_motion(path, **how)  # type: ignore[arg-type]
    return [str(problem) for problem in raised.value.problems]


# ---------------------------------------------------------------------- reading


def test_degrees_are_read_as_degrees(tmp_path: Path) -> None:
    motion = read_motion(_written(tmp_path, _rows(*GOOD)), load("two_link"))
    assert motion.units == {"alpha1": "rad", "alpha2": "rad"}
    first = motion.data["coordinates"].sel(coordinate="alpha1").to_numpy()[0]
    assert first == pytest.approx(np.pi / 2)
    assert motion.rate == pytest.approx(100)


def test_a_model_takes_its_coordinates_in_its_order(tmp_path: Path) -> None:
    text = "time,b,alpha1\n" + "\n".join(f"{n / 10},{n},1" for n in range(10))
    motion = read_motion(_written(tmp_path, text), columns={"b": "alpha2", "alpha1": "alpha1"})
    found = motion.samples(load("two_link"))
    assert np.allclose(found.q[:, 0], 1)
    assert np.allclose(found.q[:, 1], np.arange(10))
    assert np.allclose(found.q_dot, [[0, 10]] * 10)
    assert np.abs(found.q_ddot).max() < 1e-8


def test_what_is_saved_is_read_again(tmp_path: Path) -> None:
    t = np.linspace(0, 1, 11)
    motion = Motion.of(t, {"alpha1": np.sin(t), "x": t / 3}, unit={"alpha1": "rad", "x": "m"})
    motion.save(tmp_path / "again.csv")
    again = read_motion(tmp_path / "again.csv")
    assert again.units == {"alpha1": "rad", "x": "m"}
    assert np.array_equal(again.data["coordinates"], motion.data["coordinates"])


def test_what_a_simulation_writes_is_read_as_a_motion(tmp_path: Path) -> None:
    run = simulate("two_link", duration=0.5, step=0.001)
    run.save(tmp_path / "run.csv")
    found = read_motion(tmp_path / "run.csv", load("two_link")).samples(load("two_link"))
    inside = slice(20, -20)
    assert np.array_equal(found.q, run.data["coordinates"])
    assert np.abs(found.q_dot - run.data["speeds"].to_numpy())[inside].max() < 1e-9
    assert np.abs(found.q_ddot - run.data["accelerations"].to_numpy())[inside].max() < 1e-6


STO = """Coordinates
version=1
nRows=7
nColumns=3
inDegrees=yes

If the header above contains a line with 'inDegrees', this indicates angles in degrees.
endheader
time\talpha1\talpha2
"""


@pytest.mark.parametrize("ending", [".mot", ".sto"])
def test_opensim_files(tmp_path: Path, ending: str) -> None:
    rows = "".join(f"{n / 100:.2f}\t{90.0 + n}\t{-n}\n" for n in range(7))
    path = _written(tmp_path, STO + rows, f"walk{ending}")
    found = read_motion(path).samples(load("two_link"))
    assert found.q[0] == pytest.approx([np.pi / 2, 0])
    assert found.q[6, 1] == pytest.approx(np.radians(-6))
    assert found.q_dot[3] == pytest.approx([np.radians(100), np.radians(-100)])


def test_an_opensim_file_that_was_not_written_whole_is_told(tmp_path: Path) -> None:
    text = "walk\nnRows=9\ninDegrees=yes\nendheader\ntime alpha1\n0 1\n1 2\n"
    assert _told(_written(tmp_path, text, "walk.mot")) == [
        "nRows: expected 9 rows, as the header says, found 2"
    ]


def test_a_length_in_an_opensim_file_is_in_metres(tmp_path: Path) -> None:
    head = STO.replace("alpha1", "x").replace("alpha2", "theta")
    rows = "".join(f"{n / 100:.2f}\t{1 + n}\t{n}\n" for n in range(7))
    path = _written(tmp_path, head + rows, "cart.mot")
    found = read_motion(path, load("cart_pendulum"))
    assert found.data["coordinates"].to_numpy()[6] == pytest.approx([7, np.radians(6)])


@pytest.mark.parametrize(
    ("row", "cells", "told"),
    [
        (5, "0.05,,0.5", "line 7, alpha1: is missing"),
        (5, "0.05,nan,0.5", "line 7, alpha1: is missing"),
        (5, "0.05,ninety,0.5", "line 7, alpha1: expected a number, found 'ninety'"),
        (5, "0.04,90,0.5", "line 7, time: 0.04 s stands there twice; expected a later time"),
        (5, "0.02,90,0.5", "line 7, time: 0.02 s comes after 0.04; expected a later time"),
        (5, ",90,0.5", "line 7, time: is missing"),
    ],
)
def test_what_is_wrong_with_a_row_is_told(tmp_path: Path, row: int, cells: str, told: str) -> None:
    rows = [*GOOD[:row], cells, *GOOD[row + 1 :]]
    (found, *_) = _told(_written(tmp_path, _rows(*rows)))
    assert found.partition("; fill=")[0] == told


def test_gaps_are_told_once_each_and_filled_if_short(tmp_path: Path) -> None:
    blank = [f"{n / 100:.2f},,{n / 10}" for n in range(5, 8)]
    path = _written(tmp_path, _rows(*GOOD[:5], *blank, *GOOD[8:]))
    filling = "; fill=0.04 (--fill 0.04) fills gaps up to that many s by splines"
    assert _told(path) == [f"line 7, alpha1: is missing, and 2 more after it{filling}"]
    assert _told(path, fill=0.03) == _told(path)
    motion = read_motion(path, fill=0.05)
    angles = motion.data["coordinates"].sel(coordinate="alpha1").to_numpy()
    assert np.degrees(angles[5:8]) == pytest.approx([95, 96, 97])
    assert motion.choices["filled"].startswith("3 samples")


def test_columns_are_told_by_name(tmp_path: Path) -> None:
    path = _written(tmp_path, _rows(*GOOD).replace("alpha2", "alpah2"))
    assert _told(path, model=load("two_link")) == [
        "alpha2: is missing: the model has it as a coordinate; did you mean 'alpah2'?",
        "alpah2: is no coordinate of the model; did you mean 'alpha2'?",
    ]
    assert _told(path, columns=["alpha3"]) == [
        "alpha3: there is no such column; did you mean 'alpha1'?"
    ]
    path = _written(tmp_path, _rows(*GOOD).replace("time", "tima"))
    assert _told(path)[0].startswith("time: there is no such column; did you mean 'tima'?")
    path = _written(tmp_path, _rows(*GOOD).replace("alpha2 [rad]", "alpha1 [deg]"))
    assert _told(path) == ["alpha1: is the name of two columns"]


def test_units_are_told(tmp_path: Path) -> None:
    path = _written(tmp_path, _rows(*GOOD).replace("[deg]", "[dge]"))
    assert "did you mean 'deg'?" in _told(path)[0]
    path = _written(tmp_path, _rows(*GOOD).replace("[deg]", "[mm]"))
    assert _told(path, model=load("two_link")) == [
        "alpha1: expected a coordinate in rad, as in the model, found one in m"
    ]
    path = _written(tmp_path, _rows(*GOOD).replace(" [deg]", ""))
    (told,) = _told(path, model=load("two_link"))
    assert told.startswith("alpha1: 109 without a unit: expected it in the column's name")


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("motion.txt", "", "expected a name that ends in"),
        ("motion.nc", "time,a\n0,1\n", "expected a result in a netCDF file, found none"),
        ("motion.csv", "", "no table"),
        ("motion.csv", "time,a\n", "no table: there are no rows"),
        (
            "motion.csv",
            "time,a\n0,1\n1,2,3\n",
            "line 3: expected 2 cells, as in the lines before, found 3",
        ),
        ("motion.csv", "time;a\n0;1\n", "expected commas between the columns, found semicolons"),
        ("motion.csv", "time\n0\n1\n", "expected a column for a coordinate"),
        ("motion.csv", "Time,t,a\n0,1,2\n", "time: there is no such column; did you mean 'Time'?"),
        ("motion.csv", "0,1\n1,2\n", "time: there is no such column; found 0, 1"),
        ("motion.csv", "time,a,\n0,1,\n", "line 1, column 3: expected a name, found none"),
        ("motion.csv", "# mine\n0,1\n", "line 1: expected the names of 2 columns, as many as"),
        ("motion.csv", "time,a\n0,inf\n1,2\n", "line 2, a: expected a number, found 'inf'"),
        ("motion.mot", "time a\n0 1\n1 2\n", "expected a line 'endheader'"),
    ],
)
def test_files_that_are_none_are_told(tmp_path: Path, name: str, text: str, told: str) -> None:
    assert _told(_written(tmp_path, text, name))[0].startswith(told)


def test_text_in_another_encoding_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "motion.csv"
    path.write_bytes("time,a,Höhe\n0,1,2\n".encode("latin-1"))
    assert _told(path) == ["line 1: cannot be read: it is not UTF-8 text"]


def test_names_in_capitals_are_read_alike(tmp_path: Path) -> None:
    (low, high) = (_written(tmp_path, _rows(*GOOD), name) for name in ("a.csv", "B.CSV"))
    assert read_motion(high).data.equals(read_motion(low).data)
    rows = "".join(f"{n}\t{n / 100}\t1\t2\t3\t4\t5\t6\n" for n in (1, 2, 3))
    assert len(read_markers(_written(tmp_path, TRC + rows, "WALK.TRC")).times) == 3


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    assert _told(tmp_path / "no.csv") == ["cannot be read: No such file or directory"]


def test_uneven_time_is_told_and_can_be_resampled() -> None:
    t = np.concatenate([np.arange(0, 0.5, 0.01), np.arange(0.5, 1, 0.02)])
    motion = Motion.of(t, {"a": np.sin(t)})
    with pytest.raises(MotionError, match=r"sample 52, time: a step of 0\.02 s") as raised:
        motion.filtered(6)
    assert "to 0.52 s where others are 0.01 s" in str(raised.value)
    assert "resampled(rate)" in str(raised.value)
    even = motion.resampled(100)
    assert even.rate == pytest.approx(100)
    assert np.abs(even.data["coordinates"].to_numpy()[:, 0] - np.sin(even.times)).max() < 1e-6


def test_uneven_time_of_a_file_is_told_where_it_is_taken_as_it_is(tmp_path: Path) -> None:
    motion = read_motion(_written(tmp_path, _rows(*GOOD[:8], *GOOD[11:])))
    assert motion.choices["times"] == (
        "uneven, steps of 0.01 to 0.04 s, mostly 0.01 s; the longest ends at line 10"
    )
    assert "times" not in read_motion(_written(tmp_path, _rows(*GOOD))).choices
    done = _run("motion", _written(tmp_path, _rows(*GOOD[:8], *GOOD[11:])))
    assert "the longest ends at line 10" in done.output


# ---------------------------------------------------------------------- filter and derivatives


def test_the_filter_has_no_lag_and_halves_the_power_at_its_cutoff() -> None:
    t = np.arange(0, 20, 0.005)
    wave = np.sin(2 * np.pi * 5 * t)
    passed = filtered(wave, 200, 5)[1000:-1000]
    within = wave[1000:-1000]
    assert passed @ within / (within @ within) == pytest.approx(np.sqrt(0.5), rel=1e-3)
    across = np.cos(2 * np.pi * 5 * t)[1000:-1000]
    assert abs(passed @ across) / (within @ within) < 1e-6


@pytest.mark.parametrize("rate", [60, 100, 1000])
def test_residual_analysis_finds_noise_and_cutoff(rate: int) -> None:
    t = np.arange(0, 10, 1 / rate)
    noise = 0.02
    clean = np.sin(2 * np.pi * t) + 0.3 * np.sin(6 * np.pi * t)
    found = residual_analysis(
        clean + noise * np.random.default_rng(1).standard_normal(len(t)), rate
    )
    assert 3 < found.cutoff < 12
    assert found.noise == pytest.approx(noise, rel=0.25)
    assert found.slope < 0
    at = np.interp(found.cutoff, found.cutoffs, found.residuals)
    assert at == pytest.approx(found.noise, rel=1e-6)


@pytest.mark.exhaustive
def test_a_chosen_cutoff_makes_better_accelerations_and_is_told(tmp_path: Path) -> None:
    t = np.arange(0, 5, 0.01)
    clean, true = np.sin(2 * np.pi * t), -((2 * np.pi) ** 2) * np.sin(2 * np.pi * t)
    noisy = clean + 0.005 * np.random.default_rng(2).standard_normal(len(t))
    motion = Motion.of(t, {"elbow": noisy}, unit="rad")
    smooth = motion.filtered().differentiated()

    def off(one: Motion) -> float:
        found = one.differentiated().data["accelerations"].to_numpy()[50:-50, 0]
        return float(np.sqrt(np.mean((found - true[50:-50]) ** 2)))

    assert off(smooth) < off(motion) / 50
    choice = smooth.choices["filter"]
    assert choice["cutoff"]["elbow"] == smooth.residuals["elbow"].cutoff
    assert choice["chosen by"].startswith("residual analysis")
    assert smooth.choices["derivatives"] == "quintic splines through the samples"
    assert np.array_equal(smooth.data["recorded"], motion.data["coordinates"])
    smooth.plot(tmp_path / "elbow.png")
    assert (tmp_path / "elbow.png").stat().st_size > 10_000


def test_choices_stay_with_the_coordinates_that_are_chosen(tmp_path: Path) -> None:
    t = np.arange(0, 2, 0.01)
    noise = 0.01 * np.random.default_rng(5).standard_normal((2, len(t)))
    motion = Motion.of(t, {"a": np.sin(t) + noise[0], "b": np.cos(t) + noise[1]}).filtered()
    chosen = motion.select(["b"]).renamed({"b": "elbow"})
    assert chosen.residuals == {"elbow": motion.residuals["b"]}
    assert np.array_equal(chosen.data["recorded"][:, 0], motion.data["recorded"][:, 1])
    with pytest.raises(FileError, match="expected a file name that ends in"):
        chosen.plot(tmp_path / "elbow.txt")


def test_splines_are_exact_to_rounding_on_what_is_smooth() -> None:
    t = np.arange(0, 2, 0.001)
    found = Motion.of(t, {"a": np.sin(3 * t)}).differentiated().data
    assert np.abs(found["speeds"].to_numpy()[:, 0] - 3 * np.cos(3 * t)).max() < 1e-9
    inside = slice(20, -20)
    off = found["accelerations"].to_numpy()[inside, 0] + 9 * np.sin(3 * t[inside])
    assert np.abs(off).max() < 1e-7


def test_smoothing_splines_take_the_noise_away() -> None:
    t = np.arange(0, 5, 0.01)
    noisy = np.sin(t) + 0.01 * np.random.default_rng(3).standard_normal(len(t))
    smooth = Motion.of(t, {"a": noisy}).differentiated(noise=0.01)
    off = smooth.data["accelerations"].to_numpy()[50:-50, 0] + np.sin(t)[50:-50]
    assert np.sqrt(np.mean(off**2)) < 0.2
    assert "noise of 0.01" in smooth.choices["derivatives"]


def test_differences_are_those_of_numpy() -> None:
    t = np.linspace(0, 1, 101)
    found = Motion.of(t, {"a": t**3}).differentiated("difference")
    inside = found.data["speeds"].to_numpy()[1:-1, 0]
    assert np.allclose(inside, 3 * t[1:-1] ** 2 + 1e-4)
    assert found.choices["derivatives"] == "central differences, twice"


def test_mistakes_in_choices_are_told() -> None:
    t = np.linspace(0, 1, 101)
    motion = Motion.of(t, {"a": t})
    with pytest.raises(MotionError, match="did you mean 'spline'"):
        motion.differentiated("splines")
    with pytest.raises(MotionError, match="cutoff: expected a value between 0 and"):
        motion.filtered(60)
    for rate in (0, -5, 1e12, np.nan):
        with pytest.raises(MotionError, match="rate: expected a value from 1 to 1e"):
            motion.resampled(rate)
    with pytest.raises(FileError, match=r"expected a file name that ends in \.csv"):
        motion.save("motion.nc")
    with pytest.raises(MotionError, match="fill: expected a duration in s, found -1"):
        read_motion("motion.csv", fill=-1)
    with pytest.raises(MotionError, match="only splines smooth it"):
        motion.differentiated("difference", noise=1)
    with pytest.raises(MotionError, match="expected at least 16 samples"):
        Motion.of(t[:10], {"a": t[:10]}).filtered(3)
    with pytest.raises(MotionError, match="did you mean 'elbow'"):
        Motion.of(t, {"elbow": t}).select(["elbo"])


# ---------------------------------------------------------------------- trajectories


def test_minimum_jerk_starts_and_ends_at_rest() -> None:
    reach = minimum_jerk([0.1, -0.6], [0.4, 0.2], duration=0.5)
    assert reach.position[0] == pytest.approx([0.1, -0.6])
    assert reach.position[-1] == pytest.approx([0.4, 0.2])
    for moving in (reach.velocity, reach.acceleration):
        assert np.abs(moving[[0, -1]]).max() == 0
    path = reach.position - reach.position[0]
    assert np.abs(path[:, 0] * 0.8 - path[:, 1] * 0.3).max() < 1e-15


def test_derivatives_of_minimum_jerk_are_exact() -> None:
    reach = minimum_jerk(0.2, 1.3, duration=0.7, rate=10_000)
    chain = [reach.position, reach.velocity, reach.acceleration, reach.jerk]
    for part, slope in pairwise(chain):
        measured = np.gradient(part, reach.times)[5:-5]
        assert np.abs(measured - slope[5:-5]).max() < 1e-6 * np.abs(slope).max()


def test_minimum_jerk_has_less_jerk_than_its_neighbours() -> None:
    reach = minimum_jerk(0.0, 1.0, duration=1)
    s = reach.times
    least = np.trapezoid(reach.jerk**2, s)
    assert least == pytest.approx(720, rel=1e-3)
    # s^4 (1 - s)^4 keeps all conditions at the ends; its third derivative:
    other = 24 * s - 240 * s**2 + 720 * s**3 - 840 * s**4 + 336 * s**5
    assert np.trapezoid((reach.jerk + other) ** 2, s) > least


def test_a_posture_reach_is_ready_for_a_model() -> None:
    model = load("two_link")
    motion = posture_reach({"alpha2": 0.1, "alpha1": -1.5}, {"alpha1": 0, "alpha2": 1.5}, 0.5)
    found = motion.samples(model)
    assert found.q[-1] == pytest.approx([0, 1.5])
    assert found.q_dot.max(axis=0) == pytest.approx(1.875 / 0.5 * np.array([1.5, 1.4]))
    assert motion.choices["derivatives"] == "exact"


def test_mistakes_in_reaches_are_told() -> None:
    with pytest.raises(MotionError, match="duration: expected a positive number, found -1"):
        minimum_jerk(0, 1, -1)
    with pytest.raises(MotionError, match="end: expected 2 values"):
        minimum_jerk([0, 0], [1], 1)
    with pytest.raises(MotionError, match="end: expected finite numbers"):
        minimum_jerk([0, 0], [1, np.nan], 1)
    with pytest.raises(MotionError, match="elbow: expected in both postures"):
        posture_reach({"elbow": 1}, {}, 1)


# ---------------------------------------------------------------------- markers

TRC = """PathFileType\t4\t(X/Y/Z)\twalk.trc
DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames
100\t100\t3\t2\tmm\t100\t1\t3
Frame#\tTime\tknee\t\t\tankle\t\t
\t\tX1\tY1\tZ1\tX2\tY2\tZ2

"""


def test_trc_files(tmp_path: Path) -> None:
    rows = "1\t0.00\t1\t2\t3\t4\t5\t6\n2\t0.01\t1\t2\t3\t\t\t\n3\t0.02\t1\t2\t3\t4\t5\t9\n"
    markers = read_markers(_written(tmp_path, TRC + rows, "walk.trc"))
    assert markers.names == ("knee", "ankle")
    assert markers.positions()["knee"][0] == pytest.approx([0.001, 0.002, 0.003])
    assert [str(gap) for gap in markers.gaps()] == ["sample 2, ankle: is missing for 1 samples"]
    with pytest.raises(MotionError, match="ankle: is missing for 1 samples"):
        markers.filtered(6)


def test_times_rounded_to_milliseconds_are_taken_as_even(tmp_path: Path) -> None:
    rows = [f"{n / 150:.3f},{np.sin(n / 150)}" for n in range(300)]
    motion = read_motion(_written(tmp_path, "time,alpha1\n" + "\n".join(rows)))
    assert motion.times == pytest.approx(np.arange(300) / 150, abs=1e-12)
    assert motion.choices["times"] == "rounded to 3 decimals; taken at 150 Hz"
    speeds = motion.differentiated().data["speeds"].to_numpy()[:, 0]
    assert np.abs(speeds - np.cos(motion.times)).max() < 1e-9


def test_a_frame_left_out_does_not_pass_for_rounding(tmp_path: Path) -> None:
    rows = [f"{n / 100:.2f},{np.sin(n / 100)}" for n in range(200) if n != 80]
    motion = read_motion(_written(tmp_path, "time,alpha1\n" + "\n".join(rows)))
    assert motion.times[[0, 79, 80, -1]] == pytest.approx([0, 0.79, 0.81, 1.99], abs=1e-12)


def test_markers_that_were_never_seen_are_left_out(tmp_path: Path) -> None:
    at_150 = TRC.replace("100\t100\t3", "150\t150\t9")
    head = at_150.replace("ankle\t\t", "ankle\t\t\tV_hip\t\t\tV_hip\t\t\t")
    rows = "".join(f"{n}\t{n / 150:.3f}\t1\t2\t3\t4\t5\t6\t\t\t\t\t\t\t\n" for n in range(9))
    markers = read_markers(_written(tmp_path, head + rows, "walk.trc"))
    assert markers.names == ("knee", "ankle")
    assert np.diff(markers.times) == pytest.approx([1 / 150] * 8)
    path = _written(tmp_path, at_150.replace("ankle", "knee") + rows, "walk.trc")
    with pytest.raises(MotionError, match="knee: is the name of two markers"):
        read_markers(path)


def test_trc_rows_of_another_length_are_told(tmp_path: Path) -> None:
    path = _written(tmp_path, TRC + "1\t0\t1\t2\t3\t4\t5\t6\n2\t0.01\tone\n", "walk.trc")
    with pytest.raises(MotionError, match="line 8: expected 8 numbers"):
        read_markers(path)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("\tUnits", "", "Units: is missing"),
        ("\tNumFrames", "\tNumFrames", "NumFrames: expected 3 rows, as the header says, found 2"),
        ("100\t3", "100\t2", "line 8, time: 0 s stands there twice"),
        ("1\t0.00\t1\t2\t3\t4\t5\t6\n2\t0.00\t1\t2\t3\t4\t5\t6\n", "", "found 0"),
    ],
)
def test_what_is_wrong_with_a_trc_file_is_told(
    tmp_path: Path, old: str, new: str, told: str
) -> None:
    text = TRC + "1\t0.00\t1\t2\t3\t4\t5\t6\n2\t0.00\t1\t2\t3\t4\t5\t6\n"
    with pytest.raises(MotionError, match=told):
        read_markers(_written(tmp_path, text.replace(old, new), "walk.trc"))


def test_a_rate_that_contradicts_the_times_is_told(tmp_path: Path) -> None:
    rows = "".join(f"{n}\t{n / 100:.2f}\t1\t2\t3\t4\t5\t6\n" for n in range(1, 102))
    text = TRC.replace("100\t100\t3", "{rate}\t100\t101") + rows
    with pytest.raises(MotionError, match="DataRate: expected 100 Hz, as frames and times say"):
        read_markers(_written(tmp_path, text.format(rate=120), "walk.trc"))
    assert len(read_markers(_written(tmp_path, text.format(rate=100.5), "walk.trc")).times) == 101
    lost = text.replace("50\t0.50\t1\t2\t3\t4\t5\t6\n", "").replace("\t101\t2", "\t100\t2")
    assert len(read_markers(_written(tmp_path, lost.format(rate=100), "walk.trc")).times) == 100


def test_c3d_files(tmp_path: Path) -> None:
    ezc3d = pytest.importorskip("ezc3d")
    file = ezc3d.c3d()
    file["parameters"]["POINT"]["RATE"]["value"] = [200.0]
    file["parameters"]["POINT"]["LABELS"]["value"] = ("knee", "ankle")
    file["parameters"]["POINT"]["UNITS"]["value"] = ("mm",)
    points = np.ones((4, 2, 5))
    points[0, 0], points[1, 1] = 1000 * np.arange(5), 500
    points[:3, 1, 3] = np.nan
    file["data"]["points"] = points
    file.write(str(tmp_path / "walk.c3d"))
    markers = read_markers(tmp_path / "walk.c3d")
    assert markers.names == ("knee", "ankle")
    assert np.diff(markers.times) == pytest.approx([0.005] * 4)
    assert markers.positions()["knee"][:, 0] == pytest.approx(np.arange(5), abs=1e-6)
    assert markers.positions()["ankle"][0, 1] == pytest.approx(0.5)
    assert len(markers.gaps()) == 1


@pytest.mark.exhaustive
def test_marker_files_that_are_none_are_told(tmp_path: Path) -> None:
    pytest.importorskip("ezc3d")
    with pytest.raises(MotionError, match="no C3D file"):
        read_markers(_written(tmp_path, "nothing", "walk.c3d"))
    with pytest.raises(MotionError, match=r"did you mean '\.c3d'"):
        read_markers(tmp_path / "walk.c3")
    with pytest.raises(MotionError, match="expected a file, found none"):
        read_markers(tmp_path / "walk.trc")


def test_axes_that_reflect_are_refused() -> None:
    markers = Markers.of([0, 1], {"knee": [[1, 2, 3], [1, 2, 3]]})
    with pytest.raises(MotionError, match="right-handed"):
        markers.turned("x", "z", "y")
    with pytest.raises(MotionError, match="did you mean 'knee'"):
        markers.select(["kne"])
    assert replace(markers, source="other").source == "other"


# ---------------------------------------------------------------------- command line


def _run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(part) for part in arguments])


@pytest.mark.exhaustive
def test_a_motion_on_the_command_line(tmp_path: Path) -> None:
    t = np.arange(0, 3, 0.01)
    noise = np.random.default_rng(4).standard_normal((2, len(t)))
    rows = [
        f"{a:.2f},{b:.4f},{c:.4f}"
        for a, b, c in zip(t, 40 * np.sin(2 * t) + noise[0], 30 + noise[1], strict=True)
    ]
    path = _written(tmp_path, "time,alpha1 [deg],alpha2 [deg]\n" + "\n".join(rows))
    plot, smooth = tmp_path / "reach.png", tmp_path / "smooth.csv"
    done = _run("motion", path, "--model", "two_link", "--filter", "--plot", plot, "-o", smooth)
    assert done.exit_code == 0, done.output
    assert "300 samples, 0 to 2.99 s, 100 Hz" in done.output
    assert plot.exists()
    largest = read_motion(smooth).data["coordinates"].sel(coordinate="alpha1").max()
    assert float(largest) == pytest.approx(np.radians(40), abs=0.02)


def test_mistakes_on_the_command_line_are_told_without_a_traceback(tmp_path: Path) -> None:
    path = _written(tmp_path, _rows(*GOOD[:5], "0.05,ninety,1", *GOOD[6:]))
    done = _run("motion", path)
    assert done.exit_code == 2
    assert "line 7, alpha1: expected a number, found 'ninety'" in done.output


def test_tables_of_segments_on_the_command_line() -> None:
    assert "dumas_2007" in _run("segments").output
    assert "radial_styloid" in _run("segments", "de_leva_1996").output
    done = _run("segments", "de_leva_1997")
    assert done.exit_code == 1
    assert "did you mean 'de_leva_1996'" in done.output


def test_a_motion_of_arrays_has_both_derivatives_or_none() -> None:
    t = np.linspace(0, 1, 11)
    speeds, accelerations = {"a": 2 * t}, {"a": 2 + 0 * t}
    motion = Motion.of(t, {"a": t**2}, speeds=speeds, accelerations=accelerations, unit="rad")
    assert motion.choices["derivatives"] == "exact"
    assert motion.data["speeds"].dims == ("time", "speed")
    assert motion.data["accelerations"].sel(speed="a_dot")[0] == 2
    assert motion.data["speeds"].attrs["units"] == "rad/s"
    for wrong in ({"speeds": speeds}, {"speeds": {"b": t}, "accelerations": accelerations}):
        with pytest.raises(MotionError, match="expected those of a, found"):
            Motion.of(t, {"a": t**2}, **wrong)
