"""Plans, stores, and sweeps of motions that go one at a time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from click.testing import CliRunner

import freebody
from freebody.cli import main
from freebody.errors import FreebodyError
from freebody.files import FileError
from freebody.sweeps import columns
from freebody.sweeps.boxes import box_shape, boxes, runs

LIMITS = {"m": (1.0, 2.0), "theta": (0.0, 0.5)}


@pytest.mark.parametrize("sizes", [(7,), (3, 5), (2, 3, 4), (4, 1, 6), (5, 2, 2, 3)])
def test_boxes_of_a_grid_hold_each_motion_once(sizes: tuple[int, ...]) -> None:
    numbers = np.arange(np.prod(sizes)).reshape(sizes)
    for most in (1, 2, 5, 100):
        shape = box_shape(sizes, most)
        assert np.prod(shape) <= most
        ends = [*runs(sizes, shape)]
        assert [n for a, b in ends for n in range(a, b)] == [*range(numbers.size)]
    for start in range(numbers.size):
        found = [(a, b, numbers[box]) for a, b, box in boxes(sizes, start, numbers.size)]
        assert found[0][0] == start
        for a, b, part in found:
            assert part.ravel().tolist() == [*range(a, b)]


def test_a_hypercube_has_a_motion_in_every_part_of_every_range() -> None:
    rows = freebody.LatinHypercube(LIMITS, 10).plan().rows(0, 10)
    for column, (low, high) in zip(rows.T, LIMITS.values(), strict=True):
        parts = np.floor(10 * (column - low) / (high - low)).astype(int)
        assert sorted(parts.tolist()) == [*range(10)]


def test_an_adaptive_plan_goes_where_the_result_changes_most() -> None:
    # rest at the top: a little to either side decides where it falls
    plan = freebody.Adaptive({"theta": (2.6, 3.6)}, 40, of="theta")
    found = freebody.sweep("pendulum", plan, 3, inputs={"T": 0}, tolerance=1e-8)
    near = np.abs(found["theta"].to_numpy() - np.pi)
    assert (near < 0.1).sum() > 2 * 40 * 0.2
    assert found.statistics["done"] == 40


def test_a_store_is_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "WIDTH", 3)
    path, told = tmp_path / "runs.zarr", list[int]()
    over = {"theta": np.linspace(0.1, 1, 5), "m": [1.0, 1.5, 2.0]}

    def interrupt(done: int) -> None:
        told.append(done)
        if done == 6:
            raise KeyboardInterrupt

    part = freebody.sweep("pendulum", over, 0.5, store=path, progress=interrupt)
    assert part.statistics["done"] == 6
    whole = freebody.sweep("pendulum", over, 0.5, store=path, progress=told.append)
    assert told == [3, 6, 9, 12, 15]
    alone = freebody.sweep("pendulum", over, 0.5)
    with xr.open_zarr(path) as data:
        assert data["coordinates"].dims == ("theta", "m", "time", "coordinate")
        assert data["speeds"].attrs["units"] == "rad/s"
        assert data.attrs["done"] == 15
        for name in alone.data.data_vars:
            np.testing.assert_array_equal(data[name], alone[name])
    assert whole.statistics == alone.statistics
    with pytest.raises(FileError, match="holds other motions"):
        freebody.sweep("pendulum", over, 0.6, store=path)
    (tmp_path / "other.zarr").mkdir()
    with pytest.raises(FileError, match="is no Zarr store"):
        freebody.sweep("pendulum", over, 0.5, store=tmp_path / "other.zarr")
    with pytest.raises(FileError, match="expected a file name that ends in"):
        freebody.sweep("pendulum", over, 0.5, store=tmp_path / "runs.nc")


@pytest.mark.parametrize(
    ("model", "over", "options"),
    [
        ("four_bar", {"m3": [0.3, 0.6]}, {}),
        ("pendulum", {"theta": [0.5, 0.8]}, {"events": [freebody.Event("theta = 0")]}),
        ("pendulum", {"theta": [0.5, 0.8]}, {"method": "Radau", "tolerance": 1e-8}),
    ],
)
def test_one_at_a_time_they_are_those_of_simulate(
    model: str, over: dict[str, Any], options: dict[str, Any]
) -> None:
    found = freebody.sweep(model, over, 0.5, **options)
    (name,) = over
    value = over[name][1]
    how = "initial" if name == "theta" else "constants"
    alone = freebody.simulate(
        model, 0.5, step=0.1, unchecked=True, **{how: {name: value}}, **options
    )
    one = found.sel({name: value})
    count = alone.sizes["time"]
    np.testing.assert_array_equal(one["speeds"][:count], alone["speeds"])
    assert float(one["energy_drift"]) == alone.energy_drift
    if "events" in options:
        assert np.isnan(one["coordinates"][count:]).all()
        assert float(one["event_time"].item()) == alone.events[0]["time"]


@pytest.mark.exhaustive
def test_muscles_are_excited() -> None:
    excitations = {"elbow_flexor": "0.3*exp(-5*t)"}
    plan = freebody.Ensemble({"m2": (1.5, 0.1)}, 2, seed=1)
    found = freebody.sweep("two_link_muscles", plan, 0.2, muscles=excitations)
    mass = float(found["m2"][1])
    alone = freebody.excite("two_link_muscles", excitations, 0.2, step=0.1, constants={"m2": mass})
    np.testing.assert_array_equal(found["tension"][1], alone["tension"])
    assert found.table()["over.m2"].to_list() == [*[float(found["m2"][0])] * 3, *[mass] * 3]


@pytest.mark.exhaustive
def test_inputs_over_time_go_many_at_once() -> None:
    times = np.linspace(0, 1, 21)
    inputs = {"T1": (times, np.sin(5 * times)), "T2": 0}
    found = freebody.sweep("two_link", {"m2": [1.0, 2.0]}, inputs=inputs)
    assert found["time"].values[-1] == 1.0
    assert found.provenance["method"] == "DOP853"
    alone = freebody.simulate("two_link", step=0.1, inputs=inputs, constants={"m2": 2.0})
    np.testing.assert_allclose(found["speeds"].sel(m2=2), alone["speeds"], rtol=0, atol=1e-8)
    assert float(found["energy_drift"].max()) < 1e-8


def test_why_motions_stop_is_told() -> None:
    found = freebody.sweep("four_bar", {"d": [0.1, 0.5]}, 0.2, tolerance=1e-9)
    assert found["status"].to_numpy().tolist() == [1, 2]
    assert any(note.startswith("stopped: ") for note in found.notes)
    assert np.isnan(found["coordinates"].sel(d=0.5)).all()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"over": freebody.LatinHypercube({"m": (2, 1)}, 3)}, "'m': expected two rising numbers"),
        ({"over": freebody.LatinHypercube({}, 3)}, "at least one name"),
        ({"over": freebody.Ensemble({"m": (1, -1)}, 3)}, "a mean and a standard deviation"),
        ({"over": freebody.Ensemble({"m": (1, 1)}, 0)}, "one motion or more"),
        ({"over": freebody.Adaptive({"m": (1, 2)}, 9, of="mm")}, "or speed 'mm'"),
        ({"over": {"m": [1]}, "method": "Radau", "backend": "c"}, "backend: expected none"),
        ({"over": {"m": [1]}, "events": [freebody.Event("q = 1")]}, "q"),
        ({"over": {"m": [1]}, "muscles": {"flexor": 1}}, "has no muscles"),
    ],
)
def test_what_is_wrong_is_told(arguments: dict[str, Any], told: str) -> None:
    with pytest.raises(FreebodyError, match=told):
        freebody.sweep("pendulum", duration=0.2, **arguments)


def test_the_command_line_has_plans_and_goes_on(tmp_path: Path) -> None:
    command = ["sweep", "pendulum", "--plan", "latin:6", "--over", "m=1:2", "--duration", "0.2"]
    files = ["--store", str(tmp_path / "runs.zarr"), "--plot", str(tmp_path / "runs.png")]
    ran = CliRunner().invoke(main, [*command, *files])
    assert ran.exit_code == 0, ran.output
    assert ran.stdout.startswith("6 motions by DOP853: 0 stopped")
    assert (tmp_path / "runs.png").is_file()
    assert CliRunner().invoke(main, [*command, *files]).exit_code == 0
    for wrong, told in (
        (["--plan", "many:6"], "expected latin:COUNT"),
        (["--plan", "latin:6", "--of", "theta"], "--of names"),
        (["--plan", "latin:6", "--over", "theta=1,2"], "expected theta=FROM:TO"),
    ):
        ran = CliRunner().invoke(main, ["sweep", "pendulum", "--over", "m=1:2", *wrong])
        assert ran.exit_code == 2
        assert told in ran.stderr


def test_adaptive_plans_say_what_they_need(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "adaptive", None)
    with pytest.raises(freebody.BackendError, match=r'pip install "freebody\[plans\]"'):
        freebody.sweep("pendulum", freebody.Adaptive({"m": (1, 2)}, 9, of="theta"))
    monkeypatch.setitem(sys.modules, "zarr", None)
    with pytest.raises(freebody.BackendError, match=r'pip install "freebody\[dask\]"'):
        freebody.sweep("pendulum", {"m": [1, 2]}, store="runs.zarr")
    assert not Path("runs.zarr").exists()
