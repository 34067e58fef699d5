r"""What is part of names on a page: letters above, ``F_l^h``, a δ before, ``(s)`` behind them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from freebody.documents.latex.page.page import Page
from freebody.documents.latex.printed_names import printed_items
from freebody.documents.latex.spellings import VARIATION, Spelling, plain, spellings
from freebody.documents.latex.tokens.items import Command, Group, Item

_RAISED = re.compile(r"(?<=[A-Za-z\d}])\s*\^\s*(?:[a-z]|\{\s*[a-z]\s*\})(?![A-Za-z])")
_VARIED = re.compile(r"\\delta|δ")
_LETTER = re.compile(r"[a-z]")
_STEP = re.compile(r"([tnk])\+1")
_POWERS = frozenset("nt")
"""Letters that are powers, or mark what is transposed, unless others are above the same letter."""
_AXES = frozenset("xyz")
_BEGINS = frozenset({"&", "\\\\", ",", ";", r"\quad", r"\qquad"})
"""Behind what an equation begins."""
_EULER = frozenset({"e", r"\mathrm{e}"})
_ELEMENT = frozenset({"d", r"\partial", r"\delta"})
_TRANSFORMS = re.compile(
    r"laplace|лаплас|拉普拉斯|拉氏|ラプラス|라플라스|(?<!heat )(?<!mass )transfer function"
    r"|übertragungsfunktion|de transfer|transferfuncti|di trasferimento|transfer fonksiyon"
    r"|передаточн|передатна|传递函数|傳遞函數|伝達関数|전달 ?함수|transmitanc|přenosov",
    re.IGNORECASE,
)
"""Words of pages with functions of the variable of Laplace's transform."""
_OF_VARIABLE = re.compile(r"[\w}]\s*(?:\\left\s*)?\(\s*([sp])\s*(?:\\right\s*)?\)")
"""Functions of it, also by the letter that French pages have for it."""
_OF_LETTER = re.compile(r"[A-Z\d}]\s*(?:\\left\s*)?\(\s*\\?\w+\s*(?:\\right\s*)?\)\s*&?\s*=")
_ARGUMENT = re.compile(r"\\?[A-Za-z]+(?:_\{?\w+\}?)?")
"""Functions of a letter that an equation says, and that letter."""


def name_marks(page: Page) -> frozenset[str]:
    r"""Return the letters that are part of the names that they stand above, and δ before them.

    With ``(s)`` or ``(p)`` where names are functions of the variable of Laplace's transform, and
    ``K(Q)`` where an equation says what that is.

    Of letters above nothing else of the page has them, or several of them stand above the same
    letter with something below it. The letter δ is that of variations where it stands before
    several names, and nowhere by itself.

    Examples
    --------
    >>> sorted(name_marks(Page("$$m a^h = F_l^h - F_l^v + c x^p$$ with $p = 2$")))
    ['h', 'v']
    >>> sorted(name_marks(Page("$$V^c_0 = A V^n_1 + x^t$$")))
    ['c', 'n']
    >>> sorted(name_marks(Page("$$y^{t+1} = y^t + h f(y^t)$$")))
    ['t', 't+1']
    >>> sorted(name_marks(Page(r"$$\delta W = F\,\delta x + N\,\delta y$$")))
    ['\\delta']
    >>> sorted(name_marks(Page(r"$$H(p) = X(p)/F(p)$$ is the transfer function")))
    ['(p)', 'H(p)']
    >>> sorted(name_marks(Page(r"$$E(J) = \omega J, r(\phi) = c, \dot r = k(x)$$")))
    ['E(J)']
    >>> sorted(name_marks(Page(r"$$\ddot x + 2\delta\dot x + k x = F e^{-\delta t}$$")))
    []
    """
    marks = (_RAISED, _VARIED, _OF_LETTER)
    transformed = _transformed(page)
    if not any(one.search(page.readable, page.start, page.stop) for one in marks):
        return transformed
    found = _Found()
    for items in printed_items(page):
        found.note(items)
    varied = {VARIATION.strip()} if found.has_variations else set[str]()
    return frozenset(found.labels() | found.steps() | found.functions | varied | transformed)


