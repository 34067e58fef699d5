r"""How the names of a model are printed: ``alpha1`` as ``\alpha_{1}``, ``Fex`` as ``F_{ex}``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from freebody.model import Model

GREEK = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "kappa", "lambda"),
    *("mu", "nu", "xi", "rho", "sigma", "tau", "phi", "chi", "psi", "omega"),
    *("Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Phi", "Psi", "Omega"),
)
SPELLED: Mapping[str, str] = {
    "al": "alpha",
    "be": "beta",
    "ga": "gamma",
    "th": "theta",
    "ph": "phi",
    "ps": "psi",
    "om": "omega",
}
"""Greek letters as angles and their rates are named for short."""
COM = ("_center_of_mass", "_com")
"""Constants of segments are many in a product, and three words of each too wide for a line."""
ANGULAR = ("rad", "rad/s", "rad/s**2")
INITIALS: Mapping[str, str] = {
    "kg": "mM",
    "m": "abcdehlrswxyzDHLR",
    "kg*m**2": "IJ",
    "N": "fnFNPRSWQ",
    "N*m": "mMTQ",
    "N/m": "kKc",
    "N*m/rad": "kK",
    "N*s/m": "bcd",
    "N*m*s": "bcd",
    "N*m*s/rad": "bcd",
    "m/s**2": "ag",
    "rad": "q",
    "m/s": "uvw",
    "rad/s": "uw",
}
"""The letters that stand for a quantity of a unit, to which what follows is an index."""
_HEAD = re.compile(r"([A-Za-z]+)(?:(\d+)([A-Za-z]*))?")
_VOWEL = re.compile(r"[aeiou]")
_LETTER = re.compile(r"(\\[A-Za-z]+\{[^{}]*\}|\\[A-Za-z]+|.)(.*)", re.DOTALL)
_LONGEST_INDEX = 3


def printed_names(model: Model) -> dict[str, str]:
    r"""Return LaTeX for each coordinate, speed, input, prescribed motion and constant of a model.

    No two are printed alike, whatever indices are dropped.

    Examples
    --------
    >>> import freebody
    >>> printed_names(freebody.load("two_link"))["Fex"]
    'F_{ex}'
    """
    units = {
        name: entry.unit
        for entries in (
            model.coordinates,
            model.speeds,
            model.inputs,
            model.prescribed,
            model.constants,
        )
        for name, entry in entries.items()
    }
    known: dict[str, str] = {}
    for name, unit in units.items():
        choices = [printed_name(name, unit), printed_name(name), upright(name)]
        known[name] = next(one for one in choices if one not in known.values())
    return known


def printed_name(name: str, unit: str = "") -> str:
    r"""Return a name in LaTeX, as a letter with indices where it is one.

    Parameters
    ----------
    name : str
    unit : str, optional
        Of the quantity; it tells ``Fex``, a force, from a word.

    Examples
    --------
    >>> printed_name("alpha1"), printed_name("Fex", "N"), printed_name("leg_mass")
    ('\\alpha_{1}', 'F_{ex}', '\\mathrm{leg}_{\\mathrm{mass}}')
    >>> printed_name("th2", "rad"), printed_name("F1ext", "N"), printed_name("hip", "m")
    ('\\theta_{2}', 'F_{1,\\mathrm{ext}}', '\\mathrm{hip}')
    >>> printed_name("thigh_center_of_mass", "m")
    '\\mathrm{thigh}_{\\mathrm{com}}'
    """
    head, *rest = name.replace(*COM).split("_")
    matched = _HEAD.fullmatch(head)
    if matched is None:
        return upright(name)
    letters, digits, tail = (part or "" for part in matched.groups())
    if tail and letters[0] not in INITIALS.get(unit, ""):
        return upright(name)
    base, index = _base(letters, unit)
    indices = [*filter(None, (index + digits,)), *map(_index, filter(None, (tail, *rest)))]
    return with_index(base, indices)


def upright(name: str) -> str:
    r"""Return a name as a word.

    Examples
    --------
    >>> upright("body_mass2")
    '\\mathrm{body\\_mass2}'
    """
    return rf"\mathrm{{{name.replace('_', chr(92) + '_')}}}"


def with_index(base: str, indices: Iterable[str]) -> str:
    r"""Return a letter with indices.

    Examples
    --------
    >>> with_index("R", ["1", "x"]), with_index("R", [])
    ('R_{1,x}', 'R')
    """
    index = ",".join(indices)
    return f"{base}_{{{index}}}" if index else base


def dotted(key: str, dots: int) -> str:
    r"""Return a printed name with dots over its letter.

    Examples
    --------
    >>> dotted(r"\alpha_{1}", 2)
    '\\ddot{\\alpha}_{1}'
    """
    if not dots:
        return key
    letter, rest = split(key)
    return rf"\{'d' * dots}ot{{{letter}}}{rest}"


def split(key: str) -> tuple[str, str]:
    r"""Return the letter of a printed name, and its indices.

    Examples
    --------
    >>> split(r"\alpha_{1}")
    ('\\alpha', '_{1}')
    """
    matched = _LETTER.fullmatch(key)
    return (key, "") if matched is None else (matched[1], matched[2])


def _base(letters: str, unit: str) -> tuple[str, str]:
    """Return the letter that a name is printed with, and what of the name is an index to it."""
    if len(letters) == 1:
        return letters, ""
    for greek in sorted(GREEK, key=len, reverse=True):
        if letters.startswith(greek) and len(letters) - len(greek) <= 1:
            return f"\\{greek}", letters[len(greek) :]
    if unit in ANGULAR and letters in SPELLED:
        return f"\\{SPELLED[letters]}", ""
    is_quantity = letters[0] in INITIALS.get(unit, "") and len(letters) <= _LONGEST_INDEX
    is_word = letters.islower() and len(letters) == _LONGEST_INDEX and _VOWEL.search(letters, 1)
    if is_quantity and letters[1:] != "h" and not is_word:
        return letters[0], letters[1:]
    return rf"\mathrm{{{letters}}}", ""


def _index(part: str) -> str:
    return part if len(part) == 1 or part.isdigit() else rf"\mathrm{{{part}}}"
