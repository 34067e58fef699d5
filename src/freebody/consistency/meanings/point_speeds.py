r"""What ``v_1`` is on a page that prints where point 1 is, and nothing of ``v_1`` but energies.

``T = \tfrac12 m_1 v_1^2`` beside ``x_1 = l\sin\theta`` and ``y_1 = -l\cos\theta`` has the speed of
that point: the page does not say so, and every reader takes it so.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from freebody.checking.introduced import bare
from freebody.consistency.letters import Letter, bare_of_font
from freebody.consistency.meanings.views import Definition
from freebody.consistency.statement import Statement
from freebody.documents.latex.tree import Multiply, Name, Node, Number, Power, Term, Transpose, walk

_SPEED = re.compile(r"[vV](?:_\{?(\d)\}?)?")
_OF_SOME = re.compile(r"[vV]_\{?(\w+)\}?")
_MASS = re.compile(r"[mM](?:_.+)?")
_AXES = ("x", "y", "z")


def point_speeds(
    statements: Sequence[Statement],
    definitions: Mapping[str, Sequence[Definition]],
    moving: Collection[str],
) -> Iterator[tuple[Letter, list[Letter], Statement]]:
    """Iterate over the speeds in the energies of a page, each with its components.

    These are printed, ``v_{ax}`` and ``v_{ay}`` of ``v_a``, or rates of coordinates of its point.

    Parameters
    ----------
    statements : sequence of Statement
    definitions : mapping of str to sequence of Definition
        What letters of the page stand for.
    moving : collection of str
        The letters that move.

    Yields
    ------
    tuple of Letter, list of Letter and Statement
        The speed, its components along axes at right angles, and the equation with the energy.
    """
    keys = sorted(frozenset[str]().union(*(one.keys for one in statements)) & {*moving})
    seen = set[str]()
    for statement in statements:
        for node in walk(statement.relation.left, statement.relation.right):
            key = _squared_beside_a_mass(node)
            if not key or key in definitions or key in moving or key in seen:
                continue
            seen.add(key)
            found = _SPEED.fullmatch(bare_of_font(key))
            if parts := _components(key, definitions):
                yield Letter(key, 0), [Letter(one, 0) for one in parts], statement
            elif found and (places := places_of(found[1], keys, definitions)):
                yield Letter(key, 0), [Letter(one, 1) for one in places], statement


def _squared_beside_a_mass(node: Node | Term) -> str:
    """Return the letter in half a mass times its square; nothing of any other product."""
    if not isinstance(node, Multiply):
        return ""
    names = [one for one in node.factors if any(isinstance(part, Name) for part in walk(one))]
    match names:
        case [Name(key=mass, dots=0), Power(base=Name(key=key, dots=0), exponent=Number(value=2))]:
            pass
        case [Name(key=mass, dots=0), Transpose(node=Name(key=key)), Name(key=other)] if (
            key == other
        ):
            pass
        case _:
            return ""
    return bare(key) if _MASS.fullmatch(bare_of_font(mass)) else ""


def _components(key: str, definitions: Mapping[str, Sequence[Definition]]) -> list[str]:
    """Return the components of a speed of which the page says what they are, at least two."""
    of = _OF_SOME.fullmatch(key)
    own = re.escape(of[1]) if of else ""
    found = list[str]()
    for axis in _AXES:
        below = re.compile(rf"{key[0]}_\{{?(?:{own},?\s?{axis}|{axis},?\s?{own})\}}?")
        found += [one for one in definitions if own and below.fullmatch(one)][:1]
    return found if len(found) > 1 else []


def places_of(
    number: str | None, keys: Sequence[str], definitions: Mapping[str, Sequence[Definition]]
) -> list[str]:
    """Return the coordinates of a point: ``x_1`` and ``y_1``, or ``P_{1,x}`` and ``P_{1,y}``.

    Without a number those that the page tells by others: else x is a coordinate itself.
    """
    if number is None:
        plain = [axis for axis in _AXES if axis in keys and axis in definitions]
        return plain if len(plain) > 1 else []
    own = [key for axis in _AXES for key in keys if re.fullmatch(rf"{axis}_\{{?{number}\}}?", key)]
    if own:
        return own
    of_stems: dict[str, list[str]] = {}
    for axis in _AXES:
        below = re.compile(rf"([A-Za-z])_\{{(?:{number},?\s?{axis}|{axis},?\s?{number})\}}")
        for key in keys:
            if key in definitions and (match := below.fullmatch(key)):
                of_stems.setdefault(match[1], []).append(key)
    return next((found for found in of_stems.values() if len(found) > 1), [])
