"""What is told of the symbols of a page for which no model is told, or that the model has not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.guesses.symbols import Open
from freebody.cli import main
from freebody.documents import read_bare
from freebody.documents.latex.page.page import Page
from freebody.documents.latex.printed_names import printed_names
from freebody.recognition import adopt
from freebody.recognition.symbols.page_symbols import page_symbols

UNKNOWN = r"""
A wheel of mass $m$ carries a rotor. Here $I_w$ is the moment of inertia of the wheel, $\kappa$ is
the constant of the motor, and $N$ denotes the number of its windings.

$$I_w \ddot\theta_1 + c\,\dddot\theta_1 = \kappa i^3 - m g r \tanh(\theta_1 \xi^2)$$
$$p = m r \dot\theta_1$$
$$\theta_{1,0} = \theta_1(0)$$
$$L = T - V$$
"""
"""Equations that no model has."""


def _told(path: Path) -> dict[str, tuple[object, bool]]:
    """Return what is told of symbols where no model is looked for."""
    found = page_symbols(read_bare(path, "none"))
    return {one.symbol: (one.meaning, one.is_sure) for one in found}


@pytest.fixture(scope="module")
def unknown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "rotor.md"
    path.write_text(UNKNOWN, encoding="utf-8")
    return path


def test_a_rate_is_the_same_with_the_state_behind_it(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(r"$$\ddot\theta(\theta, \dot\theta) = -\frac{g}{l}\sin\theta$$", "utf-8")
    assert {r"\theta", r"\ddot{\theta}", "g", "l"} <= {*_told(page)}


@pytest.mark.parametrize(
    ("symbol", "meaning", "is_sure"),
    [
        ("I_w", "moment of inertia of the wheel", True),
        (r"\kappa", "constant of the motor", True),
        ("N", "number of its windings", True),
        ("p", r"= m r \dot\theta_1", True),
        ("g", "acceleration of gravity", True),
        (r"\theta_1", "angle", True),
        (r"\ddot{\theta}_{1}", r"rate of order 2 of \theta_1", True),
        ("T", "kinetic energy", True),
        ("t", "t", True),
    ],
)
def test_without_a_model_the_page_and_the_names_tell(
    unknown: Path, symbol: str, meaning: str, is_sure: bool
) -> None:
    text = UNKNOWN + ("\n$$\\frac{dp}{dt} = 0$$\n" if symbol == "t" else "")
    unknown.write_text(text, encoding="utf-8")
    assert _told(unknown)[symbol] == (meaning, is_sure)


def test_letters_that_nearly_all_pages_use_alike_are_sure_where_nothing_is_said(
    tmp_path: Path,
) -> None:
    page = tmp_path / "page.md"
    page.write_text("$$ m_1 + a = l_2 q_3 $$ and $m_z$, $q$, where $l_3$ is the momentum.")
    told = _told(page)
    assert told["m_1"] == ("mass", True)
    assert told["l_2"] == ("length", True)
    assert told["q_3"] == ("generalized coordinate", True)
    assert not told["l_3"][1]
    assert not any(told[key][1] for key in ("a", "m_z", "q"))


def test_letters_are_explained_that_are_code_or_plain(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "$$ F + x_1 = k\\,\\tanh(k) $$\n\n- `F` is the force of the spring,\n"
        "- `k` es la constante del resorte (rigidez)\n\n"
        "A plane (angle α) and two masses m₁, m₂. See `np` and `theta`.\n",
        encoding="utf-8",
    )
    told = _told(page)
    assert told["F"] == ("force of the spring", True)
    assert told["k"] == ("constante del resorte", True)
    assert told[r"\alpha"] == ("angle", True)
    assert told["m_2"] == ("mass", True)
    assert not {"n", "p", r"\theta"} & told.keys()


@pytest.mark.parametrize(
    ("symbol", "meaning", "is_sure", "words"),
    [
        ("M_f", "mass matrix", True, ""),
        ("K_f", "stiffness matrix", True, ""),
        (r"\mathbf{i}^{b}", "unit vector", True, ""),
        ("x_{ref}", "desired value of x", True, ""),
        (r"v_\max", "greatest value of v", True, ""),
        ("C_L", "lift coefficient", True, "The lift is small."),
        ("C_l", "rolling moment coefficient", True, "The lift, and the moments by $C_m$, $C_n$."),
        (r"C_{m\alpha}", "aerodynamic coefficient", True, "The angle of attack is small."),
        ("K_k", "Kalman gain", True, "A Kalman filter."),
        (r"\sigma_a", "standard deviation", True, "A Kalman filter."),
        (r"\boldsymbol{\phi}_1", "mode shape", True, "The first mode shape."),
        ("N_1", "number of teeth", True, "Gears with some teeth."),
        (r"\Omega", "angular velocity or frequency", False, ""),
        (r"\lambda_f", "eigenvalue", False, "It has eigenvalues."),
        ("p", "semi-latus rectum", True, "An orbit of some eccentricity."),
        ("u", "control input", False, r"A controller, and $\dot u = f$."),
        ("R", "weight of the cost", False, "The DC motor has an LQR controller."),
        ("T_1", "thrust", False, "Each rotor gives a thrust."),
        ("v_{in}", "voltage", False, ""),
        (r"\sigma_v", "uncertainty", False, "With the uncertainties of a fit."),
        ("q_1", "component of a quaternion", False, "A quaternion turns it."),
        ("q_w", "component of a quaternion", True, "A quaternion turns it."),
        (r"\mathbf{R}_b^{i}", "rotation matrix", True, "It rotates."),
        (r"\vec{L}", "angular momentum", True, ""),
        (r"\vec{p}", "momentum", True, "The momentum is kept."),
        (r"\vec{a}", "acceleration", True, ""),
        (r"\vec{\Omega}", "angular velocity or frequency", True, ""),
        ("{}^{B}V_Q", "velocity", True, "A frame."),
        (r"a_{\phi_1}", "coefficient", False, ""),
        ("m_x", "moment", False, "Moments about each axis."),
        ("h", "length", False, r"Heights after each time step $\Delta t$."),
        (r"\mu", "coefficient of friction", False, r"On an orbit $\dot\omega + \mu$."),
        (r"\mu", "gravitational parameter", True, r"On an orbit it is $\mu/r^2$."),
        (r"\boldsymbol{\alpha}", "angular acceleration", True, ""),
        (r"\tau", "dimensionless time", False, r"$$\frac{d^2 y}{d\tau^2} = -y$$"),
        ("I_A", "moment of inertia", False, "A coil has it."),
        (r"\phi", "angle", False, r"The force is $\nabla\phi$."),
    ],
)
def test_letters_are_called_by_convention_where_pages_speak_of_such(
    tmp_path: Path, symbol: str, meaning: str, is_sure: bool, words: str
) -> None:
    page = tmp_path / "page.md"
    shown = rf"\left[{symbol}\right] + \left[M\right]" if symbol[:2] in ("M_", "K_") else symbol
    page.write_text(f"{words}\n\n$$ {shown} + \\ddot x\\dot v = s\\,\\omega $$\n")
    assert _told(page)[symbol] == (meaning, is_sure)


def test_rates_are_told_that_stand_in_running_text_alone(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        r"Of $\ddot\theta = -k\theta$ with the state $(\theta, \dot\theta)$, and $\dot z$."
    )
    told = _told(page)
    assert told[r"\dot{\theta}"] == (r"rate of \theta", True)
    assert told[r"\dot{z}"] == ("rate of z", True)


def test_a_law_is_told_whatever_numbers_are_raised_to(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("$$ F = 9^{999999999} m a $$\n\n$$ p = m v $$")
    assert _told(page)["v"] == ("velocity", True)


def test_scripts_in_front_of_a_letter_are_no_part_of_it() -> None:
    page = Page(r"so $\partial_{\theta} L$ is", inline=True)
    (name,) = printed_names(page, Open())
    assert name == r"{}_{\theta}L"
    assert SymbolShape.of(name.replace("{\\theta}", "\\theta")).letter == "_thetaL"


def test_they_are_shown_where_no_model_fits(unknown: Path) -> None:
    result = CliRunner().invoke(main, ["adopt", str(unknown)])
    assert result.exit_code == 1
    assert "none of the models fits" in result.output
    assert {"I_w", "sure", "inertia", "wheel"} <= {*result.output.split()}


@pytest.mark.parametrize(
    ("words", "is_sure"),
    [
        ("$m$ is the mass of the cart.", True),
        ("$m$ is the mass of the cart, and the mass $m$ is large.", True),
        ("$m$ is the mass of the cart. Then $m$ is the mass of the rod.", True),
        ("$m$ is the location of the mass.", False),
        ("$m$ is the length of the rod.", False),
    ],
)
def test_a_letter_is_sure_that_all_words_call_what_it_is_for(
    unknown: Path, words: str, is_sure: bool
) -> None:
    unknown.write_text(rf"{words} $$m \ddot x = \tanh(x \xi)$$", encoding="utf-8")
    assert _told(unknown)["m"][1] is is_sure


def test_of_a_letter_that_stands_for_two_things_only_what_both_are_is_told(unknown: Path) -> None:
    words = "$m$ is the mass of the cart. Then $m$ is the mass of the rod."
    unknown.write_text(rf"{words} $$m \ddot x = \tanh(x \xi)$$", encoding="utf-8")
    assert _told(unknown)["m"] == ("mass", True)


@pytest.mark.parametrize(
    ("text", "symbol", "meaning"),
    [
        (
            r"where $\rho$ is the density of the fluid. $\rho$ is the air density: $$\xi = \rho$$",
            r"\rho",
            "density of the fluid",
        ),
        (r"Of an orbit $$E = \tanh(v) - \frac{\mu}{\xi}$$", r"\mu", "gravitational parameter"),
        (r"With $m_2$ (which changes nothing) $$\xi = \tanh(m_2)$$", "m_2", "mass"),
        (
            r"The drag $$C_D = \frac{\xi}{\tanh v}$$ $$C_D = 2\xi$$ $$C_D = \eta$$",
            "C_D",
            "drag coefficient",
        ),
        (r"$$\xi = \tanh(v_0)$$", "v_0", "velocity"),
        (r"It starts by $$\xi = \tanh(\dot v + v_0)$$", "v_0", "initial value of v"),
        (r"$\theta$ hits at the time of impact $t_h$ $$w = \tanh(t_h)$$", "t_h", "time"),
        (r"A planet of radius $R$ and a ball of radius $R$ $$w = \xi R$$", "R", "radius"),
        (r"We solve this problem $v_0$, which is $$w = \tanh(v_0)$$", "v_0", "velocity"),
        (r"A body of mass $m$ $$w = \tanh(m)$$", "m", "mass"),
        (r"The tyres have slip angles $$w = \tanh\alpha_f$$", r"\alpha_f", "angle"),
        (r"Products of inertia $$w = I_{i,\,xy}$$", r"I_{i,xy}", "product of inertia"),
        (r"$$w = \hat{a}_x\xi$$", r"\hat{a}_x", "unit vector"),
        (r"$$w = \overrightarrow{u}_z\xi$$", r"\overrightarrow{u}_z", "unit vector"),
        (r"An orbit of eccentricity: $$w = \tanh e$$", "e", "eccentricity"),
        (r"By Hamilton's canonical momenta: $$w = \tanh p_1$$", "p_1", "momentum"),
        (
            r"$${\bf v}_{\rm T} = \tanh\xi$$ $$\xi = \tanh{\bf p}_{{\rm F}/{\rm O}}$$",
            r"\mathbf{p}_{F/O}",
            "position",
        ),
        (r"$$w = \tanh(\xi t)$$", "t", "time"),
        (r"Of a rotation $$v = R_{WB} w$$", "R_{WB}", "rotation matrix"),
        (r"$$D(q)\ddot q + C(q,\dot q)\dot q + G(q) = \tau$$", "G(q)", "gravity terms"),
        (r"Denavit wrote $$w = T_{i,i+1}$$", "T_{i,i+1}", "homogeneous transformation"),
        (r"The Jacobian $$w = J_{geometric}$$", "J_{geometric}", "Jacobian"),
        (r"The regressor $$w = \tanh Y$$", "Y", "regressor"),
        (r"$$\mathbf{B}(q)\ddot q + \mathbf{F}\dot q = w$$", r"\mathbf{F}", "damping matrix"),
        (r"A controller $$\mathbf{B}\ddot q + \mathbf{K}_P q = w$$", r"\mathbf{K}_P", "gain"),
        (r"The control is adaptive control: $$w = \tanh\Gamma$$", r"\Gamma", "gain matrix"),
        (r"$$w = c_{\theta_i} a_i + s_{\theta_i}$$", r"s_{\theta_i}", r"sine of \theta_i"),
        ("- `a`: tower base coordinate system\n\n$$w = a$$", "a", "tower base coordinate system"),
    ],
)
def test_what_is_nearly_always_so_is_sure(
    unknown: Path, text: str, symbol: str, meaning: str
) -> None:
    unknown.write_text(text.replace("$$ $$", "$$\n\n$$"), encoding="utf-8")
    assert _told(unknown)[symbol] == (meaning, True)


@pytest.mark.parametrize(
    ("definitions", "symbol", "is_sure"),
    [
        (r"$$\omega_0 = \sqrt{\kappa/\mu}$$", r"\omega_0", True),
        (r"$$\omega_0 = \sqrt{\kappa/\mu}$$ $$\omega_0 = 2\pi\nu$$", r"\omega_0", True),
        (
            r"$$\omega_0 = \sqrt{\kappa/\mu}$$ $$\omega_0 = 2\nu$$ $$\omega_0 = \nu/\xi$$",
            r"\omega_0",
            False,
        ),
        (r"$$\omega_0 = \sqrt{\kappa/\mu}$$ $$\omega_0 = \nu$$", r"\omega_0", False),
        (r"$$y_1 = a\theta$$", "y_1", True),
        (r"$$y_1 = A\cos(\nu t)$$", "y_1", False),
        (r"$$v_1 = a\dot\theta$$", "v_1", True),
        (r"$$F_1 = \mu N$$", "F_1", True),
        (r"$$F_1 = a\ddot\theta$$", "F_1", False),
        (r"$$T = b\dot\theta^2$$", "T", True),
        (r"$$T = 0.5\dot\theta^2$$", "T", False),
        (r"$$T = 0.04166 b\dot\theta^2$$", "T", True),
        (r"$$\nu_1 = 0.75 a b$$", r"\nu_1", True),
        (r"$$\nu_1 = 0.7 a b$$", r"\nu_1", False),
        (r"$$\theta_1 = \theta$$", r"\theta_1", False),
        (r"$$\eta_1 = \frac{\pi}{2} + k\pi$$", r"\eta_1", False),
        (r"as $\nu_j = \eta, \rho$ are", r"\nu_j", False),
        (
            (
                r"$$Y = \begin{pmatrix} a\theta \\ \dot\theta \\ \boldsymbol{\xi}_1 \end{pmatrix}"
                r" \quad\text{and much more that is said of it}$$"
            ),
            "Y",
            True,
        ),
    ],
)
def test_what_a_page_defines_is_sure_unless_it_is_an_example_or_a_solution(
    unknown: Path, definitions: str, symbol: str, is_sure: bool
) -> None:
    text = definitions.replace("$$ $$", "$$\n\n$$")
    unknown.write_text(rf"{text} $$\xi\ddot\theta = \tanh(\theta\xi^2)$$", encoding="utf-8")
    meaning, is_told = _told(unknown)[symbol]
    assert (is_told and (is_sure or str(meaning).startswith("="))) is is_sure


@pytest.mark.parametrize(
    ("equation", "symbol", "is_sure"),
    [
        (r"$$m\ddot x + c\dot x + k x = \tanh(x\xi)$$", "k", True),
        (r"$$m\ddot x + c\dot x + k x = \tanh(x\xi)$$", "c", True),
        (r"$$\nu\ddot x = k + \tanh(x\xi)$$", "k", False),
        (r"$$m\ddot x = \tanh(\phi)\cos\phi$$", r"\phi", True),
        (r"$$m\ddot x = \tanh(\chi)$$", r"\chi", False),
        (r"$$m\ddot x_i = \tanh(x_i\xi)$$", "m", True),
        (r"$$m + k = \tanh(M_n)$$", "m", False),
        (r"$$N_1 = m g + \tanh(\xi)$$", "g", True),
        (r"$$\vec F = m\vec g + \xi$$", r"\vec{g}", True),
        (r"$$\chi = \xi\vec g$$", r"\vec{g}", False),
        (r"$$m \frac{d^2 x}{dt^2} = \tanh(x\xi)$$", "m", True),
        (r"$$m \ddot x = F + \tanh(\xi) \eta$$", "F", True),
        (r"$$m l \ddot \theta = F + l$$", "F", False),
        (r"$$m \ddot x = m g_f + \tanh(\xi) \eta$$", "g_f", False),
        (r"$$m x \ddot x = T + \tanh(\xi) \eta$$", "T", False),
        (r"For the state $$x_0 = q_0$$ $$m \ddot q_0 = \tanh(q_0\xi)$$", "x_0", False),
        (r"$$\theta_m = \pi/6$$ $$m \ddot \theta = \tanh(\theta_m\xi)$$", r"\theta_m", True),
        (r"$$g_n = a\sin(\nu t)$$ $$m \ddot z = \tanh(g_n\xi)$$", "g_n", False),
        (r"$$\nu = \begin{cases} a & x > 0 \\ \rho & x < 0 \end{cases}$$", r"\rho", False),
        (r"Of a voltage: $$v_z = cost$$ $$m \ddot z = V\tanh(v_z\xi)$$", "v_z", False),
        (r"For $x \in \mathbf{R}^n$: $$\eta = \mathbf{R}_1 \xi$$", r"\mathbf{R}_1", False),
        (r"For $x \in \mathbf{R}$: $$\eta = \xi$$", r"\mathbf{R}", True),
        (r"$$\eta = \underline{\underline{r}}\xi$$", r"\underline{\underline{r}}", False),
    ],
)
def test_a_letter_is_sure_that_equations_have_as_what_it_is_for(
    unknown: Path, equation: str, symbol: str, is_sure: bool
) -> None:
    unknown.write_text(equation.replace("$$ $$", "$$\n\n$$"), encoding="utf-8")
    assert _told(unknown)[symbol][1] is is_sure


@pytest.mark.parametrize(
    ("page", "symbol", "meaning"),
    [
        (r"The forces $$F_d + M_d = \eta + \xi$$", "M_d", "moment"),
        (r"$$\eta + \xi = m a$$", "a", "acceleration"),
        (r"$$\eta + \sigma = d\,\dot\xi$$", "d", "damping coefficient"),
        (r"La réaction de la table: $$\vec R + \vec Q = \eta + \xi$$", r"\vec{R}",
         "reaction force"),
        (r"$$\vec P = \tanh(\xi) \vec u_z$$ est le poids", r"\vec{u}_z", "unit vector"),
        (r"A rotation of frames: $$\tanh(\xi) = R_{ij} p$$", "R_{ij}", "rotation matrix"),
        (r"$$\xi = \int \tanh(\tau)\,d\tau$$", r"\tau", "variable of integration"),
        (r"The torque is $$\xi = \int d\tau$$ $$\tau = \eta\alpha$$", r"\tau", "= \\eta\\alpha"),
        (r"The roll angle of the rear chassis $\phi$: $$\tanh\phi = \xi$$", r"\phi",
         "roll angle of the rear chassis"),
        (r"$$z = -g t^2 + h$$", "z", "coordinate"),
        (r"$$\xi_i = \tanh(\eta)$$ $$i + k = \nu + \rho$$", "i", "index"),
    ],
)  # fmt: skip
def test_a_letter_is_told_by_what_stands_beside_it(
    unknown: Path, page: str, symbol: str, meaning: str
) -> None:
    unknown.write_text(page.replace("$$ $$", "$$\n\n$$"), encoding="utf-8")
    assert _told(unknown)[symbol][0] == meaning


@pytest.mark.parametrize(
    ("words", "symbol", "meaning"),
    [
        ("$m_1$ and $m_2$ are the masses of the cart and the pole.", "m_2", "masses of the pole"),
        ("$m$ and $l$ are the mass and the length of the pole.", "m", "mass"),
        ("$m, l$ are the mass and the length of the pole, respectively.", "l",
         "length of the pole"),
        ("$x$ and $y$ are the coordinates of the mass.", "y", "coordinates of the mass"),
    ],
)  # fmt: skip
def test_each_of_several_symbols_has_its_part_of_what_is_said(
    unknown: Path, words: str, symbol: str, meaning: str
) -> None:
    unknown.write_text(rf"{words} $$\xi\ddot x = \tanh(x l m m_1 m_2 y)$$", encoding="utf-8")
    assert _told(unknown)[symbol][0] == meaning


@pytest.mark.parametrize(
    ("text", "symbol", "meaning"),
    [
        ("| Cart mass | $m$ | 2 kg |\n", "m", "Cart mass"),
        ("| 質量 | $[kg]$ | $m$ | 慣性モーメント | $[kgm^2]$ | $l$ |\n", "l", "慣性モーメント"),
        ("| $m$ | mass of the cart | $l$ | length of it |\n", "l", "length of it"),
        ("- Pendulum mass: $m$\n- Pendulum length: $l$\n- Force: $y$\n", "l", "Pendulum length"),
        ("- Pendulum mass: $m$\n- Pendulum length: $l$\n", "m", "Pendulum mass"),
        ("1. **Length** $l$ (m)\n", "l", "Length"),
        ("m: mass of it\n\nl: its width\n", "l", "its width"),
        ("m：质量\nl：车轮间距\n", "l", "车轮间距"),
        ("x: who asks?\nl: nobody\n", "l", "length"),
        ("$l$ : 長さ \\\n$m$ : 質量 \\\n", "l", "長さ"),
    ],
)
def test_tables_and_lists_say_what_symbols_are_on_either_side(
    unknown: Path, text: str, symbol: str, meaning: str
) -> None:
    unknown.write_text(text + "\n$$\\xi\\ddot x = \\tanh(x l m y)$$\n", encoding="utf-8")
    assert _told(unknown)[symbol][0] == meaning


@pytest.mark.parametrize(
    "words",
    ["where $l$ is 2 m", "| $l$ | 2 m |", "where $l > L/2$", "$l$ is the same as we have seen"],
)
def test_values_and_sentences_are_no_names(unknown: Path, words: str) -> None:
    unknown.write_text(f"{words}\n\n$$\\xi\\ddot x = \\tanh(x l)$$\n", encoding="utf-8")
    assert _told(unknown)["l"] == ("length", True)


def test_symbols_of_formulas_that_cannot_be_read_are_told_too(unknown: Path) -> None:
    unknown.write_text(
        r"The mass of the wheel $m_w$. $$\sum_{i=1}^{n} F_i^e \heartsuit J_w \ddot\theta$$",
        encoding="utf-8",
    )
    told = _told(unknown)
    assert told["i"] == ("index", True)
    assert told["J_w"] == ("moment of inertia", False)
    assert told["m_w"] == ("mass of the wheel", True)


def test_no_letter_of_a_word_below_is_an_index(unknown: Path) -> None:
    text = r"$$z = \sum_{i=1}^2 m_i \tanh(\theta_{pitch} + y_{ui} + x_{min} + c_{ikj})$$"
    unknown.write_text(text, encoding="utf-8")
    told = _told(unknown)
    assert {r"\theta_{pitch}", "y_{u1}", "x_{min}", "c_{2kj}"} <= told.keys()
    assert not {r"\theta_{p1tch}", "x_{m1n}"} & told.keys()


def test_what_is_only_counted_by_an_index_is_not_told(unknown: Path) -> None:
    text = r"$$z_i = c_i\dot\xi_i + \tanh\eta_i, \quad i = 1,\dots,3$$ with $$c_2 = \zeta$$"
    unknown.write_text(text, encoding="utf-8")
    told = _told(unknown)
    assert {"c_i", "c_2", r"\eta_i"} <= told.keys()
    assert not {"c_1", r"\eta_2", r"\dot{\xi}_{3}"} & told.keys()


def test_words_in_a_formula_are_no_letters(unknown: Path) -> None:
    unknown.write_text(r"$$T (運動エネルギー) = \tanh(m_車)$$", encoding="utf-8")
    told = _told(unknown)
    assert "m_車" in told
    assert "運" not in told


def test_lists_in_plain_letters_say_what_symbols_are(unknown: Path) -> None:
    unknown.write_text(
        "- `m1` - mass of the rod\n- **θp**: angle of the rod\n| J_w | inertia of the wheel |\n\n"
        r"$$m_1 \ddot\theta_p = \tanh(\theta_p J_w)$$",
        encoding="utf-8",
    )
    told = _told(unknown)
    assert told["m_1"] == ("mass of the rod", True)
    assert told[r"\theta_p"] == ("angle of the rod", True)
    assert told["J_w"] == ("inertia of the wheel", True)


def test_tables_without_blanks_say_what_symbols_are(unknown: Path) -> None:
    unknown.write_text(
        "|Name|Description|\n|----|----|\n|T   |thrust of the engine|\n"
        "|CD0 |zero-lift drag coefficient|\n"
        "|AR|aspect ratio|\n\n"
        r"$$\xi = \tanh(T C_{D0} \zeta AR)$$",
        encoding="utf-8",
    )
    told = _told(unknown)
    assert told["T"] == ("thrust of the engine", True)
    assert told["C_{D0}"] == ("zero-lift drag coefficient", True)
    assert not {"A", "R"} & told.keys()


@pytest.mark.parametrize("words", ["role of the third tuning", "面への調整"])
def test_what_a_list_says_of_the_symbol_at_its_head_is_sure(unknown: Path, words: str) -> None:
    text = f"- $\\chi$: {words}\n- what $\\eta$: the other says\n\n$$\\xi = \\tanh(\\chi\\eta)$$"
    unknown.write_text(text, encoding="utf-8")
    told = _told(unknown)
    assert told[r"\chi"] == (words, True)
    assert not told[r"\eta"][1]


def test_lines_may_end_as_those_of_windows(unknown: Path) -> None:
    unknown.write_bytes("```\r\nF_x = m·v̇x + ω·ay + Mass·vy\r\n```\r\n".encode())
    assert {r"\dot{v}_{x}", "a_y", r"\mathrm{Mass}"} <= _told(unknown).keys()


def test_words_stand_below_letters_in_plain_equations_of_the_text(unknown: Path) -> None:
    unknown.write_text("The forces are\n\n  F_gravity = -m·g and β_ddot = ω²\n", encoding="utf-8")
    told = _told(unknown)
    assert {"F_{gravity}", r"\ddot{\beta}"} <= told.keys()


def test_names_of_several_letters_are_no_products_where_a_page_declares_them(
    unknown: Path,
) -> None:
    unknown.write_text(
        "| Symbol | Meaning |\n|---|---|\n| vx | Forward speed of the car |\n| Mass | 3 kg |\n\n"
        "- `Fx,f`, `Fx,r`: Tire forces\n\nHere `theta_cmd` is the commanded angle.\n\n"
        "```\nm·v̇x = Fx,f·cos(δ) + Fx,r - Fdrag\nFdrag = Cd_air·vx² + theta_cmd_dot\n"
        "theta_dot_max = 3*vx\n```\n\n```python\nvx = 3\n```\n",
        encoding="utf-8",
    )
    told = _told(unknown)
    assert told["v_x"] == ("Forward speed of the car", True)
    assert told["F_{x,r}"] == ("Tire forces", True)
    assert told[r"\theta_{cmd}"] == ("commanded angle", True)
    assert {r"\dot{v}_{x}", r"\mathrm{Fdrag}", "C_{d,air}", r"\dot{\theta}_{max}"} <= told.keys()
    assert not {"v", "F", "x", "f", "r", "c", "t"} & told.keys()
    assert not {one for one in told if one.startswith(("M", "S"))}


def test_rates_and_what_a_model_lacks_are_told_beside_what_it_has(tmp_path: Path) -> None:
    page = tmp_path / "pendulum.md"
    page.write_text(
        r"The gain $K_p$ is the gain of the controller. $$\ddot\theta = -\frac{g}{l}\sin\theta$$"
        r" $$w = K_p \theta_0 + \dot\theta$$ $$\theta_0 = 0.1$$",
        encoding="utf-8",
    )
    told = {one.symbol: (one.meaning, one.is_sure) for one in adopt(page, force=True).symbols}
    assert told[r"\ddot{\theta}"][1]
    assert str(told[r"\ddot{\theta}"][0]).endswith("''")
    assert told["K_p"] == ("gain of the controller", True)
    assert told[r"\theta_0"] == (r"initial value of \theta", False)


def test_sets_of_motions_are_no_letters(unknown: Path) -> None:
    text = r"Of $R \in SO(3)$ is $tr[R]$. $$\xi = \mathbb{R}^3 \times SE(3)$$"
    unknown.write_text(text, encoding="utf-8")
    assert {"S", "O", "E", "r", "t"}.isdisjoint(_told(unknown))


def test_every_symbol_says_why(unknown: Path) -> None:
    unknown.write_text(UNKNOWN, encoding="utf-8")
    result = CliRunner().invoke(main, ["adopt", str(unknown), "--json"])
    symbols = json.loads(result.output)["symbols"]
    assert all(one["why"] for one in symbols)
    assert {one["symbol"] for one in symbols if one["meaning"] is None} == {"i", r"\xi"}


@pytest.mark.parametrize(
    ("equation", "told"),
    [
        (
            r"$$\dot{\mathbf x} = A\mathbf x + B u$$ $$y = C\mathbf x$$ $$u = -K\mathbf x$$",
            {"A": "system matrix", "B": "input matrix", r"\mathbf{x}": "state",
             "C": "output matrix", "K": "gain matrix"},
        ),
        (
            r"$$x_{k+1} = F x_k + G u_k$$ $$N = x_k^T Q x_k + u_k^T R u_k$$",
            {"F": "system matrix", "G": "input matrix", "Q": "weight of the state",
             "R": "weight of the input"},
        ),
        (r"$$A^T P + P A - P D P + Q = 0$$", {"P": "solution of the Riccati or Lyapunov equation"}),
        (
            r"$$\dot{\hat x} = F\hat x + G u + N (y - E\hat x)$$",
            {r"\hat{x}": "estimated state", "N": "observer gain", "G": "input matrix",
             "E": "output matrix", "y": "output"},
        ),
        (
            r"$$\dot z = F z + T B u + L y$$",
            {"z": "state", "L": "observer gain", "y": "output"},
        ),
        (
            r"$$\dot x = (A - B K) x$$ $$\Phi(s) = (s I - A)^{-1}$$",
            {"A": "system matrix", "B": "input matrix", "K": "gain matrix",
             "I": "identity matrix", "s": "variable of the Laplace transform"},
        ),
        (r"$$\dot e = (A - L C) e$$", {"L": "observer gain", "C": "output matrix"}),
        (r"$$\dot q = r - y$$", {"q": "integral of the error", "r": "reference", "y": "output"}),
        (
            r"$$\dot{\mathbf x} = A\mathbf x + B u$$ $$u = r - N\mathbf x$$",
            {"N": "gain matrix", "r": "reference"},
        ),
        (
            r"$$J = \frac12 x_N^T H x_N + \int_0^T (x^T Q x + u^T S u)\,dt$$",
            {"x_N": "state", "u": "input", "H": "weight of the state", "S": "weight of the input"},
        ),
        (
            r"$$P = F P F^T + Q$$ $$K = P H^T S^{-1}$$",
            {"P": "covariance of the estimate", "Q": "covariance of the noise",
             "H": "output matrix"},
        ),
        (
            r"$$P_k = Q + A^T P_{k+1} A$$",
            {"P_{k+1}": "solution of the Riccati or Lyapunov equation"},
        ),
        (r"$$N = \tfrac12\dot q^T H \dot q + \xi$$", {"H": "mass matrix"}),
        (r"$$w = e^{i\chi\xi}$$", {"e": "Euler's number", "i": "imaginary unit"}),
        (r"$$H(s) = \frac{\xi}{s\tau_m + 1}$$", {r"\tau_m": "time constant"}),
        (
            r"$$w = \xi e^{\lambda t}$$",
            {"e": "Euler's number", r"\lambda": "characteristic exponent"},
        ),
        (
            r"$$w = C_1e^{\eta t} + C_2\exp(-\gamma t)$$",
            {
                "C_1": "amplitude",
                r"\eta": "characteristic exponent",
                "C_2": "amplitude",
                r"\gamma": "decay rate",
            },
        ),
        (r"$$w = \xi e^{\lambda t}$$ $$\det(A - \lambda I) = 0$$", {r"\lambda": "eigenvalue"}),
        (
            r"$$\dot x = f(x) + g(x) u$$",
            {"f(x)": "drift vector field", "g(x)": "input vector field"},
        ),
        (r"$$\ddot x = \xi u$$ $$\frac{X(s)}{U(s)} = \chi$$",
         {"X(s)": "Laplace transform of x", "U(s)": "Laplace transform of u"}),
        (r"$$\det(A - \lambda I) = 0$$", {r"\lambda": "eigenvalue", "I": "identity matrix"}),
        (r"$$y_{n+1} = y_n + h f(t_n, y_n)$$", {"h": "time step"}),
        (r"$$\mathbf p = \mathbf A\dot{\mathbf q} + \mathbf b$$ of a state",
         {r"\mathbf{A}": "mass matrix"}),
        (r"$$\dot{\mathbf p} = J(q)\dot{\mathbf q}$$ $$w = \tanh(n)$$", {"J(q)": "Jacobian"}),
        (
            r"$$M(q)\ddot q + C(q, \dot q)\dot q = \tanh(\xi q)$$",
            {"M(q)": "mass matrix", r"C(q,\dot{q})": "Coriolis and centrifugal matrix"},
        ),
        (r"$$\mathbf r = R_z(\psi)\mathbf s$$", {r"R_z(\psi)": "rotation matrix"}),
        (
            r"$$y = A\cos(\nu t + \beta) + B\sin\nu t$$",
            {"A": "amplitude", "B": "amplitude", r"\nu": "angular frequency", r"\beta": "phase"},
        ),
        (
            r"""$$M = \begin{bmatrix} a + \sin\theta & b + \cos\theta \\ b & c + h \end{bmatrix}$$
                $$K = \begin{bmatrix} e + \sin\theta & h + \cos\theta \\ h & n + h \end{bmatrix}$$
                $$M \ddot{\mathbf x} + K \mathbf x = 0$$""",
            {"M": "mass matrix", "K": "stiffness matrix"},
        ),
        (
            r"$$\bm M\ddot{\bm x} = \bm p - \bm C\dot{\bm x} - \bm K\bm x$$",
            {r"\boldsymbol{p}": "force", r"\boldsymbol{C}": "damping matrix"},
        ),
        (
            r"$$w = (A \cos\nu t + B \sin\nu t) + c \sin\nu t$$",
            {"A": "amplitude", "B": "amplitude"},
        ),
        (
            r"$$\tau = f_c \operatorname{sign}(\dot q) + f_o$$",
            {"f_c": "coefficient of dry friction"},
        ),
        (
            r"$$F_y = D \sin(C \arctan(B \chi - E (B \chi - \arctan(B \chi))))$$",
            {"D": "peak factor of the tyre", "C": "shape factor of the tyre",
             "B": "stiffness factor of the tyre", "E": "curvature factor of the tyre"},
        ),
        (
            r"$$L = T - U = (T_1 + T_2) - (U_1 + U_2)$$",
            {"T_2": "kinetic energy", "U_1": "potential energy"},
        ),
        (
            r"$$L = KE - PE$$ $$KE = KE_r + \tanh\xi$$",
            {r"\mathrm{PE}": "potential energy", r"\mathrm{KE}_r": "kinetic energy"},
        ),
        (
            r"Roll, pitch and yaw: $$w + \phi = \tanh(\theta p) + \tanh(\psi q) + r$$",
            {"p": "angular velocity", "q": "angular velocity", "r": "angular velocity"},
        ),
        (
            r"The hat map: $$\chi = \widehat{\omega}\xi$$",
            {r"\widehat{\omega}": "skew-symmetric matrix"},
        ),
        (
            r"$$J_a\frac{d\omega_a(t)}{dt} = T_a(t) - b_a\omega_a(t)$$",
            {"J_a": "moment of inertia", "T_a": "moment"},
        ),
        (
            r"$$\frac{d}{dt}\frac{\partial T}{\partial\dot q_i} = \xi + Q_i$$",
            {"Q_i": "generalized force"},
        ),
        (r"$$H(s) = \frac{K}{\tau s + 1}$$", {"K": "gain", r"\tau": "time constant"}),
        (r"$$M\ddot q = H^T\lambda$$", {"H": "Jacobian of the constraints"}),
        (
            r"The quaternion is $$q = \begin{bmatrix}\eta & a & b & c\end{bmatrix}^T$$",
            {r"\eta": "component of a quaternion", "c": "component of a quaternion"},
        ),
        (
            r"$$s_i = \sin(q_i), \quad c_i = \cos(q_i)$$ $$\chi = s_3\xi + c_4\tanh\xi$$",
            {"s_3": "sine of q_3", "c_4": "cosine of q_4"},
        ),
        (
            r"$$\hat{f}_1 + \hat{f}_2 = \tanh(\xi)\hat{f}_3$$",
            {r"\hat{f}_1": "unit vector", r"\hat{f}_3": "unit vector"},
        ),
        (r"$$\xi = \tanh(x) + y$$", {"x": "coordinate", "y": "coordinate"}),
    ],
)  # fmt: skip
def test_the_part_of_a_letter_in_its_equation_tells_it(
    unknown: Path, equation: str, told: dict[str, str]
) -> None:
    unknown.write_text(equation.replace("$$ $$", "$$\n\n$$"), encoding="utf-8")
    found = _told(unknown)
    assert {key: found.get(key) for key in told} == {key: (one, True) for key, one in told.items()}


@pytest.mark.parametrize(
    ("equation", "symbol"),
    [
        (r"$$\dot x = a x + b y$$", "a"),
        (r"$$R(u) = \tanh(u)$$", "R(u)"),
        (r"$$\dot x = A x + B u$$" + "\n\n" + r"$$y = \det(B - A\lambda)$$", "A"),
        (r"$$I = R I R^T + m$$", "m"),
        (r"$$N = \dot q^T D \dot q$$", "D"),
        (r"$$J = \int r^2 \rho\,dV$$", "J"),
        (r"$$w = I - m L$$", "I"),
    ],
    ids=["small letters", "a function", "of two equations alike", "turned inertia", "damping",
         "inertia", "a difference of inertias"],
)  # fmt: skip
def test_what_only_looks_like_a_part_is_not_told(unknown: Path, equation: str, symbol: str) -> None:
    unknown.write_text(equation, encoding="utf-8")
    words = str(_told(unknown)[symbol][0])
    assert words == "system matrix" or not {"matrix", "covariance", "cost"} & {*words.split()}


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("text", "told"),
    [
        (r"$${}^{0}\omega_1 = {}^{0}R_1\,\nu$$", {"{}^{0}R_1": ("rotation matrix", True)}),
        (r"$$\xi = {}^{\mathcal{I}}\boldsymbol{\omega}^{\mathcal{B}} + {}^{0}g_1$$",
         {r"{}^{\mathcal{I}}\boldsymbol{\omega}^{\mathcal{B}}": ("angular velocity", True),
          "{}^{0}g_1": (None, False)}),
        (r"A state: $$\xi = x_G + y_G + x_f + k_{eq} + \theta_{eq} + k + \theta$$",
         {"x_G": ("coordinate", True), "x_f": ("coordinate", False),
          r"\theta_{eq}": (r"equilibrium value of \theta", True), "k_{eq}": ("stiffness", False)}),
        (r"$$\xi = H w$$ $$w = p$$", {"H": (None, False), "p": ("position", False)}),
        (r"A controller: $$\xi = u_r w$$", {"u_r": ("control input", False)}),
        (r"With $\Delta s$ and $s_{\max}$: $$s = s_{\max} u$$",
         {r"\Delta s": ("change of s", True), r"s_\max": ("greatest value of s", True)}),
        (r"$$x = c_1 s_2 w + c_2 s_1 w$$", {"c_1": ("cosine of an angle", False)}),
        (r"$$w = \tanh(x)$$ Here $J^T \mathbf F$ is meant.", {"T": ("transposition", False)}),
        (r"$$w = x\,\mathbf{e}_r + 2\pi y$$",
         {r"\mathbf{e}_r": ("unit vector", True), r"\pi": ("the number pi", True)}),
        (r"$$\dot{\mathbf x} = \mathbf f(\mathbf x, u)$$", {r"\mathbf{x}": ("state", True)}),
        (r"$$\xi = k\,\chi$$", {"k": (None, False)}),
        (r"With springs: $$\xi = k\,\chi$$", {"k": ("stiffness", True)}),
        (r"With springs and a controller: $$\xi = k\,\chi$$", {"k": ("stiffness", False)}),
        (r"With springs: $$V = m g z + \frac12 K_a\theta^2$$ $$w = \sin\theta$$",
         {"K_a": ("stiffness", False)}),
        (r"$$\theta = q$$ $$w = \tanh(q)$$", {r"\theta": ("angle", True)}),
        (r"In fact $y$ in $$w = \tanh(y)$$", {"y": ("coordinate", True)}),
        (r"For $r = 1\ldots n$ $$\sum_r F_r = \xi$$", {"r": ("index", True)}),
        (r"The policy is $$\xi = \pi(\chi, t)$$", {r"\pi": (r"= \xi", False)}),
        (r"$$N + \xi - G\sin(\omega t) = 0$$", {"G": (None, False)}),
        (r"$$\tanh\dot y = w\chi$$", {"y": ("coordinate", True), r"\dot{y}": ("rate of y", True)}),
        (r"For the state: $$\tanh\dot y = w\chi$$", {"y": ("coordinate", False)}),
        (r"$$\xi\dot\psi = w\chi$$", {r"\psi": ("angle", True)}),
        (r"$$w = \tanh\dot\chi$$", {r"\chi": ("coordinate", False),
                                      r"\dot{\chi}": (r"rate of \chi", True)}),
        (r"$$Y(s) = \frac{w}{s}\,\xi$$", {"s": ("variable of the Laplace transform", True)}),
        (r"$$Y(s) = \frac{w}{s}\,\xi$$ $$s = w\theta$$ $$\tanh\dot\theta = \chi$$",
         {"s": (r"= w\theta", True)}),
        (r"With the multiplier $$\tanh\lambda = w\chi$$ and eigenvalues",
         {r"\lambda": ("Lagrange multiplier", False)}),
        ((r"$$k_1 = 0.04 m_1\dot x^2 + 0.03 m_1 (\dot x\sin\theta + \dot y\cos\theta)^2"
         r" + 0.02 m_1 (\dot x\cos\theta)^2 + 0.07 m_1 (\dot x\sin\theta - \dot y)^2$$"
         r" $$\ddot x = g\xi\sin\xi$$"), {"k_1": ("kinetic energy", True)}),
        (r"$$F_l^h - F_l^v = \xi$$", {"F_l^{h}": ("force", True), "F_l^{v}": ("force", True)}),
        (r"$$\underline{x}^\mathrm{r} = w\chi$$", {r"\underline{x}^{r}": (r"= w\chi", True)}),
        (r"$$\delta W = F\,\delta x + N\,\delta y$$", {r"\delta x": ("variation of x", True)}),
        (r"$$\ddot x + 2\delta\dot x + x = e^{-\delta t}$$", {r"\delta": ("decay rate", True)}),
        (r"$$\mathbf{0} = \mathbf{M}\ddot{\mathbf{x}} + \mathbf{K}\mathbf{x}$$",
         {r"\mathbf{0}": ("zero", True), r"\mathbf{K}": ("stiffness matrix", True)}),
        (r"$$[P_x, P_y]^T = [l\cos\phi, l\sin\phi]^T$$", {"P_x": (r"= l\cos\phi", True)}),
        ("Ψ: the tilt of the body\n\nΨ'' = g/L * sinΨ", {r"\Psi": ("tilt of the body", True)}),
        (r"$$\dot x_1 = \xi x_2$$ $$\dot x_2 = -\nu x_1$$", {"x_2": ("state", True)}),
        (
            r"$$w = \xi_0 e^{\mathcal{R} t}$$",
            {r"\xi_0": (None, False), r"\mathcal{R}": ("length", False)},
        ),
        (
            r"For $T = 15$ s, $H$ (in kg m²). $$\xi = T + H + a$$ $$a = 3\,\mathrm{kg}$$",
            {"T": ("time", True), "H": ("moment of inertia", True), "a": ("mass", True)},
        ),
        (
            "| Letter | Unit |\n|---|---|\n| $b$ | N s/m |\n| $N$ | m/s |\n\n$$\\xi = N b$$",
            {"b": ("damping coefficient", True), "N": ("velocity", True)},
        ),
        (r"A rate in $\phi$ (rad/s). $$\xi = \sin\phi$$", {r"\phi": ("angle", False)}),
        (
            r"$$w = c_i\sin(\sqrt{\mu_i}t) + d_i\cos(\sqrt{\mu_i}t)$$",
            {"c_i": ("amplitude", True), "d_i": ("amplitude", True)},
        ),
        (
            r"A state $$\dot{\bm x} = \bm f(\bm x, u)$$ $$\bm y = \bm h(\bm x)$$",
            {
                r"\boldsymbol{y}": ("output", True),
                r"\boldsymbol{h}(\boldsymbol{x})": ("output function", True),
            },
        ),
        (
            r"$$m\ddot z = -k(z - z_0)$$ $$w = k_1(r - r_0)^2 + k_p(q - q_0)$$",
            {
                "z_0": ("position at rest", True),
                "r_0": ("rest length", True),
                "k_1": ("stiffness", True),
                "q_0": ("generalized coordinate", True),
            },
        ),
        (
            r"The Lyapunov exponent is found. $$\xi = T_{end}\lambda$$ $$w = Num_1/Den_1$$",
            {
                r"\lambda": ("Lyapunov exponent", True),
                "T_{end}": ("time", True),
                r"\mathrm{Den}_1": (None, False),
            },
        ),
        (
            r"A transfer function. $$\frac{R(s)}{\theta(s)} = \xi$$ $$\ddot R = \nu\theta$$",
            {
                "R(s)": ("Laplace transform of R", True),
                r"\theta(s)": (r"Laplace transform of \theta", True),
            },
        ),
        (
            r"$$\dot{\mathbf y} = \mathbf f(t, \mathbf y)$$ $$\dot{\mathbf v} = \mathbf f$$",
            {r"\mathbf{y}": ("state", True)},
        ),
        (r"A quaternion $$w = \tanh(Q_0)$$", {"Q_0": ("component of a quaternion", False)}),
        (r"$$\ddot\xi = \nu\ddot u$$ of a state", {r"\xi": ("coordinate", True)}),
        (r"$$\ddot{\vec R} = \nu\vec s$$", {r"\vec{R}": ("position", True)}),
        (r"$$\ddot x_1 = \xi x_2$$ $$\dot x_2 = -\nu x_1$$", {"x_2": ("coordinate", True)}),
        (r"With $B(\omega)$: $$M\ddot x + B(\omega)\dot x + \mathbf{K} x = \xi$$",
         {r"B(\omega)": ("damping matrix", True)}),
        (r"耗散函数$D$是广义速度$\dot q$的函数。$$D = \xi$$", {"D": (r"= \xi", False)}),
        ("Here $C_v$ is the linear (viscous) damping coefficient. $$C_v = \\chi$$",
         {"C_v": ("linear damping coefficient", True)}),
        ("λ: the multiplier\n\nm x'' = λ - ξ", {r"\lambda": ("multiplier", True)}),
        (r"With a state vector: $$\xi = \mathbf{x}\,\mathbf{A}$$",
         {r"\mathbf{x}": ("state", True), r"\mathbf{A}": ("system matrix", True)}),
        (r"A charged particle in a vector potential: $$\xi = e\vec{A} + V(\vec{x})$$",
         {"e": ("charge", True), r"\vec{A}": ("vector potential", True),
          r"V(\vec{x})": ("potential energy", True)}),
        (r"The yaw rate of the car: $$I\dot r = \xi$$", {"r": ("angular velocity", False)}),
        (r"入力 $u = \delta$ の系 $$\dot x = A x + B u$$", {"u": ("input", True)}),
        (r"$$\xi = m\ddot p$$", {"p": ("position", False)}),
        (r"As a period: $$\omega = \frac{2\pi}{T}$$", {"T": ("period", True)}),
        (r"We write $E$ for the identity matrix. $$\xi = I_3 + I_2$$",
         {"I_3": ("moment of inertia", False)}),
        (r"Il TMC au point $G$ : $$\xi = G$$", {"G": ("TMC au point", False)}),
        (r"The slip angle and the cornering stiffness: $$\chi = \tanh(k v)$$",
         {"k": ("stiffness", False)}),
        (r"$$x_{k+1} = x_k + \tanh(T_s v_k)$$", {"T_s": ("time step", True)}),
        (r"$$H(s) = \tanh(v_t(s))$$", {"v_t(s)": ("velocity", True)}),
        (r"A controller: $$\chi = \tanh(\mathbf{\hat{n}}_i\cdot\mathbf{M}_{B/c})$$",
         {r"\mathbf{\hat{n}}_i": ("unit vector", True), r"\mathbf{M}_{B/c}": ("moment", True)}),
    ],
)  # fmt: skip
def test_what_stands_around_a_letter_tells_it(
    unknown: Path, text: str, told: dict[str, tuple[object, bool]]
) -> None:
    unknown.write_text(text.replace("$$ $$", "$$\n\n$$"), encoding="utf-8")
    found = _told(unknown)
    assert {key: found.get(key) for key in told} == told


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("words", "symbol", "told"),
    [
        (r"where $\rho$ is the density of the air.", r"\rho", ("density of the air", True)),
        (r"where $\rho$ is the mass of the air.", r"\rho", ("mass of the air", False)),
        ("the back electromotive force $V_b$ is", "V_b", ("back electromotive force", True)),
        ("the ratio between the friction $b$ and the mass", "b", ("friction", True)),
        (r"$$d = {\bf r}_1 - {\bf r}_2$$", "d", (r"= {\bf r}_1 - {\bf r}_2", True)),
        (
            r"with $\boldsymbol{\hat{x}} = A e^{i t}$",
            r"\boldsymbol{\hat{x}}",
            ("= A e^{i t}", True),
        ),
        ("In gravitation $$G(s) = G m$$", "G", ("gravitational constant", False)),
        (
            r"The roll stiffness $K_\phi$ in $$\xi = K_\phi\chi$$",
            r"K_\phi",
            ("roll stiffness", True),
        ),
        (
            r"The roll stiffness $K_{\phi}$ $$\xi = K_\phi\chi$$",
            r"K_\phi",
            ("roll stiffness", True),
        ),
        (
            "Let $u(x,t)$ be the height of the string. $$\\xi = u\\chi$$ A controller of a state.",
            "u",
            ("height of the string", False),
        ),
        (
            r"Let $\delta = \chi - \xi$, and $\delta(t)$ be the distance. $$w = \tanh(\delta)$$",
            r"\delta",
            (r"= \chi - \xi", True),
        ),
        (
            r"Ici $\eta$ est la matrice de passage. $$w = \tanh(\eta)$$",
            r"\eta",
            ("matrice de passage", True),
        ),
        (
            r"Here $\eta$ is the same matrix. $$w = \tanh(\eta)$$",
            r"\eta",
            ("same matrix", False),
        ),
        (
            r"Here $\eta$ is the set of modes, and $\eta$ is the loss. $$w = \tanh(\eta)$$",
            r"\eta",
            ("set of modes", False),
        ),
        (
            "With the reduced mass $$\\mu$$ and more. $$\\xi = \\mu\\chi$$",
            r"\mu",
            ("reduced mass", True),
        ),
        ("Each has a length $l$, a mass $m$ and more. $$\\xi = l m$$", "l", ("length", True)),
        ("A thin rod of mass $m$ and more. $$\\xi = m$$", "m", ("mass", True)),
        ("#### The hitch ($H_2$) $$\\xi = H_2$$", "H_2", ("hitch", False)),
        ("A text on **the hitch** ($H_2$) $$\\xi = H_2$$", "H_2", ("hitch", False)),
        (r"Waves up to $k = \pm\pi/a$ $$\xi = k\chi$$", "k", (None, False)),
        (r"With springs and planes $$\xi = k_x\chi$$", "k_x", ("stiffness", False)),
        (
            r"The frequency $\omega_d$ $$x = e^{-\beta t}\cos\omega_d t$$ $$\dot\omega = \chi$$",
            r"\omega_d",
            ("frequency", True),
        ),
        (r"From $t$ to $t_{max}$ $$\xi = \tanh(t_{max})$$", "t_{max}", ("time", True)),
        (
            r"To obtain the length of each strut and eliminate $\eta_i$, $$\xi = \tanh(\eta_i)$$",
            r"\eta_i",
            (None, False),
        ),
        (r"1. 写出速度矢量关系式 $V_B = V_A \tanh\xi$", "V_B", (r"= V_A \tanh\xi", True)),
        (
            "| Equation | $\\chi$ |\n|---|---|\n| a | 0 |\n\n$$\\xi = \\tanh\\chi$$",
            r"\chi",
            (None, False),
        ),
        (
            r"Links turn about these: $$\xi = \tanh(P_{12} + P_{23} + P_{24})$$",
            "P_{12}",
            ("force", False),
        ),
    ],
)
def test_words_are_of_what_they_name(
    unknown: Path, words: str, symbol: str, told: tuple[str, bool] | None
) -> None:
    unknown.write_text(words, encoding="utf-8")
    assert _told(unknown).get(symbol) == told


@pytest.mark.parametrize(
    ("symbol", "told"),
    [
        ("a_{12}", ("entry of a matrix", True)),
        ("a_{22}", ("entry of a matrix", True)),
        ("d_{12}", ("length", False)),
        ("b_{21}", (r"= b_{11}\xi", True)),
        ("x_{12}", ("coordinate", True)),
    ],
)
def test_two_numbers_below_a_letter_are_of_a_matrix_where_it_has_most_of_one(
    unknown: Path, symbol: str, told: tuple[str, bool]
) -> None:
    page = r"""$$a_{11}\xi + a_{12}\eta = a_{22} \tanh d_{12}$$ $$b_{21} = b_{11}\xi$$
        $$w = \tanh(b_{12} + b_{22})$$ $$w = \tanh(x_{11} + x_{12} + x_{21})$$"""
    unknown.write_text(page.replace("$$ $$", "$$\n\n$$"), encoding="utf-8")
    assert _told(unknown)[symbol] == told


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        (r"$$r = \frac{c}{a\cos(\omega t) - \sin(\omega t)}$$", "a"),
        (r"$$\chi = \tanh(\lambda)$$ is a decay.", r"\lambda"),
        (r"A current in the coil: $$\chi = \tanh(I_B)$$", "I_B"),
        (r"Action-angle variables: $$\chi = \tanh(I_i)$$", "I_i"),
        (r"$$\dot\theta = \tanh(t)$$ where $t$ is the width of the track.", "t"),
    ],
    ids=["an orbit", "a decay", "a current", "an action", "a width"],
)
def test_what_a_letter_is_elsewhere_is_not_sure_where_a_page_is_about_more(
    unknown: Path, text: str, symbol: str
) -> None:
    unknown.write_text(text, encoding="utf-8")
    _, is_sure = _told(unknown)[symbol]
    assert not is_sure


@pytest.mark.parametrize(
    ("words", "symbol"),
    [
        (r"The error is $\hat\theta$, and $\hat\theta = \theta - \theta_d$.", r"\hat{\theta}"),
        (r"\begin{frame} The matrix $\mathcal{B}$ has eigenvalues. \end{frame}", r"\mathcal{B}"),
        ("The tyre's friction:\n\n$$F_y = f(\\alpha_f)$$\n\n$$F_x = f(F_z)$$", r"f(\alpha_f)"),
        (r"The mass falls $3$ $m$ at $2$ $m/s$.", "m"),
        (r"The desired poles are $p_1$ and $p_2$ of $(s + p_1)(s + p_2)$.", "p_1"),
    ],
)
def test_what_a_letter_is_not_always_for_is_not_told_for_sure(
    tmp_path: Path, words: str, symbol: str
) -> None:
    (tmp_path / "page.md").write_text(f"$$ \\ddot\\theta + k\\theta = 0 $$\n\n{words}", "utf-8")
    meaning, is_sure = _told(tmp_path / "page.md").get(symbol, (None, False))
    assert not is_sure or str(meaning).startswith("="), meaning


def test_what_stands_at_a_brace_is_told_and_comments_are_no_text(tmp_path: Path) -> None:
    page = tmp_path / "page.tex"
    page.write_text(
        "% the mass $m_9$\n\\[ \\ddot x = \\underbrace{\\frac{k}{m}}_{a_1} x \\]\n",
        encoding="utf-8",
    )
    told = _told(page)
    assert told["a_1"] == (r"= \frac{k}{m}", True)
    assert "m_9" not in told


def test_the_next_paragraph_leads_to_the_next_formula(unknown: Path) -> None:
    unknown.write_text(
        "The energy of the gimbal is:\n\n- $K_g = \\tanh(\\xi)$\n\n"
        "The energy of the wheel is:\n\n- $K_w = \\tanh(\\chi)$\n",
        encoding="utf-8",
    )
    assert "wheel" not in str(_told(unknown)["K_g"][0])


def test_comments_of_markdown_are_no_text(unknown: Path) -> None:
    unknown.write_text("$$ \\ddot x = a $$\n\n<!-- the mass $m_9$\nof $n$ -->", encoding="utf-8")
    assert _told(unknown).keys() == {"x", r"\ddot{x}", "a"}


@pytest.mark.parametrize(
    ("words", "symbol", "meaning"),
    [
        (r"The torque of $\xi$ exerted by a force $\vec{F}$ on it.", r"\vec{F}", "force"),
        (r"At time $t_n$ and $\Delta t$ is the time step.", "t_n", "time"),
        (r"It is the inertia force for body $X$.", "X", "body"),
    ],
)
def test_what_is_named_last_is_called_so(
    unknown: Path, words: str, symbol: str, meaning: str
) -> None:
    unknown.write_text(f"$$ \\ddot\\theta = \\tanh(\\xi) $$\n\n{words}", encoding="utf-8")
    assert _told(unknown)[symbol][0] == meaning


def test_units_and_abbreviations_are_no_symbols(unknown: Path) -> None:
    unknown.write_text(
        "$$ \\ddot\\theta = \\tanh(\\xi) $$\n\n| R | resistance | 0.5 – 10 Ω |\n\n"
        "- **LQR**: gains of the least cost\n- **k1**: gain of the regulator\n",
        encoding="utf-8",
    )
    assert not {r"\Omega", "L_{QR}"} & _told(unknown).keys()
    assert _told(unknown)["k_1"][0] == "gain of the regulator"


def test_a_prime_is_no_rate_beside_a_distance_to_the_point_with_it(unknown: Path) -> None:
    unknown.write_text(
        "The points at the time $t$: $$ x' = x\\cos\\alpha $$\n\n$$ \\Phi = 1/(x - x')^2 $$",
        encoding="utf-8",
    )
    assert r"\dot{x}" not in _told(unknown)


def test_a_matrix_that_turns_is_no_state(unknown: Path) -> None:
    unknown.write_text(
        "Products of inertia: $$ \\dot{\\mathbf I} = \\Omega\\mathbf I - \\mathbf I\\Omega $$\n\n"
        "$$ \\mathbf I = \\begin{pmatrix} I_{xx} & I_{xy} \\\\ I_{xy} & I_{yy} \\end{pmatrix} $$",
        encoding="utf-8",
    )
    assert _told(unknown)["I_{xy}"] == ("product of inertia", True)


def test_a_constant_and_a_response_are_no_stiffness_and_no_gravity(unknown: Path) -> None:
    unknown.write_text(
        "$$ B = k|\\dot\\theta| $$ where $k$ is a constant, and\n\n"
        "$$ g(t) = \\sigma(t)(1 - e^{-t}) $$ $$ \\ddot\\theta = \\tanh(\\xi) $$",
        encoding="utf-8",
    )
    found = _told(unknown)
    assert not any(found[key][1] for key in ("k", "g") if key in found)


@pytest.mark.parametrize(
    ("text", "symbol", "meaning"),
    [
        (
            "Stability derivatives: $$ \\dot q = M_q q + M_{\\delta_e}\\delta_e $$",
            "M_q", ("derivative of a force or moment", True),
        ),
        ("$$ p_\\phi = cte $$ $$ \\frac{\\partial L}{\\partial\\dot\\phi} = p_\\phi $$",
         r"\dot{p}_{\phi}", None),
        (
            "A cross product $$ W = [\\omega]_\\times $$ of the velocity $\\tilde{\\vec{\\omega}}$",
            r"\tilde{\vec{\omega}}", ("velocity", True),
        ),
    ],
)  # fmt: skip
def test_letters_of_flight_and_of_what_is_kept_are_told_as_such(
    unknown: Path, text: str, symbol: str, meaning: tuple[str, bool] | None
) -> None:
    unknown.write_text(text.replace("$$ $$", "$$\n\n$$"), encoding="utf-8")
    assert _told(unknown).get(symbol) == meaning


def test_constants_are_called_by_their_names_without_an_article(unknown: Path) -> None:
    unknown.write_text(
        "Spring constant $\\kappa$, friction constant $\\eta$: $$ 1 = \\eta\\kappa\\tanh\\xi $$",
        encoding="utf-8",
    )
    found = _told(unknown)
    assert found[r"\kappa"][0] == "spring constant"
    assert found[r"\eta"][0] == "friction constant"


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        (r"The gear ratio $$ \dot v = -\frac{G^2 K}{R m} v + 9.81 $$ by gravity.", "G"),
        (
            r"The state-space model $$ \mathbf{u} = \mathbf{K}(\mathbf{r} - \mathbf{x}) $$",
            r"\mathbf{r}",
        ),
        (r"The product $$ \mathbf{a}\cdot\mathbf{b} = a_x b_x + a_y b_y $$", "a_x"),
        (r"A path $$ \kappa(s) = \kappa_0 + c s $$ and its speed $v(s)$.", "s"),
        (r"Forces at times $t_\ell$: $$ F_i(X(t_\ell)) \ne 0, \quad a = \ell $$", r"\ell"),
        (r"Forces at $$ b F_i(X) = a $$", "F_i(X)"),
        (r"Inertia, $$ A = J_x\left[f(x, u)\right] $$", "J_x"),
        (r"The angular momentum $l$ of a robot $$ \dot l = p \tanh(l) $$", "l"),
        (r"In frames $$ x^{\mathcal{A}} = C x^{\mathcal{B}} $$", r"x^{\mathcal{B}}"),
    ],
)
def test_what_may_be_something_else_is_not_sure(unknown: Path, text: str, symbol: str) -> None:
    unknown.write_text(text, encoding="utf-8")
    assert not _told(unknown).get(symbol, ("", False))[1]


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        (r"Of $$ a = l_f + b (lr - l_f) $$ with $l_r$", "l"),
        (r"It is $$ fGyr = C(q,\dot q)\dot q + G(q) $$", "y"),
        (r"We have $$ K = lqrd(A, B) $$", "d"),
        (r"See [\[x.tue.nl = a\]](https://x.tue.nl) and $$ a = b $$", "u"),
    ],
)
def test_a_letter_of_a_word_is_no_symbol(unknown: Path, text: str, symbol: str) -> None:
    unknown.write_text(text, encoding="utf-8")
    assert symbol not in _told(unknown)


def test_a_calligraphic_letter_of_which_something_is_an_element_is_a_set(unknown: Path) -> None:
    unknown.write_text(
        r"In the frame $$ X = a $$ with $X \in \mathcal{R}^n$ and $a \in \mathcal{R}$",
        encoding="utf-8",
    )
    assert _told(unknown)[r"\mathcal{R}"] == ("set of numbers", True)


def test_words_in_the_cell_of_a_symbol_count_before_those_in_the_next(unknown: Path) -> None:
    unknown.write_text(
        "| ground frame $S_g$ | body frame $S_b$ | wind frame $S_a$ |\n| --- | --- | --- |\n\n"
        "| 大地坐标系$S_0$ | 本体坐标系$S_1$ | 气流坐标系$S_2$ |\n| --- | --- | --- |\n\n"
        "$$ a = S_g + S_b + S_a + S_0 + S_1 + S_2 $$",
        encoding="utf-8",
    )
    told = {key: words for key, (words, _) in _told(unknown).items()}
    assert [told[f"S_{one}"] for one in "gba"] == ["ground frame", "body frame", "wind frame"]
    assert [told[f"S_{one}"] for one in "012"] == ["大地坐标系", "本体坐标系", "气流坐标系"]


def test_rows_of_a_column_of_states_define_none_of_them(unknown: Path) -> None:
    """Though they have lost their dots; the letters of a craft tell each other."""
    unknown.write_text(
        r"$$ \begin{bmatrix} u \\ v \\ w \\ \dot p \\ \dot q \\ \dot r \end{bmatrix}"
        r" = \begin{bmatrix} r v - q w \\ p w - r u \\ q u - p v \\"
        r" a q r \\ b p r \\ c p q \end{bmatrix} $$"
        r" $$ \dot\phi + \dot\theta + \dot\psi = p + \dot u + \dot v + \dot w $$",
        encoding="utf-8",
    )
    told = _told(unknown)
    assert [told[one] for one in "uvw"] == [("velocity", True)] * 3
    assert [told[one] for one in "pqr"] == [("angular velocity", True)] * 3


@pytest.mark.parametrize(
    ("text", "symbol", "told"),
    [
        (
            "It ends at the point $B$\n\nThe geodesic component $R\\arccos x$ $$ L = R x + B $$",
            "B", ("geodesic component", False),
        ),
        (
            r"For a definite matrix $\mathbf{P}$, the optimal gain is: $$ K = B^\top\mathbf{P} $$",
            r"\mathbf{P}", ("optimal gain", False),
        ),
        (
            r"The composition $R_{lin} = R_z(\psi)R_y(\theta)$ turns $$ v = R_{lin} w $$",
            "R_{lin}", (r"= R_z(\psi)R_y(\theta)", True),
        ),
        (
            r"Seen from a frame that turns $$ \ddot\rho + 2\Omega\times\dot\rho = a $$",
            r"\rho", ("position", True),
        ),
        (
            r"An aircraft has $$ \dot u = -g\theta, \quad \dot w = U_0 q, \quad \dot q = M $$",
            "u", ("velocity", True),
        ),
    ],
)  # fmt: skip
def test_words_about_something_else_tell_no_symbol(
    unknown: Path, text: str, symbol: str, told: tuple[str, bool]
) -> None:
    unknown.write_text(text, encoding="utf-8")
    found = _told(unknown)[symbol]
    assert found == told if told[1] else found[0] != told[0]


@pytest.mark.parametrize(
    "text",
    [
        r"The input is $\boldsymbol{u}$, at the reference $$ f(\boldsymbol{u}_r) = 0 $$",
        r"A quadratic cost has the weights $$ \mathbf{Q} = (q_\theta, q_{\dot\theta}) $$ of LQR",
        r"A capacitor has the voltage $$ i = C\frac{dv_c}{dt} $$",
    ],
)
def test_letters_of_control_and_of_circuits_are_no_mechanics(unknown: Path, text: str) -> None:
    unknown.write_text(text, encoding="utf-8")
    sure = {key: words for key, (words, is_sure) in _told(unknown).items() if is_sure}
    assert {"unit vector", "generalized coordinate", "velocity"}.isdisjoint(sure.values())


def test_the_letter_of_a_sum_stands_behind_its_sign(unknown: Path) -> None:
    unknown.write_text(r"The rotors have $$ \tau = J_r\sum\dot{\Omega_i} $$", encoding="utf-8")
    assert {r"\Omega_i", r"\dot{\Omega}_{i}"} <= {*_told(unknown)}
    assert not [one for one in _told(unknown) if "sum" in one]


def test_lists_of_symbols_of_latex_are_read(tmp_path: Path) -> None:
    page = tmp_path / "page.tex"
    page.write_text(
        r"""\documentclass{article}
