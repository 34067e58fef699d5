r"""Where the equations of a page stand, and what stands beside them.

Displays are ``$$...$$``, ``\[...\]`` and the environments equation, align, gather, eqnarray,
multline and their kin, also by short names of the page's own such as ``\be ... \ee``. A line of
nothing but formulas and a label in parentheses, right after a display, belongs to it. Formulas in
running text are ``$...$``, ``\(...\)`` and, but in LaTeX, in plain letters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from freebody.documents.latex.page.blanks import Language
from freebody.documents.latex.page.inline import formulas
from freebody.documents.latex.page.markdown import ENVIRONMENTS, INNER
from freebody.documents.latex.page.page import Page
from freebody.documents.latex.page.passed import RELATION, Passed
from freebody.documents.latex.page.plain import plain_equations
from freebody.documents.latex.tokens.arguments import argument
from freebody.documents.latex.tokens.definitions import Macro
from freebody.documents.latex.tokens.macros import Macros
from freebody.documents.latex.tree import Span

_BEGIN = re.compile(rf"\\begin\{{({ENVIRONMENTS}|{INNER})\}}")
_INNER = re.compile(rf"\\begin\{{{INNER}\}}")
_BEGINS = re.compile(rf"\s*(?:\\begin\{{({ENVIRONMENTS})\}}|\\\[|\$\$)")
_ENDS = re.compile(rf"(?:\\end\{{{ENVIRONMENTS}\}}|\\\]|\$\$)\s*\Z")
_BLANK_DISPLAY = re.compile(r"\s*(?:\\begin\{[^{}]*\}\s*\\end\{[^{}]*\}\s*)?")
_PARAGRAPH_END = re.compile(r"\n[ \t\r]*\n|\Z")
_BESIDE = re.compile(
    r"[ \t]*(?:\r?\n[ \t]*)?(?P<formulas>(?:\$[^$\n]+\$[ \t]*)*)"
    r"(?:\((?P<label>[A-Z]{0,3}\.?\d+(?:\.\d+)*[a-z]?|-)\)|\{#(?P<mark>[\w:.-]+)[^}\n]*\})?"
    r"[ \t]*\r?(?=\n|\Z)"
)
_SPOKEN = re.compile(r"^[^\n\\$]*(?<![\\{A-Za-z])[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}", re.MULTILINE)
_PLAIN = "in plain letters; write it between dollars"
_UNREAD = "in plain letters; 'inline = true' in the front matter has it read"
_LITTLE = 120
"""Characters over which a display goes on with the one before."""
_SIGN = re.compile(
    r"(?:\s|&|\{\}|\\q?quad(?![A-Za-z])|\\[;,:!> ]|\\begin\{(?:aligned|split)\})*([+-])"
)
_INTERTEXT = re.compile(r"\\(?:short)?intertext\s*(?=\{)")
_FORMULA = re.compile(r"\$([^$\n]+)\$")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a display stands: all of it, its mathematics, and the formulas and label beside it.

    The closing mark that a display lacks is `unclosed`; `inline` is whether it is a formula in
    running text, `is_broken` whether a blank line stands in it.
    """

    whole: Span
    inside: Span
    beside: tuple[Span, ...] = ()
    label: str | None = None
    unclosed: str | None = None
    inline: bool = False
    is_broken: bool = False


def places(page: Page) -> Iterator[tuple[str, Place]]:
    r"""Yield the places of the equations of a page in order, each with what it is called.

    That is the label beside it, or the order of displays, or the line of running text.

    Examples
    --------
    >>> page = Page("$$a = b$$\n\nwith $c = d$ and $e$\n\n$$f = g$$ (7)", inline=True)
    >>> [label for label, place in places(page)]
    ['#1', 'line 3', '7']
    >>> text = r"\begin{align} a &= b \\ \intertext{with $c = d$} e &= f \end{align}"
    >>> [label for label, place in places(Page(text, inline=True))]
    ['#1', 'line 1']
    """
    return (named for named in _all(page) if page.inline or not named[1].inline)


