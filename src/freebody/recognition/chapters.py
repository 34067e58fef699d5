"""Pages about several mechanisms: a model for each chapter that is about another one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.introduced import bare
from freebody.consistency.energy_names import KINETIC, LAGRANGIANS
from freebody.consistency.letters import INDEXED, NUMBERED, is_vector
from freebody.consistency.statement import Statement
from freebody.consistency.statements import read_statements
from freebody.documents import Document
from freebody.documents.headings import Chapter, chapters
from freebody.documents.latex.tree import Name
from freebody.recognition.page_numbers import with_page_numbers
from freebody.recognition.recognise import Recognition, recognise
from freebody.recognition.recognised import Recognised

MOST_CHAPTERS = 8
"""So many chapters of a page are looked at."""
ACCELERATION = 2
"""Of which order a rate is."""


@dataclass(frozen=True, eq=False)
class ChapterModel:
    """A chapter of a page with the model that it is about.

    Attributes
    ----------
    chapter : Chapter
    document : Document
        It alone, its equations called as on the page.
    found : Recognised
    """

    chapter: Chapter
    document: Document
    found: Recognised


@dataclass(frozen=True, eq=False)
class PageRecognition:
    """What a page is about.

    Attributes
    ----------
    document : Document
        The page, or the first chapter of it where each is about a mechanism of its own.
    whole : Recognition
        The models that fit that.
    chapters : tuple of ChapterModel
        The chapters that are about other mechanisms.
    """

    document: Document
    whole: Recognition
    chapters: tuple[ChapterModel, ...]


def recognise_page(
    document: Document,
    models: str | Path | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> PageRecognition:
    """Find the models that a page may be about: one of all of it, or more of its chapters.

    Parameters
    ----------
    document : Document
        The page; no symbols of it need be known. One that names sections is taken as a whole.
    models : str or Path, optional
        A folder with models of one's own, which are tried with the shipped ones.
    say : callable, optional
        Is told what is done.

    Raises
    ------
    ModelError
        If the folder has no models.
    """
    found = _recognised(document, models, say)
    first, *others = found.whole.models or (None,)
    if first is None:
        return found
    whole = replace(found.whole, models=(with_page_numbers(first), *others))
    told = (replace(one, found=with_page_numbers(one.found)) for one in found.chapters)
    return replace(found, whole=whole, chapters=tuple(told))


def _recognised(
    document: Document, models: str | Path | None, say: Callable[[str], None]
) -> PageRecognition:
    parts = [] if document.front.sections else _chapters(document)
    if _are_apart(parts):
        told = tuple(_told(parts, None, models, say))
        if len(told) > 1:
            return _first_of(told)
    whole = recognise(document, models, say)
    known = next(iter(whole.models), None)
    told = tuple(_told(parts, known, models, say))
    if told and not known:
        return _first_of(told)
    return PageRecognition(document, whole, told)


def _first_of(told: tuple[ChapterModel, ...]) -> PageRecognition:
    return PageRecognition(told[0].document, Recognition((told[0].found,)), told[1:])


@dataclass(frozen=True, eq=False)
class _Part:
    """A chapter, with the letters that it has accelerations of, and in which equations.

    Beside them those that these equations have at all.
    """

    chapter: Chapter
    document: Document
    accelerated: frozenset[str]
    moved: frozenset[str]
    printed: frozenset[str]


def _chapters(document: Document) -> list[_Part]:
    """Return the chapters of a page that have accelerations, or energies, if several have."""
    page = document.with_running_text.page
    moving = {one: {*_accelerated(one)} for one in read_statements(page).all}
    places = {
        one: one.relation.span.start for one, keys in moving.items() if keys or _is_energy(one)
    }
    parts = []
    for chapter in chapters(page, places.values())[:MOST_CHAPTERS]:
        inside = [one for one, place in places.items() if chapter.holds(place)]
        parts.append(
            _Part(
                chapter,
                document.part(chapter.heading.start, chapter.stop),
                frozenset[str]().union(*(moving[one] for one in inside)),
                frozenset(one.label for one in inside),
                frozenset[str]().union(*(one.keys for one in inside if moving[one])),
            )
        )
    return parts


def _accelerated(statement: Statement) -> Iterator[str]:
    """Iterate over the letters that an equation has accelerations of, or that are turning rates."""
    for key, orders in statement.orders.items():
        is_turning = SymbolShape.of(key).letter.lower() == "omega"
        if ACCELERATION in orders or (is_turning and 1 in orders):
            yield key


def _is_energy(statement: Statement) -> bool:
    """Return whether an equation says what a kinetic energy or a Lagrangian with rates is."""
    left = statement.relation.left
    is_named = isinstance(left, Name) and bare(left.key) in (*KINETIC, *LAGRANGIANS)
    return is_named and any(1 in orders for orders in statement.orders.values())


def _are_apart(parts: Sequence[_Part]) -> bool:
    """Return whether chapters have accelerations of letters each that others have not.

    Letters with marks are scaled, or turned, or those of vectors. Chapters of which each has in its
    equations of motion what the other accelerates are of one mechanism.
    """
    if any(map(_are_coupled, parts, parts[1:])):
        return False
    sets = {frozenset(map(_plain, one.accelerated)) for one in parts}
    return sum(not any(one < other for other in sets) for one in sets) > 1


def _are_coupled(one: _Part, other: _Part) -> bool:
    """Return whether two chapters have the equations of each other's coordinates."""
    apart = not one.accelerated & other.accelerated
    return apart and all(
        first.accelerated and first.accelerated <= second.printed
        for first, second in ((one, other), (other, one))
    )


def _plain(key: str) -> str:
    """Return a letter with the numbers below it, and nothing else."""
    looks = SymbolShape.of(key)
    return "_".join((looks.letter, *map(str, looks.numbers)))


def _told(
    parts: Iterable[_Part],
    known: Recognised | None,
    models: str | Path | None,
    say: Callable[[str], None],
) -> Iterator[ChapterModel]:
    """Iterate over the chapters that tell models, of which each is of another mechanism.

    Those are left in which equations hold in a model that is known of the page.
    """
    told = [known] if known else []
    for part in parts:
        if known and not part.moved.isdisjoint(known.fits):
            continue
        say(f"looking at '{part.chapter.heading.title}'")
        inside = recognise(part.document, models, say, is_printed_right=True)
        found = next(iter(inside.models), None)
        is_whole = found is not None and bool(found.fits) and _is_whole(found, part)
        if found and is_whole and all(_is_another(found, one) for one in told):
            told.append(found)
            yield ChapterModel(part.chapter, part.document, found)


def _is_whole(found: Recognised, part: _Part) -> bool:
    """Return whether a model moves all that is accelerated in a chapter, and no column is.

    What has an index that runs stands for any number of others.
    """
    motion, coordinates = found.motion, {*found.system.coordinates}
    columns = {
        key
        for key, known in motion.meanings.definitions.items()
        if not all(one.grid.is_scalar for one in known)
    }
    columns |= {match[1] for match in map(NUMBERED.fullmatch, coordinates) if match}
    known = coordinates | motion.rates.keys() | motion.driven | columns
    is_moved = all(key in known or is_vector(key) for key in part.accelerated)
    return is_moved and not any(map(INDEXED.fullmatch, coordinates))


def _is_another(one: Recognised, other: Recognised) -> bool:
    """Return whether a model has coordinates that another has not.

    With the same ones it is most often the same mechanism: solved, for small angles or in general.
    """
    return not {*one.system.coordinates} <= {*other.system.coordinates}
