r"""One spelling for what is printed alike.

Dots may be set by ``\overset``, fonts by switches, primes by ``^{\prime}``; colours, phantoms and
classes of atoms cannot be seen at all. Everything is brought to the commands that the grammar
knows, with its place on the page.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain

from freebody.documents.latex.tokens.items import DOTS, FONTS, STYLES, Command, Group, Item, Token

_NAMES = (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi "
    "pi varpi rho varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta "
    "Lambda Xi Pi Sigma Upsilon Phi Psi Omega ell hbar imath jmath nabla infty"
)
GREEK = frozenset(_NAMES.split())
"""Letters that have commands, without their backslashes."""


def _letters() -> Iterator[tuple[str, str]]:
    for name in GREEK:
        size = "SMALL" if name.islower() else "CAPITAL"
        spelled = name.lower().replace("lambda", "lamda")  # as Unicode has it
        try:
            yield unicodedata.lookup(f"GREEK {size} LETTER {spelled}"), "\\" + name
        except KeyError:
            continue


LETTERS = dict(_letters())
"""The commands of Greek letters, by these."""


def _look_alikes(letters: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Iterate over characters that are letters in another shape, with these letters."""
    for number in chain(range(0xB5, 0xB6), range(0x3D0, 0x3F6), range(0x1D400, 0x1D800)):
        plain = unicodedata.normalize("NFKC", chr(number))
        if plain != chr(number) and (plain in letters or (plain.isascii() and plain.isalpha())):
            yield chr(number), letters.get(plain, plain)


SAME = {
    **LETTERS,
    **dict(_look_alikes(LETTERS)),
    **dict(zip("∆⍴⍺⍵Ω", (r"\Delta", r"\rho", r"\alpha", r"\omega", r"\Omega"), strict=True)),
    r"\lbrace": r"\{",
    r"\rbrace": r"\}",
    r"\(": "(",  # Markdown has a backslash before brackets, too
    r"\)": ")",
    **dict.fromkeys([r"\lbrack", r"\["], "["),
    **dict.fromkeys([r"\rbrack", r"\]"], "]"),
    r"\vert": "|",
    r"\Vert": r"\|",
    r"\ast": "*",
    r"\div": "/",
    r"\slash": "/",
    r"\wedge": r"\times",
    r"\cross": r"\times",
    r"\cr": r"\\",
    "␊": r"\\",
    r"\newline": r"\\",
    **dict.fromkeys("−–", "-"),
    "·": r"\cdot",
    "⋅": r"\cdot",
    "×": r"\times",
    "′": "'",
    "…": r"\dots",
    "≤": r"\le",
    "≥": r"\ge",
    "≠": r"\ne",
    "≈": r"\approx",
    "±": r"\pm",
    "∓": r"\mp",
    **dict(zip("，、；：。．（）", ",,;:..()", strict=True)),  # as Chinese and Japanese are typed
    **dict(zip("＝＋－＊／＜＞", "=+-*/<>", strict=True)),
    "∂": r"\partial",
    "∑": r"\sum",
    "√": r"\sqrt",
    "∞": r"\infty",
    "ℓ": r"\ell",
    "⋯": r"\cdots",
    r"\dd": "d",
    r"\qc": ",",  # quick commas and words of the physics package
    r"\qcomma": ",",
    **{
        rf"\q{word}": rf"\text{{ {word} }}"
        for word in (
            "and",
            "or",
            "if",
            "then",
            "let",
            "for",
            "where",
            "since",
            "when",
            "with",
            "as",
            "assume",
            "else",
            "otherwise",
            "unless",
            "given",
            "using",
            "in",
            "even",
            "odd",
        )
    },
    r"\lt": "<",
    r"\gt": ">",
    **{  # accents of amsmath, which could stand over one another
        rf"\{name.capitalize()}": rf"\{name}"
        for name in ("dot", "ddot", "hat", "tilde", "bar", "vec", "check", "breve")
    },
    r"\&": ",",
    r"\_": "_",  # as Markdown has it
}
"""Tokens that print like others."""

SWITCHES = {
    r"\bf": r"\mathbf",
    r"\it": r"\mathit",
    r"\cal": r"\mathcal",
    r"\rm": r"\mathrm",
    r"\sf": r"\mathsf",
    r"\tt": r"\mathtt",
    r"\boldmath": r"\boldsymbol",
}
"""Fonts for the rest of a group."""

