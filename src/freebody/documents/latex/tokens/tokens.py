r"""LaTeX as a tree of tokens, commands and groups, each with its place on the page.

Fences, braces and environments are matched on one stack, so that a mismatch can name both ends.
Commands carry their arguments; braces that are nobody's argument cannot be seen in print and are
dissolved: ``\cos{(a-b)c}`` reads as ``\cos(a-b)c``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from freebody.documents.latex.tokens.abbreviations import with_abbreviations
from freebody.documents.latex.tokens.conventions import PLAIN
from freebody.documents.latex.tokens.digits import with_digits_below, with_words_below
from freebody.documents.latex.tokens.fences import BREAK, BROKEN, is_broken, joined_fences, unbroken
from freebody.documents.latex.tokens.items import (
    BRACES,
    DEPTH,
    DOTS,
    FRACTIONS,
    STRUCK,
    STYLES,
    UPRIGHT,
    Command,
    Group,
    Item,
    LatexError,
    Lexed,
    Token,
    UnopenedError,
)
from freebody.documents.latex.tokens.program_names import with_program_names
from freebody.documents.latex.tokens.rewriting import (
    ARITY,
    OPTIONAL,
    SAME,
    SWITCHES,
    TWICE,
    joined,
    rewritten,
    styled,
)
from freebody.documents.latex.tokens.waves import with_waves

if TYPE_CHECKING:
    from freebody.documents.latex.tokens.macros import Macros

__all__ = [
    "BRACES",
    "DEPTH",
    "DOTS",
    "FRACTIONS",
    "STYLES",
    "UPRIGHT",
    "Command",
    "Group",
    "Item",
    "LatexError",
    "Token",
    "parse",
]

_MARKED = (*STRUCK, r"\si", r"\unit")
_ARITY = {
    **dict.fromkeys(["_", "^", r"\sqrt", *DOTS, *STYLES, *BRACES, *_MARKED], 1),
    **ARITY,
    **dict.fromkeys(FRACTIONS, 2),
    r"\cancelto": 2,
}
_CLOSING = {
    "(": ")",
    "[": "]",
    "{": "}",
    r"\{": r"\}",
    r"\langle": r"\rangle",
    r"\lfloor": r"\rfloor",
    r"\lceil": r"\rceil",
    r"\lvert": r"\rvert",
    r"\lVert": r"\rVert",
}
_BARS = {r"\lvert": "|", r"\rvert": "|", r"\lVert": r"\|", r"\rVert": r"\|"}
_LEFT_BARS = frozenset({r"\lvert", r"\lVert"})
_CLOSED = frozenset(_CLOSING.values())
_WITH_OPTION = OPTIONAL | {r"\sqrt"}
_PLACED = frozenset(
    {"aligned", "gathered", "alignedat", "split", "array", "pmatrix", "bmatrix", "matrix"}
)
_TABLES = frozenset(
    {"array", "matrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "Vmatrix", "smallmatrix"}
    | {"cases", "dcases", "rcases", "drcases"}
)
_ALIGNED = frozenset({"align", "aligned", "gather", "gathered", "split"})
_MIRROR = {
    r"\rangle": r"\langle",
    r"\rfloor": r"\lfloor",
    r"\rceil": r"\lceil",
    ")": "(",
    "]": "[",
    r"\}": r"\{",
}
_POINTED = {"<": r"\langle", ">": r"\rangle"}
"""Fences that are printed as angles."""
_WITH_COLUMNS = frozenset(
    {"array", "alignat", "alignedat", "xalignat", "xxalignat", "IEEEeqnarray"}
)
_WITH_OPTIONS = frozenset({"dmath", "dgroup", "darray"})
_ALIKE = {
    **dict.fromkeys(["math", "dmath", "dgroup", "subequations"], "equation"),
    **dict.fromkeys(["IEEEeqnarray", "empheq", "xalignat", "xxalignat", "darray"], "align"),
}
"""Environments that lay out their equations as another one does."""

_STARS = frozenset({"*", r"\ast", r"\star"})

_TOKEN = re.compile(
    r"""
    (?P<wide> \\hspace\*?\s*\{\s*(?P<length>\d*\.?\d+)\s*(?P<unit>[a-z]+|\\[a-z]+)\s*\}
        | \\(?:hfill|hfil)(?![A-Za-z]) | (?:\\[;:>]\s*){3,} | (?:\\[,;:>]\s*){4,} )
  | (?P<blank> \s+ | %[^\n]* | ~ | \$ | \\[,!:;>]
        | \\(?:displaystyle|textstyle|script(?:script)?style|limits|nolimits|displaylimits|nonumber
            |notag|hline|thinspace|medspace|thickspace|negthinspace|enspace|null|relax
            |(?:math)?strut|noindent|centering|qty|(?:allow|no|good|line)break|indent
            |tiny|(?:script|footnote|normal)size|small|[lL]arge|LARGE|[hH]uge
            |neg(?:med|thick)space|(?:small|med|big)skip|MoveEqLeft|blacksquare|qed(?:here|symbol)?)
          (?![A-Za-z])
        | \\(?:kern|m?skip|mkern|hskip)\s*-?[\d.]+\s*(?:e[mx]|pt|[cm]m|mu|in)(?![A-Za-z]) | \\/
        | \\(?:displaybreak|allowdisplaybreaks|IEEE(?:yes|no)(?:sub)?number|IEEEeqnarraynumspace)
          (?![A-Za-z])
        | \\[bB]igg?[lrm]?(?![A-Za-z])(?:\s*\.(?!\d))? | \\[hvm]space\*?\s*\{[^{}]*\} )
  | (?P<words> \\(?:tag\*?|label|text(?:rm|it|bf|sf)?|mbox|intertext|qq(?:text)?\*?)
        \s*\{(?:[^{}]|\{[^{}]*\})*\} )
  | (?P<letter> (?P<text> \\(?:text(?:rm|it|bf|sf)?|mbox|tag\*?))(?:\s+|(?=\d))
        (?P<only> [A-Za-z0-9]) )
  | (?P<fence> \\(?:left|right)(?![A-Za-z])\s*(?:\\[A-Za-z]+|\\.|[^\s\\]) )
  | (?P<environment> \\begin\s*\{\s*empheq\s*\}\s*(?:\[(?:[^][]|\[[^][]*\])*\])?\s*\{[^{}]*\}
        | \\(?:begin|end)\s*\{\s*[A-Za-z]+\*?\s*\} )
  | (?P<row> \\\\\*?(?:\[\s*-?[\d.]+\s*[a-z]+\s*\])?
        | \\(?=[ \t]*\n(?!\s*\\end)) )  # of which a converter took one of two backslashes
  | (?P<space> \\\s )
  | (?P<signs> [\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+
        | (?<=quad\s)[aeiouyи](?=\s\\q?quad(?![A-Za-z])) )
  | (?P<low> [₀-₉ₐ-ₜᵢⱼᵣᵤᵥ]+ )
  | (?P<high> [⁺⁻]?(?:[⁰¹²³⁴-⁹]+|ᵀ) | [⁺⁻] )
  | (?P<vulgar> [¼½¾⅐-⅞] )
  | (?P<dotted> [^\W\d_][\u0302-\u0304\u0307\u0308\u20d7] | [ẋẍẏÿżṙṡṗṁṫṅḣẇȧḃḋėẊẎŻṘṠṖṀṪṄḢẆĖḊêîĵûŷẑ] )
  | (?P<other> \\(?:operatorname|vb|va|vu|boldsymbol)\* | \\@?[A-Za-z]+ | \\. | . )
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(slots=True)
class _Open:
    """A group whose end has not come yet."""

    text: str
    closing: str
    shown: str
    start: int
    items: list[Item] = field(default_factory=list)


def parse(page: str, start: int, stop: int, macros: Macros | None = None) -> tuple[Item, ...]:
    r"""Read a stretch of a page as a tree, with the macros of the page expanded.

    Raises
    ------
    LatexError
        For fences that do not match, commands without their arguments, and groups too deep.

    Examples
    --------
    >>> page = r"\frac12 (a]"
    >>> [item.text for item in parse(page, 0, 8)]
    ['\\frac']
    >>> parse(page, 8, 11)
    Traceback (most recent call last):
    freebody.documents.latex.tokens.items.LatexError: '(' is closed by ']'; expected ')'
    """
    stack, before = [_Open("", "", "", start)], None
    for kind, token in joined_fences(_with_names(page, start, stop, macros)):
        opened = _opening(kind, token)
        if opened:
            if len(stack) > DEPTH:
                raise LatexError(f"groups stand more than {DEPTH} deep in each other", token.start)
            stack.append(opened)
        elif token.text in _BARS and not any(one.text in _LEFT_BARS for one in stack):
            stack[-1].items.append(Token(_BARS[token.text], token.start, token.stop))
        elif _closes(kind, token):
            _close(stack, token)
        elif token.text != r"\ " or stack[-1].text == "[":
            stack[-1].items.append(token)
        elif before and before.text == r"\ ":
            stack[-1].items.append(Token(r"\quad", before.start, token.stop))
        before = token
    if len(stack) > 1:
        raise LatexError(f"'{stack[-1].shown}' is never closed", stack[-1].start)
    return _arrange(stack[0].items)


def _with_names(page: str, start: int, stop: int, macros: Macros | None) -> list[Lexed]:
    """Return the expanded tokens of a stretch, with names of several letters or digits whole."""
    tokens = list(_expanded(page, start, stop, macros))
    conventions = macros.conventions if macros else PLAIN
    if conventions.abbreviated:
        tokens = list(with_abbreviations(tokens, conventions.abbreviated))
    if conventions.waves:
        tokens = list(with_waves(tokens, conventions.waves))
    numbered = conventions.numbered
    if _PLAIN.fullmatch(page, start, stop):
        tokens = list(with_words_below(tokens, numbered))
    tokens = list(with_program_names(tokens, numbered))
    return list(with_digits_below(tokens, numbered))


def _expanded(page: str, start: int, stop: int, macros: Macros | None) -> Iterator[Lexed]:
    """Yield the tokens of a stretch of a page; what comes of a macro has the place of its call."""
    printed = macros.expanded(page, start, stop) if macros else None
    if printed is None:
        yield from _lex(page, start, stop)
        return
    for kind, token in _lex(printed.text, 0, len(printed.text)):
        yield kind, Token(token.text, *printed.place(token.start, token.stop))


_PLAIN = re.compile(r"(?=.*[\u0300-\u03ff\u1e00-\u1eff−·⋅×²³₀-₉])[^\\{}]*", re.DOTALL)
"""A formula in plain letters, which has some that nobody types in LaTeX."""
_COMBINED = {
    "\u0302": r"\hat",
    "\u0303": r"\tilde",
    "\u0304": r"\bar",
    "\u0307": r"\dot",
    "\u0308": r"\ddot",
    "\u20d7": r"\vec",
}
"""Marks over letters, and the commands that set them."""


def _spelt(kind: str, text: str) -> list[str]:
    """Return how scripts, dots and fractions that are letters are written in LaTeX."""
    if kind == "dotted":
        parts = unicodedata.normalize("NFD", text)
        return [_COMBINED[parts[1]], "{", SAME.get(parts[0], parts[0]), "}"]
    letters = unicodedata.normalize("NFKC", text)
    if kind == "vulgar":
        above, below = letters.split("\N{FRACTION SLASH}")
        return [r"\frac", "{", *above, "}", "{", *below, "}"]
    return ["_" if kind == "low" else "^", "{", *(SAME.get(one, one) for one in letters), "}"]


_AND = frozenset("aeiouyи")
"""Words of one letter between equations: "and", "or" of other languages."""
_WIDE = {"cm": 0.5, "mm": 5, "em": 1, "ex": 2, "pt": 10, "in": 0.2}
"""How much of each unit is so wide that equations stand apart by it."""


def _lex(page: str, start: int, stop: int) -> Iterator[Lexed]:
    for match in _TOKEN.finditer(page, start, stop):
        kind, text = match.lastgroup or "", match[0]
        if match["wide"]:
            kind, text = "other", r"\quad"
            if match["length"] and float(match["length"]) < _WIDE.get(match["unit"], 0):
                continue
        if kind in ("low", "high", "dotted", "vulgar"):
            for one in _spelt(kind, text):
                yield "other", Token(one, match.start(), match.end())
            continue
        if kind == "letter":  # an argument without braces
            kind, text = "words", f"{match['text']}{{{match['only']}}}"
        if kind == "signs":  # of a language in which single ones are words
            kind, text = "words", rf"\text{{ {text} }}" if text in _AND else rf"\text{{{text}}}"
        text = _shown(kind, text)
        if kind != "blank":
            yield kind, Token(text, match.start(), match.end())


def _shown(kind: str, text: str) -> str:
    """Return a token as it is spelled here."""
    if kind == "row" or SAME.get(text) == r"\\":
        return r"\\"
    if kind == "space":
        return r"\ "
    return SAME.get(text, text if text == "*" else text.rstrip("*")) if kind == "other" else text


def _opening(kind: str, token: Token) -> _Open | None:
    text = token.text
    if kind == "fence" and text.startswith(r"\left"):
        fence = _pointed(text.removeprefix(r"\left").strip())
        return _Open(_BARS.get(fence, SAME.get(fence, fence)), r"\right", text, token.start)
    if kind == "environment" and text.startswith(r"\begin"):
        name = _environment(text)
        return _Open(name.rstrip("*"), rf"\end{{{name}}}", text, token.start)
    if text in _CLOSING:
        return _Open(text, _CLOSING[text], text, token.start)
    return None


def _pointed(fence: str) -> str:
    return _POINTED.get(fence, fence)


def _closes(kind: str, token: Token) -> bool:
    return kind in ("fence", "environment") or token.text in _CLOSED


def _close(stack: list[_Open], token: Token) -> None:
    if len(stack) == 1:
        raise UnopenedError(f"'{token.text}' closes nothing", token.start)
    group = stack.pop()
    found = token.text
    if found.startswith(r"\end"):
        found = rf"\end{{{_environment(found)}}}"
    elif found.startswith(r"\right"):
        found = _right(group, found)
    if found != group.closing:
        fence = _CLOSING.get(group.text, group.text) if group.closing == r"\right" else ""
        expected = f"expected '{group.closing}{fence}'"
        raise LatexError(f"'{group.shown}' is closed by '{token.text}'; {expected}", token.start)
    if group.text in _WITH_COLUMNS:
        _drop_columns(group.items)
    elif group.text in _WITH_OPTIONS and group.items and group.items[0].text == "[":
        group.items.pop(0)
    if group.text in _PLACED and _is_placement(group.items):
        group.items.pop(0)
    if found == r"\right" and group.text in ("(", "[") and not _is_table(group.items):
        _expect_printed(group, token)
    if group.text in BROKEN and is_broken(group.items) and not _in_table(stack, group):
        group.items = unbroken(group.items)
    name = _ALIKE.get(group.text, _BARS.get(group.text, group.text))
    stack[-1].items.append(Group(name, _inside(group), group.start, token.stop))


def _expect_printed(group: _Open, token: Token) -> None:
    r"""Refuse a bracket that is printed open and never closed: ``\left[ a \right.``."""
    if token.text.removeprefix(r"\right").strip() == ".":
        raise LatexError(f"'{group.shown}' is never closed", group.start)


def _is_table(items: list[Item]) -> bool:
    return len(items) == 1 and isinstance(items[0], Group) and items[0].text in _TABLES


def _in_table(stack: list[_Open], group: _Open) -> bool:
    """Return whether what aligns a bracket are the cells of a table around it."""
    around = next((one.text for one in reversed(stack) if one.text in _TABLES), "")
    is_line = around == "array" and any(item.text == BREAK for item in group.items)
    return bool(around) and not is_line


def _environment(text: str) -> str:
    return text[text.index("{") + 1 : text.index("}")].strip()


def _right(group: _Open, text: str) -> str:
    r"""Return ``\right`` where its fence goes with the left one; an invisible one always does.

    So does a rule beside rows of equations.
    """
    fence = _pointed(text.removeprefix(r"\right").strip())
    fence = _BARS.get(fence, SAME.get(fence, fence))
    fits = "." in (fence, group.text) or _MIRROR.get(fence, fence) == group.text
    fits |= fence == "|" and any(item.text in _TABLES | _ALIGNED for item in group.items)
    return r"\right" if fits else text


def _drop_columns(items: list[Item]) -> None:
    while items and isinstance(items[0], Group) and items[0].text in ("{", "["):
        column = items.pop(0)
        if column.text == "{":
            return


def _over(group: _Open) -> list[Item]:
    r"""Take ``{a \over b}`` as a fraction."""
    items = group.items
    at = [place for place, item in enumerate(items) if item.text == r"\over"]
    if len(at) != 1 or not 0 < at[0] < len(items) - 1:
        return items
    sides = _arrange(items[: at[0]]), _arrange(items[at[0] + 1 :])
    return [Command(r"\frac", sides, items[0].start, items[-1].stop)]


def _inside(group: _Open) -> tuple[Item, ...]:
    r"""Return what brackets hold, without the full stop of a sentence: ``\frac{F}{l (M + m).}``."""
    items = _arrange(_over(group))
    last = items[-2:] if group.text == "{" else ()
    is_sentence = [item.text for item in last[1:]] == ["."] and isinstance(last[0], Group)
    return items[:-1] if is_sentence else items


def _is_placement(items: list[Item]) -> bool:
    r"""Return whether an environment starts with how it is placed, such as ``[t]``."""
    option = items[0] if items else None
    if not isinstance(option, Group) or option.text != "[" or len(option.items) != 1:
        return False
    return option.items[0].text in ("t", "c", "b", "l", "r")


def _arrange(items: list[Item]) -> tuple[Item, ...]:
    """Give commands their arguments and letters their font, and dissolve the braces left."""
    rest, arranged, style = items[::-1], list[Item](), ""
    while rest:
        if rest[-1].text in SWITCHES:
            switch = rest.pop()
            font = SWITCHES[switch.text]
            if font in UPRIGHT and rest and rest[-1].text == "{":  # as if it took an argument
                rest.append(Token(font, switch.start, switch.stop))
            else:
                style = font
                continue
        item = _take(rest, 1)
        braces = isinstance(item, Group) and item.text == "{"
        last = arranged[-1] if arranged else None
        inside = (
            _dissolved(item, last, rest) if isinstance(item, Group) and braces else _apart(item)
        )
        arranged += (styled(style, part) for part in inside) if style else inside
    return tuple(joined(_words(arranged) if style in UPRIGHT else arranged))


def _dissolved(group: Group, last: Item | None, rest: list[Item]) -> tuple[Item, ...]:
    r"""Return what braces leave: what they hold, or themselves where they keep things apart.

    They do so in ``1{,}5`` and in front of the scripts of ``{}^{0}R``; but right behind a letter
    its index is one of the letter, ``J{}_1``.
    """
    if [item.text for item in group.items] == [","]:
        return (Token("{,}", group.start, group.stop),)
    ends = last.text[-1:] if last else ""
    is_letter = isinstance(last, Command) or ends.isalpha() or ends == "'"
    if is_letter and last and last.stop == group.start and rest and rest[-1].text == "_":
        return group.items
    if not group.items and rest and rest[-1].text in ("_", "^"):
        return (Token("{}", group.start, group.stop),)
    return group.items


def _apart(item: Item) -> tuple[Item, ...]:
    r"""Return what a name is marked with and its power apart, as of ``m^{*2}``."""
    match item:
        case Command(text="^", arguments=((mark, *power),)) if (
            power and mark.text in _STARS and all(one.text.isdecimal() for one in power)
        ):
            first = Command("^", ((mark,),), item.start, mark.stop)
            return first, Command("^", (tuple(power),), mark.stop, item.stop)
    return (item,)


def _words(items: list[Item]) -> list[Item]:
    """Join upright letters that stand side by side into words."""
    found: list[Item] = []
    for item in items:
        last = found.pop() if found else None
        if isinstance(last, Command) and isinstance(item, Command) and _is_one_word(last, item):
            arguments = (last.arguments[0] + item.arguments[0],)
            found.append(Command(item.text, arguments, last.start, item.stop))
        else:
            found += [item] if last is None else [last, item]
    return found


def _is_one_word(first: Command, second: Command) -> bool:
    return first.text == second.text and first.text in UPRIGHT and first.stop == second.start


def _take(rest: list[Item], depth: int) -> Item:
    item = rest.pop()
    if not isinstance(item, Token) or item.text not in _ARITY:
        return item
    if depth > DEPTH:
        raise LatexError(f"commands stand more than {DEPTH} deep in each other", item.start)
    has_option = item.text in _WITH_OPTION and rest and rest[-1].text == "["
    option = rest.pop() if has_option else None
    stop, arguments = item.stop, list[tuple[Item, ...]]()
    while len(arguments) < _ARITY[item.text] or (
        len(arguments) == 1 and item.text in TWICE and rest and rest[-1].text == "{"
    ):
        if not rest:
            raise LatexError(f"'{item.text}' has no argument", item.start)
        argument = _take(rest, depth + 1)
        braced = isinstance(argument, Group) and argument.text == "{"
        arguments.append(argument.items if braced and isinstance(argument, Group) else (argument,))
        stop = argument.stop
    if isinstance(option, Group):
        arguments.append(option.items if item.text == r"\sqrt" else (option,))
    return rewritten(Command(item.text, tuple(arguments), item.start, stop))
