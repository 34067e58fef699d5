"""How sure torques are, against what is known in closed form."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import freebody
from freebody.cli import main
from freebody.errors import InverseError, ModelError
from freebody.inverse_dynamics import Noise
from freebody.model import loads
from freebody.motion import Motion, posture_reach
from freebody.motion.filtering import ORDER, narrowing

ARM = Path(__file__).parents[1] / "examples" / "arm.toml"
CART = loads(
    """
    title = "A mass on a rail"
    [coordinates]
    x = { title = "along the rail", unit = "m", initial = 0 }
    [inputs]
    F = { title = "push", unit = "N", value = 0 }
    [constants]
    m = { title = "mass", unit = "kg", value = 3 }
    [[bodies]]
    name = "cart"
    mass = "m"
    [[joints]]
    name = "rail"
    type = "slider"
    parent = "ground"
    child = "cart"
    displacement = "x"
    force = "F"
    """
)
RATE, SIZE = 200.0, 0.001


def resting(seconds: float = 4.0, rate: float = RATE, **posture: float) -> Motion:
    times = np.arange(int(seconds * rate) + 1) / rate
    return Motion.of(times, {name: np.full(len(times), x) for name, x in posture.items()})


def spread(model: Any, motion: Motion, size: Any, name: str = "generalized_sd") -> Any:
    """Return the root mean square over time of a standard deviation, away from the ends."""
    data = freebody.inverse(model, motion, noise=Noise(size, draws=100)).data
    inside = data[name].isel(time=slice(200, -200))
    return np.sqrt((inside**2).mean("time"))


def test_differences_spread_noise_as_their_coefficients_do() -> None:
    # twice central: (x[i+2] - 2 x[i] + x[i-2]) / (2 h)**2
    expected = 3 * SIZE * np.sqrt(1 + 4 + 1) * RATE**2 / 4
    found = spread(CART, resting(x=0.0).differentiated("difference"), SIZE)
    assert float(found[0]) == pytest.approx(expected, rel=0.02)  # of 100 draws


def test_a_filter_spreads_noise_as_its_response_does() -> None:
    cutoff, rate = 6.0, 1000.0
    # both passes together respond as 1/(1 + (f/once)**4), the second derivative as (2 pi f)**2:
    # the integral of x**4/(1 + x**4)**2 is sqrt(2) pi/16
    once = cutoff / narrowing(ORDER)
    power = 2 * SIZE**2 / rate * (2 * np.pi) ** 4 * once**5 * np.sqrt(2) * np.pi / 16
    found = spread(CART, resting(rate=rate, x=0.0).filtered(cutoff).differentiated(), SIZE)
    assert float(found[0]) == pytest.approx(3 * np.sqrt(power), rel=0.02)


def test_the_filter_is_that_of_a_coordinate_by_any_name() -> None:
    here = spread(CART, resting(x=0.0).filtered(6), SIZE)
    there = spread(CART, resting(marker=0.0).filtered(6).renamed({"marker": "x"}), SIZE)
    assert float(here[0]) == float(there[0])


def test_noise_goes_through_each_term() -> None:
    model = freebody.load("one_link")
    c = freebody.mechanism(model).names.values()
    found = spread(model, resting(alpha=1.0), SIZE, "terms_sd").sel(term="G")
    assert float(found[0]) == pytest.approx(c["m"] * c["g"] * c["d"] * np.sin(1) * SIZE, rel=0.01)


def test_markers_spread_angles_as_their_distance_allows() -> None:
    model = freebody.load("one_link")
    c = freebody.mechanism(model).names.values()
    of_angle = spread(model, resting(alpha=1.0), SIZE / c["L"], "terms_sd").sel(term="G")
    of_marker = spread(model, resting(alpha=1.0), {"tip": SIZE}, "terms_sd").sel(term="G")
    assert float(of_marker[0]) == pytest.approx(float(of_angle[0]), rel=0.02)


def test_two_markers_spread_less_than_one() -> None:
    motion = resting(alpha=1.0)
    one = spread("one_link", motion, {"tip": SIZE}, "terms_sd").sel(term="G")
    # the centre of mass at 0.682 of the length sees the angle as well
    both = spread("one_link", motion, {"tip": SIZE, "link": SIZE}, "terms_sd").sel(term="G")
    assert float(both[0] / one[0]) == pytest.approx(1 / np.sqrt(1 + 0.682**2), rel=0.02)


def test_a_seed_is_a_result() -> None:
    motion = resting(1.0, alpha=1.0)

    def drawn(seed: int) -> Any:
        noise = Noise(SIZE, draws=5, seed=seed)
        return freebody.inverse("one_link", motion, noise=noise).data["generalized_sd"]

    assert drawn(1).equals(drawn(1))
    assert not drawn(1).equals(drawn(2))


def test_memory_is_bounded_whatever_the_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    motion = resting(1.0, alpha=1.0)
    whole = freebody.inverse("one_link", motion, noise=Noise(SIZE, draws=7)).data
    monkeypatch.setattr("freebody.inverse_dynamics.uncertainty.BLOCK", 500)
    reached = list[float]()
    given = {"noise": Noise(SIZE, draws=7), "progress": reached.append}
    parts = freebody.inverse("one_link", motion, **given).data
    # first the motion, then four groups of at most two draws
    assert reached == pytest.approx([1, 1 / 4, 2 / 4, 3 / 4, 1])
    assert np.allclose(whole["generalized_sd"], parts["generalized_sd"], rtol=1e-12)


def test_a_seed_that_is_none_is_refused() -> None:
    with pytest.raises(InverseError, match="noise: expected a seed of 0 or more, found -5"):
        Noise(0.1, seed=-5)


def test_what_was_drawn_is_told() -> None:
    found = freebody.inverse("one_link", resting(1.0, alpha=1.0), noise=Noise({"tip": 0.002}))
    assert found.provenance["noise"]["standard deviations"] == {"tip": "0.002 m, of a marker"}
    assert found.provenance["noise"]["by"].endswith(
        "400 draws through filter and derivatives, seed 0"
    )
    assert "known to 3.5%" in found.notes[-1]


@pytest.mark.parametrize(
    ("size", "told"),
    [
        ({"alhpa": 0.1}, "no coordinate or place 'alhpa'; did you mean 'alpha'?"),
        (0.0, "noise of 'alpha': expected a positive number, found 0"),
        (Noise(0.1, draws=1), "expected 2 draws or more, found 1"),
        ({"joint": 0.1}, "decide 0 of 1 coordinates"),
    ],
)
def test_noise_that_is_none_is_refused(size: Any, told: str) -> None:
    with pytest.raises(InverseError, match="noise") as raised:
        freebody.inverse("one_link", resting(1.0, alpha=1.0), noise=size)
    assert told in str(raised.value)


def test_smoothing_splines_are_refused() -> None:
    motion = resting(1.0, alpha=1.0).differentiated(noise=0.01)
    with pytest.raises(InverseError, match="depend on the samples"):
        freebody.inverse("one_link", motion, noise=0.01)


# ---------------------------------------------------------------------- tables


def reach() -> Motion:
    names = ("alpha1", "alpha2")
    start, end = (dict(zip(names, x, strict=True)) for x in ((-1.5, 0.1), (0.0, 1.5)))
    return posture_reach(start, end, 0.5, rate=200)


@pytest.mark.exhaustive
def test_another_table_gives_what_its_model_does() -> None:
    tables = ["de_leva_1996", "dempster_winter"]
    found = freebody.inverse(ARM, reach(), tables=tables)
    for table in tables:
        alone = freebody.inverse(freebody.load(ARM, table=table), reach()).data["generalized"]
        assert found.data["generalized_by_table"].sel(table=table).drop_vars("table").equals(alone)
    assert found.provenance["tables"] == tables


def test_a_table_for_no_segments_is_refused() -> None:
    with pytest.raises(ModelError, match=r"expected \[segments\]"):
        freebody.inverse("two_link", reach(), tables=["de_leva_1996"])
    with pytest.raises(InverseError, match="from a file"):
        freebody.inverse(CART, resting(1.0, x=0.0), tables=["de_leva_1996"])


@pytest.mark.exhaustive
def test_it_is_written_and_drawn(tmp_path: Path) -> None:
    found = freebody.inverse(ARM, reach(), noise=Noise(0.01, draws=10), tables=["de_leva_1996"])
    found.save(tmp_path / "torques.csv")
    heads = (tmp_path / "torques.csv").read_text().splitlines()[0].split(",")
    assert "generalized_sd.alpha1_dot [N*m]" in heads
    assert "generalized_by_table.de_leva_1996.alpha2_dot [N*m]" in heads
    found.plot(tmp_path / "torques.png")
    assert (tmp_path / "torques.png").stat().st_size > 10_000


# ---------------------------------------------------------------------- the command line


def told(path: Path, *options: str) -> str:
    reach().save(path / "reach.csv")
    return CliRunner().invoke(main, ["inverse", str(ARM), str(path / "reach.csv"), *options]).output


def test_noise_and_tables_are_told(tmp_path: Path) -> None:
    options = ["--noise", "0.01", "--draws", "20", "--seed", "3", "--tables", "de_leva_1996"]
    text = told(tmp_path, *options, "-o", str(tmp_path / "torques.nc"))
    assert "s.d. by noise" in text
    assert "at most, de_leva_1996" in text
    assert "from 20 draws of the noise" in text
    assert (tmp_path / "torques.nc").stat().st_size > 1000


def test_noise_of_markers_is_by_name(tmp_path: Path) -> None:
    text = told(tmp_path, "--noise", "elbow=0.002", "--noise", "fingertip=0.002", "--draws", "5")
    assert "from 5 draws" in text


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--draws", "5"], "expected --noise with --draws"),
        (["--noise", "1", "--noise", "elbow=2"], "expected --noise SIZE once"),
        (["--noise", "much"], "expected a number for '--noise', found 'much'"),
        (["--noise", "elbo=1"], "no coordinate or place 'elbo'; did you mean 'elbow'?"),
        (["--tables", "leva"], "there is no table 'leva'"),
    ],
)
def test_what_cannot_be_asked_is_told(tmp_path: Path, options: list[str], problem: str) -> None:
    assert problem in told(tmp_path, *options)
