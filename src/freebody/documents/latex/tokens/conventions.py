"""How a page spells what prints as something else, told from all of its formulas."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from freebody.documents.latex.tokens.abbreviations import abbreviations
from freebody.documents.latex.tokens.digits import numbered_letters
from freebody.documents.latex.tokens.primes import are_rates
from freebody.documents.latex.tokens.waves import Wave, waves


@dataclass(frozen=True)
class Conventions:
    """How a page spells what prints as something else.

    Attributes
    ----------
    primes_are_rates : bool
        Whether primes are derivatives by time, for which dots are put.
    numbered : frozenset of str
        The letters that digits right behind stand below.
    abbreviated : frozenset of str
        The names of several letters.
    waves : frozenset of (str, str)
        The letters that are sines and cosines before an angle, with the angle.
    """

    primes_are_rates: bool = False
    numbered: frozenset[str] = frozenset()
    abbreviated: frozenset[str] = frozenset()
    waves: frozenset[Wave] = frozenset()

    @classmethod
    def of(
        cls, text: str, declared: Collection[str] = (), *, primes_apart: bool = False
    ) -> Conventions:
        """Return the conventions of a page.

        Parameters
        ----------
        text : str
            The page, without its code.
        declared : collection of str
            The names that are declared.
        primes_apart : bool
            Whether primes tell letters apart, whatever the page says.
        """
        by_primes = not primes_apart and are_rates(text)
        return cls(by_primes, numbered_letters(text), abbreviations(text), waves(text, declared))


PLAIN = Conventions()
"""Those of a page that spells nothing as something else."""
