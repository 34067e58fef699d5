"""Models of OpenSim: what is imported against OpenSim itself, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody
from freebody.importing import Imported, import_model
from imported import ask_opensim


def _body(name: str, mass: float, more: str = "") -> str:
    return f"""<Body name="{name}"><mass>{mass}</mass><mass_center>0.02 -0.2 0.01</mass_center>
    <inertia>0.1 0.05 0.12 0.01 -0.02 0.005</inertia>
    <attached_geometry><Mesh name="{name}_geometry"/></attached_geometry>{more}</Body>"""


def _frames(parent: str, child: str, at: str, turned: str = "0 0 0") -> str:
    return f"""<frames>
    <PhysicalOffsetFrame name="outer"><socket_parent>{parent}</socket_parent>
      <translation>{at}</translation><orientation>{turned}</orientation></PhysicalOffsetFrame>
    <PhysicalOffsetFrame name="inner"><socket_parent>{child}</socket_parent>
      <translation>0 0.03 0</translation><orientation>0 0 0.2</orientation></PhysicalOffsetFrame>
    </frames><socket_parent_frame>outer</socket_parent_frame>
    <socket_child_frame>inner</socket_child_frame>"""


def _axis(name: str, axis: str, function: str, coordinates: str = "") -> str:
    return f"""<TransformAxis name="{name}"><coordinates>{coordinates}</coordinates>
    <axis>{axis}</axis>{function}</TransformAxis>"""


def _coordinate(name: str, more: str = "") -> str:
    return f"""<Coordinate name="{name}"><default_value>0.1</default_value>
    <range>-1.5 1.2</range><clamped>true</clamped>{more}</Coordinate>"""


def _point(name: str, body: str, at: str, kind: str = "PathPoint", more: str = "") -> str:
    return f"""<{kind} name="{name}"><socket_parent_frame>/bodyset/{body}</socket_parent_frame>
    <location>{at}</location>{more}</{kind}>"""


def _muscle(name: str, points: str, wraps: str = "") -> str:
    return f"""<Thelen2003Muscle name="{name}"><GeometryPath name="path">
    <PathPointSet><objects>{points}</objects></PathPointSet>
    <PathWrapSet><objects>{wraps}</objects></PathWrapSet></GeometryPath>
    <max_isometric_force>900</max_isometric_force><optimal_fiber_length>0.1</optimal_fiber_length>
    <tendon_slack_length>0.2</tendon_slack_length></Thelen2003Muscle>"""


LINE = "<LinearFunction><coefficients>1 0</coefficients></LinearFunction>"
NOTHING = "<Constant><value>0</value></Constant>"
SPLINE = "<SimmSpline><x>-2 -1 -0.3 0.4 1.5</x><y>-0.02 0.004 0.01 0.002 -0.03</y></SimmSpline>"
CYLINDER = """<WrapObjectSet><objects><WrapCylinder name="roll"><active>true</active>
    <xyz_body_rotation>0 0 0</xyz_body_rotation><translation>0.01 -0.4 0</translation>
    <quadrant>x</quadrant><radius>0.03</radius><length>1</length></WrapCylinder>
    <WrapEllipsoid name="bulge"><translation>5 5 5</translation>
    <dimensions>0.01 0.01 0.01</dimensions></WrapEllipsoid></objects></WrapObjectSet>"""
MOVING = "".join(
    f"<socket_{axis}_coordinate>/jointset/knee/knee_bend</socket_{axis}_coordinate>"
    f"<{axis}_location>{function}</{axis}_location>"
    for axis, function in zip(
        "xyz", (SPLINE, "<Constant><value>-0.1</value></Constant>", SPLINE), strict=True
    )
)
DURING = """<socket_coordinate>/jointset/hip/hip-flex</socket_coordinate>
    <range>-0.4 0.3</range>"""
HIP = (
    _axis("rotation1", "0 0 1", LINE, "hip-flex")
    + _axis("rotation2", "1 2 0", LINE.replace("1 0<", "-1 0.1<"), "hip_turn")
    + _axis("rotation3", "0 1 0", "<Constant><value>0.3</value></Constant>")
    + _axis("translation1", "1 0 0", LINE, "hip_slide")
    + _axis("translation2", "0 1 0", NOTHING)
    + _axis("translation3", "0 0 1", NOTHING)
)
KNEE = (
    _axis("rotation1", "0 0 1", LINE, "knee_bend")
    + _axis(
        "rotation2",
        "1 0 0",
        "<PolynomialFunction><coefficients>0.2 -0.1 0 0.05</coefficients></PolynomialFunction>",
        "knee_bend",
    )
    + _axis("rotation3", "0 1 0", NOTHING)
    + _axis("translation1", "1 0 0", SPLINE, "knee_bend")
    + _axis(
        "translation2",
        "0 1 1",
        f"<MultiplierFunction><function>{SPLINE}</function><scale>0.7</scale></MultiplierFunction>",
        "knee_bend",
    )
    + _axis("translation3", "0 0 1", NOTHING)
)
JOINTS = f"""
<CustomJoint name="hip">{_frames("/ground", "/bodyset/thigh", "0.1 1 0", "0.2 0 0.1")}
  <coordinates>{"".join(map(_coordinate, ("hip-flex", "hip_turn", "hip_slide")))}</coordinates>
  <SpatialTransform>{HIP}</SpatialTransform></CustomJoint>
