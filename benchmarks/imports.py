"""Imported models against the engines of their formats: worst errors at random states.

Pinocchio for URDF, MuJoCo for MJCF, OpenSim for .osim. Errors are relative to the largest entry of
what the engine gives at a state, those of lengths in m and of moment arms in m/rad (by differences
of the engine's lengths). Seconds are of the import, and of writing, proving and compiling all
terms. Coordinates of OpenSim are drawn within their ranges, the others and all speeds from -1 to 1.

Run with ``python benchmarks/imports.py FILE … --states 1000``; models are not shipped: they are in
Gepetto/example-robot-data, google-deepmind/dm_control, google-deepmind/mujoco_menagerie and
opensim-org/opensim-models. ``--floating`` lets the bases of URDF move.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import numpy as np

from freebody.errors import FreebodyError
from freebody.importing import Imported, import_model
from freebody.importing.description import valid
from imported import Array, MuJoCo, OpenSim, Ours, Pinocchio

MARGIN = 0.01
"""How far from the ends of its range a coordinate of OpenSim is drawn, in rad or m."""
SHARP = 1e-7
"""Muscles whose lengths differ by more, in m, are counted and not compared further."""


def states(imported: Imported, count: int, ranges: dict[str, Any]) -> Iterator[tuple[Array, Array]]:
    """Iterate over random states."""
    random, names = np.random.default_rng(0), list(imported.model.coordinates)
    for _ in range(count):
        q, u = random.uniform(-1, 1, (2, len(names)))
        for number, name in enumerate(names):
            if name in ranges:
                low, high = ranges[name]
                q[number] = np.clip(q[number], low + MARGIN, high - MARGIN)
        yield q, u


def worst(errors: dict[str, float], found: dict[str, Array], expected: dict[str, Array]) -> None:
    """Keep the worst errors."""
    for name, array in expected.items():
        size = max(float(np.abs(array).max(initial=0)), 1e-6)
        error = float(np.abs(found[name] - array).max(initial=0)) / size
        errors[name] = max(errors.get(name, 0.0), error)


def of_mujoco(file: Path) -> Any:
    """Return MuJoCo's model of a file, of pictures what there is."""
    import mujoco

    try:
        return mujoco.MjModel.from_xml_path(str(file))
    except ValueError:  # meshes that are not there
        spec = mujoco.MjSpec.from_file(str(file))
        for geom in list(spec.geoms):
            geom.material = ""
            if geom.type == mujoco.mjtGeom.mjGEOM_MESH:
                spec.delete(geom)
        for group in (spec.skins, spec.meshes, spec.materials, spec.textures, spec.keys):
            for one in list(group):
                spec.delete(one)
        return spec.compile()


def mujoco_terms(file: Path, ours: Ours) -> Any:
    """Return what gives MuJoCo's terms, of controls in the order of the model."""
    model = of_mujoco(file)
    names = [model.actuator(number).name for number in range(model.nu)]
    places = {valid(name or f"ctrl_{number}"): number for number, name in enumerate(names)}
    engine = MuJoCo(model)

    def terms(q: Array, u: Array, inputs: Array) -> dict[str, Array]:
        control = np.zeros(model.nu)
        for name, value in zip(ours.inputs, inputs, strict=True):
            place = places.get(name, places.get(name.removeprefix("ctrl_")))
            control[place if place is not None else ours.inputs.index(name)] = value
        return engine.terms(q, u, control)

    return terms


def robot(file: Path, imported: Imported, count: int, floating: bool) -> dict[str, float]:
    """Return the worst errors of a model of URDF or MJCF."""
    ours, random, errors = Ours(imported, "c"), np.random.default_rng(1), dict[str, float]()
    if imported.format == "URDF":
        terms = Pinocchio(file, imported, floating).terms
    else:
        terms = mujoco_terms(file, ours)
    for q, u in states(imported, count, {}):
        inputs = random.uniform(-1, 1, len(ours.inputs))
        worst(errors, ours.terms(q, u, inputs), terms(q, u, inputs))
    return errors


def body(file: Path, imported: Imported, count: int) -> dict[str, float]:
    """Return the worst errors of a model of OpenSim."""
    engine, errors = OpenSim(file, list(imported.model.coordinates)), dict[str, float]()
    ours = Ours(imported, "c")
    ranges = {k: (c.getRangeMin(), c.getRangeMax()) for k, c in engine.coordinates.items()}
    known = [muscle.name for muscle in imported.model.muscles]
    pairs = [(known.index(one), k) for k, one in enumerate(engine.paths) if one in known]
    mine, theirs = np.array(pairs, dtype=int).reshape(-1, 2).T
    sharp = np.ones(len(mine), dtype=bool)
    for number, (q, u) in enumerate(states(imported, count, ranges)):
        inputs = np.zeros(len(ours.inputs))
        found, expected = ours.terms(q, u, inputs), engine.terms(q, u)
        if "accelerations" in expected:
            found["accelerations"] = np.linalg.solve(found["mass_matrix"], -found["bias"])
        worst(errors, found, expected)
        if len(mine):
            off = np.abs(ours.functions.muscle_lengths(q)[mine] - engine.lengths(q)[theirs])
            sharp &= off < SHARP
            errors["lengths"] = max(errors.get("lengths", 0.0), *off[sharp], 0.0)
        if len(mine) and number < 3:
            arms = ours.functions.moment_arms(q)[:, mine] - engine.arms(q)[:, theirs]
            errors["arms"] = max(errors.get("arms", 0.0), float(np.abs(arms[:, sharp]).max()))
    errors["muscles that differ"] = float(np.sum(~sharp))
    return errors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", type=Path, nargs="+", help=".urdf, .xml, .osim")
    parser.add_argument("--states", type=int, default=20, help="how many random states")
    parser.add_argument("--floating", action="store_true", help="let the bases of URDF move")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    for file in asked.files:
        start = time.perf_counter()
        floating = asked.floating and file.suffix == ".urdf"
        try:
            imported = import_model(file, floating=floating)
            read = time.perf_counter() - start
            osim = imported.format == "OpenSim"
            errors = (
                body(file, imported, asked.states)
                if osim
                else robot(file, imported, asked.states, floating)
            )
        except FreebodyError as error:
            print(f"{file.name}: {str(error).splitlines()[0]}", flush=True)
            continue
        whole = time.perf_counter() - start - read
        told = ", ".join(f"{name} {value:.0e}" for name, value in errors.items())
        n = len(imported.model.coordinates)
        print(f"{file.name}: n = {n}, {read:.1f} + {whole:.0f} s: {told}", flush=True)


if __name__ == "__main__":
    main()
