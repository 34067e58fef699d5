r"""The mathematics of an HTML page: what MathJax and KaTeX show, and what their source is.

Tags become blanks, paragraphs are kept apart, and formulas stand between the marks of LaTeX: those
in text as they are, those of ``<script type="math/tex">``, of the annotations of MathML and of
pictures with their LaTeX beside them. Nothing is moved, so that places stay what they are.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

from freebody.documents.latex.page.emphasis import unemphasised
from freebody.documents.latex.page.passed import Passed, blank, formulas_in_code
from freebody.documents.latex.page.templates import untemplated


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BLOCKS = _names(
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p section "
    "summary table tbody td tfoot th thead tr ul"
)
_CODE = _names("pre code kbd samp tt xmp listing textarea")
_HIDDEN = _names("head title style script template svg canvas iframe object select button")
_WHOLE = _CODE | _HIDDEN | {"math", "mjx-container"}
_VOID = _names("area base br col embed hr img input link meta param source track wbr")
_SHOWN_AGAIN = re.compile(
    r"(?:^|\s)(?:katex-html|MathJax(?:_Preview|_Display|_SVG|_CHTML)?|mjx-chtml|eqno)(?:\s|$)"
)
_DISPLAYED = re.compile(r"(?:^|[\s_-])(?:display|displaymath|block)(?:\s|$)")
_IS_MATH = re.compile(r"(?:^|\s)math(?:\s|$)")
_MAY_BE_MATH = re.compile(
    r"(?:^|\s)(?:math|tex|latex|katex|equation|eqn?|formula)(?:[_-]\w+)*(?:\s|$)", re.IGNORECASE
)
_HAS_LATEX = re.compile(r"\\[A-Za-z]{2,}|[_^]\{")
_TEX = re.compile(r"^\s*(?:math/|application/x-|text/)(?:la)?tex\b", re.IGNORECASE)
_NUMBER = re.compile(r"\(([A-Z]{0,3}\.?\d+(?:\.\d+)*[a-z]?)\)")
_ALT = re.compile(r"""\balt\s*=\s*(?P<quote>["'])(?P<latex>.*?)(?P=quote)""", re.DOTALL)
_LOOKS = re.compile(r"\\[A-Za-z]{2,}|[_^]\{?\w|=")
_MACROS = re.compile(r"[\"']?macros[\"']?\s*:\s*\{", re.IGNORECASE)
_TEXT = r"(?P<raw_{0}>r?)[\"'](?P<{0}>(?:\\.|[^\"'\\]){{0,300}})[\"']"
_MACRO = re.compile(
    r"[\"']?\\{0,2}(?P<name>[A-Za-z]+)[\"']?\s*:\s*"
    rf"(?:{_TEXT.format('text')}|\[\s*{_TEXT.format('body')}\s*,\s*[\"']?(?P<count>\d)[^\]]{{0,99}}\])"
)
_TAG = re.compile(r"<[/!]?[A-Za-z-][^<>]{0,2000}>")
_IN_CODE = re.compile(r"`(?P<formula>\\\(.{1,400}?\\\)|\$[^$`\n]{1,400}\$)`")
_DRAWN = re.compile(
    r"katex\.render(?:ToString)?\(\s*(?P<raw>String\.raw)?(?P<quote>[\"'`])"
    r"(?P<latex>(?:\\.|(?!(?P=quote))[^\\\n$]){2,8000}?)(?P=quote)"
)
"""A formula that a script gives to KaTeX as a text."""
_BRACE = re.compile(r"[{}]")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_DOUBLED = re.compile(r"\\+")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});?")
_OPENS = re.compile(r"\s*\\\[")
_BLANKS = re.compile(r"[ \t]{2,}")
_MATH_MARKS = re.compile(
    r"\\[(\[]|\$|\\begin\{(?!\w?matrix|smallmatrix|aligned|array|cases|split|gathered)"
)
_HEADING = re.compile(r"<h([1-6])\b[^>]*>(.{0,500}?)</h\1>", re.DOTALL | re.IGNORECASE)
_APART = "\n\n"


