r"""The symbols that a page uses in its equations, read with nothing declared.

What a name is, is decided by its looks alone: ``\dot`` belongs to the letter below it, ``(t)`` is
a function of time, ``M(q)`` is a name where its arguments are coordinates, a small exponent is a
power.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from freebody.checking.introduced import begins
from freebody.checking.meaning.pairs import EQUALITIES
from freebody.documents.latex import Declared, Relation, Unreadable, read_page
from freebody.documents.latex.name_marks import name_marks
from freebody.documents.latex.names import FoundName, short
from freebody.documents.latex.page.page import Page
from freebody.documents.latex.spellings import DIFFERENCE, VARIATION, Spelling, plain
from freebody.documents.latex.tokens.items import UPRIGHT, Item, words
from freebody.documents.latex.tree import (
    Call,
    Matrix,
    Name,
    Node,
    Number,
    Partial,
    Term,
    children,
    is_zero,
    walk,
)

_WAVERING = frozenset({
    r"\alpha", r"\beta", r"\gamma", r"\delta", r"\epsilon", r"\varepsilon", r"\eta", r"\theta",
    r"\vartheta", r"\xi", r"\tau", r"\phi", r"\varphi", r"\psi", r"\omega", r"\Omega", r"\Theta",
    *"qxyzuvt",
})  # fmt: skip
"""Letters that stand for functions of time, as a rule."""
_LATER = re.compile(r"t[+-](?:\\[Dd]elta ?t|Δt|dt|T_\{s\}|h|1)")
"""A step of time later or earlier, at which a function has another value."""
_DELAYED = re.compile(r"t-(?!t\b|t_)\\?[A-Za-z]+(?:_(?:\w|\{\w+\}))?")
_PLACE = re.compile(
    r"(?:\\d*dot\{)*(?:\\(?:mathbf|boldsymbol|bm|vec)\{)?"
    r"(?:[qxyz]|\\(?:theta|vartheta|phi|varphi|psi))\}*"
)
"""What has another value so much before, unlike what is multiplied: ``\\omega(t - t_0)``."""
_COORDINATE = re.compile(
    r"(?:\\d*dot\{)*(?:\\(?:mathbf|boldsymbol|bm|vec|underline)\{)?"
    r"(?:[qurxyzsXY]|\\(?:alpha|beta|theta|vartheta|phi|varphi|psi|gamma|omega|rho|Theta|Phi))\}*"
    r"(?:_\{[^{}]*\})?\}*"
)
_FUNCTIONS = frozenset("fhncvgbpel")
_DENSITY = r"\rho"
_DISPLACEMENTS = frozenset("uxyz")
"""What the force of a spring is a function of: ``s(u)``."""
_LABELS = re.compile(
    r"[A-Z]{1,3}|[A-Za-z]{2,}|\\math(?:cal|scr)\{[A-Z]\}|(?:\{\}_?)?\(.*\)|\(+\w+\),\w+"
    r"|\*+|'+|[+-]|0\d+"
)
_TRANSPOSES = frozenset("TtH")
_FRAME = re.compile(r"[a-z]\d")
"""What stands above a matrix of which it names the axes, and is no power: ``R_{v1}^{v2}``."""


@dataclass(frozen=True, slots=True)
class UsedSymbol:
    """A symbol that a page uses.

    Attributes
    ----------
    key : str
        As a document would declare it.
    label : str
        The equation in which it occurs first.
    place : str
        Where that stands.
    count : int
        In how many equations it occurs.
    words : str
        What the page calls it; empty where it does not, or that was not looked for.
    formula : str
        By which the page defines it, if it does: that stands for the words where there are none.
    """

    key: str
    label: str
    place: str
    count: int
    words: str = ""
    formula: str = ""


@dataclass(frozen=True, eq=False, slots=True)
class SymbolEquation:
    """A printed equation with the symbols that it holds."""

    relation: Relation
    keys: tuple[str, ...]

    @property
    def label(self) -> str:
        """What it is called on the page."""
        return self.relation.label

    @property
    def tells(self) -> bool:
        """Whether it may say anything of its symbols; one that states a value does not."""
        sides = self.relation.left, self.relation.right
        states = {type(side) for side in sides} == {Name, Number} or begins(self.relation)
        return self.relation.relation in EQUALITIES and not states

    def is_small(self, turning: frozenset[str]) -> bool:
        """Return whether it is of small motions: an angle of the page stands in it as it is."""
        waiting: list[Node | Term] = [self.relation.left, self.relation.right]
        while waiting:
            node = waiting.pop()
            if isinstance(node, Name) and node.key in turning and not node.dots:
                return True
            if isinstance(node, Partial):
                waiting.append(node.node)
            elif not isinstance(node, Call | Matrix):
                waiting += children(node)
        return False

    @property
    def gives_number(self) -> bool:
        """Whether one of its sides is a number, and not zero: of one arm, and not of the model."""
        sides = self.relation.left, self.relation.right
        return any(
            not is_zero(side) and not any(isinstance(node, Name) for node in walk(side))
            for side in sides
        )

    @property
    def readings(self) -> tuple[Relation, ...]:
        """The ways to read it that use no other symbols."""
        others = (one for one in self.relation.others if {*_keys(one)} <= {*self.keys})
        return (self.relation, *others)


@dataclass(frozen=True, slots=True)
class PageSymbols:
    """The equations of a page, its symbols in the order they occur, and what cannot be read."""

    equations: tuple[SymbolEquation, ...]
    symbols: tuple[UsedSymbol, ...]
    unreadable: tuple[Unreadable, ...]


class Open(Declared):
    r"""Takes every name as declared: as a document has it, or else by its looks.

    Examples
    --------
    >>> page = r"$$M(q)_{11}\ddot q_1 = m_1 d_1^2 + I_1(t)$$"
    >>> [used.key for used in read(Page(page)).symbols]
    ['M_{11}(q)', 'q_1', 'm_1', 'd_1', 'I_1']
    >>> [used.key for used in read(Page(r"$$x = R_{v1}^{v2} y^{n1}$$")).symbols]
    ['x', 'R_{v1}^{v2}', 'y', 'n_1']
    >>> [used.key for used in read(Page(r"$$a = \tau (z_1)^2 + \theta(z_2)$$")).symbols]
    ['a', '\\tau', 'z_1', '\\theta']
    """

    def __init__(
        self,
        keys: Iterable[str] = (),
        varying: Callable[[str], bool] = bool,
        marks: Collection[str] = (),
    ) -> None:
        super().__init__(keys, varying)
        self._marks = frozenset(marks)

    def varies(self, key: str) -> bool:
        """Return whether a name stands for a function of time, as a rule."""
        if key in self.keys:
            return super().varies(key)
        return re.split(r"[_^({]", key, maxsplit=1)[0] in _WAVERING

    def find(self, options: Sequence[Spelling]) -> FoundName | None:
        """Return the name that is printed, with its arguments where they belong to it."""
        known = super().find(options)
        if known or not options:
            return known
        if VARIATION.strip() not in self._marks:
            plain_ones = [one for one in options if not one.base.startswith(VARIATION)]
            options = plain_ones or options  # below an accent it has no other spelling
        signed = [one for one in options if one.base.startswith((DIFFERENCE, VARIATION))]
        options = signed or options
        longest, bare = options[0], options[-1]
        called = f"({longest.arguments})", f"{longest.base}({longest.arguments})"
        is_called = not self._marks.isdisjoint(called) or _is_called(longest)
        taken = longest if is_called else bare
        power = taken.superscript
        raised = power is not None and (
            self._is_label(power.arguments[0]) or _is_of_frames(taken.base, power.arguments[0])
        )
        is_plain = taken.arguments == "t" or _is_rate_of_state(taken)
        named = replace(taken, arguments="") if is_plain else taken
        key = short(named.form(0, raised=raised))
        return FoundName(key, (), taken.dots, None if raised else power, taken.stop)

    def is_transform(self, key: str) -> bool:
        """Return whether a name is a function of the variable of Laplace's transform."""
        return key[-3:] in self._marks

    def _is_label(self, superscript: Sequence[Item]) -> bool:
        """Return whether a superscript is part of a name, and neither a power nor a transpose."""
        text = plain(superscript)
        if text in _TRANSPOSES:
            return False
        is_upright = len(superscript) == 1 and _is_upright(superscript[0])
        return is_upright or text in self._marks or _LABELS.fullmatch(text) is not None