\newacronym{ode}{ODE}{ordinary differential equation}
\newglossaryentry{ang}{name=\ensuremath{\xi}, description={angle of the rod}, sort=a}
\newglossaryentry{sp}{name={speed}, symbol={$\nu$}, description={speed of the belt \si{m/s}.}}
\glsxtrnewsymbol[description={Stiffness of the belt (\si{N/m}).}]{kb}{\ensuremath{\kappa}}
\begin{document}
\nomenclature[c]{$\zeta$}{damping coefficient\nomunit{N s/m}}
\[ \gls{kb}\ddot{\gls{ang}}^3 + \zeta\tanh\Gls{ang} = \glssymbol[hyper]{sp} \]
\[ \chi = \gls{kb}\,\gls{ang} \]
An \gls{ode}.
\end{document}""",
        encoding="utf-8",
    )
    told = _told(page)
    assert {key: told[key][0] for key in (r"\xi", r"\nu", r"\kappa", r"\zeta", r"\chi")} == {
        r"\xi": "angle of the rod",
        r"\nu": "speed of the belt",
        r"\kappa": "Stiffness of the belt",
        r"\zeta": "damping coefficient",
        r"\chi": r"= \kappa\,\xi",
    }
    assert r"\ddot{\xi}" in told


@pytest.mark.parametrize(
    ("text", "symbol", "meaning"),
    [
        (
            r"Any $$ v = (v_1, v_2, v_3), \quad w = v_1^2 + v_2^2 + v_3^2 $$",
            "v_1",
            "component of v",
        ),
        (
            r"The field $\mathbf{B}_b(t) = [B_x(t), B_y(t)]^T$ and $$ \xi = B_x^3 + B_y $$",
            "B_x",
            r"component of \mathbf{B}_b",
        ),
        ("- **Magnetic Moment:** $[m_x, m_y]^T$\n\n$$ \\xi = m_x^3 $$", "m_x", "Magnetic Moment"),
        (
            "- **Magnetic Parameters:** $b_i, c_i$ for each rod $i$\n\n$$ \\xi = c_i^3 b_i $$",
            "c_i",
            "Magnetic Parameters",
        ),
        (
            r"With $$ F_s = k\xi, \quad f_s T = 1, \quad G(s) = F_s(s)\,\xi(s) $$",
            "F_s(s)",
            "Laplace transform of F_s",
        ),
        (r"Hence $$ K_q = U_q, \quad \frac{d}{dt}K_{\dot q} = 0 $$", "K_q", "derivative of K by q"),
        (r"With $$ \hat x = \frac{x}{R}, \quad \xi = \hat x^3 $$", r"\hat{x}", r"= \frac{x}{R}"),
    ],
)
def test_components_derivatives_and_what_is_scaled_are_told_as_such(
    unknown: Path, text: str, symbol: str, meaning: str
) -> None:
    unknown.write_text(text, encoding="utf-8")
    assert _told(unknown)[symbol] == (meaning, True)


@pytest.mark.parametrize(
    ("text", "symbol", "meaning"),
    [
        (
            r"Where $\chi_i$ is the length of each rope, $$\xi = \tanh(\chi_1 + \chi_i)$$",
            r"\chi_1",
            "length of each rope",
        ),
        (r"The matrices $$\xi = \tanh(\hat s_1 \vec{i}_u)$$", r"\vec{i}_u", "unit vector"),
        (
            r"Noise $\xi \sim \mathcal{N}(0, \eta)$ in $$\xi = \tanh\eta$$",
            r"\mathcal{N}",
            "normal distribution",
        ),
        (r"The poles $p$: $$\xi = \frac{p}{\omega_0}$$", "p", "pole"),
        (r"The poles are $$s = \eta \pm j\omega_0$$", "j", "imaginary unit"),
        (r"The eigenvalues are $$\lambda = -0.42 \pm 3.36i$$", "i", "imaginary unit"),
        (
            r"The transfer matrix is $$\mathbf{G}_d = \tanh(\xi)$$ $$\mathbf{G}_d = 1$$",
            r"\mathbf{G}_d",
            "transfer function matrix",
        ),
        (r"$B_{11} = mgsin(x_3), B_{12} = \xi, B_{21} = \xi^2$", "B_{11}", "= mgsin(x_3)"),
    ],
)
def test_conventions_and_what_others_with_other_numbers_are_tell(
    unknown: Path, text: str, symbol: str, meaning: str
) -> None:
    unknown.write_text(text, encoding="utf-8")
    assert _told(unknown)[symbol] == (meaning, True)


def test_each_name_of_a_formula_has_its_own_words(unknown: Path) -> None:
    text = r"Waves induce a loading force and moment $F, M$ in $$\xi = \tanh(F + M)$$"
    unknown.write_text(text, encoding="utf-8")
    told = _told(unknown)
    assert (told["F"], told["M"]) == (("loading force", True), ("moment", True))


def test_a_polynomial_is_no_transform_of_a_pole(unknown: Path) -> None:
    unknown.write_text(
        r"The pole $p$: $$P(s) = \frac{b}{s^2 - p^2}$$ $$\xi = \tanh(u U(s) P(s) B(s))$$",
        encoding="utf-8",
    )
    told = _told(unknown)
    assert told["U(s)"] == ("Laplace transform of u", True)
    assert told["P(s)"] == (r"= \frac{b}{s^2 - p^2}", True)
    assert "Laplace" not in str(told["B(s)"][0])


def test_what_a_sign_divides_is_no_friction(unknown: Path) -> None:
    unknown.write_text(r"$$ \xi = \frac{a}{k\,\mathrm{sign}(\dot x)} $$", encoding="utf-8")
    assert _told(unknown)["k"][0] != "coefficient of dry friction"


def test_a_chapter_has_the_list_of_symbols_of_its_document(tmp_path: Path) -> None:
    entry = r"\newglossaryentry{ang}{name=\ensuremath{\xi}, description={angle of the rod}}"
    (tmp_path / "symbols.tex").write_text(entry, encoding="utf-8")
    page = tmp_path / "chapter.tex"
    page.write_text(r"\chapter{Rod} \[ \zeta = \tanh\gls{ang} \]", encoding="utf-8")
    assert _told(page)[r"\xi"] == ("angle of the rod", True)


@pytest.mark.parametrize(
    ("text", "symbol", "meaning"),
    [
        (r"$$\xi = \tanh(\Delta t)$$ at most $\Delta t_{max}$.", r"\Delta t_{max}",
         r"greatest value of \Delta t"),
        (r"$$\xi = \tanh(\dot x)/\dot x_{max}$$", r"\dot{x}_{max}", r"greatest value of \dot{x}"),
        (r"$$x = \tanh(\dot x_0 t), \quad \dot x = \xi$$", r"\dot{x}_{0}",
         r"initial value of \dot{x}"),
        (r"Here $t^*$ is the dimensionless time, $$\xi = \tanh t, \quad t = t^* t_s$$", "t^{*}",
         "dimensionless time"),
        (r"$$\xi(s) = \tanh(s H(s)), \quad h(t) = \tanh t$$", "H(s)", "Laplace transform of h"),
        (r"$$x_{k+1} = \tanh x_k + \omega_k$$ with $\omega_k \sim \mathcal{N}(0, Q)$",
         r"\omega_k", "noise"),
        (r"$$\mathbf v_{n+1} = \tanh(\mathbf v_n + \mathbf g_n)$$", r"\mathbf{g}_n",
         r"\mathbf{g} at step n"),
        (r"The loss function is $$\mathcal{L} = \tanh(\mathcal{L}_{ic})$$", r"\mathcal{L}_{ic}",
         "loss"),
        (r"$$A = \begin{bmatrix} 0 & I \\ -M^{-1} K & -M^{-1} C \end{bmatrix}$$", "K",
         "stiffness matrix"),
        (r"$$A = \begin{bmatrix} 0 & I \\ -M^{-1} K & -M^{-1} C \end{bmatrix}$$", "I",
         "identity matrix"),
        (r"$$y = \left[I - \frac{h}{2} A\right]^{-1}\xi$$", "I", "identity matrix"),
        (r"A controller with $$\xi = K_{p,\theta} e + K_{d,\theta}\dot e$$", r"K_{d,\theta}",
         "derivative gain"),
        (r"From the initial conditions $x_0 = 1$, $v_0 = 0$: $$\dot x = \tanh x$$", "x_0",
         "initial value of x"),
    ],
)  # fmt: skip
def test_marks_say_of_what_a_symbol_is_a_value(
    unknown: Path, text: str, symbol: str, meaning: str
) -> None:
    unknown.write_text(text, encoding="utf-8")
    assert _told(unknown)[symbol] == (meaning, True)


@pytest.mark.parametrize(
    ("text", "symbol", "meaning"),
    [
        (r"$$x_n = (1 - \theta)\xi + \theta\eta$$", r"\theta", "angle"),
        (r"$$\xi = \tanh\Omega$$ for all $t \in \Omega$", r"\Omega", "angular velocity"),
        (r"$$\hat m\hat x = \hat F\tanh\hat t$$", r"\hat{x}", "unit vector"),
        (r"$$\xi = \tanh\Delta w, \quad \Delta = \partial_x^2$$", r"\Delta w", "change of w"),
        (r"the momentum $^N\mathbf H$, $$\xi = \tanh {}^N\mathbf H$$", r"{}^{N}\mathbf{H}",
         "homogeneous"),
        (r"the pose $\xi$, as well as the current frame $\eta$: $$\xi = \tanh\eta$$", r"\xi",
         "well as"),
        (r"$$\frac{d}{dt}(f g) = \dot f g + f\dot g$$", "g", "acceleration of gravity"),
        (r"$$\ddot\theta_2 = \xi\frac{\tau}{I_2}, \quad \eta = m_1 l_1$$", "I_2",
         "identity matrix"),
        (r"$$\frac{\partial\phi_2}{\partial q_1} = \xi\sin q_1$$",
         r"\phi_2", "angle"),
        (r"the Kalman filter, and $K = K_e$: $$\xi = K\tanh\eta$$", "K", "Kalman gain"),
        (r"with $Q \ge O$, $R > 0$ $$\xi = Q\tanh\eta$$", "O", "point"),
        (r"air resistance; $A_x = A\cos\theta$ $$\xi = A_x\tanh\eta$$", "A", "area"),
        (r"$$\dot x = A x + B u, \quad f(x) = A x$$", "f(x)", "output"),
        (r"an LQR; $Q$ represents generalized forces: $$\xi = Q\tanh\eta$$", "Q", "weight"),
        (r"the input $u$ $$\dot x_3 = u, \quad \xi = \tanh u$$", "u", "= "),
    ],
)  # fmt: skip
def test_nothing_is_told_for_sure_that_something_speaks_against(
    unknown: Path, text: str, symbol: str, meaning: str
) -> None:
    unknown.write_text(text, encoding="utf-8")
    told, is_sure = _told(unknown).get(symbol, (None, False))
    assert not (is_sure and str(told).startswith(meaning))


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        (r"$$\xi = \tanh x \qquad y \qquad \eta = x^2$$", "y"),
        (r"$$\xi = \tanh\eta$$ in $N/m$", "N"),
        (r"$$\xi = (2\eta)^{1/2}\omega$$", r"{}^{1/2}\omega"),
    ],
    ids=["a conjunction", "a unit", "a power"],
)
def test_what_is_no_symbol_is_not_listed(unknown: Path, text: str, symbol: str) -> None:
    unknown.write_text(text, encoding="utf-8")
    assert symbol not in _told(unknown)


def test_a_block_behind_one_of_a_language_is_read_in_plain_letters(unknown: Path) -> None:
    unknown.write_text(
        "```bash\nmake run\n```\n\nIts pose `x` and\n\n"
        "```\nm (v̇_body + ω_body × v_body) = F_aero\n```\n",
        encoding="utf-8",
    )
    told = _told(unknown)
    assert {"v_{body}", r"\dot{v}_{body}", "F_{aero}"} <= told.keys()
    assert not {"o", "d", "y", "F_a"} & told.keys()


def test_words_end_with_the_item_of_a_list_in_hypertext(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        r"<ul><li>\(\xi\) is the net torque</li> <li>\(\eta\): force vector</li></ul>"
        r"<p>\[ \zeta = \tanh(\xi\eta) \]</p>"
    )
    assert [_told(page)[key][0] for key in (r"\xi", r"\eta")] == ["net torque", "force vector"]


def test_what_no_reader_of_hypertext_sees_says_nothing(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        r'<figure><svg aria-label="at an offset $a$ (force vectors)"><text>F</text></svg></figure>'
        r"<p>Vitesse prescrite&eacute; \(v_0\).</p>"
        r"<pre><span>delta</span> = deg2rad(\(\delta\))</pre>"
        r"<p>\[ F = k a + v_0 \delta \]</p>"
    )
    told = _told(page)
    assert "force vectors" not in str(told["a"])
    assert "eacute" not in str(told["v_0"])
    assert "deg2rad" not in str(told[r"\delta"])


def test_words_that_lead_to_a_display_name_its_letter(unknown: Path) -> None:
    unknown.write_text(
        "and the mechanical power of the legs is\n$$P = M g v.$$\n"
        "Die Zugkraft im Seil beträgt\n\n$$F_z = M v^2 / \\eta.$$\n\n"
        "The equation for the force is\n$$\\zeta = M v / \\eta.$$\n",
        encoding="utf-8",
    )
    told = _told(unknown)
    assert told["P"] == ("mechanical power of the legs", True)
    assert told["F_z"] == ("Zugkraft im Seil", True)
    assert "force" not in str(told[r"\zeta"][0])


PLAIN = """\
# Flight

