from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import freebody
from freebody.algebra import Ring
from freebody.cli import main
from freebody.files import FileError
from freebody.mechanics import agreement
from freebody.mechanics.derivation import METHODS
from freebody.model import loads
from freebody.model.review import remarks
from freebody.motion import posture_reach
from freebody.starter import texts, write_folder
from freebody.starter.human import LIMBS, human

BODIES = [(body, plane) for body in LIMBS for plane in ("sagittal", "space")]


def test_the_starter_checks_and_simulates_as_it_stands(tmp_path: Path) -> None:
    write_folder(tmp_path / "mybody", texts("mybody"))
    report = freebody.check(tmp_path / "mybody")
    assert [document.counts() for document in report.documents] == [{"holds": 5}]
    assert freebody.simulate(tmp_path / "mybody", duration=1).energy_drift < 1e-8


@pytest.mark.parametrize("name", ["a b", 'x"\n', "é", "."])
def test_a_starter_takes_a_plain_name(name: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="expected a name"):
        write_folder(tmp_path / "in" / name / ".." / name, texts(name))


def test_a_starter_never_overwrites(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be made: File exists"):
        write_folder(tmp_path, texts("x"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.few("arm", "whole")
@pytest.mark.each_once
@pytest.mark.parametrize(("body", "plane"), BODIES)
def test_a_body_says_all_that_it_needs(body: Any, plane: Any) -> None:
    model = loads(human("me", body, plane, "de_leva_1996", "female"))
    assert remarks(model) == []


@pytest.mark.parametrize("body", ["trunk_and_legs", "whole"])
def test_a_body_has_all_of_its_mass(body: Any) -> None:
    model = loads(human("me", body, "sagittal", "de_leva_1996", "male"))
    posture = np.zeros(len(model.coordinates))
    mass = freebody.compile(model).mass_matrix(posture)
    assert mass[0, 0] == pytest.approx(70, rel=1e-3)  # as the parts of the table add up


@pytest.mark.few("leg")
@pytest.mark.parametrize("body", ["arm", "leg", "trunk_and_legs"])
def test_formulations_of_a_body_agree_and_it_keeps_its_energy(body: Any) -> None:
    model = loads(human("me", body, "sagittal", "de_leva_1996", "male"))
    moving, ring = freebody.mechanism(model), Ring()
    derived = [freebody.derive(moving, method, ring) for method in METHODS]
    assert all(found.equal for found in agreement(derived).values())
    assert freebody.simulate(model, 0.5).energy_drift < 1e-9


@pytest.mark.exhaustive
@pytest.mark.parametrize(("body", "plane"), BODIES)
def test_a_body_moves(body: Any, plane: Any) -> None:
    model = loads(human("me", body, plane, "de_leva_1996", "male"))
    assert freebody.simulate(model, 0.5).energy_drift < 1e-8


def test_a_table_without_a_segment_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["new", "me", "--body", "leg", "--segments", "dumas_2007"])
    assert result.exit_code == 2
    assert "foot" in result.output
    assert list(tmp_path.iterdir()) == []


def test_a_plane_is_one_of_a_body(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "expected --body" in CliRunner().invoke(main, ["new", "me", "--sex", "female"]).output
    assert CliRunner().invoke(main, ["new", "me", "--body", "leg"]).exit_code == 0
    assert freebody.load(tmp_path / "me").coordinates["knee"].title == "flexion of the knee"


# ---------------------------------------------------------------------- muscles

PLANE = ("sagittal", "de_leva_1996", "male")
LEG = {  # largest force in N, optimal length and slack length in m
    "iliopsoas": (1500, 0.102, 0.142),
    "glutei": (3000, 0.200, 0.157),
    "hamstrings": (3000, 0.104, 0.334),
    "rectus_femoris": (1200, 0.081, 0.398),
    "vasti": (7000, 0.093, 0.223),
    "gastrocnemius": (3000, 0.055, 0.420),
    "soleus": (4000, 0.055, 0.245),
    "tibialis_anterior": (2500, 0.082, 0.317),
}
ARMS = np.array(  # of hip and knee in flexion, and of the ankle in dorsiflexion, in mm
    [[50, -62, -72, 34, 0, 0, 0, 0], [0, 0, 34, -50, -42, 20, 0, 0], [0, 0, 0, 0, 0, -53, -53, 37]]
)


@pytest.fixture(scope="module", params=["arm", "leg"])
def muscled(request: pytest.FixtureRequest) -> Any:
    return loads(human("me", request.param, *PLANE, muscles=True))


def test_the_leg_has_the_published_muscles() -> None:
    model = loads(human("me", "leg", *PLANE, muscles=True))
    found = {
        one.name: (one.hill.peak_force, one.hill.optimal_fiber_length, one.hill.tendon_slack_length)
        for one in model.muscles
        if one.hill is not None
    }
    assert {name: tuple(map(float, one)) for name, one in found.items()} == LEG
    arms = freebody.compile(model).moment_arms([0, 0.9, 0.4, 0.7, -0.1])
    np.testing.assert_allclose(arms[2:], ARMS / 1000, atol=1e-12)
    assert not arms[:2].any()


@pytest.mark.exhaustive
def test_the_arm_has_the_published_lengths() -> None:
    f = freebody.compile(loads(human("me", "arm", *PLANE, muscles=True)))
    q = np.array([0.4, 1.1, 0])
    a0 = np.array([0.151, 0.2322, 0.2859, 0.2355, 0.3329, 0.2989])
    a1 = np.array([[-0.03, 0.03, 0, 0, -0.03, 0.03], [0, 0, -0.014, 0.025, -0.016, 0.03]])
    a2 = np.array([[0, 0, 0, 0, 0, 0], [0, 0, -4e-3, -2.2e-3, -5.7e-3, -3.2e-3]])
    x = (q[:2] - [np.pi / 2, 0])[:, None]
    np.testing.assert_allclose(f.muscle_lengths(q), a0 + (a1 * x + a2 * x**2).sum(0), rtol=1e-12)
    np.testing.assert_allclose(f.moment_arms(q)[:2], -(a1 + 2 * a2 * x), atol=1e-12)


@pytest.mark.exhaustive
@pytest.mark.few("leg")
def test_formulations_agree_with_muscles_and_nothing_is_left_out(muscled: Any) -> None:
    moving, ring = freebody.mechanism(muscled), Ring()
    derived = [freebody.derive(moving, method, ring) for method in METHODS]
    assert all(found.equal for found in agreement(derived).values())
    assert remarks(muscled) == []


@pytest.mark.exhaustive("arm")
@pytest.mark.few("arm")
def test_muscles_are_excited_and_give_what_a_recording_takes(muscled: Any) -> None:
    at = dict.fromkeys(muscled.coordinates, 0.5)
    to = {name: value + (0.0 if name[:4] == "hip_" else 0.2) for name, value in at.items()}
    shared = freebody.static_optimisation(muscled, posture_reach(at, to, 1, rate=100))
    left = shared.data["residual"].max("time")
    driven = [name for name in left["speed"].to_numpy() if name[:4] not in ("hip_", "wris")]
    assert float(abs(left.sel(speed=driven)).max()) < 1e-9
    assert 0.01 < float(shared.data["activation"].max()) < 1
    run = freebody.excite(muscled, {muscled.muscles[0].name: 0.2}, duration=0.05)
    assert float(run.data["tension"][-1, 0]) > 10


def test_both_sides_have_muscles_and_space_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = loads(human("me", "whole", *PLANE, muscles=True))
    assert len(whole.muscles) == 28
    assert not {"T_knee_left", "T_elbow_right"} & whole.inputs.keys()
    assert {"T_wrist_left", "F_vasti_left"} <= whole.inputs.keys()
    monkeypatch.chdir(tmp_path)
    command = ["new", "me", "--body", "arm", "--muscles"]
    refused = CliRunner().invoke(main, [*command, "--plane", "space"])
    assert refused.exit_code
    assert "sagittal plane alone" in refused.output
    assert CliRunner().invoke(main, command).exit_code == 0
    assert "expected --body" in CliRunner().invoke(main, ["new", "you", "--muscles"]).output
