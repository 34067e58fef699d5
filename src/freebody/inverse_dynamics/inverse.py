"""The torques that a motion takes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from freebody.arguments import checked
from freebody.backends.compile import Functions
from freebody.backends.compiler import fastest
from freebody.errors import InverseError, absent
from freebody.inverse_dynamics.external_loads import read_external_loads
from freebody.inverse_dynamics.forces import FARTHEST, AppliedForce, with_applied_forces
from freebody.inverse_dynamics.result import InverseDynamics, ResultBuilder
from freebody.inverse_dynamics.terms import InverseProblem, InverseTerms, Progress, call
from freebody.inverse_dynamics.uncertainty import Noise, Sizes, with_noise, with_tables
from freebody.mechanics.build import mechanism
from freebody.mechanics.mechanism import AnyModel, Mechanism
from freebody.model import Model
from freebody.motion.motion import Motion, Samples
from freebody.motion.reading import AnyMotion, motion_of
from freebody.results import Result
from freebody.simulation.inputs import AnyInputs, inputs_of, split_inputs
from freebody.simulation.setup import constants_of, laws_of
from freebody.workers import AnyScheduler

SOME = 200
"""How many samples tell where a force acts."""
FEW = 20_000
"""Up to how many samples compiling takes longer than it saves."""


@checked
def inverse(
    model: AnyModel,
    motion: AnyMotion,
    forces: Mapping[str, AppliedForce | str | Path] | str | Path | None = None,
    *,
    constants: Mapping[str, float] | None = None,
    inputs: AnyInputs | None = None,
    solve: Iterable[str] = (),
    noise: Noise | Sizes | None = None,
    tables: Collection[str] = (),
    backend: str | None = None,
    scheduler: AnyScheduler = None,
    progress: Progress = lambda _: None,
) -> InverseDynamics:
    """Return what the actuators of a model must give for a motion, term by term.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
        What moves.
    motion : Motion, Result, str or Path
        Its coordinates over time, a result that has them, or a file of them; see
        `freebody.read_motion`. Derivatives that it has not are those of quintic splines through the
        samples.
    forces : mapping of str to AppliedForce, str or Path, or str or Path, optional
        Forces that were measured, or files of them, by the body, joint or point that they act on;
        see `freebody.inverse_dynamics.read_force`. Or the XML file of OpenSim's external loads; see
        `freebody.inverse_dynamics.read_external_loads`. They enter E.
    constants : mapping of str to float, optional
        Values to use instead of those of the model.
    inputs : mapping of str to value, Result, str or Path, optional
        Inputs that are known, as for `freebody.simulate`. All others that act as
        torques or forces of joints are solved for; those that act otherwise keep the values that
        the model declares.
    solve : iterable of str, optional
        Inputs that are solved for besides, such as the residual forces on a trunk.
    noise : float, mapping of str to float or Noise, optional
        Standard deviation of the noise of the coordinates, in their own units, or by the names of
        coordinates, or of markers at places of the model in m. What it does to the torques stands
        beside them, as ``generalized_sd`` and so on.
    tables : collection of str, optional
        Other tables of body segment parameters: what they give is ``generalized_by_table``.
    backend : str, optional
        What works it out: heyoka, c or numpy; for a short motion numpy, else the first that is
        there.
    scheduler : int, str or distributed.Client, optional
        Who draws the noise, as `freebody.sweep` takes it.
    progress : callable, optional
        Is told the time reached; with noise, once more for the draws.

    Returns
    -------
    InverseDynamics
        ``data`` over (time, speed), in N m or N: ``generalized``, its ``terms``, and more.

    Raises
    ------
    InverseError
        If a name is unknown, something has no value, or an input does not act linearly.
    MotionError
        If the motion is not one of the model, or a force is not known over all of it.
    DerivationError
        If there is no place of the name of a force.

    Examples
    --------
    >>> import freebody
    >>> from freebody.motion import posture_reach
    >>> reach = posture_reach({"alpha1": -1.5, "alpha2": 0.1}, {"alpha1": 0, "alpha2": 1.5}, 1)
    >>> found = freebody.inverse("two_link", reach)
    >>> found.data["terms"].sel(term="G", speed="alpha1_dot").values[0].round(3)
    np.float64(1.284)
    """
    given: dict[str, Any] = {"motion": motion, "forces": forces, "constants": constants}
    given |= {"inputs": inputs, "solve": list(solve), "backend": backend}
    result, terms, fitted = _inverse(mechanism(model), **given, progress=progress)
    known = result.mechanism.model
    if noise is not None:
        again = partial(_again, known, {**given, "motion": fitted})
        told = Noise.of(noise)
        result = with_noise(result, terms, fitted, told, progress, again, scheduler)
    if not tables:
        return result
    return with_tables(result, known, tables, partial(inverse, **given))


def _again(model: Model, given: Mapping[str, Any]) -> tuple[InverseDynamics, InverseTerms, Motion]:
    """Work a motion out where its noise is drawn."""
    return _inverse(mechanism(model), **given, progress=lambda _: None)


def _inverse(
    moving: Mechanism,
    motion: AnyMotion,
    forces: Any,
    constants: Mapping[str, float] | None,
    inputs: AnyInputs | None,
    solve: list[str],
    backend: str | None,
    progress: Progress,
) -> tuple[InverseDynamics, InverseTerms, Motion]:
    """Return the result, what worked it out, and the motion with its derivatives."""
    model, fitted = moving.model, _fitted(moving, motion)
    if isinstance(forces, str | Path):
        forces = read_external_loads(forces)
    known, _ = inputs_of(inputs, model, driving=False)
    whole, acting = with_applied_forces(moving, forces or {})
    problem = _problem(
        mechanism(whole) if acting else moving,
        constants or {},
        known,
        solve,
        backend or (fastest() if len(fitted.times) > FEW else "numpy"),
        acting,
    )
    terms, samples = InverseTerms(problem), fitted.samples(model)
    arrays = terms.along(samples, progress)
    result = ResultBuilder(moving, problem, fitted).result(arrays)
    notes = [*other_constants(motion, problem.values), *_far_away(terms, samples)]
    return replace(result, notes=(*notes, *result.notes)), terms, fitted


def _far_away(terms: InverseTerms, samples: Samples) -> Iterator[str]:
    """Iterate over notes on forces that act far from the bodies that they are given for."""
    few = slice(None, None, max(1, len(samples.times) // SOME))
    times, constants = samples.times[few], terms.problem.constants
    given = {"t": times, "q": samples.q[few], "constants": constants}
    for one in terms.problem.applied:
        center = call(terms.functions[f"position.{one.body}"], given)
        moves = terms.functions[f"jacobian.{one.body}"].code
        rows = np.array([not moves.is_zero(entry) for entry in moves.results])
        is_free = np.any(rows.reshape(moves.shape), axis=1)
        if (lever := one.lever(times, center, is_free)) > FARTHEST:
            yield (
                f"{one.force.source} acts {lever:.2g} m past the centre of mass of {one.body}, on "
                "an average: is it of another body, in other axes, or in another unit?"
            )


def _fitted(moving: Mechanism, motion: AnyMotion) -> Motion:
    """Return the motion of a model, with its derivatives."""
    fitted = motion_of(motion, moving)
    return fitted if "accelerations" in fitted.data else fitted.differentiated()


def other_constants(motion: AnyMotion, values: Mapping[str, float]) -> list[str]:
    """Return a note of the constants that a result was made with, and that are others here.

    Parameters
    ----------
    motion : Motion, Result, str or Path
    values : mapping of str to float
        The constants here.
    """
    made = motion.provenance["constants"] if isinstance(motion, Result) else {}
    changed = [
        f"{name} = {value:g} ({made[name]:g} there)"
        for name, value in values.items()
        if name in made and made[name] != value
    ]
    return (
        [f"other constants than the motion was made with: {', '.join(changed)}"] if changed else []
    )


def _problem(
    moving: Mechanism,
    constants: Mapping[str, float],
    inputs: Mapping[str, Any],
    solve: list[str],
    backend: str,
    acting: list[Any],
) -> InverseProblem:
    stand_ins = {*chain.from_iterable(one.inputs for one in acting)}
    own = [name for name in moving.model.inputs if name not in stand_ins]
    known, problems = constants_of(moving, constants)
    unknown, wrong = _unknown(moving, own, inputs, solve)
    sampled, given = split_inputs(inputs)
    kept = [name for name in own if name not in unknown and name not in sampled]
    laws, unread = laws_of(moving, given, kept)
    problems += [*wrong, *unread]
    if problems:
        raise InverseError("; ".join(problems))
    return InverseProblem(
        moving,
        backend,
        known,
        np.array([*known.values()]) if constants else None,
        acting,
        laws,
        sampled,
        unknown,
    )


def _unknown(
    moving: Mechanism, own: list[str], inputs: Mapping[str, Any], solve: list[str]
) -> tuple[list[str], list[str]]:
    """Return the inputs that are solved for, and what is wrong with those that are named."""
    problems = [
        absent("input", name, own) for name in dict.fromkeys([*solve, *inputs]) if name not in own
    ]
    problems += [f"input '{name}' is both given and solved for" for name in solve if name in inputs]
    acting = Functions(moving, "numpy")["actuation"].code.needed("inputs")
    return [n for n in own if n in solve or (n in acting and n not in inputs)], problems
