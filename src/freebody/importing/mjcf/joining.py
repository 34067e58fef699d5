"""What holds bodies of MJCF together beside their joints: points that meet, and welds."""

from __future__ import annotations

import numpy as np

from freebody.errors import nearest
from freebody.importing.closing import Positions
from freebody.importing.description import Body, Closure, Description, Freedom
from freebody.importing.elements import Element, shown
from freebody.importing.placing import Pose, of_quaternion
from freebody.model.marks import GROUND

_DUST = 1e-9
"""The largest entry of a turn that is none, in rad."""


class Places:
    """Where bodies and sites are, by their names in the file."""

    def __init__(self) -> None:
        self.bodies: dict[str, str] = {"world": GROUND}
        self.sites: dict[str, tuple[str, Pose]] = {}

    def body(self, element: Element, attribute: str) -> str:
        """Return the body that an attribute names; the world where it names none."""
        name = element.get(attribute) or "world"
        if name not in self.bodies:
            element.refuse(f"{attribute}: no body '{shown(name)}'{nearest(name, self.bodies)}")
        return self.bodies[name]

    def site(self, element: Element, attribute: str) -> tuple[str, Pose]:
        """Return the body and the frame of the site that an attribute names."""
        name = element.need(attribute)
        if name not in self.sites:
            element.refuse(f"{attribute}: no site '{shown(name)}'{nearest(name, self.sites)}")
        return self.sites[name]


def connect(description: Description, element: Element, places: Places, number: int) -> None:
    """Add two points that stay together.

    Parameters
    ----------
    description : Description
    element : Element
    places : Places
    number : int
        Of the equality in the file, for one without a name.
    """
    name = element.get("name") or f"equality_{number}"
    part = description.names.force(name)
    if element.get("site1") is not None:
        (on, at), (second, end) = (places.site(element, site) for site in ("site1", "site2"))
        one, other = (on, at.origin), (second, end.origin)
    else:
        drawn = Positions(description, {}).poses
        on, second = places.body(element, "body1"), places.body(element, "body2")
        one = on, element.numbers("anchor", 3)
        other = second, drawn[second].inverse().place(drawn[on].place(one[1]))
    if one[0] == other[0]:
        element.refuse("expected places of two bodies, found one body")
    description.closures.append(Closure(part, (one, other)))
    kept_exactly(description, element, name)


def weld(description: Description, element: Element, places: Places, number: int) -> None:
    """Add two bodies that stay as they are against each other, or as they are said to.

    Parameters
    ----------
    description : Description
    element : Element
    places : Places
    number : int
        Of the equality in the file, for one without a name.
    """
    name = element.get("name") or f"equality_{number}"
    ends = [_carried(description, on, pose) for on, pose in _welded(description, element, places)]
    if ends[0][0] == ends[1][0]:
        description.note("left", f"weld '{name}' of two parts of one body", element.line)
        return
    if ends[1][0] == GROUND:
        ends.reverse()
    (to, first), (on, second) = ends
    part = description.names.force(name)
    turned = description.names.force(f"{name}_turn")
    if np.abs(first.rotation - second.rotation).max() > _DUST:
        # a frame of the first body, which has the axes of the second where they are welded
        frame = description.names.made_part(f"{name}_frame")
        own = first.then(Pose(second.rotation.T))
        freedom = Freedom("weld", description.names.made_part(f"{name}_fixed"), ())
        description.bodies[frame] = Body(frame, to, own, freedoms=[freedom], is_frame=True)
        to, first = frame, Pose()
    places_of = (to, first.origin), (on, second.origin)
    description.closures.append(Closure(part, places_of))
    description.closures.append(Closure(turned, places_of, turns=True))
    kept_exactly(description, element, name)


def _welded(description: Description, element: Element, places: Places) -> list[tuple[str, Pose]]:
    """Return the frames that a weld holds together, each of a body."""
    if element.get("site1") is not None:
        return [places.site(element, site) for site in ("site1", "site2")]
    one, other = places.body(element, "body1"), places.body(element, "body2")
    anchor = Pose(origin=element.numbers("anchor", 3, np.zeros(3)))
    relative = element.numbers("relpose", 7, np.zeros(7))
    if relative[3:].any():  # its place is that of the anchor, not of the body
        return [(one, Pose(of_quaternion(relative[3:]), relative[:3])), (other, anchor)]
    drawn = Positions(description, {}).poses
    return [(one, drawn[one].inverse().then(drawn[other]).then(anchor)), (other, anchor)]


def _carried(description: Description, on: str, pose: Pose) -> tuple[str, Pose]:
    """Return a frame in what moves it: the body of which its own is a part."""
    while on != GROUND and not description.bodies[on].freedoms:
        body = description.bodies[on]
        on, pose = body.parent, body.pose.then(pose)
    return on, pose


def kept_exactly(description: Description, element: Element, name: str) -> None:
    """Tell that an equality is a constraint here."""
    message = f"equality '{name}' is kept exactly, which is a stiff spring in MuJoCo"
    description.note("approximated", message, element.line)
