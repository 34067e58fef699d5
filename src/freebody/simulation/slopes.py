"""How the rates of a state change with it, for implicit methods."""

from __future__ import annotations

from itertools import chain

import numpy as np

from freebody.arrays import Array
from freebody.graph.code import Code
from freebody.graph.derivatives import derivatives
from freebody.simulation.dynamics import Dynamics


class Slopes:
    """The derivatives of the rates of a state by the state.

    Those of the power are left out: nothing else depends on the work.

    Parameters
    ----------
    dynamics : Dynamics
    """

    def __init__(self, dynamics: Dynamics) -> None:
        self.dynamics, self.n = dynamics, dynamics.n
        self._driven = len(dynamics.setup.inputs)
        joined = dynamics.joined()
        outputs = ["rhs/q", "rhs/u", *(["rhs/inputs"] if self._driven else [])]
        values = [value for name in outputs for value in joined.put(dynamics.output(name))]
        values += joined.put(_laws(dynamics))
        self._call = dynamics.bound(joined.code("slopes", (len(values),), values))

    def __call__(self, t: float, y: Array) -> Array:
        """Return the derivatives, shape (2 n + 1, 2 n + 1)."""
        n, driven = self.n, self._driven
        found = self._call(float(t), y[:n].copy(), y[n : 2 * n].copy())
        ends = np.cumsum([2 * n * n, 2 * n * n, 2 * n * driven])
        by_q, by_u, by_inputs, laws = np.split(found, ends)
        whole = np.zeros((2 * n + 1, 2 * n + 1))
        whole[: 2 * n, :n] = by_q.reshape(2 * n, n)
        whole[: 2 * n, n : 2 * n] = by_u.reshape(2 * n, n)
        followed = by_inputs.reshape(2 * n, driven) @ laws.reshape(driven, 2 * n)
        whole[: 2 * n, : 2 * n] += followed
        whole[~np.isfinite(whole)] = 0  # at the edge of a contact a power may have none
        return whole


def _laws(dynamics: Dynamics) -> Code:
    """Return the derivatives of the inputs by coordinates and speeds."""
    workspace = dynamics.workspace
    laws = workspace.graph.values(dynamics.setup.inputs.values())
    state = [*workspace.cells["q"], *workspace.cells["u"]]
    entries = list(chain(*derivatives(workspace.graph, laws, state)))
    return workspace.code("laws", entries)