_RENAMED = {
    **dict.fromkeys((r"\bm", r"\bold"), r"\boldsymbol"),
    r"\pmb": r"\boldsymbol",
    r"\vb": r"\mathbf",
    r"\va": r"\vec",
    r"\vu": r"\hat",
    r"\nicefrac": r"\frac",
    r"\sfrac": r"\frac",
}
_FENCED = {r"\abs": "|", r"\norm": r"\|"}
_SEEN = frozenset(
    {r"\textcolor", r"\colorbox", r"\smash", r"\ensuremath", r"\fbox", r"\boxed", r"\num"}
    | {r"\mathop", r"\mathord", r"\mathrel", r"\mathbin", r"\mathopen", r"\mathclose"}
    | {r"\mathinner", r"\mathnormal", r"\mathpunct", r"\hbox"}
    | {r"\shoveleft", r"\shoveright", r"\mathclap", r"\mathllap", r"\mathrlap"}
)
_UNSEEN = frozenset({r"\color", r"\phantom", r"\hphantom", r"\vphantom"})
_DRAWN = frozenset({r"\mathpalette"})
"""What draws a sign from others, by a macro of its own."""
_SET = frozenset({r"\overset", r"\stackrel", r"\underset"})
_PLACED = {
    **dict.fromkeys((".", r"\cdot", r"\bullet", r"\mathbf{.}", "\u02d9"), r"\dot"),
    "\u00a8": r"\ddot",
    **dict.fromkeys((r"\to", r"\rightarrow", r"\rightharpoonup"), r"\vec"),
    r"\sim": r"\tilde",
    "-": r"\bar",
}
_WAVES = frozenset({"sin", "cos", "tan"})
_DERIVATIVES = {
    **dict.fromkeys((r"\dv", r"\odv", r"\od", r"\dod", r"\tod"), "d"),
    **dict.fromkeys((r"\pdv", r"\pd", r"\dpd", r"\tpd"), r"\partial"),
}
_OPERATORS = frozenset({r"\cdot", r"\times", "+", "-", "=", "*", "/", r"\pm", r"\mp"})
RELATIONS = frozenset(
    {"=", "<", ">", r"\le", r"\leq", r"\ge", r"\geq", r"\ne", r"\neq", r"\approx", r"\simeq"}
    | {r"\equiv", r"\propto", r"\sim", r"\coloneqq", r"\triangleq", r"\doteq", r"\ll", r"\gg"}
    | {r"\leqslant", r"\geqslant", r"\cong", r"\approxeq", r"\lesssim", r"\gtrsim"}
)

_ARROWS = frozenset({r"\xrightarrow", r"\xRightarrow", r"\xlongrightarrow", r"\xleftrightarrow"})
"""Arrows with words above them."""

ARITY = {
    **dict.fromkeys([*_RENAMED, *_FENCED, *_SEEN, *_UNSEEN, r"\not", *_DERIVATIVES, *_ARROWS], 1),
    **dict.fromkeys(
        [*_SET, *_DRAWN, r"\textcolor", r"\colorbox", r"\nicefrac", r"\sfrac", r"\SI"], 2
    ),
}
"""How many arguments the commands take that are rewritten here."""

OPTIONAL = frozenset({r"\smash", r"\color", r"\textcolor", r"\SI", *_DERIVATIVES, *_ARROWS})
"""Those that may have an argument in brackets; it comes last."""

TWICE = frozenset(_DERIVATIVES)
"""Those that take a second argument where one stands in braces."""


def rewritten(command: Command) -> Item:
    """Return what a command is read as: another item, or braces around several."""
    if rule := _RULES.get(command.text):
        return rule(command)
    sole = command.arguments[0] if command.text in STYLES else ()
    return sole[0] if len(sole) == 1 and sole[0].text in _OPERATORS else command


def styled(style: str, item: Item) -> Item:
    """Return an item with its letters in a font."""
    if isinstance(item, Token):
        letter = item.text.removeprefix("\\")
        is_letter = len(item.text) == 1 or (style == r"\boldsymbol" and letter in GREEK)
        plain = not (letter.isalpha() and is_letter)
        return item if plain else Command(style, ((item,),), item.start, item.stop)
    if isinstance(item, Group):
        inside = tuple(styled(style, part) for part in item.items)
        return Group(item.text, inside, item.start, item.stop)
    if item.text in ("_", "^") or item.text in FONTS:
        return item
    arguments = tuple(tuple(styled(style, part) for part in row) for row in item.arguments)
    return Command(item.text, arguments, item.start, item.stop)


def joined(items: Sequence[Item]) -> list[Item]:
    """Take a colon and the sign of equality beside it as one sign, three points as dots."""
    found: list[Item] = []
    for item in _pointed(items):
        pair = {found[-1].text, item.text} if found else set()
        if "=" in pair and pair & {":", r"\colon"}:
            found[-1] = Token("=", found[-1].start, item.stop)
        else:
            found.append(item)
    return found


