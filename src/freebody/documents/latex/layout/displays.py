"""A page of printed equations, read display by display."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product

from freebody.documents.latex.grammar.context import Context
from freebody.documents.latex.grammar.equations import Reading, read_openly, read_sides
from freebody.documents.latex.layout.indices import FreeIndex, substitute, uses
from freebody.documents.latex.layout.mismatched import rows_apart, without_unopened
from freebody.documents.latex.layout.rows import Equation, Layout, lay_out
from freebody.documents.latex.layout.several import Condition, both_signs, branches, listed
from freebody.documents.latex.layout.wraps import is_in_font, unwrapped
from freebody.documents.latex.names import Declared
from freebody.documents.latex.page.page import Page
from freebody.documents.latex.page.passed import RELATION, Passed
from freebody.documents.latex.page.places import Place, before, places
from freebody.documents.latex.relations import Case, Display, Relation, Unreadable
from freebody.documents.latex.spellings import plain
from freebody.documents.latex.tokens.items import UnopenedError
from freebody.documents.latex.tokens.rewriting import RELATIONS
from freebody.documents.latex.tokens.tokens import Item, LatexError, Token, parse
from freebody.documents.latex.tree import Omission, Span
from freebody.errors import fault

_LONGEST = 40_000  # characters of one display
_ORDERS = frozenset({"<", ">", r"\le", r"\leq", r"\ge", r"\geq", r"\ne", r"\neq", r"\propto"}) | {
    *(r"\ll", r"\gg", r"\leqslant", r"\geqslant", r"\lesssim", r"\gtrsim"),
}
"""What is no equality, and need not be readable."""

_BEGINS = re.compile(
    r"(?:\s|&|\\[;,:!> ]|\\begin\{(?:aligned|split|align\*?|equation\*?)\})*(?:=|\\approx)"
)
_APART = re.compile(r"\$\$|\\\]|\\end\{")
_BLANK = "a blank line stands within the display"
_UNOPENED = "the bracket at its end, which closes nothing, is passed over"
_TAGS = re.compile(r"\\tag\*?\s*(\{[^{}]+\}|\w)")
_INDICES = "ijkmn"
_INDEXED = re.compile(r"(?P<letter>\\?[A-Za-z]+)_\{?(?P<below>(?:\w+,)?(?P<index>[i-n]))\}?")
_ENDS = re.compile(r"\\sum(?:\\limits)?\s*_\{?\s*\w\s*=[^{}]{1,9}\}?\s*\^\s*\{?\s*([i-n])\b")
_MOST_OF_NAME = 3
"""Items of a name with what is below and above it."""
_MOST = 100  # equations that free indices make of one


def read_page(text: str | Page, declared: Declared, start: int = 0) -> list[Display]:
    r"""Read all displayed equations of a page.

    Parameters
    ----------
    text : str or Page
        Markdown, or a page of any kind.
    declared : Declared
        The names that the equations may use.
    start : int, optional
        Offset to begin at; places are counted from the beginning of the text all the same. A
        page knows where it begins.

    Examples
    --------
    >>> declared = Declared(["x_1", "d_1", r"\alpha_1"], varying=lambda key: key != "d_1")
    >>> page = r"$$x_1 = d_1 \cos \alpha_1 \tag{3}$$"
    >>> read_page(page, declared)[0].relations[0].label
    '(3)'
    """
    page = Page(text, start) if isinstance(text, str) else text
    return [read_display(page, place, label, declared) for label, place in places(page)]


def read_display(page: Page, place: Place, label: str, declared: Declared) -> Display:
    """Read one displayed equation, or one in running text, that is called by a label."""
    label, relations, left = _of_display(page, place, label, declared)
    line, column = page.position(place.whole.start)
    latex = page.text[place.whole.start : place.whole.stop]
    passed = _passed(latex, place, relations, left)
    return Display(_parenthesised(label), line, column, latex, tuple(relations), passed)


def _of_display(page: Page, place: Place, label: str, declared: Declared) -> _Read:
    """Return the label of a display, its equations, and what of it is none."""
    try:
        items = list(_items(page, place))
    except LatexError as error:
        return _mismatched(page, place, label, declared, error)
    label, read, left = _laid_out(page, place, items, label, declared)
    relations = [_within(one, place.whole) for one in read]
    relations = [_with_remark(one, _BLANK) for one in relations] if place.is_broken else relations
    return label, relations, left


def _mismatched(
    page: Page, place: Place, label: str, declared: Declared, error: LatexError
) -> _Read:
    """Read a display that cannot be taken apart: row by row, without a bracket too many behind."""
    rows = [] if place.unclosed else rows_apart(page, place.inside)
    if len(rows) > 1:
        return _by_rows(page, place, rows, label, declared)
    if isinstance(error, UnopenedError) and error.offset < place.inside.stop:  # not beside it
        with suppress(LatexError):
            inside = without_unopened(page, place.inside)
            read = _of_display(page, replace(place, inside=inside), label, declared)
            rest = page.text[inside.stop : place.inside.stop]
            bracket = Token(rest, inside.stop, place.inside.stop)
            told = [_with_remark(one, _UNOPENED) for one in read[1]]
            return read[0], told, [*read[2], (bracket,)]
    label = _printed_label(page, place) or label
    return label, [_unreadable(page, error, label, place.whole)], []


def _by_rows(
    page: Page, place: Place, rows: Sequence[Span], label: str, declared: Declared
) -> _Read:
    relations, left = list[Relation | Unreadable](), list[tuple[Item, ...]]()
    for number, row in enumerate(rows, 1):
        one = replace(place, inside=row, beside=())
        _, read, rest = _of_display(page, one, f"{label}.{number}", declared)
        latex = page.text[row.start : row.stop].strip()
        relations += (replace(it, latex=latex) if isinstance(it, Unreadable) else it for it in read)
        left += rest
    return label, relations, left


def _printed_label(page: Page, place: Place) -> str | None:
    """Return the label of a display that cannot be taken apart, where it has one."""
    found = _TAGS.findall(page.readable, place.whole.start, place.whole.stop)
    return found[0].strip("{} ") if len(found) == 1 else None


def _within(relation: Relation | Unreadable, display: Span) -> Relation | Unreadable:
    if isinstance(relation, Unreadable):
        return relation
    others = tuple(replace(one, display=display) for one in relation.others)
    return replace(relation, display=display, others=others)


def _with_remark(relation: Relation | Unreadable, words: str) -> Relation | Unreadable:
    """Return an equation with what is told of how it was read."""
    if isinstance(relation, Unreadable):
        return relation
    others = tuple(replace(one, readings=(*one.readings, words)) for one in relation.others)
    return replace(relation, readings=(*relation.readings, words), others=others)


_Read = tuple[str, "list[Relation | Unreadable]", "list[tuple[Item, ...]]"]


def _laid_out(
    page: Page, place: Place, items: Sequence[Item], label: str, declared: Declared
) -> _Read:
    """Read the equations of a display; a font around one is left away where no name has it."""
    read = _equations(page, place, unwrapped(items, in_font=True), label, declared)
    if is_in_font(items) and any(getattr(one, "symbols", ()) for one in read[1]):
        return _equations(page, place, unwrapped(items, in_font=False), label, declared)
    return read


def _equations(
    page: Page, place: Place, items: Sequence[Item], label: str, declared: Declared
) -> _Read:
    """Return the label of a display, its equations, and what of it is none."""
    layout = lay_out(items)
    if place.inline:
        layout.equations = [one for one in layout.equations if all(one.sides)]
    label = layout.tag or label
    try:
        named = list(_named(page, layout, label, declared))
    except LatexError as error:
        return label, [_unreadable(page, error, label, place.whole)], []
    relations = [
        found
        for name, equation in named
        for found in _relations(page, place, equation, name, declared)
    ]
    return label, relations, layout.left


def _passed(
    latex: str,
    place: Place,
    relations: Sequence[Relation | Unreadable],
    left: Sequence[tuple[Item, ...]],
) -> tuple[Passed, ...]:
    """Return what of a display is passed over: all of it, where nothing is equated."""
    if place.inline:
        return ()
    if not relations:
        is_equation = RELATION.search(latex)
        reason = "its equation cannot be made out" if is_equation else "nothing in it is equated"
        return (Passed(place.whole.start, place.whole.stop, reason),)
    return tuple(Passed(one[0].start, one[-1].stop, "beside an equation") for one in left)


def _items(page: Page, place: Place) -> Iterator[Item]:
    """Read the display and the formulas beside it, each on a row of its own."""
    if place.unclosed:
        raise LatexError(f"a display without its closing '{place.unclosed}'", place.whole.start)
    yield from _continued(page, place)
    for span in (place.inside, *place.beside):
        if span.stop - span.start > _LONGEST:
            raise LatexError(f"a display of more than {_LONGEST} characters", span.start)
        yield from parse(page.readable, span.start, span.stop, page.macros)
        yield Token(r"\\", span.stop, span.stop)


def _continued(page: Page, place: Place) -> Sequence[Item]:
    """Return what a display that begins with a relation goes on with: the last side before it."""
    first = _BEGINS.match(page.readable, place.inside.start, place.inside.stop)
    display = before(page, place) if first and not place.inline else None
    if display is None or display.inside.stop - display.inside.start > _LONGEST:
        return ()
    inside = display.inside
    try:
        items = parse(page.readable, inside.start, inside.stop, page.macros)
    except LatexError:
        return ()
    equations = lay_out(unwrapped(items, in_font=True)).equations
    sides = equations[-1].sides if equations else ()
    return next((one for one in reversed(sides) if one), ())


def _named(
    page: Page, layout: Layout, label: str, declared: Declared
) -> Iterator[tuple[str, Equation]]:
    """Yield the single equations with their labels, numbered where several share one."""
    pairs = [pair for equation in layout.equations for pair in _pairs(equation)]
    owners = [pair.tag or label for pair in pairs]
    sharing, seen = Counter(owners), Counter[str]()
    for pair, owner in zip(pairs, owners, strict=True):
        seen[owner] += 1
        number = f".{seen[owner]}" if sharing[owner] > 1 else ""
        for values, expanded in _expanded(pair, layout.indices, declared):
            for signs, signed in _listed(page, expanded, declared) or both_signs(expanded):
                yield owner + number + values + signs, signed
        if declared.keeps_opaque and not layout.indices:
            yield from ((owner + number + at, one) for at, one in _defined(page, pair, declared))


def _defined(page: Page, pair: Equation, declared: Declared) -> list[tuple[str, Equation]]:
    r"""Return what a name with an index is for each number, where the page sums it over these.

    Of a sum that ends at its index, as ``y_k = \sum_{i=1}^{k} l_i``: no letter stands for that.
    """
    left, right = pair.sides
    name = _INDEXED.fullmatch(plain(left)) if len(left) <= _MOST_OF_NAME else None
    shown = page.readable[right[0].start : right[-1].stop] if right else ""
    if not name or name["index"] not in _ENDS.findall(shown):
        return []
    printed = re.compile(rf"{re.escape(name['letter'])}\}}*_\{{?{re.escape(name['below'])}\b")
    for index, of in page.summed_names:
        if index.letter == name["index"] and printed.search(of):
            with suppress(LatexError):
                return _expanded(pair, [index], declared)
    return []


def _listed(page: Page, equation: Equation, declared: Declared) -> list[tuple[str, Equation]]:
    """Return the equations for the numbers of a list, where those are what can be read.

    Or where the first number has the upper sign, and the second the lower.
    """
    found = listed(equation)
    is_signed = len([*both_signs(equation)]) > 1
    if not found or not (
        is_signed or isinstance(_relation(page, equation, "", declared), Unreadable)
    ):
        return []
    read = (_relation(page, one, "", declared) for _, one in found)
    return found if all(isinstance(one, Relation) for one in read) else []


def _pairs(equation: Equation) -> Iterator[Equation]:
    """Take a chain a = b = c as a = b and b = c; what goes on in another display ends before."""
    relations = equation.relations
    if len(relations) > 1 and not equation.sides[-1]:
        relations = relations[:-1]
    for position, relation in enumerate(relations):
        sides = equation.sides[position : position + 2]
        yield replace(equation, sides=sides, relations=(relation,))


def _expanded(
    equation: Equation, indices: Sequence[FreeIndex], declared: Declared
) -> list[tuple[str, Equation]]:
    """Write an equation once for each value of its free indices."""
    expanded = [("", equation)]
    for index in indices:
        bare = declared.lookup(index.letter) is None
        if any(uses(side, index.letter, bare=bare) for side in equation.sides):
            if not index.values and declared.keeps_opaque:
                continue
            if not index.values:
                message = f"the values of '{index.letter}' are not given as numbers"
                raise LatexError(message, equation.relations[0].start)
            expanded = [
                (f"{values}, {index.letter}={value}", _valued(one, index.letter, value, bare=bare))
                for values, one in expanded
                for value in index.values
            ]
        if len(expanded) > _MOST:
            start = equation.relations[0].start
            raise LatexError(f"free indices that make more than {_MOST} equations of one", start)
    return expanded


def _valued(equation: Equation, letter: str, value: int, *, bare: bool) -> Equation:
    sides = tuple(substitute(side, letter, value, bare=bare) for side in equation.sides)
    return replace(equation, sides=sides)


def _relations(
    page: Page, place: Place, equation: Equation, label: str, declared: Declared
) -> Iterator[Relation | Unreadable]:
    r"""Yield an equation as it is read; running text may say ``s_i = \sin q_i`` of all indices."""
    if cases := list(_by_cases(page, equation, label, declared)):
        yield from cases
        return
    found = _relation(page, equation, label, declared)
    asks = place.inline and isinstance(found, Unreadable) and bool(found.symbols)
    implied = list(_for_each(page, equation, label, declared)) if asks else []
    if implied:
        yield from implied
    else:
        yield found


def _by_cases(
    page: Page, equation: Equation, label: str, declared: Declared
) -> Iterator[Relation | Unreadable]:
    """Yield an equation for each of its cases, with what is so in it."""
    for number, (one, printed) in enumerate(branches(equation), start=1):
        found = _relation(page, one, f"{label}, case {number}", declared)
        if isinstance(found, Unreadable):
            yield found
            continue
        try:
            case = tuple(_cases(printed, declared, page))
        except LatexError as error:
            yield _unreadable(page, error, found.label, found.span)
            continue
        yield replace(found, case=case, others=tuple(replace(o, case=case) for o in found.others))


def _cases(printed: Sequence[Condition], declared: Declared, page: Page) -> Iterator[Case]:
    """Yield the condition of a case; of the one that is left, that all before it are not met."""
    *before, own = printed
    if own:
        yield _case(own, declared, page)
    else:
        yield from (replace(_case(one, declared, page), holds=False) for one in before)


def _case(printed: Condition, declared: Declared, page: Page) -> Case:
    """Read a condition."""
    sides: list[list[Item]] = [[]]
    signs = []
    for item in printed:
        if item.text in RELATIONS:
            signs.append(item.text)
            sides.append([])
        else:
            sides[-1].append(item)
    at = Span(printed[0].start, printed[-1].stop)
    nodes = read_sides([(side, at) for side in sides], declared, Context(declared, page.text))
    return Case(tuple(nodes), tuple(signs))


def _for_each(page: Page, equation: Equation, label: str, declared: Declared) -> Iterator[Relation]:
    """Yield an equation with the values of its indices for which all names are declared.

    Both sides have the same indices: one that only one side has may be summed over.
    """
    left, right = ([letter for letter in _INDICES if uses(side, letter)] for side in equation.sides)
    if left != right or not 1 <= len(left) <= 2 or any(map(declared.lookup, left)):
        return
    for values in product(range(1, 10), repeat=len(left)):
        valued, name = equation, label
        for letter, value in zip(left, values, strict=True):
            valued = _valued(valued, letter, value, bare=False)
            name += f", {letter}={value}"
        relation = _relation(page, valued, name, declared)
        if isinstance(relation, Relation):
            yield relation


def _relation(
    page: Page, equation: Equation, label: str, declared: Declared
) -> Relation | Unreadable:
    (left, right), (sign,) = equation.sides, equation.relations
    span = _balanced(page.text, Span(_start(page, left, sign), (sign, *right)[-1].stop))
    sides = [(left, Span(span.start, sign.start)), (right, Span(sign.stop, span.stop))]
    try:
        reading, others = read_openly(sides, declared, page.text)
    except Exception as error:  # as above
        if sign.text in _ORDERS:
            return _read(page, equation, label, Reading([Omission(at) for _, at in sides]))
        return _unreadable(page, error, label, span)
    relation = _read(page, equation, label, reading)
    return replace(relation, others=tuple(_read(page, equation, label, one) for one in others))


def _start(page: Page, left: Sequence[Item], sign: Token) -> int:
    """Return where an equation begins; with its sign where the left side is of another display."""
    if not left or _APART.search(page.text, left[-1].stop, sign.start):
        return sign.start
    return left[0].start


def _read(page: Page, equation: Equation, label: str, reading: Reading) -> Relation:
    (left, right), (sign,) = equation.sides, equation.relations
    span = _balanced(page.text, Span(_start(page, left, sign), (sign, *right)[-1].stop))
    return Relation(
        reading.nodes[0],
        reading.nodes[1],
        sign.text,
        _parenthesised(label),
        tuple(_text(page, remark) for remark in equation.remarks),
        span,
        *page.position(span.start),
        page.text[span.start : span.stop],
        reading.notes,
        reading.ways,
    )


def _balanced(text: str, span: Span) -> Span:
    """Take in the braces around the first and the last of what stands in a stretch."""
    opened, lacking = 0, 0
    for letter in text[span.start : span.stop]:
        opened += (letter == "{") - (letter == "}")
        lacking = max(lacking, -opened)
    start, stop = span.start, span.stop
    for _ in range(lacking):
        before = text[:start].rstrip()
        start = len(before) - 1 if before.endswith("{") else start
    for _ in range(opened + lacking):
        behind = text[stop:].lstrip()
        stop = len(text) - len(behind) + 1 if behind.startswith("}") else stop
    return Span(start, stop)


def _unreadable(page: Page, error: Exception, label: str, span: Span) -> Unreadable:
    is_fault = not isinstance(error, LatexError)
    refusal = error if isinstance(error, LatexError) else LatexError(fault(error), span.start)
    return Unreadable(
        _parenthesised(label),
        *page.position(refusal.offset),
        refusal.message,
        page.caret(refusal.offset),
        page.text[span.start : span.stop],
        refusal.symbols,
        is_fault,
    )


def _text(page: Page, items: Sequence[Item]) -> str:
    return page.text[items[0].start : items[-1].stop]


def _parenthesised(label: str) -> str:
    return f"({label.strip('() ')})"
