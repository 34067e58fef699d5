"""Systems with their published equations in solved form, to put misprints into."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from freebody.checking.findings import Judgement
from freebody.checking.judge import judge
from freebody.checking.quantities.derived import Quantities
from freebody.checking.verdicts import Checker
from freebody.documents import read_document
from freebody.documents.latex import Relation, read_page
from freebody.model import load


@dataclass(frozen=True)
class System:
    """A model, what a page calls its quantities, and equations of the page."""

    model: str
    symbols: dict[str, str]
    equations: dict[str, str]
    _known: dict[str, Checker] = field(default_factory=dict, hash=False, compare=False)

    def checker(self, folder: Path) -> Checker:
        """Return what checks the page, written into a folder."""
        if "checker" not in self._known:
            (folder / "model.toml").write_text(self.model, encoding="utf-8")
            (folder / "page.md").write_text(self.page, encoding="utf-8")
            document = read_document(folder / "page.md")
            model = load(folder / "model.toml")
            self._known["checker"] = Checker(document, Quantities(model))
        return self._known["checker"]

    @property
    def page(self) -> str:
        symbols = "\n".join(f"'{symbol}' = \"{means}\"" for symbol, means in self.symbols.items())
        head = 'title = "Page"\nsource = "By hand"\nmodel = "model.toml"'
        front = f"+++\n{head}\n[symbols]\n{symbols}\n+++\n"
        body = "\n\n".join(f"$${one} \\tag{{{label}}}$$" for label, one in self.equations.items())
        return f"{front}\n# Page\n\n{body}\n"


def judged(checker: Checker, latex: str) -> Judgement:
    """Judge an equation as if it stood on the page."""
    repairs = checker.repairs.on(f"$${latex}$$")
    (relation,) = read_page(repairs.reread.text, repairs.reread.declared)[0].relations
    assert isinstance(relation, Relation)
    return judge(checker.symbols, relation, repairs)


def same(checker: Checker, one: str, other: str) -> bool:
    """Return whether two equations read as the same, but for the order of terms."""
    shown = []
    for latex in (one, other):
        (relation,) = read_page(f"$${latex}$$", checker.repairs.reread.declared)[0].relations
        assert isinstance(relation, Relation), latex
        shown.append(checker.repairs.reread.shown(relation))
    return shown[0] == shown[1]


CART_POLE = System(
    """
title = "Cart and a pendulum that hangs from it"
gravity = [0, "-g", 0]
[coordinates]
x = { title = "displacement", unit = "m" }
theta = { title = "angle", unit = "rad" }
[inputs]
F = { title = "force", unit = "N" }
[constants]
M = { title = "mass of the cart", unit = "kg", value = 5 }
m = { title = "mass of the bob", unit = "kg", value = 1 }
l = { title = "length", unit = "m", value = 2 }
g = { title = "gravity", unit = "m/s**2", value = 9.81 }
[[bodies]]
name = "cart"
mass = "M"
[[bodies]]
name = "bob"
mass = "m"
center_of_mass = [0, "-l", 0]
[[joints]]
name = "rail"
type = "slider"
parent = "ground"
child = "cart"
displacement = "x"
force = "F"
[[joints]]
name = "hinge"
type = "pin"
parent = "cart"
child = "bob"
angle = "theta"
""",
    {
        "M": "M",
        "m": "m",
        "l": "l",
        "g": "g",
        "F": "F",
        "x": "x",
        r"\theta": "theta",
        "T": "energy.kinetic",
        "x_b": "position.bob.x",
        "y_b": "position.bob.y",
    },
    {
        "x": r"\ddot{x} = \frac{F + m \sin\theta (l \dot{\theta}^2 + g \cos\theta)}"
        r"{M + m \sin^2\theta}",
        "theta": r"\ddot{\theta} = \frac{-F \cos\theta - m l \dot{\theta}^2 \cos\theta \sin\theta"
        r" - (M + m) g \sin\theta}{l (M + m \sin^2\theta)}",
        "row": r"(M + m) \ddot{x} + m l \ddot{\theta} \cos\theta - m l \dot{\theta}^2 \sin\theta"
        r" = F",
        "energy": r"T = \frac{1}{2} (M + m) \dot{x}^2 + m l \dot{x} \dot{\theta} \cos\theta"
        r" + \frac{1}{2} m l^2 \dot{\theta}^2",
        "position": r"x_b = x + l \sin\theta",
        "squares": r"T = \frac12 M\dot x^2"
        r" + \frac12 m\left[(\dot x + l\dot\theta\cos\theta)^2 + (l\dot\theta\sin\theta)^2\right]",
        "uncancelled": r"\ddot{\theta} = \frac{-m^2 l^4\dot\theta^2\sin\theta\cos\theta"
        r" - (M+m) m l^3 g \sin\theta - m l^3\cos\theta F}{(M+m) m l^4 - m^2 l^4\cos^2\theta}",
    },
)

DOUBLE_PENDULUM = System(
    """
