"""How sure torques are: what noise of the samples, and another table of segments, do to them.

Noise goes the way of the samples: through the same filter and the same derivatives, which are
linear, and into the equations of motion, which are not. So its effect is drawn at random (Monte
Carlo) rather than propagated to first order: with 400 draws a standard deviation is known to 3.5 %,
whatever the model, and the covariances between samples that the filter makes need not be known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.arguments import checked
from freebody.arrays import Array
from freebody.errors import InverseError, nearest
from freebody.inverse_dynamics.result import InverseDynamics
from freebody.inverse_dynamics.terms import call
from freebody.mechanics.parts import AXES
from freebody.model import Model, load
from freebody.motion.filtering import ORDER, differentiated, filtered
from freebody.motion.motion import Motion, Samples
from freebody.simulation.constraints import RANK
from freebody.workers import AnyScheduler, Pool, handed_out, pool_of

if TYPE_CHECKING:
    import xarray as xr

    from freebody.inverse_dynamics.terms import InverseTerms, Progress

BANDED = ("generalized", "terms", "coupling", "inputs", "power")
BLOCK = 50_000
"""How many samples go together, so that memory is bounded."""
LEAST = 2

Sizes = float | Mapping[str, float]


@checked
@dataclass(frozen=True)
class Noise:
    """White noise of what was measured: independent from sample to sample, and normal.

    Attributes
    ----------
    size : float or mapping of str to float
        Standard deviation: of all coordinates, in their own units; of some, by name; or of the
        markers at bodies, joints and points, by name, in m along each axis, from which the
        coordinates follow by least squares.
    draws : int
        How many times it is drawn.
    seed : int
        Of the random numbers: the same seed gives the same result.
    """

    size: Sizes
    draws: int = 400
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse a seed that random numbers do not have."""
        if self.seed < 0:
            raise InverseError(f"noise: expected a seed of 0 or more, found {self.seed}")

    @classmethod
    def of(cls, given: Noise | Sizes) -> Noise:
        """Return noise of a size, or noise as it is."""
        return given if isinstance(given, Noise) else cls(given)


@dataclass(frozen=True)
class DrawsJob:
    """What noise does to the torques, a group of draws at a time.

    Attributes
    ----------
    again : callable
        Works the torques out again where the draws are, and returns the result, what worked it
        out, and the motion.
    noise : Noise
    """

    again: Callable[[], tuple[InverseDynamics, InverseTerms, Motion]]
    noise: Noise

    def ready(self) -> Callable[[int], dict[str, Array]]:
        """Return what draws the group of a number."""
        result, terms, motion = self.again()
        source = NoiseSource(result, terms, motion, self.noise)
        return lambda number: _sums(result, terms, motion, source.group(number))


def with_noise(
    result: InverseDynamics,
    terms: InverseTerms,
    motion: Motion,
    noise: Noise,
    progress: Progress,
    again: Callable[[], tuple[InverseDynamics, InverseTerms, Motion]],
    scheduler: AnyScheduler,
) -> InverseDynamics:
    """Return a result with the standard deviations that noise gives it.

    ``generalized``, ``terms``, ``coupling``, ``inputs`` and ``power`` have theirs beside them, as
    ``generalized_sd`` and so on.

    Parameters
    ----------
    result : InverseDynamics
    terms : InverseTerms
        What worked it out.
    motion : Motion
        In the coordinates of the model, with derivatives.
    noise : Noise
    progress : callable
        Is told the part of the motion, in s, that is as large as that of the draws that are done.
    again : callable
        See `DrawsJob`.
    scheduler : AnyScheduler
        Who draws.

    Raises
    ------
    InverseError
        If a name is unknown, a size is no positive number, or the derivatives of the motion are
        not linear in its samples.
    """
    source = NoiseSource(result, terms, motion, noise)
    sums = dict[int, dict[str, Array]]()
    with pool_of(scheduler) as pool:
        made = (lambda: (result, terms, motion)) if not pool.is_apart else again
        job, groups = DrawsJob(made, noise), range(source.groups)
        for number, part in _drawn(job, groups, pool):
            sums[number] = part
            progress(_reached(motion.times, len(sums) / source.groups))
    spread = _spread(result, [sums[number] for number in groups], noise.draws)
    data = result.data.assign({f"{name}_sd": spread[name] for name in BANDED})
    told = {
        "standard deviations": source.deviations_in_words,
        "by": f"{noise.draws} draws through filter and derivatives, seed {noise.seed}",
    }
    sure = 1 / np.sqrt(2 * (noise.draws - 1))
    note = f"standard deviations are known to {sure:.1%}, from {noise.draws} draws of the noise"
    provenance = {**result.provenance, "noise": told}
    return replace(result, data=data, provenance=provenance, notes=(*result.notes, note))


