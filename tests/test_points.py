"""Printed equations that are too large to be written out are decided at random points."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import sympy

import freebody
from freebody.algebra.degrees import Degree
from freebody.algebra.jets import Jet
from freebody.algebra.linear import determinant, independent, solve
from freebody.algebra.terms import TooLargeError
from freebody.checking import judge

if TYPE_CHECKING:
    from collections.abc import Callable

    from freebody.checking.report import EquationVerdict

MODELS = Path(__file__).parent.parent / "models"
SMALL = (
    "acrobot/spong_1995.md",
    "chaplygin_sleigh/bloch.md",
    "double_pendulum/watanabe_duarte.md",
    "elastic_pendulum/by_hand.md",
    "four_bar/relative_angles.md",
    "furuta_pendulum/cazzolato_prime_2011.md",
    "gimbal_rotor/angular_momentum.md",
    "one_link/duarte_one_link.md",
    "rolling_disc/sympy_documentation.md",
    "runner_two_mass/by_hand.md",
    "slip_stance/blickhan_1989.md",
    "spinning_top/goldstein.md",
)
PROVED = "exact at 3 random points of a prime field, wrong with a chance below 1e-"


# ---------------------------------------------------------------------- both ways agree


@pytest.mark.few(*SMALL[::12])
@pytest.mark.parametrize("page", SMALL)
def test_points_say_what_forms_say(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written = _statuses(MODELS / page)
    _forget(monkeypatch)
    assert _statuses(MODELS / page) == written


def _statuses(page: Path) -> dict[str, str]:
    (document,) = freebody.check(page).documents
    return {one.label: one.status for one in document.equations}


def _forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take all equations as too large to be written out."""

    def refused(*_: object) -> None:
        raise TooLargeError("refused")

    monkeypatch.setattr(judge, "residuals", refused)


# ---------------------------------------------------------------------- large models

ARM = {
    "M": "M",
    "M_{ij}": "M[i,j]",
    "C": "C",
    "G": "G",
    r"\tau": "tau",
    "T": "energy.kinetic",
    "V": "energy.potential",
    "E": "energy.total",
    "L": "energy.lagrangian",
    "p": "momentum.deviation",
    "x": "position.hand.x",
    "v": "velocity.hand.x",
    "a": "acceleration.hand.x",
    r"\delta": "deviation",
    "T_7": "T7",
    "A_3": "A3",
    "m_3": "m3",
    "d_3": "d3",
    "q": ["plane", "elevation", "rotation", "flexion", "pronation", "wrist", "deviation"],
}
TRUE = {
    "M77": r"M_{7,7} = A_3 + m_3 d_3^2",
    "symmetric": r"M = M^T",
    "motion": r"\tau = M \ddot{q} + C + G",
    "solved": r"\ddot{q} = M^{-1} (\tau - C - G)",
    "power": r"\dot{E} = \dot{q}^T \tau",
    "velocity": r"\dot{x} = v",
    "acceleration": r"\ddot{x} = a",
    "energy": r"T = \frac{1}{2} \dot{q}^T M \dot{q}",
    "momentum": r"p = \frac{\partial L}{\partial \dot{\delta}}",
    "Lagrange": r"\frac{d}{dt} \frac{\partial T}{\partial \dot{\delta}}"
    r" - \frac{\partial T}{\partial \delta} + \frac{\partial V}{\partial \delta} = T_7",
    "Coriolis": r"C = \dot{M} \dot{q} - \frac{\partial T}{\partial q}",
}
WRONG = {
    "M77 off": (r"M_{7,7} = A_3 - m_3 d_3^2", r"M_{7,7} = A_3 + m_3 d_3^2"),
    "motion off": (r"\tau = M \ddot{q} - C + G", TRUE["motion"]),
    "energy off": (r"T = \frac{1}{3} \dot{q}^T M \dot{q}", TRUE["energy"]),
    "Lagrange off": (
        TRUE["Lagrange"].replace(r" - \frac{\partial T}", r" + \frac{\partial T}"),
        TRUE["Lagrange"],
    ),
    "power off": (r"\dot{E} = \dot{q}^T (\tau - G)", r"\dot{T} = \dot{q}^T (\tau - G)"),
}


