"""Body segment parameters: the tables, and the models that follow them."""

from __future__ import annotations

import pytest

from freebody.anthropometry import table, tables
from freebody.errors import ModelError, SegmentError
from freebody.model import Names, dumps, loads, schema

ARM = """
title = "arm"
gravity = [0, "-g", 0]

[segments]
table = "de_leva_1996"
sex = "female"
height = 1.70
mass = 58

[coordinates]
a1 = { title = "shoulder", unit = "rad" }
a2 = { title = "elbow", unit = "rad" }

[constants]
g = { title = "gravity", unit = "m/s**2", value = 9.81 }
m1 = { title = "upper-arm mass", unit = "kg" }

[[bodies]]
name = "upper_arm"
mass = "m1"
segment = "upper_arm"

[[bodies]]
name = "lower"
segment = "forearm"

[[joints]]
name = "shoulder"
type = "pin"
parent = "ground"
child = "upper_arm"
angle = "a1"

[[joints]]
name = "elbow"
type = "pin"
parent = "upper_arm"
at = ["upper_arm_length", 0, 0]
child = "lower"
angle = "a2"
"""
LOWER = 'segment = "forearm"'


def _values(text: str, name: str | None = None) -> dict[str, float]:
    return Names(loads(text, table=name)).values()


def _told(text: str) -> list[str]:
    with pytest.raises(ModelError) as raised:
        loads(text)
    return [str(problem) for problem in raised.value.problems]


def test_constants_follow_from_the_table() -> None:
    values = _values(ARM)
    length = 0.2751 / 1.735 * 1.70
    assert values["m1"] == pytest.approx(0.0255 * 58)
    assert values["upper_arm_length"] == pytest.approx(length)
    assert values["upper_arm_center_of_mass"] == pytest.approx(0.5754 * length)
    assert values["upper_arm_inertia_z"] == pytest.approx(0.0255 * 58 * (0.260 * length) ** 2)
    assert values["upper_arm_inertia_x"] == pytest.approx(0.0255 * 58 * (0.148 * length) ** 2)


def test_swapping_the_table_is_one_word() -> None:
    values = _values(ARM, "dempster_winter")
    assert values == _values(ARM.replace("de_leva_1996", "dempster_winter"))
    assert values["m1"] == pytest.approx(0.028 * 58)
    assert values["lower_inertia"] == pytest.approx(0.016 * 58 * (0.303 * 0.146 * 1.70) ** 2)


def test_every_number_knows_table_row_and_formula() -> None:
    source = loads(ARM).constants["lower_center_of_mass"].source
    assert source == (
        "de_leva_1996 (female), forearm from elbow_joint_center to wrist_joint_center: "
        "0.4559*lower_length"
    )


def test_a_saved_model_says_the_same_without_the_table() -> None:
    text = dumps(loads(ARM))
    assert "[segments]" not in text
    assert _values(text) == _values(ARM)


def test_the_direction_of_a_segment_in_its_body() -> None:
    text = ARM.replace(LOWER, 'segment = { name = "forearm", along = "-y", transverse = "z" }')
    lower = loads(text).bodies[1]
    assert lower.center_of_mass == (0, "-lower_center_of_mass", 0)
    values = _values(text)
    assert values["lower_inertia_y"] < 0.2 * values["lower_inertia_x"]
    assert values["lower_inertia_x"] == pytest.approx(_values(ARM)["lower_inertia_y"])


@pytest.mark.parametrize(
    ("segment", "length"),
    [
        ('length = 0.25, between = ["elbow_joint_center", "wrist_joint_center"]', 0.25),
        ('length = 0.25, between = ["elbow_joint_center", "radial_styloid"]', 0.25),
        ('length = 0.40, between = ["elbow_joint_center", "fingertip"]', 0.4 * 0.2643 / 0.4344),
        ('between = ["elbow_joint_center", "radial_styloid"]', 0.2624 / 1.735 * 1.70),
    ],
)
def test_a_measured_length_counts_between_its_landmarks(segment: str, length: float) -> None:
    text = ARM.replace(LOWER, f'segment = {{ name = "forearm", {segment} }}')
    assert _values(text)["lower_length"] == pytest.approx(length, rel=1e-5)


def test_the_row_of_these_landmarks_is_used() -> None:
    text = ARM.replace(
        LOWER,
        'segment = { name = "forearm", between = ["elbow_joint_center", "radial_styloid"] }',
    )
    assert "0.4592*" in str(loads(text).constants["lower_center_of_mass"].value)


