r"""Pages as notes of lectures are: true statements about a mechanism, in any order and choice.

A page gives energies, and then says some of what textbooks say of the mechanism: equations of
motion with friction and with loads, divided by constants, with letters that are short for others,
whether these are said or not, balances of single bodies, linear forms, states, solutions. Nothing
of it contradicts anything. With one misprint it may.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import freebody
from campaign.outcome import Campaign, Outcome
from misprints import numbers, signs, waves

CLEAN = "nothing contradicts"
TOLD, SILENT = "a misprint, told", "a misprint, not told"
FALSE = "a contradiction on a clean page"
WORDS = (
    *("It follows", "We get", "Hence", "With", "where", "so that", "This is", "and", "", ""),
    *("The equation of motion is", "For small angles", "Dividing by the mass,", "In short,"),
)


@dataclass(frozen=True)
class Mechanism:
    """What is said of a mechanism.

    Attributes
    ----------
    energies : tuple of str
        Ways to say what its energies are.
    true : tuple of str
        What holds then, though nothing may say what some letters are.
    """

    energies: tuple[str, ...]
    true: tuple[str, ...]


PENDULUM = Mechanism(
    energies=(
        r"L = \frac12 m l^2\dot\theta^2 + m g l\cos\theta",
        r"T = \frac12 m l^2\dot\theta^2, \qquad V = -m g l\cos\theta, \qquad L = T - V",
        r"x = l\sin\theta, \quad y = -l\cos\theta, \quad T = \frac12 m(\dot x^2 + \dot y^2), "
        r"\quad V = m g y, \quad L = T - V",
    ),
    true=(
        r"m l^2\ddot\theta + m g l\sin\theta = 0",
        r"\ddot\theta + \frac{g}{l}\sin\theta = 0",
        r"\ddot\theta = -\omega_0^2\sin\theta",
        r"\ddot\theta + \omega_0^2\sin\theta = 0, \qquad \omega_0^2 = \frac{g}{l}",
        r"\ddot\theta + \omega^2\theta = 0",
        r"\omega = \sqrt{\frac{g}{l}}",
        r"T_0 = 2\pi\sqrt{\frac{l}{g}}",
        r"T_0 = \frac{2\pi}{\omega_0}",
        r"m l^2\ddot\theta + c\dot\theta + m g l\sin\theta = \tau",
        r"\ddot\theta + 2\gamma\dot\theta + \omega_0^2\sin\theta = f\cos(\Omega t)",
        r"\ddot\theta + \frac{b}{m}\dot\theta + \frac gl\sin\theta = 0",
        r"\theta(t) = \theta_0\cos(\omega_0 t + \varphi)",
        r"\dot\theta = \omega, \qquad \dot\omega = -\frac{g}{l}\sin\theta",
        r"\dot x_1 = x_2, \qquad \dot x_2 = -\frac gl\sin x_1",
        r"E = \frac12 m l^2\dot\theta^2 - m g l\cos\theta",
        r"E = T + V",
        r"\frac{dE}{dt} = 0",
        r"H = \frac{p^2}{2 m l^2} - m g l\cos\theta",
        r"p = \frac{\partial L}{\partial\dot\theta} = m l^2\dot\theta",
        r"\dot p = -m g l\sin\theta",
        r"\frac{d}{dt}\frac{\partial L}{\partial\dot\theta} - \frac{\partial L}{\partial\theta} = 0",
        r"\frac{\partial}{\partial t}\frac{\partial L}{\partial\dot\theta} = m l^2\ddot\theta",
        r"\frac{\partial L}{\partial\theta} = -m g l\sin\theta",
        r"\frac{d^2\theta}{dt^2} = -\frac gl\sin\theta",
        r"\theta'' + \frac{g}{l}\sin\theta = 0",
        r"\ddot\theta = -g/l sin(\theta)",
        r"I\ddot\theta = -m g l\sin\theta",
        r"I = m l^2",
        r"I\ddot\theta = \tau",
        r"\alpha = -\frac{g}{l}\sin\theta",
        r"\sin\theta\approx\theta",
        r"\ddot\theta + \sin\theta = 0",
        r"\dot\theta^2 = \frac{2g}{l}(\cos\theta - \cos\theta_0)",
        r"N = m g\cos\theta + m l\dot\theta^2",
        r"T_S = m g\cos\theta + m\frac{v^2}{l}, \qquad v = l\dot\theta",
        r"F = -m g\sin\theta",
        r"s = l\theta, \qquad m\ddot s = -m g\sin\frac{s}{l}",
        r"\ddot\theta + a\sin\theta = 0",
        r"\ddot\theta = -k\sin\theta - \mu\dot\theta + u",
    ),
)
SPRING = Mechanism(
    energies=(
        r"L = \frac12 m\dot x^2 - \frac12 k x^2",
        r"T = \frac12 m\dot x^2, \qquad V = \frac12 k x^2",
        r"T = \frac12 m v^2, \qquad V = \frac12 k x^2, \qquad v = \dot x",
    ),
    true=(
        r"m\ddot x + k x = 0",
        r"\ddot x + \omega_0^2 x = 0",
        r"\omega_0 = \sqrt{k/m}",
        r"\omega_0^2 = \frac km",
        r"m\ddot x + c\dot x + k x = f(t)",
        r"\ddot x + 2\zeta\omega_n\dot x + \omega_n^2 x = \frac{f}{m}",
        r"\zeta = \frac{c}{2\sqrt{k m}}, \qquad \omega_n = \sqrt{\frac km}",
        r"x(t) = A\cos(\omega_0 t) + B\sin(\omega_0 t)",
        r"\ddot x = -\frac km x",
        r"F = -k x",
        r"m a = -k x",
        r"a = \ddot x",
        r"E = \frac12 m v^2 + \frac12 k x^2",
        r"m\ddot x + b\dot x + k x = F_0\cos\omega t",
        r"\omega_d = \omega_n\sqrt{1 - \zeta^2}",
        r"\lambda = -\zeta\omega_n \pm \omega_n\sqrt{\zeta^2 - 1}",
        r"x(t) = A e^{-\gamma t}\cos(\omega_d t + \phi)",
        r"\gamma = \frac{c}{2m}",
        r"\ddot x + 2\gamma\dot x + \omega_0^2 x = 0",
        r"m s^2 X(s) + c s X(s) + k X(s) = F(s)",
        r"G(s) = \frac{1}{m s^2 + c s + k}",
        r"\dot x_1 = x_2, \qquad \dot x_2 = -\frac km x_1 - \frac cm x_2 + \frac 1m u",
        r"\begin{bmatrix}\dot x\\ \dot v\end{bmatrix} = \begin{bmatrix}0 & 1\\ -\frac km & -\frac cm"
        r"\end{bmatrix}\begin{bmatrix}x\\ v\end{bmatrix}",
        r"m\ddot\xi + k\xi = 0",
        r"T_0 = 2\pi\sqrt{\frac mk}",
        r"\ddot x + \beta\dot x + \alpha x = \gamma\cos(\omega t)",
        r"\frac{dE}{dt} = -c\dot x^2",
        r"p = m\dot x",
        r"\dot p = -k x",
        r"H = \frac{p^2}{2m} + \frac12 k x^2",
        r"m1 \ddot{x1} = -k1 x1 + k2 (x2 - x1)",
    ),
)
CART = Mechanism(
    energies=(
        r"L = \frac12(M + m)\dot x^2 + m l\dot x\dot\theta\cos\theta + \frac12 m l^2\dot\theta^2"
        r" - m g l\cos\theta",
        r"T = \frac12 M\dot x^2 + \frac12 m(\dot x_p^2 + \dot y_p^2), \quad x_p = x + l\sin\theta, "
        r"\quad y_p = l\cos\theta, \quad V = m g l\cos\theta, \quad L = T - V",
    ),
    true=(
        r"(M+m)\ddot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta = F",
        r"l\ddot\theta + \ddot x\cos\theta - g\sin\theta = 0",
        r"(M+m)\ddot x + m l\ddot\theta = F",
        r"l\ddot\theta + \ddot x - g\theta = 0",
        r"(M + m)\ddot x + b\dot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta = F",
        r"(I + m l^2)\ddot\theta + m l\ddot x\cos\theta = m g l\sin\theta",
        r"\ddot x = \frac{F + m l\dot\theta^2\sin\theta - m g\sin\theta\cos\theta}"
        r"{M + m\sin^2\theta}",
        r"\ddot\theta = \frac{(M+m)g\sin\theta - \cos\theta(F + m l\dot\theta^2\sin\theta)}"
        r"{l(M + m\sin^2\theta)}",
        r"\ddot\theta = \frac{g\sin\theta - \ddot x\cos\theta}{l}",
        r"M\ddot x = F - N",
        r"N = m\frac{d^2}{dt^2}(x + l\sin\theta)",
        r"\ddot\theta = \frac gl\sin\theta - \frac ul\cos\theta, \qquad \ddot x = u",
        r"\cos\theta\approx 1, \quad\sin\theta\approx\theta",
        r"\Delta = M + m\sin^2\theta",
        r"\begin{bmatrix}M + m & m l\cos\theta\\ m l\cos\theta & m l^2\end{bmatrix}"
        r"\begin{bmatrix}\ddot x\\ \ddot\theta\end{bmatrix} + \begin{bmatrix}"
        r"-m l\dot\theta^2\sin\theta\\ -m g l\sin\theta\end{bmatrix} = "
        r"\begin{bmatrix}F\\ 0\end{bmatrix}",
        r"q = \begin{bmatrix}x\\ \theta\end{bmatrix}",
        r"M(q)\ddot q + C(q,\dot q)\dot q + G(q) = \tau",
        r"F = -K x",
        r"\ddot x = \frac{F - m g\theta}{M}",
        r"\ddot\theta = \frac{(M+m)g\theta - F}{M l}",
        r"E = T + V",
        r"\dot x = v, \quad \dot\theta = \omega",
        r"\frac{\partial L}{\partial x} = 0",
        r"P = (M+m)\dot x + m l\dot\theta\cos\theta",
    ),
)
ORBIT = Mechanism(
    energies=(
        r"L = \frac12 m(\dot r^2 + r^2\dot\theta^2) + \frac{G M m}{r}",
        r"T = \frac12 m(\dot r^2 + r^2\dot\theta^2), \qquad V = -\frac{G M m}{r}, \qquad L = T - V",
    ),
    true=(
        r"m\ddot r - m r\dot\theta^2 = -\frac{G M m}{r^2}",
        r"\frac{d}{dt}(m r^2\dot\theta) = 0",
        r"\ell = m r^2\dot\theta",
        r"m\ddot r = \frac{\ell^2}{m r^3} - \frac{G M m}{r^2}",
        r"\ddot r - r\dot\theta^2 = -\frac{\mu}{r^2}",
        r"\ddot r - r\dot\theta^2 = -\frac{\mu}{r^2}, \qquad \mu = G M",
        r"r\ddot\theta + 2\dot r\dot\theta = 0",
        r"V_e(r) = \frac{\ell^2}{2 m r^2} - \frac{G M m}{r}",
        r"E = \frac12 m\dot r^2 + \frac12 m r^2\dot\theta^2 - \frac{G M m}{r}",
        r"r = \frac{p}{1 + e\cos\theta}",
        r"v^2 = \dot r^2 + r^2\dot\theta^2",
        r"a_r = \ddot r - r\dot\theta^2, \qquad a_\theta = r\ddot\theta + 2\dot r\dot\theta",
        r"F = -\frac{G M m}{r^2}",
        r"m a_r = F",
        r"h = r^2\dot\theta",
        r"\ddot r - \frac{h^2}{r^3} + \frac{G M}{r^2} = 0",
        r"u = \frac1r",
        r"\frac{d^2u}{d\theta^2} + u = \frac{G M}{h^2}",
        r"m(\ddot r - r\dot\theta^2) = F_r",
        r"x = r\cos\theta, \qquad y = r\sin\theta",
        r"\ddot x = -\frac{G M x}{r^3}",
        r"T_0^2 = \frac{4\pi^2}{G M}a^3",
        r"p_r = m\dot r, \qquad p_\theta = m r^2\dot\theta",
        r"\dot p_\theta = 0",
    ),
)
ATWOOD = Mechanism(
    energies=(
        r"T = \frac12(m_1 + m_2)\dot x^2, \qquad V = -(m_1 - m_2) g x, \qquad L = T - V",
        r"L = \frac12 m_1\dot x^2 + \frac12 m_2\dot x^2 + m_1 g x - m_2 g x",
    ),
    true=(
        r"(m_1 + m_2)\ddot x = (m_1 - m_2) g",
        r"\ddot x = \frac{m_1 - m_2}{m_1 + m_2} g",
        r"a = \frac{m_1 - m_2}{m_1 + m_2} g",
        r"m_1\ddot x = m_1 g - S",
        r"m_2\ddot x = S - m_2 g",
        r"m_1 a = m_1 g - F_S, \qquad m_2 a = F_S - m_2 g",
        r"S = \frac{2 m_1 m_2}{m_1 + m_2} g",
        r"a = \ddot x",
        r"M = m_1 + m_2, \qquad \mu = m_1 - m_2",
        r"M\ddot x = \mu g",
        r"(m_1 + m_2)\ddot x + c\dot x = (m_1 - m_2) g",
        r"x(t) = \frac12 a t^2",
        r"\left(m_1 + m_2 + \frac{I}{R^2}\right)\ddot x = (m_1 - m_2) g",
        r"I\dot\omega = (S_1 - S_2) R, \qquad \dot x = R\omega",
        r"m_1\ddot x = m_1 g - S_1, \qquad m_2\ddot x = S_2 - m_2 g",
        r"y = l - x, \qquad \ddot y = -\ddot x",
        r"p = (m_1 + m_2)\dot x",
        r"E = T + V",
        r"F = m a",
    ),
)
INCLINE = Mechanism(
    energies=(
        r"T = \frac12 m\dot x^2 + \frac12 I\dot\phi^2, \qquad V = -m g x\sin\alpha, \qquad "
        r"x = R\phi, \qquad L = T - V",
        r"L = \frac12\left(m + \frac{I}{R^2}\right)\dot x^2 + m g x\sin\alpha",
    ),
    true=(
        r"\left(m + \frac{I}{R^2}\right)\ddot x = m g\sin\alpha",
        r"\ddot x = \frac{g\sin\alpha}{1 + \frac{I}{m R^2}}",
        r"m\ddot x = m g\sin\alpha - F_f",
        r"I\ddot\phi = F_f R",
        r"I\frac{\ddot x}{R} = F_f R",
        r"\ddot x = R\ddot\phi",
        r"I = \frac12 m R^2",
        r"N = m g\cos\alpha",
        r"F_f \le \mu N",
        r"v = R\omega, \qquad \omega = \dot\phi",
        r"v^2 = 2 a x",
        r"a = \ddot x",
        r"E = \frac12 m v^2 + \frac12 I\omega^2 - m g x\sin\alpha",
        r"m_e\ddot x = m g\sin\alpha, \qquad m_e = m + \frac{I}{R^2}",
        r"m_e\ddot x = m g\sin\alpha",
        r"\left(m + \frac{I}{R^2}\right)\ddot x = m g\sin\alpha - c\dot x",
        r"\ddot x = \frac{5}{7} g\sin\alpha, \qquad I = \frac25 m R^2",
        r"M\ddot x = F",
        r"k = \frac{I}{m R^2}",
        r"\ddot x = \frac{g\sin\alpha}{1 + k}",
    ),
)
DOUBLE = Mechanism(
    energies=(
        r"x_1 = l_1\sin\theta_1, \quad y_1 = -l_1\cos\theta_1, \quad x_2 = x_1 + l_2\sin\theta_2, "
        r"\quad y_2 = y_1 - l_2\cos\theta_2",
        r"L = \frac12(m_1+m_2) l_1^2\dot\theta_1^2 + \frac12 m_2 l_2^2\dot\theta_2^2 + m_2 l_1 l_2"
        r"\dot\theta_1\dot\theta_2\cos(\theta_1-\theta_2) + (m_1+m_2) g l_1\cos\theta_1"
        r" + m_2 g l_2\cos\theta_2",
    ),
    true=(
        r"(m_1+m_2) l_1\ddot\theta_1 + m_2 l_2\ddot\theta_2\cos(\theta_1-\theta_2) + m_2 l_2"
        r"\dot\theta_2^2\sin(\theta_1-\theta_2) + (m_1+m_2) g\sin\theta_1 = 0",
        r"l_2\ddot\theta_2 + l_1\ddot\theta_1\cos(\theta_1-\theta_2) - l_1\dot\theta_1^2"
        r"\sin(\theta_1-\theta_2) + g\sin\theta_2 = 0",
        r"\Delta = \theta_1 - \theta_2",
        r"M = m_1 + m_2",
        r"M l_1\ddot\theta_1 + m_2 l_2\ddot\theta_2\cos\Delta + m_2 l_2\dot\theta_2^2\sin\Delta"
        r" + M g\sin\theta_1 = 0",
        r"l_2\ddot\theta_2 + l_1\ddot\theta_1\cos\Delta - l_1\dot\theta_1^2\sin\Delta"
        r" + g\sin\theta_2 = 0",
        r"m_1\ddot x_1 = -T_1\sin\theta_1 + T_2\sin\theta_2",
        r"m_2\ddot x_2 = -T_2\sin\theta_2, \qquad m_2\ddot y_2 = T_2\cos\theta_2 - m_2 g",
        r"\omega_1 = \dot\theta_1, \qquad \omega_2 = \dot\theta_2",
        r"l_2\ddot\theta_2 + l_1\ddot\theta_1 + g\theta_2 = 0",
        r"\mu = \frac{m_2}{m_1}",
        r"(1 + \mu) l_1\ddot\theta_1 + \mu l_2\ddot\theta_2\cos\Delta + \mu l_2\dot\theta_2^2"
        r"\sin\Delta + (1 + \mu) g\sin\theta_1 = 0",
        r"m_2 l_2^2\ddot\theta_2 + m_2 l_1 l_2\ddot\theta_1\cos(\theta_1-\theta_2) - m_2 l_1 l_2"
        r"\dot\theta_1^2\sin(\theta_1-\theta_2) + m_2 g l_2\sin\theta_2 = \tau_2",
        r"p_2 = \frac{\partial L}{\partial\dot\theta_2}",
        r"\dot x_1 = l_1\dot\theta_1\cos\theta_1",
        r"v_1^2 = l_1^2\dot\theta_1^2",
        r"y_{11} = \omega_1",
        r"E = T + V",
    ),
)
MECHANISMS = (PENDULUM, SPRING, CART, ORBIT, ATWOOD, INCLINE, DOUBLE)


def drawn(chance: random.Random) -> list[str]:
    """Return the parts of a page, of which the formulas are displays."""
    one = chance.choice(MECHANISMS)
    formulas = [chance.choice(one.energies), *chance.sample(one.true, chance.randint(3, 7))]
    if chance.random() < 0.3:
        chance.shuffle(formulas)
    parts = ["# Notes"]
    for formula in formulas:
        parts += [chance.choice(WORDS), f"$$ {formula} $$"]
        parts += ["## Next"] if chance.random() < 0.15 else []
    return parts


def misprinted(chance: random.Random, parts: list[str]) -> list[str]:
    """Return a page with one sign, number, sine or cosine changed."""
    place = chance.choice([n for n, part in enumerate(parts) if part.startswith("$$")])
    text = parts[place][2:-2]
    misprint = chance.choice([*chain(signs(text), waves(text), numbers(text))])
    first, last = misprint.span
    text = text[:first] + misprint.text + text[last:]
    return [*parts[:place], f"$${text}$$", *parts[place + 1 :]]


def contradictions(parts: Iterable[str]) -> list[str]:
    """Return the equations of a page that contradict others."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "notes.md"
        path.write_text("\n\n".join(parts), encoding="utf-8")
        (page,) = freebody.alone(path).documents
    return [one.latex for one in page.equations if one.status == "contradicts"]


def case(seed: int) -> Outcome:
    """Draw a page, one of two with a misprint, and hold it against itself."""
    chance = random.Random(seed)  # noqa: S311 - nothing secret
    parts = drawn(chance)
    is_clean = seed % 2 == 0
    parts = parts if is_clean else misprinted(chance, parts)
    found = contradictions(parts)
    if not is_clean:
        return Outcome(TOLD if found else SILENT)
    page = "\n\n".join(parts)
    return Outcome(FALSE, True, f"{found}\n{page}") if found else Outcome(CLEAN)


CAMPAIGN = Campaign("notes", 2_000, 60, case)
