"""What pictures and pages show: chains in one piece, nothing covered, nothing without a word."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from matplotlib.figure import Figure

import freebody
from conftest import OWN, SPREAD
from freebody.model import shipped
from freebody.muscles.hill import pushing
from freebody.reporting import written
from freebody.simulation.figures import _energy, segments

JOINTED = sorted({*shipped(), *OWN})


@pytest.mark.few(*SPREAD)
@pytest.mark.parametrize("name", JOINTED)
def test_a_chain_is_drawn_in_one_piece(name: str) -> None:
    """From each body a line goes to the joint of every body that it carries."""
    made = freebody.mechanism(OWN.get(name, name))
    drawn = set(segments(made))
    inner = {joint.child: joint.name for joint in made.model.joints}
    for joint in made.model.joints:
        if joint.parent in inner:
            assert (inner[joint.parent], joint.name) in drawn
    assert {start for start, _ in drawn} <= set(made.joints)


def test_the_drift_of_the_energy_covers_no_line() -> None:
    axes = Figure().subplots()
    run = freebody.simulate("pendulum", 0.2, unchecked=True)
    _energy(axes, run)
    assert not axes.texts
    legend = [text.get_text() for text in axes.get_legend().get_texts()]
    assert legend[-1].startswith("drift ")


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
