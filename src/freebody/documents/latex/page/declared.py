"""Names of several letters that a page declares, as letters with what stands below them.

A page without LaTeX says "``Fy,f``: force on the front tire", and has ``m·v̇ = Fy,f`` in a block,
where Fy,f is no product.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from freebody.documents.latex.page.plain import FUNCTIONS, NO_LANGUAGE, SPELLED, WORD, is_marked
from freebody.documents.latex.tokens.rewriting import GREEK, SAME

_DOTS = "".join(SPELLED.values()) + "\u0302\u0303\u0304\u20d7"
"""Dots over letters, and other marks."""
_LETTER = "[A-Za-z\u0391-\u03c9]"
_BELOW = "[A-Za-z0-9\u03b1-\u03c9]"
_NAME = rf"Δ?{_LETTER}'?{_BELOW}*(?:[_,]{_BELOW}+)*"
_LISTED = rf"(?:\s*(?:,|/|\bor\b|\band\b)\s*`{_NAME}`){{0,9}}\s*"
_PIECE = re.compile(
    r"^[ \t>]*(?P<mark>```|~~~)(?P<info>[^\n]*)\n(?P<body>.*?)^[ \t>]*(?P=mark)[^\n]*$"
    rf"|(?<!`)`(?P<code>[^`\n]+)`(?!`)(?={_LISTED}(?P<is_said>[:：|=(–—-]|is\b|are\b)?)"
    rf"|(?<=\|)(?=[ \t]+{_NAME}[ \t]*\||{_NAME}[ \t]+\|)[ \t]*(?P<cell>{_NAME})"
    rf"|^[ \t]*[-*+•][ \t]+[*_]*(?P<head>{_NAME})(?=[*_]*[ \t]*[:：–—-][ \t\n])",
    re.MULTILINE | re.DOTALL,
)
"""A block, something set as code, and what stands alone in a cell or first in an item of a list."""
_PRODUCT = "[a-z]{2}(?![A-Za-z0-9_,])"
"""Two small letters alone, which may be a product."""
_DEFINED = re.compile(
    rf"^[ \t]*(?!{_PRODUCT})({_NAME})[ \t]*[=≈](?!=|[ \t]*(?:True|False)\b)", re.MULTILINE
)
"""A name on the left side of an equation."""
_LONG = re.compile(rf"(?<!\w){_LETTER}[a-z0-9]+(?:_{_BELOW}+)+(?!\w)")
"""What can be no product: letters side by side with others below them, ``Fy_max``."""
_BETWEEN = re.compile(r"[·⋅×*]")
_OF_AXES = frozenset("avw")
_BESIDE = re.compile("(?![avw][xyz]$)[a-z]{2,3}")
_LOWERED = re.compile("(?!Mg$)[A-Z\u0391-\u03c9][a-z]|[avw][xyz]|[A-Z][a-z]{3,}")
"""Letters with others behind them that may be below, where factors have signs: ``ωr``, ``vx``."""
_IS_NAME = re.compile(_NAME)
_LETTER_ALONE = rf"Δ?{_LETTER}'?(?:\d+|[xyz]{{2}}|(?:_{_BELOW}+(?:,{_BELOW}+)*)+)?"
_IS_LETTER = re.compile(_LETTER_ALONE)
"""A letter, and one with what can only be below it."""
_LISTED_NAME = r"\w[^\s,()\[\]]{0,40}"
_LIST = re.compile(
    rf"[(\[]?(?P<names>{_LISTED_NAME}(?:, {_LISTED_NAME}){{0,20}}|{_LETTER}(?:,{_LETTER}){{1,20}})"
    r"[)\]]?(?:ᵀ|\^T)?"
)
"""A name, or some of them."""
_BY_TIME = re.compile(r"[ \t]*/[ \t]*dt(?!\w)")
"""What makes a d in front of a name that of a derivative: ``dv_x/dt``."""
_VARIED = re.compile("δ[\u03b1-\u03c9]")
"""A small change of an angle, which no letter below would be."""
_COMMA = re.compile(rf", |(?<={_LETTER}),(?={_LETTER}(?:,|$))")
_LATEX = re.compile(r"\$[^$\n]+\$|\\\[|\\\(|\\begin\{")
"""Marks of formulas in LaTeX."""
_DOTTED = rf"[^\W_⁰¹²³⁴-⁹₀-₉][{_DOTS}]{{0,2}}"
_SHOWN = re.compile(
    rf"(?<![^\W\d]|\\)(?!\d){_DOTTED}'?(?:{_DOTTED}){{0,40}}(?:[_,](?:{_DOTTED}){{1,40}}){{0,9}}"
)
"""What may be a name in an equation, whose letters may be dotted."""
_FIRST = re.compile(rf"(Δ?{_LETTER}'?)(.*)")
_WORD = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{2,}\d*")
"""What is no letter with what stands below it."""
_GREEK = {
    name[1:]: letter for letter, name in reversed(SAME.items()) if len(letter) == 1 and name[1:]
}
_SPELLED = re.compile(
    r"^[ \t>]*(?P<mark>```|~~~).*?^[ \t>]*(?P=mark)|(?<!`)`(?P<code>[^`\n]+)`(?!`)", re.M | re.S
)
"""Blocks, which keep their letters, and what is set as code."""
_LONGEST_FIRST = sorted(GREEK & _GREEK.keys(), key=len, reverse=True)
_GREEK_NAME = re.compile(rf"(?<![A-Za-z\\])(?:{'|'.join(_LONGEST_FIRST)})(?![A-Za-z])")
_WORDS_OF_CODE = re.compile(r"[^\W\d]\w*")
_LETTER_OR_FUNCTION = re.compile(
    rf"{FUNCTIONS}|diag|(?:{_GREEK_NAME.pattern}|{_LETTER})(?:\d+|(?:_{_BELOW}+)+)?"
)
_NO_NAME = re.compile(rf"(?:{FUNCTIONS}|max|min|diag|deg|rad|d\w|.)", re.IGNORECASE)


def with_names(text: str) -> str:
    r"""Return a page with the names that it declares, and has in equations, as LaTeX has them.

    Where it has no LaTeX, letters that are set as code are formulas, too.

    Examples
    --------
    >>> print(with_names("`Fy,f`: force\n```\nm·v̇ = Fy,f - θ\n```"))
    $F_{y,f}$: force
    ```
    m·v̇ = F_{y,f} - θ
    ```
    >>> with_names("Angles `phi, theta` and a rate `θ̇ = K_p e`, `data`")
    'Angles $φ$, $θ$ and a rate `θ̇ = K_p e`, `data`'
    """
    is_latex = _LATEX.search(text) is not None
    text = text if is_latex else _SPELLED.sub(_with_greek, text)
    pieces = [*_PIECE.finditer(text)]
    names = _Names.of(pieces, is_latex=is_latex)
    return _PIECE.sub(names.told, text) if names.of_page or names.are_alone else text


@dataclass(frozen=True)
class _Names:
    """The names of a page.

    Attributes
    ----------
    of_page : frozenset of str
        Those that it declares or defines, without dots.
    are_alone : bool
        Whether letters that are set as code are formulas, as on pages without LaTeX.
    are_varied : bool
        Whether δ in front of letters is a small change of what they are.
    """

    of_page: frozenset[str]
    are_alone: bool
    are_varied: bool

    @classmethod
    def of(cls, pieces: Sequence[re.Match[str]], *, is_latex: bool) -> _Names:
        """Return those of a page with some blocks, and some text that is set as code."""
        equations = _equations(pieces)
        shown = {_bare(one) for match in _SHOWN.finditer(equations) for one in _heads(match[0])}
        names = shown.intersection(map(_bare, _declared(pieces)))
        named = (*_DEFINED.findall(equations), *_LONG.findall(equations)) if names else ()
        names |= {_bare(name) for name in named if not _NO_NAME.fullmatch(name)}
        if _has_signs_between_factors(shown, equations):
            names.update(_lowered(shown))
        is_varied = _VARIED.search(equations) is not None
        return cls(frozenset(names), bool(equations) and not is_latex, is_varied)

    def told(self, piece: re.Match[str]) -> str:
        """Return a block, or what is set as code, with its names as LaTeX has them."""
        name = piece["code"] or _alone(piece)
        listed = _LIST.fullmatch(piece["code"] or "") if self.are_alone else None
        if listed and all(map(self._is_letter, _COMMA.split(listed["names"]))):
            shown = ", ".join(f"${self._in_latex(one)}$" for one in _COMMA.split(listed["names"]))
            return piece[0].replace(f"`{name}`", shown, 1)
        if _IS_NAME.fullmatch(name) and _bare(name) in self.of_page:
            mark = f"`{name}`" if piece["code"] else name
            return piece[0].replace(mark, f"${self._in_latex(name)}$", 1)
        is_read = piece["code"] or _has_no_language(piece)
        return _SHOWN.sub(self._rewritten, piece[0]) if is_read else piece[0]

    def _is_letter(self, name: str) -> bool:
        return _bare(name) in self.of_page or _IS_LETTER.fullmatch(_bare(name)) is not None

    def _in_latex(self, name: str) -> str:
        is_change = self.are_varied and name[0] == "δ" and name[1:2] not in ("", "_")
        return f"δ {_in_latex(name[1:])}" if is_change else _in_latex(name)

    def _rewritten(self, match: re.Match[str]) -> str:
        name, before = match[0], ""
        if name[0] == "d" and _BY_TIME.match(match.string, match.end()):
            name, before = name[1:], "d "
        elif self.are_varied and name[0] == "δ":
            name, before = name[1:], "δ "
        for head in _heads(name):
            if _bare(head) in self.of_page:
                return before + _in_latex(head) + name[len(head) :]
        return before + name


def _with_greek(piece: re.Match[str]) -> str:
    """Return what is set as code with Greek letters for their names, where it is all letters."""
    words = _WORDS_OF_CODE.findall(piece["code"] or "")
    is_of_letters = bool(words) and all(map(_LETTER_OR_FUNCTION.fullmatch, words))
    return _GREEK_NAME.sub(lambda name: _GREEK[name[0]], piece[0]) if is_of_letters else piece[0]


def _equations(pieces: Iterable[re.Match[str]]) -> str:
    """Return what has equations, if some of them are printed in plain letters, and no code."""
    told = (piece["body"] if _has_no_language(piece) else piece["code"] for piece in pieces)
    equations = [one for one in told if one and "=" in one]
    return "\n".join(equations) if any(map(is_marked, equations)) else ""


def _has_signs_between_factors(shown: Iterable[str], equations: str) -> bool:
    """Return whether no letters stand side by side as factors, and signs do between some."""
    beside = (one for one in shown if _BESIDE.fullmatch(one))
    is_beside = any(not (_NO_NAME.fullmatch(one) or WORD.fullmatch(one)) for one in beside)
    return len(_BETWEEN.findall(equations)) > 1 and not is_beside


def _lowered(shown: Collection[str]) -> Iterator[str]:
    """Iterate over letters with others below, one of which at least is no factor elsewhere."""
    lowered = [name for name in shown if _LOWERED.fullmatch(name)]
    firsts = {name[0] for name in lowered if name[1:] not in shown}
    return (name for name in lowered if name[0] in firsts | _OF_AXES)


def _has_no_language(piece: re.Match[str]) -> bool:
    return piece["info"] is not None and piece["info"].strip() in NO_LANGUAGE


def _declared(pieces: Iterable[re.Match[str]]) -> Iterator[str]:
    for piece in pieces:
        code = piece["code"] or ""
        is_told = piece["is_said"] or not re.match(_PRODUCT, code)
        name = _alone(piece) or code
        if is_told and _IS_NAME.fullmatch(name) and not _NO_NAME.fullmatch(name):
            yield name


def _alone(piece: re.Match[str]) -> str:
    """Return the name in a cell, or at the head of an item."""
    return piece["cell"] or piece["head"] or ""


def _heads(shown: str) -> Iterator[str]:
    """Iterate over what of a name may be one, the whole first: ``a,b`` and ``a``."""
    while shown:
        yield shown
        shown = shown.rpartition(",")[0]


def _bare(name: str) -> str:
    """Return a name without its dots."""
    first, below, _ = _parts(name)
    return "_".join((first, *below))


def _parts(name: str) -> tuple[str, list[str], str]:
    """Return what stands first in a name, what follows, and its dots, which may be spelled."""
    apart = unicodedata.normalize("NFD", name)
    dots = "".join(one for one in apart if one in _DOTS)
    first, *others = re.split("[_,]", "".join(one for one in apart if one not in _DOTS))
    dots += "".join(SPELLED.get(one, "") for one in others)
    return first, [one for one in others if one not in SPELLED], dots


def _in_latex(name: str) -> str:
    """Return a name as a letter, or as a word, with what stands below it; dots stay above that."""
    first, others, dots = _parts(name)
    below = [_GREEK.get(one, one) for one in others]
    if first in _GREEK:
        letter = _GREEK[first]
    elif _WORD.fullmatch(first):
        letter = rf"\mathrm{{{first}}}"
    else:
        letter, rest = _FIRST.findall(first)[0]
        below = [*filter(None, [rest]), *below]
    return f"{letter}{dots}_{{{','.join(below)}}}" if below else letter + dots
