"""What lies behind several differing equations: an earlier misprint, a definition, a dimension.

The pages are of a pole on a cart and of a double pendulum. What follows from a misprinted position
or energy is worked out with sympy alone.
"""

from __future__ import annotations

from functools import cache

import pytest
import sympy

from freebody.checking.causes.definitions import definitions, holds
from freebody.checking.causes.dimensions import wrong_terms
from freebody.checking.causes.error_propagation import ErrorPropagation
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.pairs import pairs
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.quantities.derived import Quantities
from freebody.documents import documents_of
from freebody.documents.latex import Declared, Relation, read_page
from freebody.locating import FILE_NAME, shipped
from freebody.model import load

CART = "cart_pendulum"


@cache
def quantities(model: str) -> Quantities:
    return Quantities(load(model))


def relations(page: str, symbols: Symbols, start: int = 0) -> list[Relation]:
    declared = Declared(symbols.meanings, symbols.varies)
    displays = read_page(page, declared, start)
    found = [relation for display in displays for relation in display.relations]
    assert all(isinstance(relation, Relation) for relation in found), found
    return [relation for relation in found if isinstance(relation, Relation)]


def walked(page: str, symbols: Symbols) -> dict[str, str]:
    """Return from where each equation that differs carries on a misprint, by its label."""
    carried, found = ErrorPropagation(symbols.quantities), {}
    for relation in relations(page, symbols):
        true = holds(symbols, relation)
        sides = pairs(Evaluator(symbols), relation)
        origin = carried.add(relation.label, relation, symbols, sides, true)
        if not true:
            found[relation.label] = origin
        assert not (true and origin)
    return found


# ---------------------------------------------------------------------- carried on

MEANINGS = {
    "m_c": "m_c",
    "m_p": "m_p",
    "l": "l",
    "g": "g",
    "F": "F",
    "x": "x",
    r"\theta": "theta",
    r"\omega": "theta_dot",
    "x_p": "position.pole.x",
    "y_p": "position.pole.y",
    "v": "sqrt(velocity.pole.x**2 + velocity.pole.y**2)",
    "T": "energy.kinetic",
    "V": "energy.potential",
    "L": "energy.kinetic - energy.potential",
    "N_x": "reaction.hinge.force.x",
    "N_y": "reaction.hinge.force.y",
    "N_c": "reaction.rail.force.y",
    "M": "M",
    "M_{i,j}": "M[i,j]",
    "C_{i}": "C[i]",
    "G_{i}": "G[i]",
    "J_{i,j}": "jacobian.pole[i,j]",
    "a_{i,j}": "M[i,j]",
    "R_x": "resultant.pole.force.x",
    "p": "position.pole",
    "J": "jacobian.pole",
    "C": "C",
    "G": "G",
    "K": "linear.K",
    "A": "linear.A",
    "B": "linear.B",
}
m_c, m_p, length, g, x, theta, force = sympy.symbols(r"m_c m_p l g x \theta F")
xd, thetad, xdd, thetadd = sympy.symbols(r"\dot{x} \dot{\theta} \ddot{x} \ddot{\theta}")
RATES = {x: xd, theta: thetad, xd: xdd, thetad: thetadd}


def rate(expr: sympy.Expr) -> sympy.Expr:
    return sympy.expand(sum(expr.diff(one) * slope for one, slope in RATES.items()))


