"""The terms of the equations of motion along a motion, a block of samples at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import sympy

from freebody.arrays import Array
from freebody.backends.compile import Functions
from freebody.backends.functions import Function, function
from freebody.errors import InverseError
from freebody.inverse_dynamics.forces import Applied
from freebody.mechanics.kinematics import PRESCRIBED, Kinematics
from freebody.mechanics.mechanism import Mechanism
from freebody.model.names import TIME
from freebody.motion.motion import Samples
from freebody.programs.workspace import Workspace
from freebody.results import TERMS
from freebody.simulation.constraints import RANK
from freebody.simulation.determinacy import Undetermined
from freebody.simulation.inputs import SampledInput

BLOCK = 16_384
"""How many samples are worked out at once, so that memory is bounded by the result."""

Progress = Callable[[float], None]
"""Is told the time reached, in s."""


@dataclass(frozen=True)
class InverseProblem:
    """What is worked out.

    Attributes
    ----------
    mechanism : Mechanism
        With the applied forces among its loads.
    backend : str
    values : mapping of str to float
        Of all constants.
    constants : array, optional
        The same, if they are not those of the model.
    applied : sequence of Applied
    laws : mapping of str to sympy.Expr
        The inputs that are known, as expressions.
    sampled : mapping of str to SampledInput
        The inputs that are known over time.
    unknown : sequence of str
        The inputs that are solved for.
    """

    mechanism: Mechanism
    backend: str
    values: Mapping[str, float]
    constants: Array | None
    applied: Sequence[Applied]
    laws: Mapping[str, sympy.Expr]
    sampled: Mapping[str, SampledInput]
    unknown: Sequence[str]


class InverseTerms:
    """The terms of a mechanism along a motion.

    Parameters
    ----------
    problem : InverseProblem
    """

    def __init__(self, problem: InverseProblem) -> None:
        self.problem, moving = problem, problem.mechanism
        self.functions = Functions(moving, problem.backend)
        self.inputs = list(moving.model.inputs)
        self.unknown = [self.inputs.index(name) for name in problem.unknown]
        self.n, self.m = len(moving.speeds), len(moving.multipliers)
        self._speeds = GeneralizedSpeeds(moving, problem.backend)
        self._joints = joint_speeds(moving, problem.backend)
        workspace, groups = Workspace(moving), ("t", "q", "u", "constants")
        laws = workspace.graph.values(problem.laws.values())
        self._laws = function(workspace, "laws", laws, groups, problem.backend)
        self._expect_linear()

    def along(self, samples: Samples, progress: Progress) -> dict[str, Array]:
        """Return all arrays over time.

        Parameters
        ----------
        samples : Samples
            Times, coordinates and their two derivatives.
        progress : callable
            Is told the time reached.

        Returns
        -------
        dict of str to array, shape (time, ...)
            The variables of `InverseDynamics`, and ``multipliers`` and ``left_over``, what is left
            of the constraints.
        """
        count, arrays = len(samples.times), dict[str, Array]()
        for start in range(0, count, BLOCK):
            block = slice(start, min(start + BLOCK, count))
            for name, part in self._block(Samples(*(array[block] for array in samples))):
                if name not in arrays:  # each entry along time, as the blocks are
                    empty = np.empty((*part.shape[1:], count), dtype=part.dtype)
                    arrays[name] = np.moveaxis(empty, -1, 0)
                arrays[name][block] = part
            progress(float(samples.times[block.stop - 1]))
        return arrays

    def _block(self, samples: Samples) -> Iterator[tuple[str, Array]]:
        given: dict[str, Any] = {"t": samples.times, "q": samples.q, "constants": None}
        given |= {"rates": samples.q_dot, "seconds": samples.q_ddot}
        if self.problem.constants is not None:
            given["constants"] = self.problem.constants
        given["u"], given["a"] = self._speeds(given)
        given["inputs"] = self._known_inputs(given)
        left = self._value("inverse_dynamics_terms", given)
        solution = self._solved(given, left)
        given["inputs"], given["multipliers"] = solution["inputs"], solution["forces"]
        reactions = self._reactions(given)
        joints = call(self._joints, given).reshape(reactions.shape)
        yield from (("speeds", given["u"]), ("accelerations", given["a"]))
        yield from (
            ("terms", solution["terms"]),
            ("generalized", solution["terms"][:, :4].sum(axis=1)),
        )
        own = np.einsum("tii->ti", self._value("mass_matrix", given)) * given["a"]
        yield "coupling", solution["terms"][:, 0] - own
        yield "inputs", solution["inputs"][:, : len(self.inputs) - 6 * len(self.problem.applied)]
        yield from (("residual", solution["residual"]), ("multipliers", solution["multipliers"]))
        power = np.einsum("tjc,tjc->tj", reactions, joints)
        yield from (("reaction_force", reactions[..., :3]), ("power", power))
        yield "reaction_moment", reactions[..., 3:]
        if self.m:
            left = self._value("constraint_residuals", given)
            yield "left_over", left.transpose(0, 2, 1)

    def _value(self, name: str, given: Mapping[str, Any]) -> Array:
        return call(self.functions[name], given)

    # ------------------------------------------------------------------ what is known

    def _known_inputs(self, given: Mapping[str, Any]) -> Array:
        """Return the inputs, those that are not known as zero."""
        times = given["t"]
        values = np.zeros((len(times), len(self.inputs)))
        if self.problem.laws:
            places = [self.inputs.index(name) for name in self.problem.laws]
            values[:, places] = call(self._laws, given)
        for name, samples in self.problem.sampled.items():
            values[:, self.inputs.index(name)] = samples(times)
        for one in self.problem.applied:
            places = [self.inputs.index(name) for name in one.inputs]
            at = (self._value(f"position.{place}", given) for place in (one.place, one.body))
            values[:, places] = one.values(times, *at)
        return values

    # ------------------------------------------------------------------ what is not

    def _solved(self, given: Mapping[str, Any], left: Array) -> dict[str, Array]:
        """Return inputs, residual, multipliers and all terms, from M u̇, C, G and E.

        What the unknowns do to E enters it, and what they do to τ enters that.
        """
        k, tau = len(self.unknown), self._value("actuation", given)
        acting, passive = (self._slopes(name, given) for name in ("actuation", "external"))
        columns = acting - passive
        if self.m:
            across = self._value("constraint_matrix", given).transpose(0, 2, 1)
            columns = np.broadcast_to(columns, (len(across), *columns.shape[1:]))
            columns = np.concatenate([columns, across], axis=-1)
        solution = solve_least_squares(columns, left.sum(axis=1) - tau)
        values = np.where(solution.determined, solution.values, np.nan)
        inputs = given["inputs"].copy()
        inputs[:, self.unknown] = values[:, :k]
        count = len(TERMS) if self.m else len(TERMS) - 1
        terms = np.moveaxis(np.empty((count, self.n, len(left))), -1, 0)
        terms[:, :4], terms[:, 4] = left, tau + _effect(acting, values[:, :k])
        terms[:, 3] += _effect(passive, values[:, :k])
        forces = values[:, k:]
        if self.problem.mechanism.is_redundant:  # what they do together is determined all the same
            known = solution.determined[:, :k].all(axis=1, keepdims=True)
            forces = np.where(known, solution.values[:, k:], np.nan)
        if self.m:
            terms[:, 5] = _effect(across, forces)
        return {
            "inputs": inputs,
            "residual": solution.residual,
            "multipliers": values[:, k:],
            "forces": forces,
            "terms": terms,
        }

    def _reactions(self, given: Mapping[str, Any]) -> Array:
        """Return the reactions; those are nan that redundant constraints leave open."""
        reactions = self._value("reactions", given)
        moving = self.problem.mechanism
        if not moving.is_redundant:
            return reactions
        J, forces = self._value("constraint_matrix", given), given["multipliers"]
        left_open = Undetermined.of(J, np.ones(self.m), len(moving.dependent)).reactions(
            lambda changed: self._value("reactions", {**given, "multipliers": changed}), forces
        )
        return np.where(left_open, np.nan, reactions)

    def _slopes(self, name: str, given: Mapping[str, Any]) -> Array:
        """Return the derivatives of generalized forces by the unknown inputs.

        The first axis has one entry where they are the same all the time.
        """
        if not {*self.functions[name].code.needed("inputs")} & {*self.problem.unknown}:
            return np.zeros((1, self.n, len(self.unknown)))
        slopes, varying = f"{name}/inputs", ("t", "q", "u", "inputs")
        if not any(map(self.functions[slopes].code.needed, varying)):
            given = {**given, **{group: given[group][:1] for group in varying}}
        return self._value(slopes, given)[..., self.unknown]

    def _expect_linear(self) -> None:
        """Refuse to solve for inputs that forces do not depend on linearly."""
        for name in ("actuation", "external"):
            if {*self.functions[name].code.needed("inputs")} & {*self.problem.unknown}:
                again = self.functions[f"{name}/inputs"].code.needed("inputs")
                for wrong in sorted({*again} & {*self.problem.unknown}):
                    raise InverseError(
                        f"input '{wrong}' does not act linearly, so that it cannot be solved for: "
                        f"expected its value, inputs={{'{wrong}': ...}}"
                    )


def _effect(slopes: Array, values: Array) -> Array:
    """Return what unknowns give along each speed; what is not a number acts where it acts alone."""
    if np.isfinite(values).all():
        return np.einsum("tnk,tk->tn", slopes, values)
    acting: Array = np.where(slopes == 0, 0.0, slopes * values[:, None, :]).sum(axis=-1)
    return acting


def call(function: Function, given: Mapping[str, Any]) -> Array:
    """Return what a function gives of the arguments that it takes, for every sample.

    Parameters
    ----------
    function : Function
    given : mapping of str to array
        Groups of arguments, among them ``q`` with a row for each sample.

    Returns
    -------
    array, shape (time, ...)
    """
    return np.broadcast_to(function.of(given), (len(given["q"]), *function.shape))


class GeneralizedSpeeds:
    """The generalized speeds and their derivatives, from the coordinates and theirs.

    Parameters
    ----------
    mechanism : Mechanism
    backend : str
        What works them out.
    """

    def __init__(self, mechanism: Mechanism, backend: str) -> None:
        self.n = len(mechanism.speeds)
        self._function = None
        if mechanism.model.speeds:
            self._function = _speeds(mechanism, backend)

    def __call__(self, given: Mapping[str, Any]) -> tuple[Array, Array]:
        """Return both, of ``t``, ``q``, ``rates``, ``seconds`` and ``constants``."""
        if self._function is None:
            return given["rates"], given["seconds"]
        both = call(self._function, given)
        return both[:, : self.n], both[:, self.n :]


def _speeds(mechanism: Mechanism, backend: str) -> Function:
    names = mechanism.names
    speeds = [mechanism.definitions[speed].xreplace(names.given) for speed in mechanism.speeds]
    rates = dict(zip(names.coordinates.values(), names.rates.values(), strict=True))
    moving = {q.diff(TIME): rate for q, rate in rates.items()}
    entries = [*speeds, *(speed.diff(TIME).xreplace(moving) for speed in speeds)]
    more = {"rates": rates.values(), "seconds": [rate.diff(TIME) for rate in rates.values()]}
    workspace, groups = Workspace(mechanism, more), ("t", "q", "rates", "seconds", "constants")
    return function(workspace, "speeds", workspace.graph.values(entries), groups, backend)


def joint_speeds(mechanism: Mechanism, backend: str) -> Function:
    """Return how the child of each joint slides and turns in its parent, joints x 6.

    In the ground frame: the function's values go with those of ``reactions``, entry by entry, and
    their scalar product is the power of the joint.
    """
    workspace = Workspace(mechanism)
    pairs = ((workspace.motion, joint) for joint in mechanism.joints)
    entries = chain.from_iterable(_joint_speed(*pair) for pair in pairs)
    return function(workspace, "joint_speeds", entries, ("t", "q", "u", "constants"), backend)


def _joint_speed(motion: Kinematics, joint: str) -> Iterable[Any]:
    slide, turn = motion.none, motion.none
    for step in motion.mechanism.joint_frames:
        if step == joint or step.rpartition(".")[0] == joint:
            for speed in (*motion.mechanism.speeds, PRESCRIBED):
                slides, turns = motion.step_partial(step, speed)
                value = motion.value(speed)
                slide, turn = slide + slides.times(value), turn + turns.times(value)
    return (*slide.parts, *turn.parts)


# ------------------------------------------------------------------ unknowns

FREE = 1e-12
"""How much of an unknown may be changed without an effect for it to count as determined: a part of
its square, so that others as large reach it with a millionth of theirs."""


class LeastSquaresSolution(NamedTuple):
    """Unknowns of least squares, and of least size.

    Attributes
    ----------
    values : array, shape (time, k)
    determined : array of bool, shape (time, k)
        Whether a value follows from the right-hand side alone.
    residual : array, shape (time, n)
        What the unknowns cannot give.
    """

    values: Array
    determined: Array
    residual: Array


def solve_least_squares(columns: Array, wanted: Array) -> LeastSquaresSolution:
    """Solve generalized forces for the unknowns that make them.

    Parameters
    ----------
    columns : array, shape (time, n, k) or (1, n, k)
        What a unit of each unknown gives.
    wanted : array, shape (time, n)

    Examples
    --------
    >>> columns = np.array([[[1.0, 1.0, 0.0], [0.0, 0.0, 2.0]]])
    >>> found = solve_least_squares(columns, np.array([[3.0, 4.0]]))
    >>> found.values.round(9).tolist(), found.determined.tolist()
    ([[1.5, 1.5, 2.0]], [[False, False, True]])
    """
    inverse, determined = _inverse(columns)
    if len(columns) == 1:
        values = wanted @ inverse[0].T
        given = values @ columns[0].T
    else:
        values = np.einsum("tkn,tn->tk", inverse, wanted)
        given = np.einsum("tnk,tk->tn", columns, values)
    return LeastSquaresSolution(values, np.broadcast_to(determined, values.shape), wanted - given)


def _inverse(columns: Array) -> tuple[Array, Array]:
    """Return the pseudo-inverse of each matrix, and which unknowns it determines."""
    k = columns.shape[-1]
    if k == 0:
        return np.swapaxes(columns, -1, -2), np.ones((len(columns), 0), dtype=bool)
    # a newton and a newton metre are no measure of each other: each unknown is scaled by its effect
    sizes = np.sqrt(np.sum(columns**2, axis=-2))
    scales = np.where(sizes > 0, sizes, 1.0)
    U, s, Vt = np.linalg.svd(columns / scales[:, None, :], full_matrices=False)
    kept = s > RANK * s.max(axis=-1, keepdims=True, initial=0.0)
    inverted = np.where(kept, 1 / np.where(kept, s, 1.0), 0.0)
    inverse = np.einsum("...ik,...i,...ni->...kn", Vt, inverted, U) / scales[:, :, None]
    known = np.einsum("...ik,...i->...k", Vt**2, kept.astype(float))
    return inverse, 1 - known < FREE
