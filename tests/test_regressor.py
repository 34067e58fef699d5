"""Regressors: against Pinocchio, inverse dynamics, and published base parameters."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import sympy
from click.testing import CliRunner

import freebody
from freebody.cli import main
from freebody.files import FileError
from freebody.identification.factors import Factors

TREES = Path(__file__).parent / "models"


def linear(name: str, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return Y π + rest and the inverse dynamics at random motions."""
    made, f = freebody.regressor(name), freebody.compile(name)
    random, n = np.random.default_rng(seed), len(f.speeds)
    given = {group: random.normal(size=(20, n)) * 0.3 for group in ("q", "u", "a")}
    given |= {
        "constants": None,
        "t": random.uniform(size=20),
        "inputs": random.normal(size=(20, len(f.inputs))),
    }
    left = made.Y.of(given) @ made.values()
    if made.rest is not None:
        left = left + made.rest.of(given)
    return left, f.inverse_dynamics.of(given)


@pytest.mark.parametrize("name", ["leg_sagittal", "four_bar"])
def test_the_regressor_times_the_parameters_is_the_inverse_dynamics(name: str) -> None:
    left, right = linear(name)
    np.testing.assert_allclose(left, right, atol=1e-10 * np.abs(right).max())


# ---------------------------------------------------------------------- against Pinocchio


def chain(n: int, folder: Path) -> Path:
    """Write a chain of pins in space, about z, y and x in turn."""
    axes = ["[0, 0, 1]", "[0, 1, 0]", "[1, 0, 0]"]
    lines = ['title = "chain"', 'gravity = [0.3, "-g", 0.2]', "[constants]"]
    lines += ['l = { title = "length", unit = "m", value = 0.9 }']
    lines += ['g = { title = "gravity", unit = "m/s**2", value = 9.81 }', "[coordinates]"]
    lines += [f'q{i} = {{ title = "angle", unit = "rad" }}' for i in range(n)]
    for i in range(n):
        lines += [f'[[bodies]]\nname = "b{i}"\nmass = {i + 1}', "center_of_mass = [0.4, 0.1, 0.2]"]
        lines += ["inertia = [0.3, 0.4, 0.5]\nproducts_of_inertia = [0.01, 0.02, 0.03]"]
        parent, at = (f"b{i - 1}", '["l", 0, 0]') if i else ("ground", "[0, 0, 0]")
        lines += [f'[[joints]]\nname = "j{i}"\ntype = "pin"\nparent = "{parent}"\nat = {at}']
        lines += [f'child = "b{i}"\nangle = "q{i}"\naxis = {axes[i % 3]}']
    path = folder / "chain.toml"
    path.write_text("\n".join(lines))
    return path


def test_the_columns_are_those_of_pinocchio(tmp_path: Path) -> None:
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed: pip install pin")
    n, made = 4, freebody.regressor(chain(4, tmp_path), full=True)
    model, joint = pin.Model(), 0
    model.gravity = pin.Motion(np.array([0.3, -9.81, 0.2]), np.zeros(3))
    axes = [pin.JointModelRZ, pin.JointModelRY, pin.JointModelRX]
    for i in range(n):
        place = pin.SE3(np.eye(3), np.array([0.9 if i else 0, 0, 0]))
        joint = model.addJoint(joint, axes[i % 3](), place, f"j{i}")
        model.appendBodyToJoint(joint, pin.Inertia.Random(), pin.SE3.Identity())
    q, u, a = np.random.default_rng(1).normal(size=(3, n))
    theirs = pin.computeJointTorqueRegressor(model, model.createData(), q, u, a)
    order = [0, 1, 2, 3, 4, 5, 7, 6, 8, 9]  # theirs counts the upper triangle by columns
    expected = theirs.reshape(n, n, 10)[:, :, order].reshape(n, 10 * n)
    np.testing.assert_allclose(made.Y(q, u, a), expected, atol=1e-12)


# ---------------------------------------------------------------------- base parameters


def test_the_arm_has_the_parameters_of_textbooks() -> None:
    arm = freebody.regressor("two_link")
    assert [str(one) for one in arm.base] == [
        "L1*m2 + d1*m1",
        "I1 + L1**2*m2 + d1**2*m1",
        "d2*m2",
        "I2 + d2**2*m2",
    ]
    assert arm.unidentifiable == ("link1.m",)
    assert arm.only_combined == ("link1.mx", "link1.Jzz", "link2.m")
    assert "exact" in arm.proof
    assert arm.closed_form.shape == (2, 6)
    assert str(arm.closed_form[1, 5]).count("ddot") == 0  # derivatives, as equations have them


def test_base_parameters_alone_give_the_forces() -> None:
    arm, f = freebody.regressor("acrobot"), freebody.compile("acrobot")
    q, u, a = np.random.default_rng(2).normal(size=(3, 5, 2))
    torques = arm.Y(q=q, u=u, a=a)[..., arm.independent] @ arm.base_values()
    np.testing.assert_allclose(torques, f.inverse_dynamics(0.0, q, u, a), atol=1e-10)


