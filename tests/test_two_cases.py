"""Equations of a page that are alike but for a sign or a number: two cases, or a slip."""

from __future__ import annotations

from pathlib import Path

import pytest

import freebody
from freebody.consistency.report import PageReport, StatementVerdict

TWINS = {
    "up and down": r"""
On the way up
$$ m\ddot y = -m g - c\dot y^2 $$
and down again
$$ m\ddot y = -m g + c\dot y^2 $$""",
    "moments of inertia": r"""
About its centre a rod has
$$ I = \frac{1}{12} m l^2 $$
and about its end
$$ I = \frac{1}{3} m l^2 $$
so that $$ I\ddot\theta = -m g\frac{l}{2}\sin\theta $$""",
    "solutions": r"""
$$ m\ddot x = -k x $$
Its solution is
$$ x(t) = A\cos(\omega t) $$
or
$$ x(t) = A\sin(\omega t) $$""",
    "axes": r"""
With the angle from the vertical
$$ x = l\sin\theta, \quad y = -l\cos\theta $$
and with that from the horizontal
$$ x = l\cos\theta, \quad y = l\sin\theta $$""",
    "springs": r"""
One spring: $$ m\ddot x = -k x $$
Two springs side by side: $$ m\ddot x = -2 k x $$""",
    "action and reaction": r"""
The force on the spring is $$ F = k x $$ and that on the mass $$ F = -k x $$
so that $$ m\ddot x = -k x $$""",
    "wells": r"""
The hardening oscillator is
$$ \ddot x + \delta\dot x + \alpha x + \beta x^3 = \gamma\cos\omega t $$
and with two wells
$$ \ddot x + \delta\dot x - \alpha x + \beta x^3 = \gamma\cos\omega t $$""",
}
TWINS |= {
    "downwards": r"""
A ball is thrown up, with $v = \dot y$. Hence
$$ m\dot v = -m g - k v^2. $$
On the way down the equation of motion becomes
$$ m\dot v = -m g + k v^2. $$
Let us count the speed of the fall now, with $y$ downward from the summit:
$$ m\dot v = m g - k v^2. $$""",
    "counterclockwise": r"""
$$ (M + m)\ddot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta = u $$
$$ \tfrac43 l\ddot\theta + \ddot x\cos\theta - g\sin\theta = 0 $$
With the full length called $l$ we would have had
$$ \tfrac23 l\ddot\theta + \ddot x\cos\theta - g\sin\theta = 0 $$
A point mass at the tip gives $l\ddot\theta + \ddot x\cos\theta - g\sin\theta = 0$.
Some let $\theta$ grow counterclockwise. The second equation of motion then reads
$$ \tfrac43 l\ddot\theta - \ddot x\cos\theta - g\sin\theta = 0 $$""",
    "bodies": r"""
Down the incline $ m\ddot x = m g\sin\alpha - F $. For the hoop,
$$ F = \tfrac12 m g\sin\alpha, $$
for the disk, $$ F = \tfrac13 m g\sin\alpha, $$
and for the ball, $$ F = \tfrac27 m g\sin\alpha. $$""",
    "small angles": r"""
$$ \ddot\theta = -\frac gl\sin\theta $$
`--linear` replaces the sine:
$$ \ddot\theta = -\frac gl\theta $$
With $\omega = \dot\theta$, the energy printed in the log is
$$ E = \tfrac12 m l^2\omega^2 - m g l\cos\theta $$
With `--linear` it is $E = \frac12 m l^2\omega^2 + \frac12 m g l\theta^2$.

Damping alone gives $\dot E = -b m l^2\omega^2$, and the undamped system has $\dot E = 0$.""",
    "free": r"""
$$ L = \frac12 m\dot x^2 - \frac12 k x^2 $$
$$ m\ddot x + k x = 0 $$
Once the spring breaks,
$$ m\ddot x = 0 $$""",
    "flight": r"""
$$ x = r\sin\theta, \quad y = r\cos\theta $$
$$ T = \frac m2(\dot r^2 + r^2\dot\theta^2), \quad V = m g r\cos\theta + \frac k2(r_0 - r)^2 $$
$$ m\ddot y = k\left(\frac{r_0}r - 1\right)y - m g $$
In the air there is simply
$$ \ddot x = 0, \quad \ddot y = -g $$""",
}
TWINS |= {
    "after an impact": r"""
Two carts collide. Momentum:
$$ m_1 v_1 + m_2 v_2 = m_1 v_1' + m_2 v_2'. $$
Restitution: $$ v_2' - v_1' = e(v_1 - v_2). $$
With the second cart at rest: $$ v_1' = \frac{m_1 - m_2}{m_1 + m_2} v_1. $$
Example: $m_1 = 1$ kg, $m_2 = 3$ kg, $v_1 = 4$ m/s, $v_2 = 0$.""",
    "at another time": r"""
Mass $m$, inertia $I$, springs $k_f$ (a distance $a$ ahead of the centre of mass) and $k_r$ (a
distance $b$ behind it); $w_f$ and $w_r$ the road heights.
$$ m\ddot z + k_f(z - a\theta - w_f) + k_r(z + b\theta - w_r) = 0 $$
$$ I\ddot\theta - a k_f(z - a\theta - w_f) + b k_r(z + b\theta - w_r) = 0 $$
The rear axle meets the same bump later:
$$ w_r(t) = w_f\left(t - \frac{a + b}v\right) $$""",
    "options": r"""
### `model="point"`

$$ (M + m)\ddot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta = F $$
$$ l\ddot\theta + \ddot x\cos\theta - g\sin\theta = 0 $$

### `model="rod"`

Here `l` is **half** the rod's length.
$$ \tfrac43 l\ddot\theta + \ddot x\cos\theta - g\sin\theta = 0 $$

### `hanging=True`

$$ l\ddot\theta + \ddot x\cos\theta + g\sin\theta = 0 $$

## Energy

$$ E = \tfrac12(M + m)\dot x^2 + m l\dot x\dot\theta\cos\theta + \tfrac12 m l^2\dot\theta^2
    + m g l\cos\theta $$""",
    "books": r"""
## Book A

$$ T = \tfrac12 m_1\dot x_1^2 + \tfrac12 m_2\dot x_2^2 $$
$$ V = \tfrac12 k_1 x_1^2 + \tfrac12 k_2(x_2 - x_1)^2 $$

## Book B

$$ T = \tfrac12 m_1\dot x_1^2 + \tfrac12 m_2(\dot x_1 + \dot x_2)^2 $$
$$ V = \tfrac12 k_1 x_1^2 + \tfrac12 k_2 x_2^2 $$""",
}
SLIPS = {
    "a sum": (
        r"""
$$ y_1 = -l_1\cos\theta_1, \quad y_2 = -l_1\cos\theta_1 - l_2\cos\theta_2 $$

# Energies

$$ V = m_1 g y_1 + m_2 g y_2 $$
$$ V = -(m_1 + m_2) g l_1\cos\theta_1 - m_2 g l_2\cos\theta_2 $$""",
        r"\theta_1 - m_2 g l_2\cos\theta_2 $$",
        r"\theta_1 + m_2 g l_2\cos\theta_2 $$",
    ),
    "a slope": (
        r"""
$$ J(q, \dot q) = \sqrt 3 q^2 + 2 q\dot q + \sqrt 3\dot q^2 $$
$$ \frac{\partial J}{\partial q} = 2\sqrt 3 q + 2\dot q $$""",
        r"q + 2\dot q $$",
        r"q - 2\dot q $$",
    ),
    "a law": (
        r"""
$$ m\ddot\theta = -m l g\sin\theta $$
$$ \ddot\theta = -l g\sin\theta $$""",
        r"\theta = -l g",
        r"\theta = l g",
    ),
}


