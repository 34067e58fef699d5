"""Models of one rigid body, built from its velocities along its own axes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any, TypeVar

import sympy

from freebody.checking.grid import Grid
from freebody.checking.quantities.derived import Quantities
from freebody.consistency.letters import letters_of
from freebody.documents.document import Meaning
from freebody.errors import DerivationError, FreebodyError
from freebody.model.files import loads
from freebody.recognition.equations.page_motion import PageMotion, PageSystem
from freebody.recognition.equations.products import Moving, Row, row_of
from freebody.recognition.known.evidence import Evidence
from freebody.recognition.known.making import MOST_NAMED, BuiltModel, made_of
from freebody.recognition.layout import laid_out
from freebody.recognition.recognised import Recognised
from freebody.recognition.rigid_bodies.equations import SpeedEquations
from freebody.recognition.rigid_bodies.model_file import BodyFile
from freebody.recognition.rigid_bodies.newton_euler import NewtonEuler, Rotation
from freebody.recognition.rigid_bodies.plane import PlaneReader
from freebody.recognition.rigid_bodies.plane_file import PlaneFile
from freebody.recognition.rigid_bodies.space_file import SpaceFile
from freebody.recognition.rigid_bodies.turns import ANGLES

NAME = "built"
MOST_PRODUCTS = 2_000_000
"""Of terms, to find the equations of a body on a page."""
MOST_IN_PLANE = 4
"""Ways to understand a motion in a plane that are tried."""
_SEQUENCES = (("zyx", (2, 1, 0)), ("xyz", (0, 1, 2)), ("zxz", (0, 1, 2)), ("zxz", (2, 1, 0)))
"""About which axes a body turns one after another, and by which of these angles."""


_File = TypeVar("_File", bound=BodyFile)


def rigid_body(motion: PageMotion) -> Recognised | None:
    """Return the model of a rigid body that a page tells by Euler's and Newton's equations.

    Of those in space, or else in a plane, that which tells most of the page; None of another page.
    """
    equations = SpeedEquations(motion)
    for files in (_in_space(motion, equations), _in_plane(motion, equations)):
        with suppress(FreebodyError):  # a page may take too much work
            if best := _telling_most(motion, equations, files):
                return best[1]
    return None


def _telling_most(
    motion: PageMotion, equations: SpeedEquations, files: Iterable[_File]
) -> tuple[_File, Recognised] | None:
    """Return the file whose model tells most of a page, with it; the first that tells all."""
    best: tuple[_File, Recognised] | None = None
    for making in files:
        with suppress(FreebodyError, ZeroDivisionError):
            found = _built(motion, equations, making)
            if found and (best is None or _score(found) > _score(best[1])):
                best = making, found
            if found and not found.fails:
                break
    return best


def _score(found: Recognised) -> int:
    return len(found.fits) - len(found.fails)


def _in_space(motion: PageMotion, equations: SpeedEquations) -> Iterator[SpaceFile]:
    """Iterate over model files of a body in space, those first that say where it moves.

    In which sequence it turns the equations of how it turns tell alone.
    """
    reader = NewtonEuler(motion.letters, equations)
    with motion.letters.ring.budget.work(MOST_PRODUCTS):
        rotation = reader.rotation()
        translations = [*reader.translations(rotation)] if rotation else []
    turned = rotation and _telling_most(motion, equations, _turned(motion, equations, rotation))
    if turned:
        bare, _ = turned
        yield from (replace(bare, translation=one) for one in translations)
        yield replace(bare)  # a file is named once


def _turned(
    motion: PageMotion, equations: SpeedEquations, rotation: Rotation
) -> Iterator[SpaceFile]:
    """Iterate over model files with the angles of a page, in the sequences that are usual."""
    known = {one.key for row in equations.all for one in row.letters}
    angles = tuple(next((key for key in keys if key in known), "") for keys in ANGLES)
    is_by_rates = bool(rotation.speeds[0].dots)
    if is_by_rates:
        angles = tuple(one.key for one in rotation.speeds)
    for sequence, order in _SEQUENCES[: None if any(angles) and not is_by_rates else 1]:
        first, second, third = (angles[n] for n in order)
        turns = first, second, third
        yield SpaceFile(motion.letters, motion.functions, rotation, None, sequence, turns)


def _in_plane(motion: PageMotion, equations: SpeedEquations) -> Iterator[PlaneFile]:
    """Iterate over model files of a body in a plane."""
    with motion.letters.ring.budget.work(MOST_PRODUCTS):
        motions = [*islice(PlaneReader(motion.letters, equations).motions(), MOST_IN_PLANE)]
    for found in motions:
        yield PlaneFile(motion.letters, motion.functions, found)


def _built(motion: PageMotion, equations: SpeedEquations, making: BodyFile) -> Recognised | None:
    """Return the model of a file, where an equation holds in it that it was made of."""
    labels = tuple(dict.fromkeys(one.label for one in making.used))
    text = laid_out(making.data(f"A rigid body, built from {', '.join(labels[:MOST_NAMED])}"))
    model = loads(text, NAME)
    quantities = Quantities(model)
    system = _system(making, equations)
    evidence = Evidence(quantities, system, {**making.meanings(), **_rates(making)})
    fits, fails = evidence.labels()
    if {*fits}.isdisjoint(labels):
        return None
    held = {one.key for row in equations.all if row.label in fits for one in row.letters}
    own = {
        key: one
        for key, one in _symbols(making, equations, motion).items()
        if key in motion.meanings.keys and key not in {*making.open} - held
    }
    sure = frozenset(own) - equations.vectors.rotations
    made = BuiltModel(model, text, NAME, made_of(labels) + making.words, own, sure)
    return Recognised.of(made, evidence, motion, fits, fails)


def _symbols(making: BodyFile, equations: SpeedEquations, motion: PageMotion) -> dict[str, Meaning]:
    """Return what letters of the page stand for: those of columns and matrices too."""
    symbols: dict[str, Meaning] = {**making.meanings()}
    printed = dict(_constant_matrices(motion))
    for key, grid in {**printed, **equations.vectors.grids}.items():
        with suppress(DerivationError):  # of what is in no equation that the model is made of
            rows: list[Any] = [[making.text(entry) for entry in row] for row in grid.rows]
            symbols[key] = [row[0] for row in rows] if grid.shape[1] == 1 else rows
    return symbols


def _constant_matrices(motion: PageMotion) -> Iterator[tuple[str, Grid]]:
    """Iterate over the matrices that the page prints and that do not move, by their letters."""
    for key, said in motion.meanings.definitions.items():
        for grid in (one.grid for one in said[:1] if 1 not in one.grid.shape):
            inside = {
                one.key for form in grid.entries() for one in letters_of(motion.letters, form)
            }
            if inside.isdisjoint(motion.letters.moving):
                yield key, grid


def _rates(making: BodyFile) -> dict[str, str]:
    """Return what rates are that are speeds of the model, as letters of their own."""
    return {rf"\dot{{{one.key}}}": name for one, name in making.named_rates().items()}


def _system(making: BodyFile, equations: SpeedEquations) -> PageSystem:
    """Return the equations of the page in what moves in the model."""
    letters, names = making.letters, making.meanings()
    rated = {one.key: one.dots for one in making.named_rates()}
    every = [*dict.fromkeys(key for key in making.moving if key in names), *_rates(making)]
    numbers = {key: n for n, key in enumerate(every)}

    def named(atom: sympy.Expr) -> Moving | str | None:
        letter = letters.letter(atom)
        if letter is None:
            return str(atom) if atom.is_number else None
        if letter.dots >= rated.get(letter.key, letter.dots + 1):
            place = numbers[rf"\dot{{{letter.key}}}"]
            return Moving(place, letter.dots - rated[letter.key])
        if letter.key in numbers:
            return Moving(numbers[letter.key], letter.dots)
        return None if letter.dots else letter.key

    rows: dict[tuple[str, int], Row] = {}
    for one in equations.all:  # as it is printed first, then with what its letters stand for
        row = row_of(one.form, named, (one.label,))
        if row and row.products and row.letters <= names.keys():
            rows.setdefault((one.label, one.entry), row)
    is_angle = tuple(key in making.open for key in every)
    return PageSystem(tuple(every), is_angle, tuple(rows.values()))
