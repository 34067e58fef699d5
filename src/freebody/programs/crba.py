"""The composite rigid body algorithm (CRBA): the mass matrix, a column for each freedom.

References
----------
Featherstone, Rigid Body Dynamics Algorithms, 2008, section 6.2.
"""

from __future__ import annotations

from freebody.graph.cells import Cell
from freebody.mechanics.balances import Wrench
from freebody.mechanics.parts import Triple
from freebody.programs.rnea import Rnea
from freebody.programs.spatial import Inertia


def crba(rnea: Rnea) -> list[list[Cell]]:
    """Return the mass matrix H of the freedoms of the links, symmetric.

    Its column j holds the forces along the freedoms for a unit acceleration of freedom j, while
    nothing else moves: what the composite body of link j and all that it carries needs.
    """
    composite, freedoms = _composite(rnea), range(len(rnea.links))
    H = [[rnea.zero] * len(freedoms) for _ in freedoms]
    for j in freedoms:
        wrench = _unit(rnea, composite[j], j)
        i = j
        while i >= 0:
            link = rnea.links[i]
            H[i][j] = H[j][i] = rnea.effort(link, wrench)
            wrench, i = rnea.wrench_on_parent(link, wrench), link.parent
    return H


def _unit(rnea: Rnea, inertia: Inertia, number: int) -> Wrench:
    """Return the wrench on a composite body for a unit acceleration of its link's freedom."""
    link = rnea.links[number]
    axis = link.axis_in_link
    if link.freedom == "slide":
        return Wrench(axis.times(rnea.masses[number]), inertia.first.cross(axis))
    moment = Triple.made(row.dot(axis) for row in inertia.second)
    return Wrench(axis.cross(inertia.first), moment)


def _composite(rnea: Rnea) -> list[Inertia]:
    """Return each link with all that turns with it, of what it carries, as one body."""
    bodies = list(rnea.augmented)
    for number, link in rnea.children_first():
        if link.parent >= 0 and not rnea.is_free(link):
            bodies[link.parent] = bodies[link.parent] + _carried(rnea, number, bodies[number])
    return bodies


def _carried(rnea: Rnea, number: int, inertia: Inertia) -> Inertia:
    """Return what a link adds to its parent, but for the mass that it has there already."""
    link = rnea.links[number]
    for rotation in (link.after, link.about, link.before):
        inertia = inertia.turned(rotation)
    mass = rnea.masses[number] if link.freedom == "slide" else rnea.loose[number]
    return Inertia(mass, inertia.first, inertia.second).moved(link.arm)
