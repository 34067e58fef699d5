"""Motion in time: against what is known of it, and what is told when it cannot be found."""

from __future__ import annotations

import json
import shutil
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import xarray as xr

import freebody
from conftest import OWN
from freebody import simulate
from freebody.backends import Functions, cache
from freebody.checking.check import surprises
from freebody.errors import FreebodyError, ModelWarning, SimulationError
from freebody.files import FileError
from freebody.model import load, loads, shipped

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from freebody.model import Model
    from freebody.simulation import Simulation


@pytest.fixture(scope="module")
def cart() -> Simulation:
    return simulate(OWN["cart"], duration=2, step=0.02)


def changed(name: str, *changes: tuple[str, str]) -> Any:
    told = OWN[name].read_text()
    for old, new in changes:
        assert old in told
        told = told.replace(old, new)
    return loads(told)


# ---------------------------------------------------------------------- known motions


def test_a_mass_on_a_spring_swings_as_a_cosine() -> None:
    run = simulate(OWN["oscillator"], duration=4, tolerance=1e-13)
    x = run.data["coordinates"].sel(coordinate="x")
    np.testing.assert_allclose(x, 0.5 * np.cos(3 * run.data["time"]), atol=1e-10)
    np.testing.assert_allclose(run.data["accelerations"].sel(speed="x_dot"), -9 * x, atol=1e-12)


def test_a_ball_flies_on_a_parabola() -> None:
    run = simulate(OWN["fall"], duration=1)
    t = run.data["time"]
    found = run.data["coordinates"]
    np.testing.assert_allclose(found.sel(coordinate="x"), 3 * t, atol=1e-11)
    np.testing.assert_allclose(found.sel(coordinate="y"), 2 + 4 * t - 9.81 / 2 * t**2, atol=1e-11)
    np.testing.assert_allclose(found.sel(coordinate="phi"), 5 * t, atol=1e-11)
    np.testing.assert_allclose(run.data["reaction_force"], 0, atol=1e-11)


def test_a_physical_pendulum_has_its_small_angle_period() -> None:
    run = simulate("pendulum", duration=3, step=0.001, initial={"theta": 1e-4})
    k = run.provenance["constants"]
    period = 2 * np.pi * np.sqrt((k["I"] + k["m"] * k["d"] ** 2) / (k["m"] * k["g"] * k["d"]))
    t, theta = run.data["time"].to_numpy(), run.data["coordinates"].to_numpy()[:, 0]
    (falling,) = np.nonzero((theta[:-1] > 0) & (theta[1:] <= 0))
    i = falling[:2]
    crossings = t[i] + (t[i + 1] - t[i]) * theta[i] / (theta[i] - theta[i + 1])
    assert np.diff(crossings)[0] == pytest.approx(period, rel=1e-6)


def test_the_energy_of_a_double_pendulum_is_kept_for_twenty_seconds() -> None:
    run = simulate("double_pendulum", duration=20, step=0.1, unchecked=True)
    assert run.energy_drift < 1e-8
    total = run.data["energy"].sel(kind="total").to_numpy()
    assert np.ptp(total) < 1e-8 * abs(total[0])


@pytest.mark.one_in(2)
@pytest.mark.few("tree", "cart")
@pytest.mark.parametrize("name", ["cart", "chain", "tree", "space"])
def test_work_of_inputs_and_dampers_is_counted(name: str) -> None:
    run = simulate(OWN[name], duration=2, step=0.05)
    work = run.data["energy"].sel(kind="work")
    assert float(abs(work).max()) > 1e-3
    assert run.energy_drift < 1e-9


def test_the_equations_hold_at_every_instant(cart: Simulation) -> None:
    terms = cart.data["terms"]
    left = terms.sel(term=["inertia", "C", "G", "E"]).sum("term")
    np.testing.assert_allclose(left, terms.sel(term="tau"), atol=1e-12)


