"""The three formulations of every shipped model agree, exactly or at points of a prime field."""

from __future__ import annotations

from pathlib import Path

import pytest

import freebody
from freebody.algebra import Ring, budget
from freebody.mechanics import agreement, derive, mechanism
from freebody.mechanics.derivation import METHODS
from freebody.model import loads, shipped

LARGE = {"arm_3d"}
"""The models whose equations are too large to be written out."""
AT_POINTS = "exact at 3 random points of a prime field, wrong with a chance below 1e-"
SPACE = (Path(__file__).parent / "models" / "space.toml").read_text(encoding="utf-8")


@pytest.mark.exhaustive("four_bar")
@pytest.mark.few("four_bar", "pendulum")
@pytest.mark.parametrize("name", shipped())
def test_formulations_agree(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in LARGE:
        monkeypatch.setattr(budget, "WHOLE", 10_000)
    moving, ring = mechanism(freebody.load(name)), Ring()
    compared = agreement([derive(moving, method, ring) for method in METHODS]).values()
    assert all(compared)
    assert all(
        found.proof.startswith(AT_POINTS if name in LARGE else "exact") for found in compared
    )


@pytest.mark.exhaustive
def test_formulations_agree_at_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "WHOLE", 0)
    model, ring = loads(SPACE), Ring()
    compared = agreement([derive(model, method, ring) for method in METHODS]).values()
    assert all(found and found.proof.startswith(AT_POINTS) for found in compared)


@pytest.mark.one_in(2)
@pytest.mark.few("newton_euler")
@pytest.mark.each_once
@pytest.mark.parametrize(
    "change",
    [
        ("axis = [3, 0, 4]", "axis = [4, 0, 3]"),
        ('damping = "c"', 'damping = "2*c"'),
        ('vector = ["-F/2", 0, "F"]', 'vector = ["-F/2", 0, "2*F"]'),
        ('gravity = [0, 0, "-g"]', 'gravity = [0, 0, "g"]'),
        ('inertia = ["Ix", "Iy", "Iz"]', 'inertia = ["Iz", "Iy", "Ix"]'),
    ],
)
@pytest.mark.parametrize("method", ["lagrange", "newton_euler"])
def test_points_tell_different_models_apart(
    method: str, change: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "WHOLE", 0)
    one, other = loads(SPACE), loads(SPACE.replace(*change))
    assert one != other
    (compared,) = agreement([derive(one), derive(other, method)]).values()
    assert not compared
    assert compared.proof == "exact: differs at a random point of a field of 2**61 elements"
