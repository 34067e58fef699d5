"""Pages recognised: which models fit, with what for what, and by which equations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

from freebody.algebra.units import dimension
from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.quantities.derived import Quantities
from freebody.consistency.letters import is_vector
from freebody.documents import Document
from freebody.documents.latex.tree import Call, Name, walk
from freebody.errors import FreebodyError, ModelError, Problem
from freebody.locating import FILE_NAME, shipped
from freebody.model import Model, load
from freebody.model.files import fingerprint
from freebody.recognition.building.built import (
    built,
    built_fuller,
    built_of_places,
    built_steered,
)
from freebody.recognition.building.page_units import ANGLES
from freebody.recognition.equations.page_motion import PageMotion, PageSystem
from freebody.recognition.equations.products import TURN, Row
from freebody.recognition.known.evidence import Evidence
from freebody.recognition.known.fits import Fit, fits
from freebody.recognition.known.making import made
from freebody.recognition.known.support import is_supported
from freebody.recognition.known.variations import MOST_COORDINATES, OpenModel
from freebody.recognition.recognised import Recognised
from freebody.recognition.rigid_bodies import rigid_body

FAMILIES = Path(__file__).parent / "known" / "families"
"""Mechanisms of textbooks, of which a page gets a model of its own."""
_OPENED: dict[str, OpenModel | None] = {}
"""Models that were opened before, which takes longer than a page."""
_LOADED: dict[tuple[Path, int], tuple[Model, str] | None] = {}
"""Model files that were read before, by when they were written."""
TRIED = frozenset({"sin", "cos", "tan", "sqrt", "sec", "csc", "cot"})
"""Functions that equations of motion of known models have."""
STAGES = ((0, False), (0, True), (2, False), (3, True))
"""How many products of an equation may differ, and whether for solved ones, one after another.