```
α = atan2(w_rel, u_rel)      // angle of attack
m·V̇ = −D − m·g·sin(γ)
δp = clamp(δp_cmd, −δ_max, +δ_max)
```

```
x = [ V (1),     // relative speed, m/s
      γ (1) ]    // flight path angle
```

- `C_A, C_N`: axial force coefficients
- Angular rates `p,q,r`: body frame
- `I_yy` is the pitch inertia

The gain `K_d`, as `theta = K_d e`, and `state`.
"""


def test_letters_that_are_set_as_code_are_symbols_where_a_page_has_no_latex(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PLAIN, encoding="utf-8")
    told = _told(page)
    expected = {
        r"\alpha": "angle of attack",
        r"\gamma": "flight path angle",
        "V": "relative speed",
        "C_N": "axial force coefficients",
        "q": "Angular rates",
        "I_{yy}": "pitch inertia",
    }
    assert {key: told.get(key) for key in expected} == {
        key: (meaning, True) for key, meaning in expected.items()
    }
    assert {"u_{rel}", r"\delta_{p,cmd}", "K_d", r"\theta"} <= told.keys()
    assert not {one for one in told if "clamp" in one or "state" in one}


def test_changes_of_errors_are_told_in_plain_letters(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "The error state:\n\n```\nδp' = δv\nδθ' = -ω δθ - δb_a\ndb_a/dt = n_b\n```\n", "utf-8"
    )
    told = _told(page)
    assert told[r"\delta b_a"] == ("variation of b_a", True)
    assert r"\dot{b}_{a}" in told
    assert r"\delta" not in told


def test_a_page_with_formulas_in_ascii_letters_is_read(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "State `x = [u, w, q, theta]^T` of `x_dot = A x + B u_c` with `K = R^-1 B^T P` from\n"
        "`A^T P + P A - P B R^-1 B^T P + Q = 0`; `n = load(path)` is code.\n",
        "utf-8",
    )
    told = _told(page)
    assert {"u", "w", "q", r"\theta", "A", "B", "K", "R", "P", "Q", r"\dot{x}"} <= told.keys()
    assert told["R"] == ("weight of the input", True)
    assert not {"n", "l"} & told.keys()


def test_components_of_quaternions_are_told_by_their_units_and_numbers(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "A quaternion is $$q = w + xi + yj + zk$$ and their product has "
        "$$w_3 = w_1 w_2 - x_1 x_2 - y_1 y_2 - z_1 z_2$$",
        encoding="utf-8",
    )
    told = _told(page)
    components = ("w", "x", "y", "z", "w_1", "x_1", "y_2", "z_2")
    assert {told[key] for key in components} == {("component of a quaternion", True)}
    assert told["j"] == ("unit of quaternions", True)


def test_words_in_front_of_symbols_count_before_what_is_added(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "- Angular rates $p, q$: body frame\n- Angles $\\theta, \\psi$: pitch, yaw\n", "utf-8"
    )
    told = _told(page)
    assert told["q"] == ("Angular rates", True)
    assert told[r"\psi"] == ("yaw", True)


@pytest.mark.parametrize(
    ("symbol", "text"),
    [
        ("K", "With $K = 2, T = 1, D = {0.1, 0.5}$ (D = damping) it is shown: $T\\dot x + x = K$."),
        (r"\phi", r"The terminal cost is $\phi(x(1), p)$, beside $\ddot x = u$."),
        ("l_1", r"The states are in an $l_1$ norm cone, beside $\ddot x = u$."),
    ],
)
def test_what_another_letter_a_function_or_a_norm_has_is_not_sure(
    tmp_path: Path, symbol: str, text: str
) -> None:
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    assert not _told(page)[symbol][1]


def test_a_row_times_a_state_is_no_position(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        r"""
$$ (M + m)\ddot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta = F $$
$$ \ddot x\cos\theta + l\ddot\theta + g\sin\theta = 0 $$
# Motor
$$ y = \begin{bmatrix} 0 & 1 \end{bmatrix} x $$
""",
        encoding="utf-8",
    )
    (told,) = (one for one in adopt(page).symbols if one.symbol == "y")
    assert told.meaning == r"= \begin{bmatrix} 0 & 1 \end{bmatrix} x"


def test_comments_of_restructured_text_say_nothing(tmp_path: Path) -> None:
    page = tmp_path / "page.rst"
    page.write_text(
        "The mass :math:`m`.\n\n.. the damping coefficient :math:`b`\n   and :math:`c`\n\n"
        ".. math::\n\n   m \\ddot x = -k x\n",
        encoding="utf-8",
    )
    assert not {"b", "c"} & _told(page).keys()
