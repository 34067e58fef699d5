r"""Functions and what they are of.

Without brackets the argument is numbers and names up to the first that varies, as in
``\cos\omega t \theta``. Where it may end elsewhere, that is told.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from freebody.documents.latex.grammar.brackets import BRACKETS, enclosed, split
from freebody.documents.latex.spellings import plain, spellings
from freebody.documents.latex.tokens.arguments import argument as braced
from freebody.documents.latex.tokens.items import (
    BRACES,
    FRACTIONS,
    UPRIGHT,
    Command,
    Group,
    Item,
    Token,
    words,
)
from freebody.documents.latex.tree import (
    Call,
    Divide,
    Matrix,
    Name,
    Node,
    Number,
    Power,
    Span,
)

if TYPE_CHECKING:
    from freebody.documents.latex.grammar.parser import Reader

_OF_ANGLES = ("sin", "cos", "tan", "cot", "sec", "csc")
_WAVES = (*_OF_ANGLES, "sinh", "cosh", "tanh", "coth")
_DEGREES = 10
"""From which whole number on a sine is one of degrees."""
_FUNCTIONS = {
    **{name: name for name in (*_WAVES, "exp", "log", "det", "sign", "abs")},
    **{f"arc{name}": f"arc{name}" for name in _WAVES},
    **{f"a{name}": f"arc{name}" for name in _WAVES},
    **{f"ar{name}": f"arc{name}" for name in ("sinh", "cosh", "tanh")},
    "ln": "log",
    "sgn": "sign",
    "signum": "sign",
    "sen": "sin",
    "senh": "sinh",
    "arcsen": "arcsin",
    "tg": "tan",
    "tgh": "tanh",
    "ctg": "cot",
    "cotg": "cot",
    "arctg": "arctan",
    "tr": "trace",
    "Tr": "trace",
    "trace": "trace",
    "skew": "skew",
    "cosec": "csc",
    "arcsinh": "arcsinh",
    **{name: name for name in ("min", "max", "diag", "atan2")},
    "arctan2": "atan2",
    "Min": "min",
    "Max": "max",
}
_OF_SEVERAL = frozenset({"min", "max", "diag", "atan2"})
_OF_MATRICES = frozenset({"det", "trace", "skew"})
_CALLED = frozenset({"det", "tr", "trace", "max", "min", "sgn", "sign", "diag", "abs"})
_ROMANCE = frozenset({"sen", "senh", "arcsen"})
_SPELLED = _CALLED | _ROMANCE | {*_WAVES, *(f"arc{name}" for name in _WAVES), "exp", "log", "ln"}
"""Those that are also read where their backslash was forgotten; some only with brackets behind."""
_SELDOM_SPELLED = frozenset({"abs", "sgn", "sign"})
_LONGEST = max(map(len, _SPELLED))
_SPACED = 3
"""Letters of a function that stand apart."""
_SELDOM = frozenset({"Min", "Max", "abs", "arctan2"})  # of \mathrm and \operatorname alone


def function(item: Item) -> str | None:
    """Return the function that an item is the name of, or None."""
    if isinstance(item, Command) and item.text in UPRIGHT:
        return _FUNCTIONS.get("".join(part.text for part in item.arguments[0]))
    if item.text.startswith((r"\text", r"\mbox")):
        return _FUNCTIONS.get(words(item) or "")
    name = item.text.removeprefix("\\")
    return _FUNCTIONS.get(name) if name != item.text and name not in _SELDOM else None


def spelled(reader: Reader) -> tuple[str, int] | None:
    r"""Return the function whose letters stand here without a backslash, and where they end.

    ``cos\theta`` prints as a product of letters. It is one where all of them are declared.
    """
    items, first = reader.items, reader.position
    stop, end = first, min(first + _LONGEST, len(items))
    while stop < end and _is_letter(items[stop]) and _touches(items, first, stop):
        stop += 1
    letters = "".join(item.text for item in items[first:stop])
    name = next((letters[:n] for n in range(stop - first, 1, -1) if letters[:n] in _SPELLED), "")
    name = name or _spaced(items[first : first + _SPACED + 1])
    stop = first + len(name)
    behind = items[stop] if stop < len(items) else None
    if not name or (behind is not None and behind.text == "_"):
        return None
    if name in _CALLED and not _is_called(name, behind):
        return None
    if not all(reader.declared.lookup(letter) for letter in name):
        return name, stop
    return (name, stop) if name in _CALLED and _is_chosen(reader, name, stop) else None


def _spaced(items: Sequence[Item]) -> str:
    """Return the function whose letters stand apart, as programs that read pictures print them.

    The last of the items is what it is of.
    """
    letters = "".join(item.text for item in items[:_SPACED])
    is_apart = all(one.stop < other.start for one, other in pairwise(items[:_SPACED]))
    return letters if letters in ("sin", "cos", "tan") and is_apart and items[_SPACED:] else ""


def _is_called(name: str, behind: Item | None) -> bool:
    """Return whether brackets with as many arguments as a function takes stand behind it."""
    if not isinstance(behind, Group) or behind.text not in BRACKETS | {"|"}:
        return False
    return name not in _OF_SEVERAL or any(item.text == "," for item in behind.items)


def _is_chosen(reader: Reader, name: str, stop: int) -> bool:
    """Choose between a function and a product of declared letters."""
    start = reader.items[reader.position].start
    shown = reader.context.printed(start, reader.items[stop].stop)
    readings = f"'{shown}' is read as the function '{name}'", f"'{shown}' is read as a product"
    ways = readings[::-1] if name in _SELDOM_SPELLED else readings
    return ways[reader.context.choose(start, "letters", *ways)] == readings[0]


def _is_letter(item: Item) -> bool:
    return len(item.text) == 1 and item.text.isascii() and item.text.isalpha()


def _touches(items: Sequence[Item], first: int, position: int) -> bool:
    """Return whether nothing stands between an item and the one before, if it is not the first."""
    return position == first or items[position - 1].stop == items[position].start


def misspelled(reader: Reader, name: str, stop: int) -> Node:
    """Read a function that lacks its backslash, which is told."""
    message = f"'{name}' without a backslash is read as the function"
    if message not in reader.context.notes:
        reader.context.notes.append(message)
    return applied(reader, _FUNCTIONS[name], stop)


def applied(reader: Reader, name: str, stop: int | None = None) -> Node:
    """Read a function, its power if there is one, and its argument."""
    first = reader.position
    reader.position = stop or first + 1
    power = reader.item if reader.text == "^" else _bracketed_power(reader)
    if not isinstance(power, Command):
        return _called(reader, name, first)
    reader.position += 1
    if plain(power.arguments[0]) == "-1" and name in _WAVES:
        shown = rf"'\{name}^{{-1}}'"
        readings = f"{shown} is read as arc{name}", f"{shown} is read as 1/{name}"
        if reader.context.choose(power.start, "inverse", *readings) == 0:
            return _called(reader, f"arc{name}", first, raised=True)
    return reader.power(_called(reader, name, first, raised=True), power, first)


def _bracketed_power(reader: Reader) -> Command | None:
    r"""Return the power that the physics package writes in brackets: ``\cos[2](\theta)``."""
    pair = reader.items[reader.position : reader.position + 2]
    if [one.text for one in pair] != ["[", "("]:
        return None
    option = pair[0]
    if not isinstance(option, Group) or len(option.items) != 1:
        return None
    if not option.items[0].text.isdecimal():  # a letter is what the function is of
        return None
    return Command("^", (option.items,), option.start, option.stop)


def _called(reader: Reader, name: str, first: int, *, raised: bool = False) -> Node:
    """Read the argument of a function."""
    item = reader.item
    if name in _OF_SEVERAL:
        return Call(name, _row(reader, name), reader.span(first))
    if isinstance(item, Group) and item.text in BRACKETS:
        return _turned(reader, name, enclosed(reader, item), first)
    if name in _OF_MATRICES:
        return Call(name, reader.primary(), reader.span(first))
    second = reader.position
    stop = _end_of_braces(reader)
    if stop > second + 1:
        whole = reader.inside(reader.items[second:stop], reader.items[second])
        reader.position = stop
        return _turned(reader, name, whole, first)
    argument = _halved(reader, _argument(reader, name, first), first, second)
    if isinstance(argument, Power) and isinstance(argument.base, Name) and not raised:
        return _squared(reader, name, argument, first)
    return _turned(reader, name, argument, first)


def _turned(reader: Reader, name: str, argument: Node, first: int) -> Node:
    r"""Return a function, of degrees where it is one of angles and of a whole number: ``\sin 30``.

    Of ten and more, since nobody prints so many radians.
    """
    span = reader.span(first)
    number = argument.value if isinstance(argument, Number) else 0
    if name in _OF_ANGLES and number >= _DEGREES and number == int(number):
        note = f"'{reader.context.printed(span.start, span.stop)}' is read as of degrees"
        reader.context.notes.append(note)
        argument = Call("degrees", argument, argument.span)
    return Call(name, argument, span)


def _end_of_braces(reader: Reader) -> int:
    r"""Return where what a function is of ends, if braces stand around it: ``\cos{\gamma t}``."""
    item, text, first = reader.item, reader.context.text, reader.position
    before = reader.items[first - 1].stop if first else 0
    if item is None or text[before : item.start].strip() != "{":
        return first
    found = braced(text, before)
    stop = found[1] if found else item.start
    return first + sum(one.start < stop for one in reader.items[first:])


def _row(reader: Reader, name: str) -> Node:
    """Read several arguments as a row."""
    group = reader.item
    if not isinstance(group, Group) or group.text not in BRACKETS:
        raise reader.expected(rf"what \{name} is of, in brackets")
    reader.position += 1
    parts = split(group.items)
    row = tuple(reader.inside(part, group) for part in parts)
    return Matrix((row,), Span(group.start, group.stop))


def _argument(reader: Reader, function: str, first: int) -> Node:
    """Read names up to the first varying one."""
    second, factors, ends = reader.position, list[Node](), list[int]()
    while reader.item and _is_argument(reader):
        factors.append(reader.factor() if reader.text.isdecimal() else reader.primary())
        ends.append(reader.position)
        if _is_frequency(factors[-1]) and reader.text == "t":
            continue  # also of one that moves elsewhere on the page
        if _varies(reader, factors[-1]) or isinstance(factors[-1], Call):
            break
    if _is_number(factors) and _opens(reader, factors[-1:]):
        factors.append(reader.factor())
        return reader.joined(factors, second)
    if not factors:
        if isinstance(item := reader.item, Token) and re.fullmatch(r"\\[A-Za-z]+", item.text):
            reader.declared.undefined.add(reader.text)
        raise reader.expected(rf"what \{function} is of")
    count = _count(reader, factors, ends, first, second)
    reader.position = ends[count - 1]
    return reader.joined(factors[:count], second)


def _count(reader: Reader, factors: list[Node], ends: list[int], first: int, second: int) -> int:
    """Return how many factors are taken as the argument, where that may be more or less."""
    names = [i for i, node in enumerate(factors, 1) if not _is_number([node])]
    short, long = names[0] if names else len(factors), len(factors)
    if short == long:
        return long
    is_argument = _varies(reader, factors[-1]) and not _is_coefficient(factors[-1])
    if is_argument and _is_clear(factors[short - 1], factors[-1]):
        return long
    order = (long, short) if is_argument else (short, long)
    start, begin = reader.items[first].start, reader.items[second].start
    until = reader.items[ends[-1] - 1].stop
    readings = []
    for count in order:
        stop = reader.items[ends[count - 1] - 1].stop
        inside, rest = reader.context.printed(begin, stop), reader.context.printed(stop, until)
        head = reader.context.printed(start, begin)
        whole = reader.context.printed(start, until)
        readings.append(f"'{whole}' is read as '{head}({inside}) {rest}".rstrip() + "'")
    return order[reader.context.choose(start, "argument", *readings)]


def _is_coefficient(node: Node) -> bool:
    r"""Return whether a rate or a power stands beside a wave: ``\sin\alpha\dot\phi^2``."""
    if isinstance(node, Power):
        return not (isinstance(node.base, Name) and node.base.key == "t")
    return isinstance(node, Name) and node.dots > 0


def _is_clear(constant: Node, varying: Node) -> bool:
    r"""Return whether nobody ends an argument at a constant, as in ``\omega t`` or ``n\theta``."""
    if isinstance(varying, Power):
        return False
    if not isinstance(varying, Name) or not isinstance(constant, Name):
        return True
    return varying.key == "t" or (varying.key.startswith("\\") and constant.key[0] != "\\")


def _is_frequency(node: Node) -> bool:
    r"""Return whether a node is for a frequency, which time is multiplied by: ``\sqrt{k/m}``."""
    if isinstance(node, Call):
        return node.function == "sqrt"
    return isinstance(node, Name) and not node.dots and node.key.lower().startswith(r"\omega")


def _halved(reader: Reader, argument: Node, first: int, second: int) -> Node:
    r"""Read ``\sin\theta/2``, which is the half of a sine, or the sine of the half."""
    following = reader.items[reader.position + 1 : reader.position + 2]
    if reader.text != "/" or not following or not following[0].text.isdecimal():
        return argument
    start, begin = reader.items[first].start, reader.items[second].start
    stop = reader.items[reader.position - 1].stop
    whole = reader.context.printed(start, following[0].stop)
    head, inside = reader.context.printed(start, begin), reader.context.printed(begin, stop)
    readings = (
        f"'{whole}' is read as '{head}({inside})/{following[0].text}'",
        f"'{whole}' is read as '{head}({inside}/{following[0].text})'",
    )
    if reader.context.choose(start, "half", *readings) == 0:
        return argument
    reader.position += 1
    return Divide(argument, reader.primary(), reader.span(second))


def _squared(reader: Reader, name: str, argument: Power, first: int) -> Node:
    r"""Read ``\sin\theta^2``, which is the sine of a square, or the square of a sine."""
    span = reader.span(first)
    whole = reader.context.printed(span.start, span.stop)
    readings = (
        f"'{whole}' is read as the function of a power",
        f"'{whole}' is read as a power of the function",
    )
    if reader.context.choose(span.start, "square", *readings) == 0:
        return Call(name, argument, span)
    return Power(Call(name, argument.base, span), argument.exponent, span)


def _is_argument(reader: Reader) -> bool:
    """Return whether what is next may be an argument without brackets, or part of one."""
    item, text = reader.item, reader.text
    if text.isdecimal() or text in FRACTIONS or text in (r"\sqrt", "|"):
        return True
    is_name = bool(item and not function(item) and not spelled(reader) and text not in BRACES)
    return is_name and bool(spellings(reader.items, reader.position))


def _opens(reader: Reader, last: Sequence[Node]) -> bool:
    """Return whether brackets follow numbers, which are then in the argument with them."""
    item = reader.item
    return bool(last) and isinstance(item, Group) and item.text in BRACKETS


def _is_number(factors: Sequence[Node]) -> bool:
    return all(
        isinstance(node, Number)
        or (isinstance(node, Call) and node.function == "degrees")
        or (isinstance(node, Divide) and _is_number((node.numerator, node.denominator)))
        for node in factors
    )


def _varies(reader: Reader, node: Node) -> bool:
    """Return whether an argument without brackets ends here."""
    if isinstance(node, Power):
        return _varies(reader, node.base)
    if isinstance(node, Name):
        declared = reader.context.declared
        return node.dots > 0 or node.key == "t" or declared.varies(node.key)
    return not _is_number([node])
