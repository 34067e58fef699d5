r"""The words beside symbols that explain them: "where $m_1$ is the mass", "a cart of mass $M$"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from freebody.checking.guesses.formula_names import LETTER, components_of, names_of, plain_name
from freebody.checking.guesses.glossaries import glossary
from freebody.checking.guesses.led_displays import led_displays
from freebody.checking.guesses.naming import LEADING, LEADS, is_open, phrase_of, whose
from freebody.checking.guesses.words import (
    OF,
    kinds_at_end,
    kinds_of,
    kinds_of_head,
    known_at_end,
)
from freebody.documents.latex.names import short

NEAR = 90
"""Characters behind a symbol in which it is explained."""
LONGEST = 60
"""Characters of a formula of nothing but symbols."""
_INLINE = re.compile(
    r"(?<![\\$])\$`?(?![$`])([^$\n]{1,2000}?)`?\$(?!\$)|\\{1,2}\((.{1,2000}?)\\{1,2}\)|:math:`([^`\n]+)`"
    r"|(?<![\\$])\$\$[ \t]*(?:\\\()?([^$\n]{1,200}?)(?:\\\))?[ \t]*\$\$(?=[ \t]*[:：–—-])"
    r"|(?<=[\w,(] )\$\$([^$\n]{1,60}?)\$\$(?=[ \t]*[\w,.;)])"
    rf"|(?<!`)`(?P<code>{LETTER}(?:_\w{{1,4}}|\d{{1,2}}|[₀-₉]{{1,2}})?)(?:\(t\))?`(?!`)"
    r"|(?<![\w`])(?!(?<=[\d(|] )Ω|(?<=[\d(|])Ω)"
    r"(?P<plain>[α-ωΑ-Ω](?:_\w{1,4}|[₀-₉]{0,2})|[A-Za-z][₀-₉]{1,2})(?:\(t\))?(?![\w'`(])"
)
"""Formulas in running text, also between two dollars within a line, and plain letters.

