r"""What reStructuredText has for mathematics: the directive and the role ``math``; and its code.

Both are written over with the marks of LaTeX, character for character, so that places stay what
they are. What stands in other directives, be they known or not, is text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from freebody.documents.latex.page.markdown import inside_of_a_directive
from freebody.documents.latex.page.passed import Passed, blank, formulas_in_code

_EXPLICIT = re.compile(
    r"^(?P<lead>[ \t]*(?:[-*+]|\d{1,9}\.|#\.)?[ \t]*)\.\.(?=[ \t\r]|$)[ \t]*"
    r"(?P<rest>(?:(?:\|[^|\n]+\|[ \t]+)?(?P<name>[A-Za-z][\w:.+-]*?)[ \t]?::(?=[ \t\r]|$))?"
    r"[ \t]*(?P<given>[^\r\n]*))",
    re.MULTILINE,
)
_MATH = frozenset({"math", "displaymath"})
_CODE = frozenset({
    *("code", "code-block", "sourcecode", "parsed-literal", "highlight", "ipython", "plot"),
    *("doctest", "testcode", "testoutput", "testsetup", "jupyter-execute", "literalinclude"),
    *("prompt", "productionlist", "graphviz", "digraph", "mermaid", "tikz", "raw"),
})  # fmt: skip
_LITERAL = re.compile(r"^(?P<lead>[ \t]*)(?![ \t]|\.\.)(?P<words>[^\n]*)::[ \t\r]*$", re.MULTILINE)
_ROLE = re.compile(r"(?P<role>:math:)`(?P<inside>(?:[^`\\]|\\.){1,2000})`|``(?P<code>[^\n]+?)``")
_DEFAULT = re.compile(
    r"(?P<role>(?<![\w:`]))`(?P<inside>(?:[^`\\\n]|\\.){1,500})`(?![`_\w])|``(?P<code>[^\n]+?)``"
)
_DEFAULT_ROLE = re.compile(r"^[ \t]*\.\.[ \t]+default-role::[ \t]*math[ \t\r]*$", re.MULTILINE)
_TARGET = re.compile(r"_[^\n]*:|\[[^\]\n]+\]|__")
_BREAK = re.compile(r"(?:\r?\n)?")
_PAD = "   "


def padded(text: str) -> str:
    r"""Return a page with blanks behind each formula of a directive, to hold a mark of LaTeX.

    Examples
    --------
    >>> padded(".. math::\n\n   a = b\n")
    '.. math::\n\n   a = b   \n'
    """
    stops = [stop for match, stop in _blocks(text) if (match["name"] or "").lower() in _MATH]
    for stop in reversed(stops):
        text = text[:stop] + _PAD + text[stop:]
    return text


def read_restructured(text: str) -> tuple[str, list[Passed]]:
    r"""Return a page with the marks of LaTeX around its mathematics, and without its code.

    Returns
    -------
    str
        Of the same length.
    list of Passed
        The formulas in code.

    Examples
    --------
    >>> read_restructured(padded("If\n\n.. math:: a = b\n\nthen :math:`c = d`."))[0].split()
    ['If', '\\[', 'a', '=', 'b', '\\]', 'then', '$c', '=', 'd$.']
    """
    passed: list[Passed] = []
    text = _with_blocks(text, lambda whole, match: _block(whole, match, passed))
    text = _without_literal_blocks(text, passed)
    role = _DEFAULT if _DEFAULT_ROLE.search(text) else _ROLE
    return _ROLE.sub(_role, role.sub(_role, text)), passed


def without_comments(text: str) -> str:
    r"""Return a page with blanks for what no reader sees of it.

    Examples
    --------
    >>> without_comments("With\n\n.. the damping\n   :math:`b`\n\na spring").split()
    ['With', 'a', 'spring']
    """
    return _with_blocks(text, lambda whole, match: blank(whole) if _is_comment(match) else None)


def _with_blocks(text: str, read: Callable[[str, re.Match[str]], str | None]) -> str:
    """Return a page with what is read of each directive and comment; those of None are text."""
    parts, position = list[str](), 0
    for match, stop in _blocks(text):
        if match.start() < position:
            continue
        block = read(text[match.start() : stop], match)
        if block is not None:
            parts += [text[position : match.start()], block]
            position = stop
    return "".join(parts) + text[position:]


def _blocks(text: str) -> Iterator[tuple[re.Match[str], int]]:
    """Yield what begins with two points, with where the lines that are indented below it end.

    A formula of a directive is passed at once: no directive stands in it.
    """
    position = 0
    while match := _EXPLICIT.search(text, position):
        stop = _end(text, match.end(), len(match["lead"].expandtabs(8)))
        if match["given"] and stop == match.end() and not match["given"].strip():
            stop = match.end()
        yield match, stop
        position = stop if (match["name"] or "").lower() in _MATH else match.end()
        position = max(position, match.start() + 1)


def _end(text: str, position: int, indent: int) -> int:
    """Return where the lines that are indented by more end, without empty ones behind them."""
    stop = position
    while position < len(text):
        after = text.find("\n", position + 1)
        after = len(text) if after < 0 else after
        line = text[position + 1 : after].expandtabs(8)
        if line.strip():
            if len(line) - len(line.lstrip(" ")) <= indent:
                break
            stop = after
        position = after
    return stop - (text[stop - 1 : stop] == "\r")


def _block(whole: str, match: re.Match[str], passed: list[Passed]) -> str | None:
    """Return what is read of a directive or comment; None where it is text."""
    name, start = (match["name"] or "").lower(), match.start()
    if name in _MATH:
        return _display(whole, match)
    if name == "raw" and "latex" in match["given"]:
        head = match.end() - start
        return blank(whole[:head]) + whole[head:]
    if name.partition(":")[0] in _CODE:
        reason = f"in a block of code ({name})"
        passed += formulas_in_code(whole, start, reason)
        return blank(whole)
    return blank(whole) if _is_comment(match) else None


def _is_comment(match: re.Match[str]) -> bool:
    return not match["name"] and not _TARGET.match(match["rest"])


def _display(whole: str, match: re.Match[str]) -> str:
    r"""Write a directive as ``\[ ... \]``; its last blanks make room for the mark."""
    if not whole.endswith(_PAD):
        return whole
    lead, given = len(match["lead"]), match.start("given") - match.start()
    given += len(_BREAK.match(whole, given)[0])  # type: ignore[index]
    body = whole[given : -len(_PAD)]
    if not body.strip():
        return blank(whole)
    opened = whole[:lead] + r"\[" + blank(whole[lead + 2 : given])
    return opened + inside_of_a_directive(body) + r" \]"


def _without_literal_blocks(text: str, passed: list[Passed]) -> str:
    """Blank the indented lines behind two colons at the end of a line."""
    parts, position = list[str](), 0
    for match in _LITERAL.finditer(text):
        if match.start() < position:
            continue
        stop = _end(text, match.end(), len(match["lead"].expandtabs(8)))
        code = text[match.end() : stop]
        if code.strip():
            passed += formulas_in_code(code, match.end(), "in a literal block")
            parts += [text[position : match.end()], blank(code)]
            position = stop
    return "".join(parts) + text[position:]


def _role(match: re.Match[str]) -> str:
    if match["code"] is not None:
        return blank(match[0])
    return " " * len(match["role"]) + f"${match['inside']}$"
