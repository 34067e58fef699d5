"""How figures look: colors, fonts of a paper, and names as the notation of a model has them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from freebody.model.names import speed_names
from freebody.model.printed import GREEK, dotted, printed_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from freebody.model.schema import Model

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#4a4e69", "#8d6a9f")
"""The first six are told apart by colour-blind readers too (Okabe and Ito)."""
DASHES = ("-", "--", "-.", (0, (1, 1.2)))
LEGEND: Mapping[str, Any] = {
    "frameon": False,
    "fontsize": "small",
    "columnspacing": 1.0,
    "handlelength": 1.6,
}
PAPER: Mapping[str, Any] = {
    "font.family": "serif",
    "font.serif": ["STIXGeneral", "Times New Roman", "DejaVu Serif"],
    "mathtext.fontset": "stix",
    "font.size": 8,
    "axes.linewidth": 0.6,
    "lines.linewidth": 1.0,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "pdf.fonttype": 42,
}
"""Letters of 8 points in Times, thin lines, and fonts that stay text in a PDF."""

_GREEK = re.compile(rf"\\({'|'.join(GREEK)})(?![A-Za-z])")
_PLAIN = re.compile(r"\w(_\{?\d+\}?)?")
_LOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@contextmanager
def paper() -> Iterator[None]:
    """Draw as papers print: see `PAPER`."""
    from matplotlib import rc_context

    with rc_context(dict(PAPER)):
        yield


def unit_text(unit: str) -> str:
    """Return a unit as it is printed.

    Examples
    --------
    >>> unit_text("kg*m**2"), unit_text("rad/s**2")
    ('kg m²', 'rad/s²')
    """
    return unit.replace("**2", "²").replace("**3", "³").replace("*", " ")


def symbol(model: Model, name: str) -> str:
    r"""Return a name of a model as mathematics for a figure; as it stands where that fails.

    Examples
    --------
    >>> import freebody
    >>> model = freebody.load("two_link")
    >>> symbol(model, "alpha1_dot"), symbol(model, "nothing_of_it")
    ('$\\dot{\\alpha}_{1}$', 'nothing_of_it')
    """
    latex = printed_names(model)
    base, dots = name, 0
    if base not in latex:
        for ending, count in (("_ddot", 2), ("_dot", 1)):
            if name.endswith(ending):
                base, dots = name.removesuffix(ending), count
                break
    if base not in latex:
        return name
    return mathematics(dotted(latex[base], dots), name)


def letters(model: Model, name: str) -> str:
    r"""Return a name of a model in plain letters, as close to its notation as these come.

    Examples
    --------
    >>> import freebody
    >>> letters(freebody.load("two_link"), "alpha1"), letters(freebody.load("walker"), "hip_left")
    ('α₁', 'hip left')
    """
    latex = printed_names(model).get(name, name)
    plain = _GREEK.sub(lambda match: unicodedata.lookup(_greek(match[1])), latex)
    if _PLAIN.fullmatch(plain):
        return re.sub(r"_\{?(\d+)\}?", lambda match: match[1].translate(_LOW), plain)
    return name.replace("_", " ")


def _greek(name: str) -> str:
    case = "CAPITAL" if name[0].isupper() else "SMALL"
    return f"GREEK {case} LETTER {'LAMDA' if name.lower() == 'lambda' else name.upper()}"


def moment_symbol(model: Model, speed: str) -> str:
    """Return the symbol of a speed; of its coordinate, where it is the rate of one."""
    names = dict(zip(speed_names(model), model.coordinates, strict=False))
    return symbol(model, speed if model.speeds else names.get(speed, speed))


@cache
def mathematics(latex: str, otherwise: str) -> str:
    """Return LaTeX between dollars if matplotlib can set it; else other words."""
    from matplotlib.mathtext import MathTextParser

    try:
        MathTextParser("path").parse(f"${latex}$")
    except ValueError:
        return otherwise
    return f"${latex}$"


def labelled(text: str, unit: str) -> str:
    """Return what an axis is about, with its unit.

    Examples
    --------
    >>> labelled("torque", "N*m"), labelled("mode", "1")
    ('torque [N m]', 'mode')
    """
    return text if unit in ("", "1") else f"{text} [{unit_text(unit)}]"


def plain(axes: Axes) -> None:
    """Give axes a quiet frame and grid."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(visible=True, color="#e9e9e9", linewidth=0.5)
    axes.set_axisbelow(True)