def test_a_conversion_is_told() -> None:
    text = ARM.replace(
        LOWER,
        'segment = { name = "forearm_and_hand", length = "0.253*1.70", '
        'between = ["elbow_joint_center", "fingertip"] }',
    )
    model = loads(text, table="dempster_winter")
    source = str(model.constants["lower_length"].source)
    assert "0.146/0.254*(0.253*1.70)" in source
    assert "measured from elbow_joint_center to fingertip, converted" in source
    # what it would be if fractions of elbow to styloid were applied to elbow to fingertip
    right = Names(model).values()["lower_center_of_mass"]
    assert 0.682 * 0.253 * 1.70 - right == pytest.approx(0.125, abs=1e-3)


def test_a_segment_may_be_looked_at_from_its_other_end() -> None:
    text = ARM.replace(
        LOWER, 'segment = { name = "trunk", between = ["mid_hip", "suprasternale"] }'
    )
    constant = loads(text).constants["lower_center_of_mass"]
    assert constant.value == "0.5849*lower_length"  # 1 - 0.4151
    assert "trunk from mid_hip to suprasternale" in str(constant.source)


def test_a_segment_that_is_measured_from_no_joint_must_say_where_it_starts() -> None:
    text = ARM.replace(LOWER, 'segment = "foot"')
    assert _told(text)[0].startswith(
        "bodies[1].segment: 'de_leva_1996' measures 'foot' from heel to toe_tip: expected 'between'"
    )
    loads(text.replace('"foot"', '{ name = "foot", between = ["heel", "toe_tip"] }'))
    loads(text.replace('"foot"', '"foot"\ncenter_of_mass = [0.05, -0.03, 0]'))


def test_forearm_and_hand_are_one_straight_body() -> None:
    found = table("de_leva_1996")
    forearm, hand, both = (
        found.row(name).fractions["male"] for name in ("forearm", "hand", "forearm_and_hand")
    )
    assert found.row("forearm_and_hand").between == ("elbow_joint_center", "metacarpale_iii")
    assert both.mass == pytest.approx(0.0162 + 0.0061)
    assert both.length == pytest.approx(0.2689 + 0.0862)
    at = (0.4574 * 0.2689, 0.2689 + 0.7900 * 0.0862)
    center = (forearm.mass * at[0] + hand.mass * at[1]) / both.mass
    assert both.center_of_mass * both.length == pytest.approx(center, rel=1e-5)
    about_elbow = forearm.mass * ((0.265 * 0.2689) ** 2 + at[0] ** 2) + hand.mass * (
        (0.513 * 0.0862) ** 2 + at[1] ** 2
    )
    radius = (both.transverse or 0) * both.length
    assert both.mass * (radius**2 + center**2) == pytest.approx(about_elbow, rel=1e-5)


@pytest.mark.parametrize("name", ["dempster_winter", "de_leva_1996"])
def test_the_arm_of_the_notes_follows_either_table(name: str) -> None:
    text = ARM.replace(LOWER, 'segment = "forearm_and_hand"')
    values = _values(text, name)
    assert values["lower_mass"] == pytest.approx(0.0205 * 58, rel=0.08)
    # Winter's fractions go beyond the wrist, where the centre of mass is
    assert values["lower_center_of_mass"] == pytest.approx(0.168, abs=0.015)


def test_what_the_wrong_landmarks_cost() -> None:
    notes = 0.253 * 1.70
    text = ARM.replace("mass = 58", "mass = 70").replace(
        LOWER,
        f'segment = {{ name = "forearm_and_hand", length = {notes}, '
        'between = ["elbow_joint_center", "fingertip"] }',
    )
    right = _values(text, "dempster_winter")
    mass, center = right["lower_mass"], right["lower_center_of_mass"]
    assert mass * 9.81 * center == pytest.approx(2.5, abs=0.05)
    assert mass * 9.81 * 0.682 * notes == pytest.approx(4.4, abs=0.05)
    about_elbow = right["lower_inertia"] + mass * center**2
    assert about_elbow == pytest.approx(0.064, abs=5e-4)
    assert mass * notes**2 * (0.682**2 + 0.468**2) == pytest.approx(0.195, abs=5e-4)


SIDES = """
[each]
side = { values = ["left", "right"], mirrored = ["right"], normal = "z" }
"""