def before(page: Page, place: Place) -> Place | None:
    """Return the display before another; None where there is none, or much stands between."""
    displays = [one for _, one in _all(page) if not one.inline]
    number = displays.index(place) if place in displays else 0
    found = displays[number - 1] if number else None
    if found is None or place.whole.start - found.whole.stop > _LITTLE or found.unclosed:
        return None
    return found


def unread(page: Page) -> Iterator[Place]:
    """Yield the equations in running text of a page on which they are not read."""
    if not page.inline:
        yield from (place for _, place in _all(page) if place.inline)


def between(page: Page) -> Iterator[Span]:
    """Yield the stretches of a page between its displays."""
    start = page.start
    for _, place in _all(page):
        if not place.inline:
            yield Span(start, place.whole.start)
            start = place.whole.stop
    yield Span(start, page.stop)


def in_plain_letters(page: Page) -> Iterator[Passed]:
    """Yield the equations of running text in plain letters that are not read.

    Examples
    --------
    >>> page = Page("The arm obeys M(θ)θ̈ + C = τ here, with V_max = l*v, and a = b as well.")
    >>> [page.text[one.start : one.stop] for one in in_plain_letters(page)]
    ['M(θ)θ̈ + C = τ', 'V_max = l*v']
    """
    if page.language == "latex":
        return
    for gap in between(page):
        for span, is_readable in _plain(page, page.readable[gap.start : gap.stop]):
            if not (page.inline and is_readable):
                reason = _UNREAD if is_readable else _PLAIN
                yield Passed(gap.start + span.start, gap.start + span.stop, reason)


@lru_cache(maxsize=4)
def _all(page: Page) -> tuple[tuple[str, Place], ...]:
    if page.whole is page:
        return tuple(_found(page))
    named = _all(page.whole)
    return tuple(one for one in named if page.start <= one[1].whole.start < page.stop)


def _found(page: Page) -> Iterator[tuple[str, Place]]:
    order, end = 0, page.start
    for place in _whole(page, _displays(page)):
        yield from _in_text(page, end, place.whole.start)
        end = place.whole.stop
        if not _is_emptied(page, place):
            order += 1
            yield place.label or f"#{order}", place
        for words in _between_rows(page, place):
            yield from _in_text(page, words.start, words.stop)
    yield from _in_text(page, end, page.stop)


def _between_rows(page: Page, place: Place) -> Iterator[Span]:
    """Yield the running text between the rows of a display."""
    for opening in _INTERTEXT.finditer(page.readable, *_ends(place.inside)):
        if found := argument(page.readable, opening.end()):
            yield Span(opening.end(), min(found[1], place.inside.stop))


def _whole(page: Page, displays: Iterable[Place]) -> Iterator[Place]:
    """Yield displays with those right behind them that go on with a sum."""
    last: Place | None = None
    for place in displays:
        if last and _goes_on(page, last, place):
            beside = (*last.beside, place.inside, *place.beside)
            whole = Span(last.whole.start, place.whole.stop)
            last = replace(last, whole=whole, beside=beside, label=place.label)
            continue
        if last:
            yield last
        last = place
    if last:
        yield last


def _goes_on(page: Page, last: Place, place: Place) -> bool:
    r"""Return whether a display is the rest of the sum before it: ``\[ + c = 0 \]``.

    One that begins with a minus sign may be an equation of its own, unless one of both is none.
    """
    text = page.readable
    sign = _SIGN.match(text, place.inside.start, place.inside.stop)
    is_apart = bool(text[last.whole.stop : place.whole.start].strip())
    if sign is None or is_apart or last.label or last.unclosed or place.unclosed:
        return False
    equated = (bool(RELATION.search(text, *_ends(one.inside))) for one in (last, place))
    return sign[1] == "+" or len({*equated}) == 2


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.stop


