"""Straight-line code in plain data: what every backend reads, and what the cache keeps.

It is what an output needs of a graph. A value is a number that counts: the arguments come first,
then one value for each step. A step is an operation on values before it, or a number, kept exactly.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain, count
from typing import Any

from freebody.errors import CodeError
from freebody.graph.operations import NUMBER, OPERATIONS, PI, as_float

HOISTED = "parameters"
"""The group of what depends on constants alone, see `Code.hoisted`."""

Operands = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Variable:
    """An argument, or an entry of one: its name in the model, what it is, and its unit.

    Its value is told where one is known; it is no part of what is computed.
    """

    name: str
    title: str = ""
    unit: str = ""
    source: str = ""
    value: str = ""


@dataclass(frozen=True)
class Code:
    """Straight-line code of one output.

    Attributes
    ----------
    name : str
        Of the output.
    title : str
        What it is, in words.
    arguments : dict of str to tuple of Variable
        By group, in the order in which they are given.
    shape : tuple of int
        Of the output.
    steps : tuple of tuple
        An operation and its operands, or ``("number", value)`` with a fraction or ``"pi"``.
    results : tuple of int
        The values that are the entries of the output, row by row.
    """

    name: str
    title: str
    arguments: dict[str, tuple[Variable, ...]]
    shape: tuple[int, ...]
    steps: tuple[Operands, ...]
    results: tuple[int, ...]

    @cached_property
    def entries(self) -> tuple[Variable, ...]:
        """All entries of the arguments, in order."""
        return tuple(chain.from_iterable(self.arguments.values()))

    @property
    def operations(self) -> int:
        """How many operations it takes, besides those of numbers alone."""
        moving = set(range(len(self.entries)))
        moving.update(
            value
            for value, operation, operands in self.numbered()
            if operation != NUMBER and not moving.isdisjoint(operands)
        )
        return len(moving) - len(self.entries)

    def numbered(self) -> Iterator[tuple[int, str, Operands]]:
        """Iterate over the values of the steps, with their operations and operands.

        Yields
        ------
        value : int
            The number of the value: arguments come first.
        operation : str
        operands : tuple
            Numbers of values, or the number itself of ``number``.
        """
        for value, step in enumerate(self.steps, len(self.entries)):
            yield value, step[0], step[1:]

    @property
    def numbers(self) -> list[float]:
        """The numbers in it."""
        return [
            as_float(*operands) for _, operation, operands in self.numbered() if operation == NUMBER
        ]

    @cached_property
    def uses(self) -> list[int]:
        """How often each value is used, by steps and results."""
        counts = [0] * (len(self.entries) + len(self.steps))
        operands = (used for _, operation, used in self.numbered() if operation != NUMBER)
        for used in chain(self.results, *operands):
            counts[used] += 1
        return counts

    @property
    def used(self) -> Iterator[tuple[int, str, int]]:
        """The entries of arguments that anything uses: place among all, group, and place in it."""
        groups = self.arguments.items()
        flat = ((group, own) for group, entries in groups for own in range(len(entries)))
        for place, (group, own) in enumerate(flat):
            if self.uses[place]:
                yield place, group, own

    def needed(self, group: str) -> list[str]:
        """Return the names of the entries of a group of arguments that anything uses."""
        return [self.entries[place].name for place, own, _ in self.used if own == group]

    # ------------------------------------------------------------------ parts of it

    def hoisted(self) -> tuple[Code, Code]:
        """Return what depends on constants alone, and the rest with that as ``parameters``.

        Returns
        -------
        before : Code
            Of the constants, whose output are the parameters.
        after : Code
            With ``parameters`` as its last argument, instead of the constants.

        Examples
        --------
        >>> t, l = (Variable(name) for name in "tl")
        >>> steps = (("mul", 1, 1), ("sin", 0), ("mul", 2, 3))
        >>> code = Code("f", "", {"t": (t,), "constants": (l,)}, (), steps, (4,))
        >>> before, after = code.hoisted()
        >>> before.steps, after.steps, list(after.arguments)
        ((('mul', 0, 0),), (('sin', 0), ('mul', 1, 2)), ['t', 'parameters'])
        """
        fixed = self._fixed()
        crossing = tuple(dict.fromkeys(value for value in self._crossing(fixed) if value in fixed))
        constants = self.arguments.get("constants", ())
        own = {place: number for number, place in enumerate(self._places("constants"))}
        before = self._part({"constants": constants}, own, crossing)
        moving = {name: group for name, group in self.arguments.items() if name != "constants"}
        places = [*chain.from_iterable(map(self._places, moving)), *crossing]
        known = tuple(Variable(self._named(value)) for value in crossing)
        after = self._part(
            {**moving, HOISTED: known}, dict(zip(places, count(), strict=False)), self.results
        )
        return replace(before, shape=(len(crossing),)), after

    def given(self, group: str, numbers: Sequence[float]) -> Code:
        """Return the same with numbers for a group of arguments.

        Examples
        --------
        >>> arguments = {"q": (Variable("x"),), "constants": (Variable("l"),)}
        >>> code = Code("f", "", arguments, (), (("mul", 0, 1),), (2,))
        >>> code.given("constants", [3.0]).steps
        (('number', Fraction(3, 1)), ('mul', 0, 1))
        """
        arguments = {name: entries for name, entries in self.arguments.items() if name != group}
        places = [*chain.from_iterable(map(self._places, arguments)), *self._places(group)]
        known = dict(zip(places, count(), strict=False))
        return self._part(arguments, known, self.results, [(NUMBER, Fraction(x)) for x in numbers])

    def is_zero(self, value: int) -> bool:
        """Return whether a value is the number zero."""
        first = len(self.entries)
        return self._is_number(value) and self.steps[value - first][1] == 0

    def only(self, results: Sequence[int], shape: tuple[int, ...]) -> Code:
        """Return what works out some of the entries of the output, in a shape of their own."""
        known = {place: place for place in range(len(self.entries))}
        return replace(self._part(self.arguments, known, tuple(results)), shape=shape)

    def _part(
        self,
        arguments: Mapping[str, tuple[Variable, ...]],
        known: Mapping[int, int],
        results: tuple[int, ...],
        first: Sequence[Operands] = (),
    ) -> Code:
        """Return the steps that some results need, in other arguments.

        Parameters
        ----------
        arguments : mapping of str to tuple of Variable
        known : mapping of int to int
            Where values stand there that are not to be worked out.
        results : tuple of int
        first : sequence of tuple, optional
            The steps before these.
        """
        size, places = sum(map(len, arguments.values())), dict(known)
        needed, steps = self._needed(results, known), list(first)
        for value, operation, operands in self.numbered():
            if value in needed:
                places[value] = size + len(steps)
                used = operands if operation == NUMBER else [places[i] for i in operands]
                steps.append((operation, *used))
        ends = tuple(places[value] for value in results)
        return replace(self, arguments=dict(arguments), steps=tuple(steps), results=ends)

    def _needed(self, results: Iterable[int], known: Mapping[int, int]) -> set[int]:
        """Return the values that results need, besides those that are known."""
        needed = set(results) - known.keys()
        for value, operation, operands in reversed(list(self.numbered())):
            if value in needed and operation != NUMBER:
                needed.update(used for used in operands if used not in known)
        return needed

    def _places(self, group: str) -> range:
        """Return the values of a group of arguments."""
        names = list(self.arguments)
        if group not in names:
            return range(0)
        start = sum(len(self.arguments[name]) for name in names[: names.index(group)])
        return range(start, start + len(self.arguments[group]))

    def _named(self, value: int) -> str:
        return self.entries[value].name if value < len(self.entries) else f"h{value}"

    def _fixed(self) -> set[int]:
        """Return the values that depend on constants alone."""
        fixed = set(self._places("constants"))
        for value, operation, operands in self.numbered():
            if operation == NUMBER or fixed.issuperset(operands):
                fixed.add(value)
        return fixed

    def _crossing(self, fixed: set[int]) -> Iterator[int]:
        """Iterate over what the rest uses, or gives, but for numbers."""
        for value, operation, operands in self.numbered():
            if value not in fixed and operation != NUMBER:
                yield from (used for used in operands if not self._is_number(used))
        yield from (value for value in self.results if not self._is_number(value))

    def _is_number(self, value: int) -> bool:
        first = len(self.entries)
        return value >= first and self.steps[value - first][0] == NUMBER

    # ------------------------------------------------------------------ text

    def dumps(self) -> str:
        """Return it as JSON."""
        groups = {
            name: [[entry.name, entry.title, entry.unit, entry.source] for entry in group]
            for name, group in self.arguments.items()
        }
        data = (self.name, self.title, groups, self.shape, self.steps, self.results)
        return json.dumps(data, separators=(",", ":"), default=str)  # of fractions

    @classmethod
    def loads(cls, text: str) -> Code:
        """Read what `dumps` wrote.

        Raises
        ------
        CodeError
            If the text is anything else.
        """
        try:
            name, title, groups, shape, steps, results = json.loads(text)
            arguments = {
                str(group): tuple(Variable(*map(str, entry)) for entry in entries)
                for group, entries in groups.items()
            }
            whole = _steps(steps), tuple(results)
            code = cls(str(name), str(title), arguments, tuple(shape), *whole)
        except (ValueError, TypeError, AttributeError, ZeroDivisionError) as error:
            raise CodeError(f"expected straight-line code, found something else: {error}") from None
        code._expect_ordered()
        return code

    def _expect_ordered(self) -> None:
        """See that every step uses only what comes before it."""
        count = len(self.entries)
        for value, operation, operands in self.numbered():
            if operation != NUMBER and not all(_before(used, value) for used in operands):
                raise CodeError(f"value {value} uses one that does not come before it")
        if not all(_before(used, count + len(self.steps)) for used in self.results):
            raise CodeError("a result is no value")


def _before(used: Any, value: int) -> bool:
    return type(used) is int and 0 <= used < value


def _steps(data: Any) -> tuple[Operands, ...]:
    return tuple(_step(*step) for step in data)


def _step(operation: str, *operands: Any) -> Operands:
    if operation == NUMBER:
        (value,) = operands
        if not isinstance(value, str):
            raise CodeError(f"expected a number as text, found {value!r}")
        return operation, PI if value == PI else Fraction(value)
    if OPERATIONS.get(operation) != len(operands):
        raise CodeError(f"there is no operation '{operation}' of {len(operands)} values")
    return operation, *operands
