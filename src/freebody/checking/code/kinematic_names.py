"""Which values of code are positions, velocities and Jacobians: by what names and comments say."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

_PLACES = (
    r"endeffector|endpoint|eff?ector|ee|tcp|tip|hand|wrist|elbow|shoulder|knee|ankle|hip|foot|toe|"
    r"bob|mass|links?|joints?|com|centerofmass|centreofmass|cart|pole|end|gripper|arm|pendulum|body"
)
_ONE, _SPEEDS = f"(?:{_PLACES})", "(?:vel|velocity|velocities)"
_WHERE = "(?:pos|position|positions|coords?|coordinates|xy|xyz|location)"
NAMED: Mapping[str, re.Pattern[str]] = {
    "jacobian": re.compile(rf"\w*jacobian\w*|{_ONE}*(?:jac|jacob)(?:n|dof|{_ONE})*|jee|jtip|jhand"),
    "velocity": re.compile(rf"{_ONE}+{_SPEEDS}|{_SPEEDS}(?:of)?{_ONE}+"),
    "position": re.compile(
        rf"\w*(?:forward|fwd|direct)kin\w*|\w*fkine\w*|d?kin(?:e|ematics?)?|fk(?:in)?|forward|{_ONE}*{_WHERE}(?:of)?"
        rf"{_ONE}*|endeffector|endpoint|ee|tip|hand|tcp|tocartesian|cartesian{_WHERE}?|"
        "com|cent(?:er|re)ofmass"
    ),
}
"""How functions, and arrays, are called."""
SAID = {
    "jacobian": re.compile(r"\bjacobian\b", re.I),
    "position": re.compile(
        r"\bforward kinematics\b|\b(?:cartesian )?(?:positions?|coordinates|location) of the "
        r"(?:end|tip|hand|bob|mass|link|joint|elbow|wrist|cent)|\bend[- ]?effector position\b",
        re.I,
    ),
}
"""What comments and docstrings say of what a function gives."""
SCALAR = re.compile(
    r"(?P<rate>d|v|vel_?)?(?:p|pos_?)?(?P<axis>[xyz])(?P<dot>_?(?:d|dot|vel))?"
    r"_?(?P<rest>\d?|_?(?:tip|end|hand|ee|elbow|wrist|com\d?|c\d|cm\d?|g\d|bob\d?|pole|"
    r"mass\d?|m\d|p\d))(?P<late>_?(?:d|dot|vel))?|"
    r"(?P<first>tip|end|hand|ee|elbow|wrist|com\d?|bob\d?|pole|mass\d?|link\d|joint\d)"
    r"_?(?P<axis2>[xyz])"
)
"""Names of one component of where something is, or of how fast it moves."""


def kind_of(called: str, words: str) -> str:
    """Return of which kind a function is by its name, or by what is said of it.

    Examples
    --------
    >>> [kind_of(name, "") for name in ("forwardkinematics", "tipposition", "jacobian", "rates")]
    ['position', 'position', 'jacobian', '']
    """
    for kind in ("jacobian", "velocity", "position"):
        if NAMED[kind].fullmatch(called):
            return kind
    return next((kind for kind, said in SAID.items() if said.search(words)), "")


def component(name: str) -> tuple[str, str, int] | None:
    """Return the kind, the point and the axis that a scalar is named for.

    Examples
    --------
    >>> component("x2"), component("tip_y"), component("vx1"), component("mass")
    (('position', '2', 0), ('position', 'tip', 1), ('velocity', '1', 0), None)
    """
    found = SCALAR.fullmatch(name.lower())
    if found is None:
        return None
    axis = "xyz".index(found["axis"] or found["axis2"])
    rest = (found["first"] or found["rest"] or "").strip("_")
    is_rate = any(found[one] for one in ("rate", "dot", "late"))
    return "velocity" if is_rate else "position", rest, axis


def arrangements(kind: str, shape: Sequence[int], n: int) -> tuple[str, ...]:
    """Return how an array of a shape may hold what it is: nothing where it cannot.

    Examples
    --------
    >>> arrangements("position", (2,), 2), arrangements("position", (2, 2), 2)
    (('rows',), ('rows', 'columns'))
    """
    if kind == "jacobian":
        if len(shape) != 2 or shape[1] != n or shape[0] not in (2, 3, 6):
            return ()
        return ("slopes", "turning first") if shape[0] == 6 else ("slopes",)
    if len(shape) == 1:
        return ("rows",) if shape[0] in (2, 3) else ()
    if len(shape) != 2:
        return ()
    ways = [("rows", shape[1]), ("columns", shape[0])]
    return tuple(way for way, count in ways if count in (2, 3))


def kind_of_value(name: str, called: str) -> str:
    """Return of which kind an array with a name is; J and J3 are Jacobians by their shapes.

    Examples
    --------
    >>> kind_of_value("J", "j"), kind_of_value("tip_position", "tipposition")
    ('jacobian', 'position')
    """
    return "jacobian" if re.fullmatch(r"J[a-z]?\d?w?", name) else kind_of(called, "")


def judged_entries(value: Any, kind: str, zero: Any, one: Any) -> tuple[Any, Any]:
    """Return the entries of an array that are judged, and their places in it.

    Of a homogeneous transform that is where it shifts to; columns are taken as vectors, and four or
    six numbers as two or three points.

    Parameters
    ----------
    value : numpy.ndarray
    kind : str
    zero, one : Cell

    Returns
    -------
    tuple of numpy.ndarray
        The entries, and tuples of the indices that they have.
    """
    places = np.empty(value.shape, dtype=object)
    for place in np.ndindex(*value.shape):
        places[place] = place
    if kind == "jacobian":
        return value, places
    last = [zero] * (value.shape[-1] - 1) + [one]
    if value.ndim == 2 and value.shape in ((3, 3), (4, 4)) and list(value[-1]) == last:
        return value[:-1, -1], places[:-1, -1]
    if value.ndim == 2 and 1 in value.shape:
        value, places = value.reshape(-1), places.reshape(-1)
    if value.ndim == 1 and value.size in (4, 6):
        return value.reshape(-1, 2), places.reshape(-1, 2)
    return value, places
