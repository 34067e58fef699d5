r"""Places in printed LaTeX: where it may be cut, marked and broken into lines.

Nothing is understood here: a text is read as commands, braces and single characters, so that a
mark never stands inside a command and never takes one brace without the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from freebody.checking.findings import Edit, Span

TOKEN = re.compile(
    r"\\(?:begin|end)\s*\{[^{}]*\}|\\(?:left|right)\s*(?:\\[A-Za-z]+|\\.|[^\\\sA-Za-z])|\\[A-Za-z]+\*?|\\.|\s+|.",
    re.DOTALL,
)
BLANKS = re.compile(r"\s+")
CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
NUMBERING = re.compile(r"\\(?:tag\*?|label)\s*\{[^{}]*\}|\\(?:nonumber|notag)(?![A-Za-z])")
OPENING = re.compile(r"\{|\\left.+|\\begin.*", re.DOTALL)
CLOSING = re.compile(r"\}|\\right.+|\\end.*", re.DOTALL)
RELATIONS = frozenset({"=", r"\equiv", r"\approx", r"\triangleq", r"\simeq", r"\neq", r"\to"})
SIGNS = frozenset({"+", "-", r"\pm", r"\mp"})
FUNCTIONS = frozenset({r"\sin", r"\cos", r"\tan", r"\cot", r"\sinh", r"\cosh", r"\tanh", r"\exp"})
BEHIND = frozenset({"(", "[", "_", "^", ",", "/", r"\cdot", r"\times"})
"""Behind these a sign belongs to what follows it, and no line may end."""


@dataclass(frozen=True, slots=True)
class PrintedToken:
    """A command, a brace, a run of blanks or a character, and where it stands."""

    text: str
    start: int

    @property
    def end(self) -> int:
        """Where the next one begins."""
        return self.start + len(self.text)


def tokens(latex: str) -> list[PrintedToken]:
    r"""Return the tokens of a text.

    Examples
    --------
    >>> [token.text for token in tokens(r"d_3\cos\alpha")]
    ['d', '_', '3', '\\cos', '\\alpha']
    """
    return [PrintedToken(match[0], match.start()) for match in TOKEN.finditer(latex)]


def plain(text: str) -> str:
    r"""Return a text on one line, without characters that would steer a terminal.

    Examples
    --------
    >>> plain("a  +\n b")
    'a + b'
    """
    return visible(BLANKS.sub(" ", text))


def visible(text: str) -> str:
    r"""Return a text with a sign for each character that would steer a terminal.

    Examples
    --------
    >>> visible("a\x1b[31m")
    'a�[31m'
    """
    return CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)


def applied(latex: str, edits: Sequence[Edit]) -> tuple[str, tuple[Span, ...]]:
    """Return a text with its edits made, and where they now stand.

    Examples
    --------
    >>> applied("a - b", [Edit((2, 3), "-", "+", "sign")])
    ('a + b', ((2, 3),))
    """
    parts: list[str] = []
    places: list[Span] = []
    done = length = 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        kept = latex[done : edit.span[0]]
        start = length + len(kept)
        length = start + len(edit.proposed)
        parts += [kept, edit.proposed]
        places.append((start, length))
        done = max(done, edit.span[1])
    return "".join((*parts, latex[done:])), tuple(places)


# ---------------------------------------------------------------------- balance


def groups(latex: str) -> Iterator[Span]:
    r"""Iterate over what belongs together: braces, ``\left`` and ``\right``, environments."""
    opened: list[int] = []
    for token in tokens(latex):
        if OPENING.fullmatch(token.text):
            opened.append(token.start)
        elif CLOSING.fullmatch(token.text) and opened:
            yield opened.pop(), token.end


def settled(latex: str, span: Span) -> Span:
    r"""Return the smallest place around another that a mark may be put on.

    It begins and ends between tokens, and takes both ends of a group or neither.

    Examples
    --------
    >>> latex = r"a + \frac{b}{c} d"
    >>> start, end = settled(latex, (10, 18))
    >>> latex[start:end]
    '{b}{c} d'
    """
    inside = [token for token in tokens(latex) if token.end > span[0] and token.start < span[1]]
    inked = [token for token in inside if token.text.strip()]
    if not inked:
        return span
    start, end = inked[0].start, inked[-1].end
    pairs = list(groups(latex))
    while True:
        crossing = [pair for pair in pairs if _crosses(pair, (start, end))]
        if not crossing:
            return start, end
        start = min(start, *(pair[0] for pair in crossing))
        end = max(end, *(pair[1] for pair in crossing))


def _crosses(pair: Span, span: Span) -> bool:
    """Whether a place holds one end of a group without the other, or a part of an end."""
    outside = pair[1] <= span[0] or span[1] <= pair[0]
    within = span[0] <= pair[0] and pair[1] <= span[1]
    around = pair[0] < span[0] and span[1] < pair[1]
    return not (outside or within or around)


def depth(latex: str) -> int:
    r"""Return how deep groups stand in groups.

    Examples
    --------
    >>> depth(r"\frac{a}{b_{c}}")
    2
    """
    level = deepest = 0
    for token in tokens(latex):
        level += bool(OPENING.fullmatch(token.text)) - bool(CLOSING.fullmatch(token.text))
        deepest = max(deepest, level)
    return deepest


# ---------------------------------------------------------------------- lines


def segments(latex: str) -> list[Span]:
    r"""Return the pieces that a formula may be broken into: before its relations and signs.

    Never inside braces, an environment, or between ``\left`` and ``\right``.

    Examples
    --------
    >>> latex = r"a = \frac{b - c}{2} (d + e)"
    >>> [latex[start:end] for start, end in segments(latex)]
    ['a ', '= \\frac{b - c}{2} (d ', '+ e)']
    """
    cuts, depth, before = [0], 0, "("
    for token in tokens(latex):
        if OPENING.fullmatch(token.text):
            depth += 1
        elif CLOSING.fullmatch(token.text):
            depth -= 1
        elif not depth and _breaks(token.text, before):
            cuts.append(token.start)
        if token.text.strip() and token.text != "&":
            before = token.text
    return list(zip(cuts, [*cuts[1:], len(latex)], strict=True))


def _breaks(text: str, before: str) -> bool:
    if text in RELATIONS:
        return before not in BEHIND
    return text in SIGNS and before not in BEHIND | RELATIONS | SIGNS


def joins(before: str) -> bool:
    """Return whether a sign behind a text would join two terms.

    Examples
    --------
    >>> joins("a = b"), joins("a ="), joins("")
    (True, False, False)
    """
    inked = [token.text for token in tokens(before) if token.text.strip()]
    return (
        bool(inked)
        and inked[-1] not in BEHIND | RELATIONS | SIGNS | {"{"}
        and not OPENING.fullmatch(inked[-1])
    )


def joined(spans: Iterable[Span]) -> list[Span]:
    """Return places in order, with those that touch made one.

    Examples
    --------
    >>> joined([(4, 6), (0, 2), (1, 4), (8, 9)])
    [(0, 6), (8, 9)]
    """
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return found


def marked(latex: str, places: Iterable[Span], colour: str) -> str:
    r"""Return LaTeX with places in a colour.

    Examples
    --------
    >>> marked("a - b_2", [(6, 7)], "red")
    'a - b_{\\textcolor{red}{2}}'
    """
    spans = joined(settled(latex, place) for place in places if latex[slice(*place)].strip())
    for start, end in reversed(spans):
        before, behind = latex[:start], latex[end:]
        inner = f"\\textcolor{{{colour}}}{{{_spaced(before, latex[start:end])}}}"
        inner = f"{{{inner}}}" if before.rstrip()[-1:] in ("_", "^") else inner
        latex = f"{before}{inner}{behind}"
    return latex


def _spaced(before: str, latex: str) -> str:
    """Return what is marked with the space that a sign or a function has in the whole."""
    inner = latex.strip()
    if inner in FUNCTIONS:
        return rf"{latex}\,"
    first = next((token.text for token in tokens(inner)), "")
    if first not in SIGNS | RELATIONS or not joins(before):
        return latex
    return f"{{}}{latex}{{}}" if inner == first else f"{{}}{latex}"


def unaligned(latex: str) -> str:
    r"""Return a formula without what aligns and numbers it, every character in its place.

    Examples
    --------
    >>> unaligned(r"a &= b \tag{3}")
    'a  = b        '
    """
    text = NUMBERING.sub(lambda match: " " * len(match[0]), latex)
    depth, parts = 0, []
    for token in tokens(text):
        depth += bool(OPENING.fullmatch(token.text)) - bool(CLOSING.fullmatch(token.text))
        aligns = token.text in ("&", r"\\") and depth <= 0
        parts.append(" " * len(token.text) if aligns else token.text)
    return "".join(parts)


def unpaired(latex: str) -> tuple[str, str]:
    r"""Return the braces that a formula lacks in front and behind: one cut from a larger one may.

    Examples
    --------
    >>> unpaired(r"a = \cos{\theta")
    ('', '}')
    """
    depth = lowest = 0
    for token in tokens(latex):
        depth += (token.text == "{") - (token.text == "}")
        lowest = min(lowest, depth)
    return "{" * -lowest, "}" * (depth - lowest)


# ---------------------------------------------------------------------- excerpts


def excerpt(latex: str, span: Span, width: int) -> list[tuple[str, str]]:
    r"""Return a place with what stands around it, line by line, and a line of carets for each.

    What does not fit is cut around the place, with an ellipsis; the place itself never is.

    Parameters
    ----------
    latex : str
        The whole text.
    span : tuple of int
        The place; an empty one is marked by a caret in front of what follows.
    width : int
        The largest number of columns.

    Examples
    --------
    >>> for line, carets in excerpt(r"a_1 + b\cos x - c + d", (7, 11), 14):
    ...     print(line, carets, sep="\n")
    … + b\cos x -…
         ^^^^
    """
    before, marked, behind = (
        plain(part) for part in (latex[: span[0]], latex[slice(*span)], latex[span[1] :])
    )
    before += " " * marked.startswith(" ")
    behind = " " * marked.endswith(" ") + behind
    before, marked, behind = before.lstrip(), marked.strip(), behind.rstrip()
    room = max(width - len(marked) - 2, 0)
    left = max(room // 2, room - len(behind))
    right = room - min(left, len(before))
    before = before if len(before) <= left + 1 else "…" + before[len(before) - left :]
    behind = behind if len(behind) <= right + 1 else behind[:right] + "…"
    line = before + marked + behind
    carets = " " * len(before) + "^" * max(len(marked), 1)
    return [
        (line[at : at + width], carets[at : at + width].rstrip())
        for at in range(0, len(line), width)
    ]