SLIPS["a law before another case"] = (
    r"""
$$ m(\dot v + u r) = F_f + F_r $$
$$ I\dot r = a F_f - b F_r $$
$$ \alpha_f = \delta - \frac{v + a r}u, \quad \alpha_r = -\frac{v - b r}u $$
$$ F_f = C_f\alpha_f, \quad F_r = C_r\alpha_r $$

# State space

$$ \dot v = -\frac{C_f + C_r}{m u} v + \left(\frac{b C_r - a C_f}{m u} - u\right) r
    + \frac{C_f}m\delta $$
$$ \dot r = \frac{b C_r - a C_f}{I u} v - \frac{a^2 C_f + b^2 C_r}{I u} r + \frac{a C_f}I\delta $$

# Steady cornering

On a circle $F_f = m\frac bL\frac{u^2}R$ and $F_r = m\frac aL\frac{u^2}R$.""",
    r"b^2 C_r}{I u} r",
    r"b C_r}{I u} r",
)

TWINS |= {
    "another body": r"""
# Bob

$$ m l^2\ddot\theta = -m g l\sin\theta \quad\Longrightarrow\quad
    \ddot\theta + \frac gl\sin\theta = 0 $$
$$ E = \tfrac12 m l^2\dot\theta^2 + m g l(1 - \cos\theta) $$

# Rod

Its weight acts at $l/2$, so
$$ \tfrac13 m l^2\ddot\theta = -m g\tfrac l2\sin\theta \quad\Longrightarrow\quad
    \ddot\theta + \frac{3 g}{2 l}\sin\theta = 0. $$

# Disk

On a pin it does not turn, and we are back at $\ddot\theta + (g/l)\sin\theta = 0$.""",
    "a speed that a later section has": r"""
$$ T = \tfrac12 I_1(\dot\theta^2 + \dot\phi^2\sin^2\theta)
    + \tfrac12 I_3(\dot\psi + \dot\phi\cos\theta)^2, \qquad V = m g l\cos\theta $$
\begin{align*} p_\psi &= I_3(\dot\psi + \dot\phi\cos\theta) = I_3\omega_3, \\
p_\phi &= I_1\dot\phi\sin^2\theta + I_3\omega_3\cos\theta \end{align*}
$$ I_1\ddot\theta = I_1\dot\phi^2\sin\theta\cos\theta - I_3\omega_3\dot\phi\sin\theta
    + m g l\sin\theta $$

# Free top

$$ \dot\phi = \frac L{I_1}, \qquad \omega_3 = \frac{L\cos\theta}{I_3} $$""",
    "items": r"""
- elevador subindo com aceleração $a$: $\ddot\theta = -\frac{g + a}l\sin\theta$
- trem com aceleração $a$: $l\ddot\theta = -g\sin\theta - a\cos\theta$""",
    "two examples": r"""
$$ k = k_1 + k_2, \qquad m\ddot x = -k x $$
$$ \frac1k = \frac1{k_1} + \frac1{k_2} $$
Let $k_1 = 300$ N/m and $k_2 = 600$ N/m. Side by side: $k = 900$ N/m. In a row: $k = 200$ N/m.""",
    "limits": r"""
$E = \frac12 m_1\dot x_1^2 + \frac12 m_2\dot x_2^2 + \frac12 k_1 x_1^2 + \frac12 k_2(x_2 - x_1)^2$
\begin{itemize}
 \item $c\to\infty$ : $(m_1 + m_2)\ddot x_1 + k_1 x_1 = F$ (un seul corps) ;
 \item $k_2 = 0$, $c = 0$ : $m_1\ddot x_1 + k_1 x_1 = F$, $\ddot x_2 = 0$ ;
 \item $x_1$ bloqué : $m_2\ddot x_2 + c\dot x_2 + k_2 x_2 = 0$.
\end{itemize}""",
    "a speed that an energy has": r"""
$$ T = \tfrac12 m\rho^2\dot\theta^2 + \tfrac12 I\omega^2
    = \tfrac12(1 + \beta) m\rho^2\dot\theta^2, \qquad V = -m g\rho\cos\theta $$
- Thin hoop, $\beta = 1$: $\ddot\theta = -\frac g{2\rho}\sin\theta$

$$ m\rho\ddot\theta = -m g\sin\theta + f, \qquad I\dot\omega = -f r $$""",
    "a rope that runs twice as fast": r"""
# One to one

$$ T_c - m_c g = m_c\ddot x, \qquad m_w g - T_w = m_w\ddot x $$

# Two to one

Each fall carries half of the load: $2 T_c = m_c(g + \ddot x)$, $2 T_w = m_w(g - \ddot x)$.""",
    "an example": r"""
On the circle $$ v_0 = \sqrt{\frac{G M}{R_0}} $$
and on the ellipse with $R = 0.91 R_0$
$$ E = \frac12 m v_e^2 - \frac{G m M}{R} = 0 \Rightarrow v_e = \sqrt{\frac2{0.91}} v_0 $$
From the circle it would be
$$ v_e = \sqrt{\frac{2 G M}{R_0}} $$""",
    "exactly": r"""
$$ m\ddot y = -2 k\left(1 - \frac{l_0}l\right) y $$
Exactly it is $m\ddot y = -2 k y\left(1 - \frac{l_0}{\sqrt{l^2 + y^2}}\right)$.""",
}