@dataclass(slots=True)
class _Event:
    """A tag, a stretch of text, or anything else of the markup, and where it begins."""

    start: int
    kind: str
    name: str = ""
    given: dict[str, str] = field(default_factory=dict)


class _Events(HTMLParser):
    """Notes where tags and text begin."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=False)
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self.events: list[_Event] = []
        self.feed(text)
        if self.rawdata:  # a tag that is never closed
            self._note("text")

    def _note(
        self, kind: str, name: str = "", given: Sequence[tuple[str, str | None]] = ()
    ) -> None:
        line, column = self.getpos()
        pairs = {key: value or "" for key, value in given}
        self.events.append(_Event(self._starts[line - 1] + column, kind, name, pairs))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._note("start", tag, attrs)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._note("void", tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        self._note("end", tag)

    def handle_data(self, data: str) -> None:  # noqa: ARG002
        self._note("text")

    def handle_entityref(self, name: str) -> None:  # noqa: ARG002
        self._note("text")

    def handle_charref(self, name: str) -> None:  # noqa: ARG002
        self._note("text")

    def handle_comment(self, data: str) -> None:  # noqa: ARG002
        self._note("comment")

    def handle_decl(self, decl: str) -> None:  # noqa: ARG002
        self._note("comment")

    def handle_pi(self, data: str) -> None:  # noqa: ARG002
        self._note("comment")

    def unknown_decl(self, data: str) -> None:  # noqa: ARG002
        self._note("comment")


def read_hypertext(text: str) -> tuple[str, list[Passed]]:
    r"""Return a page with the marks of LaTeX around its mathematics, without tags and code.

    Returns
    -------
    str
        Of the same length.
    list of Passed
        The formulas in code, and those of which there is no LaTeX.

    Examples
    --------
    >>> read_hypertext("<p>So \\(a &lt; b\\).</p>")[0].strip()
    'So \\(a <    b\\).'
    """
    return _Page(unemphasised(text)).read()


def hypertext_prose(text: str) -> str:
    r"""Return what a reader sees of a page, with its formulas, but for blocks of a program.

    The tags of its own blocks keep items and cells apart, without what is given in them.

    Examples
    --------
    >>> hypertext_prose('<li class="a">the <b title="$c$">mass</b> <code>m</code></li><svg>F</svg>')
    '<li> the mass m </li> '
    """
    return _BLANKS.sub(" ", _Prose(unemphasised(text)).read()[0])


class _Page:
    """A page that is written over, tag by tag."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.events = _Events(text).events
        self.parts: list[str] = []
        self.passed: list[Passed] = []
        self.labels: list[tuple[int, str]] = []
        self._ends = _ends(self.events)

    def read(self) -> tuple[str, list[Passed]]:
        number = 0
        self.parts.append(self.text[: self._start(0)])
        while number < len(self.events):
            behind = self._behind(number)
            start, stop = self._start(number), self._start(behind)
            written = self._written(number, behind, start, stop)
            self.parts.append(written.ljust(stop - start)[: stop - start])
            number = behind
        return self._labelled("".join(self.parts)), self.passed

    def _start(self, number: int) -> int:
        return self.events[number].start if number < len(self.events) else len(self.text)

    def _behind(self, number: int) -> int:
        """Return the number of the event behind one, or behind all of an element that is one."""
        one = self.events[number]
        is_whole = one.name in _WHOLE or _is_shown_again(one) or self._is_bare(number)
        if one.kind != "start" or not is_whole:
            return number + 1
        unclosed = len(self.events) - 1 if one.name in ("script", "style") else number
        return self._ends.get(number, unclosed) + 1

    def _is_bare(self, number: int) -> bool:
        """Return whether an element holds LaTeX without marks, and nothing else."""
        one, last = self.events[number], self._ends.get(number)
        called = one.given.get("class", "")
        if last is None or not _MAY_BE_MATH.search(called):
            return False
        latex = self.text[self._start(number + 1) : self._start(last)]
        is_text = all(inner.kind == "text" for inner in self.events[number + 1 : last])
        is_math = bool(_IS_MATH.search(called) and latex.strip()) or bool(_HAS_LATEX.search(latex))
        return is_text and is_math and not _MATH_MARKS.search(latex)

    def _written(self, number: int, behind: int, start: int, stop: int) -> str:
        one, whole = self.events[number], self.text[start:stop]
        if one.kind == "text":
            return _ENTITY.sub(_character, whole)
        if behind > number + 1 and _holds_slides(one):
            return _slides(whole)
        if behind > number + 1 and self._is_bare(number):
            is_display = bool(_DISPLAYED.search(one.given["class"])) or one.name == "div"
            return self._marked(number, behind, number + 1, behind - 1, is_display=is_display)
        if one.name == "math" and behind > number + 1:
            return self._annotated(number, behind)
        if one.name == "script" and _TEX.match(one.given.get("type", "")):
            return self._in_script(number, behind)
        if one.name in ("head", "script") and one.kind == "start":
            return macros_of(whole).ljust(stop - start) if _MACROS.search(whole) else drawn(whole)
        if one.name == "img":
            return self._pictured(number, behind, whole)
        if one.name == "mjx-container":
            return self._rendered(number, behind)
        self._note(one, start, whole)
        return blank(whole) if one.name not in _BLOCKS else _apart(whole)

    def _note(self, one: _Event, start: int, whole: str) -> None:
        """Note the formulas in what is code, and the number of an equation."""
        if one.name in _CODE:
            self.passed += formulas_in_code(whole, start, f"in <{one.name}>")
        elif "eqno" in one.given.get("class", "").split():
            self._note_label(start, whole)

    # ------------------------------------------------------------------ formulas

    def _annotated(self, number: int, behind: int) -> str:
        """Return what stands for MathML: the LaTeX that it was made of, if that is in it."""
        for inner in range(number, behind):
            if inner in self._ends and _is_of_tex(self.events[inner]):
                last, is_display = self._ends[inner], self._is_displayed(number, behind)
                return self._marked(number, behind, inner + 1, last, is_display=is_display)
        self._pass(number, behind, "MathML without the LaTeX that it was made of")
        return blank(self.text[self._start(number) : self._start(behind)])

    def _in_script(self, number: int, behind: int) -> str:
        is_display = "mode=display" in self.events[number].given.get("type", "").replace(" ", "")
        return self._marked(number, behind, number + 1, behind - 1, is_display=is_display)

    def _pictured(self, number: int, behind: int, whole: str) -> str:
        """Return the LaTeX beside a picture of a formula, unless that stands there anyway."""
        given = self.events[number].given
        found, kind = _ALT.search(whole), given.get("class", "")
        is_formula = bool(re.search(r"latex|tex\b|math|formula|equation", kind)) or "math" in given
        if not found or "mwe-math-fallback" in kind or not _LOOKS.search(found["latex"]):
            return blank(whole)
        if not is_formula and not re.search(r"\\[A-Za-z]{2,}", found["latex"]):
            return blank(whole)
        mark = "$$" if self._is_displayed(number, behind) else "$"
        first, last = found.span("latex")
        opened = blank(whole[: first - len(mark)]) + mark
        latex = _ENTITY.sub(_character, found["latex"])
        return opened + latex + mark + blank(whole[last + len(mark) :])

    def _rendered(self, number: int, behind: int) -> str:
        for inner in range(number + 1, behind):
            if self.events[inner].name == "math" and inner in self._ends:
                head = blank(self.text[self._start(number) : self._start(inner)])
                last = self._ends[inner] + 1
                tail = blank(self.text[self._start(last) : self._start(behind)])
                return head + self._annotated(inner, last) + tail
        self._pass(number, behind, "drawn by MathJax, without the LaTeX that it was made of")
        return blank(self.text[self._start(number) : self._start(behind)])

    def _pass(self, number: int, behind: int, reason: str) -> None:
        whole = self.text[self._start(number) : self._start(behind)]
        if "=" in re.sub(r"<[^>]*>", "", whole):
            self.passed.append(Passed(self._start(number), self._start(behind), reason))

    def _marked(self, number: int, behind: int, first: int, last: int, *, is_display: bool) -> str:
        """Write what stands between two events of an element as a formula."""
        start, stop = self._start(number), self._start(behind)
        begin, end = self._start(first), self._start(last)
        latex = _ENTITY.sub(_character, self.text[begin:end]).replace("\n\n", " \n")
        opening, closing = (r"\[", r"\]") if is_display else ("$", "$")
        indent = len(latex) - len(latex.lstrip())
        before = blank(self.text[start : begin + indent])[: -len(opening)]
        return (before + opening + latex.strip() + closing).ljust(stop - start)

    def _is_displayed(self, number: int, behind: int) -> bool:
        """Return whether a formula is displayed: it says so, or is all of its paragraph."""
        one = self.events[number]
        if one.given.get("display") == "block" or self._stands_in_a_display(number):
            return True
        return self._is_alone(range(number - 1, -1, -1)) and self._is_alone(
            range(behind, len(self.events))
        )

    def _stands_in_a_display(self, number: int) -> bool:
        around = (
            at for at in range(max(number - 12, 0), number) if self._ends.get(at, -1) > number
        )
        return any(_DISPLAYED.search(self.events[at].given.get("class", "")) for at in around)

    def _is_alone(self, numbers: range) -> bool:
        """Return whether no words stand before the next block; marks after a formula do not count.

        What shows the same formula again is no word.
        """
        for number in numbers[:40]:
            one = self.events[number]
            if one.name in _BLOCKS or one.name == "br":
                return True
            words = self.text[self._start(number) : self._start(number + 1)].strip(" \t\r\n.,;:")
            if one.kind == "text" and words and not _ENTITY.fullmatch(words):
                return False
        return True

    # ------------------------------------------------------------------ numbers

    def _note_label(self, start: int, whole: str) -> None:
        found = _NUMBER.search(re.sub(r"<[^>]*>", "", whole))
        if found:
            self.labels.append((start, found[1]))

    def _labelled(self, text: str) -> str:
        r"""Write numbers that stand before displays into them: ``(3) \[`` as ``\[\tag{3}``."""
        for start, label in self.labels:
            opened, tag = _OPENS.match(text, start), rf"\[\tag{{{label}}}"
            if opened and opened.end() - start >= len(tag):
                room = opened.end() - start - len(tag)
                text = text[:start] + tag + " " * room + text[opened.end() :]
        return text


