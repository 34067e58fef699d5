"""What every result has in common: names, dimensions, units, what made it, files and pictures."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from click.testing import CliRunner

import freebody
from freebody.cli import main
from freebody.files import FileError
from freebody.motion import posture_reach, read_motion
from freebody.results import TERMS, UNITS

ARM = "two_link_muscles"
REACH = posture_reach({"alpha1": -1.5, "alpha2": 0.1}, {"alpha1": 0.0, "alpha2": 1.5}, 0.5, 100.0)


@cache
def simulated() -> freebody.Simulation:
    return freebody.simulate("two_link", 0.3, unchecked=True)


@cache
def inverted() -> freebody.InverseDynamics:
    return freebody.inverse(ARM, REACH)


RESULTS: dict[str, Callable[[], Any]] = {
    "simulate": simulated,
    "constrained": lambda: freebody.simulate("four_bar", 0.1, unchecked=True),
    "own speeds": lambda: freebody.simulate("rolling_disc", 0.1, unchecked=True),
    "sweep": lambda: freebody.sweep("pendulum", {"theta": [0.1, 0.2], "m": [1.0, 2.0]}, 0.5),
    "inverse": inverted,
    "inverse of two": lambda: freebody.inverse("two_link", REACH),
    "excite": lambda: freebody.excite(ARM, {"elbow_flexor": 0.1}, 0.05),
    "share": lambda: freebody.static_optimisation(ARM, inverted()),
    "along": lambda: freebody.linearize("two_link", along=simulated()),
    "linearize": lambda: freebody.linearize("pendulum"),
}
DIMENSIONS = {
    "coordinates": ("time", "coordinate"),
    "speeds": ("time", "speed"),
    "accelerations": ("time", "speed"),
    "terms": ("time", "term", "speed"),
    "generalized": ("time", "speed"),
    "inputs": ("time", "input"),
    "reaction_force": ("time", "joint", "axis"),
    "reaction_moment": ("time", "joint", "axis"),
    "A": ("state", "by"),
}


@cache
def result(name: str) -> Any:
    return RESULTS[name]()


each = pytest.mark.parametrize("name", RESULTS)


@each
def test_the_same_things_have_the_same_dimensions(name: str) -> None:
    data = result(name).data
    known = [of for of in DIMENSIONS if of in data]
    assert known
    for of in known:
        dims = data[of].dims
        assert dims[len(dims) - len(DIMENSIONS[of]) :] in (DIMENSIONS[of], dims), (of, dims)
    if "term" in data:
        assert set(data["term"].values) <= {*TERMS}
    if "speed" in data:
        made = result(name).mechanism.names
        assert list(data["speed"].values) == list(made.speeds)


@each
def test_units_stand_where_xarray_looks_for_them(name: str) -> None:
    data = result(name).data
    for of, variable in data.data_vars.items():
        unit = UNITS.get(str(of), "")
        along = unit in data.coords
        told = {*data[unit].values} if along else {unit}
        assert variable.attrs.get("units", "") == (told.pop() if len(told) == 1 else ""), of
        assert "unit" not in variable.attrs
    if "time" in data:
        assert data["time"].attrs["units"] == "s"


@each
def test_what_made_it_is_told(name: str) -> None:
    told = json.loads(json.dumps(result(name).as_json()))
    assert {"model", "model_hash", "constants", "versions", "method"} <= told.keys()
    assert told["model"] == result(name).mechanism.model.title
    assert all(isinstance(value, float) for value in told["constants"].values())


@each
def test_it_is_written_and_read_back(name: str, tmp_path: Path) -> None:
    one = result(name)
    one.save(tmp_path / "run.nc")
    with xr.open_dataset(tmp_path / "run.nc", engine="scipy") as found:
        for of, variable in one.data.data_vars.items():
            if variable.size:
                np.testing.assert_array_equal(found[of], variable)
        assert json.loads(found.attrs["provenance"]) == json.loads(json.dumps(one.as_json()))
    with pytest.raises(FileError, match="expected a file name that ends in"):
        one.save(tmp_path / "run.txt")


@pytest.mark.parametrize("name", [name for name in RESULTS if name != "linearize"])
def test_a_table_has_a_column_for_each_entry(name: str, tmp_path: Path) -> None:
    one = result(name)
    one.save(tmp_path / "run.csv")
    table = pd.read_csv(tmp_path / "run.csv")
    assert [head.partition(" [")[0] for head in table.columns] == list(one.table().columns)
    assert len({*table.columns}) == len(table.columns)
    rows = [dim for dim in one.data.dims if one.data[dim].dtype.kind == "f"]
    entries = sum(
        int(np.prod([one.data.sizes[dim] for dim in variable.dims if dim not in rows]))
        for variable in one.data.data_vars.values()
    )
    assert table.shape == (int(np.prod([one.data.sizes[dim] for dim in rows])), len(rows) + entries)
    np.testing.assert_array_equal(table.to_numpy(), one.table().to_numpy())


@pytest.mark.exhaustive("constrained", "inverse")
@pytest.mark.few("constrained", "inverse", "along", "sweep")
@each
def test_it_can_be_drawn(name: str, tmp_path: Path) -> None:
    result(name).plot(tmp_path / "run.png")
    assert (tmp_path / "run.png").stat().st_size > 5000
    with pytest.raises(FileError, match="expected a file name that ends in"):
        result(name).plot(tmp_path / "run.doc")


@pytest.mark.parametrize("name", ["simulate", "inverse", "excite"])
@pytest.mark.parametrize("ending", [".csv", ".nc"])
def test_a_file_of_a_result_is_a_motion(name: str, ending: str, tmp_path: Path) -> None:
    one = result(name)
    path = tmp_path / f"run{ending}"
    one.save(path)
    motion = read_motion(path, one.mechanism.model)
    np.testing.assert_allclose(motion.data["coordinates"], one.data["coordinates"], atol=1e-14)


@pytest.mark.parametrize("name", ["simulate", "constrained", "inverse of two"])
def test_the_terms_are_in_balance(name: str) -> None:
    data = result(name).data
    terms = data["terms"]
    left = terms.sel(term=["inertia", "C", "G", "E"]).sum("term")
    right = terms.sel(term=[term for term in data["term"].values if term in TERMS[4:]]).sum("term")
    if "residual" in data:
        right = right + data["residual"]
    size = float(abs(terms).max())
    np.testing.assert_allclose(left, right, atol=1e-9 * size)


def test_a_result_can_what_its_arrays_can() -> None:
    run = simulated()
    assert run["coordinates"].equals(run.data["coordinates"])
    assert run.sel(time=0.1).equals(run.data.sel(time=0.1))
    assert repr(run).startswith("<Simulation of 'Two links")
    assert "(time: 31, coordinate: 2" in repr(run)
    with pytest.raises(AttributeError):
        run.no_such_thing  # noqa: B018


# ---------------------------------------------------------------------- arguments and options

CALLED_OTHERWISE = {
    "simulate": {"events": "stop_when", "progress": ""},
    "sweep": {"memory": "", "progress": "", "events": "stop_when", "muscles": "excite"},
    "inverse": {"noise": "noises", "progress": ""},
    "linearize": {},
    "equilibria": {},
    "excite": {"excitations": "excited", "activation": ""},
    "static_optimisation": {},
    "adopt": {"path": "output", "progress": ""},
    "survey": {"progress": ""},
    "generate": {},
    "derive": {"ring": ""},
}
"""The option that stands for an argument; nothing where only Python can say it."""
COMMANDS = {"equilibria": "linearize", "excite": "muscles", "static_optimisation": "muscles"}


@pytest.mark.parametrize("name", CALLED_OTHERWISE)
def test_the_command_line_can_what_the_package_can(name: str) -> None:
    options = {str(one.name) for one in main.commands[COMMANDS.get(name, name)].params}
    others = CALLED_OTHERWISE[name]
    taken = {others.get(one, one) for one in inspect.signature(getattr(freebody, name)).parameters}
    assert taken - options - {""} == set()


ORDER = (
    *("model", "motion", "over", "excitations", "duration", "step"),
    *("constants", "initial", "inputs", "engine", "method", "tolerance", "events"),
    *("max_drift", "max_residual", "unchecked", "backend", "memory", "progress"),
)


@pytest.mark.parametrize(
    "name", ["pydy_system", *(name for name in CALLED_OTHERWISE if name != "derive")]
)
def test_arguments_have_one_order_and_one_default(name: str) -> None:
    said = inspect.signature(getattr(freebody, name)).parameters
    known = [one for one in said if one in ORDER]
    assert known == sorted(known, key=ORDER.index)
    like = inspect.signature(freebody.simulate).parameters
    shared = [one for one in said if one in like and one not in ("step", "model", "progress")]
    assert {one: said[one].default for one in shared} == {one: like[one].default for one in shared}


def test_a_sweep_is_run_written_and_drawn(tmp_path: Path) -> None:
    files = {"-o": tmp_path / "runs.nc", "--plot": tmp_path / "runs.png"}
    options = [str(part) for pair in files.items() for part in pair]
    grid = ["--over", "m=1:2:3", "--over", "theta=0.1,0.2", "--duration", "0.5"]
    ran = CliRunner().invoke(main, ["sweep", "pendulum", *grid, *options])
    assert ran.exit_code == 0
    assert ran.stdout.startswith("6 motions by DOP853: 0 stopped, 0 off by more than 0.001")
    assert all(path.is_file() for path in files.values())
    with xr.open_dataset(files["-o"], engine="scipy") as data:
        assert data["m"].values.tolist() == [1.0, 1.5, 2.0]
    for wrong in ("m=1:2", "m=1:2:0", "m=1:2:x"):
        ran = CliRunner().invoke(main, ["sweep", "pendulum", "--over", wrong])
        assert ran.exit_code == 2
        assert "expected m=FROM:TO:COUNT or m=A,B,C" in ran.stderr


@pytest.mark.exhaustive
def test_a_simulation_is_read_from_its_file(tmp_path: Path) -> None:
    run = freebody.simulate("four_bar", 0.1, unchecked=True)
    run.save(tmp_path / "run.nc")
    again = freebody.Simulation.read(tmp_path / "run.nc", "four_bar")
    assert again.as_json() == json.loads(json.dumps(run.as_json()))
    assert again.energy_drift == run.energy_drift
    one = freebody.linearize("four_bar", along=run)
    other = freebody.linearize("four_bar", along=tmp_path / "run.nc")
    np.testing.assert_array_equal(one["A"], other["A"])
    files = ["-o", str(tmp_path / "matrices.csv"), "--plot", str(tmp_path / "matrices.png")]
    along = ["linearize", "four_bar", "--along", str(tmp_path / "run.nc"), *files]
    ran = CliRunner().invoke(main, along)
    assert ran.exit_code == 0
    assert "11 states from 0 to 0.1 s" in ran.stdout
    assert (tmp_path / "matrices.csv").is_file()


def test_a_file_that_holds_no_simulation_is_told(tmp_path: Path) -> None:
    inverted().save(tmp_path / "torques.nc")
    (tmp_path / "text.nc").write_text("time,theta")
    for name in ("torques.nc", "text.nc", "missing.nc"):
        with pytest.raises(freebody.MotionError, match="expected a simulation in a netCDF file"):
            freebody.linearize("pendulum", along=tmp_path / name)