def checked(folder: Path, text: str) -> PageReport:
    (folder / "page.md").write_text(text, encoding="utf-8")
    return freebody.alone(folder / "page.md").documents[0]


def contradicting(folder: Path, text: str) -> list[StatementVerdict]:
    return [one for one in checked(folder, text).equations if one.status == "contradicts"]


@pytest.mark.exhaustive(
    "solutions",
    "axes",
    "springs",
    "wells",
    "action and reaction",
    "bodies",
    "hovering",
    "downwards",
)
@pytest.mark.parametrize("text", TWINS.values(), ids=TWINS)
def test_equations_that_are_alike_may_be_of_two_cases(tmp_path: Path, text: str) -> None:
    assert not contradicting(tmp_path, text)


def test_what_an_equation_is_like_is_told(tmp_path: Path) -> None:
    first, second = checked(tmp_path, TWINS["up and down"]).equations
    assert first.reason.startswith("it is (#2) but for signs")
    assert second.reason.startswith("it is (#1) but for signs")
    assert (first.against, second.against) == (("(#2)",), ("(#1)",))
    assert str(first).startswith("undecided: ")
    assert "2 undecided, 0 with nothing" in checked(tmp_path, TWINS["up and down"]).lines()[-1]


@pytest.mark.parametrize(("text", "right", "wrong"), SLIPS.values(), ids=SLIPS)
def test_a_slip_right_beside_what_is_right_is_told(
    tmp_path: Path, text: str, right: str, wrong: str
) -> None:
    assert right in text
    assert not contradicting(tmp_path, text)
    repairs = {
        "".join(repair.latex.split())
        for one in contradicting(tmp_path, text.replace(right, wrong))
        for repair in one.repairs
    }
    (printed,) = (line for line in text.splitlines() if right in line)
    assert "".join(printed.replace("$$", "").split()) in repairs