@pytest.fixture(scope="module")
def arm(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], EquationVerdict]:
    """Return what gives the verdict on one equation of the arm."""
    printed = TRUE | {label: latex for label, (latex, _) in WRONG.items()}
    folder = tmp_path_factory.mktemp("arm")

    @cache
    def verdict(label: str) -> EquationVerdict:
        (found,) = _checked(folder, "arm_3d", ARM, {label: printed[label]}).values()
        return found

    return verdict


@pytest.mark.exhaustive("Coriolis")
@pytest.mark.few("Coriolis", "solved")
@pytest.mark.parametrize("label", TRUE)
def test_the_arm_in_space_holds(label: str, arm: Callable[[str], EquationVerdict]) -> None:
    found = arm(label)
    assert found.status == "holds"
    assert found.proof.startswith(PROVED) or label in ("M77", "velocity", "acceleration")


@pytest.mark.exhaustive
@pytest.mark.parametrize("label", WRONG)
def test_a_misprint_of_the_arm_is_found_and_mended(
    label: str, arm: Callable[[str], EquationVerdict]
) -> None:
    found = arm(label)
    assert found.status == "differs"
    assert WRONG[label][1] in {repair.latex.strip() for repair in found.repairs}


@pytest.mark.exhaustive
def test_a_single_quantity_is_told_by_its_term(arm: Callable[[str], EquationVerdict]) -> None:
    (found,) = arm("M77 off").differences
    assert (found.term, found.printed, found.derived) == ("d3**2*m3", "-1", "1")


@pytest.mark.exhaustive
def test_what_a_quantity_should_be_is_open_where_nothing_mends_it(tmp_path: Path) -> None:
    found = _checked(tmp_path, "arm_3d", ARM, {"odd": r"p = m_3 d_3 A_3"})["(odd)"]
    assert found.status == "differs"
    (difference,) = found.differences
    assert (difference.printed, difference.derived) == ("1", "?")


CHAIN = {
    "M_{ij}": "M[i,j]",
    "C": "C",
    "G": "G",
    r"\tau": "tau",
    "M": "M",
    "E": "energy.total",
    "x": "position.last.x",
    "v": "velocity.last.x",
}


@pytest.mark.few("7")
@pytest.mark.parametrize(
    ("links", "axes"), [(7, ([0, 0, 1], [1, 0, 0], [0, 1, 0])), (30, ([0, 0, 1],))]
)
@pytest.mark.exhaustive
def test_long_chains_are_decided(links: int, axes: tuple[list[int], ...], tmp_path: Path) -> None:
    (tmp_path / "model.toml").write_text(_chain(links, axes))
    coordinates = [f"q{number}" for number in range(1, links + 1)]
    names = {**CHAIN, "q": coordinates, "m": f"m{links}", "I": f"I{links}", "l": f"l{links}"}
    place = f"M_{{{links},{links}}}"
    printed = {
        "last": rf"{place} = I + \frac{{1}}{{4}} m l^2",
        "last off": rf"{place} = I + \frac{{1}}{{3}} m l^2",
        "motion": r"\tau = M \ddot{q} + C + G",
        "motion off": r"\tau = M \ddot{q} + C + 2 G",
        "velocity": r"\dot{x} = v",
    }
    found = _checked(tmp_path, "model.toml", names, printed)
    statuses = {label: found[f"({label})"].status for label in printed}
    assert statuses == {one: "differs" if "off" in one else "holds" for one in printed}
    assert found["(motion)"].proof.startswith(PROVED)


