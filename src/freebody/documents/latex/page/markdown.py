r"""What Markdown has for mathematics, besides ``$$``, and what of it is code.

Fences, roles and doubled backslashes are written over with the marks of LaTeX, character for
character, so that places stay what they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from freebody.documents.latex.page.blocks import BLOCK
from freebody.documents.latex.page.passed import RELATION, Passed, blank, formulas_in_code
from freebody.documents.latex.page.plain import (
    BREAK,
    NO_LANGUAGE,
    has_drawings,
    has_marks,
    is_equations,
    is_marked,
    is_stated,
    plain_equations,
    starts,
)
from freebody.documents.latex.page.templates import untemplated

ENVIRONMENTS = (
    r"(?:equation|align|gather|eqnarray|multline|flalign|alignat|xalignat|xxalignat|displaymath"
    r"|IEEEeqnarray|dmath|dgroup|darray|math|empheq)\*?"
)
"""The environments that are displays."""

INNER = r"(?:aligned|alignedat|gathered|split|d?cases)"
"""Those that are parts of displays in LaTeX, and displays where they begin a line of Markdown."""

COMMENT = r"<!--.*?(?:-->|\Z)"
"""A comment, over lines; to the end of the page where nothing ends it."""

_VERBATIM = r"(?:verbatim|Verbatim|lstlisting|minted|alltt|comment|filecontents)\*?"
_MARKED = re.compile(
    r"^(?P<lead>[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)"
    r"(?P<fence>`{3,}(?=[^`\n]*$)|~{3,}|:{3,}(?=[ \t]*\{math\}))[ \t]*(?P<info>[^\n]*)\n?"
    r"(?P<body>.*?)(?P<end>^[ \t>]*(?P=fence)[`~:]*|\Z)"
    rf"|{COMMENT}"
    r"|^(?P<bare>[ \t]*\[[ \t]*\n(?P<copied>[^\0]{1,2000}?)\n[ \t]*\])[ \t]*$"
    rf"|\\begin\{{(?P<name>{_VERBATIM})\}}.*?(?:\\end\{{(?P=name)\}}|\Z)"
    r"|<(?P<tag>pre|code|script|style|math)\b[^<>]{0,500}>.*?(?:</(?P=tag)>|\Z)"
    r"|(?P<link>\[\\\[[^\]\n]{0,500}\\\]\]\([^)\n]{0,2000}\))"
    r"|(?P<picture>!\[[^\]\n]{0,500}\]\([^)\n]{0,2000}\)|<img\b[^>]{0,3000}>)"
    r"|^[ \t]*\$`(?P<dollars>[ \t]*\n(?:[^`\n]*\S[^`\n]*\n){1,60}[ \t]*)`\$[ \t]*$"
    r"|\$`(?P<dollar>[^`\n]+)`\$"
    rf"|^[ \t]*\$(?P<inner>[ \t]*\\begin\{{(?P<of>{INNER})\}}[^$]{{1,5000}}?"
    r"\\end\{(?P=of)\}\s*)\$[ \t]*$"
    r"|(?::math:|\{math\})`(?P<role>[^`\n]+)`"
    r"|(?<!`)(?P<ticks>`+)(?!`)(?P<code>[^`\n]+|[^\n]{1,500}?)(?P=ticks)(?!`)",
    re.MULTILINE | re.DOTALL,
)
_SERVED = re.compile(r"latex|tex\?|mathtex|mathurl|render/math|chart\?cht=tx", re.IGNORECASE)
LONGEST_FENCE = 20
"""Backticks of a directive, each more than those of the directives in it."""
_DIRECTIVE = re.compile(r"\{[ \t]*[A-Za-z][\w:-]*[ \t]*\}")
_OF_CODE = frozenset({
    "code", "code-block", "code-cell", "sourcecode", "literalinclude", "raw", "eval-rst", "image",
    "mermaid", "graphviz", "plantuml", "dot", "python", "r", "julia", "ojs", "bash", "sh", "shell",
    "sql", "js", "javascript", "cpp", "c", "matlab", "octave", "stan", "include", "toctree",
})  # fmt: skip
"""Directives, and languages of notebooks in Markdown, that hold no text."""
_LANGUAGE = re.compile(r"\{?[ \t]*[.=]?([\w+-]*)")
_BEHIND = re.compile(r"(?:\n[ \t]*:[\w-]+:(?:[ \t][^\n]*)?)+(?=\n|\Z)")
_EMPTY = re.compile(r"\n[ \t]*\n")
_OPTIONS = re.compile(r"\s*---[ \t]*\n.*?\n---[ \t]*(?=\n)|(?:[ \t>]*:[\w-]+:[^\n]*\n)+", re.DOTALL)
_LABEL = re.compile(r":label: (?P<label>[^\s{}]+)")
_LINES = re.compile(r"(?<=\n)(?:[ \t>]*\n)+")
_COMMAND = re.compile(r"\\[A-Za-z]{2,}")
_DOCUMENT = re.compile(
    r"\\(?:document(?:class|style)|part|chapter|(?:sub)*section|paragraph|usepackage|input|include"
    r"|includegraphics|caption|item|(?:re)?new[a-z]+|def|let)(?![A-Za-z])"
    r"|\\begin\{(?!(?:[aA]lign|gather|eq|split|[pbvBV]?matrix|cases|array|multline))|\\[\[(]"
)
"""Commands of what is a document, or a part of one, and no formula."""
_DELIMITED = re.compile(r"\$\$|(?<!\\)\\\[")
_DOUBLED = re.compile(
    rf"^([ \t]*)\\(\\begin\{{({ENVIRONMENTS})\}}[^\0]{{0,5000}}?)\\(\\end\{{\3\}})", re.MULTILINE
)
_ESCAPED = re.compile(r"(?<=\\\\\[)[^\0]{1,5000}?(?=\\\\\])|(?<=\\\\\()[^\0\n]{1,500}?(?=\\\\\))")
"""What stands between doubled marks of mathematics, as some programs want it."""
_ESCAPES = re.compile(r"(?<!\\)(?:\\\\(?=[A-Za-z]{2}|[,;!])|\\(?=[()_*]))")
_ENTITIES = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&nbsp;": " ", "&minus;": "-", "&#38;": "&"}
_MARKUP = re.compile("|".join(_ENTITIES) + r"|<br[ \t]*/?>", re.IGNORECASE)
_QUOTED = re.compile(r"(?:^ {0,3}>[^\n]*(?:\n|\Z))+", re.MULTILINE)
_DOLLAR = re.compile(r"(?<!\\)\$")
_MARK = re.compile(r"^ {0,3}(?:>[ \t]?)+", re.MULTILINE)
_INDENTED = re.compile(r"(?:\A|\n[ \t]*\n)((?:(?: {4}|\t)[^\n]*(?:\n|\Z)(?:[ \t]*\n)*)+)")
_WRITTEN = re.compile(r"^[ \t]*\\begin\{(?:equation|align|gather|eqnarray|multline)\*?\}", re.M)
"""What no code has at the beginning of its lines: a page of LaTeX that is indented as a whole."""
_ITEM = re.compile(
    r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+|(?:!!!|\?\?\?\+?|===|\[\^[^\]\n]*\]:|:[ \t])"
)
_NEAR = 5000  # characters before indented lines that tell what they belong to


def read_markdown(text: str) -> tuple[str, list[Passed]]:
    r"""Return a page with the marks of LaTeX around its mathematics, and without its code.

    Returns
    -------
    str
        Of the same length.
    list of Passed
        The formulas in code and pictures.

    Examples
    --------
    >>> read_markdown("```math\na = b\n```")[0].split()
    ['\\[', 'a', '=', 'b', '\\]']
    >>> read_markdown("$`a = b`$, `c`")[0]
    '$ a = b $,    '
    """
    passed: list[Passed] = []
    text = untemplated(_QUOTED.sub(_unquoted, text))
    text = _without_indented_code(text, passed)
    text, passed_in_marks = _without_marks(text)
    text = _ESCAPED.sub(lambda found: _ESCAPES.sub(_without_escape, found[0]), text)
    text = _DOUBLED.sub(r"\1 \2 \4", text)
    return _MARKUP.sub(lambda found: _unescaped(found[0]), text), [*passed, *passed_in_marks]


def _without_marks(text: str) -> tuple[str, list[Passed]]:
    """Write the marks of LaTeX for those of Markdown, within directives too."""
    passed: list[Passed] = []

    def written(match: re.Match[str]) -> str:
        rule = next((rule for group, rule in _RULES.items() if match[group] is not None), None)
        read, passed_here = rule(match) if rule else (blank(match[0]), ())
        passed.extend(passed_here)
        return read

    return _MARKED.sub(written, text), passed


_Read = tuple[str, "tuple[Passed, ...]"]


def _without_escape(match: re.Match[str]) -> str:
    r"""Take the first backslash off ``\\\\frac`` and ``\\)``, which is there for Markdown."""
    return f" {match[0][1:]}"


def _unescaped(markup: str) -> str:
    return _ENTITIES.get(markup.lower(), "").ljust(len(markup))


def _unquoted(match: re.Match[str]) -> str:
    """Take the marks off a quotation that holds all of its formulas."""
    text = match[0]
    begun = len(_DOLLAR.findall(text)), text.count(r"\["), len(re.findall(r"\\begin\{", text))
    ended = begun[0] // 2 * 2, text.count(r"\]"), len(re.findall(r"\\end\{", text))
    is_whole = begun == ended and any(begun)
    return _MARK.sub(lambda mark: blank(mark[0]), text) if is_whole else text


# ---------------------------------------------------------------------- fences


def _fenced(match: re.Match[str]) -> _Read:
    language = _LANGUAGE.match(match["info"])
    name = language[1].lower() if language else ""
    if name in ("math", "katex"):
        return _display(match, match["body"]), ()
    if name in ("latex", "tex") and match["info"].lstrip("{ ").startswith("="):
        return _transparent(match), ()
    if name in ("latex", "tex") and _is_formula(match["body"]):
        return _display(match, match["body"]), ()
    is_directive = _DIRECTIVE.match(match["info"]) and len(match["fence"]) <= LONGEST_FENCE
    if is_directive and name not in _OF_CODE:
        return _directed(match)
    if in_plain_letters(match):
        return (_lines(match) if is_equations(match["body"]) else _transparent(match)), ()
    start = match.start("body")
    reason = f"in a block of code{f' ({name})' if name else ''}"
    return blank(match[0]), tuple(formulas_in_code(match["body"], start, reason, name))


def _is_formula(code: str) -> bool:
    r"""Return whether a block of LaTeX is a formula as it stands between ``\[`` and ``\]``.

    Examples
    --------
    >>> _is_formula(r"\dot x = v"), _is_formula(r"$$ \dot x = v $$"), _is_formula(r"\section{A}")
    (True, False, False)
    """
    is_whole = not _DOCUMENT.search(code) and not any(map(code.__contains__, "$%#"))
    return is_whole and bool(RELATION.search(code) and _COMMAND.search(code))


def in_plain_letters(fence: re.Match[str]) -> bool:
    """Return whether a block that names no language has equations in plain letters, and no code.

    Where none of its letters tells, another such block of the page must.
    """
    body = fence["body"]
    if fence["info"].strip().lower() not in NO_LANGUAGE or "=" not in body:
        return False
    if has_marks(body):
        is_read = any(can_be_read for _, can_be_read in plain_equations(body))
        return is_read or has_drawings(body)  # which are told, as no others can be
    return is_equations(body) and _prints_blocks(fence.string)


@lru_cache(maxsize=2)
def _prints_blocks(text: str) -> bool:
    blocks = (match["body"] or "" for match in BLOCK.finditer(text))
    return any(is_stated(block) or (has_marks(block) and is_equations(block)) for block in blocks)


def _transparent(match: re.Match[str]) -> str:
    before, behind = match[0][: match.start("body") - match.start()], match["end"]
    return blank(before) + match["body"] + blank(behind)


def _directed(match: re.Match[str]) -> _Read:
    """Read what a directive of MyST holds as the rest of the page: an admonition, a proof."""
    read, passed = _without_marks(match["body"])
    start = match.start("body")
    before, behind = match[0][: start - match.start()], match["end"]
    moved = (Passed(one.start + start, one.stop + start, one.reason) for one in passed)
    return blank(before) + read + blank(behind), tuple(moved)


def _lines(match: re.Match[str]) -> str:
    """Write a fence of equations in plain letters as a display with a line for each."""
    body = match["body"]
    for start in starts(body):
        body = body[: start - 1] + BREAK + body[start:]
    return _display(match, body)


def _display(match: re.Match[str], body: str) -> str:
    r"""Write a fence of mathematics as ``\[ ... \]``."""
    if _DELIMITED.search(body):
        return _transparent(match)
    mark = match.start("fence") - match.start()
    opening = match[0][: match.start("body") - match.start()]
    given = match["info"].partition("}")[2] if match["info"].startswith("{") else ""
    opened = blank(opening[:mark]) + r"\[" + blank(opening[mark + 2 :])
    if given.strip():
        place = opening.rindex(given)
        opened = opened[:place] + given + opened[place + len(given) :]
    lead = len(match["end"]) - len(match["end"].lstrip(" \t>"))
    closed = blank(match["end"])
    closed = closed[:lead] + r"\]" + closed[lead + 2 :] if match["end"] else ""
    if ">" in match["lead"]:
        body = _MARK.sub(lambda mark: blank(mark[0]), body)
    return opened + inside_of_a_directive(body) + closed


def inside_of_a_directive(body: str) -> str:
    """Return what stands in a directive: a label for its options, a break for each empty line.

    The options stand before its text, or behind what is given in its first line.
    """
    options = _OPTIONS.match(body)
    head = _labelled(options[0]) if options else ""
    body = body[len(head) :]
    behind = _BEHIND.search(_EMPTY.split(body, maxsplit=1)[0])
    if behind and not options:
        body = body[: behind.start()] + _labelled(behind[0]) + body[behind.end() :]
    inside = body.strip()
    lines = _LINES.sub(lambda lines: BREAK.ljust(len(lines[0])), inside)
    first = body.index(inside)
    return head + " " * first + lines + " " * (len(body) - first - len(inside))


def _labelled(options: str) -> str:
    r"""Return the options of a directive as a label: ``:label: a`` is as long as ``\label{a}``."""
    found = _LABEL.search(options)
    label = rf"\label{{{found['label']}}}" if found else ""
    before = found.start() if found else 0
    return " " * before + label + " " * (len(options) - before - len(label))


# ---------------------------------------------------------------------- in a line


def _in_dollars(match: re.Match[str]) -> _Read:
    text, start, stop = match.string, match.start(), match.end()
    end = text.find("\n", stop)
    beside = text[text.rfind("\n", 0, start) + 1 : start] + text[stop : None if end < 0 else end]
    mark = "$ " if beside.strip(" \t>.,;") else "$$"
    return f"{mark}{match['dollar']}{mark[::-1]}", ()


def _copied(match: re.Match[str]) -> _Read:
    r"""Write brackets on lines of their own, as copied from a chat, as ``\[ ... \]``."""
    inside, bare = match["copied"], match["bare"]
    if not (_COMMAND.search(inside) and RELATION.search(inside)) or "\n\n" in inside:
        return match[0], ()
    indent = bare.index("[")
    first, last = match.start("copied") - match.start(), match.end("copied") - match.start()
    opened = bare[:indent] + r"\[" + " " * (first - indent - 2)
    closed = bare[last:-2] + r"\]" if bare[-2] != "\n" else r"\]"
    return opened + inside + closed + match[0][len(bare) :], ()


def _across_lines(match: re.Match[str]) -> _Read:
    before, behind = match[0].split(match["dollars"])
    opened, closed = before.replace("$`", r"\["), behind.replace("`$", r"\]")
    return f"{opened}{match['dollars']}{closed}", ()


def _inner(match: re.Match[str]) -> _Read:
    """Take one dollar on each side off what is a display as it is."""
    return match[0].replace("$", " "), ()


def _role(match: re.Match[str]) -> _Read:
    before = match.start("role") - match.start()
    return " " * (before - 1) + f"${match['role']}$", ()


def _code(match: re.Match[str]) -> _Read:
    if is_marked(match["code"]) and is_equations(match["code"]):
        mark = "$".rjust(len(match["ticks"]))
        return f"{mark}{match['code']}{mark[::-1]}", ()
    passed_here = formulas_in_code(match["code"], match.start("code"), "in code", "tex")
    return blank(match[0]), tuple(passed_here)


def _html(match: re.Match[str]) -> _Read:
    tag, whole = match["tag"], match[0]
    reason = f"in <{tag}>"
    if tag == "math" or (tag == "script" and "math/tex" in whole[:200]):
        return blank(whole), (Passed(match.start(), match.end(), reason),)
    if tag in ("pre", "code"):
        return blank(whole), tuple(formulas_in_code(whole, match.start(), reason))
    return blank(whole), ()


def _verbatim(match: re.Match[str]) -> _Read:
    if match["name"].startswith(("comment", "filecontents")):
        return blank(match[0]), ()
    inside = match[0][len(match["name"]) :]
    start = match.start() + len(match["name"])
    return blank(match[0]), tuple(formulas_in_code(inside, start, "in verbatim text"))


def _picture(match: re.Match[str]) -> _Read:
    if not _SERVED.search(match[0]):
        return match[0], ()
    return blank(match[0]), (Passed(match.start(), match.end(), "a picture"),)


_RULES: Mapping[str, Callable[[re.Match[str]], _Read]] = {
    "fence": _fenced,
    "tag": _html,
    "name": _verbatim,
    "picture": _picture,
    "dollars": _across_lines,
    "dollar": _in_dollars,
    "inner": _inner,
    "role": _role,
    "bare": _copied,
    "ticks": _code,
}


# ---------------------------------------------------------------------- indented code


def _without_indented_code(text: str, passed: list[Passed]) -> str:
    """Blank indented lines of code where they hold formulas; others need no blanks."""
    parts, position = [], 0
    for match in _INDENTED.finditer(text):
        passed_here = list(formulas_in_code(match[1], match.start(1), "in indented code"))
        before = text[max(match.start(1) - _NEAR, 0) : match.start(1)]
        is_text = _WRITTEN.search(match[1]) or _is_in_list(before, match[1])
        if passed_here and not is_text:
            passed += passed_here
            parts += [text[position : match.start(1)], blank(match[1])]
            position = match.end(1)
    return "".join(parts) + text[position:]


def _is_in_list(before: str, block: str) -> bool:
    """Return whether indented lines belong to an item of a list, or to another kind of block."""
    indent = _width(block)
    for line in reversed(list(_upward(before))):
        if item := _ITEM.match(line):
            content = (
                len(item[0]) if item[0].strip()[0].isalnum() or item[0].strip() in "-*+" else 4
            )
            return indent < content + 4
        if _width(line) == 0:
            return False
    return False


def _upward(before: str) -> Iterator[str]:
    return (line for line in before.splitlines() if line.strip())


def _width(line: str) -> int:
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip(" "))
