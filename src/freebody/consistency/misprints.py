"""The single changes of a printed equation that a misprint may have undone."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

import sympy

from freebody.algebra import Form
from freebody.checking.findings import Edit, Kind, Repair
from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.introduced import bare
from freebody.checking.meaning.relation_at_point import NOWHERE
from freebody.checking.repair.places import PrintedPage
from freebody.checking.repair.reread import Reread
from freebody.checking.repair.vocabulary import Word, word
from freebody.consistency.letters import Letter
from freebody.consistency.motion.kinematics import resists
from freebody.documents.latex import Declared, Relation
from freebody.documents.latex.page.page import Page
from freebody.documents.latex.spellings import spellings
from freebody.documents.latex.tokens.items import LatexError
from freebody.documents.latex.tokens.tokens import parse
from freebody.documents.latex.tree import (
    Add,
    Call,
    Divide,
    Matrix,
    Multiply,
    Name,
    Node,
    Number,
    Power,
    Span,
    Term,
    children,
    differentiated,
    multiplied,
    walk,
)

MOST_CHANGES = 600
ACCELERATION = 2
"""The dots of one, which no term loses alone."""
OTHER = {"sin": "cos", "cos": "sin"}
ORDER = {kind: n for n, kind in enumerate(("sign", "function", "power", "dot", "index", "factor"))}
"""The kinds of changes that are tried first."""
_RAISED = re.compile(r"\s*\^\s*(?:\d|\{\s*\d+\s*\})")
NUMBERS = ("2", r"\frac{1}{2}", "3", r"\frac{1}{3}", "4", r"\frac{1}{4}")


class _Lost(NamedTuple):
    """The factors that a term may have lost."""

    letters: tuple[Word, ...]
    sines: tuple[str, ...]


class Misprints(PrintedPage):
    """The changes of the equations of a page.

    Parameters
    ----------
    page : Page
    names : Declared
        How its names are read.
    letters : collection of Letter
        Those that the page has.
    moving, defined, single : collection of str
        Those of them that move, those that stand for others, and those that one equation has.
    """

    def __init__(
        self,
        page: Page,
        names: Declared,
        letters: Collection[Letter],
        moving: Collection[str],
        defined: Collection[str],
        single: Collection[str],
    ) -> None:
        super().__init__(page.readable)
        self._reread = Reread(page.readable, names, page.macros.latest)
        self._words = [*_words(sorted(letters))]
        self._moving, self._defined = frozenset(moving), frozenset(defined)
        self._single = frozenset(single)

    def mending(
        self,
        relation: Relation,
        holds: Callable[[Relation], bool],
        is_over: Callable[[], bool],
        *,
        of_single: bool = False,
        kinds: Collection[Kind] = (),
    ) -> tuple[tuple[Kind, Repair], ...]:
        """Return the changes with which an equation holds, each with what kind it is.

        They are of the likeliest kind that has some, or those of letters alone that no other
        equation has, or of some kinds alone, the shortest first. No more are looked for when it
        is over.
        """
        if not self._reread.is_faithful(relation):
            return ()
        found, seen = list[tuple[Kind, Repair]](), set[str]()
        every = self._of_single(relation) if of_single else self._edits(relation)
        asked = (edit for edit in every if not kinds or edit.kind in kinds)
        edits = sorted(asked, key=lambda edit: _order(edit.kind))
        for edit in edits[:MOST_CHANGES]:
            if is_over() or (found and _order(edit.kind) > _order(found[0][0])):
                break
            changed = self._reread.changed(relation, [edit])
            if changed is None or self._reread.shown(changed) in seen:
                continue
            seen.add(self._reread.shown(changed))
            if holds(changed):
                found.append((edit.kind, Repair(changed.latex, (_moved(edit, relation),))))
        return tuple(sorted(found, key=lambda each: len(each[1].edits[0].printed)))

    def completed(
        self, relation: Relation, form: Form, holds: Callable[[Relation], bool]
    ) -> tuple[tuple[Kind, Repair], ...]:
        """Return an equation with a term that its left side lacks, if it holds then.

        The term goes to the other side where the left one is a name.
        """
        is_turned = isinstance(relation.left, Name)
        text = self._latex(-form if is_turned else form)
        if not text or not self._reread.is_faithful(relation):
            return ()
        stop = (relation.right if is_turned else relation.left).span.stop
        sign = "" if text.startswith("-") else "+ "
        edit = self.put(Span(stop, stop), f" {sign}{text} ", "missing")
        changed = self._reread.changed(relation, [edit])
        if changed is None or not holds(changed):
            return ()
        return (("missing", Repair(changed.latex, (_moved(edit, relation),))),)

    def renamed(
        self,
        relation: Relation,
        holds: Callable[[Relation], bool],
        names: Sequence[tuple[Name, Name]],
    ) -> tuple[tuple[Kind, Repair], ...]:
        """Return an equation with other names for some, if it holds then."""
        if not self._reread.is_faithful(relation):
            return ()
        edits = [
            self._renamed(
                one, word(replace(due, span=NOWHERE)), "dot" if due.dots != one.dots else "index"
            )
            for one, due in names
        ]
        changed = self._reread.changed(relation, edits)
        if changed is None or not holds(changed):
            return ()
        moved = tuple(_moved(edit, relation) for edit in edits)
        return ((edits[0].kind, Repair(changed.latex, moved)),)

    def _latex(self, form: Form) -> str:
        """Return a term in the letters of the page; nothing where one is none of them."""
        expression = sympy.factor(form.ring.expression(form))
        names = {}
        for atom in expression.free_symbols:
            key, _, dots = atom.name.rpartition("|")
            is_letter = dots.isdigit() and is_plain(key)
            names[atom] = word(Name(key, int(dots), NOWHERE)).latex if is_letter else ""
        known = all(names.values())
        return str(sympy.latex(expression, symbol_names=names)) if known else ""

    def _edits(self, relation: Relation) -> Iterator[Edit]:
        lost = _Lost(tuple(self._that_may_be_lost(relation)), tuple(self._sines(relation)))
        for node in walk(relation.left, relation.right):
            if isinstance(node, Add):
                stop = node.span.stop
                beside = self._beside(node, lost.letters)
                yield from (self.put(Span(stop, stop), f" + {one}", "missing") for one in beside)
        for side in (relation.left, relation.right):
            rate = differentiated(side)
            if rate and rate[1] == ACCELERATION:
                start = Span(side.span.start, side.span.start)
                heavy = (one.latex for one in lost.letters if resists([one.name.key]))
                yield from (self.put(start, f"{mass} ", "missing") for mass in heavy)
            if isinstance(side, Name):
                yield from self._rates(side)
                continue
            yield from self._whole(side)
            yield from self._below(side, None, lost)

    def _that_may_be_lost(self, relation: Relation) -> Iterator[Word]:
        """Yield the letters that a term may have lost: such as move, and those of other terms.

        A constant that stands in none of them may be one.
        """
        nodes = walk(relation.left, relation.right)
        own = {bare(one.key) for one in nodes if isinstance(one, Name)}
        for letter, other in self._words:
            if letter.dots:
                may_be_lost = letter.key in own and letter.dots < ACCELERATION
            else:
                is_known = letter.key in own or letter.key in self._moving
                may_be_lost = is_known and letter.key not in self._defined
            if may_be_lost:
                yield other

    def _sines(self, relation: Relation) -> Iterator[str]:
        """Yield the sines and cosines of what an equation has one of, which a term may lose."""
        nodes = walk(relation.left, relation.right)
        calls = [one for one in nodes if isinstance(one, Call) and one.function in OTHER]
        printed = (self._sine(one, function) for one in calls for function in OTHER)
        yield from dict.fromkeys(filter(None, printed))

    def _sine(self, node: Node, function: str = "") -> str:
        """Return a sine or cosine as it would be printed, or the other; nothing of what is none."""
        if not isinstance(node, Call) or node.function not in OTHER:
            return ""
        span = node.argument.span
        argument = " ".join(self.text[span.start : span.stop].split())
        return rf"\{function or node.function}\left({argument}\right)"

    def _of_single(self, relation: Relation) -> Iterator[Edit]:
        """Yield other letters for those that no other equation has, and that stand for nothing."""
        for node in walk(relation.left, relation.right):
            key = bare(node.key) if isinstance(node, Name) and not node.dots else ""
            if key in self._single - self._defined and isinstance(node, Name) and is_plain(key):
                for letter, other in self._words:
                    if self._may_be_short_for(node, letter) and not letter.dots:
                        yield self._renamed(node, other, "symbol")

    def _rates(self, node: Name) -> Iterator[Edit]:
        r"""Yield the rate of a letter, or of others with its script: ``\dot y_1`` for x_1."""
        if not is_plain(node.key):
            return
        if not node.dots:
            if bare(node.key) in self._moving:
                yield self.put(node.span, word(Name(node.key, 1, NOWHERE)).latex, "dot")
            return
        _, subscript, dots = word(Name(node.key, node.dots, NOWHERE)).family
        for key in sorted(self._defined):
            other = word(Name(key, node.dots, NOWHERE)) if is_plain(key) else None
            if other and other.family[1:] == (subscript, dots) and key != bare(node.key):
                yield self.put(node.span, other.latex, "symbol")

    def _whole(self, node: Node) -> Iterator[Edit]:
        """Yield a sign or a number before a side or an entry of a matrix that is no sum."""
        if isinstance(node, Add | Number):
            return
        start = Span(node.span.start, node.span.start)
        yield self.put(start, "-", "sign")
        for number in NUMBERS:
            yield self.put(start, number + " ", "factor")

    def _below(
        self,
        node: Node | Term,
        parent: Node | Term | None,
        lost: _Lost,
        *,
        is_turned: bool = False,
    ) -> Iterator[Edit]:
        """Yield what may be wrong in a node, which stands in a sine or a cosine or not."""
        if isinstance(node, Name):
            yield from self._name(node, is_turned=is_turned)
        if isinstance(node, Add) and len(node.terms) > 2:
            yield from (self._turned(terms) for terms in (node.terms[1:], node.terms[:-1]))
        if isinstance(node, Divide) and not isinstance(node.denominator, Add):
            stop = node.denominator.span.stop
            below = [one.latex for one in lost.letters if not one.family[2]]
            yield from (self.put(Span(stop, stop), f" {one}", "missing") for one in below)
        yield from self._of(node, parent, lost)
        for entry in chain.from_iterable(node.rows) if isinstance(node, Matrix) else ():
            yield from self._whole(entry)
        is_turned |= isinstance(node, Call) and node.function in OTHER
        for child in children(node):
            yield from self._below(child, node, lost, is_turned=is_turned)

    def _beside(self, node: Add, lost: Iterable[Word]) -> Iterator[str]:
        """Yield what a sum of letters for one thing may have lost: M of ``m_1 + m_2 + M``."""
        names = [one.node for one in node.terms if isinstance(one.node, Name) and one.sign > 0]
        if len(names) < len(node.terms) or any(one.dots for one in names):
            return
        things = {SymbolShape.of(one.key).letter.lower() for one in names}
        printed = {bare(one.key) for one in names}
        for one in lost:
            letter, _, dots = one.family
            if things == {letter.lower()} and not dots and bare(one.name.key) not in printed:
                yield one.latex

    def _of(self, node: Node | Term, parent: Node | Term | None, lost: _Lost) -> Iterator[Edit]:
        match node:
            case Term():
                yield from self._term(node, parent, lost)
            case Call(function=function) if function in OTHER:
                start = self.text.find(function, node.span.start, node.span.stop)
                if start >= 0:
                    stop = start + len(function)
                    yield self.put(Span(start, stop), OTHER[function], "function")
                    if not isinstance(parent, Power):
                        yield self.put(Span(stop, stop), "^2", "power")
            case Number():
                yield from self._number(node, parent)
            case Power(exponent=Number()):
                if power := self._power(node):
                    yield self.put(power, "", "power")
            case Multiply(factors=factors) if len(factors) > 1:
                for factor in factors:
                    yield self.put(self.enclosed(factor), "", "extra")

    def _term(self, node: Term, parent: Node | Term | None, lost: _Lost) -> Iterator[Edit]:
        start = node.span.start
        printed = self.text[start] if self.text[start] in "+-" else ""
        is_first = isinstance(parent, Add) and parent.terms[0] is node
        turned = "-" if node.sign > 0 else "" if is_first else "+"
        yield self.put(Span(start, start + len(printed)), turned, "sign")
        if isinstance(parent, Add) and len(parent.terms) > 1 and not is_first:
            yield self.put(node.span, "", "extra")
        behind = self.start_of(node)
        for number in () if _has_number(node.node) else NUMBERS:
            yield self.put(Span(behind, behind), number + " ", "factor")
        own = {self._sine(each) for each in multiplied(node.node)}
        sines = (one for one in lost.sines if one not in own)
        for factor in (*(one.latex for one in lost.letters), *sines):
            yield self.put(Span(behind, behind), factor + " ", "missing")

    def _turned(self, terms: Sequence[Term]) -> Edit:
        """Return the edit that gives terms the other sign, as where they were brought across."""
        texts = []
        for term, following in zip(terms, (*terms[1:], None), strict=True):
            start, stop = term.span.start, following.span.start if following else term.span.stop
            printed = self.text[start] if self.text[start] in "+-" else ""
            sign = "-" if term.sign > 0 else "+" if printed else ""
            texts.append(sign + self.text[start + len(printed) : stop])
        return self.put(Span(terms[0].span.start, terms[-1].span.stop), "".join(texts), "sign")

    def _power(self, node: Node) -> Span | None:
        """Return where the number stands to which something is raised, with its sign ``^``."""
        every = [*_RAISED.finditer(self.text, node.span.start, node.span.stop)]
        return Span(*every[-1].span()) if every else None

    def _renamed(self, node: Name, other: Word, kind: Kind) -> Edit:
        """Return the edit that prints another name, to the same power: a name holds its power."""
        power = self._power(node)
        raised = self.text[power.start : power.stop] if power else ""
        return self.put(node.span, other.latex + raised, kind)

    def _name(self, node: Name, *, is_turned: bool) -> Iterator[Edit]:
        if not is_plain(node.key):
            return
        for other, kind in self._others(node, is_turned=is_turned):
            yield self._renamed(node, other, kind)
        if not self._power(node):
            yield self.put(Span(node.span.stop, node.span.stop), "^2", "power")

    def _others(self, node: Name, *, is_turned: bool) -> Iterator[tuple[Word, Kind]]:
        """Yield the names that may stand in place of one, in a sine or a cosine or not."""
        printed = word(Name(node.key, node.dots, NOWHERE))
        base, subscript, dots = printed.family
        is_angle = is_turned and not node.dots
        for letter, other in self._words:
            kinds = (other.family[0] == base, other.family[1] == subscript, other.family[2] == dots)
            if sum(kinds) == 2 and (kinds[0] or self._is_alike(node, letter)):
                kind: Kind = "dot" if not kinds[2] else "index" if kinds[0] else "symbol"
                if kind != "dot" or not is_angle:
                    yield other, kind
            elif self._may_be_short_for(node, letter) and other.family[2] == dots:
                yield other, "symbol"
        moves = bare(node.key) in self._moving  # the rate of what does not would take a term away
        orders = {dots - 1, dots + 1} & {0, 1, 2}  # as one dot too many, or too few
        for order in orders if moves and not is_angle else ():
            yield word(Name(node.key, order, NOWHERE)), "dot"

    def _is_alike(self, node: Name, letter: Letter) -> bool:
        """Return whether both letters are constants, or both move, and neither stands for more.

        One that no other equation has is not known to be a constant.
        """
        both = bare(node.key), letter.key
        moves = [key in self._moving for key in both]
        is_alike = moves[0] == moves[1] or both[0] in self._single
        return is_alike and self._defined.isdisjoint(both)

    def _may_be_short_for(self, node: Name, letter: Letter) -> bool:
        """Return whether a letter that no other equation has may be another of its initial.

        Such as m of a mass that is called M_2 elsewhere.
        """
        key = bare(node.key)
        is_same = SymbolShape.of(key).letter.lower() == SymbolShape.of(letter.key).letter.lower()
        is_other = letter.key != key and letter.key not in self._single
        return key in self._single and is_other and is_same and self._is_alike(node, letter)

    def _number(self, node: Number, parent: Node | Term | None) -> Iterator[Edit]:
        if isinstance(parent, Power) and parent.exponent is node:
            options = [str(one) for one in (2, 3) if one != node.value]
        elif isinstance(parent, Divide) or node.value.denominator == 1:
            options = [str(one) for one in (1, 2, 3, 4, 6, 12) if one != node.value]
        else:
            return
        is_factor = isinstance(parent, Multiply)
        for option in options:
            yield self.put(node.span, "" if is_factor and option == "1" else option, "factor")


def _has_number(node: Node) -> bool:
    """Return whether a product begins with a number, which may be another one."""
    return isinstance(node, Multiply) and isinstance(node.factors[0], Number)


def _order(kind: Kind) -> int:
    return ORDER.get(kind, len(ORDER))


def is_plain(key: str) -> bool:
    """Return whether a name can be printed again: its brackets go together."""
    try:
        return bool(spellings(parse(key, 0, len(key)), 0))
    except LatexError:
        return False


def _words(letters: Iterable[Letter]) -> Iterator[tuple[Letter, Word]]:
    for letter in letters:
        if is_plain(letter.key):
            yield letter, word(Name(letter.key, letter.dots, NOWHERE))


def _moved(edit: Edit, relation: Relation) -> Edit:
    """Return a change of the page as one of an equation."""
    start = relation.span.start
    return replace(edit, span=(edit.span[0] - start, edit.span[1] - start))
