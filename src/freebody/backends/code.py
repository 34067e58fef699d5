"""Straight-line code in plain data: what every backend reads, and what the cache keeps.

A value is a number that counts: the arguments come first, then one value for each step. A step is
an operation on values before it, or a literal.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

from freebody.errors import FreebodyError

OPERATIONS: Mapping[str, int] = {
    **dict.fromkeys(("add", "sub", "mul", "div", "pow", "atan2", "min", "max"), 2),
    **dict.fromkeys(("lt", "le", "gt", "ge"), 2),
    **dict.fromkeys(("neg", "sqrt", "abs", "sign", "exp", "log"), 1),
    **dict.fromkeys(("sin", "cos", "tan", "asin", "acos", "atan"), 1),
    **dict.fromkeys(("sinh", "cosh", "tanh"), 1),
    "select": 3,
}
"""How many operands each operation takes; ``select`` takes a comparison and two values."""

LITERAL = "number"
HOISTED = "parameters"
"""The group of what depends on constants alone, see `Code.hoisted`."""

Operands = tuple[Any, ...]


class CodeError(FreebodyError):
    """Text that is not straight-line code."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """An argument, or an entry of one: its name in the model, what it is, and its unit."""

    name: str
    title: str = ""
    unit: str = ""
    source: str = ""


@dataclass(frozen=True)
class Code:
    """Straight-line code of one output.

    Attributes
    ----------
    name : str
        Of the output.
    title : str
        What it is, in words.
    arguments : dict of str to tuple of Quantity
        By group, in the order in which they are given.
    shape : tuple of int
        Of the output.
    steps : tuple of tuple
        An operation and its operands, or ``("number", value)``.
    results : tuple of int
        The values that are the entries of the output, row by row.
    """

    name: str
    title: str
    arguments: dict[str, tuple[Quantity, ...]]
    shape: tuple[int, ...]
    steps: tuple[Operands, ...]
    results: tuple[int, ...]

    @cached_property
    def entries(self) -> tuple[Quantity, ...]:
        """All entries of the arguments, in order."""
        return tuple(chain.from_iterable(self.arguments.values()))

    @property
    def operations(self) -> int:
        """How many operations it takes."""
        return sum(step[0] != LITERAL for step in self.steps)

    def numbered(self) -> Iterator[tuple[int, str, Operands]]:
        """Iterate over the values of the steps, with their operations and operands."""
        for value, (operation, *operands) in enumerate(self.steps, len(self.entries)):
            yield value, operation, tuple(operands)

    @cached_property
    def uses(self) -> list[int]:
        """How often each value is used, by steps and results."""
        counts = [0] * (len(self.entries) + len(self.steps))
        operands = (used for _, operation, used in self.numbered() if operation != LITERAL)
        for used in chain(self.results, *operands):
            counts[used] += 1
        return counts

    @property
    def used(self) -> Iterator[tuple[int, str, int]]:
        """The entries of arguments that anything uses: place among all, group, and place in it."""
        groups = self.arguments.items()
        flat = ((group, number) for group, entries in groups for number in range(len(entries)))
        for place, (group, number) in enumerate(flat):
            if self.uses[place]:
                yield place, group, number

    def needed(self, group: str) -> list[str]:
        """Return the names of the entries of a group of arguments that anything uses."""
        return [self.entries[place].name for place, own, _ in self.used if own == group]

    # ------------------------------------------------------------------ hoisting

    def hoisted(self) -> tuple[Code, Code]:
        """Return what depends on constants alone, and the rest with that as ``parameters``.

        Examples
        --------
        >>> t, l = (Quantity(name) for name in "tl")
        >>> steps = (("mul", 1, 1), ("sin", 0), ("mul", 2, 3))
        >>> code = Code("f", "", {"t": (t,), "constants": (l,)}, (), steps, (4,))
        >>> before, after = code.hoisted()
        >>> before.steps, after.steps, list(after.arguments)
        ((('mul', 0, 0),), (('sin', 0), ('mul', 1, 2)), ['t', 'parameters'])
        """
        fixed = self._fixed()
        needed = dict.fromkeys(value for value in self._crossing(fixed) if value in fixed)
        groups = {name: group for name, group in self.arguments.items() if name != "constants"}
        ours = {"constants": self.arguments.get("constants", ())}
        before = self._part(ours, fixed, {}, tuple(needed))
        known = [Quantity(self._named(value)) for value in needed]
        rest = {value for value, *_ in self.numbered() if value not in fixed}
        after = self._part({**groups, HOISTED: tuple(known)}, rest, needed, self.results)
        return replace(before, shape=(len(needed),)), after

    def given(self, group: str, numbers: Sequence[float]) -> Code:
        """Return the same with numbers for a group of arguments.

        Examples
        --------
        >>> arguments = {"q": (Quantity("x"),), "constants": (Quantity("l"),)}
        >>> code = Code("f", "", arguments, (), (("mul", 0, 1),), (2,))
        >>> code.given("constants", [3.0]).steps
        (('number', 3.0), ('mul', 0, 1))
        """
        start, size = self._first(group), len(self.arguments[group])
        first = len(self.entries) - size
        places = [*range(start), *range(first, len(self.entries)), *range(start, first)]
        number = [*places, *range(len(self.entries), len(self.entries) + len(self.steps))]
        steps: list[Operands] = [(LITERAL, float(value)) for value in numbers]
        for operation, *operands in self.steps:
            literal = operation == LITERAL
            steps.append((operation, *(operands if literal else [number[i] for i in operands])))
        arguments = {name: entries for name, entries in self.arguments.items() if name != group}
        results = tuple(number[value] for value in self.results)
        return replace(self, arguments=arguments, steps=tuple(steps), results=results).pruned()

    def _named(self, value: int) -> str:
        return self.entries[value].name if value < len(self.entries) else f"h{value}"

    def _fixed(self) -> set[int]:
        """Return the values that depend on constants alone, literals of the rest left out."""
        start = sum(len(self.arguments[name]) for name in self.arguments if name != "constants")
        fixed = set(range(start, len(self.entries)))
        for value, operation, operands in self.numbered():
            if operation == LITERAL or fixed.issuperset(operands):
                fixed.add(value)
        return fixed

    def _crossing(self, fixed: set[int]) -> Iterator[int]:
        """Iterate over what the rest uses, or gives, of its own arguments and what is fixed."""
        for value, operation, operands in self.numbered():
            if value not in fixed and operation != LITERAL:
                yield from (used for used in operands if not self._literal(used))
        yield from (value for value in self.results if not self._literal(value))

    def _literal(self, value: int) -> bool:
        first = len(self.entries)
        return value >= first and self.steps[value - first][0] == LITERAL

    def _part(
        self,
        arguments: dict[str, tuple[Quantity, ...]],
        values: set[int],
        given: Iterable[int],
        results: tuple[int, ...],
    ) -> Code:
        """Return the steps of some values, in arguments and in what is given besides."""
        number: dict[int, int] = {}
        for name, group in self.arguments.items():
            if name in arguments:
                first = self._first(name)
                number |= {first + i: len(number) + i for i in range(len(group))}
        for value in given:
            number[value] = len(number)
        count, steps = len(number), list[Operands]()
        for value, operation, operands in self.numbered():
            if (value in values or operation == LITERAL) and value not in number:
                literal = operation == LITERAL
                steps.append((operation, *(operands if literal else map(number.get, operands))))
                number[value] = count + len(steps) - 1
        ends = tuple(number[value] for value in results)
        return Code(self.name, self.title, arguments, self.shape, tuple(steps), ends).pruned()

    def _first(self, group: str) -> int:
        names = list(self.arguments)
        return sum(len(self.arguments[name]) for name in names[: names.index(group)])

    def pruned(self) -> Code:
        """Return the same without steps that no result needs."""
        first, needed = len(self.entries), set(self.results)
        for value, operation, operands in reversed(list(self.numbered())):
            if value in needed and operation != LITERAL:
                needed.update(operands)
        number = {value: value for value in range(first)}
        steps: list[Operands] = []
        for value, operation, operands in self.numbered():
            if value in needed:
                number[value] = first + len(steps)
                literal = operation == LITERAL
                steps.append((operation, *(operands if literal else map(number.get, operands))))
        results = tuple(number[value] for value in self.results)
        return replace(self, steps=tuple(steps), results=results)

    # ------------------------------------------------------------------ text

    def dumps(self) -> str:
        """Return it as JSON."""
        groups = {
            name: [[entry.name, entry.title, entry.unit, entry.source] for entry in group]
            for name, group in self.arguments.items()
        }
        data = (self.name, self.title, groups, self.shape, self.steps, self.results)
        return json.dumps(data, separators=(",", ":"))

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
                str(group): tuple(Quantity(*map(str, entry)) for entry in entries)
                for group, entries in groups.items()
            }
            whole = _steps(steps), tuple(results)
            code = cls(str(name), str(title), arguments, tuple(shape), *whole)
        except (ValueError, TypeError, AttributeError) as error:
            raise CodeError(f"expected straight-line code, found something else: {error}") from None
        code._expect_ordered()
        return code

    def _expect_ordered(self) -> None:
        """See that every step uses only what comes before it."""
        count = len(self.entries)
        for value, operation, operands in self.numbered():
            if operation != LITERAL and not all(_before(used, value) for used in operands):
                raise CodeError(f"value {value} uses one that does not come before it")
        if not all(_before(used, count + len(self.steps)) for used in self.results):
            raise CodeError("a result is no value")


def _before(used: Any, value: int) -> bool:
    return type(used) is int and 0 <= used < value


def _steps(data: Any) -> tuple[Operands, ...]:
    steps = tuple(map(tuple, data))
    for operation, *operands in steps:
        if operation == LITERAL:
            if len(operands) != 1 or type(operands[0]) is not float:
                raise CodeError(f"expected one number, found {operands}")
        elif OPERATIONS.get(operation) != len(operands):
            raise CodeError(f"there is no operation '{operation}' of {len(operands)} values")
    return steps
