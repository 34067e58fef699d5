"""Straight-line code written as text: the same for all languages but for their syntax."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from freebody.graph.code import Code, Operands, Variable
from freebody.graph.operations import NUMBER, as_float

INFIX: Mapping[str, tuple[str, int]] = {
    "lt": ("<", 0),
    "le": ("<=", 0),
    "gt": (">", 0),
    "ge": (">=", 0),
    "add": ("+", 1),
    "sub": ("-", 1),
    "mul": ("*", 2),
    "div": ("/", 2),
}
"""Operations that stand between their operands, and how strongly they bind."""
SIGN = 2
ATOM = 4
LONGEST = 60
"""A longer expression has a line of its own."""
IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Syntax:
    """How a language writes operations.

    Attributes
    ----------
    call : str
        How a function is called, such as ``"np.{name}({operands})"``.
    templates : mapping of str to str
        What is written otherwise, by operation, with ``{0}`` for the first operand.
    signs : mapping of str to str
        What stands between operands, where that is not as in Python.
    repeated : frozenset of str
        The operations whose template has an operand twice: that operand has a name.
    reserved : frozenset of str
        Names that a variable cannot have.
    reserved_form : re.Pattern, optional
        What more of them look like.
    """

    call: str
    templates: Mapping[str, str] = field(default_factory=dict)
    signs: Mapping[str, str] = field(default_factory=dict)
    repeated: frozenset[str] = frozenset()
    reserved: frozenset[str] = frozenset()
    reserved_form: re.Pattern[str] | None = None

    def reserves(self, name: str) -> bool:
        """Return whether a variable cannot have a name."""
        form = self.reserved_form
        return name in self.reserved or bool(form and form.fullmatch(name))


@dataclass(frozen=True)
class RenderedCode:
    """Code as text: assignments of names, and the entries of the output."""

    assignments: tuple[tuple[str, str], ...]
    results: tuple[str, ...]


def identifiers(names: Sequence[str], syntax: Syntax) -> tuple[str, ...]:
    """Return names that a language can have, each different from the others.

    Parameters
    ----------
    names : sequence of str
        Of the model, in order.
    syntax : Syntax
        Whose words are avoided.

    Returns
    -------
    tuple of str

    Raises
    ------
    ValueError
        If a name is no identifier: those of a model are.

    Examples
    --------
    >>> identifiers(["l", "int", "int_"], Syntax("", reserved=frozenset({"int"})))
    ('l', 'int_', 'int__')
    """
    known: dict[str, None] = {}
    for name in names:
        if not IDENTIFIER.fullmatch(name):
            raise ValueError(f"expected an identifier, found '{name}'")
        while name in known or syntax.reserves(name):
            name += "_"
        known[name] = None
    return tuple(known)


def render(code: Code, syntax: Syntax, names: Sequence[str], first: int = 0) -> RenderedCode:
    """Return the text of code.

    Parameters
    ----------
    code : Code
    syntax : Syntax
    names : sequence of str
        Of the entries of the arguments.
    first : int, optional
        The number of the first variable.

    Examples
    --------
    >>> from freebody.graph.code import Variable
    >>> arguments = {"q": (Variable("x"), Variable("y"))}
    >>> steps = (("add", 0, 1), ("sin", 2), ("mul", 3, 2))
    >>> render(Code("f", "", arguments, (), steps, (4,)), Syntax("{name}({operands})"), ["x", "y"])
    RenderedCode(assignments=(('z0', 'x + y'),), results=('sin(z0)*z0',))
    """
    writer = _Writer(code, syntax, names, first)
    return RenderedCode(tuple(writer.assignments()), tuple(writer.results()))


class _Writer:
    """Writes steps; what is used once and short stands where it is used."""

    def __init__(self, code: Code, syntax: Syntax, names: Sequence[str], first: int) -> None:
        self.code, self.syntax = code, syntax
        self.texts = [(name, ATOM) for name in names]
        self._prefix = _prefix(names)
        self._count = first
        self._twice = {
            used
            for _, operation, operands in code.numbered()
            if operation in syntax.repeated
            for used in operands
        }

    def assignments(self) -> Iterator[tuple[str, str]]:
        for value, operation, operands in self.code.numbered():
            text, binding = self._step(operation, operands)
            if operation != NUMBER and self._named(value, text):
                name = f"{self._prefix}{self._count}"
                self._count += 1
                yield name, text
                text, binding = name, ATOM
            self.texts.append((text, binding))

    def results(self) -> Iterator[str]:
        return (self.texts[value][0] for value in self.code.results)

    def _named(self, value: int, text: str) -> bool:
        used = self.code.uses[value]
        return used > 1 or value in self._twice or len(text) > LONGEST

    def _step(self, operation: str, operands: Operands) -> tuple[str, int]:
        if operation == NUMBER:
            return _number(as_float(operands[0]))
        if operation in INFIX:
            return self._infix(operation, operands)
        if operation == "neg":
            return f"-{self._bound(operands[0], SIGN + 1)}", SIGN
        parts = [self.texts[value][0] for value in operands]
        template = self.syntax.templates.get(operation)
        if template is not None:
            return template.format(*parts), ATOM
        return self.syntax.call.format(name=operation, operands=", ".join(parts)), ATOM

    def _infix(self, operation: str, operands: Operands) -> tuple[str, int]:
        sign, binding = INFIX[operation]
        sign = self.syntax.signs.get(operation, sign)
        left, right = operands
        space = "" if operation in ("mul", "div") else " "
        after = self._bound(right, binding + 1)
        return f"{self._bound(left, binding)}{space}{sign}{space}{after}", binding

    def _bound(self, value: int, least: int) -> str:
        """Return the text of a value, in parentheses where it binds less than its place."""
        text, binding = self.texts[value]
        return text if binding >= least else f"({text})"


def _number(value: float) -> tuple[str, int]:
    return repr(value), (ATOM if value >= 0 else SIGN)


def _prefix(names: Sequence[str]) -> str:
    """Return a letter, or a few, that no name consists of together with a number."""
    prefix = "z"
    while any(re.fullmatch(rf"{prefix}\d+", name) for name in names):
        prefix += "z"
    return prefix


# ------------------------------------------------------------------ header

GROUPS = {
    "t": "time",
    "q": "generalized coordinates",
    "u": "generalized speeds",
    "a": "derivatives of the generalized speeds",
    "inputs": "inputs",
    "multipliers": "forces of the constraints",
    "constants": "constants",
}


def describe_arguments(code: Code, first: int = 0) -> Iterator[str]:
    """Iterate over lines that say what the arguments and the result are.

    Parameters
    ----------
    code : Code
    first : int, optional
        From where entries are counted.
    """
    for group, entries in code.arguments.items():
        many = " (s)" if group == "t" else f", {len(entries)}"
        yield f"{group}: {GROUPS.get(group, group)}{many}"
        if group != "t":
            yield from (
                f"    [{place}] {_describe(entry)}" for place, entry in enumerate(entries, first)
            )
    yield f"result: {code.name}, {_shaped(code.shape)}"
    yield f"{code.operations} operations"


def _describe(entry: Variable) -> str:
    unit = f" ({entry.unit})" if entry.unit else ""
    title = f": {entry.title}" if entry.title else ""
    value = f" = {entry.value}" if entry.value else ""
    source = f"; {entry.source}" if entry.source else ""
    return " ".join(f"{entry.name}{unit}{value}{title}{source}".split())


def _shaped(shape: tuple[int, ...]) -> str:
    if not shape:
        return "a number"
    rows = ", row by row" if len(shape) > 1 else ""
    return f"{' x '.join(map(str, shape))} numbers{rows}"