<CustomJoint name="knee">{_frames("/bodyset/thigh", "/bodyset/shank", "0 -0.4 0")}
  <coordinates>{_coordinate("knee_bend")}</coordinates>
  <SpatialTransform>{KNEE}</SpatialTransform></CustomJoint>
<PinJoint name="cap">{_frames("/bodyset/thigh", "/bodyset/patella", "0.05 -0.38 0")}
  <coordinates>{_coordinate("patella_turn")}</coordinates></PinJoint>
<WeldJoint name="sole">{_frames("/bodyset/shank", "/bodyset/foot", "0 -0.4 0", "0 0 1")}</WeldJoint>
<UniversalJoint name="toe_joint">{_frames("/bodyset/foot", "/bodyset/toe", "0.1 0 0")}
  <coordinates>{_coordinate("toe_a")}{_coordinate("toe_b", "<locked>true</locked>")}</coordinates>
  </UniversalJoint>
"""
FORCES = (
    _muscle(
        "straight",
        _point("s1", "thigh", "0.05 0 0")
        + _point("s2", "thigh", "0.06 -0.3 0.01", "ConditionalPathPoint", DURING)
        + _point("s3", "shank", "0.03 -0.1 0", "MovingPathPoint", MOVING)
        + _point("s4", "foot", "0 -0.02 0"),
    )
    + _muscle(
        "bent",
        _point("b1", "thigh", "0.08 -0.2 0.01") + _point("b2", "shank", "0.07 -0.2 0.02"),
        '<PathWrap name="w"><wrap_object>roll</wrap_object><range>-1 -1</range></PathWrap>'
        '<PathWrap name="v"><wrap_object>bulge</wrap_object></PathWrap>',
    )
    + """<CoordinateActuator name="drive"><coordinate>knee_bend</coordinate>
    <optimal_force>20</optimal_force></CoordinateActuator>
    <CoordinateLimitForce name="limit"><coordinate>knee_bend</coordinate></CoordinateLimitForce>"""
)
LEG = f"""<?xml version="1.0" encoding="UTF-8"?>
<OpenSimDocument Version="40000"><Model name="leg"><gravity>0 -9.8 0</gravity>
<BodySet><objects>{_body("thigh", 7, CYLINDER)}{_body("shank", 3)}{_body("patella", 0.1)}
{_body("foot", 1)}{_body("toe", 0.2)}</objects></BodySet>
<JointSet><objects>{JOINTS}</objects></JointSet>
<ConstraintSet><objects><CoordinateCouplerConstraint name="patella_turn">
  <coupled_coordinates_function>{SPLINE}</coupled_coordinates_function>
  <independent_coordinate_names>knee_bend</independent_coordinate_names>
  <dependent_coordinate_name>patella_turn</dependent_coordinate_name><scale_factor>2</scale_factor>