title = "Two bobs on massless rods"
gravity = [0, "-g", 0]
[coordinates]
theta1 = { title = "first angle", unit = "rad" }
theta2 = { title = "second angle", unit = "rad" }
[constants]
m1 = { title = "first mass", unit = "kg", value = 1 }
m2 = { title = "second mass", unit = "kg", value = 2 }
L1 = { title = "first length", unit = "m", value = 1 }
L2 = { title = "second length", unit = "m", value = 0.7 }
g = { title = "gravity", unit = "m/s**2", value = 9.81 }
[[bodies]]
name = "bob1"
mass = "m1"
center_of_mass = [0, "-L1", 0]
[[bodies]]
name = "bob2"
mass = "m2"
center_of_mass = [0, "-L2", 0]
[[joints]]
name = "pivot1"
type = "pin"
parent = "ground"
child = "bob1"
angle = "theta1"
[[joints]]
name = "pivot2"
type = "pin"
parent = "bob1"
at = [0, "-L1", 0]
child = "bob2"
angle = "theta2 - theta1"
""",
    {
        "m_1": "m1",
        "m_2": "m2",
        "L_1": "L1",
        "L_2": "L2",
        "g": "g",
        r"\theta_1": "theta1",
        r"\theta_2": "theta2",
        "T": "energy.kinetic",
    },
    {
        "1": r"\ddot{\theta}_1 = \frac{-g (2 m_1 + m_2) \sin\theta_1"
        r" - m_2 g \sin(\theta_1 - 2 \theta_2) - 2 \sin(\theta_1 - \theta_2) m_2"
        r" (\dot{\theta}_2^2 L_2 + \dot{\theta}_1^2 L_1 \cos(\theta_1 - \theta_2))}"
        r"{L_1 (2 m_1 + m_2 - m_2 \cos(2 \theta_1 - 2 \theta_2))}",
        "2": r"\ddot{\theta}_2 = \frac{2 \sin(\theta_1 - \theta_2) (\dot{\theta}_1^2 L_1"
        r" (m_1 + m_2) + g (m_1 + m_2) \cos\theta_1 + \dot{\theta}_2^2 L_2 m_2"
        r" \cos(\theta_1 - \theta_2))}"
        r"{L_2 (2 m_1 + m_2 - m_2 \cos(2 \theta_1 - 2 \theta_2))}",
        "energy": r"T = \frac{1}{2} m_1 L_1^2 \dot{\theta}_1^2 + \frac{1}{2} m_2 (L_1^2"
        r" \dot{\theta}_1^2 + L_2^2 \dot{\theta}_2^2 + 2 L_1 L_2 \dot{\theta}_1 \dot{\theta}_2"
        r" \cos(\theta_1 - \theta_2))",
    },
)

SPHERICAL_PENDULUM = System(
    """