A sine that is wrong is two products: it is one of exponentials.
"""
MOST_BUILT = 4
"""Models that are built besides the first."""
MOST_TIMES = 3
"""How many times more equations may hold in a known model than in a larger one that is built."""
MOST_FITS = 4
"""Models that are told of."""


@dataclass(frozen=True, eq=False)
class Recognition:
    """What a page is about.

    Attributes
    ----------
    models : tuple of Recognised
        The likeliest first; none where none fits.
    reason : str
        Why none fits.
    """

    models: tuple[Recognised, ...]
    reason: str = ""


def recognise(
    document: Document,
    models: str | Path | None = None,
    say: Callable[[str], None] = lambda _: None,
    *,
    is_printed_right: bool = False,
) -> Recognition:
    """Find the models that a page may be about, by its equations of motion.

    Parameters
    ----------
    document : Document
        The page; no symbols of it need be known.
    models : str or Path, optional
        A folder with models of one's own, which are tried with the shipped ones.
    say : callable, optional
        Is told what is done.
    is_printed_right : bool, optional
        Whether equations of motion are taken as they are, and not for ones with misprints.

    Raises
    ------
    ModelError
        If the folder has no models.
    """
    motion = PageMotion(document.with_running_text.page)
    every = motion.systems  # before a body is looked for, which takes much of what a page may
    body = rigid_body(motion)
    rigid = () if body is None else (body,)
    own = _own(motion)
    if not every:
        found = _or_of_places(motion, rigid if own is None else (*rigid, own))
        return Recognition(found, "" if found else _nothing_to_hold(motion))
    least = len(own.system.coordinates) if own else 1
    systems = [one for one in every if len(one.coordinates) >= least]
    is_printed_right = is_printed_right or (own is not None and _tells_all(own, systems))
    known = _fitting(motion, systems, models, say, is_printed_right=is_printed_right)
    found = (*rigid, *known) if _is_first(rigid, known) else (*known, *rigid)
    if own is None:
        found = _or_of_places(motion, found)
        if not found and not is_printed_right:
            found = tuple(filter(None, [built_steered(motion)]))
        return Recognition(found, "" if found else _no_model_in_words(motion))
    is_first = not found or _tells_more(own, found[0])
    return Recognition((own, *found) if is_first else (*found, own))


def _or_of_places(motion: PageMotion, found: tuple[Recognised, ...]) -> tuple[Recognised, ...]:
    """Return models; where there are none that of the places which the page prints, if it does."""
    made = None if found else built_of_places(motion)
    return found if made is None else (made,)


def _own(motion: PageMotion) -> Recognised | None:
    """Return the model that is built from a page; of several that which tells most of its motion.

    Another may where the first has not all letters of the equations of motion: balances have
    reactions in them, which are no loads, and of energies a part may be said later. One with more
    letters in the same coordinates is that of which the other is a part.
    """
    models = built(motion)
    first = next(models, None)
    if first is None:
        return None
    if _has_all_letters(first):
        return first
    every = (first, *islice(models, MOST_BUILT))
    best = max(every, key=_count_of_motion)
    alike = (one for one in every if one.system.coordinates == best.system.coordinates)
    if whole := [one for one in alike if _has_all_letters(one)]:
        return max(whole, key=_count_of_motion)
    return max((best, *built_fuller(motion, best)), key=_count_of_rows)


def _has_all_letters(one: Recognised) -> bool:
    """Return whether a model has all letters of each equation of motion, in one way to say it."""
    rows = [row for row in one.system.rows if not (one.is_complete and row.is_derived)]
    told = {(label, row.entry) for row in rows if _is_told(row, one) for label in row.labels}
    return all((label, row.entry) in told for row in rows for label in row.labels)


def _is_told(row: Row, one: Recognised) -> bool:
    """Return whether a model has all letters of an equation."""
    return row.letters <= one.made.symbols.keys()


def _count_of_motion(one: Recognised) -> int:
    """Return how many equations of motion of a page hold in a model."""
    moved = {label for row in one.system.rows for label in row.labels}
    return len(moved.intersection(one.fits))


def _count_of_rows(one: Recognised) -> int:
    """Return how many rows of equations of motion hold in a model, at least where nothing acts."""
    held = one.undriven.union(one.fits)
    rows = (row for row in one.system.rows if _is_told(row, one))
    return sum(not held.isdisjoint(row.labels) for row in rows)


def _tells_all(own: Recognised, systems: Iterable[PageSystem]) -> bool:
    """Return whether all equations of motion of a page hold in a model: none has a misprint."""
    rows = (row for one in systems for row in one.rows)
    return not own.fails and all(not {*own.fits}.isdisjoint(row.labels) for row in rows)


def _tells_more(own: Recognised, known: Recognised) -> bool:
    """Return whether a model that is built from a page tells more of it than a known one."""
    sizes = [len(one.system.coordinates) for one in (own, known)]
    if sizes[0] != sizes[1]:
        return sizes[0] > sizes[1] and _is_first([own], [known])
    if {*own.system.coordinates} != {*known.system.coordinates}:
        return len(own.fits) >= len(known.fits)
    if len(own.fails) > len(known.fails) and len(own.fits) <= len(known.fits):
        return False
    if len(own.fails) == len(known.fails) and _count_of_motion(own) < _count_of_motion(known):
        return False
    if len(own.fails) < len(known.fails) or not {*own.fits} <= {*known.fits}:
        return True
    inside = {
        name.removeprefix(TURN) for row in known.system.rows for name in row.constants - row.factors
    }
    short = own.motion.meanings.definitions.keys()  # for what the known one may have letters of
    return bool(inside & own.made.symbols.keys() - known.made.symbols.keys() - short)


def _is_first(larger: Sequence[Recognised], known: Sequence[Recognised]) -> bool:
    """Return whether a model that is larger than a known one comes before it all the same."""
    counts = [max((len(one.fits) for one in models), default=0) for models in (larger, known)]
    return counts[1] <= MOST_TIMES * counts[0]


def _fitting(
    motion: PageMotion,
    systems: Iterable[PageSystem],
    models: str | Path | None,
    say: Callable[[str], None],
    *,
    is_printed_right: bool,
) -> tuple[Recognised, ...]:
    """Return the known models that fit, the likeliest first."""
    stages = [one for one in STAGES if not (is_printed_right and one[0])]
    known = list(_known(models))
    for system in systems:
        if any(map(is_vector, system.coordinates)) or motion.held & {*system.coordinates}:
            continue
        for misprints, solved in stages:
            found = list[Fit]()
            for opened in _of_size(known, system.is_angle):
                say(f"trying {opened.name}")
                tried = fits(system, opened, misprints=misprints, solved=solved)
                found += (one for one in tried if _is_fit(one))
            is_whole = misprints or is_printed_right
            completed = None if is_whole else partial(_completed, solved=solved)
            if best := tuple(_best(found, motion, completed)):
                return best
    return ()


def _nothing_to_hold(motion: PageMotion) -> str:
    if not motion.statements.all:
        return "it has no equations that can be read"
    if functions := sorted(_of_motion(motion)):
        called = ", ".join(functions)
        return f"its equations of motion have functions that no model is tried with: {called}"
    return "it has no equations of motion, and no Lagrangian, that can be read"


def _of_motion(motion: PageMotion) -> set[str]:
    """Return the functions, other than of angles, in equations with accelerations."""
    found = set[str]()
    for one in motion.statements.all:
        nodes = [*walk(one.relation.left), *walk(one.relation.right)]
        if any(isinstance(node, Name) and node.dots == 2 for node in nodes):
            found |= {node.function for node in nodes if isinstance(node, Call)}
    return found - TRIED


def _no_model_in_words(motion: PageMotion) -> str:
    sets = "; ".join(", ".join(one.coordinates) for one in motion.systems[:3])
    return f"no known model has such equations of motion in {sets}"


def _completed(fit: Fit, *, solved: bool) -> Fit:
    """Return a fit with the letters of other equations, which may have misprints."""
    inside = {
        name.removeprefix(TURN)
        for row in fit.system.rows
        if not row.is_derived
        for name in row.constants - row.factors
    }
    if inside <= fit.images.keys():
        return fit
    (misprints,) = (count for count, of_solved in STAGES if count and of_solved is solved)
    others = (
        one
        for one in fits(fit.system, fit.model, misprints=misprints, lost=misprints, solved=solved)
        if one.counting == fit.counting
        and {*fit.labels()} <= {*one.labels()}
        and fit.images.items() <= one.images.items()
        and one.near
    )
    return max((fit, *others), key=lambda one: len(one.images))


def _is_fit(fit: Fit) -> bool:
    """Return whether a fit says something of each coordinate.

    Without sines and cosines that is its acceleration: much else is linear in coordinates.
    """
    rows = (*fit.rows, *fit.near)
    places = [place for row in rows for place in row.by_place]
    reached = {one for row in rows for one in row.coordinates}
    if not any(place.turns for place in places):
        reached = {m.coordinate for place in places for m, _ in place.powers if m.dots == 2}
    is_likely = fit.score > 0 or fit.is_alike
    return len(reached) == len(fit.system.coordinates) and is_likely


def _best(
    found: Iterable[Fit], motion: PageMotion, completed: Callable[[Fit], Fit] | None
) -> Iterator[Recognised]:
    """Iterate over the models of the best fits, completed where that loses nothing.

    Of equals those come first on which more may act: no page says that a joint has no motor.
    """
    seen = set[str]()
    moved = {label for one in motion.motions if not one.is_derived for label in one.labels}
    for fit in sorted(found, key=lambda one: (-one.score, -len(one.model.model.inputs))):
        if fit.model.name in seen or len(seen) == MOST_FITS:
            continue
        seen.add(fit.model.name)
        one = _recognised(fit, motion)
        if one is None:
            continue
        fuller = completed(fit) if completed else fit
        other = None if fuller is fit else _recognised(fuller, motion)
        nearly = {label for row in fuller.near for label in row.labels}
        is_fuller = (
            other
            and {*one.fits} <= {*other.fits} | (nearly - moved)
            and {*other.fails} <= {*one.fails} | nearly
        )
        yield other if other and is_fuller else one


def _recognised(fit: Fit, motion: PageMotion) -> Recognised | None:
    """Return the model of a fit, with the equations that hold in it; None where none tells."""
    if _shifts_angles(fit, motion):
        return None
    try:
        result = made(fit)
        evidence = Evidence(Quantities(result.model), fit.system, result.symbols)
        holding, failing = evidence.labels()
    except FreebodyError:
        return None
    derived = (label for row in fit.rows if row.is_derived for label in row.labels)
    followed = (label for label in derived if label not in evidence.doubted)
    holding = tuple(dict.fromkeys((*holding, *followed)))
    alike = [label for row in fit.near for label in row.labels] if fit.is_alike else []
    failing = tuple(dict.fromkeys((*failing, *alike)))
    telling = {*holding, *evidence.undriven, *alike}
    if not (holding or alike) or not is_supported(motion, fit.system, result.symbols, telling):
        return None
    return Recognised.of(
        result, evidence, motion, holding, failing, alike=alike, source=fit.model.model.source
    )


def _shifts_angles(fit: Fit, motion: PageMotion) -> bool:
    """Return whether a model shifts what is an angle on the page: its linear equations are alike.

    By its sines, or by its letter.
    """
    return any(
        not fit.model.is_angle[place]
        and (key in motion.statements.angles or SymbolShape.of(key).letter in ANGLES)
        for key, place in zip(fit.system.coordinates, fit.counting.numbers, strict=True)
    )


# ---------------------------------------------------------------------- what is tried


def _known(models: str | Path | None) -> Iterator[tuple[str, Path]]:
    """Iterate over the models of a folder, the shipped ones, and those of textbooks, by name."""
    if models is not None:
        folder = Path(models)
        own = _files(folder)
        if not own:
            message = f"expected model files in it, or in folders in it as {FILE_NAME}"
            raise ModelError(str(folder), [Problem("", message)])
        for path in own:
            name = path.parent.name if path.name == FILE_NAME else path.stem
            yield name, path
    yield from ((name, folder / FILE_NAME) for name, folder in shipped().items())
    yield from ((path.stem, path) for path in sorted(FAMILIES.glob("*.toml")))


def _files(folder: Path) -> Sequence[Path]:
    """Return the model files in a folder, or one below."""
    return sorted({*folder.glob("*.toml"), *folder.glob(f"*/{FILE_NAME}")})


def _loaded(path: Path) -> tuple[Model, str] | None:
    """Return a model with its fingerprint, read again where its file changed; None of no model."""
    try:
        key = path, path.stat().st_mtime_ns
    except OSError:
        return None
    if key not in _LOADED:
        try:
            model = load(path)
            _LOADED[key] = model, fingerprint(model)
        except ModelError:
            _LOADED[key] = None
    return _LOADED[key]


def _of_size(known: Iterable[tuple[str, Path]], is_angle: Sequence[bool]) -> Iterator[OpenModel]:
    """Iterate over the models with so many coordinates and angles, with what may vary open."""
    count = len(is_angle)
    for name, path in known if count <= MOST_COORDINATES else ():
        loaded = _loaded(path)
        if loaded is None:
            continue
        model, key = loaded[0], f"{name} {loaded[1]}"
        units = [dimension(one.unit) for one in model.coordinates.values()]
        if len(units) != count or count - units.count(dimension("m")) < sum(is_angle):
            continue
        if key not in _OPENED:
            try:
                is_named = path.parent != FAMILIES
                _OPENED[key] = OpenModel(model, name, is_named=is_named)
            except FreebodyError:
                _OPENED[key] = None
        if opened := _OPENED[key]:
            yield opened
