"""Sines and cosines that a page writes by number: s_1, c_{12} and s_{1+2}."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from freebody.algebra import Form
from freebody.consistency.letters import Letter, Letters

_NUMBERED = re.compile(r"(.+)_\{?(\d)\}?")
_SHORT = re.compile(r"([sc])_\{?(\d)(?:\+?(\d))?(?:\+?(\d))?\}?")


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

    @property
    def are_certain(self) -> bool:
        """Whether an equation says one, or one is of a sum, as no damping and no place is."""
        return any(
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
        return (letters.ring.sin if match[1] == "s" else letters.ring.cos)(angle)


def _digits(match: re.Match[str]) -> list[str]:
    return [digit for digit in match.groups()[1:] if digit]
