"""Models built from what a page prints: energies, or equations of motion."""

from __future__ import annotations

from pathlib import Path

import pytest
import sympy

import freebody
from freebody.algebra import Ring
from freebody.documents import read_bare
from freebody.mechanics.derivation import METHODS, agreement, derive
from freebody.recognition.recognise import recognise

CHAIN = "\n\n".join(
    "$$ x_{n} = {x}, \\quad y_{n} = -{y} $$".format(
        n=n,
        x="+".join(rf"l_{k}\sin\theta_{k}" for k in range(1, n + 1)),
        y="-".join(rf"l_{k}\cos\theta_{k}" for k in range(1, n + 1)),
    )
    for n in range(1, 6)
)
SUMS = {
    "T": "+".join(rf"\frac12 m_{n}(\dot x_{n}^2 + \dot y_{n}^2)" for n in range(1, 6)),
    "V": "+".join(f"m_{n} g y_{n}" for n in range(1, 6)),
}
FURUTA = r"""
$$ T = \tfrac12 (J + m r^2 + m l^2\sin^2\theta)\dot\alpha^2 + \tfrac12 m l^2\dot\theta^2
  + m r l\cos\theta\,\dot\alpha\dot\theta, \qquad V = m g l\cos\theta $$

$$ m l^2\ddot\theta + m r l\cos\theta\,\ddot\alpha - m l^2\sin\theta\cos\theta\,\dot\alpha^2
  - m g l\sin\theta = -c\dot\theta $$
"""
WHEEL = r"""
$$ T = \tfrac12\bigl((I_P + m l^2)\dot\theta^2 + I_F(\dot\theta + \dot\phi)^2\bigr), \quad
   V = -m g l\cos\theta $$

$$ I_F(\ddot\theta + \ddot\phi) = u $$
"""
BLOCK = r"""
$$ L = \frac12(M + m)\dot X^2 + \frac12 m\dot q^2 - m\dot X\dot q\cos\theta + m g q\sin\theta $$

$$ U = -m g q\sin\theta $$
"""
"""Of a block that slides down a wedge, which slides on a table."""
INCLINE = r"$$ T = \tfrac12 M\dot x^2 + \tfrac12 I\dot\phi^2, \qquad V = M g x\sin\beta $$"
ROD = r"""
The speed of the cart is $\dot x$, and its pole is a rod.

$$ (m_c + m_p)\ddot x + \frac{m_p L}{2}(\cos\theta\,\ddot\theta - \sin\theta\,\dot\theta^2) = F $$

$$ \cos\theta\,\ddot x + \frac{2L}{3}\ddot\theta - g\sin\theta = 0 $$

$$ F = -\begin{pmatrix} k_1 & k_2\end{pmatrix} $$
"""
ROTORS = r"""
$$ m\ddot x = F_1\cos\theta - F_2\sin\theta - c\dot x $$

$$ m\ddot y = F_1\sin\theta + F_2\cos\theta - m g - c\dot y $$

$$ J\ddot\theta = r F_1 $$
"""
CONE = r"""
$$ T = \frac m2(\dot r^2\csc^2\alpha + r^2\dot\theta^2), \qquad U = m g r\cot\alpha $$
"""
PARABOLOID = r"$$ L = \frac12 m\bigl((1 + 4a^2r^2)\dot r^2 + r^2\dot\varphi^2\bigr) - m g a r^2 $$"
TABLE = r"""
A puck on a table is tied through a hole in it to a mass $M$ that hangs.

$$ (m + M)\ddot r - m r\dot\theta^2 + M g = 0 $$

$$ m r^2\ddot\theta + 2 m r\dot r\dot\theta = 0 $$
"""
REACTIONS = r"""
$$ M\ddot x = F - R $$

$$ m(\ddot x + l\ddot\theta\cos\theta - l\dot\theta^2\sin\theta) = R + d\cos\theta $$

$$ R = m\ddot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta - d\cos\theta $$

$$ (M + m)\ddot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta - F - d\cos\theta = 0 $$

$$ (J + m l^2)\ddot\theta + m l\ddot x\cos\theta + c\dot\theta - m g l\sin\theta - 2 l d = 0 $$
"""
ROLLING = r"""
$$ m\ddot x = N_f - N, \qquad I\frac{\ddot x}{R} = T - N_f R, \qquad
   \ddot x = \frac{T - N R}{I/R + m R} $$

$$ N = M\frac{\partial^2}{\partial t^2}(x + l\sin\theta) $$

$$ P - M g = M\frac{\partial^2}{\partial t^2}(l\cos\theta) $$

$$ J\ddot\theta = P l\sin\theta - N l\cos\theta - T $$

# What it is told by

$$ x = \begin{bmatrix} L_0 \\ \phi_0 \end{bmatrix} $$
"""
SQUARES = r"""
$$ v_1^2 = \dot x^2 + 2\dot x\dot\theta l\cos\theta + l^2\dot\theta^2 $$

$$ T = \frac12 M\dot x^2 + \frac12 m v_1^2, \qquad V = -m g l\cos\theta + \frac12 k (x - x_0)^2 $$
"""

OF_EACH = r"""
$$ T = \frac12 m_1 v_1^2 + \frac12 m_2 v_2^2, \qquad V = m_1 g y_1 + m_2 g y_2 $$

$$ v_i^2 = \dot x_i^2 + \dot y_i^2 $$

$$ x_1 = l_1\sin\theta_1, \quad y_1 = -l_1\cos\theta_1 $$

$$ x_2 = x_1 + l_2\sin\theta_2, \quad y_2 = y_1 - l_2\cos\theta_2 $$
"""
DIFFERENTIATED = r"""
$$ L = \frac12 M v_1^2 + \frac12 m v_2^2 - m g\ell\cos\theta, \qquad v_1^2 = \dot x^2 $$

$$ v_2^2 = \left(\frac{\rm d}{{\rm d}t}(x - \ell\sin\theta)\right)^2
   + \left(\frac{\rm d}{{\rm d}t}(\ell\cos\theta)\right)^2 $$
"""


def built(folder: Path, text: str) -> freebody.Adopted:
    """Adopt a page, of which a model is expected to be built."""
    page = folder / "page.md"
    page.write_text(text)
    made = freebody.adopt(page, force=True)
    assert "built" in {one.name for one in made.models}
    return made


@pytest.mark.exhaustive("balances")
@pytest.mark.few(INCLINE, TABLE)
@pytest.mark.parametrize(
    "text",
    [FURUTA, WHEEL, INCLINE, ROTORS, REACTIONS, ROLLING, CONE, PARABOLOID, TABLE],
    ids=[
        "about the vertical", "a wheel on a pole", "an incline", "thrust", "balances", "rolling",
        "a cone", "a paraboloid", "a table",
    ],
)  # fmt: skip
def test_a_model_is_built_that_derives_what_the_page_prints(tmp_path: Path, text: str) -> None:
    made = built(tmp_path, text)
    assert made.models[0].name == "built"
    assert not made.models[0].fails
    assert made.model_path is not None
    model = freebody.load(made.model_path)
    ring = Ring()
    every = agreement([derive(model, method, ring) for method in METHODS])
    assert all(one.equal and one.proof == "exact" for one in every.values())
    report = freebody.check(made.path)
    assert not [one for doc in report.documents for one in doc.equations if one.status == "differs"]


