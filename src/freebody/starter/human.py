"""Models of the human body, put together of limbs: what people of the field start from."""

from __future__ import annotations

import re
from importlib import resources
from typing import Literal, get_args

from freebody.errors import ArgumentError, absent

Body = Literal["arm", "leg", "trunk_and_legs", "whole"]
Plane = Literal["sagittal", "space"]
Sex = Literal["female", "male"]

TABLE = "de_leva_1996"
"""The table that has all segments of the body, between the centres of its joints."""
LIMBS: dict[Body, tuple[str, ...]] = {
    "arm": ("arm",),
    "leg": ("hip", "leg"),
    "trunk_and_legs": ("trunk", "hanging_arm", "leg"),
    "whole": ("trunk", "arm", "leg"),
}
"""Of what bodies are made, parents first."""
TITLES: dict[Body, str] = {
    "arm": "a right arm that hangs from the shoulder",
    "leg": "a right leg, whose hip moves with the trunk",
    "trunk_and_legs": "head, arms and trunk, and two legs",
    "whole": "head, trunk, two arms and two legs",
}
MUSCLED: dict[str, tuple[str, ...]] = {
    "arm": ("shoulder", "elbow"),
    "leg": ("hip", "knee", "ankle"),
}
"""The joints of a limb that muscles move in place of moments, in the sagittal plane."""
MUSCLES = {
    "arm": """\
Six muscles of an arm in a plane, after Nijhof and Kouwenhoven (2000), Kistemaker, Wong and Gribble
(2010) and Codol et al. (2024). Their plane is horizontal: lengths are taken as
equal where the arm points straight ahead, as it can in both. The wrist keeps its moment.""",
    "leg": """\
Eight muscle groups of a leg in the sagittal plane, after Gerritsen et al. (1998),
and Ackermann and van den Bogert (2010): moment arms do not depend on the posture.""",
}
"""Where the muscles of a limb are from."""
MUSCLED_LIKE = """\
Numbers of muscles are of the sources' own adults and do not follow [segments]; curves of fibres and
tendons are those of De Groote et al. (2016), on rigid tendons."""
TABLES = ("coordinates", "inputs", "constants")
COMMON = """\
height    = { title = "height of the person", unit = "m", value = 1.75 }
body_mass = { title = "mass of the person", unit = "kg", value = 70 }
g         = { title = "gravitational acceleration", unit = "m/s**2", value = 9.81 }
"""
SEGMENTS = """\
[segments]
table  = "{table}"
sex    = "{sex}"
height = "height"
mass   = "body_mass"
"""
SIDES = """\
[each]                                 # written for the right side; the left is its mirror image
side = { values = ["right", "left"], mirrored = ["left"], normal = "z" }
"""
CONVENTIONS: dict[Plane, str] = {
    "sagittal": """\
x points forward, y up. All angles are zero where the body stands upright; flexed is positive.""",
    "space": """\
Axes and angles after the International Society of Biomechanics (Wu et al. 2002, 2005): x points
forward, y up, z to the right. All angles are zero where the body stands with the palms forward. A
hip turns about z, x and y (flexion, adduction, inward rotation), a shoulder about y, x and y (plane
of elevation, elevation, inward rotation), elbow and forearm about z and y, wrist and ankle about z
and x.""",
}


def human(
    name: str, body: Body, plane: Plane, segments: str, sex: Sex, *, muscles: bool = False
) -> str:
    """Return the text of a model of the human body, or of a part of it.

    Parameters
    ----------
    name : str
        What its title begins with.
    body : {"arm", "leg", "trunk_and_legs", "whole"}
    plane : {"sagittal", "space"}
        Whether it moves in the sagittal plane or in space.
    segments : str
        The table of body segment parameters that it follows.
    sex : {"female", "male"}
        Whose segments.
    muscles : bool, optional
        Whether muscles move arms and legs, in place of moments of joints; in the plane alone.

    Raises
    ------
    ArgumentError
        If there is no such body, plane or sex, or there are no muscles for it.

    Examples
    --------
    >>> from freebody.model import loads
    >>> model = loads(human("me", "leg", "sagittal", "de_leva_1996", "female"))
    >>> list(model.coordinates)
    ['hip_x', 'hip_y', 'hip', 'knee', 'ankle']
    """
    for what, value, known in (("body", body, Body), ("plane", plane, Plane), ("sex", sex, Sex)):
        _expect(what, value, get_args(known))
    if muscles and plane != "sagittal":
        raise ArgumentError(
            "muscles: there is a published set for arms and legs in the sagittal plane alone; in "
            "space a model of OpenSim brings its own, as 'freebody import model.osim' reads them"
        )
    moved = [part for part in LIMBS[body] if muscles and part in MUSCLED]
    parts = [_limb(f"{part}.{plane}") for part in LIMBS[body]]
    parts = [
        _muscled(limb, part) if part in moved else limb
        for part, limb in zip(LIMBS[body], parts, strict=True)
    ]
    is_alone = "trunk" not in LIMBS[body]
    tables = {head: [part[head] for part in parts if head in part] for head in TABLES}
    tables["constants"].append(COMMON)
    message = "\n".join((CONVENTIONS[plane], *(MUSCLES[part] for part in moved)))
    message += f"\n{MUSCLED_LIKE}" if moved else ""
    sections = [
        f"# {name}: {TITLES[body]}.\n{_comment(message)}",
        f'title   = "{name}: {TITLES[body]}"\ngravity = [0, "-g", 0]\n',
        SEGMENTS.format(table=segments, sex=sex),
        "" if is_alone else SIDES,
        *("\n".join((f"[{head}]", *tables[head])) for head in TABLES),
        *(part[""] for part in parts),
    ]
    text = "\n".join(section.strip() + "\n" for section in sections if section)
    return _of_one_side(text, body) if is_alone else text


def _expect(what: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ArgumentError(absent(what, value, known))


def _limb(name: str) -> dict[str, str]:
    """Return the tables of a limb by their heads, and what follows them by an empty one."""
    file = resources.files(__package__).joinpath("limbs", f"{name}.toml")
    text = file.read_text(encoding="utf-8")
    head, *rest = re.split(r"(?m)^(?=\[\[)", text, maxsplit=1)
    tables = re.split(r"(?m)^\[(\w+)\].*\n", head)[1:]
    lines = (table.strip() + "\n" for table in tables[1::2])
    return {"": "".join(rest), **dict(zip(tables[::2], lines, strict=True))}


def _muscled(limb: dict[str, str], name: str) -> dict[str, str]:
    """Return a limb that muscles move, and what is passive at its joints."""
    muscles, joints = _limb(f"{name}.sagittal.muscles"), "|".join(MUSCLED[name])
    moment = rf'(?m)^"T_({joints})_{{side}}".*\n|^torque = "-?T_({joints})_{{side}}"\n'
    return {
        head: re.sub(moment, "", text).strip() + ("\n" if head else "\n\n") + muscles.get(head, "")
        for head, text in limb.items()
    }


def _comment(text: str) -> str:
    return "".join(f"# {line}\n" for line in text.splitlines())


def _of_one_side(text: str, body: str) -> str:
    """Return a limb that is written for both sides of a trunk as one on its own."""
    carrier = "ground" if body == "arm" else "pelvis"
    text = re.sub(r'parent = "trunk"\n(at = .*\n)?', f'parent = "{carrier}"\n', text)
    return text.replace("_{side}", "").replace("{side} ", "").replace("an upper", "the upper")
