r"""How equations are laid out in a display: rows, continued rows, chains and remarks.

An environment is layout when its cells hold a relation, and a matrix when it stands in brackets
without one. A row without a relation, or that starts with one, continues the row above, unless it
begins an equation whose relation stands further down; a sign or ``=`` repeated across the break
means one. Commas, wide spaces and arrows separate equations only after a complete relation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from freebody.documents.latex.grammar.brackets import CASES
from freebody.documents.latex.grammar.functions import function
from freebody.documents.latex.layout.indices import LONGEST, FreeIndex, free_indices, may_start
from freebody.documents.latex.spellings import plain
from freebody.documents.latex.tokens.items import UPRIGHT, Command, Group, Item, Token, words
from freebody.documents.latex.tokens.rewriting import RELATIONS
from freebody.documents.latex.units import is_unit, unit

_ALIGNED = frozenset(
    {"equation", "align", "gather", "eqnarray", "multline", "flalign", "alignat", "displaymath"}
    | {"split", "aligned", "gathered", "alignedat"}
)
_TABLES = frozenset({"array", "matrix"}) | CASES
_OPERATORS = frozenset({"+", "-", r"\cdot", r"\times", "*", "/", r"\pm", r"\mp"})
_SUMMED = _OPERATORS | {r"\frac", r"\dfrac", r"\tfrac"}
_SPACES = frozenset({r"\quad", r"\qquad"})
_WIDE = _SPACES | {"&"}
_IMPLIES = frozenset({r"\implies", r"\iff", r"\Rightarrow", r"\Longrightarrow"}) | {
    *(r"\Leftrightarrow", r"\Longleftrightarrow", r"\therefore", r"\because"),
}
"""What no part of an equation stands on both sides of."""
_STOPS = _IMPLIES | {
    *(",", ";", r"\to", r"\rightarrow", r"\longrightarrow", r"\leftrightarrow", r"\mapsto"),
    *(r"\leadsto", r"\forall", r"\leftarrow", r"\gets", r"\Leftarrow"),
}
_DOTS = frozenset({r"\dot", r"\ddot", r"\dddot"})
_WORDS = frozenset(
    {"and", "as", "because", "for", "from", "hence", "if", "or", "otherwise", "since", "so"}
    | {"then", "thus", "when", "where", "with", "while", "but", "also", "let", "given", "using"}
    | {"und", "mit", "wobei", "für", "oder", "wenn", "falls", "sowie", "also", "da", "aus", "wo"}
    | {"et", "avec", "où", "pour", "ou", "si", "donc", "soit", "car", "alors"}
    | {"con", "donde", "para", "entonces", "siendo", "como", "cuando", "luego"}
    | {"com", "onde", "então", "logo", "quando", "sendo", "dove", "per", "quindi", "allora"}
    | {"met", "waar", "voor", "dus", "en", "gdzie", "dla", "oraz", "lub", "kde", "pro", "nebo"}
    | {"og", "hvor", "så", "der", "med", "eller", "och", "där", "samt", "ja", "missä", "eli"}
    | {"és", "ahol", "vagy", "și", "unde", "iar", "ve", "veya", "burada", "dan", "dengan", "và"}
    | {"и", "где", "при", "или", "для", "так", "и т.д.", "та", "де", "або", "και", "όπου"}
    | {"其中", "且", "和", "当", "则", "所以", "即", "或", "与", "ここで", "ただし"}
    | {"여기서", "그리고"}
)
"""Between or before equations, in European languages and others."""
_MEMBERS = frozenset({r"\in", r"\succ", r"\succeq", r"\prec", r"\preceq"})
_BOUNDS = RELATIONS & {"<", ">", r"\le", r"\ge", r"\leq", r"\geq", r"\ne", r"\neq"}
_BECOMES = frozenset({r"\to", r"\rightarrow", r"\longrightarrow", r"\ll"})
_ENDS = frozenset({".", ",", ";", ":"})
_NUMBER = re.compile(
    r"[A-Z]{0,2}\.?\d+(?:\.\d+)*[a-z]?'?|(?:\*|\\ast|\\star|\\dagger|\\ddagger){1,3}"
)
_LONGEST_LABEL = 12  # characters
_APART = 2
"""Characters, such as ``\\ ``, by which a number in parentheses stands apart."""
_POINTS = frozenset({r"\cdots", r"\ldots", r"\dots", r"\dotsc", r"\dotsb", r"\hdots", "…", "⋯"})


@dataclass(frozen=True, slots=True)
class Equation:
    """One equation or a chain of them: its sides, the relations between, and what it is called."""

    sides: tuple[tuple[Item, ...], ...]
    relations: tuple[Token, ...]
    tag: str | None
    remarks: tuple[tuple[Item, ...], ...] = ()


@dataclass(slots=True)
class Layout:
    """What a display is made of; `tag` is its own label, where its equations share one.

    What is no equation and looks like a part of one is `left`; conditions that stand `before` the
    first equation are remarks of it.
    """

    equations: list[Equation] = field(default_factory=list)
    before: list[tuple[Item, ...]] = field(default_factory=list)
    indices: list[FreeIndex] = field(default_factory=list)
    tag: str | None = None
    left: list[tuple[Item, ...]] = field(default_factory=list)

    def add(self, segment: Sequence[Item], tag: str | None) -> None:
        """Take a stretch of a row as an equation, the values of an index, or a remark."""
        if indices := free_indices(segment):
            self.indices += indices
        elif _has_relation(segment):
            found = _equation(segment, tag)
            remarks = (*self.before, *found.remarks)
            self.equations.append(replace(found, remarks=remarks))
            self.before = []
        elif _is_condition(segment) and not self.equations:
            self.before.append(tuple(segment))
        elif segment and any(item.text in _SUMMED for item in segment) and not unit(segment):
            self.left.append(tuple(segment))
        elif segment and self.equations:
            last = self.equations[-1]
            self.equations[-1] = replace(last, remarks=(*last.remarks, tuple(segment)))


def lay_out(items: Sequence[Item]) -> Layout:
    """Take a display apart into its equations."""
    rows = list(_rows(_flat(items)))
    tags = [row.tag for row in rows if row.tag]
    layout = Layout(tag=tags[0] if len(tags) == 1 else None)
    for row in _joined(rows):
        for segment in _segments(row.items):
            layout.add(segment, row.tag if len(tags) > 1 else None)
    layout.equations = [one for one in layout.equations if not _is_enumeration(one)]
    return layout


@dataclass(slots=True)
class _Row:
    """A row, or rows that are one; their relation may stand below all of the left side."""

    items: list[Item] = field(default_factory=list)
    tag: str | None = None
    relates_below: bool = False


def _flat(items: Sequence[Item]) -> Iterator[Item]:
    """Replace layout by its rows; what stands by cases behind a relation is none."""
    related, before = False, ""
    for item in items:
        ends = item.text in (r"\\", ",", ";")
        ends |= item.text in _WIDE and before not in RELATIONS | _OPERATORS | _WIDE
        related = item.text in RELATIONS or (related and not ends)
        before = item.text
        if isinstance(item, Group) and (_is_aligned(item) or (not related and _is_system(item))):
            yield Token(r"\\", item.start, item.start)
            yield from _flat(item.items)
            yield Token(r"\\", item.stop, item.stop)
        else:
            yield item


def _is_aligned(group: Group) -> bool:
    return group.text in _ALIGNED


def _is_system(group: Group) -> bool:
    """Return whether a table holds equations; it may stand in braces or brackets, or in another."""
    is_table = group.text in _TABLES
    inner = group.items[0] if len(group.items) == 1 else None
    if isinstance(inner, Group) and (is_table or group.text in (r"\{", "[", "(")):
        return _is_aligned(inner) or _is_system(inner)
    return is_table and _has_relation(group.items)


def _has_relation(items: Sequence[Item]) -> bool:
    return any(item.text in RELATIONS for item in items if isinstance(item, Token))


def _is_complete(items: Sequence[Item]) -> bool:
    return _has_relation(items) and items[-1].text not in RELATIONS | _OPERATORS


def _rows(items: Iterator[Item]) -> Iterator[_Row]:
    row = _Row()
    for item in items:
        label = words(item) if item.text.startswith((r"\tag", r"\label")) else None
        if item.text == r"\\":
            yield _numbered(row)
            row = _Row()
        elif label is None:
            row.items.append(item)
        elif label.strip() and (row.tag is None or item.text.startswith(r"\tag")):
            row.tag = label.strip()
    yield _numbered(row)


def _numbered(row: _Row) -> _Row:
    r"""Take a number at the end of a row as its label: ``\qquad (3)``, ``\eqno(3)``."""
    at = next((i for i, item in enumerate(row.items) if item.text in (r"\eqno", r"\leqno")), None)
    last = row.items[-1] if row.items else None
    if at is not None:
        row.tag = row.tag or plain(row.items[at + 1 :][:_LONGEST_LABEL]).strip("()") or None
        del row.items[at:]
    elif len(row.items) > 2 and isinstance(last, Group) and _is_number(last):
        leading = next((n for n, one in enumerate(row.items[-2::-1]) if not _leads(one)), 0)
        if leading or _stands_apart(row.items[-2], last):
            row.tag = row.tag or plain(last.items)
            del row.items[-1 - leading :]
    return row


def _stands_apart(before: Item, last: Group) -> bool:
    """Return whether parentheses with digits stand apart from what could be multiplied by them."""
    digits = plain(last.items)
    is_plain = re.fullmatch(r"[1-9]\d*(\.\d+)*", digits) is not None
    is_plain &= last.stop - last.start == len(f"({digits})")
    is_factor = before.text.isdecimal() or function(before) is not None
    return is_plain and not is_factor and last.start - before.stop >= _APART


def _leads(item: Item) -> bool:
    """Return whether an item leads to the number of an equation: a space, or points."""
    return item.text in _SPACES or item.text in _POINTS


def _is_number(item: Item | None) -> bool:
    """Return whether an item is the number of an equation in parentheses."""
    if not isinstance(item, Group) or item.text != "(" or len(item.items) > _LONGEST_LABEL:
        return False
    return _NUMBER.fullmatch(plain(item.items)) is not None


def _joined(rows: Sequence[_Row]) -> list[_Row]:
    """Join the rows that continue the row above."""
    joined: list[_Row] = []
    printed = [row for row in rows if _printed(row)]
    for position, row in enumerate(printed):
        if joined and _continues(joined[-1], printed[position:]):
            first, last = _printed(row)[0], _printed(joined[-1])[-1]
            repeated = last.text == first.text and first.text in RELATIONS | _OPERATORS
            if first.text in RELATIONS and not _has_relation(joined[-1].items):
                joined[-1].relates_below = True
            joined[-1].items += _printed(row)[1:] if repeated else row.items
            joined[-1].tag = joined[-1].tag or row.tag
        else:
            joined.append(row)
    return joined


def _printed(row: _Row) -> list[Item]:
    return [item for item in row.items if item.text not in _WIDE]


def _continues(above: _Row, rows: Sequence[_Row]) -> bool:
    """Return whether a row continues the one above; a minus may begin an equation of its own."""
    printed = _printed(rows[0])
    if _is_unfinished(above, rows):
        return False
    if not _has_relation(above.items) or _goes_on(above, rows[0]):
        return True
    return not _has_relation(printed) and not _opens(above, rows)


def _is_unfinished(above: _Row, rows: Sequence[_Row]) -> bool:
    r"""Return whether a row ends in ``=`` because its right side was never written.

    So do those below it, or the next is an unknown of its own: ``\ddot\phi = \\ \ddot\theta``.
    """
    last = [_printed(row)[-1].text in RELATIONS for row in rows]
    if _printed(above)[-1].text not in RELATIONS:
        return False
    return all(last) or (_is_rate(_printed(above)[:-1]) and _is_rate(_printed(rows[0])))


def _is_rate(items: Sequence[Item]) -> bool:
    """Return whether there is a letter with dots alone, perhaps with an index."""
    return bool(items) and items[0].text in _DOTS and all(one.text == "_" for one in items[1:])


def _goes_on(above: _Row, row: _Row) -> bool:
    """Return whether a sign or relation at a break says that two rows are of one equation."""
    starts = _printed(row)[0].text in RELATIONS | (_OPERATORS - {"-"})
    return starts or _printed(above)[-1].text in RELATIONS | _OPERATORS


def _opens(above: _Row, rows: Sequence[_Row]) -> bool:
    """Return whether a row without a relation begins an equation that has it further down.

    Where a sign or a relation could tie it to the row above, two labels tell two equations; so
    does a relation that stands below a left side as that of the equation above does.
    """
    row, last = rows[0], rows[0]
    for following in rows[1:]:
        first = _printed(following)[0].text
        if not _goes_on(last, following) and first != "-":
            return False
        if _has_relation(following.items):
            is_labelled = bool(above.tag and following.tag) and row.tag in (None, above.tag)
            is_chain = first in RELATIONS and not above.relates_below
            is_tied = _printed(row)[0].text == "-" or is_chain
            return is_labelled or not is_tied
        last = following
    return False


def _segments(items: Sequence[Item]) -> Iterator[list[Item]]:
    """Cut a row where a complete relation ends."""
    segment: list[Item] = []
    for position, item in enumerate(items):
        if may_start(item) and all(map(_is_text, segment)):
            rest = items[position : position + LONGEST]
            if free_indices(rest):
                yield from filter(None, (segment, list(rest)))
                return
        if _ends_condition(segment, item) or (item.text in _IMPLIES and segment):
            yield _without_stop(segment)
            segment = []
        elif _may_cut(items, position) and _is_closed(segment) and _cuts(items, position):
            yield _without_stop(segment)
            segment = [item] if _is_text(item) or item.text in _MEMBERS else []
        elif item.text not in _WIDE and (segment or item.text not in _STOPS):
            segment.append(item)
    if segment:
        yield _without_stop(segment)


def _is_limit(segment: Sequence[Item]) -> bool:
    r"""Return whether a stretch says only what becomes of something: ``m \to 0``."""
    return not _has_relation(segment) and any(item.text in _BECOMES for item in segment[1:])


def _is_condition(segment: Sequence[Item]) -> bool:
    r"""Return whether a stretch says only where something is so: ``m \to 0``, ``t \in [0, T]``."""
    is_member = any(item.text in _MEMBERS | {r"\forall"} for item in segment)
    return _is_limit(segment) or (is_member and not _has_relation(segment))


def _ends_condition(segment: Sequence[Item], item: Item) -> bool:
    ends = item.text in _WIDE | {",", ";", ":"} or _is_text(item)
    return ends and _is_condition(segment)


def _is_closed(segment: Sequence[Item]) -> bool:
    """Return whether an equation, or what it is an element of, may end here."""
    return _is_complete(segment) or (len(segment) > 1 and segment[0].text in _MEMBERS)


def _may_cut(items: Sequence[Item], position: int) -> bool:
    item = items[position]
    if item.text in _MEMBERS or _bounds(items[position:]):
        return True
    if item.text == ",":
        return not _is_decimal(items, position)
    if item.text == ":":
        return _has_relation(items[position + 1 :])
    if position and items[position - 1].text.isdecimal() and is_unit(item):
        return False
    return item.text in _WIDE or item.text in _STOPS or _is_text(item)


def _cuts(items: Sequence[Item], position: int) -> bool:
    """Return whether an item ends the equation before it.

    A wide space does so only before another relation, words, a unit or a number in parentheses: a
    factor or a term may stand after it just as well.
    """
    if items[position].text not in _WIDE:
        return True
    following = items[position + 1 :]
    if following and may_start(following[0]) and free_indices(following[:LONGEST]):
        return True
    upcoming = list(takewhile(lambda after: after.text not in _STOPS | _WIDE, following))
    if not upcoming or upcoming[0].text in RELATIONS | _OPERATORS:
        return False
    if any(item.text in _BECOMES for item in following[len(upcoming) : len(upcoming) + 1]):
        return True
    if not items[position - 1].text.isdecimal() and unit(upcoming):
        return True
    return _is_text(upcoming[0]) or _is_aside(upcoming) or _relates(following)


def _is_aside(upcoming: Sequence[Item]) -> bool:
    """Return whether parentheses with a number or a condition are all that comes."""
    group = upcoming[0]
    if len(upcoming) > 1 or not isinstance(group, Group) or group.text != "(":
        return False
    has_condition = any(item.text in _MEMBERS | _BECOMES | {r"\forall"} for item in group.items)
    return has_condition or _is_number(group) or _has_relation(group.items)


def _bounds(upcoming: Sequence[Item]) -> bool:
    """Return whether all that comes are parentheses that say what a letter is more or less than.

    No factor, and no argument, is an inequality.
    """
    group = upcoming[0]
    if not isinstance(group, Group) or not _is_aside(upcoming):
        return False
    printed = {item.text for item in group.items}
    return not printed.isdisjoint(_BOUNDS) and printed.isdisjoint(_OPERATORS)


def _is_decimal(items: Sequence[Item], position: int) -> bool:
    """Return whether a comma stands in a number."""
    around = items[max(position - 1, 0) : position + 2]
    if len(around) < 3 or around[1].text != ",":
        return False
    digits = all(isinstance(item, Token) and item.text.isdecimal() for item in around[::2])
    return digits and around[0].stop == around[1].start and around[1].stop == around[2].start


def _relates(following: Sequence[Item]) -> bool:
    """Return whether another relation comes before the next stop."""
    return _has_relation(list(takewhile(lambda after: after.text not in _STOPS, following)))


def _is_enumeration(equation: Equation) -> bool:
    r"""Return whether letters are named that one with an index is for: ``q_i = \theta, x``."""
    parts = (equation.sides[-1], *equation.remarks)
    named = [item for part in parts for item in part if item.text not in _WIDE | _ENDS]
    below = [item for item in equation.sides[0][1:] if isinstance(item, Command)]
    is_indexed = len(below) == 1 and plain(below[0].arguments[0]) in ("i", "j", "k", "n")
    is_listed = len(named) > 1 and len(equation.sides[-1]) == 1 and all(map(_is_letter, named))
    return is_indexed and is_listed and len(equation.sides) == 2


def _is_letter(item: Item) -> bool:
    text = item.text.removeprefix("\\")
    return isinstance(item, Token) and text.isalpha() and (len(text) == 1 or text != item.text)


def _is_text(item: Item) -> bool:
    """Return whether an item is words between formulas, and not a name in upright letters."""
    text = words(item) or ""
    if isinstance(item, Command) and item.text in UPRIGHT:
        text = "".join(part.text for part in item.arguments[0])
    if item.text.startswith(r"\qq") and item.text != r"\qquad":
        return True
    is_said = any(character.isspace() or character in "(:" for character in text)
    return is_said or text.strip(".,:;") in _WORDS


def _without_stop(segment: list[Item]) -> list[Item]:
    while segment and _is_stop(segment[-1]):
        segment.pop()
    return segment


def _is_stop(item: Item) -> bool:
    return isinstance(item, Token) and (words(item) or item.text).strip() in _ENDS


def _equation(segment: Sequence[Item], tag: str | None) -> Equation:
    start = _heading(segment)
    remarks = (tuple(segment[:start]),) if start else ()
    sides: list[list[Item]] = [[]]
    relations: list[Token] = []
    for item in segment[start:]:
        if isinstance(item, Token) and item.text in RELATIONS:
            relations.append(item)
            sides.append([])
        else:
            sides[-1].append(item)
    return Equation(tuple(map(tuple, sides)), tuple(relations), tag, remarks)


def _heading(segment: Sequence[Item]) -> int:
    r"""Return where what is said in front of an equation ends: words, and what comes with them.

    So it is in ``\text{For small } \theta, ...`` and in ``\theta: ...``.
    """
    said = [*takewhile(_is_text, segment)]
    before = [*takewhile(lambda item: item.text not in RELATIONS, segment)]
    ends = {":", ","} if any("small" in item.text for item in said) else {":"}
    marks = [place for place, item in enumerate(before) if item.text in ends]
    return marks[-1] + 1 if marks else len(said)