def _in_text(page: Page, start: int, stop: int) -> Iterator[tuple[str, Place]]:
    """Yield the formulas in running text, numbered where several stand on a line."""
    text = page.readable[start:stop]
    spans = list(formulas(text, page.language))
    if page.inline and page.language != "latex":
        spans += ((span, span) for span, is_readable in _plain(page, text) if is_readable)
        spans.sort(key=lambda one: one[0].start)
    found = [(page.place(page.position(start + whole.start)[0]), whole) for whole, _ in spans]
    sharing, seen = Counter(line for line, _ in found), Counter[str]()
    for (line, whole), (_, inside) in zip(found, spans, strict=True):
        seen[line] += 1
        number = f".{seen[line]}" if sharing[line] > 1 else ""
        yield line + number, Place(_moved(whole, start), _moved(inside, start), inline=True)


def _plain(page: Page, text: str) -> Iterator[tuple[Span, bool]]:
    """Yield the equations in plain letters that stand in no formula."""
    taken = [whole for whole, _ in formulas(text, page.language)]
    for span, is_readable in plain_equations(text, is_flowing=page.language == "html"):
        if not any(one.start < span.stop and span.start < one.stop for one in taken):
            yield span, is_readable


def _moved(span: Span, by: int) -> Span:
    return Span(span.start + by, span.stop + by)


def _is_emptied(page: Page, place: Place) -> bool:
    """Return whether a display holds definitions of macros alone."""
    inside = page.readable[place.inside.start : place.inside.stop]
    return bool(
        not place.unclosed
        and _BLANK_DISPLAY.fullmatch(inside)
        and page.text[place.inside.start : place.inside.stop] != inside
    )


class _Marks:
    """What opens and closes displays on a page."""

    def __init__(self, macros: Macros, language: Language) -> None:
        is_latex = language == "latex"
        doubled, inner = ("", "") if is_latex else (r"|\\\\\[", f"|{INNER}")
        self.short = {macro.name: macro for macro in macros.last() if _BEGINS.match(macro.body)}
        self._ends = [macro for macro in macros.last() if _ENDS.search(macro.body)]
        names = "".join(f"|{_word(name)}" for name in self.short)
        self.opening = re.compile(
            rf"(?<!\\)(?:\$\$|\\\[{doubled}|\\begin\{{(?:{ENVIRONMENTS}{inner})\}}{names})"
        )
        self._closings: dict[str, re.Pattern[str]] = {}

    def closing(self, mark: str) -> re.Pattern[str]:
        """Return what closes a display that should end with a mark."""
        if mark not in self._closings:
            names = [one.name for one in self._ends if one.body.rstrip().endswith(mark)]
            alternatives = "|".join((re.escape(mark), *map(_word, names)))
            self._closings[mark] = re.compile(alternatives)
        return self._closings[mark]


def _word(name: str) -> str:
    return re.escape(name) + ("(?![A-Za-z])" if name[-1].isalpha() else "")


def _displays(page: Page) -> Iterator[Place]:
    text, marks = page.readable, _Marks(page.macros, page.language)
    position = limit = page.start
    while opening := marks.opening.search(text, position, page.stop):
        if _is_part(text, opening):
            position = opening.end()
            continue
        if opening.end() > limit:
            limit = _paragraph_end(text, opening.end())
        place = _display(text, opening, marks, limit)
        if place.unclosed:
            place = _over_blank_lines(text, opening, place, marks, _stop(page, opening.start()))
        yield place
        position = max(place.whole.stop, opening.end())


def _is_part(text: str, opening: re.Match[str]) -> bool:
    """Return whether an environment is part of a formula in running text, and no display."""
    if not _INNER.fullmatch(opening[0]):
        return False
    before = text[: opening.start()]
    begins_line = not before[before.rfind("\n") + 1 :].strip(" \t>")
    behind = before.rstrip(" \t>\n")
    return not begins_line or (behind.endswith("$") and not behind.endswith("$$"))