class Derived:
    """What follows from a position of the pole, or from energies, by the textbook."""

    def __init__(
        self,
        place: tuple[sympy.Expr, sympy.Expr],
        kinetic: sympy.Expr = None,
        potential: sympy.Expr = None,
    ) -> None:
        self.place = place
        self.velocity = [rate(part) for part in place]
        self.acceleration = [rate(part) for part in self.velocity]
        square = sum(part**2 for part in self.velocity)
        turning = m_p * length**2 * thetad**2 / 6
        self.square = sympy.expand(square)
        self.kinetic = kinetic or sympy.expand((m_c * xd**2 + m_p * square) / 2 + turning)
        self.potential = potential or m_p * g * place[1]
        self.lagrangian = sympy.expand(self.kinetic - self.potential)
        self.rows = [
            rate(self.lagrangian.diff(RATES[q])) - self.lagrangian.diff(q) for q in (x, theta)
        ]
        self.rows = [sympy.expand(row) for row in self.rows]

    def block(self, i: int, j: int) -> sympy.Expr:
        return sympy.expand(self.rows[i].diff((xdd, thetadd)[j]))

    def centrifugal(self, i: int) -> sympy.Expr:
        return self.rows[i].subs({xdd: 0, thetadd: 0}) - self.gravity(i)

    def gravity(self, i: int) -> sympy.Expr:
        return self.potential.diff((x, theta)[i])

    def matrices(self) -> dict[str, tuple[str, sympy.Matrix]]:
        """Return the matrices that follow, whole, by a name."""
        rows, moving = sympy.Matrix(self.rows), (x, theta)
        place, velocity = map(sympy.Matrix, (self.place, self.velocity))
        inertia = rows.jacobian([xdd, thetadd])
        rest = dict.fromkeys((x, theta, xd, thetad, xdd, thetadd), 0)
        stiffness = rows.jacobian(moving).subs(rest)
        still, zero = inertia.subs(rest).inv(), sympy.zeros(2, 2)
        return {
            "place": ("p", place),
            "velocities": (r"\dot{p}", velocity),
            "whole Jacobian": ("J", place.jacobian(moving)),
            "whole inertia": ("M", inertia),
            "whole determinant": (r"\det M", sympy.Matrix([inertia.det()])),
            "all centrifugal": ("C", sympy.Matrix([self.centrifugal(i) for i in (0, 1)])),
            "all gravity": ("G", sympy.Matrix([self.gravity(i) for i in (0, 1)])),
            "stiffness": ("K", stiffness),
            "linear": (
                "A",
                sympy.BlockMatrix([[zero, sympy.eye(2)], [-still * stiffness, zero]]).as_explicit(),
            ),
            "inputs": ("B", sympy.Matrix([0, 0, *(still * sympy.Matrix([1, 0]))])),
        }

    def pages(self) -> dict[str, str]:
        """Return equations that follow, in LaTeX, by a name."""
        (x_p, y_p), (vx, vy), (ax, ay) = self.place, self.velocity, self.acceleration
        solved = sympy.solve([self.rows[0] - force, self.rows[1]], [xdd, thetadd])
        free = -self.rows[1].subs(thetadd, 0) / self.rows[1].diff(thetadd)
        sides = {
            "velocity": (r"\dot{x}_p", vx),
            "velocity y": (r"\dot{y}_p", vy),
            "acceleration": (r"\ddot{x}_p", ax),
            "acceleration y": (r"\ddot{y}_p", ay),
            "Jacobian": ("J_{1,2}", x_p.diff(theta)),
            "Jacobian y": ("J_{2,2}", y_p.diff(theta)),
            "square": ("v^2", self.square),
            "kinetic": ("T", self.kinetic),
            "potential": ("V", self.potential),
            "Lagrangian": ("L", self.lagrangian),
            "inertia": ("M_{1,2}", self.block(0, 1)),
            "inertia 2": ("M_{2,2}", self.block(1, 1)),
            "centrifugal": ("C_1", self.centrifugal(0)),
            "gravity": ("G_2", self.gravity(1)),
            "first": ("F", self.rows[0]),
            "second": ("0", self.rows[1]),
            "reaction": ("N_x", m_p * ax),
            "reaction y": ("N_y", m_p * (ay + g)),
            "reaction of the rail": ("N_c", m_p * ay + (m_p + m_c) * g),
            "resultant": ("R_x", m_p * ax),
            "balance": ("F", m_c * xdd + m_p * ax),
            "solved": (r"\ddot{\theta}", solved[thetadd]),
            "solved for one": (r"\ddot{\theta}", free),
        }
        sides |= {
            name: (left, whole[0] if whole.shape == (1, 1) else whole)
            for name, (left, whole) in self.matrices().items()
        }
        return {name: f"{left} = {sympy.latex(right)}" for name, (left, right) in sides.items()}


TRUE = Derived((x + length * sympy.sin(theta), length * sympy.cos(theta)))


@cache
def cart() -> Symbols:
    return Symbols(quantities(CART), MEANINGS)


def following(misprint: str, wrong: Derived, *, without: str = "") -> dict[str, str]:
    """Return, for all that is wrong because of a misprint, what it is said to be carried from."""
    true = TRUE.pages()
    told = {}
    for name, equation in wrong.pages().items():
        if equation != true[name] and name not in without.split(", "):
            told[name] = walked(rf"$${misprint} \tag{{1}}$$ $${equation} \tag{{2}}$$", cart())[
                "(2)"
            ]
    return told


def test_the_textbook_of_the_tests_agrees_with_the_derivation() -> None:
    page = " ".join(f"$${equation}$$" for equation in TRUE.pages().values())
    assert walked(page, cart()) == {}