class _Prose(_Page):
    """A page that is written over, but for plain text in code and the names of tags of blocks."""

    def _written(self, number: int, behind: int, start: int, stop: int) -> str:
        one, whole = self.events[number], self.text[start:stop]
        is_plain = one.name in _CODE and not self._is_highlighted(number, behind)
        if is_plain and behind > number + 1 and not _holds_slides(one):
            return _ENTITY.sub(_character, _TAG.sub(lambda tag: blank(tag[0]), whole))
        if one.name in _BLOCKS:
            return (f"</{one.name}>" if one.kind == "end" else f"<{one.name}>") + blank(whole)
        return super()._written(number, behind, start, stop)

    def _is_highlighted(self, number: int, behind: int) -> bool:
        """Return whether there are tags in a block of code, as a program has them."""
        inside = self.events[number + 1 : behind - 1]
        return self.events[number].name == "pre" and any(one.kind == "start" for one in inside)


def drawn(script: str) -> str:
    r"""Return a script as blanks, but for the formulas that it has KaTeX draw.

    Examples
    --------
    >>> drawn(r'katex.render("m\\ddot x = F", box);').strip()
    '$$m \\ddot x = F$$'
    >>> drawn(r'katex.render("a \\\\{b}", box);').strip()
    '$$a   \\\\{b}$$'
    """
    parts, end = [], 0
    for match in _DRAWN.finditer(script):
        latex = match["latex"] if match["raw"] else _DOUBLED.sub(_halved, match["latex"])
        opened = f"{blank(script[end : match.start('latex') - 2])}$$"
        parts.append(f"{opened}{latex}$$")
        end = match.end("latex") + 2
    return "".join(parts) + blank(script[end:])