def _chain(links: int, axes: tuple[list[int], ...]) -> str:
    numbers = range(1, links + 1)
    angle = '{ title = "angle", unit = "rad", initial = 0 }'
    lines = ['title = "Chain"', 'gravity = [0, "-g", 0]', "[coordinates]"]
    lines += [f"q{number} = {angle}" for number in numbers]
    lines += ["[inputs]"]
    lines += [f'T{number} = {{ title = "T", unit = "N*m", value = 0 }}' for number in numbers]
    lines += ["[constants]", 'g = { title = "g", unit = "m/s**2", value = 9.81 }']
    for name, unit in (("l", "m"), ("m", "kg"), ("I", "kg*m**2")):
        value = f'{{ title = "{name}", unit = "{unit}", value = 1 }}'
        lines += [f"{name}{number} = {value}" for number in numbers]
    for number in numbers:
        lines += _link(number, links, axes[(number - 1) % len(axes)])
    return "\n".join(lines)


def _link(number: int, links: int, axis: list[int]) -> list[str]:
    body = "last" if number == links else f"body{number}"
    parent = "ground" if number == 1 else f"body{number - 1}"
    return [
        "[[bodies]]",
        f'name = "{body}"\nmass = "m{number}"\ninertia = "I{number}"',
        f'center_of_mass = ["l{number}/2", 0, 0]',
        "[[joints]]",
        f'name = "joint{number}"\ntype = "pin"\nparent = "{parent}"\nchild = "{body}"',
        f'angle = "q{number}"\ntorque = "T{number}"\naxis = {axis}',
        f'at = ["l{number - 1}", 0, 0]' if number > 1 else "",
    ]


def _checked(
    folder: Path, model: str, symbols: dict[str, Any], printed: dict[str, str]
) -> dict[str, EquationVerdict]:
    """Return the verdicts on a page."""
    lines = ["+++", 'title = "Page"', 'source = "Test"', f'model = "{model}"', "[symbols]"]
    lines += [f"'{key}' = {meaning!r}" for key, meaning in symbols.items()]
    lines += ["+++"]
    lines += [f"$$ {latex} \\tag{{{label}}} $$\n" for label, latex in printed.items()]
    (folder / "page.md").write_text("\n".join(lines))
    (document,) = freebody.check(folder / "page.md").documents
    return {one.label: one for one in document.equations}


# ---------------------------------------------------------------------- linear systems


def test_a_system_is_solved_with_its_derivatives() -> None:
    a, b, e = Jet(3, epsilon=1), Jet(5), Jet(0)
    ((x,), (y,)) = solve([[e, a], [b, Jet(2)]], [[Jet(7)], [Jet(1, epsilon=2)]])
    assert a * y == Jet(7)
    assert b * x + 2 * y == Jet(1, epsilon=2)


def test_a_system_without_solution_is_not_defined_there() -> None:
    with pytest.raises(ZeroDivisionError):
        solve([[Jet(1), Jet(2)], [Jet(2), Jet(4)]], [[Jet(1)], [Jet(1)]])
    assert independent([[Jet(1), Jet(2), Jet(0)], [Jet(2), Jet(4), Jet(1)]]) == [(0, 0), (1, 2)]


def test_a_determinant_may_vanish_while_its_derivative_does_not() -> None:
    assert determinant([[Jet(1, epsilon=1), Jet(1)], [Jet(1), Jet(1)]]) == Jet(0, epsilon=1)
    rows = sympy.Matrix([[2, 1, 0], [1, 3, 1], [4, 0, 5]])
    assert determinant([[Jet(int(x)) for x in rows.row(i)] for i in range(3)]) == Jet(rows.det())


def test_degrees_of_a_solution_follow_cramers_rule() -> None:
    x, y = Degree(1), Degree(1)
    ((found,), (other,)) = solve([[x, y * y], [y, Degree()]], [[x], [y]])
    assert found.bound == 2 * (2 + 1)
    assert (found + other).bound == found.bound  # of one denominator
    ((plain,), _) = solve([[Degree(), Degree()], [Degree(), Degree()]], [[x], [y * y]])
    assert plain.bound == 2
