"""Functions that a model has by tables of points."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from freebody.algebra.tables import Tabulated, tabulated
from freebody.algebra.units import dimension
from freebody.model.marks import Entry, Unit

MAX_POINTS = 500
FEWEST = {"linear": 2, "natural": 3, "not_a_knot": 4, "forsythe": 2, "gcv": 5}
"""How many points each kind needs at the least."""
Number = Annotated[float, Field(allow_inf_nan=False, strict=False)]


class Table(Entry):
    """A function of one variable through points, which goes on straight beyond them."""

    title: str = Field("", description="What it is, in words.")
    argument: Unit = Field(description="Coherent SI unit of its variable.")
    unit: Unit = Field(description="Coherent SI unit of its value.")
    kind: Literal["linear", "natural", "not_a_knot", "forsythe", "gcv"] = Field(
        "natural",
        description="Straight between the points; a spline with natural ends, with no knot next to "
        "the ends, or with the ends of Forsythe, Malcolm and Moler; or a smoothing spline by "
        "generalized cross-validation.",
    )
    degree: Literal[3, 5] = Field(3, description="Of a spline with natural ends.")
    x: tuple[Number, ...] = Field(max_length=MAX_POINTS, description="Increasing.")
    y: tuple[Number, ...] = Field(max_length=MAX_POINTS, description="As many values.")

    @model_validator(mode="after")
    def _is_a_function(self) -> Self:
        fewest = max(FEWEST[self.kind], self.degree + 1 if self.degree == 5 else 0)
        if len(self.x) != len(self.y):
            _refuse(f"expected as many 'y' as 'x', found {len(self.y)} and {len(self.x)}")
        if len(self.x) < fewest:
            _refuse(f"expected at least {fewest} points of a {self.kind} one, found {len(self.x)}")
        for one, other in pairwise(self.x):
            if other <= one:
                _refuse(f"expected 'x' that grows, found {other:g} after {one:g}")
        if self.degree == 5 and self.kind != "natural":
            _refuse(f"expected 'degree = 5' of a natural spline alone, found a {self.kind} one")
        return self

    def function(self, name: str) -> type[Tabulated]:
        """Return the function of sympy of this name.

        Examples
        --------
        >>> from sympy.abc import q
        >>> roll = Table(argument="rad", unit="m", kind="linear", x=(0, 1, 2), y=(0, 1, 4))
        >>> roll.function("roll")(q).diff(q)
        roll_1(q)
        """
        knots, pieces = self._pieces
        return tabulated(name, knots, pieces, (dimension(self.argument), dimension(self.unit)))

    @cached_property
    def _pieces(self) -> tuple[list[float], list[list[float]]]:
        import numpy as np
        from scipy.interpolate import PPoly

        x, y = np.array(self.x, dtype=float), np.array(self.y, dtype=float)
        if self.kind == "linear" or len(x) == 2:
            return list(self.x), [list(piece) for piece in zip(y, np.diff(y) / np.diff(x))]  # noqa: B905 - one value more
        spline = self._spline(x, y)
        poly = spline if isinstance(spline, PPoly) else PPoly.from_spline(spline)
        whole = [k for k in range(len(poly.x) - 1) if poly.x[k + 1] > poly.x[k]]
        knots = [float(poly.x[k]) for k in whole] + [float(poly.x[-1])]
        return knots, [[float(c) for c in poly.c[::-1, k]] for k in whole]

    def _spline(self, x: Any, y: Any) -> Any:
        from scipy.interpolate import CubicSpline, make_interp_spline, make_smoothing_spline

        match self.kind:
            case "natural" if self.degree == 5:
                ends = [(3, 0.0), (4, 0.0)]
                return make_interp_spline(x, y, k=5, bc_type=(ends, ends))
            case "natural":
                return CubicSpline(x, y, bc_type="natural")
            case "not_a_knot":
                return CubicSpline(x, y, bc_type="not-a-knot")
            case "forsythe":
                return _forsythe(x, y)
        return make_smoothing_spline(x, y)


def _forsythe(x: Any, y: Any) -> Any:
    """Return the spline whose third derivatives at the ends are those of cubics through 4 points.

    References
    ----------
    Forsythe, Malcolm and Moler, Computer Methods for Mathematical Computations, 1977: SPLINE.
    """
    from scipy.interpolate import make_interp_spline

    parts = (slice(4), slice(-4, None)) if len(x) > 3 else ()
    ends = [6 * _divided(x[part], y[part]) for part in parts] or [0.0, 0.0]
    return make_interp_spline(x, y, k=3, bc_type=([(3, ends[0])], [(3, ends[1])]))


def _divided(x: Any, y: Any) -> float:
    """Return the divided difference of points."""
    import numpy as np

    for step in range(1, len(x)):
        y = np.diff(y) / (x[step:] - x[:-step])
    return float(y[0])


def _refuse(message: str) -> None:
    raise PydanticCustomError("told", "{message}", {"message": message})