def _halved(match: re.Match[str]) -> str:
    """Return the backslashes that are meant by twice as many, behind as many blanks."""
    blanks, odd = divmod(len(match[0]), 2)
    return " " * (blanks + odd) + "\\" * blanks


def macros_of(script: str) -> str:
    r"""Return the macros that a page sets for MathJax or KaTeX as definitions of LaTeX.

    Examples
    --------
    >>> macros_of('MathJax = {tex: {macros: {bx: "\\\\mathbf{x}", two: ["#1^{#2}", 2]}}};')
    '\\def\\bx{\\mathbf{x}}\\def\\two#1#2{#1^{#2}}'
    """
    found = _MACROS.search(script)
    made = []
    stop = _end_of(script, found.end()) if found else 0
    for match in _MACRO.finditer(script, found.end(), stop) if found else ():
        body = match["text"] or match["body"] or ""
        if not (match["raw_text"] or match["raw_body"]):
            body = _ESCAPED.sub(r"\1", body)
        arguments = "".join(f"#{n}" for n in range(1, int(match["count"] or 0) + 1))
        made.append(rf"\def\{match['name']}{arguments}{{{body}}}")
    written = "".join(made)
    return written if len(written) <= len(script) else ""


def _end_of(script: str, start: int) -> int:
    """Return where the braces end that are open at an offset."""
    depth = 1
    for brace in _BRACE.finditer(script, start):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return brace.start()
    return len(script)