def _is_of_frames(base: str, superscript: Sequence[Item]) -> bool:
    """Return whether a capital has the name of a frame above it."""
    return base[:1].isupper() and _FRAME.fullmatch(plain(superscript)) is not None


def _is_upright(item: Item) -> bool:
    return item.text in UPRIGHT or words(item) is not None


def _is_rate_of_state(spelling: Spelling) -> bool:
    r"""Return whether a rate is printed with its state: ``\ddot\theta(\theta, \dot\theta)``."""
    return spelling.dots > 0 and "," in spelling.arguments and bool(_PLACE.fullmatch(spelling.base))


def _is_called(spelling: Spelling) -> bool:
    """Return whether what stands in parentheses behind a name is what it is a function of."""
    if spelling.arguments == "t" or _LATER.fullmatch(spelling.arguments):
        return True
    if _DELAYED.fullmatch(spelling.arguments) and _PLACE.fullmatch(spelling.base):
        return True
    parts = re.split(r",(?![^{]*\})", spelling.arguments)
    if not spelling.arguments or not all(map(_COORDINATE.fullmatch, parts)):
        return False
    power = spelling.superscript
    if power and r"dot{" in spelling.arguments and plain(power.arguments[0]).isdecimal():
        return False  # the square of a rate, and not of what is a function of it
    letter = spelling.base.lstrip("\\")
    is_restoring = spelling.base == "s" and spelling.arguments in _DISPLACEMENTS
    is_density = spelling.base == _DENSITY and power is None  # and no factor of a square
    is_function = spelling.base in _FUNCTIONS or is_restoring or is_density
    return len(parts) > 1 or letter[:1].isupper() or is_function or "{" in letter


