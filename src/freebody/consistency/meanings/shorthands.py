r"""Sines and cosines that a page writes by number, s_1 and c_{12}, or by letter, ``S_\phi``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from freebody.algebra import Form
from freebody.consistency.letters import Letter, Letters
from freebody.documents.latex import Relation
from freebody.documents.latex.tree import Call, Name

_NUMBERED = re.compile(r"(.+)_\{?(\d)\}?")
_LETTERED = re.compile(r"([sctSCT])_\{?(\\[a-z]+|(?<=\{).+_\{?\w\}?(?=\}))\}?")
_ANGLE = re.compile(r"\\(?:theta|(?:var)?phi|psi|alpha|beta|gamma)_\{?[a-z]\}?")
"""Letters of the angles of each joint, which stand for any of them."""
_INDEXED = re.compile(r"(.+)_\{?([ijkn])\}?")
_FUNCTIONS = {"sin": "s", "cos": "c", "tan": "t"}
_SHORT = re.compile(r"([sc])_\{?(\d)(?:\+?(\d))?(?:\+?(\d))?\}?")


def by_letter(keys: Collection[str]) -> dict[str, tuple[str, str]]:
    r"""Return which function of which angle letters are: s, c or t, and the letter below.

    Of angles that have both a sine and a cosine, and are letters of the page themselves, or are
    written as angles are.

    Examples
    --------
    >>> by_letter([r"\phi", r"S_\phi", r"C_\phi", r"C_\theta"])
    {'S_\\phi': ('s', '\\phi'), 'C_\\phi': ('c', '\\phi')}
    >>> by_letter([r"s_{\theta_i}", r"c_{\theta_i}", "s_x", "c_x"])
    {'s_{\\theta_i}': ('s', '\\theta_i'), 'c_{\\theta_i}': ('c', '\\theta_i')}
    """
    matches = {key: match for key in keys if (match := _LETTERED.fullmatch(key))}
    found = {
        key: match
        for key, match in matches.items()
        if match[2] in keys or _ANGLE.fullmatch(match[2])
    }
    of_angle: dict[str, set[str]] = {}
    for match in found.values():
        of_angle.setdefault(match[2], set()).add(match[1])
    pairs = {one for one, short in of_angle.items() if short >= {*"sc"} or short >= {*"SC"}}
    return {key: (match[1].lower(), match[2]) for key, match in found.items() if match[2] in pairs}


def by_index(keys: Collection[str], relations: Iterable[Relation]) -> dict[str, tuple[str, str]]:
    r"""Return which function of which angle letters with numbers are, where an index says so.

    As ``s_i = \sin q_i`` says of s_1 and s_2.

    Parameters
    ----------
    keys : collection of str
        The letters of the page.
    relations : iterable of Relation
        Its equations.
    """
    found: dict[str, tuple[str, str]] = {}
    for function, stem, angle in filter(None, map(_of_index, relations)):
        numbered = re.compile(rf"{re.escape(stem)}_\{{?(\d+)\}}?")
        numbers = {key: one[1] for key in keys if (one := numbered.fullmatch(key))}
        found |= {key: (function, f"{angle}_{number}") for key, number in numbers.items()}
    return found


def _of_index(relation: Relation) -> tuple[str, str, str] | None:
    r"""Return the function, the letter and the angle of ``s_i = \sin q_i``, without the index."""
    match relation.left, relation.right:
        case Name(key=short, dots=0), Call(function=function, argument=Name(key=angle, dots=0)):
            own, other = _INDEXED.fullmatch(short), _INDEXED.fullmatch(angle)
            if function in _FUNCTIONS and own and other and own[2] == other[2]:
                return _FUNCTIONS[function], own[1], other[1]
    return None


class Shorthands:
    """What letters of a page are by the convention of robotics, where it explains it in words.

    They are sines and cosines of the angles that are numbered so, and of the sums of these.

    Parameters
    ----------
    letters : Letters
    keys : collection of str
        The letters of the page.
    said : mapping of str to sequence of Form
        What equations of it say that letters are, or that their rates are: then no form.
    """

    def __init__(
        self, letters: Letters, keys: Collection[str], said: Mapping[str, Sequence[Form]]
    ) -> None:
        self._letters, self._keys, self._said = letters, keys, said
        self._found = {
            key: match
            for key in keys
            if (match := _SHORT.fullmatch(key)) and (said.get(key) or key not in letters.moving)
        }

    def forms(self) -> dict[str, Form]:
        """Return what those are that no equation says, if it is plain of which angles."""
        return self._by_number() | self._by_letter()

    def _by_number(self) -> dict[str, Form]:
        wanted = {digit for match in self._found.values() for digit in _digits(match)}
        stems = [
            stem
            for stem, digits in self._numbered().items()
            if wanted <= digits and self._agrees(stem)
        ]
        if len(stems) != 1 or {match[1] for match in self._found.values()} != {"s", "c"}:
            return {}
        return {
            key: self._form(stems[0], match)
            for key, match in self._found.items()
            if not self._said.get(key)
        }

    def _by_letter(self) -> dict[str, Form]:
        return {
            key: self._of(short, self._letters.form(Letter(angle, 0)))
            for key, (short, angle) in by_letter(self._keys).items()
            if not self._said.get(key)
        }

    @property
    def are_certain(self) -> bool:
        """Whether an equation says one, or one is of a sum, as no damping and no place is.

        Or an angle has both a sine and a cosine by its letter.
        """
        return bool(self._by_letter()) or any(
            self._said.get(key) or len(_digits(match)) > 1 for key, match in self._found.items()
        )

    def _numbered(self) -> dict[str, set[str]]:
        """Return the numbers of each letter that moves and stands for nothing else."""
        found: dict[str, set[str]] = {}
        for key in self._letters.moving:
            match = _NUMBERED.fullmatch(key)
            if match and key not in self._found and key not in self._said:
                found.setdefault(match[1], set()).add(match[2])
        return found

    def _agrees(self, stem: str) -> bool:
        """Return whether what the page says of some is what they would be of these angles."""
        return not any(
            form - self._form(stem, match)
            for key, match in self._found.items()
            for form in self._said.get(key, ())
        )

    def _form(self, stem: str, match: re.Match[str]) -> Form:
        letters = self._letters
        angle = letters.ring.sum([letters.form(Letter(f"{stem}_{n}", 0)) for n in _digits(match)])
        return self._of(match[1], angle)

    def _of(self, short: str, angle: Form) -> Form:
        ring = self._letters.ring
        if short == "t":
            return ring.sin(angle) / ring.cos(angle)
        return (ring.sin if short == "s" else ring.cos)(angle)


def _digits(match: re.Match[str]) -> list[str]:
    return [digit for digit in match.groups()[1:] if digit]
