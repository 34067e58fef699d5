"""The units that follow from what a page calls its letters: a mass, a length, a force."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from freebody.algebra.units import Dimension, M
from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.guesses.kinds import KINDS
from freebody.checking.guesses.prose_definitions import said_of
from freebody.documents.latex.page.page import Page

_MEASURED = frozenset(
    {"mass", "length", "inertia", "gravity", "angle", "force", "moment", "kinetic", "potential"}
)
"""Kinds whose words say what a letter is measured in."""
_OF_SEVERAL = frozenset({"M", "coordinate", "coordinates", "velocity", "speed"})
"""Kinds of which some are measured otherwise, though other words for them are the same."""
_PLACES, _PLACED = frozenset("xyz"), frozenset({"position", "position vector", "coordinate"})
"""Letters for coordinates of points, with what these are called."""
_LOOSE = re.compile(
    r"generali[sz]|verallgemein|généralis|uogóln|обобщ|广义|一般化|\bor\b|\boder\b|\bou\b|\bo\b|/"
)
"""Words by which a letter may be measured in something else too."""


def called_units(page: Page, keys: Iterable[str]) -> Iterator[tuple[str, Dimension, str]]:
    """Iterate over letters of which a page says without doubt what they are.

    Parameters
    ----------
    page : Page
    keys : iterable of str
        The letters that are looked for.

    Yields
    ------
    key : str
    dimension : Dimension
    words : str
        What the page calls it.
    """
    for key, said in said_of(page.text, keys).items():
        told = {one.kinds for one in said}
        kinds = told.pop() if len(told) == 1 else frozenset[str]()
        if SymbolShape.of(key).letter in _PLACES and kinds & KINDS.keys() <= _PLACED:
            measured = {M} if kinds & _PLACED else set[Dimension]()
        else:
            measured = {one for kind in kinds & _MEASURED for one in KINDS[kind][1]}
            measured = measured if kinds.isdisjoint(_OF_SEVERAL) else set()
        if len(measured) == 1 and not any(_LOOSE.search(one.phrase) for one in said):
            yield key, measured.pop(), said[0].phrase


def called_otherwise(page: Page, units: Mapping[str, Dimension]) -> Iterator[str]:
    """Iterate over letters that are called what is not measured in the unit stated of them.

    Such as the moment m beside the mass m of a table.

    Parameters
    ----------
    page : Page
    units : mapping of str to Dimension
        What is stated of letters.
    """
    for key, said in said_of(page.text, units).items():
        told = [one.kinds & _MEASURED for one in said if not _LOOSE.search(one.phrase)]
        measured = [{one for kind in kinds for one in KINDS[kind][1]} for kinds in told if kinds]
        if any(units[key] not in one for one in measured):
            yield key
