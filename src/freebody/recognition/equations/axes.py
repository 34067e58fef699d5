"""Equations with unit vectors, which say as much along each axis."""

from __future__ import annotations

import re
from collections.abc import Iterator

from freebody.algebra import Form
from freebody.checking.guesses.conventions import SymbolShape
from freebody.consistency.letters import Letters, bare_of_font, is_vector, letters_of, moving_in
from freebody.recognition.symbols.letter_marks import is_unit_vector

_NAMED = {"e_1": 0, "e_2": 1, "e_3": 2, "e_x": 0, "e_y": 1, "e_z": 2}
_HATS = {"x": 0, "y": 1, "z": 2, "i": 0, "j": 1, "k": 2, r"\imath": 0, r"\jmath": 1}
_AXES, _NUMBERS = "xyz", "123"
_TRIAD = frozenset("ijk")
"""Which are unit vectors without a hat too, where they are vectors."""
_FRAME = re.compile(r"[_^]\{?\w+\}?$")
"""Behind a unit vector, of which axes it is one."""
_FONTS = re.compile(r"\\(?:hat|mathbf|boldsymbol|bm|vec|textbf|mathrm)\b|[{}\s]")


def axis_of(key: str) -> int | None:
    r"""Return along which axis a letter for a unit vector is; None of any other.

    Examples
    --------
    >>> axis_of(r"\hat{\jmath}"), axis_of(r"\mathbf{e}_3"), axis_of(r"\hat{\mathbf{x}}")
    (1, 2, 0)
    >>> axis_of(r"\mathbf{k}^{b}"), axis_of(r"\hat{i}_B")
    (2, 0)
    >>> axis_of(r"\hat{r}"), axis_of("x"), axis_of(r"\mathbf{x}"), axis_of("k")
    (None, None, None, None)
    """
    plain = re.sub(r"[{}]", "", bare_of_font(key))
    if plain in _NAMED:
        return _NAMED[plain]
    of_frame = _FRAME.sub("", key)
    letter = _FONTS.sub("", of_frame)
    is_axis = r"\hat" in key or (is_vector(of_frame) and letter in _TRIAD)
    return _HATS.get(letter) if is_axis else None


def coordinate_axis(key: str, *, is_numbered: bool = False) -> int | None:
    r"""Return along which axis a coordinate or a velocity is; None of any other.

    Parameters
    ----------
    key : str
    is_numbered : bool, optional
        Whether numbers below are those of axes.

    Examples
    --------
    >>> coordinate_axis("x"), coordinate_axis("v_z"), coordinate_axis("x_2")
    (0, 2, 0)
    >>> coordinate_axis("p_2"), coordinate_axis("p_2", is_numbered=True)
    (None, 1)
    """
    shape = SymbolShape.of(key)
    letter, below = shape.letter.lower(), shape.subscript[-1:]
    if is_numbered and below and below in _NUMBERS:
        return _NUMBERS.index(below)
    if below and below in _AXES:
        return _AXES.index(below)
    return _AXES.index(letter) if letter and letter in _AXES else None


def has_direction(key: str) -> bool:
    r"""Return whether a letter is printed as vectors are, or as unit vectors.

    Examples
    --------
    >>> has_direction(r"\vec{F}"), has_direction(r"\hat{k}"), has_direction("F")
    (True, True, False)
    """
    return is_vector(key) or is_unit_vector(key)


def along_axes(letters: Letters, form: Form) -> Iterator[Form]:
    """Iterate over what an equation says along each of its unit vectors; else over it as it is.

    Where all turns about one axis, pages leave its unit vector out of one side: it counts as 1.
    Along axes of two frames, as of a weight ``-g e_z`` beside ``e_r``, it says nothing by itself.

    Parameters
    ----------
    letters : Letters
    form : Form
        What is zero.
    """
    inside = letters_of(letters, form)
    units = sorted(one for one in inside if is_unit_vector(one.key))
    atoms = [letters.atom(one) for one in units]
    parts = [form.ring.partial(form, atom) for atom in atoms]
    whole = [part * form.ring.symbol(atom) for part, atom in zip(parts, atoms, strict=True)]
    rest = form - form.ring.sum(whole)
    within = {one for part in (*parts, rest) for one in letters_of(letters, part)}
    is_mixed = any(is_vector(one.key) for one in within) or any(one.dots for one in units)
    is_mixed |= any(len(one.terms) == 1 and not moving_in(letters, one) for one in parts)
    if not units or is_mixed or (rest and len(units) > 1):
        yield form
    elif rest:
        yield parts[0] + rest
    else:
        yield from parts