def read(page: Page, names: Open | None = None) -> PageSymbols:
    """Read the equations of a page, and which symbols they use."""
    known = names or Open(marks=name_marks(page))
    found = [entry for shown in read_page(page, known) for entry in shown.relations]
    equations = tuple(_equation(entry) for entry in found if isinstance(entry, Relation))
    unreadable = tuple(entry for entry in found if isinstance(entry, Unreadable))
    used: dict[str, UsedSymbol] = {}
    for equation in equations:
        place = page.place(equation.relation.line)
        for key in equation.keys:
            before = used.get(key, UsedSymbol(key, equation.label, place, 0))
            used[key] = replace(before, count=before.count + 1)
    return PageSymbols(equations, tuple(used.values()), unreadable)


def angles(
    equations: Iterable[SymbolEquation], functions: Collection[str] = ("sin", "cos")
) -> frozenset[str]:
    """Return the symbols in sines and cosines, or in other functions."""
    return frozenset(
        one.key
        for equation in equations
        for call in walk(equation.relation.left, equation.relation.right)
        if isinstance(call, Call) and call.function in functions
        for one in walk(call.argument)
        if isinstance(one, Name)
    )


def _equation(relation: Relation) -> SymbolEquation:
    return SymbolEquation(relation, _keys(relation))


def _keys(relation: Relation) -> tuple[str, ...]:
    nodes = walk(relation.left, relation.right)
    return tuple(dict.fromkeys(node.key for node in nodes if isinstance(node, Name)))
