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
