"""Which motions there are: grids, Latin hypercubes, ensembles, and those that a result asks for."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from freebody.arguments import checked
from freebody.arrays import Array
from freebody.errors import BackendError, SimulationError

MOTION = "motion"
"""The dimension of motions that make up no grid."""
MOST = 1_000_000_000
"""Motions of a plan."""
Limits = Mapping[str, tuple[float, float]]


class Plan:
    """Motions in an order, each with a value of every name.

    Parameters
    ----------
    axes : mapping of str to array
        The labels of the dimensions.
    names : sequence of str
        Of constants, coordinates and speeds.

    Attributes
    ----------
    shape : tuple of int
        How many motions there are along each dimension.
    count : int
        How many in all.
    """

    def __init__(self, axes: Mapping[str, Array], names: Sequence[str]) -> None:
        self.axes, self.names = dict(axes), tuple(names)
        self.shape = tuple(map(len, self.axes.values()))
        self.count = prod(self.shape)

    def rows(self, start: int, stop: int) -> Array:
        """Return the values of some motions, shape (motions, names)."""
        raise NotImplementedError

    def columns(self) -> dict[str, Array]:
        """Return the values of those names that are no dimension, shape (motions,)."""
        return {}

    def rounds(self, value: Callable[[int, int, str], Array]) -> Iterator[tuple[int, int]]:
        """Iterate over the motions that are known to be wanted, from one to another.

        Parameters
        ----------
        value : callable
            Returns what some motions came to, by name, once they are done.
        """
        del value
        yield 0, self.count

    def digest(self) -> str:
        """Return what tells one plan from another."""
        arrays = [*self.axes.items(), *self.columns().items()]
        parts = (name.encode() + b" " + values.tobytes() for name, values in arrays)
        return hashlib.sha256(b"|".join(parts)).hexdigest()


class Grid(Plan):
    """Every value of a name with every one of the others.

    Parameters
    ----------
    over : mapping of str to sequence of float

    Examples
    --------
    >>> grid = Grid({"m": [1.0, 2.0], "theta": [0.1, 0.2, 0.3]})
    >>> grid.rows(2, 4).tolist()
    [[1.0, 0.3], [2.0, 0.1]]
    """

    def __init__(self, over: Mapping[str, Sequence[float]]) -> None:
        axes = {name: _values(name, values) for name, values in over.items()}
        if not axes:
            raise SimulationError("expected at least one name to go over, such as a constant")
        super().__init__(axes, tuple(axes))

    def rows(self, start: int, stop: int) -> Array:
        """Return the values of some motions, shape (motions, names)."""
        places = np.unravel_index(np.arange(start, stop), self.shape)
        pairs = zip(self.axes.values(), places, strict=True)
        return np.column_stack([values[place] for values, place in pairs])


class Listed(Plan):
    """Motions one by one.

    Parameters
    ----------
    names : sequence of str
    values : array, shape (motions, names)
    """

    def __init__(self, names: Sequence[str], values: Array) -> None:
        super().__init__({MOTION: np.arange(len(values), dtype=np.float64)}, names)
        self.values = values

    def rows(self, start: int, stop: int) -> Array:
        """Return the values of some motions, shape (motions, names)."""
        return self.values[start:stop]

    def columns(self) -> dict[str, Array]:
        """Return the values of the names, shape (motions,)."""
        return dict(zip(self.names, self.values.T, strict=True))


# ------------------------------------------------------------------ as they are asked for


@checked
@dataclass(frozen=True)
class LatinHypercube:
    """Motions spread evenly: each stands alone in its part of the range of every name.

    Attributes
    ----------
    limits : mapping of str to tuple of two float
        Between what each constant, coordinate or speed is.
    count : int
        How many motions.
    seed : int, optional
        The same one gives the same motions.

    Examples
    --------
    >>> import freebody
    >>> plan = freebody.LatinHypercube({"m": (1, 2), "theta": (0, 0.5)}, 8)
    >>> freebody.sweep("pendulum", plan, 0.5)["coordinates"].dims
    ('motion', 'time', 'coordinate')
    """

    limits: Limits
    count: int
    seed: int = 0

    def plan(self) -> Plan:
        """Return the motions."""
        from scipy.stats import qmc  # slow to import

        _expect_plan(self.limits, self.count, self.seed)
        low, high = _ends(self.limits)
        unit = qmc.LatinHypercube(len(low), rng=self.seed).random(self.count)
        return Listed(tuple(self.limits), low + (high - low) * unit)


@checked
@dataclass(frozen=True)
class Ensemble:
    """Motions drawn at random, normal and independent: what is not known exactly, as it may be.

    The first motions of a larger ensemble are those of a smaller one.

    Attributes
    ----------
    spread : mapping of str to tuple of two float
        Mean and standard deviation of each constant, coordinate or speed.
    count : int
        How many motions.
    seed : int, optional
        The same one gives the same motions.

    Examples
    --------
    >>> few, more = (Ensemble({"m": (1, 0.1)}, count).plan() for count in (2, 3))
    >>> bool((few.rows(0, 2) == more.rows(0, 2)).all())
    True
    """

    spread: Limits
    count: int
    seed: int = 0

    def plan(self) -> Plan:
        """Return the motions."""
        _expect_plan(self.spread, self.count, self.seed, rising=False)
        mean, deviation = _ends(self.spread)
        drawn = np.random.default_rng(self.seed).standard_normal((self.count, len(mean)))
        return Listed(tuple(self.spread), mean + deviation * drawn)


@checked
@dataclass(frozen=True)
class Adaptive:
    """Motions where they tell most: close together where what they come to changes fast.

    It goes by rounds of motions, which follow from those before, whoever does them.

    Attributes
    ----------
    limits : mapping of str to tuple of two float
        Between what each constant, coordinate or speed is.
    count : int
        How many motions.
    of : str
        The coordinate or speed whose last value is looked at.

    Examples
    --------
    >>> import freebody
    >>> plan = freebody.Adaptive({"theta": (-3, 3)}, 16, of="theta")
    >>> freebody.sweep("pendulum", plan, 1, inputs={"T": 0}).statistics["done"]
    16
    """

    limits: Limits
    count: int
    of: str

    def plan(self) -> Plan:
        """Return the motions, which are not known yet."""
        _expect_plan(self.limits, self.count, 0)
        return _Growing(self)


ROUNDS, LEAST = 32, 8
"""Into how many rounds adaptive motions go, and how many motions a round has at least."""


class _Growing(Listed):
    """Motions that follow from those before, by the package adaptive."""

    def __init__(self, asked: Adaptive) -> None:
        super().__init__(tuple(asked.limits), np.full((asked.count, len(asked.limits)), np.nan))
        self._asked, self._learner = asked, _learner(asked.limits)
        self._round = max(LEAST, -(-asked.count // ROUNDS), 2 ** len(asked.limits))

    def rows(self, start: int, stop: int) -> Array:
        """Return the values of some motions, shape (motions, names)."""
        rows = self.values[start:stop]
        return np.where(np.isnan(rows), _ends(self._asked.limits)[0], rows)

    def rounds(self, value: Callable[[int, int, str], Array]) -> Iterator[tuple[int, int]]:
        """Iterate over the motions that are known to be wanted, from one to another."""
        for start in range(0, self.count, self._round):
            stop = min(start + self._round, self.count)
            points, _ = self._learner.ask(stop - start)
            self.values[start:stop] = np.reshape(points, (stop - start, len(self.names)))
            yield start, stop
            found = value(start, stop, self._asked.of)
            known = found[np.isfinite(found)]
            filled = np.where(np.isfinite(found), found, known.mean() if known.size else 0.0)
            for point, one in zip(points, filled.tolist(), strict=True):
                self._learner.tell(point, one)

    def digest(self) -> str:
        """Return what tells one plan from another."""
        return hashlib.sha256(repr(self._asked).encode()).hexdigest()


def _learner(limits: Limits) -> Any:
    try:
        from adaptive import Learner1D, LearnerND
    except ModuleNotFoundError as error:
        message = f'adaptive is not installed ({error}): pip install "freebody[plans]"'
        raise BackendError(message) from None
    bounds = [(float(low), float(high)) for low, high in limits.values()]
    return Learner1D(None, bounds[0]) if len(bounds) == 1 else LearnerND(None, bounds)


# ------------------------------------------------------------------ what is wrong


def _ends(limits: Limits) -> tuple[Array, Array]:
    pairs = np.array([*limits.values()], dtype=np.float64)
    return pairs[:, 0], pairs[:, 1]


def _expect_plan(limits: Limits, count: int, seed: int, *, rising: bool = True) -> None:
    """Refuse what makes up no plan.

    Raises
    ------
    SimulationError
        For the first that does not fit.
    """
    if not limits:
        raise SimulationError("expected at least one name to go over, such as a constant")
    if not 1 <= count <= MOST or seed < 0:
        raise SimulationError(
            f"expected one motion or more, at most {MOST}, and a seed from 0, "
            f"found {count} and {seed}"
        )
    for name, (first, second) in limits.items():
        wanted = "two rising numbers" if rising else "a mean and a standard deviation from 0"
        is_good = first < second if rising else second >= 0
        if not (np.isfinite([first, second]).all() and is_good):
            raise SimulationError(f"'{name}': expected {wanted}, found {first:g} and {second:g}")


def _values(name: str, values: Sequence[float]) -> Array:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise SimulationError(f"'{name}': expected numbers, found {values!r}") from None
    if array.ndim != 1 or not array.size or not np.isfinite(array).all():
        raise SimulationError(
            f"'{name}': expected a sequence of finite numbers, found an array of {array.shape}"
        )
    return array
