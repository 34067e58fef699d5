"""Muscle forces that give the torques of a motion with the least activation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.arguments import checked
from freebody.arrays import Array
from freebody.errors import MuscleError, nearest
from freebody.mechanics.build import mechanism
from freebody.model import Model, Names
from freebody.model.files import model_of
from freebody.muscles.hill import Musculotendons, pushing
from freebody.muscles.lines import Lines, Paths
from freebody.muscles.result import Recorded
from freebody.muscles.sharing import Shared, share
from freebody.simulation.sampled import Sampled

if TYPE_CHECKING:
    import xarray as xr

ROUNDING = 1e-9
"""Below this part of the largest force, nothing is left."""
NEEDED = ("coordinates", "speeds", "generalized")


@dataclass(frozen=True)
class StaticOptimum(Recorded):
    """How muscles share the torques of a motion.

    Attributes
    ----------
    data : xarray.Dataset
        Over ``time`` in s, with units in the attributes, and in ``force_unit`` of what belongs to a
        speed:

        - ``activation`` and ``tension`` (time, muscle), the latter in N;
        - ``contribution`` (time, speed, muscle): the generalized force of each muscle;
        - ``generalized`` (time, speed): what was asked for; ``residual``: what the muscles cannot
          give of it;
        - ``moment_arms`` (time, speed, muscle).

        ``input`` says which input of the model is the tension of a muscle.
    notes : tuple of str
        What there is to know: where the muscles cannot give the torques, and what was assumed.
    """

    @property
    def inputs(self) -> dict[str, Sampled]:
        """The tensions over time, as `freebody.inverse` and `freebody.simulate` take inputs.

        With these, inverse dynamics knows what the joints' surfaces carry.
        """
        times, of = self.data["time"].to_numpy(), self.data["tension"]
        names = zip(self.data["input"].to_numpy(), self.data["muscle"].to_numpy(), strict=True)
        return {
            str(name): Sampled(str(name), times - times[0], of.sel(muscle=muscle).to_numpy())
            for name, muscle in names
        }

    @checked
    def plot(self, path: str | Path) -> None:
        """Draw tensions, activations, and what the muscles give along each speed.

        Raises
        ------
        MuscleError
            If the file name has another ending than a picture.
        """
        from freebody.muscles.figures import draw_sharing

        draw_sharing(self, Path(path))


@checked
def static_optimisation(
    model: Model | str | Path,
    found: Any,
    *,
    strength: Mapping[str, float] | None = None,
    curves: bool = False,
    constants: Mapping[str, float] | None = None,
) -> StaticOptimum:
    """Share the torques of a motion among the muscles, with the least sum of squared activations.

    Sample by sample Σ a² is least, with R F = τ and 0 ≤ a ≤ 1. What muscles do not reach is left
    over, and told; where they are too weak they give what leaves least, in parts of what all of
    them could give along a speed.

    Parameters
    ----------
    model : Model, str or Path
        With muscles.
    found : InverseDynamics or xarray.Dataset
        What `freebody.inverse` gives: ``coordinates``, ``speeds`` and ``generalized`` over time.
    strength : mapping of str to float, optional
        The largest force of muscles, in N; of all others the ``peak_force`` of their ``hill``.
    curves : bool, optional
        Whether the force for a unit of activation follows the lengths and velocities of the fibres,
        on rigid tendons, rather than being the largest; passive forces then come first.
    constants : mapping of str to float, optional
        Values to use instead of those of the model.

    Raises
    ------
    MuscleError
        If the model has no muscles, or a muscle no strength.

    Examples
    --------
    >>> import freebody
    >>> from freebody.motion import posture_reach
    >>> reach = posture_reach({"alpha1": -1.5, "alpha2": 0.1}, {"alpha1": 0, "alpha2": 1.5}, 1)
    >>> torques = freebody.inverse("two_link_muscles", reach)
    >>> shared = freebody.static_optimisation("two_link_muscles", torques)
    >>> float(abs(shared.data["residual"]).max()) < 1e-9
    True
    """
    model = model_of(model)
    data = getattr(found, "data", found)
    _expect(data, model)
    lines = Paths(model, constants).at(
        *(data[name].transpose("time", ...).to_numpy() for name in ("time", *NEEDED[:2]))
    )
    active, passive = _capacities(model, lines, strength or {}, curves, constants)
    needed = data["generalized"].transpose("time", "speed").to_numpy()
    arms = lines.arms
    shared = share(arms * active[:, None, :], needed - np.einsum("tij,tj->ti", arms, passive))
    tension = active * shared.activation + passive
    notes = (*_assumed(model, curves), *_left(model, data, arms, shared))
    made = _dataset(model, data, lines, tension, shared)
    return StaticOptimum(made, (*notes, *filter(None, [pushing(made)])))


def _expect(data: Any, model: Model) -> None:
    """See that a result has what is needed, and is one of the model."""
    names = list(getattr(data, "data_vars", ()))
    for name in NEEDED:
        if name not in names:
            expected = "expected what freebody.inverse gives"
            raise MuscleError(f"{expected}: '{name}' over time is missing{nearest(name, names)}")
    speeds = list(Names(model).speeds)
    for dim, known in (("coordinate", list(model.coordinates)), ("speed", speeds)):
        told = [str(label) for label in data[dim].to_numpy()]
        if told != known:
            raise MuscleError(f"expected the {dim}s {', '.join(known)}, found {', '.join(told)}")


def _capacities(
    model: Model,
    lines: Lines,
    strength: Mapping[str, float],
    curves: bool,
    constants: Mapping[str, float] | None,
) -> tuple[Array, Array]:
    """Return the tension of each muscle for a unit of activation, and without any."""
    names = [muscle.name for muscle in model.muscles]
    for name in strength:
        if name not in names:
            raise MuscleError(f"there is no muscle '{name}'{nearest(name, names)}")
    if curves:
        tendons = Musculotendons.of(model, constants)
        active, passive = tendons.capacity(tendons.rigid(lines.length, lines.rate))
        factor = np.array(
            [strength.get(n, p) for n, p in zip(names, tendons.peak_force, strict=True)]
        )
        return active * factor / tendons.peak_force, passive * factor / tendons.peak_force
    forces = np.array(list(_strengths(model, strength, constants)))
    return np.broadcast_to(forces, lines.length.shape), np.zeros_like(lines.length)


def _strengths(
    model: Model, strength: Mapping[str, float], constants: Mapping[str, float] | None
) -> Iterator[float]:
    names = Names(model)
    values = names.values(constants)
    for muscle in model.muscles:
        if muscle.name in strength:
            yield strength[muscle.name]
        elif muscle.hill is not None:
            yield names.number(muscle.hill.peak_force, values)
        else:
            raise MuscleError(
                f"muscle '{muscle.name}' has no strength: expected a 'hill' with a 'peak_force', "
                "or the strength to be given"
            )


def _dataset(model: Model, data: Any, lines: Lines, tension: Array, shared: Shared) -> xr.Dataset:
    import xarray as xr  # slow to import

    along, of = ("time", "speed"), ("time", "muscle")
    variables = {
        "activation": (of, shared.activation, {"unit": "1"}),
        "tension": (of, tension, {"unit": "N"}),
        "contribution": ((*along, "muscle"), lines.arms * tension[:, None, :]),
        "generalized": (along, data["generalized"].transpose(*along).to_numpy()),
        "residual": (along, shared.residual),
        "moment_arms": ((*along, "muscle"), lines.arms),
    }
    labels = {
        "time": ("time", data["time"].to_numpy(), {"unit": "s"}),
        "muscle": [muscle.name for muscle in model.muscles],
        "input": ("muscle", [muscle.tension for muscle in model.muscles]),
        "speed": data["speed"].to_numpy(),
        "force_unit": ("speed", data["force_unit"].to_numpy()),
    }
    return xr.Dataset(variables, coords=labels, attrs={"title": model.title})


# ---------------------------------------------------------------------- what is told


def _assumed(model: Model, curves: bool) -> Iterator[str]:
    if not curves:
        yield "a muscle is as strong at every length and velocity"
    else:
        elastic = [m.name for m in model.muscles if m.hill and m.hill.tendon == "elastic"]
        if elastic:
            yield f"elastic tendons are taken as rigid: {', '.join(elastic)}"


def _left(model: Model, data: Any, arms: Array, shared: Shared) -> Iterator[str]:
    """Iterate over the speeds along which something is left: how much, when, at which joint."""
    times, names = data["time"].to_numpy(), data["speed"].to_numpy()
    joints = _joints(model)
    for number, speed in enumerate(names.tolist()):
        left = np.abs(shared.residual[:, number])
        left = np.where(shared.reached | (left < ROUNDING * left.max()), 0.0, left)
        worst = int(left.argmax())
        if left[worst] < ROUNDING * np.abs(data["generalized"]).max():
            continue
        unit = str(data["force_unit"].to_numpy()[number])
        acts = bool(arms[:, number].any())
        reason = "the muscles cannot pull so much" if acts else "no muscle acts along this speed"
        yield (
            f"{speed}{joints.get(speed, '')}: {left[worst]:.4g} {unit} are left at most, at "
            f"t = {times[worst]:.4g} s; {reason}; {np.count_nonzero(left)} of {len(times)} samples"
        )


def _joints(model: Model) -> dict[str, str]:
    """Return at which joints there is a speed, in words."""
    moving, found = mechanism(model), dict[str, str]()
    for speed, symbol in moving.names.speeds.items():
        joints = [
            name
            for name, step in moving.joints.items()
            if any(moving.rate(part).has(symbol) for part in (*step.shift, step.angle))
        ]
        found[speed] = f" (joint {', '.join(joints)})" if joints else ""
    return found