def with_tables(
    result: InverseDynamics,
    model: Model,
    tables: Iterable[str],
    invert: Callable[[Model], InverseDynamics],
) -> InverseDynamics:
    """Return a result with the generalized forces that other tables of segments give.

    They are ``generalized_by_table``, over table, time and speed.

    Parameters
    ----------
    result : InverseDynamics
    model : Model
        From a file with ``[segments]``.
    tables : iterable of str
    invert : callable
        Gives the result of a model that follows another table.

    Raises
    ------
    InverseError
        If the model is from no file.
    ModelError
        If it follows no table, or there is none of a name, or not for it.
    """
    import xarray as xr  # slow to import

    names = list(dict.fromkeys(tables))
    if model.source is None:
        raise InverseError("tables: expected a model from a file, which tells its segments")
    each = [invert(load(model.source, table)).data["generalized"] for table in names]
    spread = xr.concat(each, "table").assign_coords(table=names).transpose("table", "time", "speed")
    data = result.data.assign(generalized_by_table=spread)
    return replace(result, data=data, provenance={**result.provenance, "tables": names})


# ---------------------------------------------------------------------- what noise is


class NoiseSource:
    """Noise of the coordinates of a motion, and what becomes of it.

    Parameters
    ----------
    result : InverseDynamics
    terms : InverseTerms or None
        What worked it out; only noise of markers needs it.
    motion : Motion
    noise : Noise
    """

    def __init__(
        self, result: InverseDynamics, terms: InverseTerms | None, motion: Motion, noise: Noise
    ) -> None:
        self.motion, self.noise = motion, noise
        self.count, self.n = len(motion.times), len(motion.names)
        self.sizes, self.markers = self._sizes(result)
        self.deviations_in_words = self._deviation_words()
        self.inverse = self._inverse(result, terms) if self.markers and terms else None
        self.method = _method(motion)

    def draws(self) -> Iterator[Samples]:
        """Iterate over groups of draws, of shape (draw, time, n)."""
        yield from map(self.group, range(self.groups))

    @property
    def groups(self) -> int:
        """How many groups of draws there are."""
        return -(-self.noise.draws // self._most)

    @property
    def _most(self) -> int:
        return max(1, BLOCK // self.count)

    def group(self, number: int) -> Samples:
        """Return a group of draws, of shape (draw, time, n), the same whoever draws it.

        Parameters
        ----------
        number : int
            Of the group.
        """
        first = number * self._most
        draws = range(first, min(first + self._most, self.noise.draws))
        return self._derived(self._smooth(np.stack([self._raw(draw) for draw in draws])))

    def _sizes(self, result: InverseDynamics) -> tuple[Array, dict[str, float]]:
        """Return the noise of the coordinates, and that of markers."""
        given = self.noise.size
        names = self.motion.names
        sizes = dict.fromkeys(names, given) if not isinstance(given, Mapping) else dict(given)
        places = [*result.mechanism.named]
        for name in sizes:
            if name not in (*names, *places):
                known = nearest(name, [*names, *places])
                raise InverseError(f"noise: there is no coordinate or place '{name}'{known}")
        for name, size in sizes.items():
            if not (np.isfinite(size) and size > 0):
                raise InverseError(f"noise of '{name}': expected a positive number, found {size:g}")
        if self.noise.draws < LEAST:
            raise InverseError(f"noise: expected {LEAST} draws or more, found {self.noise.draws}")
        of_coordinates = np.array([sizes.get(name, 0.0) for name in names])
        markers = {name: size for name, size in sizes.items() if name not in names}
        return of_coordinates, markers

    def _deviation_words(self) -> dict[str, str]:
        units = self.motion.units
        sizes = zip(self.motion.names, self.sizes, strict=True)
        deviations = {name: f"{size:g} {units[name]}" for name, size in sizes if size}
        return deviations | {
            name: f"{size:g} m, of a marker" for name, size in self.markers.items()
        }

    def _inverse(self, result: InverseDynamics, terms: InverseTerms) -> Array:
        """Return what unit noise of the markers does to the coordinates, (time, n, 3 x markers).

        The coordinates are those of the markers by least squares, weighted by their noise.
        """
        given: dict[str, Any] = {"t": self.motion.times, "q": result.data["coordinates"].to_numpy()}
        given["constants"] = terms.problem.constants
        jacobians = [call(terms.functions[f"jacobian.{name}"], given) for name in self.markers]
        sizes = np.repeat([*self.markers.values()], len(AXES))
        weighted = np.concatenate(jacobians, axis=1) / sizes[:, None]
        decided = int(np.linalg.matrix_rank(weighted, tol=RANK * np.abs(weighted).max()).min())
        if decided < self.n:
            raise InverseError(
                f"noise: the markers ({', '.join(self.markers)}) decide {decided} of "
                f"{self.n} coordinates: expected more of them"
            )
        return np.linalg.pinv(weighted)

    # ------------------------------------------------------------------ what becomes of it

    def _raw(self, draw: int) -> Array:
        """Return the noise of a draw, whose random numbers are those of its number."""
        random = np.random.default_rng([self.noise.seed, draw])
        noise = self.sizes * random.standard_normal((self.count, self.n))
        if self.inverse is None:
            return noise
        markers = random.standard_normal((self.count, self.inverse.shape[-1]))
        return noise + np.einsum("tnm,tm->tn", self.inverse, markers)

    def _smooth(self, noise: Array) -> Array:
        cutoffs = self.motion.choices.get("filter", {}).get("cutoff", {})
        if not cutoffs:
            return noise
        kind = str(self.motion.choices["filter"]["type"])
        if "OpenSim" in kind:
            raise InverseError("noise: expected the filter of freebody, found that of OpenSim")
        rate, order = self.motion.rate, int(kind.partition("order ")[2].partition(",")[0] or ORDER)
        columns = [
            filtered(noise[..., number], rate, cutoffs[name], order=order)
            for number, name in enumerate(self.motion.names)
        ]
        return np.stack(columns, axis=-1)

    def _derived(self, noise: Array) -> Samples:
        columns = noise.swapaxes(0, 1).reshape(self.count, -1)
        derived = differentiated(self.motion.times, columns, self.method, 0.0, "noise")
        parts = (derived.coordinates, derived.speeds, derived.accelerations)
        shape = (self.count, len(noise), self.n)
        return Samples(self.motion.times, *(part.reshape(shape).swapaxes(0, 1) for part in parts))


def _method(motion: Motion) -> str:
    """Return how the derivatives of noise are found: as those of the motion."""
    choice = str(motion.choices.get("derivatives", "spline"))
    if "smooth" in choice:
        raise InverseError(
            "noise: splines that smooth have knots that depend on the samples; expected a filter "
            "and splines through the samples, or differences"
        )
    return "difference" if "difference" in choice else "spline"


# ---------------------------------------------------------------------- what noise does


def _drawn(job: DrawsJob, groups: range, pool: Pool) -> Iterator[tuple[int, dict[str, Array]]]:
    """Iterate over the groups of draws as they come, by number."""
    if not pool.is_apart:  # what is at hand here need not be made again
        yield from ((number, call(number)) for call in [job.ready()] for number in groups)
        return
    for numbers, parts in handed_out(job, groups, pool):
        yield from zip(numbers, parts, strict=True)


def _reached(times: Array, part: float) -> float:
    return float(times[0] + part * (times[-1] - times[0]))


def _spread(
    result: InverseDynamics, sums: Sequence[Mapping[str, Array]], count: int
) -> dict[str, xr.DataArray]:
    """Return the standard deviations of what varies from draw to draw."""
    known = {name: result.data[name].transpose("time", ...) for name in BANDED}
    whole = {name: np.sum([part[name] for part in sums], axis=0) for name in known}
    return {
        name: known[name].copy(data=np.sqrt(np.maximum(0, b - a**2 / count) / (count - 1)))
        for name, (a, b) in whole.items()
    }


def _sums(
    result: InverseDynamics, terms: InverseTerms, motion: Motion, noise: Samples
) -> dict[str, Array]:
    """Return the sums, and those of squares, of what a group of draws changes."""
    known = {name: result.data[name].transpose("time", ...).to_numpy() for name in BANDED}
    samples, sums = motion.samples(result.mechanism.model), dict[str, Array]()
    for name, values in terms.along(_disturbed(samples, noise), lambda _: None).items():
        if name in known:
            away = values.reshape(len(noise.q), *known[name].shape) - known[name]
            sums[name] = np.stack([away.sum(axis=0), (away**2).sum(axis=0)])
    return sums


def _disturbed(samples: Samples, noise: Samples) -> Samples:
    """Return a motion with each draw of the noise, one after the other."""
    times = np.tile(samples.times, len(noise.q))
    pairs = zip(samples[1:], noise[1:], strict=True)
    return Samples(times, *((own + draw).reshape(-1, own.shape[-1]) for own, draw in pairs))