@pytest.mark.exhaustive
@pytest.mark.few(r"x_p = l\sin\theta")
@pytest.mark.parametrize(
    ("misprint", "place"),
    [
        (r"x_p = x + 2 l\sin\theta", (x + 2 * length * sympy.sin(theta), TRUE.place[1])),
        (r"y_p = l\sin\theta", (TRUE.place[0], length * sympy.sin(theta))),
        (r"x_p = l\sin\theta", (length * sympy.sin(theta), TRUE.place[1])),
    ],
)
def test_all_that_follows_from_a_misprinted_position_carries_it_on(
    misprint: str, place: tuple[sympy.Expr, sympy.Expr]
) -> None:
    told = following(misprint, Derived(place))
    assert len(told) > 8
    assert {name for name, origin in told.items() if origin != "(1)"} == set()


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("misprint", "energies"),
    [
        (r"T = \frac{1}{2} m_c \dot{x}^2 + \frac{1}{2} m_p v^2", {"kinetic": "no spin"}),
        (r"V = -m_p g l \cos\theta", {"potential": -m_p * g * length * sympy.cos(theta)}),
    ],
)
def test_what_follows_from_a_misprinted_energy_carries_it_on(
    misprint: str, energies: dict[str, object]
) -> None:
    if energies.get("kinetic"):
        energies = {"kinetic": TRUE.kinetic - m_p * length**2 * thetad**2 / 6}
    told = following(misprint, Derived(TRUE.place, **energies))  # type: ignore[arg-type]
    assert len(told) > 3
    assert {name for name, origin in told.items() if origin != "(1)"} == set()


@pytest.mark.parametrize(
    ("misprint", "followers"),
    [
        (
            r"J = \begin{bmatrix} 1 & l\cos\theta\\ 0 & l\sin\theta\end{bmatrix}",
            [
                (
                    r"\dot p = \begin{bmatrix}\dot x + l\dot\theta\cos\theta\\"
                    r"l\dot\theta\sin\theta\end{bmatrix}"
                ),
                r"\dot y_p = l\dot\theta\sin\theta",
            ],
        ),
        (
            r"J_{1,2} = 2 l\cos\theta",
            [
                r"\dot x_p = \dot x + 2 l\dot\theta\cos\theta",
                (
                    r"T = \frac12 m_c\dot x^2 + \frac12 m_p(\dot x^2 + 4l\dot x\dot\theta\cos\theta"
                    r"+ 4l^2\dot\theta^2\cos^2\theta + l^2\dot\theta^2\sin^2\theta)"
                    r"+ \frac16 m_p l^2\dot\theta^2"
                ),
                r"M_{1,2} = 2 m_p l\cos\theta",
            ],
        ),
        (
            r"\dot y_p = -2l\dot\theta\sin\theta",
            [r"J = \begin{bmatrix} 1 & l\cos\theta\\ 0 & -2l\sin\theta\end{bmatrix}"],
        ),
        (
            (
                r"M = \begin{bmatrix} m_c & m_p l\cos\theta\\"
                r"m_p l\cos\theta & \frac43 m_p l^2\end{bmatrix}"
            ),
            [
                r"\det M = \frac43 m_c m_p l^2 - m_p^2 l^2\cos^2\theta",
                (
                    r"B = \begin{bmatrix} 0\\ 0\\ \frac{4}{4m_c - 3m_p}\\"
                    r"-\frac{3}{l(4m_c - 3m_p)}\end{bmatrix}"
                ),
            ],
        ),
    ],
)
def test_a_misprint_is_carried_between_matrices_and_entries(
    misprint: str, followers: list[str]
) -> None:
    for equation in followers:
        assert chained(misprint, equation) == {"(1)": "", "(2)": "(1)"}


def chained(*equations: str) -> dict[str, str]:
    page = " ".join(rf"$${one} \tag{{{i}}}$$" for i, one in enumerate(equations, 1))
    return walked(page, cart())


def test_a_chain_is_carried_from_its_root() -> None:
    assert chained(
        r"x_p = x + 2 l\sin\theta",
        r"\dot{x}_p = \dot{x} + 2 l\dot\theta\cos\theta",
        r"\ddot{x}_p = \ddot{x} + 2 l\ddot\theta\cos\theta - 2 l\dot\theta^2\sin\theta",
        r"m_p \ddot{x}_p = N_x",
        r"F = m_c\ddot{x} + m_p(\ddot{x} + 2 l\ddot\theta\cos\theta - 2 l\dot\theta^2\sin\theta)",
    ) == {"(1)": "", "(2)": "(1)", "(3)": "(1)", "(5)": "(1)"}


