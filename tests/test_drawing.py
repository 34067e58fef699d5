"""Mechanisms are drawn as they are: outlines, planes, volumes, muscles, panels and films."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import freebody
from freebody.drawing.canvas import MOMENT, Canvas
from freebody.drawing.instants import Instants
from freebody.drawing.outline import Patch, flat, patches, spatial
from freebody.drawing.painter import Painter, upward
from freebody.drawing.paths import path
from freebody.drawing.posture import Posture
from freebody.drawing.scene import Scene, Solid
from freebody.drawing.view import _packed
from freebody.errors import ArgumentError
from freebody.explaining.pictures.model import model_figure
from freebody.files import FileError

SAMPLE = """
title = "One body"
gravity = [0, "-g", 0]
[coordinates]
q = { title = "angle", unit = "rad", initial = 0.4 }
[constants]
g = { title = "gravity", unit = "m/s**2", value = 9.81 }
[[bodies]]
name = "part"
mass = 2
center_of_mass = [0.5, 0, 0]
inertia = [BODY]
SHAPE
[[joints]]
name = "hinge"
type = "pin"
parent = "ground"
child = "part"
angle = "q"
"""


@pytest.fixture(scope="module")
def run() -> freebody.Simulation:
    return freebody.simulate("two_link", duration=0.2, step=0.05)


def painter(name: str) -> Painter:
    moving = freebody.mechanism(name)
    posture = Posture(moving, None)
    coordinates = np.array([[posture.coordinates[one] for one in moving.names.coordinates]])
    return Painter(moving, posture.values, coordinates, np.zeros(1))


def one_solid(folder: Path, inertia: str, shape: str = "") -> Solid:
    file = folder / "one.toml"
    shape = f'shape = "{shape}"' if shape else ""
    file.write_text(SAMPLE.replace("BODY", inertia).replace("SHAPE", shape), encoding="utf-8")
    return Scene(freebody.mechanism(file), {"g": 9.81}).solids[0]


# ---------------------------------------------------------------------- solids


def test_a_body_has_the_volume_of_its_inertia(tmp_path: Path) -> None:
    a, b, c = 0.5, 0.2, 0.1
    moments = (2 / 5 * (b * b + c * c), 2 / 5 * (a * a + c * c), 2 / 5 * (a * a + b * b))
    solid = one_solid(tmp_path, ", ".join(map(str, moments)))
    assert solid.kind == "ellipsoid"
    assert solid.half == pytest.approx([a, b, c])
    assert solid.center == pytest.approx([0.5, 0, 0])


def test_a_block_has_the_volume_of_its_inertia(tmp_path: Path) -> None:
    a, b, c = 0.5, 0.2, 0.1  # half sides
    moments = (2 / 3 * (b * b + c * c), 2 / 3 * (a * a + c * c), 2 / 3 * (a * a + b * b))
    solid = one_solid(tmp_path, ", ".join(map(str, moments)), "box")
    assert solid.kind == "box"
    assert solid.half == pytest.approx([a, b, c])


def test_a_shape_that_is_wanted_is_drawn(tmp_path: Path) -> None:
    solid = one_solid(tmp_path, "0.01, 0.2, 0.2", "capsule")
    assert solid.kind == "capsule"
    assert solid.half[0] == pytest.approx(0.25)
    assert one_solid(tmp_path, "0.01, 0.2, 0.2", "ball").kind == "ball"
    with pytest.raises(freebody.ModelError, match="shape"):
        one_solid(tmp_path, "0.01, 0.2, 0.2", "pyramid")


def test_what_rolls_is_as_large_as_it_rolls() -> None:
    assert [one.half[0] for one in painter("rolling_disc").scene.of("disc")] == [0.3]


# ---------------------------------------------------------------------- on paper


def test_a_ball_is_seen_as_a_circle_from_everywhere() -> None:
    ball = Solid("ball", "part", np.zeros(3), np.eye(3), np.full(3, 0.7))
    for view in (flat(0, 1), flat(1, 2), spatial(1), spatial(2)):
        (seen,) = patches(ball, np.ones(3), np.eye(3), view)
        away = np.hypot(*(seen.points - view.on_paper(np.ones(3))).T)
        assert away == pytest.approx(0.7)


@pytest.mark.parametrize("up", [0, 1, 2])
@pytest.mark.parametrize("sign", [1, -1])
def test_up_is_up_and_nothing_is_mirrored(up: int, sign: int) -> None:
    view = spatial(up, sign)
    assert view.rows[up, 0] == pytest.approx(0)
    assert sign * view.rows[up, 1] > 0
    assert sign * view.towards[up] > 0
    right, above = view.rows.T
    assert np.cross(right, above) == pytest.approx(view.towards)


def test_what_is_up_is_what_a_weight_falls_away_from() -> None:
    falling = Path(__file__).parents[1] / "models" / "gallery" / "bicycle"
    assert upward(freebody.mechanism(falling)) == (2, -1)
    assert upward(freebody.mechanism("furuta_pendulum")) == (2, 1)
    assert upward(freebody.mechanism("cart_pendulum")) == (1, 1)


def test_a_box_shows_the_faces_that_look_at_the_eye() -> None:
    box = Solid("box", "part", np.zeros(3), np.eye(3), np.array([3.0, 2, 1]))
    assert len(patches(box, np.zeros(3), np.eye(3), flat(0, 1))) == 1
    assert len(patches(box, np.zeros(3), np.eye(3), spatial(2))) == 3


@pytest.mark.parametrize(
    ("name", "is_flat"),
    [("walker", True), ("cart_pendulum", True), ("furuta_pendulum", False), ("arm_3d", False)],
)
def test_what_moves_in_a_plane_is_drawn_in_it(name: str, is_flat: bool) -> None:
    view = painter(name).view
    assert int(np.count_nonzero(view.rows) == 2) == is_flat


def test_every_body_is_within_the_picture() -> None:
    from matplotlib.figure import Figure

    one = painter("arm_3d")
    axes = Figure().add_subplot()
    one.frame(axes)
    one.paint(axes, 0)
    low, high = one.limits()
    for patch in axes.patches:
        corners = patch.get_path().vertices if patch.get_path().vertices is not None else []
        if len(corners) > 10:
            assert np.all(np.asarray(corners) >= low - 1e-9) or patch.__class__.__name__ == "Circle"
    assert len(axes.patches) >= len(one.scene.bodies)
    assert np.all(high > low)


# ---------------------------------------------------------------------- muscles

ROUND = """
title = "A muscle about a pulley"
gravity = [0, "-g", 0]
[coordinates]
q = { title = "angle", unit = "rad", initial = 0.3 }
[inputs]
F = { title = "tension", unit = "N", value = 1 }
[constants]
g = { title = "gravity", unit = "m/s**2", value = 9.81 }
[[bodies]]
name = "link"
mass = 1
center_of_mass = [0, -0.3, 0]
[[joints]]
name = "hinge"
type = "pin"
parent = "ground"
child = "link"
angle = "q"
[[muscles]]
name = "m"
tension = "F"
path = [
    { on = "ground", at = [0.05, 0.4, 0] },
    { around = "ground", radius = 0.05, turn = "clockwise" },
    { on = "link", at = [0.05, -0.2, 0.1] },
]
"""


@pytest.mark.exhaustive
def test_a_muscle_is_drawn_as_long_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "round.toml").write_text(ROUND, encoding="utf-8")
    moving = freebody.mechanism(tmp_path / "round.toml")
    angles = np.linspace(-2.5, 2.5, 11)
    scene, instants = (
        Scene(moving, {"g": 9.81}),
        Instants(moving, {"g": 9.81}, angles[:, None], np.zeros(11)),
    )
    way = path(scene.links[0], scene, instants)
    drawn = np.linalg.norm(np.diff(way, axis=1), axis=2).sum(axis=1)
    derived = instants.motion.value(moving.muscles[0].length)
    assert drawn == pytest.approx(derived, rel=2e-3)


ROLLS = SAMPLE.replace('angle = "q"', 'motion = [{ along = [1, 0, 0], by = "roll(q)" }]').replace(
    'type = "pin"', 'type = "custom"'
)
TABLE = """
[functions.roll]
title = "roll"
argument = "rad"
unit = "m"
kind = "natural"
x = [-1, 0, 1]
y = [0.3, 0, 0.2]
[[bodies]]"""


def test_functions_by_table_are_drawn(tmp_path: Path) -> None:
    text = ROLLS.replace("[[bodies]]", TABLE).replace("BODY", "1, 1, 1").replace("SHAPE", "")
    (tmp_path / "rolls.toml").write_text(text, encoding="utf-8")
    moving = freebody.mechanism(tmp_path / "rolls.toml")
    angles = np.array([[-1.0], [0.0], [1.0]])
    instants = Instants(moving, {"g": 9.81}, angles, np.zeros(3))
    assert instants.origin("part")[:, 0] == pytest.approx([0.3, 0, 0.2])


# ---------------------------------------------------------------------- panels and films


def test_panels_are_drawn_as_they_are_asked_for(run: freebody.Simulation, tmp_path: Path) -> None:
    wanted = ["torques", "phase:alpha1", "terms:alpha2", "position:tip", "speeds"]
    figure = run.figure(wanted, width=8.6)
    assert figure.get_size_inches()[0] == pytest.approx(8.6 / 2.54)
    words = [(axes.get_xlabel(), axes.get_ylabel()) for axes in figure.axes]
    assert words[1] == (r"$\alpha_{1}$ [rad]", r"$\dot{\alpha}_{1}$ [rad/s]")
    assert "[N m]" in words[0][1]
    run.plot(tmp_path / "run.svg", ["energy"], width=8.6)
    assert (tmp_path / "run.svg").stat().st_size > 1000


def test_what_differs_between_runs_is_told(run: freebody.Simulation) -> None:
    value = run.provenance["constants"]["d2"]
    other = freebody.simulate("two_link", duration=0.2, step=0.05, constants={"d2": 0.1})
    figure = run.figure(["coordinates"], beside=[other])
    (legend,) = figure.legends
    told = [one.get_text() for one in legend.get_texts()]
    assert told == [f"$d_{{2}}$ = {value:.4g}", "$d_{2}$ = 0.1"]
    assert len(figure.axes[0].lines) == 4


@pytest.mark.parametrize(
    ("panel", "message"),
    [
        ("torque", "expected coordinates.*found 'torque'; did you mean 'torques'"),
        ("phase:alpha3", r"expected a coordinate \(alpha1, alpha2\), found 'alpha3'"),
        ("constraints", "the model has no forces of constraints"),
    ],
)
def test_what_cannot_be_drawn_is_told(run: freebody.Simulation, panel: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        run.figure([panel])


@pytest.mark.exhaustive
def test_a_film_is_as_large_as_it_is_asked_for(run: freebody.Simulation, tmp_path: Path) -> None:
    from PIL import Image

    run.animate(tmp_path / "run.gif", size=(200, 120))
    with Image.open(tmp_path / "run.gif") as picture:
        assert picture.size == (200, 120)
    run.animate(tmp_path / "run.mp4", size=(100, 100))
    assert (tmp_path / "run.mp4").read_bytes()[4:8] == b"ftyp"
    with pytest.raises(ArgumentError, match="size: expected width and height"):
        run.animate(tmp_path / "run.gif", size=(2, 2))
    with pytest.raises(FileError, match=r"\.gif or \.mp4"):
        run.animate(tmp_path / "run.png")


# ---------------------------------------------------------------------- in space


def test_a_page_plays_the_motion_without_a_network(
    run: freebody.Simulation, tmp_path: Path
) -> None:
    run.view(tmp_path / "run.html")
    text = (tmp_path / "run.html").read_text("utf-8")
    assert len(text) < 500_000
    assert not re.search(r"""(?:src|href)=|@import|url\(|fetch\(""", text)
    data = json.loads(re.search(r"const motion = (.*);\n", text)[1])  # type: ignore[index]
    assert data["times"] == pytest.approx(run.data["time"].to_numpy())
    assert [one["name"] for one in data["panels"][0]["series"]] == ["α₁", "α₂"]
    frame = np.frombuffer(b64decode(data["frames"][1]), "<f4").reshape(-1, 7)
    elbow = run.data["position"].sel(point="joint2").to_numpy()
    assert frame[:, :3] == pytest.approx(elbow, abs=1e-6)
    turned = run.data["coordinates"].sum("coordinate").to_numpy()
    assert 2 * np.arctan2(frame[:, 5], frame[:, 6]) == pytest.approx(turned, abs=1e-6)
    with pytest.raises(FileError, match=r"\.html"):
        run.view(tmp_path / "run.htm")


def test_libraries_are_packed_with_their_licence() -> None:
    for name in ("three.module.min.js", "OrbitControls.js"):
        text = gzip.decompress(b64decode(_packed(name))).decode()
        assert "The MIT License" in text
        assert "three.js authors" in text


def test_a_label_keeps_off_the_long_edges_of_a_body() -> None:
    box = np.array([[0, 0], [4, 0], [4, 1], [0, 1.0]])
    canvas = Canvas(box)
    canvas.solid([Patch(box, 1.0)], is_line=False)
    canvas.label("F", np.array([1.7, 1.0]), np.array([1.0, 0.0]))
    canvas.number("3", np.array([[0.5, 0.5], [3.5, 0.5]]))
    canvas.line(np.array([[2, -1], [2, 2]]))
    canvas.finished()
    name, number = (np.array(text.get_position()) for text in canvas.axes.texts)
    assert abs(name[1] - 1) > 0.1
    assert number[1] == pytest.approx(0.5)  # along the body, aside of what crosses its middle
    assert 0.1 < abs(number[0] - 2) < 1


def test_turns_about_one_point_are_drawn_around_each_other() -> None:
    figure = model_figure(freebody.load("gimbal_rotor"))
    axes, renderer = figure.axes[0], figure.canvas.get_renderer()
    moments = [one.get_xydata() for one in axes.lines if one.get_color() == MOMENT]
    sizes = sorted(float(np.ptp(np.asarray(one), axis=0).max()) for one in moments)
    assert len(sizes) == 3
    assert np.diff(sizes).min() > 0.2 * sizes[0]
    boxes = [text.get_window_extent(renderer).shrunk(0.9, 0.9) for text in axes.texts]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