def test_both_sides_follow_the_table() -> None:
    text = ARM.replace("[segments]", f"{SIDES}\n[segments]").replace(
        'name = "lower"', 'name = "lower_{side}"'
    )
    text = text.replace('name = "elbow"', 'name = "elbow_{side}"').replace(
        'child = "lower"', 'child = "lower_{side}"'
    )
    text = text.replace("a2 = {", '"a2_{side}" = {').replace('"a2"', '"a2_{side}"')
    values = _values(text)
    assert values["lower_left_mass"] == values["lower_right_mass"] == pytest.approx(0.0138 * 58)
    assert _told(text.replace(LOWER, 'segment = "forarm"'))[0].startswith("bodies[1].segment:")


def test_what_the_file_says_itself_stays() -> None:
    text = ARM.replace(LOWER, f"{LOWER}\nmass = 2\ncenter_of_mass = [0.1, 0.01, 0]")
    lower = loads(text).bodies[1]
    assert lower.mass == 2
    assert lower.center_of_mass == (0.1, 0.01, 0)
    assert loads(text).constants["lower_inertia_z"].value == "lower_mass*(0.257*lower_length)**2"
    assert _values(text)["lower_mass"] == 2


def test_the_body_may_be_given_by_constants() -> None:
    text = ARM.replace("mass = 58", 'mass = "M"').replace(
        "[constants]", '[constants]\nM = { title = "body", unit = "kg", value = 60 }'
    )
    assert _values(text)["m1"] == pytest.approx(0.0255 * 60)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "de_leva_1996",
            "de_lev_1996",
            "segments.table: there is no table 'de_lev_1996'; did you mean 'de_leva_1996'?",
        ),
        (
            'sex = "female"',
            "",
            "segments.sex: expected 'female' or 'male', which 'de_leva_1996' tells apart",
        ),
        ("height = 1.70", "", "bodies[0].segment: its length follows from the height"),
        ("mass = 58", "", "segments.mass: is missing"),
        (LOWER, 'segment = "forarm"', "bodies[1].segment: 'de_leva_1996' has no segment 'forarm'"),
        (
            LOWER,
            'segment = { name = "forearm", length = 0.25 }',
            "bodies[1].segment: expected 'between' with 'length'",
        ),
        (
            LOWER,
            'segment = { name = "forearm", length = 1, between = ["elbow_joint_center", "ear"] }',
            "bodies[1].segment: 'de_leva_1996' has no landmark 'ear'; it measures 'forearm' from",
        ),
        (
            LOWER,
            'segment = { name = "forearm", between = ["elbow_joint_centre", "ulnar_styloid"] }',
            "bodies[1].segment: 'de_leva_1996' has no landmark 'elbow_joint_centre'; did you mean",
        ),
        (
            LOWER,
            'segment = { name = "forearm", length = -0.25 }',
            "bodies[1].segment.length: expected more than 0 and at most 3 m, found -0.25",
        ),
        (
            "height = 1.70",
            "height = 170",
            "segments.height: expected more than 0 and at most 3 m, found 170",
        ),
        (
            LOWER,
            'segment = { name = "forearm", lngth = 1 }',
            "bodies[1].segment.lngth: unknown key",
        ),
        (
            LOWER,
            'segment = { name = "forearm", along = "z" }',
            "bodies[1].segment: expected 'along' and 'transverse' along two axes",
        ),
        ("de_leva_1996", "dumas_2007", "bodies[0].segment: 'dumas_2007' has no length"),
    ],
)
def test_mistakes_are_told(old: str, new: str, told: str) -> None:
    assert _told(ARM.replace(old, new))[0].startswith(told)


def test_all_mistakes_are_told_at_once() -> None:
    told = _told(ARM.replace(LOWER, 'segment = "forarm"').replace('angle = "a2"', 'angle = "a22"'))
    assert [line.split(":")[0] for line in told] == [
        "bodies[1].segment",
        "joints[1].angle",
    ]


@pytest.mark.parametrize("name", ['{ name = "lower" }', "3", '"lower arm"', '"{0}"'])
def test_a_body_without_a_proper_name_is_told_once(name: str) -> None:
    text = ARM.replace('name = "lower"', f"name = {name}")
    assert [told.split(":")[0] for told in _told(text)] == ["bodies[1].name"]


def test_everything_follows_the_body_in_a_simulation() -> None:
    heavier = Names(loads(ARM)).values({"body_mass": 116})
    values = _values(ARM)
    assert heavier["lower_inertia_z"] == pytest.approx(2 * values["lower_inertia_z"])
    assert heavier["lower_length"] == values["lower_length"]


OWN = '''segment = { name = "forearm", length = "L2" }
mass = "m2"
center_of_mass = ["d2", 0, 0]
inertia = "I2"'''
NAMES = """[constants]
m2 = { title = "forearm mass", unit = "kg" }
d2 = { title = "elbow to centre of mass", unit = "m" }
L2 = { title = "forearm length", unit = "m" }
I2 = { title = "moment of inertia", unit = "kg*m**2" }
"""


