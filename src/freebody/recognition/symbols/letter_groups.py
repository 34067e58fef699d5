"""What letters are by the others they stand with: x and y of a point, p, q and r of a craft."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from freebody.checking.guesses.conventions import SymbolShape
from freebody.recognition.symbols.letter_marks import UNIT_VECTOR
from freebody.recognition.symbols.named_letters import speaks_of

_STATES = re.compile(
    r"\bstates?\b|zustand|\bestados?\b|\bétats?\b|\bstato\b|\bstati\b|состояни|状態|状态|상태",
    re.IGNORECASE,
)
"""Words of pages on which x may be a state."""
COORDINATE = "coordinate"
_SPACE, _PLANE = frozenset("xyz"), frozenset("xy")
_NUMBERED_STATE = re.compile(r"x_\{?\d\}?")
_PAIRED = re.compile(
    r"(?P<letter>[xyz])(?P<below>_(?![knijtdmr]$)(?:[A-Za-z]|\{(?!ref|des|err)[A-Za-z]+\}))"
)
"""Coordinates of a point, by what stands below them; no steps, and none that are desired."""
_OF_POINT = re.compile(r"(?P<point>(?:\{\}\^\{\w\})?[CD])_\{?[xyz]\}?")
"""A letter of points with one of their axes, which no force has."""
_SIZED = re.compile(r"(?:\\\w+\{)?I\}?_\{?(?:[2-9]|1\d)\}?")
_SCALED = frozenset("mMFc")
"""Letters that have hats where quantities are divided by others, and else none."""
_GAIN = re.compile(r"(?P<letter>[kK])_\{?(?P<part>[pPiIdD])(?P<of>[^a-z{}]*(?:[,_ ].*|\\.*)?)\}?")
_GAINS = {"p": "proportional gain", "i": "integral gain", "d": "derivative gain"}
_OF_VEHICLES = {
    **dict.fromkeys("pqr", ("angular velocity", frozenset("pqr"))),
    **dict.fromkeys("uvw", ("velocity", frozenset("uvw"))),
}
"""Letters for the rates and velocities of a craft along its axes, which stand together."""
_LONGITUDINAL = {"u": "velocity", "w": "velocity", "q": "angular velocity"}
"""Letters for the motion of an aircraft in its plane of symmetry, which stand together."""
_ATTITUDE = frozenset({r"\phi", r"\theta", r"\psi"})
_ROLLING = re.compile(
    r"\broll\b|\bpitch\b|quadrotor|quadcopter|aircraft|flugzeug|\bdrone|tangage|roulis|рыскань|крен"
    r"|俯仰|滚转",
    re.IGNORECASE,
)
_AXIS = re.compile(
    r"(?P<stem>\\hat\{[A-Za-z]\}|\\(?:vec|overrightarrow|mathbf|boldsymbol|bm)\{[be]\})_\{?[123]\}?"
)
"""Vectors along the axes of a frame, with their number."""
_VELOCITY = re.compile(r"v_\{?[123]\}?")
"""Letters that are velocities of three bodies, or components of one vector."""
_FIRSTS = frozenset(f"{letter}_{n}" for letter in "Iml" for n in ("1", "{1}"))


class LetterGroups:
    """The letters of a page that tell together what each is.

    Parameters
    ----------
    keys : collection of str
        The letters of the page.
    rates : mapping of str to sequence of int
        The orders of the rates that are printed, by symbol.
    roles : collection of str
        The letters of which equations say that they are states, outputs and the like.
    prose : str
        The text of the page, with its formulas.

    Attributes
    ----------
    has_states : bool
        Whether the page speaks of states.
    """

    def __init__(
        self,
        keys: Collection[str],
        rates: Mapping[str, Sequence[int]],
        roles: Collection[str],
        prose: str,
    ) -> None:
        self._keys, self._rates = frozenset(keys), rates
        self.has_states = bool(_STATES.search(prose))
        self._may_be_states = self.has_states and not self._has_bold("x")
        self._is_plane = self._keys >= _PLANE and _PLANE.isdisjoint(roles)
        self._has_craft = bool(_ROLLING.search(prose)) or self._keys >= {*_OF_VEHICLES}
        self._is_longitudinal = self._keys >= {*_LONGITUDINAL} and speaks_of("aircraft", prose)
        self._is_controlled = speaks_of("control", prose)
        self._has_estimates = speaks_of("estimates", prose)
        self._is_aerodynamic = speaks_of("aerodynamics", prose) or speaks_of("drag", prose)

    def of(self, key: str) -> str | None:
        """Return what a letter is by others; None where these do not tell."""
        if gain := self._gain(key):
            return gain
        if self._is_place(key) or self._is_of_point(key):
            return COORDINATE
        if self._is_unit_matrix(key):
            return "identity matrix"
        return UNIT_VECTOR if self._is_axis(key) else self._of_craft(key)

    def is_of_any_vector(self, key: str) -> bool:
        """Return whether a letter may be any vector, ``a`` beside ``b``, or one's component.

        Components are numbered to three where masses are not.
        """
        if _VELOCITY.fullmatch(key):
            return self._has_three("v") and not self._has_three("m")
        looks = SymbolShape.of(key)
        others = (one for one in map(SymbolShape.of, self._keys) if one.is_styled)
        return looks.letter == "a" and any(
            (one.letter, one.subscript) == ("b", "") for one in others
        )

    def is_scaled(self, key: str) -> bool:
        r"""Return whether a letter has a hat where masses and forces have one, as \hat m."""
        hats = {SymbolShape.of(one).letter for one in self._keys if one.startswith(r"\hat{")}
        return key.startswith(r"\hat{") and not hats.isdisjoint(_SCALED) and "i" not in hats

    def _gain(self, key: str) -> str | None:
        r"""Return which gain of a controller a letter is, as :math:`K_{p}` beside :math:`K_{d}`."""
        match = _GAIN.fullmatch(key)
        if match is None or not self._is_controlled:
            return None
        alike = (_GAIN.fullmatch(one) for one in self._keys)
        parts = {
            one["part"].lower()
            for one in alike
            if one and (one["letter"], one["of"]) == (match["letter"], match["of"])
        }
        return _GAINS[match["part"].lower()] if len(parts) > 1 and "p" in parts else None

    def _is_place(self, key: str) -> bool:
        """Return whether a letter is a coordinate of a point: x, y and z, or x_G beside y_G.

        Not where x may be a state, and y the output; x and y alone have no states with numbers.
        """
        if self._is_paired(key):
            return True
        if self._may_be_states:
            return False
        has_states = any(map(_NUMBERED_STATE.fullmatch, self._keys))
        is_of_plane = key in _PLANE and self._is_plane and not has_states
        return is_of_plane or (key in _SPACE and self._keys >= _SPACE)

    def _is_paired(self, key: str) -> bool:
        """Return whether x and y of a point stand together: ``x_G`` beside ``y_G``."""
        pair = _PAIRED.fullmatch(key)
        other = {"x": "y", "y": "x", "z": "y"}
        return pair is not None and f"{other[pair['letter']]}{pair['below']}" in self._keys

    def _is_of_point(self, key: str) -> bool:
        """Return whether a letter is a coordinate of a point: ``C_x`` beside ``C_y``."""
        found = _OF_POINT.fullmatch(key)
        return (
            found is not None
            and not self._is_aerodynamic
            and all(
                self._keys & {f"{found['point']}_{axis}", f"{found['point']}_{{{axis}}}"}
                for axis in "xy"
            )
        )

    def _is_unit_matrix(self, key: str) -> bool:
        """Return whether an I has its size below it, as no bodies are numbered."""
        size = _SIZED.fullmatch(key)
        return size is not None and self._keys.isdisjoint(_FIRSTS)

    def _is_axis(self, key: str) -> bool:
        """Return whether a letter is one of three vectors along the axes of a frame."""
        axis = _AXIS.fullmatch(key)
        return axis is not None and not self._has_estimates and self._has_three(axis["stem"])

    def _has_three(self, stem: str) -> bool:
        """Return whether a letter stands on the page with the numbers 1, 2 and 3."""
        return all(self._keys & {f"{stem}_{n}", f"{stem}_{{{n}}}"} for n in "123")

    def _of_craft(self, key: str) -> str | None:
        if self._is_longitudinal and key in _LONGITUDINAL:
            return _LONGITUDINAL[key]
        words, others = _OF_VEHICLES.get(key, ("", frozenset[str]()))
        orders = {self._rates.get(one, ()) and max(self._rates[one]) for one in others}
        is_rate = self._has_craft and self._keys >= others | _ATTITUDE and orders in ({()}, {1})
        return words if words and is_rate else None

    def _has_bold(self, letter: str) -> bool:
        """Return whether a letter is bold on the page."""
        looks = map(SymbolShape.of, self._keys)
        return any(one.is_styled and one.letter == letter for one in looks)