PUMA = (  # Khalil and Kleinfinger's angles and distances of the PUMA 560
    ("0", '["0", "0", "0"]'),
    ("-pi/2", '["0", "0", "0"]'),
    ("0", '["a2", "0", "d3"]'),
    ("pi/2", '["a3", "-d4", "0"]'),
    ("-pi/2", '["0", "0", "0"]'),
    ("pi/2", '["0", "0", "0"]'),
)


RX90 = (  # Khalil and Dombre's of the RX-90
    ("0", '["0", "0", "0"]'),
    ("pi/2", '["0", "0", "0"]'),
    ("0", '["D3", "0", "0"]'),
    ("-pi/2", '["0", "RL4", "0"]'),
    ("pi/2", '["0", "0", "0"]'),
    ("-pi/2", '["0", "0", "0"]'),
)


LETTERS = {f"{a}{b}": f"J{a.lower()}{b.lower()}" for a in "XYZ" for b in "XYZ"}
LETTERS |= {"M": "m", "MX": "mx", "MY": "my", "MZ": "mz"}
"""What the literature calls parameters of a link, and freebody."""


def of_robot(
    path: Path, frames: tuple[tuple[str, str], ...], distances: str
) -> dict[str, sympy.Expr]:
    """Return the base parameters of a robot of six pins, by the parameter that each begins with."""
    lines = ['title = "robot"', 'gravity = [0, 0, "-g"]', "[coordinates]"]
    lines += [f'q{i} = {{ title = "angle", unit = "rad" }}' for i in range(6)]
    lines += ["[constants]", 'g = { title = "gravity", unit = "m/s**2" }']
    lines += [f'{c} = {{ title = "distance", unit = "m" }}' for c in distances.split()]
    for i, (turn, at) in enumerate(frames):
        parent = f"link{i}" if i else "ground"
        lines += [f'[[bodies]]\nname = "link{i + 1}"\nmass = 1\ninertia = [1, 1, 1]']
        lines += [f'[[joints]]\nname = "j{i}"\ntype = "pin"\nparent = "{parent}"\nat = {at}']
        lines += [f'child = "link{i + 1}"\nangle = "q{i}"']
        lines += [f'orientation = {{ sequence = "xyz", angles = ["{turn}", 0, 0] }}']
    path.write_text("\n".join(lines))
    robot = freebody.regressor(path, full=True)
    assert len(robot.parameters) == 60
    return {one.independent: one.combination for one in robot.base}


@pytest.mark.exhaustive
def test_the_puma_has_its_36_base_parameters(tmp_path: Path) -> None:
    # Khalil and Bennis, and Mayeda, Yoshida and Osuka, counted 36 of 60 in 1990.
    combinations = of_robot(tmp_path / "puma.toml", PUMA, "a2 a3 d3 d4")
    assert len(combinations) == 36
    assert str(combinations["link5.Jzz"]) == "link5.Jzz + link6.Jyy"
    a2 = sympy.Symbol("a2")
    carried = sum(sympy.Symbol(f"link{i}.m") for i in (3, 4, 5, 6))
    assert sympy.expand(combinations["link2.mx"] - sympy.Symbol("link2.mx") - a2 * carried) == 0


@pytest.mark.exhaustive
def test_the_rx_90_has_the_base_parameters_that_are_published(tmp_path: Path) -> None:
    """Khalil and Dombre, Modeling, identification and control of robots, 2002, chapter 9."""
    combinations = of_robot(tmp_path / "rx90.toml", RX90, "D3 RL4")
    D3, RL4 = sympy.symbols("D3 RL4")

    def of(name: str) -> sympy.Symbol:
        return sympy.Symbol(f"link{name[-1]}.{LETTERS[name[:-1]]}")

    m4 = of("M4") + of("M5") + of("M6")
    m3 = of("M3") + m4
    arm = 2 * RL4 * of("MZ4") + RL4**2 * m4
    published = {
        "ZZ1": of("YY2") + of("YY3") + D3**2 * m3,
        "XX2": -of("YY2") - D3**2 * m3,
        "XZ2": -D3 * of("MZ3"),
        "ZZ2": D3**2 * m3,
        "MX2": D3 * m3,
        "XX3": -of("YY3") + of("YY4") + arm,
        "ZZ3": of("YY4") + arm,
        "MY3": of("MZ4") + RL4 * m4,
        "XX4": -of("YY4") + of("YY5"),
        "ZZ4": of("YY5"),
        "MY4": -of("MZ5"),
        "XX5": -of("YY5") + of("YY6"),
        "ZZ5": of("YY6"),
        "MY5": of("MZ6"),
        "XX6": -of("YY6"),
    }
    alone = ("XY", "XZ", "YZ", "MX", "MY", "ZZ")
    for name in (f"{letters}{link}" for link in range(2, 7) for letters in alone):
        published.setdefault(name, sympy.S.Zero)
    assert len(published) == len(combinations) == 36
    for name, added in published.items():
        assert sympy.expand(combinations[str(of(name))] - of(name) - added) == 0


