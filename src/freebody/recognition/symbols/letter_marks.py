"""What symbols are by what stands around their letters: a frame before them, Δ, or a bound."""

from __future__ import annotations

import re
from collections.abc import Collection

from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.introduced import TIME, bare

UNIT_VECTOR, CHANGE, VARIATION = "unit vector", "change", "variation"
EQUILIBRIUM, INITIAL = "equilibrium value", "initial value"
SLOPE, TENSOR = "derivative", "inertia tensor"
BY_MARKS = (CHANGE, VARIATION, SLOPE, "desired value", "least value", "greatest value")
"""What marks tell for sure."""
_UNIT_VECTORS = frozenset({*"ijkxyzenrtbuXYZ", "theta", "phi", "rho"})
_AXES = frozenset({*"xyzrXYZ", "theta", "phi", "varphi", "rho"})
_BOLD_UNIT_VECTORS = frozenset("eijk")
_TRANSFORMATIONS = frozenset("TAH")
_OF_FRAMES = {
    **dict.fromkeys(_TRANSFORMATIONS, "homogeneous transformation"),
    **dict.fromkeys("IJ", TENSOR),
    **dict.fromkeys("prPQ", "position"),
    **dict.fromkeys("fF", "force"),
    **dict.fromkeys("RC", "rotation matrix"),
    **dict.fromkeys("vV", "velocity"),
    **dict.fromkeys(("omega", "Omega"), "angular velocity"),
    **dict.fromkeys(("n", "N", "tau"), "moment"),
    "a": "acceleration", "h": "angular momentum", "alpha": "angular acceleration",
}  # fmt: skip
"""What letters with a frame in front of them are."""
_PRESCRIPTED = re.compile(
    r"^(?:\{\})?\^\{?(?P<frame>(?<=\{)(?:[^{}]|\{[^{}]*\})*(?=\})|\\math\w+\{\w\}|\w)\}?\s*(?P<rest>.+)$"
)
_AXES = frozenset("xyzk")
_NO_FRAME = re.compile(r"-.*|\d+/\d+|T|\\top|o|\\circ|\\prime|\*")
"""What stands behind one letter and in front of the next, and is no frame."""
_DIFFERENCE = re.compile(r"\\(?P<sign>[Dd]elta)\s*(?P<rest>(?:[A-Za-z]|\\[A-Za-z]+).*)$")
_LENGTHS = frozenset({"l", "L", "ell"})
"""Letters of lengths, which with 0 below are those at rest."""
_SLOPE = re.compile(
    r"(?P<of>[EHKLTUV]|\\mathcal\{[EHKLTUV]\})_"
    r"(?:(?P<letter>\w)|\{(?P<inside>\\dot\{\w\}(?:_\w)?|\w_\w)\})"
)
r"""An energy with what it is differentiated by below: ``L_q - \frac{d}{dt}L_{\dot q} = 0``."""
_DAMPED = frozenset({r"\omega_d", r"\omega_{d}"})
_AT_REST = ("eq",)
_BOUNDS = (
    ("initial", ("0",)),
    ("desired", ("d", "des", "ref", "desired", "target")),
    ("least", ("min", "lower")),
    ("greatest", ("max", "upper")),
    ("equilibrium", _AT_REST),
)
"""What stands below a letter whose values it tells apart; some of them only where it moves."""
_MOVING = frozenset({"initial", "desired"})
_STILL = frozenset({INITIAL, "least value", "greatest value"})
_VARYING = frozenset({"coordinate", "coordinates", "angle", "speed"})
"""Kinds of what has an equilibrium, and is not equivalent to something."""
_CONSTANT = frozenset({"constant", "mass", "inertia", "length", "gravity"})


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
    >>> by_marks(r"\Delta t_{max}", {r"\Delta t"}, ()), by_marks(r"\Delta w", {r"\Delta"}, ())
    ('greatest value of \\Delta t', None)
    """
    framed = _PRESCRIPTED.match(key)
    if framed and not _NO_FRAME.fullmatch(framed["frame"]):
        rest = SymbolShape.of(framed["rest"])
        is_of_two = bool(rest.subscript) or rest.letter not in _TRANSFORMATIONS
        if rest.letter == "C" and rest.subscript in _AXES:  # of a centre of mass
            return None
        return _OF_FRAMES.get(rest.letter) if is_of_two else None
    difference = _DIFFERENCE.match(key)
    is_sign = rf"\{difference['sign']}" in known if difference else False  # of an operator
    if difference and not is_sign and _without_subscript(_unbraced(difference["rest"])) != TIME:
        return f"{CHANGE if difference['sign'] == 'Delta' else VARIATION} of {difference['rest']}"
    looks = SymbolShape.of(key)
    base = _without_subscript(key)
    if looks.subscript in _AT_REST and not _CONSTANT.isdisjoint(SymbolShape.of(base).kinds[:1]):
        return None  # an equivalent stiffness
    if base == TIME or key in _DAMPED:  # at which something else is greatest; of what is damped
        return None
    for words, subscripts in _BOUNDS:
        if looks.subscript in subscripts and base != key and looks.letter not in _LENGTHS:
            return f"{words} value of {base}" if base in _those(words, known, moving) else None
    return None


def bound_mark(key: str, known: Collection[str], moving: Collection[str]) -> tuple[str, str] | None:
    r"""Return which value a symbol that does not move is, and of what; None where it may move.

    Examples
    --------
    >>> bound_mark(r"x_{\max}", {"x"}, {"x"}), bound_mark("x_d", {"x"}, {"x"})
    (('greatest value', 'x'), None)
    """
    value, is_so, base = (by_marks(key, known, moving) or "").partition(" of ")
    return (value, base) if is_so and value in _STILL else None


def slope_mark(key: str, known: Collection[str]) -> str | None:
    r"""Return of what and by what a symbol is a derivative, where rates stand below such letters.

    Examples
    --------
    >>> slope_mark("K_q", {r"L_{\dot{q}}", "K_q"}), slope_mark("K_q", {"K_q"})
    ('derivative of K by q', None)
    >>> slope_mark(r"L_{\dot{q}}", {r"L_{\dot{q}}"})
    'derivative of L by \\dot{q}'
    """
    slope = _SLOPE.fullmatch(key)
    if slope is None:
        return None
    by = slope["letter"] or slope["inside"]
    rate = by if by.startswith(r"\dot") else rf"\dot{{{by}}}"
    is_printed = any(one.endswith(f"_{{{rate}}}") and _SLOPE.fullmatch(one) for one in known)
    return f"{SLOPE} of {slope['of']} by {by}" if is_printed else None


def is_sure_mark(key: str, words: str) -> bool:
    r"""Return whether marks tell for sure what a symbol is; x_{eq} is no equivalent of anything.

    Examples
    --------
    >>> is_sure_mark("x_{eq}", "equilibrium value of x"), is_sure_mark("F_{eq}", "equilibrium ...")
    (True, False)
    """
    if words.startswith(EQUILIBRIUM):
        return not _VARYING.isdisjoint(SymbolShape.of(_without_subscript(key)).kinds[:1])
    return words.startswith(BY_MARKS)


def is_framed(key: str, known: Collection[str]) -> bool:
    r"""Return whether a frame stands in front of a letter, which tells what it is.

    Numbers but 0 are frames where several stand in front of letters, and else powers.

    Examples
    --------
    >>> is_framed("{}^{A}R_B", ()), is_framed(r"{}^{\top}r", ()), is_framed("{}^{2}r", ["{}^{2}r"])
    (True, False, False)
    """
    found = _PRESCRIPTED.match(key)
    if not found or _NO_FRAME.fullmatch(found["frame"]):
        return False
    frames = {one["frame"] for one in map(_PRESCRIPTED.match, known) if one}
    return not found["frame"].strip("0").isdecimal() or len(frames) > 1


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


def _unbraced(text: str) -> str:
    """Return a text without braces around all of it."""
    return re.sub(r"^\{([^{}]*)\}$", r"\1", text)


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
