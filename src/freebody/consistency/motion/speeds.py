r"""The letters that move by laws of the first order, as speeds do: :math:`J\dot\omega = M`."""

from __future__ import annotations

from freebody.algebra import Form
from freebody.checking.introduced import bare
from freebody.consistency.energy_names import ENERGIES
from freebody.consistency.letters import Letter, bare_of_font, letters_of
from freebody.consistency.motion.equations import Equations
from freebody.documents.latex.tree import Name, Partial, TimeDerivative


def speeds(equations: Equations) -> set[str]:
    """Return the letters whose first rates are accelerations, and have no second ones.

    All equations are linear in their rates, as those of a coordinate are not that has energies.
    """
    statements = equations.statements
    found = statements.of_first_order() - _differentiated_by(equations)
    found = {key for key in found if bare_of_font(key) not in ENERGIES}
    for one in statements.all:
        is_of_rates = any(isinstance(node, TimeDerivative) for node in one.nodes)
        if is_of_rates or not found.isdisjoint(one.moved(1)):
            for form in equations.forms(one):
                found -= {key for key in found if not _is_of_first_order(equations, form, key)}
    return found


def _is_of_first_order(equations: Equations, form: Form, key: str) -> bool:
    """Return whether a letter has no second rate in an equation that is linear in its first."""
    letters = equations.letters
    inside = letters_of(letters, form)
    if any(one.key == key and one.dots > 1 for one in inside):
        return False
    rate = Letter(key, 1)
    return rate not in inside or rate not in letters_of(letters, letters.slope(form, rate))


def _differentiated_by(equations: Equations) -> set[str]:
    r"""Return the letters by whose rates something is differentiated.

    As by those of coordinates: ``\partial L/\partial\dot q``.
    """
    nodes = (node for one in equations.statements.all for node in one.nodes)
    names = (name for node in nodes if isinstance(node, Partial) for name in node.with_respect_to)
    return {bare(name.key) for name in names if isinstance(name, Name) and name.dots}