def _pointed(items: Sequence[Item]) -> Iterator[Item]:
    """Iterate over items with points between names as signs of a product, and three as dots."""
    position = 0
    while position < len(items):
        item = items[position]
        if [one.text for one in items[position : position + 3]] == [".", ".", "."]:
            yield Token(r"\dots", item.start, items[position + 2].stop)
            position += 2
        elif item.text == "." and _is_between_names(items, position):
            yield Token(r"\cdot", item.start, item.stop)
        else:
            yield item
        position += 1


def _is_between_names(items: Sequence[Item], position: int) -> bool:
    """Return whether a point has factors, and no digits, on both sides, and blanks on both or none.

    With a blank behind it alone it ends something.
    """
    if not 0 < position < len(items) - 1:
        return False
    before, point, behind = items[position - 1 : position + 2]
    is_even = (before.stop == point.start) == (point.stop == behind.start)
    return is_even and all(map(_is_factor, (before, behind)))


def _is_factor(item: Item) -> bool:
    if isinstance(item, Token):
        letter = item.text.removeprefix("\\")
        return (len(item.text) == 1 and letter.isalpha()) or letter in GREEK | _WAVES
    return not isinstance(item, Group) or item.text in ("(", "[")


def _braced(items: Sequence[Item], at: Item) -> Group:
    return Group("{", tuple(items), at.start, at.stop)


def _renamed(command: Command) -> Item:
    return rewritten(
        Command(_RENAMED[command.text], command.arguments, command.start, command.stop)
    )


def _fenced(command: Command) -> Item:
    return Group(_FENCED[command.text], command.arguments[0], command.start, command.stop)


def _contents(command: Command) -> Item:
    return _braced(command.arguments[ARITY[command.text] - 1], command)


def _arrow(command: Command) -> Item:
    return Token(r"\rightarrow", command.start, command.stop)


def _nothing(command: Command) -> Item:
    return _braced((), command)


def _negated(command: Command) -> Item:
    negated = {"=": r"\ne", r"\equiv": r"\ne"}.get("".join(i.text for i in command.arguments[0]))
    return Token(negated, command.start, command.stop) if negated else command


def _set(command: Command) -> Item:
    """Read a mark over a relation, which says nothing more, or over a letter."""
    mark, below = command.arguments[:2]
    relation = below[0] if len(below) == 1 else None
    if isinstance(relation, Token) and relation.text in RELATIONS:
        return Token(relation.text, command.start, command.stop)
    accents = {_PLACED.get(item.text) for item in mark}
    accent = accents.pop() if len(accents) == 1 and command.text != r"\underset" else None
    if accent == r"\dot" and len(mark) <= len(DOTS):
        return Command(list(DOTS)[len(mark) - 1], (below,), command.start, command.stop)
    if accent and len(mark) == 1:
        return Command(accent, (below,), command.start, command.stop)
    return command


def _differentiated(command: Command) -> Item:
    """Write a derivative of the physics package as a fraction."""
    start, stop = command.start, command.stop
    mark = Token(_DERIVATIVES[command.text], start, stop)
    mandatory, order = command.arguments, tuple[Item, ...]()
    if mandatory[-1][:1] and isinstance(mandatory[-1][0], Group) and mandatory[-1][0].text == "[":
        order = (Command("^", (mandatory[-1][0].items,), start, stop),)
        mandatory = mandatory[:-1]
    operand = mandatory[0] if len(mandatory) == 2 else ()
    sides = ((mark, *order, *operand), (mark, *mandatory[-1], *order))
    return Command(r"\frac", sides, start, stop)


def _with_unit(command: Command) -> Item:
    unit = Command(r"\si", (command.arguments[1],), command.start, command.stop)
    return _braced((*command.arguments[0], unit), command)


def _raised(command: Command) -> Item:
    """Take primes out of a superscript."""
    inside = command.arguments[0]
    primes = 0
    while primes < len(inside) and inside[primes].text in (r"\prime", "'"):
        primes += 1
    if not primes:
        return command
    marks = [Token("'", item.start, item.stop) for item in inside[:primes]]
    rest = Command("^", (inside[primes:],), command.start, command.stop)
    return _braced([*marks, rest] if inside[primes:] else marks, command)


_RULES: dict[str, Callable[[Command], Item]] = {
    **dict.fromkeys(_RENAMED, _renamed),
    **dict.fromkeys(_FENCED, _fenced),
    **dict.fromkeys(_SEEN, _contents),
    **dict.fromkeys(_UNSEEN | _DRAWN, _nothing),
    **dict.fromkeys(_ARROWS, _arrow),
    **dict.fromkeys(_SET, _set),
    **dict.fromkeys(_DERIVATIVES, _differentiated),
    r"\not": _negated,
    r"\SI": _with_unit,
    "^": _raised,
}