</CoordinateCouplerConstraint></objects></ConstraintSet>
<ForceSet><objects>{FORCES}</objects></ForceSet>
<MarkerSet><objects><Marker name="heel">
  <socket_parent_frame>/bodyset/foot</socket_parent_frame><location>-0.05 0 0</location>
</Marker></objects></MarkerSet>
</Model></OpenSimDocument>
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("opensim") / "leg.osim"
    file.write_text(LEG)
    return file


@pytest.fixture(scope="module")
def leg(file: Path) -> Imported:
    return import_model(file)


@pytest.fixture(scope="module")
def functions(leg: Imported) -> Any:
    return freebody.compile(leg.model, backend="numpy")


POSTURES = (
    [0.2, -0.5, 0.1, -0.7, 0.3, 0.4, -0.2],
    [-0.9, 0.3, -0.2, 0.6, -0.5, 0.1, 0.7],
    [0.6, 0.1, 0.3, -1.2, 0.1, -0.3, 0.2],
)


@pytest.mark.exhaustive
def test_a_leg_moves_and_its_muscles_run_as_in_opensim(
    file: Path, leg: Imported, functions: Any
) -> None:
    random = np.random.default_rng(2)
    states = [(np.array(q), random.uniform(-1, 1, 7)) for q in POSTURES]
    answers = ask_opensim(file, list(leg.model.coordinates), states)
    for (q, u), expected in zip(states, answers, strict=True):
        lengths, arms = expected.pop("lengths"), expected.pop("arms")
        M = functions.mass_matrix(q)
        bias = functions.bias(q, u) + functions.gravity(q)
        found = {"mass_matrix": M, "bias": bias, "accelerations": -np.linalg.solve(M, bias)}
        for name, array in expected.items():
            np.testing.assert_allclose(found[name], array, atol=1e-11 * np.abs(array).max())
        np.testing.assert_allclose(functions.muscle_lengths(q), lengths, atol=1e-9)
        pulls = functions.moment_arms(q)
        np.testing.assert_allclose(pulls[:, 0], arms[:, 0], atol=1e-10)
        np.testing.assert_allclose(pulls[:, 1], arms[:, 1], atol=1e-6)  # whose cylinder is rounded


KINDS = {"FreeJoint": 6, "BallJoint": 3, "UniversalJoint": 2, "GimbalJoint": 3, "PlanarJoint": 3}


def _joint(kind: str, parent: str, child: str) -> str:
    names = [f"{child}_{letter}" for letter in "abcdef"[: KINDS[kind]]]
    return f"""<{kind} name="{kind}">{_frames(parent, child, "0.1 -0.3 0.05", "0.2 -0.1 0.4")}
    <coordinates>{"".join(map(_coordinate, names))}</coordinates></{kind}>"""


@pytest.mark.exhaustive
def test_joints_of_every_kind_move_as_in_opensim(tmp_path: Path) -> None:
    bodies = [kind.removesuffix("Joint").lower() for kind in KINDS]
    parents = ["/ground", *(f"/bodyset/{body}" for body in bodies)]
    joints = map(_joint, KINDS, parents, (f"/bodyset/{body}" for body in bodies))
    file = tmp_path / "chain.osim"
    file.write_text(
        f"""<OpenSimDocument Version="40000"><Model name="chain"><gravity>1 -9 2</gravity><BodySet>
        <objects>{"".join(_body(body, 1.5) for body in bodies)}</objects></BodySet><JointSet>
        <objects>{"".join(joints).replace('name="/bodyset/', 'name="')}</objects></JointSet></Model>
        </OpenSimDocument>"""
    )
    model = import_model(file).model
    functions = freebody.compile(model, backend="numpy")
    q, u = np.random.default_rng(3).uniform(-1, 1, (2, len(model.coordinates)))
    (expected,) = ask_opensim(file, list(model.coordinates), [(q, u)])
    M, bias = functions.mass_matrix(q), functions.bias(q, u) + functions.gravity(q)
    np.testing.assert_allclose(M, expected["mass_matrix"], atol=1e-11)
    np.testing.assert_allclose(bias, expected["bias"], atol=1e-8)  # of differences in time


