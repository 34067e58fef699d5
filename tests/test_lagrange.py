"""Lagrange's equations by sympy's method and on term tables are the same."""

import pytest

import freebody
from freebody.algebra import Ring, budget
from freebody.mechanics import Equations, agreement
from freebody.mechanics.equations import Blocks
from freebody.mechanics.lagrange import LARGEST, by_sympy, by_tables
from freebody.model import (
    Body,
    Constant,
    Coordinate,
    Damper,
    Input,
    Model,
    Pin,
    Placement,
    Speed,
    Spring,
)

SMALL = (
    "double_pendulum",
    "two_link_segment",
    "three_link_arm",
    "furuta_pendulum",
    "elastic_pendulum",
    "runner_one_mass",
    "wheeled_pendulum",
    "slider_crank",
    "four_bar",
)
"""Shipped models, some with constraints, that sympy's method is quick with."""


def chain(links: int) -> Model:
    """Return a planar chain with a torque, a damper and a spring from its end to the ground."""
    end = Placement(on=f"link{links - 1}", at=("l", 0, 0))
    return Model(
        title=f"chain of {links} links",
        gravity=(0, "-g", 0),
        coordinates={f"q{i}": Coordinate(title="angle", unit="rad") for i in range(links)},
        inputs={"T": Input(title="torque", unit="N*m")},
        constants={
            name: Constant(title=name, unit=unit)
            for name, unit in (
                ("m", "kg"),
                ("l", "m"),
                ("I", "kg*m**2"),
                ("k", "N/m"),
                ("c", "N*m*s/rad"),
                ("g", "m/s**2"),
            )
        },
        bodies=tuple(
            Body(name=f"link{i}", mass="m", center_of_mass=("l/2", 0, 0), inertia="I")
            for i in range(links)
        ),
        joints=tuple(
            Pin(
                name=f"joint{i}",
                parent=f"link{i - 1}" if i else "ground",
                child=f"link{i}",
                at=("l", 0, 0) if i else (0, 0, 0),
                angle=f"q{i}",
                torque=None if i else "T",
            )
            for i in range(links)
        ),
        springs=(Spring(between=(Placement(on="ground"), end), stiffness="k"),),
        dampers=(Damper(joint="joint0", damping="c"),),
    )


@pytest.mark.few("furuta_pendulum")
@pytest.mark.parametrize("name", [*SMALL, 2, 3])
def test_both_ways_give_the_same(name: str | int) -> None:
    """Of shipped models, and of chains of so many links."""
    model = freebody.load(name) if isinstance(name, str) else chain(name)
    moving, ring = freebody.mechanism(model), Ring()
    n = len(moving.speeds)
    both = [
        Equations("sympy", moving, ring, lambda: Blocks.of(by_sympy(moving, ring), n), list),
        Equations("tables", moving, ring, lambda: Blocks.of(by_tables(moving, ring), n), list),
    ]
    (comparison,) = agreement(both).values()
    assert comparison.equal
    assert comparison.proof == "exact"


@pytest.mark.exhaustive
def test_a_long_chain_agrees_with_the_other_formulations() -> None:
    moving, ring = freebody.mechanism(chain(LARGEST + 3)), Ring()
    derived = [freebody.derive(moving, m, ring) for m in ("kane", "lagrange", "newton_euler")]
    assert all(agreement(derived).values())


def test_speeds_that_rename_rates_cost_no_more_than_the_rates(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing but what a speed is defined by is worked out in canonical form."""
    monkeypatch.setattr(budget, "WHOLE", 1_000)
    links = 9
    speeds = {f"u{i}": Speed(title="rate", unit="rad/s", value=f"2*q{i}_dot") for i in range(links)}
    own = freebody.mechanism(chain(links).model_copy(update={"speeds": speeds}))
    assert list(own.kinematics.values()) == [speed / 2 for speed in own.speeds]


@pytest.mark.exhaustive
def test_turns_about_oblique_axes_agree_with_the_other_formulations() -> None:
    """Of which sympy's LagrangesMethod makes expressions that it differentiates for minutes."""
    skew = chain(2)
    joints = tuple(
        joint.model_copy(update={"axis": axis})
        for joint, axis in zip(skew.joints, [(1, 2, 3), (2, -1, 5)], strict=True)
    )
    solid = tuple(body.model_copy(update={"inertia": ("I", "I", "2*I")}) for body in skew.bodies)
    skew = skew.model_copy(update={"joints": joints, "bodies": solid})
    moving, ring = freebody.mechanism(skew), Ring()
    derived = [freebody.derive(moving, m, ring) for m in ("kane", "lagrange", "newton_euler")]
    assert all(agreement(derived).values())
