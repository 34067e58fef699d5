"""What symbols are told to be that no equation of motion has: by words, units and names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from freebody.algebra.units import KG, Dimension, M, S
from freebody.checking.guesses.energy_letters import energy_letters
from freebody.checking.guesses.letter_dimensions import letter_dimensions
from freebody.checking.guesses.prose_definitions import phrases
from freebody.checking.guesses.symbols import read
from freebody.cli import main
from freebody.documents.latex.page.page import Page
from freebody.recognition import adopt

CART = r"""
$$ (M+m)\ddot x + b\dot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta = F \tag{1} $$
$$ l\ddot\theta + \ddot x\cos\theta + g\sin\theta = 0 \tag{2} $$
"""


def told(tmp_path: Path, text: str) -> dict[str, tuple[object, str]]:
    (tmp_path / "page.md").write_text(text)
    found = adopt(tmp_path / "page.md", force=True)
    assert found.guesses is not None
    return {one.key: (one.meaning, one.standing) for one in found.guesses.symbols}


@pytest.mark.parametrize(
    ("prose", "key", "words"),
    [
        (r"where $\mu$ is the coefficient of friction.", r"\mu", "coefficient of friction"),
        (r"the time to fall from initial angle $\phi_0$ grows", r"\phi_0", "initial angle"),
        (r"the rate of the body frame $\mathcal{B}$, say", r"\mathcal{B}", "body frame"),
        (r"the angular velocity of frame $\mathcal{B}$, say", r"\mathcal{B}", "frame"),
        (r"the position of the mass $x$ grows", "x", "position of the mass"),
        (r"with the moment of inertia $J$ of the wheel", "J", "moment of inertia"),
        (r"| $r$ | Wheel radius | m |", "r", "Wheel radius"),
        (r"$d$ – longueur du bras, $e$", "d", "longueur du bras"),
        (r"wobei $k_1$ und $k_2$ die Steifigkeiten der Federn sind", "k_1", "Steifigkeiten der F"),
        (r"onde $b$ é o coeficiente de atrito", "b", "coeficiente de atrito"),
        (r"qui est le moment cinétique de la force $P$.", "P", "force"),
        (r"and the length of the rod $l$ is", "l", "length of the rod"),
        (r"\item[$K_v$]: velocity constant of the motor", "K_v", "velocity constant of the mo"),
        (r"其中 $m$ 为小球的质量", "m", "小球的质量"),
        (r"The mass of the cart is $Q$.", "Q", "mass of the cart"),
        (r"Die Masse des Wagens ist $U$, und", "U", "Masse des Wagens"),
        (r"The damping ratio is given by $\zeta = c/2$.", r"\zeta", "damping ratio"),
        (r"The gear ratio $N_g = 5$ is fixed", "N_g", "gear ratio"),
        (r"where $J = m r^2/2$ is the moment of inertia of the disk", "J", "moment of inertia"),
        (r"The ball has mass $m$, and $g$ is the acceleration of gravity.", "m", "mass"),
        (r"allows the system to track a desired position $y_d$ well.", "y_d", "desired position"),
        (r"$Q_w$ is also called the loop gain, and", "Q_w", "loop gain"),
        (r"$Q_w$ is referred to as the yaw slope and is positive", "Q_w", "yaw slope"),
        (r"the **drag coefficient** $C$, where $C$ is called the **drag**", "C", "drag"),
        (r"$L_G$ est appelé le moment cinétique", "L_G", "moment cinétique"),
        (r"$s$ heißt Auslenkung und ist", "s", "Auslenkung"),
        (r"$p$ se llama momento lineal", "p", "momento lineal"),
        (r"la ecuación para el parámetro complejo $\alpha$", r"\alpha", "parámetro complejo"),
        (r"A rotation is $R \in \mathrm{SO}(3)$, and", "R", "rotation matrix"),
        (r"The slopes $C_a, C_b$, and $C_n$ vary", "C_n", "slopes"),
        (r"Les masses $m$, $M$ et $Q$ sont connues", "Q", "masses"),
        (r"The mass of the cart, $M$, and the length, $l$, are given.", "M", "mass of the cart"),
        (r"$D$ and $Q$ are the linear and quadratic damping terms", "D", "linear damping terms"),
        (r"where $M$ is the $n \times n$ mass matrix", "M", "mass matrix"),
        (r"The $a$ and $d$ values are the twist angle and the offset", "a", "twist angle"),
        (r"- `W`: the point on the axis", "W", "point on the axis"),
        (r"where \\(e\\) is the coefficient of restitution", "e", "coefficient of restitution"),
        (r"o somatório dos momentos externos $M_i$ é", "M_i", "momentos externos"),
    ],
)
def test_what_the_page_calls_a_symbol_is_told(prose: str, key: str, words: str) -> None:
    assert phrases(prose, [key])[key].startswith(words)


@pytest.mark.parametrize(
    ("prose", "key"),
    [
        (r"$Q_w$ is called from the main loop", "Q_w"),
        (r"the mass of the wheels $m$ and $Q$ are known", "Q"),
        (r"On the other hand, $Q$, is small.", "Q"),
        ("- **3n²x**: the term of gravity", "n_{2x}"),
    ],
)
def test_what_a_page_does_with_a_symbol_is_no_name_of_it(prose: str, key: str) -> None:
    assert key not in phrases(prose, [key])


@pytest.mark.parametrize(
    "prose",
    [
        r"$\theta$ is derived in the same manner as before",
        r"along the $x$-axis",
        r"we insert this into $E$",
        r"When it goes down by $x$ = 1 meter the system moves, too",
        r"The equation of motion is $E = x$",
        r"The angular velocity is $\dot{\theta} = E x$, about the position where $\theta = \phi$",
        r"For $E = 2$, os picos oscilam alternadamente de altura",
        r"Newton's law gives the result $E = x y$",
        r"and adds two more, $E$ and $x$ to the system",
        r"un moto con $E$, la forza centripeta perciò è:",
    ],
)
def test_what_is_said_of_a_symbol_is_not_what_it_is_called(prose: str) -> None:
    assert not phrases(prose, [r"\theta", "x", "E"])


def test_letters_get_their_units_of_what_is_added_and_compared() -> None:
    relations = [one.relation for one in read(Page(r"""