APART = {
    "an energy is no constraint": (
        r"""
$$ T = \tfrac12 m l_1^2\dot\varphi_1^2 + \tfrac12 m l_2^2\dot\varphi_2^2
    + m l_1 l_2\dot\varphi_1\dot\varphi_2\cos(\varphi_1 - \varphi_2) $$
$$ V = -m g l_1\cos\varphi_1 - m g l_2\cos\varphi_2 $$
$$ l_2\ddot\varphi_2 + l_1\ddot\varphi_1\cos(\varphi_1 - \varphi_2)
    - l_1\dot\varphi_1^2\sin(\varphi_1 - \varphi_2) + g\sin\varphi_2 = 0 $$
The potential is nearly
$$ V \approx \tfrac12 m g l_1\varphi_1^2 + \tfrac12 m g l_2\varphi_2^2 - m g(l_1 + l_2) $$""",
        r"- l_1\dot\varphi_1^2",
        r"+ l_1\dot\varphi_1^2",
    ),
    "another section is of another system": (
        r"""
# A wheel on a circle
$$ T = \tfrac12 m(1 + \kappa)(R - r)^2\dot\theta^2, \qquad V = -m g(R - r)\cos\theta $$
# A wheel with a weight
$$ T = \tfrac12\left[I + m(r^2 + e^2 - 2 r e\cos\theta)\right]\dot\theta^2, \quad
    V = -m g e\cos\theta $$
$$ \left[I + m(r^2 + e^2 - 2 r e\cos\theta)\right]\ddot\theta
    + m r e\sin\theta\,\dot\theta^2 + m g e\sin\theta = 0 $$""",
        r"+ m r e",
        r"- m r e",
    ),
    "what is controlled later": (
        r"""
$$ L = \tfrac12 m\dot x^2 + \tfrac12 J\dot\theta^2 - \tfrac12 k(x - r\theta)^2 $$
$$ u = 2 F r $$
$$ J\ddot\theta = k r(x - r\theta) + u $$
$$ m\ddot x = -k(x - r\theta) $$
# Control
$$ u = -K_p\theta - K_d\dot\theta $$""",
        r"= k r(x",
        r"= -k r(x",
    ),
    "momenta": (
        r"""
$$ p_\psi = I_3(\dot\psi + \dot\varphi\cos\theta) $$
$$ p_\varphi = I_1\dot\varphi\sin^2\theta + p_\psi\cos\theta $$
$$ \dot\varphi = \frac{p_\varphi - p_\psi\cos\theta}{I_1\sin^2\theta} $$""",
        r"{p_\varphi - p_\psi\cos",
        r"{p_\varphi - p_\psi\sin",
    ),
}
"""Slips in equations beside which the page says something else of something else."""