def test_terms_and_reactions_are_those_of_the_cart(cart: Simulation) -> None:
    g, mc, mp, d, k, c, kt, ct = 9.81, 2, 0.5, 0.4, 30, 0.8, 0.5, 0.02
    x, theta = cart.data["coordinates"].to_numpy().T
    v, omega = cart.data["speeds"].to_numpy().T
    a, alpha = cart.data["accelerations"].to_numpy().T
    F, T = cart.data["inputs"].to_numpy().T
    sin, cos = np.sin(theta), np.cos(theta)
    expected = {
        "inertia": [
            (mc + mp) * a + mp * d * cos * alpha,
            mp * d * cos * a + mp * d**2 * 4 / 3 * alpha,
        ],
        "C": [-mp * d * sin * omega**2, 0 * x],
        "G": [0 * x, mp * g * d * sin],
        "E": [k * (x - 0.1) + c * v, kt * theta + ct * omega],
        "tau": [F, T],
    }
    for term, (first, second) in expected.items():
        found = cart.data["terms"].sel(term=term).to_numpy()
        np.testing.assert_allclose(found, np.transpose([first, second]), atol=1e-12, err_msg=term)
    force = cart.data["reaction_force"].sel(joint="pivot")
    moment = cart.data["reaction_moment"].sel(joint="pivot")
    across = mp * (a + d * cos * alpha - d * sin * omega**2)
    up = mp * (g + d * sin * alpha + d * cos * omega**2)
    np.testing.assert_allclose(force, np.transpose([across, up, 0 * up]), atol=1e-12)
    np.testing.assert_allclose(moment.sel(axis="z"), T - kt * theta - ct * omega, atol=1e-12)


def test_speeds_and_accelerations_are_slopes(cart: Simulation) -> None:
    data = cart.data.isel(time=slice(1, -1))
    step = 0.02
    for slope, of in (("speeds", "coordinates"), ("accelerations", "speeds")):
        values = cart.data[of].to_numpy()
        found = (values[2:] - values[:-2]) / (2 * step)
        np.testing.assert_allclose(data[slope], found, atol=0.05)


def test_positions_are_those_of_the_coordinates(cart: Simulation) -> None:
    bob = cart.data["position"].sel(point="bob")
    x, theta = cart.data["coordinates"].to_numpy().T
    np.testing.assert_allclose(bob.sel(axis="x"), x + 0.4 * np.sin(theta), atol=1e-14)
    np.testing.assert_allclose(bob.sel(axis="y"), -0.4 * np.cos(theta), atol=1e-14)


# ---------------------------------------------------------------------- what is given


def test_inputs_are_expressions_of_time_and_state() -> None:
    run = simulate("pendulum", duration=0.5, inputs={"T": "0.3*sin(t) - d*theta_dot + theta"})
    t, d = run.data["time"], run.provenance["constants"]["d"]
    q = run.data["coordinates"].sel(coordinate="theta")
    u = run.data["speeds"].sel(speed="theta_dot")
    given = run.data["inputs"].sel(input="T")
    np.testing.assert_allclose(given, 0.3 * np.sin(t) - d * u + q, atol=1e-14)
    np.testing.assert_allclose(run.data["terms"].sel(term="tau", speed="theta_dot"), given)


def test_constants_that_are_given_carry_on_to_those_that_depend_on_them() -> None:
    run = simulate("pendulum", duration=0.1, constants={"height": 2.0}, initial={"theta": "pi*d"})
    constants = run.provenance["constants"]
    assert constants["d"] == pytest.approx(0.682 * 0.253 * 2)
    assert run.provenance["initial"]["theta"] == pytest.approx(np.pi * constants["d"])
    assert float(run.data["coordinates"][0, 0]) == run.provenance["initial"]["theta"]