def test_a_misprint_that_goes_no_further_is_not_blamed_for_another() -> None:
    assert chained(
        r"x_p = x + 2 l\sin\theta",
        r"\dot{x}_p = \dot{x} + l\dot\theta\cos\theta",
        r"\ddot{x}_p = \ddot{x} + l\ddot\theta\cos\theta + l\dot\theta^2\sin\theta",
        r"y_p = 2 l\cos\theta",
    ) == {"(1)": "", "(3)": "", "(4)": ""}


def test_what_the_page_says_right_afterwards_counts() -> None:
    assert chained(
        r"x_p = x + 2 l\sin\theta",
        r"x_p = x + l\sin\theta",
        r"\dot{x}_p = \dot{x} + 2 l\dot\theta\cos\theta",
    ) == {"(1)": "", "(3)": ""}


def test_of_two_misprints_the_one_that_is_carried_on_is_told() -> None:
    assert chained(
        r"x_p = x + 2 l\sin\theta",
        r"y_p = l\sin\theta",
        r"V = m_p g l\sin\theta",
        r"T = \frac{m_c + m_p}{2}\dot{x}^2 + \frac{1}{6} m_p l^2 \dot\theta^2 + "
        r"\frac{1}{2} m_p (4 l\dot{x}\dot\theta\cos\theta + 4 l^2\dot\theta^2\cos^2\theta + "
        r"l^2\dot\theta^2\sin^2\theta)",
    ) == {"(1)": "", "(2)": "", "(3)": "(2)", "(4)": "(1)"}


def test_a_misprint_of_two_equations_together_is_carried_from_the_first() -> None:
    assert chained(
        r"x_p = x + 2 l\sin\theta",
        r"y_p = l\sin\theta",
        r"v^2 = (\dot{x} + 2 l\dot\theta\cos\theta)^2 + l^2\dot\theta^2\cos^2\theta",
    ) == {"(1)": "", "(2)": "", "(3)": "(1)"}


def test_a_square_of_a_speed_is_carried_into_the_energy() -> None:
    assert chained(
        r"v^2 = \dot{x}^2 + l^2\dot\theta^2",
        r"T = \frac{1}{2} m_c \dot{x}^2 + \frac{1}{2} m_p(\dot{x}^2 + l^2\dot\theta^2) + "
        r"\frac{1}{6} m_p l^2\dot\theta^2",
        r"M_{1,2} = 0",
        r"0 = \frac{4}{3} m_p l^2\ddot\theta - m_p g l\sin\theta",
    ) == {"(1)": "", "(2)": "(1)", "(3)": "(1)", "(4)": "(1)"}


def test_a_misprinted_balance_is_carried_to_the_other_body() -> None:
    assert chained(
        r"m_p\ddot{x}_p = -N_x",
        r"m_c\ddot{x} = F - N_x",
        r"F = m_c\ddot{x} - m_p(\ddot{x} + l\ddot\theta\cos\theta - l\dot\theta^2\sin\theta)",
    ) == {"(1)": "", "(3)": "(1)"}


def test_a_misprinted_inertia_is_carried_by_symmetry_and_into_centrifugal_terms() -> None:
    assert chained(
        r"M_{1,2} = m_p l\sin\theta",
        r"M_{2,1} = m_p l\sin\theta",
        r"C_1 = m_p l\dot\theta^2\cos\theta",
    ) == {"(1)": "", "(2)": "(1)", "(3)": "(1)"}


def test_misprinted_equations_of_motion_are_carried_into_their_solution() -> None:
    assert chained(
        r"(m_c + m_p)\ddot{x} + m_p l(\ddot\theta\cos\theta - \dot\theta^2\sin\theta) = F",
        r"m_p l\ddot{x}\cos\theta + m_p l^2\ddot\theta - m_p g l\sin\theta = 0",
        r"\ddot\theta = \frac{g\sin\theta - \ddot{x}\cos\theta}{l}",
        r"\ddot{x} = \frac{F + m_p l\dot\theta^2\sin\theta - m_p g\sin\theta\cos\theta}"
        r"{m_c + m_p\sin^2\theta}",
    ) == {"(2)": "", "(3)": "(2)", "(4)": "(2)"}