@pytest.mark.parametrize(("text", "right", "wrong"), APART.values(), ids=APART)
def test_a_slip_is_told_beside_what_is_about_something_else(
    tmp_path: Path, text: str, right: str, wrong: str
) -> None:
    assert not contradicting(tmp_path, text)
    (found,) = contradicting(tmp_path, text.replace(right, wrong))
    assert wrong in found.latex


def test_an_exercise_with_its_number_in_bold_is_a_section(tmp_path: Path) -> None:
    text = r"""
**1.** Two masses between walls
\begin{align*} m\ddot x_1 &= -k x_1 - k_c(x_1 - x_2) \\
m\ddot x_2 &= -k x_2 - k_c(x_2 - x_1) \end{align*}
with $s = x_1 + x_2$, $d = x_1 - x_2$: $$ m\ddot s = -k s, \qquad m\ddot d = -(k + 2 k_c) d $$

**3.** One wall only
\begin{align*} m\ddot x_1 &= -k x_1 - k(x_1 - x_2) \\
m\ddot x_2 &= -k(x_2 - x_1) \end{align*}

**5.** A dashpot $c$ beside the spring of 1.
$$ m\ddot s + k s = 0, \qquad m\ddot d + 2 c\dot d + (k + 2 k_c) d = 0 $$
"""
    assert not contradicting(tmp_path, text)
    assert contradicting(tmp_path, text.replace("**", ""))


TOP = r"""
$$ L = \tfrac12 I_1(\dot\theta^2 + \dot\phi^2\sin^2\theta)
    + \tfrac12 I_3(\dot\psi + \dot\phi\cos\theta)^2 - m g l\cos\theta $$
$$ p_\psi = I_3(\dot\psi + \dot\phi\cos\theta) = I_3\omega_3 $$
$$ I_1\ddot\theta = I_1\dot\phi^2\sin\theta\cos\theta - I_3\omega_3\dot\phi\sin\theta
    + m g l\sin\theta $$"""


def test_a_speed_that_a_lagrangian_has_under_another_name_is_no_force(tmp_path: Path) -> None:
    assert not contradicting(tmp_path, TOP)


def test_of_an_equation_and_its_solution_either_may_be_wrong(tmp_path: Path) -> None:
    (found,) = contradicting(
        tmp_path,
        r"""
$$ I_2\alpha_2 + (I_3 - I_1)\omega_3\omega_1 = M_2 $$
$$ \alpha_2 = \frac{M_2 + (I_3 - I_1)\omega_3\omega_1}{I_2} $$
$$ \alpha_2 = \dot\omega_2 $$""",
    )
    assert found.wrong == ""
    assert found.reason.startswith("one of (#")


def test_what_a_page_holds_still_does_not_move(tmp_path: Path) -> None:
    text = r"""
$$ L = \tfrac12(M + m)\dot x^2 + \tfrac12 m(\dot l^2 + l^2\dot\theta^2)
    + m\dot x(\dot l\sin\theta + l\dot\theta\cos\theta) + m g l\cos\theta $$
With a rope of constant length, $\dot l = \ddot l = 0$, and
$$ l\ddot\theta + \ddot x\cos\theta + g\sin\theta = 0 $$
$$ (M + m)\ddot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta = F $$"""
    *_, angle, cart = checked(tmp_path, text).equations
    assert (angle.status, cart.status) == ("consistent", "consistent")
    assert angle.against[0] == "(#1)"
    assert angle.against[1].startswith("(line")