$$ F = k x + c\dot x, \qquad \omega^2 = \frac{k}{m} $$
$$ y = a\sin(\nu t) + s \qquad s = 3 $$
$$ u = x \qquad u = \dot x $$
""")).equations]  # fmt: skip
    known = {"k": KG / S**2, "x": M, "m": KG, "t": S, "y": M}
    found = letter_dimensions(relations, known)
    newton, rate = KG * M / S**2, Dimension() / S
    assert (found["F"], found["c"]) == (newton, KG / S)
    assert (found[r"\omega"], found[r"\nu"]) == (rate, rate)
    assert (found["a"], found["s"]) == (M, M)
    assert "u" not in found


@pytest.mark.parametrize(
    ("latex", "kinds"),
    [
        ("L = T - V", {"L": "lagrangian", "T": "kinetic", "V": "potential"}),
        (r"\mathcal{L} = E_k - E_p", {r"\mathcal{L}": "lagrangian"}),
        ("E = V + K", {"E": "total", "K": "kinetic", "V": "potential"}),
        ("L = T - V$$\n\n$$ T = T_t + T_r", {"T_t": "kinetic", "T_r": "kinetic"}),
        (r"\frac{d}{dt}\frac{\partial L}{\partial\dot q} = 0", {"L": "lagrangian"}),
        ("L = l - d", {}),
    ],
)
def test_energies_are_told_by_their_sums_and_by_lagrange_s_equations(
    latex: str, kinds: dict[str, str]
) -> None:
    found = energy_letters(read(Page(f"$$ {latex} $$")).equations)
    assert {key: found.get(key) for key in kinds} == kinds
    assert bool(found) == bool(kinds)


@pytest.mark.exhaustive
def test_no_name_tells_what_has_another_unit_or_belongs_to_another_letter(tmp_path: Path) -> None:
    others = r"""