def test_a_leg_is_readable(leg: Imported) -> None:
    model = leg.model
    assert list(model.coordinates) == [
        *("hip_flex", "hip_turn", "hip_slide", "knee_bend", "patella_turn", "toe_a", "toe_b")
    ]
    assert model.coordinates["knee_bend"].title == "knee_bend, from -1.5 to 1.2 rad"
    assert [joint.type for joint in model.joints] == [
        *("custom", "custom", "pin", "custom", "custom")
    ]
    assert {"m_shank", "p_knee_y", "knee_translation1", "F0_drive"} <= {
        *model.constants,
        *model.functions,
    }
    assert [constraint.dependent for constraint in model.constraints] == [
        ("toe_b",),
        ("patella_turn",),
    ]
    assert [point.name for point in model.points] == ["heel", "foot"]
    assert model.muscles[0].path[1].during.of == "hip_flex"
    assert model.muscles[1].path[1].turn == "clockwise"


def test_what_is_taken_and_left_is_told(leg: Imported) -> None:
    told = " / ".join(f"{note.kind} {note.what}" for note in leg.notes)
    for part in (
        "renamed 'hip-flex' is 'hip_flex'",
        "renamed 'patella_turn' is 'patella_turn_constraint'",
        "merged 'foot' is fixed to 'shank', and part of it",
        "taken 'toe_b' is locked by constraint 'toe_b_lock'",
        "'bent' about 'roll' bends between its points 1 and 2, clockwise",
        "left path of muscle 'bent' about 'bulge', a WrapEllipsoid",
        "2 × muscle, with the curves of De Groote et al. (2016)",
        "left CoordinateLimitForce 'limit': the equations are without it",
        "left 5 × picture of a body",
        "7 × range that clamps",
    ):
        assert part in told


BAD = {
    "old": (LEG.replace("40000", "30000"), "open the model in OpenSim 4 and save it"),
    "a body": (LEG.replace("/bodyset/shank", "/bodyset/shnk"), "did you mean 'shank'?"),
    "a coordinate": (LEG.replace(">knee_bend<", ">knee_band<", 1), "did you mean 'knee_bend'?"),
    "a joint": (LEG.replace("PinJoint", "PinJont"), "did you mean 'PinJoint'?"),
    "a constraint": (
        LEG.replace("CoordinateCouplerConstraint", "PointConstraint"),
        '<PointConstraint name="patella_turn">: is not read',
    ),
    "a function": (LEG.replace("SimmSpline", "SineWave"), "expected a function"),
    "points": (LEG.replace("<x>-2 -1", "<x>-2 -3"), "which grow"),
    "axes": (LEG.replace("<axis>0 0 1</axis>", "<axis>0 0 0</axis>"), "expected a direction"),
    "numbers": (LEG.replace("<mass>7<", "<mass>7 kg<"), "mass: expected a finite number"),
    "no joint": (LEG.replace(JOINTS.partition("<WeldJoint")[0], ""), "expected a joint that"),
    "a surface": (LEG.replace(">roll<", ">rol<"), "no surface 'rol'"),
    "a model": (LEG.replace("Model>", "Modell>").replace("<Model ", "<Modell "), "one <Model>"),
    "a bomb": ('<!DOCTYPE m [<!ENTITY a "b">]><OpenSimDocument/>', "a <!DOCTYPE> declares"),
}


@pytest.mark.parametrize("kind", BAD)
def test_what_cannot_be_read_is_refused(tmp_path: Path, kind: str) -> None:
    text, told = BAD[kind]
    (tmp_path / "bad.osim").write_text(text)
    with pytest.raises(freebody.ModelError) as refused:
        import_model(tmp_path / "bad.osim")
    assert told in str(refused.value)
    assert "line " in str(refused.value)