def test_a_symbol_of_the_page_is_carried_wherever_it_stands() -> None:
    assert chained(
        r"L = \frac{1}{2} (m_c + m_p)\dot{x}^2 + m_p l\dot{x}\dot\theta\cos\theta + "
        r"\frac{2}{3} m_p l^2\dot\theta^2 + m_p g l\cos\theta",
        r"\frac{d}{dt}\frac{\partial L}{\partial \dot\theta} - \frac{\partial L}{\partial\theta}"
        r" = \frac{4}{3} m_p l^2\ddot\theta + m_p l\ddot{x}\cos\theta + m_p g l\sin\theta",
        r"G_2 = m_p g l\sin\theta",
    ) == {"(1)": "", "(2)": "(1)", "(3)": "(1)"}


def test_the_lagrangian_carries_an_energy_on_and_the_inverse_an_inertia() -> None:
    more = {"L": "energy.lagrangian", "D": "det.M", "W_{i,j}": "inverse.M[i,j]"}
    symbols = cart().changed(more)
    page = (
        r"$$V = -m_p g l\cos\theta \tag{1}$$"
        r"$$L = \frac{m_c + m_p}{2}\dot{x}^2 + m_p l\dot{x}\dot\theta\cos\theta + "
        r"\frac{2}{3} m_p l^2\dot\theta^2 + m_p g l\cos\theta \tag{2}$$"
        r"$$M_{2,2} = m_p l^2 \tag{3}$$"
        r"$$D = (m_c + m_p) m_p l^2 - m_p^2 l^2\cos^2\theta \tag{4}$$"
        r"$$W_{1,1} = \frac{1}{m_c + m_p\sin^2\theta} \tag{5}$$"
    )
    assert walked(page, symbols) == {"(1)": "", "(2)": "(1)", "(3)": "", "(4)": "(3)", "(5)": "(3)"}


# ---------------------------------------------------------------------- definitions

SHIPPED = {
    (document.path.parent.name, document.name): document
    for folder in shipped().values()
    for document in documents_of(folder / FILE_NAME)
    if not (document.front.page or document.front.sections or document.front.assume)
}
LONG = "arm_3d"
"""The model whose page takes seconds to be judged."""
FEW = sorted(SHIPPED)[::8]


@cache
def judged(
    model: str, name: str, **changed: str
) -> tuple[Symbols, list[tuple[Relation, bool]], dict[str, str]]:
    """Return the equations of a shipped page without its errata, but for garbled symbols."""
    document = SHIPPED[model, name]
    meanings = {**document.front.symbols, **changed}
    garbled = {e.symbol: e.reads for e in document.front.errata if e.symbol and e.reads}
    meanings |= {wrong: meanings[right] for wrong, right in garbled.items()}
    symbols = Symbols(quantities(model), meanings)
    found = [
        relation
        for display in read_page(
            document.text, Declared(symbols.meanings, symbols.varies), document.start
        )
        for relation in display.relations
        if isinstance(relation, Relation) and not document.reason_unchecked(relation.label)
    ]
    return symbols, [(relation, holds(symbols, relation)) for relation in found], garbled


@pytest.mark.exhaustive
def test_a_distance_from_another_point_is_one_finding() -> None:
    (found,) = definitions(*judged("three_link_arm", "cesari_2001"))
    assert (found.symbol, found.declared, found.proposed) == ("d_S", "dS", "dS - d3")
    assert found.fixes == ("(17)", "(42)", "(43)", "(44)")
    assert found.breaks == ()


@pytest.mark.one_in(3)
@pytest.mark.few(*FEW)
@pytest.mark.parametrize("page", sorted(page for page in SHIPPED if page[0] != LONG))
def test_no_definition_is_blamed_on_the_other_pages(page: tuple[str, str]) -> None:
    if page != ("three_link_arm", "cesari_2001"):
        assert definitions(*judged(*page)) == ()


ARM, LINKS = ("three_link_arm", "cesari_2001"), ("two_link", "duarte_two_link")