def test_names_of_ones_own_are_given_their_values() -> None:
    values = _values(ARM.replace(LOWER, OWN).replace("[constants]", NAMES))
    length = 0.2643 / 1.735 * 1.70
    found = [values[name] for name in ("m2", "L2", "d2", "I2")]
    mass = 0.0138 * 58
    expected = [mass, length, 0.4559 * length, mass * (0.257 * length) ** 2]
    assert found == pytest.approx(expected)
    assert "lower_mass" not in values


def test_names_that_would_mean_two_things_are_told() -> None:
    text = ARM.replace(LOWER, OWN.replace("m2", "m1")).replace("[constants]", NAMES)
    (told,) = [told for told in _told(text) if told.startswith("constants.m1")]
    assert "follows from two segments, as 0.0255*body_mass and as 0.0138*body_mass" in told
    text = ARM.replace(LOWER, OWN.replace('"d2", 0, 0', '0, "-d2", 0')).replace(
        "[constants]", NAMES
    )
    assert _told(text)[0] == (
        "bodies[1].segment: its centre of mass '-d2' is not where 'along' = 'x' is"
    )


def test_a_length_with_a_value_needs_landmarks() -> None:
    constant = 'lower_length = { title = "", unit = "m", value = 0.3 }'
    told = _told(ARM.replace("[constants]", f"[constants]\n{constant}"))
    assert told[0].startswith("constants.lower_length: expected it as 'length' of its segment")


def test_a_table_without_radii_asks_for_an_inertia() -> None:
    text = ARM.replace("de_leva_1996", "dempster_winter").replace(LOWER, 'segment = "trunk"')
    assert "has no radius of gyration of 'trunk'" in _told(text)[0]
    assert loads(text.replace('"trunk"', '"trunk"\ninertia = 1')).bodies[1].inertia == 1


@pytest.mark.parametrize("name", tables())
def test_tables_are_whole(name: str) -> None:
    found = table(name)
    assert found.source
    assert found.checked
    for row in found.rows:
        assert set(row.between) <= found.landmarks.keys()
        for sex, part in row.fractions.items():
            assert sex in (found.sexes or ("all",))
            assert 0 < part.mass < 1
            assert 0 < part.center_of_mass <= 1
            if part.sagittal and part.transverse and part.longitudinal:
                squares = sorted(r * r for r in (part.sagittal, part.transverse, part.longitudinal))
                assert squares[2] < squares[0] + squares[1]


@pytest.mark.parametrize("sex", ["female", "male"])
def test_the_segments_of_de_leva_make_a_body(sex: str) -> None:
    once, twice = ("head", "trunk"), ("upper_arm", "forearm", "hand", "thigh", "shank", "foot")
    found = table("de_leva_1996")
    mass = {name: found.row(name).fractions[sex].mass for name in (*once, *twice)}
    whole = sum(mass[name] for name in once) + 2 * sum(mass[name] for name in twice)
    assert whole == pytest.approx(1, abs=1e-3)
    parts = sum(
        found.row(f"{part}_trunk").fractions[sex].mass for part in ("upper", "middle", "lower")
    )
    assert parts == pytest.approx(mass["trunk"], abs=2e-4)


@pytest.mark.parametrize("sex", ["female", "male"])
def test_rows_of_one_segment_tell_of_the_same_matter(sex: str) -> None:
    found = table("de_leva_1996")
    for row in found.rows:
        first, part = found.row(row.segment).fractions[sex], row.fractions[sex]
        assert part.mass == first.mass
        assert part.length
        assert first.length
        if row.segment in ("forearm", "hand", "shank"):
            radius = (part.transverse or 0) * part.length
            assert radius == pytest.approx((first.transverse or 0) * first.length, rel=0.01)


def test_the_parts_of_winters_arm_make_the_whole() -> None:
    found = table("dempster_winter")
    arm, *parts = (
        found.row(name).fractions["all"].mass
        for name in ("total_arm", "upper_arm", "forearm", "hand")
    )
    assert sum(parts) == pytest.approx(arm)


def test_an_unknown_table_is_told() -> None:
    with pytest.raises(SegmentError, match="did you mean 'dumas_2007'"):
        table("dumas_2008")


def test_the_schema_knows_segments() -> None:
    assert "segments" in schema()["properties"]
    assert "segment" in schema()["$defs"]["FileBody"]["properties"]