def _transformed(page: Page) -> frozenset[str]:
    """Return the variable of which names are transforms, in parentheses, where words say so."""
    if not _TRANSFORMS.search(page.text):
        return frozenset()
    uses = Counter(match[1] for match in _OF_VARIABLE.finditer(page.readable))
    return frozenset(f"({letter})" for letter, _ in uses.most_common(1))


@dataclass(slots=True)
class _Found:
    """The letters on the line, above each name, that count steps, and that δ stands before."""

    on_line: set[str] = field(default_factory=set)
    above: defaultdict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    stepped: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    varied: set[str] = field(default_factory=set)
    called: set[tuple[str, str]] = field(default_factory=set)
    dotted: set[str] = field(default_factory=set)

    @property
    def functions(self) -> set[str]:
        """What equations say as functions of a letter, but for orbits: those have rates, too."""
        return {f"{base}({of})" for base, of in self.called if base not in self.dotted}

    @property
    def has_variations(self) -> bool:
        """Whether a δ stands before several names, and nowhere by itself."""
        return len(self.varied - {""}) > 1 and "" not in self.varied

    def note(self, items: Sequence[Item]) -> None:
        """Note the letters of a formula, or of a part of one."""
        position, is_first = 0, True
        while position < len(items):
            options = spellings(items, position)
            if options:
                name = options[-1]
                if is_first and _is_said(items, options[0]):
                    self.called.add((options[0].base, options[0].arguments))
                self.dotted |= {name.base} if name.dots else set()
                is_first = False
                self.on_line.add(name.base)
                if name.base == VARIATION.strip() and not name.subscript:
                    bases = [one.base for one in options if one.base.startswith(VARIATION)]
                    is_before = bases and not name.superscript and bases[-1] != f"{VARIATION}t"
                    self.varied.add(bases[-1] if is_before else "")
                raised = name.superscript
                script = plain(raised.arguments[0]) if raised else ""
                if raised and _LETTER.fullmatch(script) and name.base not in _EULER | _ELEMENT:
                    self.above[name.base, name.subscript].add(script)
                elif raised and (step := _STEP.fullmatch(script)) and name.base not in _EULER:
                    self.stepped[step[1]].add(name.base)
                elif raised:
                    self.note(raised.arguments[0])
                position = name.stop
                continue
            is_first = items[position].text in _BEGINS
            for inside in _inside(items[position]):
                self.note(inside)
            position += 1

    def steps(self) -> set[str]:
        """Return what counts steps of time above letters, as in ``x^{t+1}``.

        Others than t are powers as well, unless several letters have them.
        """
        found = {one for one, bases in self.stepped.items() if one == "t" or len(bases) > 1}
        return found | {f"{one}+1" for one in found}

    def labels(self) -> set[str]:
        """Return the letters that are part of names, with all above a letter that has such."""
        found = {*self._told()}
        bases = {base for (base, _), letters in self.above.items() if letters & found}
        return found.union(*(self.above[one] for one in self.above if one[0] in bases))

    def _told(self) -> Iterator[str]:
        """Iterate over the letters that nothing else has, or that stand above one with others."""
        for (_, below), letters in self.above.items():
            several = letters - _POWERS if below else letters & _AXES
            yield from several if len(several) > 1 else letters - self.on_line - _POWERS


def _is_said(items: Sequence[Item], name: Spelling) -> bool:
    """Return whether a capital as a function of a letter stands before a sign of equality."""
    behind = [one.text for one in items[name.stop : name.stop + 2] if one.text != "&"]
    is_plain = not name.dots and name.superscript is None and name.base.isupper()
    return behind[:1] == ["="] and is_plain and bool(_ARGUMENT.fullmatch(name.arguments))


def _inside(item: Item) -> Iterator[Sequence[Item]]:
    if isinstance(item, Group):
        yield item.items
    elif isinstance(item, Command) and item.text != "_":
        yield from item.arguments