def _ends(events: list[_Event]) -> dict[int, int]:
    """Return the numbers of the closing tags of elements that are read as a whole."""
    waiting: dict[str, list[int]] = {}
    found: dict[int, int] = {}
    for number, one in enumerate(events):
        if one.kind == "start" and one.name not in _VOID:
            waiting.setdefault(one.name, []).append(number)
        elif one.kind == "end" and waiting.get(one.name):
            found[waiting[one.name].pop()] = number
    return found


def _holds_slides(one: _Event) -> bool:
    """Return whether an element holds slides in Markdown, as remark.js and reveal.js have them."""
    kind, is_named = one.given.get("type", ""), one.given.get("id") == "source"
    is_template = "data-template" in one.given or kind in ("text/template", "text/x-markdown")
    return (one.name == "textarea" and (is_named or is_template)) or (
        one.name == "script" and (is_template or kind == "text/markdown")
    )


def _slides(whole: str) -> str:
    r"""Return slides without tags, and formulas without the marks of code around them."""
    plain = _TAG.sub(lambda tag: blank(tag[0]), untemplated(whole))
    bare = _IN_CODE.sub(lambda found: f" {found['formula']} ", plain)
    return _ENTITY.sub(_character, bare)


def _is_of_tex(one: _Event) -> bool:
    return one.name == "annotation" and "tex" in one.given.get("encoding", "").lower()


def _is_shown_again(one: _Event) -> bool:
    return bool(_SHOWN_AGAIN.search(one.given.get("class", "")))


def _character(match: re.Match[str]) -> str:
    """Return the character of an entity, with blanks behind it."""
    character = html.unescape(match[0]).replace("\xa0", " ")
    return character.ljust(len(match[0])) if len(character) <= len(match[0]) else match[0]


def _apart(tag: str) -> str:
    """Return an end of a paragraph for a tag of a block."""
    return _APART + blank(tag)[len(_APART) :]


def headings_of(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield what the headings of a page say, where they begin, and their levels.

    Examples
    --------
    >>> list(headings_of("<h1>One <b>link</b></h1>"))
    [('One link', 0, 1)]
    """
    for match in re.finditer(
        r"<h([1-6])\b[^>]*>(.{0,500}?)</h\1>", text, re.DOTALL | re.IGNORECASE
    ):
        title = html.unescape(re.sub(r"<[^>]*>", "", match[2]))
        yield " ".join(title.split()), match.start(), int(match[1])
