"""What symbols are by what stands around their letters: a frame before them, Δ, or a bound."""

from __future__ import annotations

import re
from collections.abc import Collection

from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.introduced import TIME, bare

UNIT_VECTOR, CHANGE, VARIATION = "unit vector", "change", "variation"
BY_MARKS = (CHANGE, VARIATION, "desired value", "least value", "greatest value")
"""What marks tell for sure."""
_UNIT_VECTORS = frozenset({*"ijkxyzenrtbuXYZ", "theta", "phi", "rho"})
_AXES = frozenset({*"xyzrXYZ", "theta", "phi", "varphi", "rho"})
_BOLD_UNIT_VECTORS = frozenset("eijk")
_OF_FRAMES = {
    **dict.fromkeys("TAH", "homogeneous transformation"),
    **dict.fromkeys("IJ", "inertia tensor"),
    **dict.fromkeys("pr", "position"),
    **dict.fromkeys("fF", "force"),
    "R": "rotation matrix", "v": "velocity", "a": "acceleration", "g": "acceleration of gravity",
    "omega": "angular velocity", "alpha": "angular acceleration", "tau": "moment",
}  # fmt: skip
"""What letters with a frame in front of them are."""
_PRESCRIPTED = re.compile(r"^(?:\{\})?\^(?:\{[^{}]*\}|\w)\s*(?P<rest>.+)$")
_DIFFERENCE = re.compile(r"\\(?P<sign>[Dd]elta)\s*(?P<rest>(?:[A-Za-z]|\\[A-Za-z]+).*)$")
_LENGTHS = frozenset({"l", "L", "ell"})
"""Letters of lengths, which with 0 below are those at rest."""
_DAMPED = frozenset({r"\omega_d", r"\omega_{d}"})
_BOUNDS = (
    ("initial", ("0",)),
    ("desired", ("d", "des", "ref", "desired", "target")),
    ("least", ("min", "lower")),
    ("greatest", ("max", "upper")),
    ("equilibrium", ("eq",)),
)
"""What stands below a letter whose values it tells apart; the first two only where it moves."""
_MOVING = frozenset({"initial", "desired"})


def by_marks(key: str, known: Collection[str], moving: Collection[str]) -> str | None:
    r"""Return what a symbol is by what stands around its letter.

    Parameters
    ----------
    key : str
    known, moving : collection of str
        Symbols of the page, and those of which rates are printed.

    Examples
    --------
    >>> by_marks("{}^{0}R_1", (), ()), by_marks(r"\Delta s", (), ())
    ('rotation matrix', 'change of s')
    >>> by_marks("x_0", {"x"}, {"x"}), by_marks("x_0", {"x"}, ()), by_marks(r"a_{\max}", "a", ())
    ('initial value of x', None, 'greatest value of a')
    >>> by_marks("t_0", {"t"}, {"t"}), by_marks("t_{max}", {"t"}, ())
    (None, None)
    """
    if framed := _PRESCRIPTED.match(key):
        return _OF_FRAMES.get(SymbolShape.of(framed["rest"]).letter)
    difference = _DIFFERENCE.match(key)
    if difference and _without_subscript(difference["rest"].strip("{}")) != TIME:
        return f"{CHANGE if difference['sign'] == 'Delta' else VARIATION} of {difference['rest']}"
    looks = SymbolShape.of(key)
    base = _without_subscript(key)
    if base == TIME or key in _DAMPED:  # at which something else is greatest; of what is damped
        return None
    for words, subscripts in _BOUNDS:
        if looks.subscript in subscripts and base != key and looks.letter not in _LENGTHS:
            return f"{words} value of {base}" if base in _those(words, known, moving) else None
    return None


def _without_subscript(key: str) -> str:
    r"""Return a symbol without what stands below it, where that is a letter or a number.

    Examples
    --------
    >>> _without_subscript(r"\theta_{\text{max}}"), _without_subscript("a_1")
    ('\\theta', 'a')
    >>> _without_subscript("a")
    'a'
    """
    below = re.escape(SymbolShape.of(key).subscript)
    return re.sub(rf"_\{{?\\?(?:\w+\{{)?{below}\}}*$", "", bare(key)) if below else bare(key)


def _those(words: str, known: Collection[str], moving: Collection[str]) -> Collection[str]:
    return moving if words in _MOVING else known


def is_unit_vector(key: str) -> bool:
    r"""Return whether a symbol is printed as unit vectors are.

    Examples
    --------
    >>> is_unit_vector(r"\hat{\imath}"), is_unit_vector(r"\hat{M}")
    (True, False)
    >>> is_unit_vector(r"\mathbf{e}_x"), is_unit_vector("e_x")
    (True, False)
    """
    looks = SymbolShape.of(key)
    letter = re.sub(r"math$", "", looks.letter)
    if key.startswith(r"\hat"):
        return letter in _UNIT_VECTORS
    is_axis = letter in _BOLD_UNIT_VECTORS or (letter == "E" and bool(looks.numbers))
    is_axis |= letter == "u" and looks.subscript in _AXES
    return looks.is_styled and is_axis
