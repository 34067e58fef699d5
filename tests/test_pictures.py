"""What pictures and pages show: chains in one piece, nothing covered, nothing without a word."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import freebody
from conftest import OWN, SPREAD
from freebody.drawing.scene import Scene, Solid
from freebody.model import shipped
from freebody.muscles.hill import pushing
from freebody.reporting import written

JOINTED = sorted({*shipped(), *OWN})


@pytest.mark.few(*SPREAD)
@pytest.mark.parametrize("name", JOINTED)
def test_a_chain_is_drawn_in_one_piece(name: str) -> None:
    """In each body something reaches from its joint to the joints of the bodies that it carries."""
    made = freebody.mechanism(OWN.get(name, name))
    scene = Scene(made, dict.fromkeys(made.model.constants, 1.0) | made.names.values())
    for joint in made.model.joints:
        if joint.parent == "ground":
            continue
        start, at = scene.start(joint.parent), scene.components(joint.at)
        if np.linalg.norm(at - start) > 1e-9:
            assert any(reaches(solid, at) for solid in scene.of(joint.parent))
            assert any(reaches(solid, start) for solid in scene.of(joint.parent))


def reaches(solid: Solid, point: np.ndarray) -> bool:
    """Whether a point is in a solid, or where a line ends."""
    own = (point - solid.center) @ solid.axes
    if solid.kind in ("capsule", "line"):
        along = abs(own[0]) <= solid.half[0] * (1 + 1e-9)
        return bool(along and np.hypot(own[1], own[2]) <= solid.half[1] + 1e-9)
    return bool(np.linalg.norm(own / solid.half) <= np.sqrt(3) + 1e-9)


def test_the_drift_of_the_energy_covers_no_line() -> None:
    run = freebody.simulate("pendulum", 0.2, unchecked=True)
    energy = next(axes for axes in run.figure().axes if axes.get_ylabel().startswith("energy"))
    (told,) = energy.texts
    assert told.get_text().startswith("energy drift ")
    assert told.xy[1] > 1  # above the axes
    assert told.xycoords == "axes fraction"


def tensions(least: float) -> xr.Dataset:
    values = np.array([[10.0, least], [20.0, 1.0]])
    coords = {"muscle": ["flexor", "long_extensor"], "time": [0.0, 1.0]}
    return xr.Dataset({"tension": (("time", "muscle"), values)}, coords=coords)


def test_negative_tensions_are_told_in_words() -> None:
    told = pushing(tensions(-13.7))
    assert "long extensor −13.7 N" in told
    assert "damping" in told
    assert " flexor" not in told
    assert pushing(tensions(0.0)) == ""


def test_the_picture_and_the_notes_of_muscles_tell_negative_tensions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    titles: list[str] = []
    monkeypatch.setattr("matplotlib.axes.Axes.set_title", lambda _, text, **__: titles.append(text))
    run = freebody.excite("two_link_muscles", {"elbow_flexor": 0.3}, 0.2)
    run.plot(tmp_path / "muscles.png")
    told = pushing(run.data)
    assert told
    assert told in run.notes
    assert any(" ".join(title.split()) == told for title in titles)


def test_a_page_brings_its_own_font_for_formulas() -> None:
    page = written(freebody.check("pendulum"), "html")
    assert page.count('@font-face { font-family: "freebody math"; src: url("data:font/woff2') == 1
    assert 'font-family: "freebody math", math' in page
    assert "http" not in page.partition("<body>")[0]