A letter is plain that is set as code, that is Greek, or below which digits stand. Ω behind a
number, in brackets or first in a cell is a unit.
"""
_EXPLAINS = re.compile(rf"[\s,*|]*(?:{LEADS})", re.IGNORECASE)
_NAMES_NEXT = re.compile(
    r"\s*,\s*(?:and\s+)?(?:the|an?)\s[^,]*,\s*(?:and\s*)?(?::math:`)?", re.IGNORECASE
)
"""Words between two symbols that are about the one before or the one behind."""
_OF_NEXT = re.compile(
    r"\s*,\s*(?:(?:and|und|et|y|e)\s+)?(?:the|an?|der|die|das|eine?[mnr]?|l[ae]|une?|el|una?|[oa]|uma?)"
    r"\s[^,]*",
    re.IGNORECASE,
)
"""Words behind a symbol that may be about the next one."""
_OF_DISPLAY = re.compile(
    r"\s*,\s*(?:the|der|die|das|l[ae]|el|[oa]|il)\s[^,:]*?"
    r"\b(?:is|are|becomes?|reads?|ist|lautet|wird|est|devient|es|é|è|fica|diventa)"
    r"(?:\s+(?:then|now|given by|thus|hence))?\s*[:：]?\s*",
    re.IGNORECASE,
)
"""Words behind a symbol about the formula that they lead to: "for $P$, the gain is:"."""
_SIZE = re.compile(
    r"\$\$? *\(?[\w+-]{1,4} *\\times *[\w+-]{1,4}\)? *\$\$? +"
    r"(?=(?:\S+ ){0,3}(?:matri|vect|ve[kt]tor))",
    re.IGNORECASE,
)
"""The size of what a symbol is, which stands before that: "the $n \\times n$ mass matrix"."""
_KIND = re.compile(
    r"^ +(?:values?|terms?|coefficients?|parameters?|variables?|matri(?:x|ces)|vectors?|angles?"
    r"|ax[ei]s)"
    r"(?= +(?:is|are|denotes?|represents?) +(?:the|an?)\b)"
)
"""What symbols are besides, before words that say what they are: "the $d_i$ values are the"."""
_LISTED = re.compile(r"\s*(?:,|/|、|،|and|und|et|y|e|i|и|和|及)?(?:\s+and)?\s*", re.IGNORECASE)
"""What stands between symbols that are explained together."""
_END = re.compile(r"[.;。；，]|\$|:math:`|\\\(|\|\s*\||\n(?=\s*(?:\n|[-*+|#:&>]|\d+[.)]\s|\\|$))")
"""What ends an explanation: a line only where what follows is no more of the same text."""
_ARGUMENTS = re.compile(r"(?<=.)\([^()]*\)\Z")
"""What a letter is a function of: what is said of ``u(x, t)`` is said of u."""
_FIRST = r"(?:^|[$`(,;&]|\\\\|\\begin\{\w+\*?\})\s*"
_DEFINES = r"\s*&?:?=(?!\s*[-\d.]+\s*[$`,.])"
"""What stands in front of a letter that is defined, and behind it: no number."""
_ATTRIBUTE = re.compile(r"\$[^$\n]{1,80}\$\s*(?:的|之|の)")
"""A symbol that belongs to the words in front of it, which say whose something is."""
_BEFORE = 60
"""Characters in front of a symbol in which it is called what it is: "a cart of mass $M$"."""
_APPOSED = re.compile(
    r"\b(?:the|an?|der|die|das|de[mns]|eine?[mnr]?|les?|la|une?|el|los|las|una?|os?|as?|uma?|il|lo)"
    r"\s+((?:(?:[^\W\d_][\w'’-]*\s+){1,4}of\s+(?:the|an?)\s+)?"
    r"(?:(?!and\s+(?:eliminate|introduce|substitute|calculate|determine|solve|obtain|find|define)\b)"
    r"[^\W\d_][\w'’-]*\s+){1,6})$",
    re.IGNORECASE,
)
"""What is called by a symbol right behind: "the coefficient of friction $\\mu$"."""
_OF_APPOSED = re.compile(
    r"\b(?:with|has|have|having|mit|hat|haben|avec|con|tienen?|com|tem|ha|hanno"
    r"|(?:to )?(?:get|obtain|find|compute|calculate|derive|determine)|gives?|giving|yields?)\s+",
    re.IGNORECASE,
)
"""What leads from something to what it has, or what is got by it, which is what is called so."""
_FIRST_OF_TWO = re.compile(
    r"\b(?:between|entre|zwischen|tra|fra|между)\s+"
    r"(?:(?:the|an?|l[aeo]s?|los|el|un[ae]?|as?|os?|uma?|de[rmn]|die|das|eine[rmn]?|il|gli|i)\s+)?",
    re.IGNORECASE,
)
"""What leads to the first of two: "the ratio between the mass $m$ and …"."""
_NEXT_PARAGRAPH = re.compile(r"[ \t]*\n[ \t]*\n\s*[A-ZÀ-Ý][^\n]*:[ \t]*$", re.MULTILINE)
"""One that leads to the next formula."""
_BREAK = re.compile(r"[ \t.]*\n[ \t]*\n")
_WORDS = re.compile(r"[^\W\d_]{3,}[ \t]+\S")
"""Words of a sentence that ends with a symbol, which the next paragraph does not explain then."""
_NEXT_ITEM = re.compile(r"[\s.,;*]*\n\s*(?:[-*+•]|\d+[.)])\s")
_MARK = r"[ \t>]*(?:[-*+•]|\d+[.)]|\\item)[ \t]+"
"""What stands in front of what is first in an item of a list."""
_HEADED = re.compile(
    rf"^{_MARK}[*_]*"
    r"(?:(?P<words>[^$\n:：\\|]{3,60}?)[*_ \t]*[:：=–—-]|(?P<few>\w+(?: \w+){0,3}))[*_ \t]*$"
)
"""What an item of a list has in front of its symbol at the end: ``- Mass of the cart: $M$``."""
_BRACKETED = re.compile(
    rf"(?:^(?:{_MARK}|[#]+[ \t]+)[*_]*|(?<![\w*])\*\*(?=\S))"
    r"(?P<words>[^$\n:：\\|()*]{3,60}?)[*_ \t]*\([ \t]*$"
)
"""Words of an item, a heading or in bold before a symbol in parentheses: ``- **Mass** ($M$)``."""
_LEADING_WORDS = re.compile(rf"^{_MARK}[*_]*(?P<words>[^$\n:：\\|()*]{{3,60}}?)[*_]*[ \t]+$")
"""Words of an item in front of its first symbols."""
_OF_THING = re.compile(r"\b(?:of|for) (?P<thing>(?:frame|point|body))\s*$", re.IGNORECASE)
_CAPITAL = re.compile(r"[A-Z]|\\math(?:cal|scr|bb)\{|\{")
"""Letters of frames, points and bodies."""
_PLAIN = re.compile(LETTER)
_BLOCK = re.compile(r"^[ \t]*(```|~~~).*?^[ \t]*\1", re.DOTALL | re.MULTILINE)
_SAID = re.compile(
    r"(?:\s*(?:,|and\b|und\b|et\b|y\b|e\b)\s*`[^`\n]{1,8}`)*\s*"
    r"(?:(?:is|are|denotes?|represents?|ist|sind|est|sont|es|son|é|são|è|sono|jest|:)\s|[为是：は]|表示)"
)
"""What leads from letters that are set as code to words that say what they are."""
_ALONE = re.compile(
    r"[ \t*_]*(?:[(\[（.,;。，]|\\\\|$|(?:for|of|per|für|von|pour|de|para|di)\s)", re.MULTILINE
)
_LONGEST_ROW = 400
"""Characters of a row of a table, or of an item of a list, before a symbol."""
_CELLS = re.compile(r"[|&]")
_CELL_ENDS = re.compile(r"[ \t]*\|")
_NAMED_CELL = re.compile(r"[^$\\`]*[^\W\d_]{2,}[^$\\`]*")
"""A cell of a table that has words, and no formula."""
_ADJECTIVE = re.compile(
    r"[\w-]+(?:al|ic|ar|ive|ous|ary|ing|ed|are|ische|ale|ique)|front|rear|left|right|upper|lower|inner|outer"
    r"|roll|pitch|yaw|surge|sway|heave|first|second|third|east|north|main|tail|proximal|distal"
)
"""Words that stand before what several things are: "the linear and quadratic damping"."""
_CONJUNCTION = re.compile(r"\s*(?:,\s*(?:and\b)?|\b(?:and|und|et|y|e|и)\b|和|及|と|、)\s*")
_RESPECTIVELY = re.compile(
    r"\b(?:respectively|respectivamente|respectivement|beziehungsweise|bzw\.?|jeweils|соответственно)\b"
    r"|分别|それぞれ",
    re.IGNORECASE,
)
_COPULA = re.compile(
    r"(?:为|為|是|は|\b(?:is|are|ist|sind|est|sont|es|son|é|são|è|sono|jest)"
    r"(?:\s+(?:given by|denoted(?: by| as)?|defined (?:as|by)|called|equal to|just|simply))?\s)"
    r"\s*$",
    re.IGNORECASE,
)
"""What stands between words and the symbol for what they name: "the mass of the cart is $M$"."""
_ROTATES = re.compile(
    r"(?P<latex>[^=]{1,20}?)\s*\\in\s*(?:SO|\\(?:mathrm|text|mathbb)\{SO\})\s*\(\s*3\s*\)"
)
_ROTATION = "is the rotation matrix"
"""What is said of a symbol by the set that it is of."""
_COMMA = re.compile(r",\s*$")
_APART = re.compile(r"\s*(?:[,.;)]|\Z)")
"""What is behind a symbol that stands behind a comma: "the mass of the cart, $M$, is"."""
_COEFFICIENT = re.compile(r" (?:constant|coefficient|parameter)$")
"""What may end the name of a constant: "the friction constant $r$"."""
_SEVERAL = re.compile(
    r"(?<![siu])s$|(?:masse|kräfte|länge|winkel|konstante|geschwindigkeite)n$", re.IGNORECASE
)
"""How words for several things end."""
_VALUE = re.compile(r"\s*[-+]?[\d.]")
_OF_ONE = re.compile(
    r"\s*(?:is|denotes|represents|ist|bezeichnet|est|désigne|es|denota|é|designa|è|indica)"
    r"\s+(?:the|an?|der|die|das|eine?|l[ae]|une?|el|una?|o|a|uma?|il|lo)\b",
    re.IGNORECASE,
)
"""What leads to words about one symbol, and not about those that are listed with it."""
_SAYS = re.compile(
    r"\s*(?:\(|(?:is|are|denotes?|represents?|ist|bezeichnet|est|désigne|es|denota|é|designa|è|indica)\b)"
)
"""What leads from an equation to words that say what its left side is."""
_OF_ANOTHER = re.compile(r"[ ,]*\(\$?\\?[^\W\d_]{1,3}\$?[ ]*[=≙][ ]*[^\W\d_]{3}")
"""Words in brackets that begin with the letter that they are of: ``(D = damping)``."""
_DOTTED = re.compile(r"\\d{1,4}ot(?![A-Za-z])|['\u2032\u0307\u0308]|\\prime")
"""What makes a symbol a rate, which words are about then."""


def names_in(prose: str) -> tuple[str, ...]:
    r"""Return the names that stand alone in running text, or between commas, as they occur.

    Examples
    --------
    >>> names_in("A cart of mass $M$ carries $m_{1}$, $m_2$, and $F = m a$ holds.")
    ('M', 'm_1', 'm_2')
    """
    found: dict[str, None] = {}
    for match in _formulas(prose):
        latex = _latex(match)
        if len(latex) <= LONGEST and not match["code"]:
            found |= dict.fromkeys(sorted({*map(short, names_of(latex))}))
    listed = (key for key, _ in glossary(prose))
    return (*found, *(key for key in dict.fromkeys(listed) if key not in found))


def explanations(prose: str, wanted: set[str]) -> Iterator[tuple[str, str, bool]]:
    """Iterate over symbols, the last first, with the words that explain them.

    Beside them stands whether these are behind the symbol, or in front of it.
    """
    led = [(key, words, False) for key, words in led_displays(prose) if key in wanted]
    listed = [(key, words, True) for key, words in glossary(prose) if key in wanted]
    found = [*reversed(led), *reversed(listed)]
    groups = [*_together(prose)]
    for matches, behind in groups:
        found += _of_group(prose, matches, behind, wanted)
    yield from found
    told = {key for key, words, is_behind in found if not is_behind or phrase_of(words)}
    for matches, _ in groups:
        shared = dict(_of_list(prose, matches))
        yield from ((key, shared[key], False) for key in sorted(shared.keys() & wanted - told))


def _of_group(
    prose: str, matches: list[re.Match[str]], behind: str, wanted: set[str]
) -> Iterator[tuple[str, str, bool]]:
    """Iterate over symbols that are explained together, the last first, with their own words."""
    sole = _latex(matches[0]) if len(matches) == 1 else ""
    if turned := _ROTATES.fullmatch(sole.strip()):
        yield from ((key, _ROTATION, True) for key in {*names_of(turned["latex"])} & wanted)
        return
    if "=" in sole:
        yield from _of_equation(prose, matches[0], sole, behind, wanted)
        return
    named = _named(matches)
    count = len(named) + (bool(named) and named[-1][0] is not matches[-1])  # of a formula behind
    leading = _leading_words(prose, matches[0], behind)
    for number, (match, key) in reversed([*enumerate(named)]):
        words = _own_part(behind, number, count) if behind else ""
        is_named = match["code"] or phrase_of(words)
        called = "" if is_named else _called(prose, match, key)
        if leading and words == behind:
            called = leading
        called = _own_words(called, [other for one, other in named if one is match], key)
        called = _thing_itself(called, key)
        is_told = (called or words) and not _DOTTED.search(match[0])
        spelled = {key, short(key)}
        if not called and not words.lstrip().startswith(","):
            spelled |= _without_arguments(key, prose)
        for each in sorted(spelled & wanted) if is_told else ():
            yield each, called or words, not called


def _leading_words(prose: str, match: re.Match[str], behind: str) -> str:
    """Return what an item of a list calls its symbols, before it says more of them.

    As in ``- Angular rates $p, q$: body frame``.
    """
    if not behind.lstrip().startswith((":", "：")):
        return ""
    item = _LEADING_WORDS.match(_line_before(prose, match.start()))
    return item["words"] if item and kinds_of_head(item["words"].lower()) else ""


def _thing_itself(called: str, key: str) -> str:
    """Return what a capital is called: B of "the angular velocity of frame B" is the frame."""
    thing = _OF_THING.search(called) if _CAPITAL.match(key) else None
    return thing["thing"] if thing else called


def _own_words(called: str, names: list[str], key: str) -> str:
    """Return what one of several names in a formula is called: "the force and moment $F, M$".

    Examples
    --------
    >>> _own_words("force and moment", ["F", "M"], "M"), _own_words("angles", ["a", "b"], "a")
    ('moment', 'angles')
    """
    parts = [one for one in _CONJUNCTION.split(called) if one]
    return parts[names.index(key)] if len(parts) == len(names) else called


def _named(matches: list[re.Match[str]]) -> list[tuple[re.Match[str], str]]:
    """Return the names in formulas of nothing but names."""
    return [
        (match, key)
        for match in matches
        if len(latex := _latex(match)) <= LONGEST
        for key in names_of(latex, of_functions=True) or components_of(latex)
    ]


def _of_list(prose: str, matches: list[re.Match[str]]) -> Iterator[tuple[str, str]]:
    """Iterate over symbols of a list in which nothing else is said of them than in front of it."""
    named = [(match, key) for match, key in _named(matches) if not _DOTTED.search(match[0])]
    if len(named) < 2:
        return
    (first, key), *rest = named
    words = _called(prose, first, key)
    is_list = any(match is first for match, _ in rest) or kinds_of_head(words.lower())
    if is_list and _is_of_several(words):
        yield from ((one, words) for _, name in rest for one in (name, short(name)))


def _is_of_several(words: str) -> bool:
    """Return whether words name more than one thing.

    Examples
    --------
    >>> _is_of_several("drag coefficients"), _is_of_several("coefficients of the tyres")
    (True, True)
    >>> _is_of_several("mass of the wheels"), _is_of_several("inertia")
    (False, False)
    """
    return _SEVERAL.search(OF.split(words, maxsplit=1)[0].strip()) is not None


def _without_arguments(key: str, prose: str) -> set[str]:
    """Return the letter of a function, unless the page defines it as something of its own."""
    letter = _ARGUMENTS.sub("", short(key))
    if letter == short(key):
        return set()
    defined = re.compile(rf"{_FIRST}{re.escape(letter)}{_DEFINES}", re.MULTILINE)
    return set() if defined.search(prose) else {letter}


def _of_equation(
    prose: str, match: re.Match[str], latex: str, behind: str, wanted: set[str]
) -> Iterator[tuple[str, str, bool]]:
    """Iterate over the symbol that is a side of an equation, with the words that say what it is.

    They name a quantity of mechanics, or the equation gives a number, or components of one letter,
    which are called so too.
    """
    left, _, right = latex.partition("=")
    names = () if _DOTTED.search(left) else names_of(left)
    if len(names) != 1:
        return
    is_item = re.fullmatch(_MARK, _line_before(prose, match.start())) is not None
    is_said = is_item or _SAYS.match(behind) is not None
    is_behind = is_said and bool(kinds_of_head(phrase_of(behind).lower()))
    words = behind if is_behind else _called(prose, match, names[0])
    told, parts = phrase_of(words).lower(), components_of(right)
    is_kind = kinds_at_end(told) or kinds_of_head(told)
    if told and (is_behind or is_kind or parts or _VALUE.match(right)):
        spelled = {one for name in (names[0], *parts) for one in (name, short(name))}
        yield from ((each, words, is_behind) for each in sorted(spelled & wanted))


def _together(prose: str) -> Iterator[tuple[list[re.Match[str]], str]]:
    """Iterate over formulas that are explained together, the last first, with what does so."""
    group: list[re.Match[str]] = []
    behind, follows = "", len(prose)
    for match in reversed([*_formulas(prose)]):
        own = "" if _cell_before(prose, match) else _explanation(prose, match.end())
        own = "" if _is_of_next(prose, match, own) else own
        is_listed = _LISTED.fullmatch(prose, match.end(), follows) is not None
        if group and (own or not is_listed):
            yield group, behind
            group, behind = [], ""
        behind = own or behind
        group.insert(0, match)
        follows = match.start()
    if group:
        yield group, behind


def _formulas(prose: str) -> Iterator[re.Match[str]]:
    """Iterate over the formulas in running text, and plain letters outside of blocks of code.

    Of those that are set as code the ones of which something is said.
    """
    blocks = [found.span() for found in _BLOCK.finditer(prose)]
    for match in _INLINE.finditer(prose):
        is_plain = bool(match["code"] or match["plain"])
        if is_plain and any(start < match.start() < stop for start, stop in blocks):
            continue
        if not match["code"] or _SAID.match(prose, match.end()):
            yield match


def _is_of_next(prose: str, match: re.Match[str], words: str) -> bool:
    """Return whether words behind a symbol are about the next: "a length $l$, a mass $m$"."""
    if _OF_DISPLAY.fullmatch(words):
        return True
    if _NAMES_NEXT.fullmatch(words):
        return _is_named_before(prose, match)
    is_next = _OF_NEXT.fullmatch(words) and _INLINE.match(prose, match.end() + len(words))
    return bool(is_next) and _APPOSED.search(_just_before(prose, match)) is not None


def _just_before(prose: str, match: re.Match[str]) -> str:
    """Return what stands near in front of a symbol, of the same paragraph."""
    return prose[max(0, match.start() - _BEFORE) : match.start()].rpartition("\n\n")[2]


def _is_named_before(prose: str, match: re.Match[str]) -> bool:
    """Return whether a sentence has the words for its symbols in front: "the yaw angle, $q_3$"."""
    start = max(prose.rfind(end, 0, match.start()) for end in (". ", "\n\n", ".\n", ": "))
    first = _INLINE.search(prose, max(start, 0), match.end()) or match
    return prose[: first.start()].rstrip().endswith(",")


def _own_part(words: str, number: int, count: int) -> str:
    """Return what is said of one of several symbols that are explained together.

    Examples
    --------
    >>> _own_part(" are the masses of the foot and the shank, respectively", 1, 2)
    ' are the masses of the shank'
    >>> _own_part(" are the mass and the length of the rod", 1, 2)
    ' are the length of the rod'
    >>> _own_part(" are the coordinates of the mass", 1, 2)
    ' are the coordinates of the mass'
    >>> _own_part(" are the length and the mass, respectively, of a link", 1, 2)
    ' are the mass'
    >>> _own_part(" are the linear and quadratic damping coefficients", 0, 2)
    ' are the linear damping coefficients'
    >>> _own_part(" is the acceleration of gravity", 0, 2)  # of the last alone
    ''
    """
    if count < 2:
        return words
    lead = LEADING.match(words)
    start = lead.end() if lead else 0
    listed, *rest = _RESPECTIVELY.split(words[start:], maxsplit=1)
    told = (listed if _CONJUNCTION.search(listed) else " ".join((listed, *rest))).strip(" ,")
    parts = [part.strip() for part in _CONJUNCTION.split(told) if part.strip()]
    if len(parts) != count:
        return "" if number < count - 1 and _OF_ONE.match(words) else words
    first, own = parts[0], parts[number]
    last = LEADING.match(parts[-1])
    _, _, shared = parts[-1][last.end() if last else 0 :].partition(" ")
    if shared and _ADJECTIVE.fullmatch(own) and not kinds_of(own.lower()):
        return f"{words[:start]}{own} {shared}"
    head, led = OF.search(first), LEADING.match(own)
    if number and head and not kinds_of(own.lower()) and kinds_of(first.lower()):
        own = f"{first[: head.end()]} {OF.sub('', own, count=1).strip()}"
    elif led:
        own = own[led.end() :]
    return words[:start] + own


def _latex(match: re.Match[str]) -> str:
    r"""Return a formula in running text, or a plain letter, in LaTeX."""
    plain = match["code"] or match["plain"]
    if not plain:
        return next(filter(None, match.groups()))
    letter = _PLAIN.match(plain)
    return plain_name(letter[0], plain[letter.end() :]) if letter else plain


def _explanation(prose: str, position: int) -> str:
    """Return what explains a symbol that ends here, if anything does."""
    following = _KIND.sub("", _SIZE.sub("", prose[position : position + NEAR]))
    is_next = _NEXT_ITEM.match(following) or _NEXT_PARAGRAPH.match(following)
    is_next = is_next or (_BREAK.match(following) and _WORDS.search(_line_before(prose, position)))
    if is_next or not _EXPLAINS.match(following) or _OF_ANOTHER.match(following):
        return ""
    end = _END.search(following, 1)
    words = following[: end.start() if end else None]
    return "" if end and _ATTRIBUTE.match(following, end.start()) else words


def _cell_before(prose: str, match: re.Match[str]) -> str:
    """Return the cell in front of the own one of a symbol, in a row that begins with words.

    Or the words in front of it in its own cell, which it ends.
    """
    *cells, own = _CELLS.split(_line_before(prose, match.start()))
    if cells and _CELL_ENDS.match(prose, match.end()) and _NAMED_CELL.fullmatch(own):
        return own.strip(" \t*_")
    first = next((cell for cell in cells if cell.strip(" \t*_")), "")
    if own.strip(" \t*_") or not _NAMED_CELL.fullmatch(first):
        return ""
    named = (cell for cell in reversed(cells) if _NAMED_CELL.fullmatch(cell))
    return next(named).strip(" \t*_")


def _line_before(prose: str, position: int) -> str:
    """Return what stands on a line before a position, of a long one the last of it."""
    nearest = max(0, position - _LONGEST_ROW)
    return prose[prose.rfind("\n", nearest, position) + 1 or nearest : position]


def _heading(prose: str, match: re.Match[str]) -> str:
    """Return the words that an item of a list has in front of the symbol that it ends with."""
    is_alone = _ALONE.match(prose, match.end()) is not None
    before = _line_before(prose, match.start())
    if prose[match.end() : match.end() + 1] == ")" and (headed := _BRACKETED.search(before)):
        return headed["words"]
    headed = _HEADED.match(before) if is_alone else None
    words = (headed["words"] or headed["few"]) if headed else ""
    return "" if is_open(words) else words


def _called(prose: str, match: re.Match[str], key: str) -> str:
    """Return the words in front of a symbol by which it is called, if any are."""
    if words := _cell_before(prose, match) or _heading(prose, match):
        return words
    before = _COPULA.sub("", _just_before(prose, match))
    apart = _COMMA.search(before) if _APART.match(prose, match.end()) else None
    before = f"{before[: apart.start()]} " if apart else before
    apposed = _APPOSED.search(before)
    if apposed and not is_open(apposed[1]) and prose[match.end() : match.end() + 1] != "-":
        words = _FIRST_OF_TWO.split(_OF_APPOSED.split(apposed[1].strip())[-1])[-1]
        words = whose(words, key)
        return words if not apart or kinds_of_head(words.lower()) else ""
    last = re.search(r"([^\W\d_][\w'’ ]*?)\s*$", before.lower())
    return _known_at_end(last[1]) if last else ""


def _known_at_end(words: str) -> str:
    """Return the known phrase that words end with, or it and that it is a constant.

    Examples
    --------
    >>> _known_at_end("with spring constant"), _known_at_end("a friction constant")
    ('spring constant', 'friction constant')
    """
    if phrase := known_at_end(words):
        return phrase
    ending = _COEFFICIENT.search(words)
    stem = _known_at_end(words[: ending.start()]) if ending else ""
    return stem + ending[0] if ending and stem else ""