title = "Bob on a rod that turns about the vertical and swings"
gravity = [0, 0, "-g"]
[coordinates]
phi = { title = "azimuth", unit = "rad" }
theta = { title = "angle from the downward vertical", unit = "rad" }
[constants]
m = { title = "mass", unit = "kg", value = 1 }
l = { title = "length", unit = "m", value = 1 }
g = { title = "gravity", unit = "m/s**2", value = 9.81 }
[[bodies]]
name = "yoke"
mass = 0
[[bodies]]
name = "bob"
mass = "m"
center_of_mass = [0, 0, "-l"]
[[joints]]
name = "mast"
type = "pin"
parent = "ground"
child = "yoke"
axis = [0, 0, 1]
angle = "phi"
[[joints]]
name = "hinge"
type = "pin"
parent = "yoke"
child = "bob"
axis = [0, -1, 0]
angle = "theta"
""",
    {"m": "m", "l": "l", "g": "g", r"\phi": "phi", r"\theta": "theta", "T": "energy.kinetic"},
    {
        "theta": r"\ddot{\theta} = \dot{\phi}^2 \sin\theta \cos\theta - \frac{g}{l} \sin\theta",
        "phi": r"\ddot{\phi} = -\frac{2 \dot{\phi} \dot{\theta} \cos\theta}{\sin\theta}",
        "tangent": r"\ddot{\phi} = -\frac{2 \dot{\phi} \dot{\theta}}{\tan\theta}",
        "energy": r"T = \frac{1}{2} m l^2 (\dot{\theta}^2 + \sin^2\theta \dot{\phi}^2)",
    },
)

ROD = System(
    """
title = "A driven rod on a spring about its pivot"
gravity = [0, "-g", 0]
[coordinates]
theta = { title = "angle", unit = "rad" }
[inputs]
tau = { title = "torque", unit = "N*m" }
[constants]
m = { title = "mass", unit = "kg", value = 1 }
d = { title = "pivot to centre of mass", unit = "m", value = 0.3 }
I = { title = "moment of inertia about the centre of mass", unit = "kg*m**2", value = 0.1 }
k = { title = "stiffness", unit = "N*m/rad", value = 2 }
c = { title = "damping", unit = "N*m*s/rad", value = 0.2 }
g = { title = "gravity", unit = "m/s**2", value = 9.81 }
[[bodies]]
name = "rod"
mass = "m"
center_of_mass = [0, "-d", 0]
inertia = "I"
[[joints]]
name = "pivot"
type = "pin"
parent = "ground"
child = "rod"
angle = "theta"
torque = "tau"
[[springs]]
joint = "pivot"
stiffness = "k"
[[dampers]]
joint = "pivot"
damping = "c"
""",
    {
        "m": "m",
        "d": "d",
        "I": "I",
        "k": "k",
        "c": "c",
        "g": "g",
        r"\tau": "tau",
        r"\theta": "theta",
    },
    {
        "1": r"\ddot{\theta} = \frac{\tau - m g d \sin\theta - k \theta - c \dot{\theta}}"
        r"{I + m d^2}",
        "2": r"(I + m d^2) \ddot{\theta} + c \dot{\theta} + k \theta + m g d \sin\theta = \tau",
    },
)

ECCENTRIC_ROLLER = System(
    """
title = "A disc that rolls, its centre of mass beside its middle"
gravity = [0, "-g", 0]
[coordinates]
phi = { title = "angle", unit = "rad" }
[constants]
m = { title = "mass", unit = "kg", value = 1 }
J = { title = "moment of inertia about the centre of mass", unit = "kg*m**2", value = 0.1 }
R = { title = "radius", unit = "m", value = 1 }
e = { title = "middle to centre of mass", unit = "m", value = 0.2 }
g = { title = "gravity", unit = "m/s**2", value = 9.81 }
[[bodies]]
name = "middle"
mass = 0
[[bodies]]
name = "disc"
mass = "m"
inertia = "J"
center_of_mass = [0, "-e", 0]
[[joints]]
name = "roll"
type = "slider"
parent = "ground"
child = "middle"
displacement = "-R*phi"
[[joints]]
name = "turn"
type = "pin"
parent = "middle"
child = "disc"
angle = "phi"
""",
    {"m": "m", "J": "J", "R": "R", "e": "e", "g": "g", r"\varphi": "phi"},
    {
        "1": r"[J + m(R^2+e^2-2Re\cos\varphi)]\ddot\varphi + mRe\sin\varphi\dot\varphi^2"
        r" + mge\sin\varphi = 0",
    },
)

UNIFORM_ROD = System(
    """
