"""What notation means: values at a point, blocks of zeros, vectors in the plane, positive parts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import freebody

if TYPE_CHECKING:
    from freebody.checking import EquationVerdict

CART = Path(__file__).parent / "pages" / "cart.toml"
SYMBOLS = {
    "M": "M",
    "m": "m",
    "l": "l",
    "g": "g",
    "F": "F",
    "x": "x",
    r"\theta": "th",
    r"\phi": "th - pi",
    "U": "energy.potential.pole",
    "D": "equations.M",
    "f": "forcing",
}


def check(folder: Path, equation: str, symbols: dict[str, str]) -> EquationVerdict:
    (folder / "model.toml").write_text(CART.read_text())
    declared = "".join(f"'{k}' = {v}\n" for k, v in symbols.items())
    page = folder / "page.md"
    front = f"+++\ntitle = 'P'\nmodel = 'model'\n[symbols]\n{declared}+++\n"
    page.write_text(f"{front}$$ {equation} $$\n")
    (verdict,) = freebody.check(page).documents[0].equations
    return verdict


PLAIN = {key: f"'{meaning}'" for key, meaning in SYMBOLS.items()}
HOLDING = [
    r"\left[\frac{\partial U}{\partial\theta}\right]_{\theta=0} = 0",
    r"\left.\frac{\partial U}{\partial\theta}\right|_{\theta=\pi/2} = \tfrac12 m g l",
    r"\frac{\partial^2 U}{\partial\theta^2}\Big|_{\theta=0} = \tfrac12 m g l",
    r"\left.\frac{\partial^2 U}{\partial\theta^2}\right|_{\phi=0} = -\tfrac12 m g l",
    r"U|_{\theta = x/l} = -\tfrac12 m g l\cos(x/l)",
    (
        r"\begin{bmatrix} D & \mathbf 0\\ \mathbf 0 & 1\end{bmatrix} = \begin{bmatrix} M + m &"
        r"\frac12 m l\cos\theta & 0\\ \frac12 m l\cos\theta & \frac13 m l^2 & 0\\ 0&0&1"
        r"\end{bmatrix}"
    ),
    r"\begin{bmatrix} D\\ 0\end{bmatrix} = \begin{bmatrix} D\\ 0_{1\times 2}\end{bmatrix}",
    r"I_{2\times2} D = D",
    r"[x]_+ - [-x]_+ = x",
    r"[x]_+ + \max(0, -x) = |x|",
]


@pytest.mark.parametrize("equation", HOLDING)
def test_notation_means_what_it_says(tmp_path: Path, equation: str) -> None:
    assert check(tmp_path, equation, PLAIN).status == "holds"


@pytest.mark.one_in(2)
@pytest.mark.exhaustive(r"\\min(F, x) = F")
@pytest.mark.parametrize(
    "equation",
    [
        r"\left[\frac{\partial U}{\partial\theta}\right]_{\theta=\pi/4} = 0",
        r"\frac{\partial^2 U}{\partial\theta^2}\Big|_{\theta=0} = m g l",
        r"\begin{bmatrix} D\\ 0\end{bmatrix} = \begin{bmatrix} 2 D\\ 0_{1\times 2}\end{bmatrix}",
        r"[x]_+ + [-x]_+ = x",
        r"\max(0, \theta) = \theta",
        r"|\dot x| = \dot x",
        r"\min(F, x) = F",
    ],
)
def test_what_does_not_hold_differs(tmp_path: Path, equation: str) -> None:
    assert check(tmp_path, equation, PLAIN).status == "differs"


PLANE = {
    **PLAIN,
    r"\mathbf{r}": "['position.pole.x', 'position.pole.y']",
    r"\mathbf{f}": "['resultant.pole.force.x', 'resultant.pole.force.y']",
    r"\vec{r}": "['position.pole.x', 'position.pole.y', 0]",
    r"\vec{f}": "['resultant.pole.force.x', 'resultant.pole.force.y', 0]",
    "N": "'angular_momentum_rate.pole.about.ground.z'",
    "I": "'m*l**2/12'",
}


@pytest.mark.parametrize(
    ("equation", "status"),
    [
        (r"N = \mathbf{r}\times\mathbf{f} + I\ddot\theta", "holds"),
        (r"N = \vec{r}\times\vec{f} + I\ddot\theta", "holds"),
        (r"\vec{r}\times\vec{f} = N - I\ddot\theta", "holds"),
        (r"N = \vec{f}\times\vec{r} + I\ddot\theta", "differs"),
        (r"N = \mathbf{f}\times\mathbf{r} + I\ddot\theta", "differs"),
    ],
)
def test_a_cross_product_in_the_plane_needs_no_unit_vector(
    tmp_path: Path, equation: str, status: str
) -> None:
    assert check(tmp_path, equation, PLANE).status == status


TWICE = {**{k: v for k, v in PLAIN.items() if k != "l"}, "L": "'l'"}
SLOPE = r"\frac{\partial L}{\partial\theta}"
LAGRANGE = r"\frac{d}{dt}\frac{\partial L}{\partial\dot\theta} - \frac{\partial L}{\partial\theta}"


@pytest.mark.parametrize(
    ("equation", "status"),
    [
        (f"{LAGRANGE} = 0", "holds"),
        (rf"{SLOPE} + \frac12 m g L\sin\theta = -\frac12 m L \dot x\dot\theta\sin\theta", "holds"),
        (r"\frac{\partial L}{\partial\theta} = m g L\sin\theta", "differs"),
    ],
)
def test_a_letter_is_the_lagrangian_below_a_derivative(
    tmp_path: Path, equation: str, status: str
) -> None:
    verdict = check(tmp_path, equation, TWICE)
    assert verdict.status == status
    assert any("is read as the Lagrangian" in told for told in verdict.readings)


ENERGIES = r"""\frac12 (M + m)\dot x^2 + \frac12 m L\dot x\dot\theta\cos\theta
+ \frac16 m L^2\dot\theta^2 + \frac12 m g L\cos\theta"""


@pytest.mark.parametrize(
    ("equation", "status", "tells"),
    [
        (f"L = {ENERGIES}", "holds", True),
        (f"{ENERGIES} = L", "holds", True),
        (f"L = {ENERGIES.replace('6', '3')}", "differs", True),
        (f"L = {ENERGIES.replace('g L', 'g')}", "differs", True),
        ("L = L", "holds", False),
        ("L = 0.6 + l", "differs", False),
    ],
)
def test_a_letter_alone_on_a_side_is_what_the_dimension_says(
    tmp_path: Path, equation: str, status: str, *, tells: bool
) -> None:
    verdict = check(tmp_path, equation, {**TWICE, "l": "'l/2'"})
    assert verdict.status == status
    assert any("alone on a side is read as the Lag" in told for told in verdict.readings) == tells
    assert bool(verdict.repairs) == (status == "differs")
    assert not any(r"\partial" in repair.latex for repair in verdict.repairs)


@pytest.mark.parametrize(
    ("equation", "status"),
    [
        (r"D^{-1} f = D^{-1} f", "holds"),
        (r"D^{-1} (f + f) = D^{-1} \left( 2 f \right)", "holds"),
        (r"D^{-1} f = (2 D)^{-1} f", "differs"),
        (r"D^{-1} f = D^{-1} 2 f", "differs"),
    ],
)
def test_an_inverse_may_stand_on_both_sides(tmp_path: Path, equation: str, status: str) -> None:
    assert check(tmp_path, equation, PLAIN).status == status


LISTED = {
    **PLAIN,
    "r_1": "'x + l*sin(th)'",
    "r_2": "'x - l*sin(th)'",
    "F_1": "'m*g'",
    "F_2": "'M*g'",
    "m_1": "'m'",
    "m_2": "'M'",
}


@pytest.mark.parametrize(
    ("equation", "statuses"),
    [
        (r"F_{1,2} = m_{1,2} g", {"index 1": "holds", "index 2": "holds"}),
        (r"F_{1,2} = m_{2,1} g", {"": "unreadable"}),
        (r"F_{1,2} = m_1 g", {"index 1": "holds", "index 2": "differs"}),
        (r"r_{1,2} = x \pm l\sin\theta", {"index 1": "holds", "index 2": "holds"}),
        (r"r_{1,2} = x \mp l\sin\theta", {"index 1": "differs", "index 2": "differs"}),
        (r"s_{1,2} = x \mp l\sin\theta", {"upper": "unreadable", "lower": "unreadable"}),
    ],
)
def test_a_list_for_an_index_makes_as_many_equations(
    tmp_path: Path, equation: str, statuses: dict[str, str]
) -> None:
    check(tmp_path, "x = x", LISTED)
    page = tmp_path / "page.md"
    page.write_text(page.read_text().replace("x = x", equation))
    found = freebody.check(page).documents[0].equations
    told = {one.label.strip("()").partition(", ")[2]: one.status for one in found}
    assert told == statuses


HALVES = [
    (
        r"\begin{bmatrix} x & \\ & \theta\end{bmatrix}",
        r"\begin{bmatrix} x & 0\\ 0 & \theta\end{bmatrix}",
    ),
    (
        r"\left[\begin{array}{c|c} & x\\ \hline x & \end{array}\right]",
        r"\begin{pmatrix} 0 & x\\ x & 0\end{pmatrix}",
    ),
]


@pytest.mark.parametrize(("blank", "full"), HALVES)
def test_a_cell_without_anything_is_zero_and_a_place_of_its_own(
    tmp_path: Path, blank: str, full: str
) -> None:
    assert check(tmp_path, f"{full} = {blank}", PLAIN).status == "holds"
    wrong = check(tmp_path, f"{full.replace('0 ', 'M ').replace('0', 'M')} = {blank}", PLAIN)
    assert wrong.status == "differs"
    spans = [term.span for term in wrong.terms]
    assert all(term.latex for term in wrong.terms)
    assert len({*spans}) == len(spans)
    entries = "[['x', 0], [0, 'th']]" if "theta" in full else "[[0, 'x'], ['x', 0]]"
    symbols = {**PLAIN, "E": entries}
    one = check(tmp_path, f"E = {blank.replace(' x', ' ', 1)}", symbols)
    assert one.status == "differs"
    assert one.repairs[0].latex.replace(" ", "") == f"E = {blank}".replace(" ", "")


EQUATION = "(M+m) x'' + \\frac12 m l{}\\cos\\theta - \\frac12 m l{}\\sin\\theta = F"
TIMED = EQUATION.replace("x''", "x''(t)")


@pytest.mark.parametrize(
    "equation",
    [
        EQUATION.format(r"\theta''", r"\theta'^2"),
        EQUATION.format(r"\theta''", r"(\theta')^2"),
        TIMED.format(r"\theta''(t)", r"\theta'(t)^2"),
        EQUATION.format(r"\theta^{\prime\prime}", r"{\theta^\prime}^2"),
        r"\left(\frac13 m l^2\theta'\right)' + \frac12 m l x''\cos\theta = -\frac12 mgl\sin\theta",
        r"[x'', \theta']^T = \begin{bmatrix}\ddot x\\ \dot\theta\end{bmatrix}",
    ],
)
def test_primes_are_derivatives_by_time(tmp_path: Path, equation: str) -> None:
    verdict = check(tmp_path, equation, PLAIN)
    assert verdict.status == "holds"
    assert any("primes" in one for one in verdict.readings)


@pytest.mark.parametrize(
    ("equation", "status"),
    [
        (r"x' = \dot\theta", "unreadable"),
        (r"\psi' = \dot\theta", "holds"),
        (r"\psi'' = \ddot\theta", "unreadable"),
        (r"\dot\psi' = \ddot\theta", "holds"),
    ],
)
def test_a_prime_may_be_of_a_name_or_of_a_frame(tmp_path: Path, equation: str, status: str) -> None:
    assert check(tmp_path, equation, {**PLAIN, r"\psi^\prime": "'th_dot'"}).status == status


@pytest.mark.parametrize(
    "equation",
    [EQUATION.format(r"\theta'", r"\theta'^2"), EQUATION.format(r"\theta''", r"\theta''^2")],
)
def test_primes_may_be_wrong(tmp_path: Path, equation: str) -> None:
    assert check(tmp_path, equation, PLAIN).status == "differs"


COLUMNS = {
    **PLAIN,
    "z": "['x', 'x_dot', 'th', 'th_dot']",
    r"\mathbf{q}": "['x', 'th']",
    r"\mathcal{M}": "'equations.M'",
    "r": "['position.pole.x', 'position.pole.y']",
}
STATE = r"(M+m)\dot z_2 + \frac12 ml\dot z_4\cos z_3 - \frac12 ml z_4^2\sin z_3 = F"


@pytest.mark.parametrize(
    ("equation", "status"),
    [
        (r"\dot z_3 = z_4", "holds"),
        (STATE, "holds"),
        (STATE.replace("z_4^2", "z_2^2"), "differs"),
        (r"q_1 = x", "holds"),
        (r"q_1 = x + l", "unreadable"),
        (r"q_1\theta = x q_2", "holds"),
        (r"\mathcal{M}_{12}\mathcal{M}_{11} = \mathcal{M}_{21}(M+m)", "holds"),
        (r"\mathcal{M}_{12}\mathcal{M}_{11} = \mathcal{M}_{22}(M+m)", "differs"),
        (r"r_1 = x", "unreadable"),
        (r"(r_1 - x)^2 + r_2^2 = \frac14 l^2", "holds"),
        (r"z_5 = 0", "unreadable"),
    ],
)
def test_entries_of_declared_columns_are_told(tmp_path: Path, equation: str, status: str) -> None:
    verdict = check(tmp_path, equation, COLUMNS)
    assert verdict.status == status
    assert status != "holds" or any("as an entry of" in one for one in verdict.readings)


@pytest.mark.parametrize(
    "word", [r"\text{const.}", r"\mathrm{const}", r"\text{ constant}", "const"]
)
@pytest.mark.parametrize(
    ("side", "status"),
    [
        ("T + V", "holds"),
        (r"\frac12 (M+m)\dot x^2 + \frac12 ml\dot x\dot\theta\cos\theta", "differs"),
        (r"(M+m)\dot x + \frac12 ml\dot\theta\cos\theta", "holds"),
        ("T - V", "differs"),
        (r"\dot x", "not checked"),
        (r"\theta", "not checked"),
    ],
)
def test_what_is_constant_is_checked_by_its_rate(
    tmp_path: Path, word: str, side: str, status: str
) -> None:
    known = {**PLAIN, "T": "'energy.kinetic'", "V": "'energy.potential'"}
    assert check(tmp_path, f"{side} = {word}", known).status == status
