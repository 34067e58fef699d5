"""What is left of an equation of a page: left minus right, row by row."""

from __future__ import annotations

from dataclasses import replace

from freebody.algebra import Form
from freebody.checking.grid import Grid, MeaningError
from freebody.checking.introduced import bare
from freebody.checking.meaning.pairs import APPROXIMATIONS, pairs
from freebody.consistency.letters import Letter
from freebody.consistency.meanings.values import Values
from freebody.consistency.meanings.views import View
from freebody.documents.latex import Relation
from freebody.documents.latex.tree import Name


def residuals(view: View, relation: Relation) -> list[Form]:
    r"""Return left minus right of an equation, by its rows.

    A letter that nothing says anything of is a column where the other side is one, as ``\tau``.

    Raises
    ------
    MeaningError
        If it has no meaning by the page alone.
    """
    if relation.relation in APPROXIMATIONS:
        relation = replace(relation, relation="=")
    try:
        found = pairs(Values(view), relation)
    except MeaningError:
        view.grids = _columns(view, relation)
        if not view.grids:
            raise
        found = pairs(Values(view), relation)
    return [pair.left - pair.right for pair in found]


def _columns(view: View, relation: Relation) -> dict[str, Grid]:
    """Return the letter that is a side and stands for a column, if one does, with its entries."""
    for side, other in (relation.left, relation.right), (relation.right, relation.left):
        if isinstance(side, Name) and view.definition(Letter(bare(side.key), side.dots)) is None:
            rows, columns = Values(view).value(other).shape
            if columns == 1:
                key = bare(side.key)
                link = "" if "_" in key else "_"
                names = (f"{key}{link}{row + 1}" for row in range(rows))
                return {key: Grid.made([view.letters.form(Letter(one, 0))] for one in names)}
    return {}
