"""Whether the expressions in a model make sense: their names, their dimensions, their values."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import combinations, islice, pairwise
from typing import Any, Self

import mpmath
import sympy

from freebody.algebra.expressions import calls, references
from freebody.algebra.tables import Tabulated
from freebody.algebra.units import Dimension, DimensionError, S, dimension, dimension_of
from freebody.errors import ExpressionError, Problem, nearest
from freebody.model.impacts import Touch
from freebody.model.joints import JointBase, Move
from freebody.model.loads import Holonomic, Nonholonomic
from freebody.model.marks import CONSTANTS, Entry, Kind, Marked, Quantity, by_joint, marked
from freebody.model.muscles import Surface
from freebody.model.names import TIME, Names, evaluated, number
from freebody.model.parts import Constant, Prescribed, Speed
from freebody.model.schema import Model

DIGITS = 60
PLACES = [mpmath.mpf(number) / 8 + mpmath.mpf("0.013") for number in range(-32, 33)]
"""Where along a variable a zero is looked for, in SI units."""
TRIES = 3
"""With how many values of the other variables."""
STEPS = (mpmath.mpf(10) ** -12, mpmath.mpf(10) ** -10)
JUMP = mpmath.mpf(10) ** -6
"""What differs on both sides of a corner by less than this part does not jump."""
LARGER = 3
"""What grows by more than this factor, a hundred times as close to a corner, has no bound."""


def corner(expr: Any, known: dict[Any, float | None]) -> str | None:
    """Return what would jump in a motion at a corner of an expression, if anything would.

    Parameters
    ----------
    expr : sympy.Expr
        Of symbols.
    known : dict of sympy.Symbol to float or None
        The constants, with their values as far as they have any.
    """
    turning = list(dict.fromkeys(_turning(expr)))
    if not turning:
        return None
    draws = random.Random(0)  # noqa: S311 - not for secrets
    constants = {symbol: known.get(symbol) or draws.uniform(0.5, 1.5) for symbol in known}
    moving = sorted(expr.free_symbols - constants.keys(), key=str)
    with mpmath.workdps(DIGITS):
        for _ in range(TRIES):
            others = {symbol: draws.uniform(-1, 1) for symbol in moving}
            for symbol in moving:
                line = _Line(symbol, {**constants, **others})
                for message in (line.corner_message(expr, one) for one in turning):
                    if message:
                        return message
    return None


def _turning(expr: Any) -> Iterator[Any]:
    """Iterate over what has a corner where it is zero."""
    for part in sympy.preorder_traversal(expr):
        match part:
            case sympy.Abs() | sympy.sign():
                yield part.args[0]
            case sympy.Max() | sympy.Min():
                yield from (x - y for x, y in combinations(part.args, 2))
            case sympy.Pow() if part.exp.is_Rational and not part.exp.is_Integer:
                yield part.base
            case Tabulated():
                yield from (part.args[0] - place for place in part.corners())


class _Line:
    """A line along a variable, with the others at some values."""

    def __init__(self, symbol: Any, values: dict[Any, float]) -> None:
        self._symbol, self._values = symbol, values

    def corner_message(self, expr: Any, turning: Any) -> str | None:
        for place in self._zeros(turning):
            if told := self._at(expr, place):
                return told
        return None

    def _value(self, expr: Any, place: Any) -> Any:
        """Return a value, or none where it is not real."""
        at = {**self._values, self._symbol: sympy.Float(place, DIGITS)}
        value = sympy.sympify(expr, strict=True).evalf(DIGITS, subs=at)
        return mpmath.mpf(value) if value.is_Float or value.is_Rational else None

    def _zeros(self, turning: Any) -> Iterator[Any]:
        if self._symbol not in turning.free_symbols:
            return
        values = [self._value(turning, place) for place in PLACES]
        for (start, first), (end, last) in pairwise(zip(PLACES, values, strict=True)):
            if first is not None and last is not None and first * last < 0:
                yield self._bisected(turning, start, end, first)
        yield from self._touching(turning)

    def _bisected(self, expr: Any, start: Any, end: Any, first: Any) -> Any:
        for _ in range(3 * DIGITS):
            middle = (start + end) / 2
            value = self._value(expr, middle)
            start, end = (
                (middle, end) if value is not None and value * first > 0 else (start, middle)
            )
        return (start + end) / 2

    def _touching(self, turning: Any) -> Iterator[Any]:
        """Iterate over zeros between two places at which the slope changes its sign."""
        slope = turning.diff(self._symbol)
        slopes = [self._value(slope, place) for place in PLACES]
        for (start, first), (end, last) in pairwise(zip(PLACES, slopes, strict=True)):
            if first is not None and last is not None and first * last < 0:
                place = self._bisected(slope, start, end, first)
                value = self._value(turning, place)
                if value is not None and abs(value) < STEPS[0] ** 2:
                    yield place

    def _at(self, expr: Any, place: Any) -> str | None:
        sides = [self._slopes(expr, place, side * step) for step in STEPS for side in (-1, 1)]
        known = [side for side in sides if side is not None]
        if len(known) < len(sides):
            return None  # an end of where it is defined
        before, after, *away = known
        size = 1 + max(abs(part) for side in away for part in side)
        for what, first, last in zip(("position", "velocity"), before, after, strict=False):
            if abs(first - last) > JUMP * size:
                return f"the {what} would jump"
        pairs = zip((before[2], after[2]), (side[2] for side in away), strict=True)
        if all(abs(near) <= LARGER * max(1, abs(far)) for near, far in pairs):
            return None
        return "the acceleration would have no bound"

    def _slopes(self, expr: Any, place: Any, step: Any) -> tuple[Any, Any, Any] | None:
        """Return the value close to a place on one side of it, and two derivatives."""
        values = [self._value(expr, place + number * step) for number in (1, 2, 3)]
        if any(value is None for value in values):
            return None
        first, second, third = values
        return first, (second - first) / step, (third - 2 * second + first) / step**2


# ------------------------------------------------------------------ quantities

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
    yield from _numbers(model, sound)
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


def _numbers(model: Model, items: Iterable[Marked[Quantity]]) -> Iterator[Problem]:
    constants = {item.where: item.value for item in items if isinstance(item.entry, Constant)}
    values, wrong = evaluated(
        {name: constants.get(f"constants.{name}.value") for name in model.constants}
    )
    yield from (Problem(f"constants.{name}.value", message) for name, message in wrong.items())
    message: list[Entry] = []
    for item in items:
        followed = any(item.entry is entry for entry in message)
        if item.mark.uses == CONSTANTS and not isinstance(item.entry, Constant) and not followed:
            problem = _value(item, values)
            if problem is not None:
                message.append(item.entry)
                yield problem
    yield from _directions(model)
    yield from _ranges(model, values)
    yield from _inertias(model, values)
    yield from _restitutions(model, values)


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
            and scope.lost.isdisjoint(map(str, references(item.value)))
        ):
            expr = sympy.sympify(scope.names.read(item.value), strict=True)
            if jump := corner(scope.names.plain(expr), known):
                yield Problem(item.where, f"expected a smooth motion: of '{item.value}' {jump}")


def _inertias(model: Model, values: Mapping[str, float]) -> Iterator[Problem]:
    """Tell of inertia that no body has: its principal moments are those of no matter."""
    for index, body in enumerate(model.bodies):
        if not isinstance(body.inertia, tuple):
            continue
        parts = [
            _known(part, values) for part in (*body.inertia, *(body.products_of_inertia or ()))
        ]
        if None in parts:
            continue
        xx, yy, zz, xy, yz, zx = [*parts, 0, 0, 0][:6]
        tensor = mpmath.matrix([[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]])
        moments = [float(moment) for moment in mpmath.eigsy(tensor, eigvals_only=True)]
        least = 0 if body.unphysical else moments[2] - moments[1]
        if moments[0] < least - 1e-9 * moments[2]:
            principal = ", ".join(f"{moment:.4g}" for moment in moments)
            message = f"no body has the principal moments {principal}: none exceeds the others' sum"
            yield Problem(f"bodies[{index}].inertia", message)


def _restitutions(model: Model, values: Mapping[str, float]) -> Iterator[Problem]:
    """Tell of impacts that would make energy."""
    for index, impact in enumerate(model.impacts):
        found = _known(impact.restitution, values)
        if found is not None and found > 1:
            message = f"expected a value from 0 to 1, found {found:g}"
            yield Problem(f"impacts[{index}].restitution", message)


def _known(value: Any, values: Mapping[str, float]) -> float | None:
    try:
        return number(value, values)
    except ExpressionError:
        return None


def _value(item: Marked[Quantity], values: Mapping[str, float]) -> Problem | None:
    try:
        value = number(item.value, values)
    except ExpressionError as error:
        return Problem(item.where, str(error))
    below = 0 if item.mark.sign == "not negative" else math.ulp(0)
    as_such = item.mark.sign == "positive, or 0 as such" and item.value == 0
    if item.mark.sign == "any" or value is None or value >= below or as_such:
        return None
    sign = item.mark.sign.partition(",")[0]
    return Problem(item.where, f"expected a value that is {sign}, found {value:g}")


def _directions(model: Model) -> Iterator[Problem]:
    directions = {
        **{f"joints[{n}].axis": getattr(j, "axis", None) for n, j in enumerate(model.joints)},
        **{
            f"joints[{n}].motion[{k}].{'along' if move.about is None else 'about'}": move.axis
            for n, joint in enumerate(model.joints)
            for k, move in enumerate(getattr(joint, "motion", ()))
        },
        **{f"contacts[{n}].normal": contact.normal for n, contact in enumerate(model.contacts)},
        **{
            f"impacts[{n}].normal": impact.normal
            for n, impact in enumerate(model.impacts)
            if isinstance(impact, Touch)
        },
        **{
            f"muscles[{n}].path[{place}].axis": part.axis
            for n, muscle in enumerate(model.muscles)
            for place, part in enumerate(muscle.path or ())
            if isinstance(part, Surface) and part.axis is not None
        },
    }
    for where, direction in directions.items():
        if direction is not None and not any(direction):
            yield Problem(where, "expected a direction, found the zero vector")


def _ranges(model: Model, values: Mapping[str, float]) -> Iterator[Problem]:
    for index, stop in enumerate(model.stops):
        if stop.lower is None or stop.upper is None:
            continue
        try:
            lower, upper = number(stop.lower, values), number(stop.upper, values)
        except ExpressionError:  # told of the value itself
            continue
        if lower is not None and upper is not None and lower >= upper:
            message = f"expected a value above the lower end {lower:g}, found {upper:g}"
            yield Problem(f"stops[{index}].upper", message)
