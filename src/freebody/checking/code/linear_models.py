"""Linear models in code: about which equilibrium, in which order of the state."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from freebody.checking.code.claim import Claim
from freebody.checking.code.directions import WORDS
from freebody.checking.code.equilibria import equilibria
from freebody.checking.code.reference import DerivedAtPoint, Frame, Target
from freebody.checking.code.states import layouts


def is_matrix(name: str, letter: str) -> bool:
    """Return whether a name is that of a matrix of a linear model.

    Examples
    --------
    >>> [is_matrix(name, "A") for name in ("A", "A_c", "Alin", "area")]
    [True, True, True, False]
    """
    return bool(re.fullmatch(rf"{letter}(?:_?(?:c|mat|matrix|lin|cont|0|sys|up|down))?", name))


def layout_of(rows: Sequence[Sequence[Any]], n: int, zero: Any, one: Any) -> Any:
    """Return the order of the state of a matrix A: the rows of coordinates have a single 1.

    Parameters
    ----------
    rows : sequence of sequence of Cell
        2 n x 2 n.
    n : int
    zero, one : Cell

    Returns
    -------
    list of tuple of int or None
        Of which order each entry is, and of which coordinate; None where no order fits.
    """

    def is_rate(layout: Sequence[tuple[int, int]], row: int) -> bool:
        speed = layout.index((1, layout[row][1]))
        wanted = [one if column == speed else zero for column in range(2 * n)]
        return all(a == b for a, b in zip(rows[row], wanted, strict=True))

    best, known = None, 0
    for layout in layouts(n):
        count = sum(is_rate(layout, row) for row in range(2 * n) if layout[row][0] == 0)
        if count > known:
            best, known = layout, count
    return best if 2 * known >= n else None


class LinearFit:
    """Finds the equilibrium that a linear model is of, by which most of its entries hold.

    Parameters
    ----------
    derived : DerivedAtPoint
    frame : Frame
    """

    def __init__(self, derived: DerivedAtPoint, frame: Frame) -> None:
        self._derived, self._frame = derived, frame
        self._known = equilibria(derived.quantities)

    def expected(
        self, values: Mapping[Claim, Any], words: str
    ) -> tuple[dict[Claim, Target], dict[Claim, str], list[str]]:
        """Return what claims should be, those that nothing else proves, and what was taken.

        Parameters
        ----------
        values : mapping of Claim to value
            Of one function.
        words : str
            What is said of it.
        """
        claims = list(values)
        ways = [
            self._way(number, first, claims)
            for number in self._likely(words)
            for first in self._inputs(claims)
        ]
        scored = [(sum(self._holds(v, way[c]) for c, v in values.items()), way) for way in ways]
        best = max(score for score, _ in scored)
        chosen = next(way for score, way in scored if score == best)
        rivals = [way for _, way in scored if way is not chosen]
        free = {
            claim: f"it is about {self._equilibrium_in_words(chosen)}"
            for claim, value in values.items()
            if self._holds(value, chosen[claim])
            and any(self._is_rival(claim, values, way, best) for way in rivals)
        }
        return (
            chosen,
            free,
            [f"the linear model is taken as that about {self._equilibrium_in_words(chosen)}"],
        )

    def _is_rival(
        self, claim: Claim, values: Mapping[Claim, Any], way: Mapping[Claim, Target], best: int
    ) -> bool:
        """Return whether another equilibrium explains all else as well, and not this claim."""
        if self._holds(values[claim], way[claim]):
            return False
        return sum(self._holds(v, way[c]) for c, v in values.items()) >= best - 1

    def _inputs(self, claims: Sequence[Claim]) -> range:
        """Return which input of the model the first of the code may be."""
        columns = [one.target[3] for one in claims if one.target[1] == "B"]
        count = len(self._derived.quantities.equations.inputs)
        return range(count - max(columns)) if columns else range(1)

    def _way(self, number: int, first: int, claims: Sequence[Claim]) -> dict[Claim, Target]:
        out: dict[Claim, Target] = {}
        for one in claims:
            _, name, row, column = one.target
            place = column + first if name == "B" else column
            out[one] = ("linearized", name, number, row, place)
        return out

    def _holds(self, value: Any, target: Target) -> bool:
        return not value - self._derived.value(target, self._frame)

    def _likely(self, words: str) -> list[int]:
        """Return the equilibria that are said: the highest, the lowest, or any."""
        heights = [one.height for one in self._known]
        said = {word for word in ("up", "down") if WORDS[word].search(words)}
        if len(said) == 1 and max(heights) > min(heights):
            wanted = max(heights) if said == {"up"} else min(heights)
            return [i for i, one in enumerate(heights) if abs(one - wanted) < 1e-9]
        return list(range(len(heights)))

    def _equilibrium_in_words(self, way: Mapping[Claim, Target]) -> str:
        number = next(iter(way.values()))[2]
        names = self._derived.quantities.mechanism.model.coordinates
        pairs = zip(names, self._known[number].coordinates, strict=True)
        return ", ".join(f"{name} = {value}" for name, value in pairs)