def test_a_block_on_a_wedge_has_weight(tmp_path: Path) -> None:
    made = built(tmp_path, BLOCK)
    assert made.model_path is not None
    assert freebody.load(made.model_path).gravity == (0, "-g", 0)
    assert {"(#1)", "(#2)"} <= {*made.models[0].fits}


def test_a_mass_may_slide_along_a_line_that_another_coordinate_carries(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(r"""
$$ T = \frac{m_1}{2}(\dot x^2 + \dot\xi^2 + 2\dot x\dot\xi\cos\alpha)
  + \frac{m_2}{2}\dot x^2 \tag{1} $$
$$ (m_1 + m_2)\ddot x + m_1\ddot\xi\cos\alpha = W\sin\alpha - b\dot x \tag{2} $$
$$ m_1\ddot\xi + m_1\ddot x\cos\alpha = W\cos\alpha \tag{3} $$
""")
    (found,) = recognise(read_bare(path, "none")).models
    assert {"(2)", "(3)"} <= {*found.fits}
    assert not found.fails


@pytest.mark.exhaustive
def test_five_coordinates_are_a_chain_of_five_pins(tmp_path: Path) -> None:
    made = built(tmp_path, f"{CHAIN}\n\n$$ T = {SUMS['T']} $$\n\n$$ V = {SUMS['V']} $$\n")
    assert made.model_path is not None
    model = freebody.load(made.model_path)
    assert [joint.type for joint in model.joints] == ["pin"] * 5
    assert str(model.joints[4].angle) == "-theta4 + theta5"
    assert made.guesses is not None
    assert made.guesses.sure()["m_3"] == "m3"


@pytest.mark.exhaustive
def test_a_velocity_squared_and_a_spring_with_its_rest(tmp_path: Path) -> None:
    made = built(tmp_path, SQUARES)
    own = next(one for one in made.models if one.name == "built")
    assert own.symbols["x_0"] == "x0"
    assert own.symbols["k"] == "k"


@pytest.mark.exhaustive
def test_what_a_mass_is_spread_by_is_its_inertia(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(ROD)
    models = recognise(read_bare(page, "none")).models
    (model,) = (one.made.model for one in models if one.name == "built")
    (_, pole) = model.bodies
    assert (str(pole.center_of_mass[1]), str(pole.inertia)) == ("L/2", "L**2*m_p/12")


FRAMES = r"""
$$ \vec a = (\ddot r - r\dot\theta^2)\vec e_r
   + (2\dot r\dot\theta + r\ddot\theta)\vec e_\theta $$

$$ m\vec a = -m g\vec e_z $$
"""


@pytest.mark.parametrize(
    "text",
    [
        r"$$ m\ddot x = F $$",
        r"$$ \mathbf{M}\ddot{\mathbf q} + \mathbf{C} = \mathbf u $$",
        r"$$ T = \frac12 m\sin\theta\,\dot\theta^2, \quad V = m g\theta^3 $$",
        r"$$ m\ddot r = F(r) $$",
        FRAMES,
    ],
    ids=["a force", "matrices", "nothing that moves so", "a field", "axes of two frames"],
)
def test_nothing_is_built_of_what_determines_nothing(tmp_path: Path, text: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(text)
    assert "built" not in {one.name for one in freebody.adopt(page).models}


def test_a_central_force_of_a_field_is_an_input(tmp_path: Path) -> None:
    text = r"$$ m(\ddot r - r\dot\theta^2) = F(r), \quad 2\dot r\dot\theta + r\ddot\theta = 0 $$"
    path = built(tmp_path, text).model_path
    assert path is not None
    model = freebody.load(path)
    assert ({*model.coordinates}, [*model.inputs]) == ({"r", "theta"}, ["F"])


SLUNG = r"""
$$ \mathbf{x} = [q, \dot q]
   = [x, \dot x, z, \dot z, \theta_d, \dot\theta_d, \theta_p, \dot\theta_p] $$

$$ q = [x, z, \theta_d, \theta_p] $$

$$ T = \tfrac12(m_d + m_p)(\dot x^2 + \dot z^2) + \tfrac12 I\dot\theta_d^2
   + m_p l\dot\theta_p(\dot x\cos\theta_p + \dot z\sin\theta_p) + \tfrac12 m_p l^2\dot\theta_p^2 $$

$$ U = (m_p + m_d)g z - m_p g l\cos\theta_p $$
"""
"""A load below a drone, with its states in another order than those of its columns."""


def test_what_two_coordinates_shift_is_one_body(tmp_path: Path) -> None:
    path = built(tmp_path, SLUNG).model_path
    assert path is not None
    masses = sorted(str(body.mass) for body in freebody.load(path).bodies)
    assert masses == ["0", "0", "m_d", "m_p"]


ROLLING = r"""
$$ x_s = u\cos\gamma = R\phi\cos\gamma, \qquad y_s = -u\sin\gamma = -R\phi\sin\gamma \tag{1} $$
$$ x_c = x_s + d\sin\phi, \qquad y_c = y_s + d\cos\phi \tag{2} $$
$$ v^2 = \dot x_c^2 + \dot y_c^2 \tag{3} $$
$$ T = \tfrac12 m v^2 + \tfrac12 I\omega^2
   = \tfrac12 m\bigl(R^2 + d^2 + 2Rd\cos(\phi-\gamma)\bigr)\dot\phi^2
   + \tfrac12 I\dot\phi^2 \tag{4} $$
$$ V = m g y_c, \qquad L = T - V \tag{5} $$
$$ \ddot\phi = \frac{m R d\sin(\phi-\gamma)\dot\phi^2 + m g R\sin\gamma + m g d\sin\phi}
   {m(R^2 + d^2 + 2Rd\cos(\phi-\gamma)) + I} \tag{6} $$
"""


@pytest.mark.exhaustive
def test_an_uneven_ball_that_rolls_is_no_link(tmp_path: Path) -> None:
    (best,) = built(tmp_path, ROLLING).models
    assert (best.name, best.fails) == ("built", ())
    assert "(6)" in best.fits
    (report,) = freebody.alone(tmp_path / "page.md").documents
    assert not report.counts()["contradicts"]
    assert {one.label for one in report.equations if one.status == "consistent"} >= {"(6)"}


RUBBED = r"""
$$ (M+m)\ddot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta
   = F - \mu (M+m) g\tanh(\dot x/v_s) - b\dot x|\dot x| \tag{1} $$
$$ m l^2\ddot\theta + m l\ddot x\cos\theta - m g l\sin\theta
   = -d\arctan(k\dot\theta) - c\,\mathrm{sgn}(\dot\theta) - e\dot\theta \tag{2} $$
"""
DRAGGED = r"""
$$ m\ddot x = -b\dot x\sqrt{\dot x^2 + \dot y^2}, \qquad
   m\ddot y = -b\dot y\sqrt{\dot x^2 + \dot y^2} - m g $$
"""


@pytest.mark.few(RUBBED)
@pytest.mark.parametrize(
    ("text", "units"),
    [
        (RUBBED, {"mu": "1", "v_s": "m/s", "b": "kg/m", "k": "s", "c": "kg*m**2/s**2"}),
        (DRAGGED, {"b": "kg/m"}),
    ],
)
def test_friction_by_functions_of_rates_is_a_load(
    tmp_path: Path, text: str, units: dict[str, str]
) -> None:
    found = built(tmp_path, text)
    assert (found.models[0].name, found.models[0].fails) == ("built", ())
    assert found.guesses is not None
    assert {one.standing for one in found.guesses.symbols} == {"sure"}
    model = freebody.load(tmp_path / "page_model.toml")
    assert {name: model.constants[name].unit for name in units} == units
    assert freebody.check(tmp_path / "page_document.md").agrees


COUPLED = r"""
$$ m_1\ddot y_1 + k(y_1 - y_2) = F $$

$$ m_2\ddot y_2 + k(y_2 - y_1) = 0 $$
"""
COUPLED_IN_COLUMNS = r"""
$$ \begin{pmatrix}\ddot u\\ \ddot w\end{pmatrix} = \begin{pmatrix} -\frac{a + b}{m} & \frac{b}{m}\\
\frac{b}{n} & -\frac{b + c}{n}\end{pmatrix}\begin{pmatrix} u\\ w\end{pmatrix} $$
"""


@pytest.mark.few(COUPLED)
@pytest.mark.parametrize("text", [COUPLED, COUPLED_IN_COLUMNS], ids=["rows", "columns"])
def test_masses_that_springs_link_are_two(tmp_path: Path, text: str) -> None:
    made = built(tmp_path, text)
    best = made.models[0]
    assert not best.fails
    assert made.model_path is not None
    assert len(freebody.load(made.model_path).coordinates) == 2
    assert made.guesses is not None
    assert all(one.standing == "sure" for one in made.guesses.symbols)


LEGS = r"""
$$ \begin{bmatrix}(m_H + m) l^2 + m a^2 & -m l b\cos(\theta_s - \theta_n)\\
  -m l b\cos(\theta_s - \theta_n) & m b^2\end{bmatrix}
  \begin{bmatrix}\ddot\theta_s\\ \ddot\theta_n\end{bmatrix} +
  \begin{bmatrix}-m l b\sin(\theta_s - \theta_n)\dot\theta_n^2\\
  m l b\sin(\theta_s - \theta_n)\dot\theta_s^2\end{bmatrix} +
  \begin{bmatrix}-(m_H l + m a + m l) g\sin\theta_s\\ m b g\sin\theta_n\end{bmatrix} = 0 $$
"""
EQUAL_RODS = r"""
$$ \frac43 m l^2\ddot\theta_1 + \frac12 m l^2\cos(\theta_1 - \theta_2)\ddot\theta_2
  + \frac12 m l^2\sin(\theta_1 - \theta_2)\dot\theta_2^2 + \frac32 m g l\sin\theta_1 = u $$

$$ \frac12 m l^2\cos(\theta_1 - \theta_2)\ddot\theta_1 + \frac13 m l^2\ddot\theta_2
  - \frac12 m l^2\sin(\theta_1 - \theta_2)\dot\theta_1^2 + \frac12 m g l\sin\theta_2 = w $$
"""
TWO_PENDULUMS = r"""
$$ m l^2\ddot\theta_1 = -m g l\sin\theta_1 + k a^2(\sin\theta_2 - \sin\theta_1)\cos\theta_1 $$

$$ m l^2\ddot\theta_2 = -m g l\sin\theta_2 - k a^2(\sin\theta_2 - \sin\theta_1)\cos\theta_2 $$
"""
WHEELS = r"""
$$ (M + 2 m + \frac{2 I_w}{r^2})\ddot x + M l\cos\theta\,\ddot\theta
  - M l\dot\theta^2\sin\theta = \frac{\tau}{r} $$

$$ (I + M l^2)\ddot\theta + M l\cos\theta\,\ddot x - M g l\sin\theta = -\tau $$
"""
ABOUT_PIVOT = r"$$ I\ddot\theta = m g h\sin\theta + N g d\sin\theta + T_a + T_d $$"
BALL = r"""
$$ (\frac{J_b}{R^2} + m)\ddot r - m r\dot\alpha^2 + m g\sin\alpha = 0 $$

$$ (m r^2 + J + J_b)\ddot\alpha + 2 m r\dot r\dot\alpha + m g r\cos\alpha = \tau $$
"""
TURNED_PLANE = r"""
$$ \ddot x = -\nu^2 x + 2\Omega\dot y, \qquad \ddot y = -\nu^2 y - 2\Omega\dot x $$
"""
SMALL = r"""
$$ m\ddot x_1 = -\frac{m g}{l} x_1 - k(x_1 - x_2), \quad
   m\ddot x_2 = -\frac{m g}{l} x_2 + k(x_1 - x_2) $$
"""
STRAIGHT = r"""
The cart and its pole about the upright position.

$$ (M + m)\ddot x - m l\ddot\phi + b\dot x = u, \quad
   (I + m l^2)\ddot\phi - m g l\phi = m l\ddot x $$
"""
STRETCHED = r"""
$$ \ddot r = (l + r)\dot\theta^2 + g\cos\theta - \omega^2 r, \qquad
   \ddot\theta = -\frac{1}{l + r}(2\dot r\dot\theta + g\sin\theta) $$
"""


@pytest.mark.exhaustive("legs")
@pytest.mark.few(LEGS, WHEELS)
@pytest.mark.parametrize(
    ("text", "masses"),
    [
        (LEGS, ["m", "m", "m_H"]),
        (EQUAL_RODS, ["m", "m"]),
        (TWO_PENDULUMS, ["m", "m"]),
        (WHEELS, ["2*m", "M"]),
        (ABOUT_PIVOT.replace("N g d", "m_2 g d"), ["m", "m2"]),
        (BALL, ["m"]),
        (TURNED_PLANE, ["m"]),
        (SMALL, ["m", "m"]),
        (STRAIGHT, ["M", "m"]),
        (STRETCHED, ["m"]),
    ],
    ids=["legs", "rods", "two", "wheels", "pivot", "ball", "divided", "small", "line", "sum"],
)
def test_a_letter_may_be_the_mass_of_several_bodies_or_of_none_that_moves(
    tmp_path: Path, text: str, masses: list[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text(text)
    model = next(one for one in recognise(read_bare(page, "none")).models if one.name == "built")
    assert not model.fails
    known = sorted(str(one.mass) for one in model.made.model.bodies if str(one.mass) != "0")
    assert known == sorted(masses)
    ring = Ring()
    derived = [derive(model.made.model, method, ring) for method in METHODS]
    assert all(one.equal for one in agreement(derived).values())


@pytest.mark.exhaustive
def test_a_mass_by_which_equations_are_divided_is_no_letter_of_the_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        r"$$ \ddot\theta_1 = -a\sin\theta_1 + b(\theta_2 - \theta_1), \quad "
        r"\ddot\theta_2 = -a\sin\theta_2 + b(\theta_1 - \theta_2) $$"
    )
    models = recognise(read_bare(page, "none")).models
    (own,) = (one for one in models if one.name == "built")
    assert own.made.symbols.keys() == {"a", "b", r"\theta_1", r"\theta_2"}
    assert "I" in own.made.model.constants


def test_the_mass_that_springs_are_divided_by_is_that_of_the_body(tmp_path: Path) -> None:
    r"""Of :math:`\ddot r = \ldots - \frac{k}{m} r`, where another mass would be one too many."""
    page = tmp_path / "page.md"
    page.write_text(r"""
$$ \ddot r = (l + r)\dot\theta^2 + g\cos\theta - \frac{k}{m} r $$
$$ \ddot\theta = -\frac{g\sin\theta + 2\dot r\dot\theta}{l + r} $$
""")
    best = freebody.adopt(page).models[0]
    assert best.name == "built"
    assert {"m", "k", "l", "g"} <= {*best.symbols}
    assert not best.fails


def test_accelerations_by_name_are_those_of_coordinates(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("$$ m a_x = -k x - c v_x $$\n$$ a_x = -\\frac{k}{m} x - \\frac{c}{m} v_x $$\n")
    best = freebody.adopt(page).models[0]
    assert best.name == "mass_spring"
    assert best.fits == ("(#1)", "(#2)")


@pytest.mark.exhaustive("displays")
@pytest.mark.parametrize(
    "modes",
    [
        "In one mode $q_1 = q_2$.",
        "$$ q_1(t) = q_2(t) = C\\cos(\\omega_1 t) $$\n\n$$ q_1(t) = -q_2(t) $$",
    ],
    ids=["running text", "displays"],
)
def test_coordinates_that_are_the_same_in_a_mode_stay_two(tmp_path: Path, modes: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "$$ m\\ddot q_1 = -\\kappa q_1 - \\kappa_{12}(q_1 - q_2) $$\n"
        "$$ m\\ddot q_2 = -\\kappa q_2 - \\kappa_{12}(q_2 - q_1) $$\n\n" + modes + "\n"
    )
    best = freebody.adopt(page).models[0]
    assert {"q_1", "q_2"} <= {*best.symbols}
    assert best.fits[:2] == ("(#1)", "(#2)")


def test_states_that_an_output_names_again_and_rows_that_are_divided_apart(tmp_path: Path) -> None:
    page = r"""
$$ \begin{pmatrix} x_1 \\ x_2 \\ x_3 \\ x_4 \end{pmatrix}
 = \begin{pmatrix} r \\ \dot r \\ \theta \\ \dot\theta \end{pmatrix} $$

$$ \begin{pmatrix} \dot x_1 \\ \dot x_2 \\ \dot x_3 \\ \dot x_4 \end{pmatrix} = \begin{pmatrix}
 x_2 \\ \frac{M R^2}{J_b + M R^2} (x_1 x_4^2 - g\sin x_3) \\ x_4 \\
 \frac{\tau - M (2 x_1 x_2 x_4 + g x_1\cos x_3)}{M x_1^2 + J + J_b} \end{pmatrix} $$

$$ y = x_1 = r $$
"""
    made = built(tmp_path, page)
    assert {"(#1)", "(#2)"} <= {*made.models[0].fits}
    assert made.models[0].fails == ()


def test_a_sum_of_solutions_is_no_coordinate_of_its_own(tmp_path: Path) -> None:
    page = r"""
$$ m\ddot x_1 = -k x_1 + k(x_2 - x_1) $$

$$ m\ddot x_2 = -k x_2 - k(x_2 - x_1) $$

$$ x_1 = x_1^{(1)} + x_1^{(2)}, \qquad x_2 = x_2^{(1)} + x_2^{(2)} $$
"""
    path = tmp_path / "page.md"
    path.write_text(page)
    made = freebody.adopt(path, force=True)
    assert {"x_1", "x_2"} <= made.models[0].symbols.keys()


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        (
            r"""
$$ G = \frac{6.7\times 10^{-11} \ m^3}{kg \ s^2}\left(\frac{6\times 10^{24} \ kg}{1 \ m_e}\right)
  = \frac{4\times 10^{14} \ m^3}{m_e \ s^2} $$
$$ \mu\ddot r = \frac{l^2}{\mu r^3} - \frac{G m_1 m_2}{r^2} \tag{3} $$
""",
            {"(3)"},
        ),
        (
            r"""
$$ m\ddot x = -F \tag{1} $$
$$ m\ddot x = \Phi_e + P\sin(\omega t) = m\omega^2 x + m g\sin(\omega t) \tag{2} $$
""",
            {"(2.2)"},
        ),
        (
            r"""
## A quadrotor
$$ m\ddot x = -(u_1 + u_2)\sin\theta \tag{1} $$
$$ m\ddot y = (u_1 + u_2)\cos\theta - m g \tag{2} $$
$$ I\ddot\theta = r(u_1 - u_2) \tag{3} $$

## A pendulum
$$ m l^2\ddot\theta + m g l\sin\theta = u \tag{4} $$
""",
            {"(1)", "(2)", "(3)"},
        ),
        (
            r"""
$$ m = \frac{m_1 m_2}{m_1 + m_2} \tag{1} $$
$$ L = \frac{m}{2}(\dot r^2 + r^2\dot\varphi^2) - U, \qquad U = -\frac{\alpha}{r} \tag{2} $$
""",
            {"(1)", "(2.1)", "(2.2)"},
        ),
    ],
    ids=[
        *("units in letters", "the end of a chain", "another system in another section"),
        "a reduced mass",
    ],
)
def test_equations_are_told_from_what_stands_beside_them(
    tmp_path: Path, text: str, fits: set[str]
) -> None:
    path = tmp_path / "page.md"
    path.write_text(text)
    (found,) = (one for one in recognise(read_bare(path, "none")).models if one.name == "built")
    assert {*found.fits} == fits
    assert not found.fails


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("text", "name"), [(OF_EACH, "double_pendulum"), (DIFFERENTIATED, "cart_pendulum")]
)
def test_squares_of_speeds_are_told_by_an_index_and_by_derivatives(
    tmp_path: Path, text: str, name: str
) -> None:
    page = tmp_path / "page.md"
    page.write_text(text)
    best = freebody.adopt(page).models[0]
    assert best.name == name
    assert not best.fails


def test_what_is_eliminated_for_small_motions_stays_in_the_model(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        r"""
$$T = J\ddot\theta + c\dot\theta + m g d\sin\theta$$

# Control

$$\frac{\theta(s)}{T(s)} = \frac{1}{J s^2 + c s + m g d}$$

By the transfer function $T(s) = K_m V(s)$, and

$$\ddot\theta = -\frac{m g d}{J}\theta - \frac{c}{J}\dot\theta + \frac{K_m}{J} u$$
""",
        encoding="utf-8",
    )
    (first, *_) = recognise(read_bare(page, "none")).models
    assert first.fits == ("(#1)",)
    assert {"T", "J", "c", "m", "d"} <= first.made.symbols.keys()


def test_energies_in_letters_that_print_as_products_tell_a_model(tmp_path: Path) -> None:
    made = built(
        tmp_path,
        r"""
$$ KE = \tfrac12 (J + m r^2)\dot\alpha^2 + \tfrac12 k_2\dot\beta^2 $$

$$ PE = m g r\cos\alpha $$

$$ L = KE - PE $$

$$ (J + m r^2)\ddot\alpha - m g r\sin\alpha = u $$
""",
    )
    told = {one.symbol: one.meaning for one in made.symbols}
    assert told[r"\mathrm{KE}"] == "energy.kinetic"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (r"$$ E = \tfrac12 m\dot x^2 + \tfrac12 k x^2 $$", "mass_spring"),
        (
            r"$$ E_c = \tfrac12 m(\dot r^2 + r^2\dot\theta^2) $$ $$ E_p = -\frac{K}{r} $$",
            "built",
        ),
        (
            r"$$ E_m = \tfrac12 m\dot r^2 + \tfrac12 m C^2/r^2 - K/r $$ $$ C = r^2\dot\theta $$",
            "built",
        ),
    ],
)
def test_a_total_energy_tells_a_model(tmp_path: Path, text: str, name: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(text.replace("$$ $$", "$$\n\n$$"))
    made = freebody.adopt(page, force=True)
    assert name in {one.name for one in made.models}
    assert not made.models[0].fails


@pytest.mark.exhaustive
@pytest.mark.one_in(2)
@pytest.mark.parametrize("sign", ["-", "+"])
def test_what_acts_is_told_by_an_equation_with_a_misprint_too(tmp_path: Path, sign: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        rf"""
A unicycle: the wheel has the inertia $J_w = \tfrac12 m_w R^2$, its rider $J_r = \tfrac13 m_r h^2$.

$$ T = \tfrac12 (m_w + m_r + J_w/R^2)\dot x^2 + m_r h\dot x\dot\phi\cos\phi
  + \tfrac12 (m_r h^2 + J_r)\dot\phi^2, \quad V = m_r g h\cos\phi $$

$$ (m_w + m_r + J_w/R^2)\ddot x + m_r h\ddot\phi\cos\phi - m_r h\dot\phi^2\sin\phi = M/R $$

$$ m_r h\ddot x\cos\phi + (m_r h^2 + J_r)\ddot\phi {sign} m_r g h\sin\phi = -M - b\dot\phi $$
"""
    )
    built = next(one for one in recognise(read_bare(page, "none")).models if one.name == "built")
    assert built.fails == (() if sign == "-" else ("(#3)",))
    assert 'torque = "-M"' in built.made.text
    assert "[[dampers]]" in built.made.text
    assert 'center_of_mass = [0, "h", 0]' in built.made.text  # upright, as the page's energy has it


@pytest.mark.exhaustive
def test_what_is_said_of_an_index_is_said_of_each_number_that_it_has(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        r"""
The bodies are at

$$ x_{c,k} = \sum_{i=1}^{k-1} l_i\sin\theta_i + \frac{l_k}{2}\sin\theta_k $$

$$ y_{c,k} = -\sum_{i=1}^{k-1} l_i\cos\theta_i - \frac{l_k}{2}\cos\theta_k $$

with the inertia $I_k = \tfrac{1}{12} m_k l_k^2$, so that

$$ T = \sum_{k=1}^{2} \left[\tfrac12 m_k(\dot x_{c,k}^2 + \dot y_{c,k}^2)
  + \tfrac12 I_k\dot\theta_k^2\right], \qquad V = \sum_{k=1}^{2} m_k g\,y_{c,k} $$
"""
    )
    built = next(one for one in recognise(read_bare(page, "none")).models if one.name == "built")
    assert {"(#1, k=2)", "(#2, k=1)", "(line 8)"} <= {*built.fits}
    assert [str(one.mass) for one in built.made.model.bodies] == ["m1", "m2"]


@pytest.mark.parametrize("said", [" with $x = (x_1, x_2)^T$", ""])
def test_a_column_of_states_tells_equations_of_motion(tmp_path: Path, said: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        f"The pendulum{said} obeys "
        r"""

$$ \dot x = \begin{pmatrix} x_2 \\ -\frac{g}{l}\sin x_1 \end{pmatrix}
  + \begin{pmatrix} 0 \\ \frac{1}{m l^2}\end{pmatrix} u $$
"""
    )
    models = recognise(read_bare(page, "none")).models
    assert models[0].name == "pendulum"
    assert models[0].made.symbols["x_1"] == "x1"


def test_a_pendulum_of_small_motions_has_a_length_and_an_angle(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(r"For small angles $$ l\ddot\theta = -g\theta $$")
    (built,) = recognise(read_bare(page, "none")).models
    model = built.made.model
    assert [str(model.constants[key].unit) for key in ("g", "l")] == ["m/s**2", "m"]
    assert model.coordinates["theta"].unit == "rad"


@pytest.mark.exhaustive
def test_what_turns_about_one_axis_is_told_with_and_without_its_unit_vector(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        r"""
A wheel of the inertia $I_w$ turns by $\theta$ at the end of a rod of the inertia $I_p$, mass $m$.

$$ \vec{\tau}_w = I_w\ddot\theta\hat{k} = \left(c V - d\dot\theta\right)\hat{k} $$

$$ I_p\ddot\phi = -\left(c V - d\dot\theta\right)\hat{k} + m g l\sin\phi\,\hat{k} $$

The state is $x_2 = \dot\phi$, $x_3 = \dot\theta$, so that

$$ \begin{bmatrix} \ddot\phi \\ \ddot\theta \end{bmatrix}
  = \begin{bmatrix} \dot x_2 \\ \dot x_3 \end{bmatrix} $$
"""
    )
    built = next(one for one in recognise(read_bare(page, "none")).models if one.name == "built")
    assert [*built.made.model.coordinates] == ["phi", "theta"]
    assert "torque = " in built.made.text


def test_a_drive_of_a_lagrangian_acts_once(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        r"""
$$ L = \frac{1}{2} m R^2\dot\theta^2
  + m g R(\sin\theta\sin\alpha\cos\omega t + \cos\alpha\cos\theta) $$

$$ \ddot\theta = -\gamma\dot\theta - \frac{g}{R}\cos\alpha\sin\theta
  + \frac{g}{R}\sin\alpha\cos\omega t\cos\theta $$
"""
    )
    (built,) = recognise(read_bare(page, "none")).models
    assert {*built.fits} == {"(#1)", "(#2)"}
    assert not built.made.model.prescribed


@pytest.mark.few(r"\ddot\theta + c\dot\theta + \sin\theta = a\sin(\Omega t)")
@pytest.mark.parametrize(
    "text",
    [
        r"\ddot\theta + c\dot\theta + \sin\theta = a\sin(\Omega t)",
        r"\ddot x + \delta\dot x - x + x^3 = \gamma\cos(\omega t)",
        r"\ddot x - \mu(1 - x^2)\dot x + x = 0",
        r"m\ddot x - \mu(1 - x^2)\dot x + m\omega_0^2 x = 0",
        r"m l^2\ddot\theta + b\dot\theta + 9.81 m l\sin\theta = 0",
        r"3\ddot x_1 = -2x_1 + x_2 $$ $$ \ddot x_2 = x_1 - 2x_2",
    ],
    ids=["a pendulum", "Duffing", "van der Pol", "with a mass", "a decimal", "two masses"],
)
def test_units_that_a_page_leaves_out_are_one(tmp_path: Path, text: str) -> None:
    made = built(tmp_path, f"$$ {text} $$")
    assert not made.models[0].fails
    assert made.model_path is not None
    units = freebody.load(made.model_path).prescribed.values()
    assert {one.value for one in units} == {1}
    assert made.path is not None
    (document,) = freebody.check(made.path).documents
    assert {one.status for one in document.equations} == {"holds"}


def test_a_linear_equation_in_numbers_alone_is_no_model(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(r"$$ \ddot x + 3\dot x + 2 x = 0 $$")
    assert not recognise(read_bare(page, "none")).models


def test_complex_solutions_are_no_motion_of_their_own(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        r"""
$$ m\ddot x + b\dot x + k x = F\cos(\omega t) $$

$$ m\ddot z + b\dot z + k z = F e^{i\omega t} $$
"""
    )
    (best, *_) = recognise(read_bare(page, "none")).models
    assert best.system.coordinates == ("x",)


def test_a_torque_as_a_function_of_time_brakes_a_rotor(tmp_path: Path) -> None:
    made = built(
        tmp_path,
        r"""
$$ \dot\theta = \omega \qquad J\dot\omega = \tau - b\omega - \tau_L $$

Here $\tau_L = \tau_L(t)$ is the torque of the load.
""",
    )
    assert made.model_path is not None
    assert {*freebody.load(made.model_path).inputs} == {"tau", "tau_L"}


def test_a_motor_brakes_what_it_lifts(tmp_path: Path) -> None:
    """With the mass below the line of what acts, as in an equation of state space."""
    page = tmp_path / "lift.md"
    page.write_text(r"""
$$ \dot x = v \qquad \dot v = -\frac{G^2 K_t}{R r^2 m K_v} v + \frac{G K_t}{R r m} V $$
""")
    (made,) = (one for one in recognise(read_bare(page, "none")).models if one.name == "built")
    (joint,) = made.made.model.joints
    assert str(joint.force) == "-G**2*K_t*x_dot/(K_v*R*r**2) + G*K_t*V/(R*r)"


@pytest.mark.parametrize("printed", [r"\frac{1}{m} L = ", r"\frac{L}{m} = ", r"2 L = 2 m"])
def test_a_multiple_of_an_energy_says_what_it_is(tmp_path: Path, printed: str) -> None:
    """Here of a disc on an arm that precesses and nods."""
    page = tmp_path / "page.md"
    page.write_text(rf"""
$$ {printed} \Bigl(\frac14 R^2\left(\dot\theta - \dot\phi\sin\psi\right)^2
  + \left(\frac{{R^2}}{{8}} + \frac{{l^2}}{{2}}\right)(\dot\psi^2 + \dot\phi^2\cos^2\psi)
  + g l\sin\psi\Bigr) $$
""")
    found = recognise(read_bare(page, "none")).models
    assert found[0].name == "spinning_top"


ROOTS = {
    r"- \frac12 k\left(\sqrt{x^2 + h^2} - l\right)^2": "-k*(sqrt(x**2 + h**2) - l)**2/2",
    r"+ \frac{G m M}{\sqrt{(x - h)^2 + l^2}}": "G*m*M/sqrt((x - h)**2 + l**2)",
    r"+ \frac{k}{d_1}, \quad d_1^2 = x^2 + h^2 + h x": "k/sqrt(x**2 + h**2 + h*x)",
    r"- k\sqrt{x^2 + h^2}\,x^2": "-k*sqrt(x**2 + h**2)*x**2",
}
"""What Lagrangians have with roots of places, in the letters of a page and of SymPy."""


@pytest.mark.parametrize("printed", ROOTS)
def test_roots_of_places_are_differentiated(tmp_path: Path, printed: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(rf"$$ L = \frac12 m\dot x^2 {printed} $$")
    (made,) = (one for one in recognise(read_bare(page, "none")).models if one.name == "built")
    (joint,) = made.made.model.joints
    assert made.fails == ()
    names = {
        name: sympy.Symbol(name, positive=True) for name in ("x", "h", "l", "k", "m", "G", "M")
    }
    energy = sympy.sympify(ROOTS[printed], names)
    difference = sympy.sympify(str(joint.force), names) - energy.diff(names["x"])
    values = {one: n + sympy.Rational(1, 3) for n, one in enumerate(names.values())}
    assert abs(difference.subs(values).evalf()) < 1e-12


SOLVED = r"""
$$ \ddot\theta = \frac{K}{J_1}\alpha - \frac{b}{J_1 R}\dot\theta + \frac{1}{J_1} u $$

$$ \ddot\alpha = -\frac{K}{J_1}\alpha + \frac{b}{J_1 R}\dot\theta - \frac{1}{J_1} u
  - \frac{K}{J_2}\alpha + \frac{m g h}{J_2}\sin(\theta + \alpha) $$
"""


@pytest.mark.parametrize("output", ["", r"The output: $$ y = h(x) = \theta + \alpha $$"])
def test_two_bodies_on_a_spring_are_told_by_what_is_solved(tmp_path: Path, output: str) -> None:
    """Of a joint that bends; a function with the letter of a length is not put in for it."""
    page = tmp_path / "joint.md"
    page.write_text(SOLVED + output)
    (made,) = (one for one in recognise(read_bare(page, "none")).models if one.name == "built")
    model = made.made.model
    assert made.fails == ()
    assert 'gravity = [0, "-g", 0]' in made.made.text
    assert 'torque = "-K*' in made.made.text
    assert {"g", "h", "m", "K", "J1", "J2"} <= model.constants.keys()


CONTROLLED = r"""
$$ M_s\ddot z_s = -K_s s - C_s\dot s + u, \qquad s = z_s - z_u $$

$$ M_u\ddot z_u = K_s s + C_s\dot s - K_t z_u - u $$

The controller:

$$ u = -K_p s - K_d\dot s - K_i\xi, \qquad \dot\xi = s $$
"""


def test_the_law_of_a_controller_is_no_equation_of_motion(tmp_path: Path) -> None:
    page = tmp_path / "quarter_car.md"
    page.write_text(CONTROLLED)
    made = recognise(read_bare(page, "none")).models[0].made.model
    assert {*made.coordinates} == {"z_s", "z_u"}
    assert {*made.inputs} == {"u"}
    assert "K_d" not in made.constants


DRIVEN_POLE = r"""
The wheel rolls: $$ \dot r = \rho\dot\phi $$

$$ T = \frac12 m(\dot r^2 + 2 l\dot r\dot\theta\cos\theta + l^2\dot\theta^2), \quad
   U = m g l\cos\theta, \quad L = T - U $$

With the inertia of the pole

$$ \begin{bmatrix} m & m l\cos\theta \\ m l\cos\theta & m l^2 + I_p \end{bmatrix}
   \begin{bmatrix} \ddot r \\ \ddot\theta \end{bmatrix} = \begin{bmatrix}
   m l\dot\theta^2\sin\theta \\ m g l\sin\theta \end{bmatrix} + \begin{bmatrix}
   \tau_r \\ \tau_\theta \end{bmatrix} $$

where $$ \tau_r = \frac{d}{dt}\frac{\partial L}{\partial\dot r} - \frac{\partial L}{\partial r} $$
"""


def test_the_model_has_what_a_page_adds_to_its_energies(tmp_path: Path) -> None:
    """In the coordinates of its equations; a law of Lagrange says not what a force is."""
    page = tmp_path / "robot.md"
    page.write_text(DRIVEN_POLE)
    made = recognise(read_bare(page, "none")).models[0].made.model
    assert {*made.coordinates} == {"r", "theta"}
    assert {*made.inputs} == {"tau_r", "tau_theta"}
    assert "I_p" in made.constants


def test_lines_may_be_at_an_angle_in_degrees(tmp_path: Path) -> None:
    page = tmp_path / "wedge.md"
    page.write_text(r"""
$$ L = \frac{m_1}{2}(\dot x^2 + \dot\xi^2 + 2\dot x\dot\xi\cos 30) + \frac{m_2}{2}\dot x^2
  + P\xi\sin 60 $$
""")
    (made,) = recognise(read_bare(page, "none")).models
    assert {*made.made.model.coordinates} == {"x", "xi"}
    assert "sqrt(3)" in made.made.text


def test_levers_of_forces_are_constants(tmp_path: Path) -> None:
    page = tmp_path / "craft.md"
    page.write_text(r"""
$$ m\ddot x = -(f_1 + f_2)\sin\theta, \quad m\ddot z = (f_1 + f_2)\cos\theta - m g $$

$$ I\ddot\theta = L (f_2 - f_1) $$
""")
    made = recognise(read_bare(page, "none")).models[0].made.model
    assert {*made.inputs} == {"f1", "f2"}
    assert "L" in made.constants


def test_a_lagrangian_that_is_multiplied_out_wrongly_leaves_its_energies(tmp_path: Path) -> None:
    text = r"""
$$ x = (l + L)\cos\theta, \quad y = (l + L)\sin\theta $$
$$ K = \frac12 m (\dot x^2 + \dot y^2), \quad U = \frac12 k (l + L)^2 - m g x $$

With $\mathcal{L} = K - U$ this is

$$ \mathcal{L} = \frac12 m [(L + l)^2\dot\theta^2 + \dot l^2]^2 - \frac12 k (L + l)^2
   + m g (L + l)\cos\theta $$
"""
    made = built(tmp_path, text)
    assert {*freebody.load(tmp_path / "page_model.toml").coordinates} == {"theta", "l"}
    assert not made.models[0].fails


@pytest.mark.parametrize(
    ("text", "spin"),
    [
        (
            r"$$ L = \frac56 m\dot r^2 + \frac12(m r^2 + J)\dot\theta^2 - m g r\sin\theta $$",
            "2/3*m",
        ),
        (
            r"""
$$ \ddot r = \frac57(r\dot\theta^2 - g\sin\theta) $$

$$ (m r^2 + J)\ddot\theta + 2 m r\dot r\dot\theta + m g r\cos\theta = \tau $$
""",
            "2/5*m",
        ),
    ],
    ids=["a Lagrangian", "equations"],
)
def test_a_ball_rolls_on_a_beam_with_a_number_for_its_inertia(
    tmp_path: Path, text: str, spin: str
) -> None:
    made = built(tmp_path, text)
    assert not made.models[0].fails
    model = freebody.load(tmp_path / "page_model.toml")
    assert {*model.coordinates} == {"r", "theta"}
    assert {str(one.mass) for one in model.bodies} == {"0", "m", spin}


SWING = r"""
$$ \mathcal{L} = \frac12 I_1\dot\phi^2 + \frac12 I_2(\dot\phi + \dot\theta)^2
   - l_1 N\dot\phi(\dot\phi + \dot\theta)\cos\theta + M l_1 g\cos\phi - N g\cos(\phi + \theta) $$

where $M = m_1 + m_2 + m_3$, $N = m_3 l_3 - m_2 l_2$, $I_1 = M l_1^2$ and
$I_2 = m_2 l_2^2 + m_3 l_3^2$. For small amplitudes, with $\theta = \theta_0\cos\omega t$,

$$ \ddot\phi + \omega_0^2\phi = F\cos(\omega t) $$

where $I_0 = I_1 + I_2 - 2 l_1 N(1 - \theta_0^2/4)$ and $\omega_0 = K_0/I_0$.
"""


def test_masses_on_both_sides_of_a_pivot_are_on_one_link(tmp_path: Path) -> None:
    made = built(tmp_path, SWING)
    assert "(#1)" in made.models[0].fits
    model = freebody.load(tmp_path / "page_model.toml")
    assert {*model.coordinates} == {"phi", "theta"}
    assert {str(one.mass) for one in model.bodies} == {"m1", "m2", "m3"}


def test_a_load_that_is_nothing_in_a_case_acts(tmp_path: Path) -> None:
    text = r"""
$$ -m g L_1\sin\theta + L_2 u - b\dot\theta = J\ddot\theta $$

$$ \ddot\theta = \frac1J\left(-m g L_1\sin\theta - b\dot\theta + L_2 u\right) $$

Without the motor, with $u = 0$,
$\ddot\theta = \frac1J\left(-m g L_1\sin\theta - b\dot\theta\right)$
"""
    made = built(tmp_path, text)
    assert {"(#1)", "(#2)"} <= {*made.models[0].fits}
    assert "u" in freebody.load(tmp_path / "page_model.toml").inputs


def test_a_place_of_rest_is_no_coordinate_though_it_is_accelerated_once(tmp_path: Path) -> None:
    """Nor is the index of a current one that counts: k_1 is not what k_i is."""
    text = r"""$$m\ddot x = m g - k\frac{i^2}{x^2}$$ $$i = k_1 u$$ $$k = \frac{m g x_0^2}{i_0^2}$$
        $$\ddot x_0 = g - f, \quad f = k\frac{i^2}{m x^2}$$
        $$x = x_0 + \Delta x$$ $$\ddot x = -k_i i + k_x x$$ $$k_i = \frac{2 g}{i_0}$$"""
    made = built(tmp_path, text.replace("$$ $$", "$$\n\n$$"))
    model = freebody.load(tmp_path / "page_model.toml")
    assert ({*model.coordinates}, {*model.inputs}) == ({"x"}, {"i"})
    assert not any("i0" in str(one.meaning) for one in made.symbols if one.symbol == "k_1")


@pytest.mark.parametrize(("below", "inputs"), [("c", ["x_c"]), ("0", [])])
def test_a_place_that_drives_another_is_an_input(
    tmp_path: Path, below: str, inputs: list[str]
) -> None:
    built(tmp_path, rf"$$m\ddot x_m + c\dot x_m + m\frac{{g}}{{l}}(x_m - x_{below}) = 0$$")
    assert [*freebody.load(tmp_path / "page_model.toml").inputs] == inputs


def test_a_matrix_is_no_factor_of_a_load(tmp_path: Path) -> None:
    page = tmp_path / "craft.md"
    page.write_text(r"""
$$ R = \begin{bmatrix} \cos\psi & -\sin\psi & 0 \\ \sin\psi & \cos\psi & 0 \\ 0 & 0 & 1
\end{bmatrix} $$

$$ m\ddot x = \begin{bmatrix} 0 \\ 0 \\ -m g \end{bmatrix} + R T_B + F_D $$
""")
    models = recognise(read_bare(page, "none")).models
    assert not any("R*T_B" in one.made.text or "T_B*R" in one.made.text for one in models)


def test_a_tension_that_is_eliminated_is_no_load(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        r"""
$$ -m g R\sin\theta = m R^2\ddot\theta $$

$$ -T\sin\theta = m R(\ddot\theta\cos\theta - \dot\theta^2\sin\theta) $$

$$ T\cos\theta - m g = m R(\ddot\theta\sin\theta + \dot\theta^2\cos\theta) $$

$$ -T\sin\theta\cos\theta = m R(\ddot\theta\cos^2\theta - \dot\theta^2\sin\theta\cos\theta) $$

$$ \ddot\theta = -\frac{g}{R}\sin\theta $$
"""
    )
    found = recognise(read_bare(page, "none"))
    assert "T" not in found.models[0].made.symbols
    assert "(#5)" in found.models[0].fits


def test_moments_may_all_be_divided_by_their_lengths(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        r"""
$$ (m_1 + m_2) l_1\ddot\theta_1 + m_2 l_2\ddot\theta_2\cos(\theta_1 - \theta_2)
  + m_2 l_2\dot\theta_2^2\sin(\theta_1 - \theta_2) + (m_1 + m_2) g\sin\theta_1
  + b\dot\theta_1 = 0 $$

$$ m_2 l_2\ddot\theta_2 + m_2 l_1\ddot\theta_1\cos(\theta_1 - \theta_2)
  - m_2 l_1\dot\theta_1^2\sin(\theta_1 - \theta_2) + m_2 g\sin\theta_2 + b\dot\theta_2 = 0 $$
"""
    )
    found = recognise(read_bare(page, "none")).models[0]
    assert found.name == "built"
    assert (found.fits, found.fails) == (("(#1)", "(#2)"), ())


def test_a_list_of_moments_of_inertia_is_of_no_body(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        r"""
$$ \tau = r F $$ $$ F = m g $$ $$ \omega = \frac{d\theta}{dt} $$ $$ \alpha = \frac{d\omega}{dt} $$

$$ I = \sum m_i r_i^2 $$ $$ I = \frac{2}{5} M R^2 $$ $$ I = \frac12 M R^2 $$ $$ I = \frac13 M L^2 $$

$$ \tau = I\alpha $$
"""
    )
    assert not recognise(read_bare(page, "none")).models


def test_what_an_angle_or_an_input_steers_is_a_model(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    for right in (r"K_b \sin u", "K_b u", "u", "F"):
        page.write_text(rf"The ball is at $x$, where $$ \ddot x = {right} $$", encoding="utf-8")
        models = recognise(read_bare(page, "none")).models
        assert bool(models) is ("K" in right)
        for one in models:
            assert one.made
            assert {*one.made.model.inputs} == {"u"}
            assert one.made.model.constants["K_b"].value == 1


def test_what_is_thrown_moves_along_the_axis_along_which_nothing_acts(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(r"$$ \ddot x = 0, \quad \ddot y = -g $$")
    (own,) = (one for one in recognise(read_bare(page, "none")).models if one.name == "built")
    assert [*own.made.model.coordinates] == ["x", "y"]


def test_a_misprinted_balance_gives_way_to_one_solved_in_another_section(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        r"""
# Balances

$$ (I_b + m_w l^2)\ddot\theta_b = (m_b a + m_w l) g\sin\theta_b - (\tau - c_w\theta_w)
   - c_b\dot\theta_b $$

$$ I_w(\ddot\theta_b + \ddot\theta_w) = \tau - c_w\dot\theta_w $$

# State equations

$$ \ddot\theta_b = \frac{(m_b a + m_w l) g\sin\theta_b - (\tau - c_w\dot\theta_w)
   - c_b\dot\theta_b}{I_b + m_w l^2} $$

$$ \ddot\theta_w = \frac{(I_b + I_w + m_w l^2)(\tau - c_w\dot\theta_w)}{I_w(I_b + m_w l^2)}
   - \frac{(m_b a + m_w l) g\sin\theta_b - c_b\dot\theta_b}{I_b + m_w l^2} $$
"""
    )
    own = recognise(read_bare(page, "none")).models[0]
    assert own.name == "built"
    assert (own.fits, own.fails) == (("(#2)", "(#3)", "(#4)"), ("(#1)",))