STATES = r"""
$$ m\ddot z = -(F_1 + F_2)\sin\theta, \qquad J\ddot\theta = l(F_1 - F_2) $$
With the state $x = [z, \dot z, \theta, \dot\theta]^T$ and $u = [F_1, F_2]^T$ this is
$$ \dot x_1 = x_2, \quad \dot x_2 = -\frac1m(u_1 + u_2)\sin x_3 $$
$$ \dot x_3 = x_4, \quad \dot x_4 = \frac lJ(u_1 - u_2) $$"""


@pytest.mark.parametrize(
    ("printed", "listed"),
    [
        ("$x = [z, ", "$x = [z, "),
        ("$x = [z, ", "$x = [x_1, x_2, x_3, x_4]^T = [z, "),
        ("$u = [F_1", "$u = [u_1, u_2]^T = [F_1"),
    ],
    ids=["by its letter", "by its entries", "inputs"],
)
def test_numbered_states_and_inputs_are_those_of_their_columns(
    tmp_path: Path, printed: str, listed: str
) -> None:
    text = STATES.replace(printed, listed)
    equations = [one for one in checked(tmp_path, text).equations if r"\dot x_" in one.latex]
    assert [one.status for one in equations] == ["consistent"] * 4
    wrong = text.replace(r"\sin x_3", r"\cos x_3")
    (found,) = contradicting(tmp_path, wrong)
    assert r"\cos x_3" in found.latex


def test_inputs_that_only_have_their_own_names_are_none_of_others(tmp_path: Path) -> None:
    text = r"""
$$ m\ddot z = (u_1 + u_2)\cos\theta - m g, \qquad J\ddot\theta = l(u_1 - u_2) $$
$$ u = \begin{bmatrix} u_1 \\ u_2 \end{bmatrix} $$
$$ \ddot z = \frac1m(u_1 + u_2)\cos\theta - m g $$"""
    assert [one.label for one in contradicting(tmp_path, text)] == ["(#1.1)", "(#3)"]


AT_REST = {
    "an amplitude": r"""
$\omega_0^2=g/l$, $\beta=\dfrac{m}{M+2m}$. Normal:
$\sigma=\theta_1+\theta_2$, $\delta=\theta_1-\theta_2$:

$$\ddot\theta_i+\omega_0^2\sin\theta_i+\mu\left[\left(\frac{\theta_i}{\theta_0}\right)^2-1\right]
\dot\theta_i+\frac{\ddot X}{l}\cos\theta_i=0.$$

$$\dot a=\frac{\mu a}{2}\left(1-\frac{a^2}{4\theta_0^2}\right),$$

и устойчивую амплитуду $a=2\theta_0$. $\omega(a)\approx\omega_0\left(1-\dfrac{a^2}{16}\right)$.""",
    "constants that are zero": r"""
取 $x_1=\theta_m$，$x_2=\dot\theta_m$，$x_3=\theta_l$，$x_4=\dot\theta_l$，则

$$\dot x_4=\frac1{J_l}\left[k(x_1-x_3)+d(x_2-x_4)\right]$$

令 $b_m=d=0$。对 (1)、(2) 作拉普拉斯变换：

$$\frac{\Theta_m(s)}{\mathcal T(s)}=\frac{J_ls^2+k}{s^2\left[J_mJ_ls^2+k(J_m+J_l)\right]},$$

$$\frac{\Theta_l(s)}{\mathcal T(s)}=\frac{k}{s^2\left[J_mJ_ls^2+k(J_m+J_l)\right]}.$$
""",
}


@pytest.mark.parametrize("text", AT_REST.values(), ids=AT_REST)
def test_what_is_zero_or_at_rest_is_of_a_case(tmp_path: Path, text: str) -> None:
    assert not contradicting(tmp_path, text)


def test_transforms_in_small_letters_are_no_functions_that_are_left_open(tmp_path: Path) -> None:
    text = r"""
$$ T = \tfrac12 J_1\dot\theta_1^2 + \tfrac12 J_2\dot\theta_2^2 $$
$$ V = k(r_1\theta_1 - r_2\theta_2)^2 $$
$$ J_2\ddot\theta_2 + 2 k r_1(r_2\theta_2 - r_1\theta_1) = -\tau_L $$
$$ \frac{\theta_1(s)}{\tau(s)} = \frac{J_2 s^2 + 2 k r_2^2}{s^2\left(J_1 J_2 s^2
    + 2 k(J_1 r_2^2 + J_2 r_1^2)\right)} $$
$$ \frac{\theta_2(s)}{\tau(s)} = \frac{2 k r_1 r_2}{s^2\left(J_1 J_2 s^2
    + 2 k(J_1 r_2^2 + J_2 r_1^2)\right)} $$"""
    (found,) = contradicting(tmp_path, text)
    assert found.wrong == "(#3)"