@pytest.mark.one_in(3)
@pytest.mark.few("I_3", "d_2", r"\alpha_2")
@pytest.mark.parametrize(
    ("page", "symbol", "seeded", "right"),
    [
        (ARM, "I_3", "I3 + m3*d3**2", "I3"),
        (ARM, "F_{x3}", "-reaction.wrist.force.x", "reaction.wrist.force.x"),
        (ARM, "y_3", "-position.hand.y", "position.hand.y"),
        (LINKS, "d_2", "L2 - d2", "d2"),
        (LINKS, "L_1", "2*L1", "L1"),
        (LINKS, r"\alpha_2", "alpha1 + alpha2", "alpha2"),
        (LINKS, r"\alpha_2", "-alpha2", "alpha2"),
        (LINKS, r"\alpha_1", "pi/2 - alpha1", "alpha1"),
    ],
)
def test_a_wrong_definition_is_found(
    page: tuple[str, str], symbol: str, seeded: str, right: str
) -> None:
    symbols, relations, garbled = judged(*page, **{symbol: seeded})
    found = {one.symbol: one for one in definitions(symbols, relations, garbled)}
    meant = symbols.changed({symbol: found[symbol].proposed}).value(symbol).form
    true = symbols.changed({symbol: right}).value(symbol).form
    assert not symbols.quantities.lower(meant - true)
    assert len(found[symbol].fixes) > len(found[symbol].breaks)


def test_what_only_carries_a_misprint_on_proves_no_definition() -> None:
    page = (
        r"$$x_p = x + 2 l\sin\theta \tag{1}$$"
        r"$$\dot{x}_p = \dot{x} + 2 l\dot\theta\cos\theta \tag{2}$$"
    )
    both = [(relation, False) for relation in relations(page, cart())]
    assert [one.proposed for one in definitions(cart(), both)] == ["l/2"]
    assert definitions(cart(), both, carried=["(2)"]) == ()


# ---------------------------------------------------------------------- dimensions


def wrong(equation: str) -> list[tuple[str, str, str]]:
    """Return the terms of an equation of the cart that have a wrong dimension."""
    (relation,) = relations(f"$${equation}$$", cart())
    return [
        (relation.latex[slice(*term.span)].strip(), str(term.found), str(term.expected))
        for term in wrong_terms(cart(), relation)
    ]


@pytest.mark.parametrize(
    ("equation", "expected"),
    [
        (r"x_p = x + l^2\sin\theta", [(r"+ l^2\sin\theta", "m**2", "m")]),
        (r"T = m_p v^2 + m_p v", [("+ m_p v", "kg*m/s", "kg*m**2/s**2")]),
        (r"M_{1,2} = m_p", [("m_p", "kg", "kg*m")]),
        (r"V = m_p g (l\cos\theta + m_c)", [("+ m_c", "kg", "m")]),
        (r"V = m_p g (m_c + l\cos\theta)", [("m_c", "kg", "m")]),
        (
            r"N_x = m_p(\ddot{x} + l\ddot\theta - l\dot\theta)",
            [(r"- l\dot\theta", "m/s", "m/s**2")],
        ),
        (r"v = \sqrt{\dot{x}^2 + l^2\dot\theta}", [(r"+ l^2\dot\theta", "m**2/s", "m**2/s**2")]),
        (r"x_p = x + l\sin(\dot\theta)", [(r"\dot\theta", "1/s", "1")]),
        (r"\ddot\theta = \frac{g\sin\theta}{l + l^2}", [("+ l^2", "m**2", "m")]),
        (
            r"[C_1\ C_2]^T = [m_p l\dot\theta^2\ m_p l\dot\theta^2]^T",
            [(r"m_p l\dot\theta^2", "kg*m/s**2", "kg*m**2/s**2")],
        ),
        (r"\frac{d}{dt}\frac{\partial T}{\partial\dot\theta} = m_p l \ddot{x}", []),
        (
            r"\frac{d}{dt}\frac{\partial T}{\partial\dot{x}} = m_p l \ddot{x}",
            [(r"m_p l \ddot{x}", "kg*m**2/s**2", "kg*m/s**2")],
        ),
        (r"x_p = x + 0.3\sin\theta", []),
        (r"x = 1", []),
        (r"M_{1,2} - 0 = 2 m_p l", []),
        (r"x_p = x + l\cos\theta", []),
    ],
)
def test_the_terms_of_a_wrong_dimension_are_told(
    equation: str, expected: list[tuple[str, str, str]]
) -> None:
    assert wrong(equation) == expected


@pytest.mark.few(*FEW)
@pytest.mark.parametrize("page", sorted(page for page in SHIPPED if page[0] != LONG))
def test_no_equation_of_a_shipped_page_that_holds_has_a_wrong_dimension(
    page: tuple[str, str],
) -> None:
    symbols, relations, _ = judged(*page)
    found = [
        (relation.label, wrong_terms(symbols, relation)) for relation, true in relations if true
    ]
    assert [(label, terms) for label, terms in found if terms] == []