def _display(text: str, opening: re.Match[str], marks: _Marks, limit: int) -> Place:
    macro = marks.short.get(opening[0])
    if macro and _is_complete(macro.body):
        return _call(text, opening, macro)
    mark, in_environment = _closing_mark(macro.body if macro else opening[0])
    closing = marks.closing(mark).search(text, opening.end(), limit)
    if not closing:
        return Place(Span(opening.start(), limit), Span(opening.end(), limit), unclosed=mark)
    whole = Span(opening.start(), closing.end())
    inside = whole if in_environment else Span(opening.end(), closing.start())
    return _with_beside(text, whole, inside)


def _stop(page: Page, offset: int) -> int:
    """Return where a display that begins at an offset ends at the latest: with its cell.

    In LaTeX a cell is of a file, of which others may go on with a display.
    """
    if page.language == "latex":
        return page.stop
    within = (cell.stop for cell in page.cells if cell.start <= offset < cell.stop)
    return next(within, page.stop)


def _over_blank_lines(
    text: str, opening: re.Match[str], place: Place, marks: _Marks, stop: int
) -> Place:
    """Return a display that goes on behind a blank line, if what comes there is no prose.

    A pair of dollars closes it where it opens no display of its own.
    """
    mark = place.unclosed or ""
    closing = marks.closing(mark).search(text, place.whole.stop, stop)
    if not closing or _SPOKEN.search(text, opening.end(), closing.start()):
        return place
    behind = marks.closing(mark).search(text, closing.end(), _paragraph_end(text, closing.end()))
    opens_again = text.find(opening[0], opening.end(), closing.start()) >= 0
    may_open = mark == "$$" and behind is not None and behind.end() <= stop
    if opens_again or (may_open and not _is_within(text, opening.end(), place, closing.start())):
        return place
    _, in_environment = _closing_mark(opening[0])
    whole = Span(opening.start(), closing.end())
    inside = whole if in_environment else Span(opening.end(), closing.start())
    return replace(_with_beside(text, whole, inside), is_broken=True)


def _is_within(text: str, start: int, place: Place, stop: int) -> bool:
    """Return whether a blank line stands in an environment of a display that ends behind it."""
    first, whole = (
        text.count(r"\begin{", start, end) - text.count(r"\end{", start, end)
        for end in (place.whole.stop, stop)
    )
    return first > 0 and whole == 0


def _is_complete(body: str) -> bool:
    begin = _BEGINS.match(body)
    return bool(begin and _ENDS.search(body, begin.end()))


def _call(text: str, opening: re.Match[str], macro: Macro) -> Place:
    """Return the place of a display that is the argument of a macro."""
    start = stop = opening.end()
    for _ in range(macro.arity):
        given = argument(text, stop)
        start, stop = (stop, given[1]) if given else (start, stop)
    whole = Span(opening.start(), stop)
    _, in_environment = _closing_mark(macro.body)
    return _with_beside(text, whole, whole if in_environment else Span(start, stop))


def _closing_mark(opening: str) -> tuple[str, bool]:
    """Return what closes a display, and whether it is an environment."""
    begin = _BEGIN.match(opening.lstrip())
    if begin:
        return rf"\end{{{begin[1]}}}", True
    opening = opening.lstrip()
    return ("$$" if opening.startswith("$$") else opening.replace("[", "]")[:3]), False


def _with_beside(text: str, whole: Span, inside: Span) -> Place:
    place = Place(whole, inside)
    beside = _BESIDE.match(text, whole.stop)
    if not beside:
        return place
    found = _FORMULA.finditer(text, *beside.span("formulas"))
    spans = tuple(Span(*formula.span(1)) for formula in found)
    label = None if beside["label"] == "-" else beside["label"] or beside["mark"]
    return replace(place, beside=spans, label=label)


def _paragraph_end(text: str, position: int) -> int:
    match = _PARAGRAPH_END.search(text, position)
    return match.start() if match else len(text)