title = "A uniform rod that swings about its end"
gravity = [0, "-g", 0]
[coordinates]
theta = { title = "angle", unit = "rad" }
[constants]
m = { title = "mass", unit = "kg", value = 1 }
L = { title = "length", unit = "m", value = 1 }
g = { title = "gravity", unit = "m/s**2", value = 9.81 }
[[bodies]]
name = "rod"
mass = "m"
inertia = "m*L**2/12"
center_of_mass = [0, "-L/2", 0]
[[joints]]
name = "pivot"
type = "pin"
parent = "ground"
child = "rod"
angle = "theta"
""",
    {"m": "m", "L": "L", "g": "g", r"\theta": "theta"},
    {
        "solved": r"\ddot\theta = -\frac{3g}{2L}\sin\theta",
        "1": r"\frac13 mL^2\ddot\theta = -\frac12 mgL\sin\theta",
    },
)

BIFILAR = System(
    """
title = "A rod on two strings that turns about the vertical"
gravity = [0, 0, "-g"]
[coordinates]
theta = { title = "twist", unit = "rad", initial = 0.3 }
[constants]
m = { title = "mass", unit = "kg", value = 1.2 }
I = { title = "moment of inertia", unit = "kg*m**2", value = 0.02 }
R = { title = "half of the distance of the strings", unit = "m", value = 0.15 }
L = { title = "length of the strings", unit = "m", value = 0.8 }
g = { title = "gravity", unit = "m/s**2", value = 9.81 }
[[bodies]]
name = "rod"
mass = "m"
inertia = [0, "I", "I"]
[[joints]]
name = "strings"
type = "cylindrical"
parent = "ground"
child = "rod"
displacement = "-sqrt(L**2 - 4*R**2*sin(theta/2)**2)"
angle = "theta"
""",
    {
        "m": "m",
        "I": "I",
        "R": "R",
        "L": "L",
        "g": "g",
        r"\theta": "theta",
        "h": "-position.rod.z",
        r"\omega": "sqrt(m*g*R**2/(I*L))",
        "T": "2*pi*sqrt(I*L/(m*g*R**2))",
    },
    {
        "h": r"h = \sqrt{L^2 - 4 R^2 \sin^2\frac{\theta}{2}}",
        "rate": r"\dot h = -\frac{R^2 \sin\theta}{h} \dot\theta",
        "frequency": r"\omega = R \sqrt{\frac{m g}{I L}}",
        "period": r"T = \frac{2 \pi}{R} \sqrt{\frac{I L}{m g}}",
        "inertia": r"I = \frac{m g T^2}{4 \pi^2 L} R^2",
    },
)


ROLLER = System(
    """
title = "A cylinder that rolls down a slope, held by a spring and a damper"
gravity = ["g*sin(b)", "-g*cos(b)", 0]
[coordinates]
x = { title = "displacement", unit = "m" }
[constants]
m = { title = "mass", unit = "kg", value = 3 }
R = { title = "radius", unit = "m", value = 0.2 }
k = { title = "stiffness", unit = "N/m", value = 50 }
c = { title = "damping", unit = "N*s/m", value = 2 }
g = { title = "gravity", unit = "m/s**2", value = 9.81 }
b = { title = "slope", unit = "rad", value = 0.3 }
[[bodies]]
name = "cylinder"
mass = "m"
inertia = "m*R**2/2"
[[joints]]
name = "contact"
type = "planar"
parent = "ground"
child = "cylinder"
translation = ["x", "R"]
rotation = "-x/R"
[[forces]]
name = "spring"
on = "cylinder"
vector = ["-k*x - c*x_dot", 0, 0]
""",
    {
        "s": "x",
        "m": "m",
        "R": "R",
        "k": "k",
        "c": "c",
        "g": "g",
        r"\beta": "b",
        r"\omega_n": "sqrt(2*k/(3*m))",
        r"\zeta": "c/sqrt(6*k*m)",
        r"\tau_n": "2*pi*sqrt(3*m/(2*k))",
    },
    {
        "row": r"\tfrac32 m\ddot s + c\dot s + ks = mg\sin\beta",
        "frequency": r"\omega_n = \sqrt{\frac{2k}{3m}}",
        "period": r"\tau_n = 2\pi\sqrt{\frac{3m}{2k}}",
        "damping": r"\zeta = \frac{c}{\sqrt{6km}}",
        "solved": r"\ddot s = \frac{2\left(mg\sin\beta - ks - c\dot s\right)}{3m}",
    },
)