def test_a_constant_may_be_given_whatever_it_leaves_unused() -> None:
    run = simulate("pendulum", duration=0.1, constants={"m": 1.0, "I": 0.1, "d": 0.2})
    assert run.provenance["constants"]["m"] == 1.0


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"constants": {"bdy_mass": 1.0}}, "no constant 'bdy_mass'; did you mean 'body_mass'?"),
        ({"constants": {"m": -1.0}}, "bodies[0].mass: expected a value that is positive, found -1"),
        ({"constants": {"m": 0.0}}, "bodies[0].mass: expected a value that is positive, found 0"),
        ({"constants": {"d": float("nan")}}, "d.value: expected a finite number, found nan"),
        ({"initial": {"thta": 1}}, "no coordinate or speed 'thta'; did you mean 'theta'?"),
        ({"initial": {"theta": "pi/x"}}, "initial value of 'theta'"),
        ({"initial": {"theta": "t"}}, "initial value of 'theta'"),
        ({"initial": {"theta": "9**9**9"}}, "is too large"),
        ({"inputs": {"T1": 1}}, "no input 'T1'; did you mean 'T'?"),
        ({"inputs": {"T": "thta"}}, "unknown name 'thta'; did you mean 'theta'?"),
        ({"inputs": {"T": "2*T"}}, "'2*T' uses an input"),
        ({"inputs": {"T": "__import__('os')"}}, "input 'T': column 1: did not expect '_'"),
        ({"inputs": {"T": "9**9**9"}}, "is too large"),
        ({"inputs": {"T": "1/t"}}, "input 'T' is not finite at t = 0 s"),
        ({"inputs": {"T": "log(t)"}}, "input 'T' is not finite at t = 0 s"),
        ({"inputs": {"T": "10**400"}}, "input 'T' is not finite at t = 0 s"),
        ({"inputs": {"T": "exp(10*theta)"}}, "the motion may blow up"),
        ({"duration": 0}, "expected a positive duration, found 0"),
        ({"duration": float("nan")}, "expected a positive duration, found nan"),
        ({"step": -1}, "expected a positive step, found -1"),
        ({"duration": 1e300}, "are more than 2000000 states"),
        ({"tolerance": 1e-16}, "expected a tolerance from 1e-13 to less than 1, found 1e-16"),
        ({"tolerance": float("inf")}, "expected a tolerance"),
    ],
)
def test_what_cannot_be_simulated_is_told(
    given: dict[str, Any], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("freebody.simulation.integrate.STEPS", 500)
    with pytest.raises(FreebodyError) as error:
        simulate("pendulum", **{"duration": 1, "unchecked": True, **given})
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_a_motion_without_a_step_that_is_small_enough_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("freebody.simulation.integrate.STEPS", 500)
    with pytest.raises(SimulationError, match=r"no step .* can be taken at about t = 0\.0.*"):
        simulate("pendulum", duration=1, unchecked=True, inputs={"T": "exp(900*t)"})


def test_all_that_has_no_value_is_told_at_once() -> None:
    model = changed(
        "oscillator", (", initial = 0.5", ""), (", value = 2", ""), (", value = 18", "")
    )
    with pytest.raises(SimulationError) as error:
        simulate(model, duration=1)
    for told in (
        "constant 'm' has no value",
        "constant 'k' has no value",
        "coordinate 'x' has no initial value",
    ):
        assert told in str(error.value)


def test_a_negative_stiffness_blows_up_with_a_word() -> None:
    with pytest.warns(ModelWarning, match="-18 is negative"):
        driven = changed("oscillator", ("value = 18", "value = -18"))
    with pytest.raises(SimulationError, match=r"not finite at t = 2\d\d"):
        simulate(driven, 400, step=1, tolerance=0.01)


def test_a_singular_mass_matrix_is_told() -> None:
    without_height = ('translation = ["x", "y", 0]', 'translation = ["x + y", 0, 0]')
    with pytest.raises(SimulationError, match="the mass matrix is singular"):
        simulate(changed("fall", without_height), duration=1)


# ---------------------------------------------------------------------- documents


@pytest.fixture
def disputed(tmp_path: Path) -> Path:
    """Return a model beside a document with one sign turned."""
    shutil.copytree(shipped()["one_link"], tmp_path / "link")
    (page,) = (tmp_path / "link").glob("*.md")
    text = page.read_text()
    assert "+ mgd \\cos" in text
    page.write_text(text.replace("+ mgd \\cos", "- mgd \\cos", 1))
    return tmp_path / "link"


def test_a_model_whose_document_differs_is_refused(disputed: Path) -> None:
    with pytest.raises(SimulationError, match="differ from their documents in a way that is not"):
        simulate(disputed, duration=0.1)
    run = simulate(disputed, duration=0.1, unchecked=True)
    assert run.provenance["checked"] == "not checked, as asked"


def test_what_was_checked_is_part_of_the_provenance() -> None:
    assert "One planar link" in simulate("one_link", duration=0.1).provenance["checked"]
    alone = loads((shipped()["pendulum"] / "model.toml").read_text())
    assert simulate(alone, duration=0.1).provenance["checked"] == "no documents"


@pytest.mark.exhaustive
def test_documents_are_checked_again_only_when_something_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked = []

    def counted(model: Model) -> Iterator[str]:
        checked.append(model.title)
        return surprises(model)

    monkeypatch.setattr(sys.modules["freebody.simulation.simulate"], "surprises", counted)
    place = tmp_path / "link"
    shutil.copytree(shipped()["one_link"], place)
    (page,) = place.glob("*.md")
    page.write_text(page.read_text() + "\nOne more line.\n")
    runs = [simulate(place, duration=0.1) for _ in range(2)]
    assert len(checked) == 1
    assert runs[0].provenance["checked"] == runs[1].provenance["checked"]
    page.write_text(page.read_text() + "\n$$ T = m g $$\n")
    for _ in range(2):
        with pytest.raises(SimulationError, match="differ from their documents"):
            simulate(place, duration=0.1)
    assert len(checked) == 3


# ---------------------------------------------------------------------- interruption


def test_an_interruption_comes_through() -> None:
    reached = []

    def stop(time: float) -> None:
        reached.append(time)
        if time > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate("pendulum", duration=100, progress=stop)
    assert 0.5 < reached[-1] < 1


def test_an_interrupted_file_leaves_what_was_there(
    cart: Simulation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "run.nc"
    path.write_text("before")
    monkeypatch.setattr(xr.Dataset, "to_netcdf", stop)
    with pytest.raises(KeyboardInterrupt):
        cart.save(path)
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("run.nc", "before")]


# ---------------------------------------------------------------------- results


def test_results_are_labelled_with_units(cart: Simulation) -> None:
    data = cart.data
    assert data["time"].attrs["units"] == "s"
    units = data["coordinate_unit"].values
    assert dict(zip(data["coordinate"].values, units, strict=True)) == {
        "x": "m",
        "theta": "rad",
    }
    assert data["input_unit"].sel(input="T") == "N*m"
    units = {name: data[name].attrs.get("units") for name in data.data_vars}
    assert units["reaction_force"] == "N"
    assert units["reaction_moment"] == "N*m"
    assert units["position"] == "m"
    assert units["energy"] == "J"
    assert data.attrs["title"] == cart.mechanism.model.title


def test_statistics_and_provenance_say_what_made_it(cart: Simulation) -> None:
    told = json.loads(json.dumps(cart.as_json()))
    assert told["engine"] == "pydy"
    assert told["evaluations"] > told["steps"] > 10
    assert told["seconds"] > 0
    assert told["model"] == load(OWN["cart"]).title
    assert told["inputs"] == {"F": "push*sin(3*t) - x_dot/2", "T": "-theta_dot/10"}
    assert told["constants"]["I"] == pytest.approx(0.5 * 0.16 / 3)
    assert told["initial"] == {"x": 0.2, "theta": 0.7, "x_dot": 0.0, "theta_dot": 0.3}
    assert told["versions"]["freebody"] == freebody.__version__
    assert len(told["model_hash"]) == 64


def test_a_csv_file_has_a_column_for_each_entry(cart: Simulation, tmp_path: Path) -> None:
    cart.save(tmp_path / "run.csv")
    head, *lines = (tmp_path / "run.csv").read_text().splitlines()
    columns = head.split(",")
    assert columns[:5] == ["time [s]", "x [m]", "theta [rad]", "x_dot [m/s]", "theta_dot [rad/s]"]
    assert {"C.theta_dot [N*m]", "reaction_force.pivot.y [N]", "energy.work [J]"} <= {*columns}
    assert len(lines) == 101
    assert len({*columns}) == len(columns)
    last = dict(zip(columns, map(float, lines[-1].split(",")), strict=True))
    assert last["theta [rad]"] == float(cart.data["coordinates"].sel(coordinate="theta")[-1])
    assert json.loads((tmp_path / "run.json").read_text()) == cart.as_json()


def test_a_netcdf_file_holds_everything(cart: Simulation, tmp_path: Path) -> None:
    cart.save(tmp_path / "run.nc")
    with xr.open_dataset(tmp_path / "run.nc", engine="scipy") as found:
        for name in cart.data.data_vars:
            np.testing.assert_array_equal(found[name], cart.data[name])
        assert json.loads(found.attrs["provenance"]) == cart.as_json()
        assert found["time"].attrs["units"] == "s"


@pytest.mark.parametrize("name", ["run.txt", "run", "run.CSV.gz"])
def test_another_ending_is_told(cart: Simulation, tmp_path: Path, name: str) -> None:
    with pytest.raises(FileError, match=r"expected a file name that ends in \.csv or \.nc"):
        cart.save(tmp_path / name)


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    run = simulate(OWN["oscillator"], duration=0.1, step=0.05)
    for write, name in ((run.save, "a.csv"), (run.plot, "a.png"), (run.animate, "a.gif")):
        with pytest.raises(FileError, match="cannot be written: No such file or directory"):
            write(tmp_path / "nowhere" / name)


@pytest.mark.exhaustive("cart")
@pytest.mark.few("cart")
@pytest.mark.parametrize("name", ["cart", "space", "fall"])
def test_pictures_are_drawn_of_every_kind_of_model(tmp_path: Path, name: str) -> None:
    run = simulate(OWN[name], duration=0.05)
    run.plot(tmp_path / "run.png")
    run.animate(tmp_path / "run.gif")
    assert (tmp_path / "run.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "run.gif").read_bytes().startswith(b"GIF89a")
    assert len((tmp_path / "run.png").read_bytes()) > 20_000
    with pytest.raises(FileError, match=r"expected a file name that ends in \.gif"):
        run.animate(tmp_path / "run.png")


@pytest.mark.exhaustive
def test_what_constraints_decide_otherwise_than_given_is_told() -> None:
    disc = simulate("rolling_disc", duration=0.05, initial={"u4": 5})
    assert disc.provenance["decided"] == {"u4": 5.0}
    assert disc.provenance["initial"]["u4"] != 5
    with pytest.raises(SimulationError, match="either rates or speeds, found x_dot and u4"):
        simulate("rolling_disc", duration=0.05, initial={"u4": 5, "x_dot": 1})


def test_a_result_without_inputs_can_be_read_back(tmp_path: Path) -> None:
    disc = simulate("rolling_disc", duration=0.05)
    disc.save(tmp_path / "disc.nc")
    with xr.open_dataset(tmp_path / "disc.nc", engine="scipy") as found:
        np.testing.assert_array_equal(found["coordinates"], disc.data["coordinates"])


def test_lengths_of_kilometres_are_as_consistent_as_those_of_metres() -> None:
    lengths = {"r": 500, "l": 2000}
    crank = simulate(
        "slider_crank", duration=0.2, constants=lengths, tolerance=1e-10, unchecked=True
    )
    assert crank.statistics["constraint_residual"] < 1e-13 * 2000**2
    assert crank.energy_drift < 1e-6


@pytest.mark.parametrize("kind", [np.int64, np.float32, np.float64])
def test_numbers_of_numpy_are_initial_values(kind: type) -> None:
    given = {"theta": kind(1)}
    moved = freebody.simulate("pendulum", 0.01, initial=given, unchecked=True)
    assert float(moved.data["coordinates"][0, 0]) == 1


def test_the_outputs_of_a_motion_are_written_together(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    written = Functions._written

    def counted(self: Functions, names: list[str]) -> Any:
        asked.append(names)
        return written(self, names)

    monkeypatch.setattr(Functions, "_written", counted)
    monkeypatch.setattr(cache, "lookup", lambda _: None)  # as where nothing is kept yet
    simulate("double_pendulum", duration=0.1, unchecked=True)
    assert len(asked) == 1
    assert {"rhs", "mass_matrix", "reactions"} < set(asked[0])