def test_the_sign_of_a_differential_may_be_of_its_variable(tmp_path: Path) -> None:
    text = r"""
make $u = \rho/r$ and
$$ \mathrm{d}u = -\frac{\rho}{r^2}\mathrm{d}r $$"""
    assert not contradicting(tmp_path, text)


def test_a_rope_that_has_one_length_in_a_section_does_not_move_there(tmp_path: Path) -> None:
    text = r"""
# Standing
$$ \frac{d}{dt}\left(m l^2\dot\theta\right) = -m g l\sin\theta, \quad
    l\ddot\theta + 2\dot l\dot\theta + g\sin\theta = 0 $$
# Seated
$$ T = \tfrac12 m l^2\dot\theta^2 + \tfrac12 J(\dot\theta + \dot\psi)^2, \quad
    V = -m g l\cos\theta $$
$$ (m l^2 + J)\ddot\theta + m g l\sin\theta = -J\ddot\psi $$"""
    assert not contradicting(tmp_path, text)


def test_a_solution_is_no_definition_of_a_coordinate(tmp_path: Path) -> None:
    text = r"""
$$ L = \tfrac12 m(\dot l^2 + l^2\dot\theta^2) + m g l\cos\theta $$
$$ l\ddot\theta + 2\dot l\dot\theta + g\sin\theta = 0 $$
# Small motions
With $\omega = \sqrt{g/l}$ and $\theta(0) = \dot\theta(0) = 0$ they are
$$ \theta(t) = \frac a g\left(1 - \cos\omega t\right) $$"""
    _, equation, *rest = checked(tmp_path, text).equations
    assert (equation.status, equation.against) == ("consistent", ("(#1)",))
    assert not any(one.status == "contradicts" for one in rest)


def test_an_equation_in_running_text_accuses_no_other_section_alone(tmp_path: Path) -> None:
    text = r"""
$$ L = \tfrac12(M + m)\dot x^2 + \tfrac12 m l^2\dot\theta^2 + m\dot x l\dot\theta\cos\theta
    + m g l\cos\theta $$
# Start
It starts with $\ddot x = a$. The solution of $l\ddot\theta + g\theta = -a$ is periodic."""
    assert not contradicting(tmp_path, text)


@pytest.mark.parametrize(
    ("words", "is_case"),
    [
        ("Hence", False),
        ("Daraus folgt", False),
        ("On obtient donc", False),
        ("Se obtiene", False),
        ("Ohne die Wand ist", True),
        ("Lorsque le mur est mobile,", True),
        ("En otro caso,", True),
        ("Senza il muro,", True),
        ("Sem a parede,", True),
    ],
)
def test_words_put_a_case_in_other_languages(tmp_path: Path, words: str, *, is_case: bool) -> None:
    text = rf"""
$$ m\ddot x = -k x + F $$
{words}
$$ \ddot x = -\frac km x - \frac Fm $$"""
    assert bool(contradicting(tmp_path, text)) is not is_case


def test_cases_with_numbers_are_several(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        r"""<ul>
<li>axis 2: \(\ddot\omega_1=+\dfrac{(I_3-I_2)(I_2-I_1)}{I_1I_3}\,\Omega^2\omega_1\) (not)</li>
<li>axis 3: \(\ddot\omega_1=-\dfrac{(I_3-I_1)(I_3-I_2)}{I_1I_2}\,\Omega^2\omega_1\) (stable)</li>
</ul>
<p>Symmetric body, \(I_1=I_2\): \(\omega_3\) is constant</p>""",
        encoding="utf-8",
    )
    (report,) = freebody.alone(page).documents
    assert "contradicts" not in {one.status for one in report.equations}