def test_a_closed_loop_tells_less_than_its_tree() -> None:
    crank = freebody.regressor("slider_crank")
    assert [str(one) for one in crank.base] == [
        "Ic",
        "mp + mr",
        "h*mr + l*mp",
        "Ir + h**2*mr + l**2*mp",
    ]
    assert "double precision" in crank.proof


# ---------------------------------------------------------------------- loads


def test_springs_dampers_and_friction_are_parameters(tmp_path: Path) -> None:
    text = Path(freebody.load("pendulum").source or "").read_text(encoding="utf-8")
    names = (("k", "N*m/rad"), ("q0", "rad"), ("b", "N*m*s/rad"), ("mu", "N*m"), ("w", "rad/s"))
    constants = [f'{n} = {{ title = "{n}", unit = "{u}", value = 0.5 }}' for n, u in names]
    text = text.replace("[constants]", "\n".join(["[constants]", *constants]))
    joint = freebody.load("pendulum").joints[0].name
    text += f'\n[[springs]]\njoint = "{joint}"\nstiffness = "k"\nrest = "q0"\n'
    text += f'\n[[friction]]\njoint = "{joint}"\ncoulomb = "mu"\nviscous = "b"\nsmoothing = "w"\n'
    (tmp_path / "model.toml").write_text(text, encoding="utf-8")
    made = freebody.regressor(tmp_path / "model.toml")
    loads = {one.name: one.unit for one in made.parameters if "." not in one.name}
    assert loads == {"k": "N*m/rad", "k*q0": "kg*m**2/s**2", "b": "N*m*s/rad", "mu": "N*m"}
    left, right = linear(str(tmp_path / "model.toml"))
    np.testing.assert_allclose(left, right, atol=1e-12)


def test_what_is_also_within_a_function_is_no_factor() -> None:
    k, c, x = sympy.symbols("k c x")
    law = sympy.Piecewise((sympy.Max(k * x * (1 + c * x), 0), x > 0), (0, True))
    assert list(Factors({k, c}, {k}).parts(law)) == [k]
    assert list(Factors({k, c}, {}).parts(law)) == [1]  # it might be negative
    assert list(Factors({k, c}, {}).parts((x - c) ** 2)) == [1, c, c**2]


# ---------------------------------------------------------------------- the command


def test_the_command_tells_what_cannot_be_identified(tmp_path: Path) -> None:
    path = tmp_path / "arm.json"
    run = CliRunner().invoke(main, ["regressor", "two_link", "-o", str(path), "--closed-form"])
    assert run.exit_code == 0, run.output
    assert "6 parameters, 4 base parameters" in run.output
    assert "No motion tells anything of link1.m." in run.output
    assert "Y[alpha2_dot, link2.Jzz] = alpha1_ddot + alpha2_ddot" in run.output
    assert json.loads(path.read_text())["base"][2]["value"] == "d2*m2"


def test_another_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="expected a file name that ends in"):
        freebody.regressor("pendulum").save(tmp_path / "arm.txt")


ASKEW = """title = "Two pins whose axes are parallel but for rounding"
[coordinates]
p = { title = "first", unit = "rad", initial = 0 }
q = { title = "second", unit = "rad", initial = 0 }
[constants]
m = { title = "mass", unit = "kg", value = 2 }
d = { title = "centre", unit = "m", value = 0.3 }
[[bodies]]
name = "one"
mass = 1
[[bodies]]
name = "two"
mass = "m"
center_of_mass = ["d", 0.1, "d"]
inertia = [0.1, 0.1, 0.1]
[[joints]]
name = "a"
type = "pin"
parent = "ground"
child = "one"
angle = "p"
[[joints]]
name = "b"
type = "pin"
parent = "one"
child = "two"
at = [0.5, 0, 0]
orientation = { sequence = "xyz", angles = [1e-11, 0, 0] }
angle = "q"
"""


def test_what_angles_are_rounded_by_leaves_no_symbol_without_a_value() -> None:
    made = freebody.regressor(freebody.model.loads(ASKEW))
    constants = {"m", "d"}
    assert all({str(x) for x in one.value.free_symbols} <= constants for one in made.base)
    assert None not in [one.number for one in made.base]


def test_names_are_not_broken_in_the_table(tmp_path: Path) -> None:
    name = "mass_of_the_second_link_with_all_that_it_carries"
    text = ASKEW.replace('mass = "m"', f'mass = "{name}"').replace("\nm =", f"\n{name} =")
    path = tmp_path / "model.toml"
    path.write_text(text, encoding="utf-8")
    made = CliRunner().invoke(main, ["regressor", str(path)])
    assert made.exit_code == 0, made.output
    assert made.output.count("mass_of") == made.output.count(name) > 5