$$ W = c_1 \dot x + F \tag{3} $$
$$ l_2 = 3\,r_0 \tag{4} $$
"""
    found = told(tmp_path, CART + others)
    assert found["l"] == ("l", "sure")
    assert found["c_1"] == found["l_2"] == found["r_0"] == (None, "unknown")


@pytest.mark.exhaustive
def test_no_name_tells_what_the_page_says_is_something_else(tmp_path: Path) -> None:
    page = CART + r"$$ W = J + E_0 $$ where $J$ is the moment of inertia, $E_0$ the total energy."
    found = told(tmp_path, page)
    assert (found["E_0"][0], found["J"]) == ("energy.total", (None, "unknown"))


@pytest.mark.exhaustive
def test_letters_for_what_is_made_of_constants_are_what_the_page_says(tmp_path: Path) -> None:
    shorthands = r"$$ \omega_0 = \sqrt{\frac{g}{l}}, \qquad m_0 = M + m $$"
    found = told(tmp_path, CART + shorthands)
    assert found[r"\omega_0"] == ("sqrt(g/l)", "sure")
    assert found["m_0"][1] == "unsure"


@pytest.mark.exhaustive
def test_a_letter_is_what_the_page_says_with_which_equations_of_motion_hold(
    tmp_path: Path,
) -> None:
    text = r"""
$$ \delta = \theta_2 - \theta_1 $$
$$ (m_1 + m_2) l_1\ddot\theta_1 + m_2 l_2\ddot\theta_2\cos\delta
   - m_2 l_2\dot\theta_2^2\sin\delta + (m_1 + m_2) g\sin\theta_1 = 0 $$
$$ l_2\ddot\theta_2 + l_1\ddot\theta_1\cos\delta + l_1\dot\theta_1^2\sin\delta
   + g\sin\theta_2 = 0 $$
"""
    assert told(tmp_path, text)[r"\delta"] == ("-theta1 + theta2", "sure")
    wrong = text.replace(r"\theta_2 - \theta_1 $", r"\theta_2 + \theta_1 $")
    assert told(tmp_path, wrong).get(r"\delta", ("", ""))[1] != "sure"


def test_the_time_is_what_a_page_differentiates_by(tmp_path: Path) -> None:
    swung = r"$$ \frac{d^2\theta}{dt^2} = -\frac{g}{l}\sin\theta $$ $$ \theta = A\cos(\omega t) $$"
    assert told(tmp_path, swung)["t"] == ("t", "sure")
    thick = r"$$ \ddot\theta = -\frac{g}{l}\sin\theta $$ $$ A = b t $$"
    assert told(tmp_path, thick)["t"][1] != "sure"


def test_one_rate_proves_no_second_letter_for_a_coordinate(tmp_path: Path) -> None:
    text = r"$$ m\ddot y + k\dot y + c y = 0 $$ $$ x = v t, \quad \dot x = v $$"
    found = told(tmp_path, text)
    assert found["y"][1] == "sure"
    assert "sure" not in {found["x"][1], found["v"][1]}


@pytest.mark.exhaustive
def test_of_two_things_that_a_page_says_of_a_letter_none_is_sure(tmp_path: Path) -> None:
    shorthands = r"$$ \omega_0 = \sqrt{\frac{g}{l}} $$ $$ \omega_0 = \sqrt{\frac{g}{2 l}} $$"
    assert told(tmp_path, CART + shorthands)[r"\omega_0"][1] != "sure"


def test_what_a_section_alone_says_of_a_letter_is_not_sure(tmp_path: Path) -> None:
    text = (
        CART
        + r"""
$$ w = \dot x\cos\theta + l\dot\theta \tag{3} $$
$$ w^2 = (\dot x\cos\theta + l\dot\theta)^2 \tag{4} $$
$$ w + \dot x = \dot x\cos\theta + l\dot\theta + \dot x \tag{5} $$
In the linear section $\theta = 0$ and
$$ \dot x = w \tag{6} $$
"""
    )
    assert told(tmp_path, text)["w"] != ("x_dot", "sure")


@pytest.mark.exhaustive
def test_an_energy_is_of_the_kind_that_its_letter_is_for(tmp_path: Path) -> None:
    energies = r"$$ E_{c1} = -m g l\cos\theta, \qquad E_{p1} = -m g l\cos\theta $$"
    found = told(tmp_path, CART + energies)
    assert found["E_{c1}"][1] != "sure"
    assert found["E_{p1}"] == ("energy.potential", "sure")


def test_the_words_of_the_page_are_in_json_and_in_the_document(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(CART + r"$$ W = \beta F $$ where $\beta$ is the gain of the amplifier.")
    found = CliRunner().invoke(main, ["adopt", str(page), "--json"])
    words = {one["symbol"]: one["words"] for one in json.loads(found.output)["symbols"]}
    assert (words[r"\beta"], words["W"]) == ("gain of the amplifier", r"= \beta F")
    document = (tmp_path / "page_document.md").read_text()
    assert 'the page says "gain of the amplifier"' in document