ELSEWHERE = {
    "a coordinate that running text counts from elsewhere": r"""
$$ T = \tfrac12 J_1\dot\theta^2 + \tfrac12 J_2\dot\alpha^2 + \kappa\dot\theta\dot\alpha\cos\alpha,
   \quad V = m g l\cos\alpha $$
# Constant speed
Hanging ($\alpha = \pi + \phi$) it is stable, and opens with $\cos\phi = m g l/(J_2\Omega^2)$.
# Upright
$$ \kappa\ddot\theta + J_2\ddot\alpha - m g l\alpha = 0 $$
# Hanging
$$ -\kappa\ddot\theta + J_2\ddot\phi + m g l\phi = 0 $$""",
    "an equation for a root": r"""
# Without damping
At $\Omega^2 = k/m$ it stands still; with $r = \Omega/\omega_0$ and $\mu = m/M$
$$ r^4 - (2 + \mu) r^2 + 1 = 0 $$
# With damping
Let $f = \omega_a/\omega_0$ with $\omega_a^2 = k/m$. The fixed points have
$$ r^4 - 2 r^2\frac{1 + f^2 + \mu f^2}{2 + \mu} + \frac{2 f^2}{2 + \mu} = 0 $$""",
    "energies with a constraint of rates put in": r"""
The disc rolls, with $\Omega = \dot\psi + \dot\varphi\cos\theta$, and conserves
$$ E = \tfrac12(A + m a^2)\dot\theta^2 + \tfrac12 A\dot\varphi^2\sin^2\theta
   + \tfrac12(C + m a^2)\Omega^2 + m g a\sin\theta $$
$$ A\ddot\varphi\sin\theta + 2 A\dot\theta\dot\varphi\cos\theta - C\Omega\dot\theta = 0 $$
$$ (C + m a^2)\dot\Omega - m a^2\dot\theta\dot\varphi\sin\theta = 0 $$""",
    "a unit in front of a colon": r"""
with $C = 0.08$ kg m^2, $r = 10$ rad/s and $H = 0.8$ kg m^2/s: it is
$$ H^2 = C^2 r^2 $$""",
}


@pytest.mark.parametrize("text", ELSEWHERE.values(), ids=ELSEWHERE)
def test_what_is_about_something_else_contradicts_nothing(tmp_path: Path, text: str) -> None:
    assert not contradicting(tmp_path, text)


def test_what_running_text_imposes_in_a_later_section_is_of_that(tmp_path: Path) -> None:
    text = r"""
# Transfer functions
$$ \frac{\Theta(s)}{F(s)} = \frac{-m l}{D s^2 - (M + m) m g l} $$
$$ \frac{X(s)}{F(s)} = \frac{(I + m l^2) s^2 - m g l}{s^2(D s^2 - (M + m) m g l)} $$
# An acceleration as input
An inner loop imposes $\ddot x = F$."""
    first, second, *_ = checked(tmp_path, text).equations
    assert (first.against, second.against) == ((), ())


def test_products_of_unit_vectors_that_are_not_set_out_do_not_commute(tmp_path: Path) -> None:
    text = r"""
$$ \bm{e}_x\times\bm{e}_y = \bm{e}_z, \quad \bm{e}_y\times\bm{e}_z = \bm{e}_x $$
$$ \bm{e}_y\times\bm{e}_x = -\bm{e}_z, \quad \bm{e}_z\times\bm{e}_y = -\bm{e}_x $$"""
    assert not contradicting(tmp_path, text)


def test_what_is_said_of_a_letter_that_is_of_several_accuses_no_lagrangian(tmp_path: Path) -> None:
    text = r"""
# Extremes

$$ \lambda = \pm\frac{x_0}{R} - 1. $$

# A bead

$$ L = \frac{m}{2} a^2\dot\theta^2 + m g a\cos\theta $$

With a multiplier

$$ L = \frac{m}{2}(r^2\dot\theta^2 + \dot r^2) + m g r\cos\theta - \lambda(r - a) $$

$$ \lambda = m r\dot\theta^2 + g m\cos\theta $$

With $x = a\sin\theta$, $\dot x = a\dot\theta\cos\theta$, $y = h(t) - a\cos\theta$,
$\dot y = \dot h + a\dot\theta\sin\theta$:

$$ L = \frac{m}{2}(\dot x^2 + \dot y^2) + m g\bigl(a\cos\theta + h(t)\bigr) $$

In Cartesian coordinates with a constraint:

$$ L = \frac{m}{2}(\dot x^2 + \dot y^2) - m g y - \frac{m\lambda}{2}(x^2 + (y - h)^2 - a^2) $$
"""
    assert not contradicting(tmp_path, text)
