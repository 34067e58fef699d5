"""Whether the expressions in a model make sense: their names and their dimensions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from typing import Any, Self

import sympy

from freebody.algebra.expressions import calls, references
from freebody.algebra.units import Dimension, DimensionError, S, dimension, dimension_of
from freebody.errors import ExpressionError, Problem, nearest
from freebody.model.corners import corner
from freebody.model.joints import JointBase, Move
from freebody.model.loads import Holonomic, Nonholonomic
from freebody.model.marks import CONSTANTS, Kind, Marked, Quantity, by_joint, marked
from freebody.model.names import TIME, Names, evaluated
from freebody.model.parts import Constant, Prescribed, Speed
from freebody.model.schema import Model
from freebody.model.values import numbers

MAX_PROBLEMS = 100
"""As many are enough to tell: looking for what was meant by thousands of names is slow."""

WORDS: Mapping[Kind, str] = {
    "coordinates": "a coordinate",
    "rates": "a rate",
    "speeds": "a speed",
    "prescribed": "a prescribed motion",
    "inputs": "an input",
    "constants": "a constant",
    "time": "the time",
    "measures": "a measure of a law",
}


@dataclass(frozen=True, slots=True)
class Scope:
    """What the names in the expressions of a model mean.

    Attributes
    ----------
    names : Names
    kinds : mapping of str to str
        Of each name that may stand in an expression.
    dimensions : mapping of sympy.Symbol to Dimension
        Of the same names, as `Names.plain` writes them.
    lost : frozenset of str
        Names that are declared, but wrongly: nothing is said of expressions with them.
    words : frozenset of str
        Names that entries which could not be read may use.
    """

    names: Names
    kinds: Mapping[str, Kind]
    dimensions: Mapping[Any, Dimension]
    lost: frozenset[str]
    words: frozenset[str]

    @classmethod
    def of(cls, model: Model, lost: frozenset[str], words: frozenset[str]) -> Self:
        """Return the scope of a model.

        Parameters
        ----------
        model : Model
        lost : frozenset of str
            Names that are declared, but wrongly: nothing is said of expressions with them.
        words : frozenset of str
            Names that entries which could not be read may use.
        """
        names = Names(model)
        kinds: dict[str, Kind] = {
            **dict.fromkeys(names.constants, "constants"),
            **dict.fromkeys(names.inputs, "inputs"),
            **dict.fromkeys(names.speeds, "speeds"),
            **dict.fromkeys(names.rates, "rates"),
            **dict.fromkeys(names.prescribed, "prescribed"),
            **dict.fromkeys(names.coordinates, "coordinates"),
            "t": "time",
        }
        dimensions = {names.plain(found): unit for found, unit in names.dimensions.items()}
        return cls(names, kinds, dimensions, lost, words)

    def allowed(self, mark: Quantity) -> list[str]:
        """Return the names that a field may use."""
        return [*mark.measures, *(name for name, kind in self.kinds.items() if kind in mark.uses)]


def quantities(model: Model, scope: Scope) -> Iterator[Problem]:
    """Iterate over what is wrong with the expressions of a model; see `review`."""
    items = list(marked(model, Quantity))
    problems = (problem for item in items for problem in _expression(item, model, scope))
    wrong = list(islice(problems, MAX_PROBLEMS))
    yield from wrong
    if len(wrong) == MAX_PROBLEMS:
        return
    yield from _unused(model, items, scope)
    yield from _uncalled(model, items, scope)
    wrong_places = {problem.where for problem in wrong}
    sound = [item for item in items if item.where not in wrong_places]
    yield from numbers(model, sound)
    yield from _corners(model, sound, scope)


def _expression(item: Marked[Quantity], model: Model, scope: Scope) -> Iterator[Problem]:
    try:
        used = dict.fromkeys(str(reference) for reference in references(item.value))
        wrong = [message for name in used if (message := _misplaced(name, item.mark, scope))]
        yield from (Problem(item.where, message) for message in wrong)
        if not wrong and scope.lost.isdisjoint(used):
            measures = {name: sympy.Symbol(name) for name in item.mark.measures}
            expr = scope.names.read(item.value, measures)
            _agree(expr, item, model, scope)
            _linear(expr, item, scope.names)
    except (ExpressionError, DimensionError) as error:
        yield Problem(item.where, str(error))


def _misplaced(name: str, mark: Quantity, scope: Scope) -> str | None:
    if name in mark.measures:
        if name not in scope.kinds:
            return None
        declared = WORDS[scope.kinds[name]]
        return f"'{name}' is what a law is written in, and {declared}; expected another name"
    if name in scope.lost:
        return None
    if name not in scope.kinds:
        return f"'{name}' is not declared{nearest(name, scope.allowed(mark))}"
    kind = scope.kinds[name]
    if kind in mark.uses:
        return None
    return f"expected only {' and '.join(sorted(mark.uses))}, but '{name}' is {WORDS[kind]}"


def _agree(expr: Any, item: Marked[Quantity], model: Model, scope: Scope) -> None:
    """See that an expression has the dimension of its place; a number is taken as in its unit."""
    unit = item.mark.unit(model, item.entry) if callable(item.mark.unit) else item.mark.unit
    known = {**scope.dimensions, **_measured(item, model)}
    if unit is None and not _has_factors(expr):
        unit = getattr(item.entry, "unit", None)
        seconds = {**known, TIME: dimension("1")}  # sin(t): a number, of so many seconds
        if unit and any(_is_in(unit, scope.names.plain(expr), one) for one in (known, seconds)):
            return
    if unit is None or expr.is_number:
        return
    found = dimension_of(scope.names.plain(expr), known)
    if unit != "any" and found != dimension(unit):
        raise DimensionError(f"expected a value in {unit}, but '{item.value}' is in {found}")


def _is_in(unit: str, expr: Any, known: Mapping[Any, Dimension]) -> bool:
    """Return whether an expression is in a unit, or a pure number, which is taken as in it."""
    try:
        return dimension_of(expr, known) in (dimension(unit), dimension("1"))
    except DimensionError:
        return False


def _has_factors(expr: Any) -> bool:
    """Return whether numbers other than exponents and signs are in an expression."""
    if expr.is_number:
        return bool(expr not in (-1, 1))
    parts = (expr.base,) if expr.is_Pow and expr.exp.is_number else expr.args
    return any(map(_has_factors, parts))


def _linear(expr: Any, item: Marked[Quantity], names: Names) -> None:
    """See that what defines or holds speeds is linear in them."""
    if not isinstance(item.entry, Speed | Nonholonomic):
        return
    moving = list(dict.fromkeys((*names.rates.values(), *names.speeds.values())))
    slopes = [sympy.sympify(expr).diff(speed) for speed in moving]
    if not any(slopes):
        raise ExpressionError(f"expected an expression of the speeds, found '{item.value}'")
    if any(sympy.expand(slope).has(*moving) for slope in slopes):
        raise ExpressionError(f"expected an expression linear in the speeds, found '{item.value}'")


def _measured(item: Marked[Quantity], model: Model) -> dict[Any, Dimension]:
    """Return the dimensions of what only a law is written in: a length or angle, and its rate."""
    turns = by_joint("rad", "m")(model, item.entry) == "rad" if item.mark.measures else False
    unit = dimension("rad" if turns else "m")
    symbols = map(sympy.Symbol, item.mark.measures)
    return dict(zip(symbols, (unit, unit / S), strict=False))


def unused_constants(model: Model) -> list[str]:
    """Return the constants that nothing in a model depends on, in declared order."""
    used, within = set(_in_events(model)), dict[str, set[str]]()
    for item in marked(model, Quantity):
        names = {str(reference) for reference in references(item.value)}
        if isinstance(item.entry, Constant):
            within[item.where.split(".")[1]] = names
        else:
            used |= names
    reached = _reached(used, within)
    return [name for name in model.constants if name not in reached]


def _in_events(model: Model) -> Iterator[str]:
    """Iterate over the words of the events in which impacts happen, which are read as they do."""
    for impact in model.impacts:
        for text in (impact.only, getattr(impact, "when", None)):
            yield from re.findall(r"[A-Za-z_]\w*", text or "")


def _unused(model: Model, items: Iterable[Marked[Quantity]], scope: Scope) -> Iterator[Problem]:
    known = scope.words | scope.lost
    joints, others, within = set(known), set(known), dict[str, set[str]]()
    for item in items:
        if isinstance(item.entry, Constant):
            within[item.where.split(".")[1]] = _uses(item, scope)
        else:
            others |= _uses(item, scope)
        if isinstance(item.entry, JointBase | Move):
            joints |= _uses(item, scope)
    used = _reached(others, within)
    for name in model.coordinates:
        if name not in joints:
            yield Problem(f"coordinates.{name}", "no joint moves with it")
    for name in model.prescribed:
        if used.isdisjoint((name, f"{name}_dot", f"{name}_ddot")):
            yield Problem(f"prescribed.{name}", "is not used")
    for name in model.inputs:
        if name not in used:
            yield Problem(f"inputs.{name}", "is not used")


def _uses(item: Marked[Quantity], scope: Scope) -> set[str]:
    """Return the names that an expression uses, and for a misspelt one the name that it means."""
    try:
        used = {str(reference) for reference in references(item.value)}
    except ExpressionError:
        used = set(re.findall(r"\w+", str(item.value)))
    allowed = scope.allowed(item.mark)
    misspelt = used - scope.kinds.keys()
    return used.union(*(get_close_matches(name, allowed, n=1) for name in misspelt))


def _uncalled(model: Model, items: Iterable[Marked[Quantity]], scope: Scope) -> Iterator[Problem]:
    called = scope.words.union(*map(_calls, items))
    for name in model.functions:
        if name not in called:
            yield Problem(f"functions.{name}", "is not used")


def _calls(item: Marked[Quantity]) -> frozenset[str]:
    try:
        return calls(item.value)
    except ExpressionError:
        return frozenset(re.findall(r"\w+", str(item.value)))


def _reached(start: set[str], within: Mapping[str, set[str]]) -> set[str]:
    reached, waiting = set(start), list(start)
    while waiting:
        new = within.get(waiting.pop(), set()) - reached
        reached |= new
        waiting += new
    return reached


def _corners(model: Model, items: Sequence[Marked[Quantity]], scope: Scope) -> Iterator[Problem]:
    """Tell of motions with a position or a velocity that jumps."""
    constants = {item.where: item.value for item in items if isinstance(item.entry, Constant)}
    values, _ = evaluated(
        {name: constants.get(f"constants.{name}.value") for name in model.constants}
    )
    known = {sympy.Symbol(name): values.get(name) for name in model.constants}
    for item in items:
        if (
            isinstance(item.entry, JointBase | Move | Holonomic | Prescribed)
            and item.mark.uses != CONSTANTS
            and "inputs" not in item.mark.uses  # a load may jump
            and scope.lost.isdisjoint(map(str, references(item.value)))
        ):
            expr = sympy.sympify(scope.names.read(item.value), strict=True)
            if jump := corner(scope.names.plain(expr), known):
                yield Problem(item.where, f"expected a smooth motion: of '{item.value}' {jump}")
