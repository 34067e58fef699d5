"""Models of one body by its velocities along its own axes, as aircraft and cars have them."""

from __future__ import annotations

from pathlib import Path

import pytest

import freebody
from freebody.documents import read_bare
from freebody.model import Model
from freebody.recognition.chapters import recognise_page
from freebody.recognition.equations.page_motion import PageMotion
from freebody.recognition.recognised import Recognised
from freebody.recognition.rigid_bodies import rigid_body

EULER = (
    r"$$I_1\dot\omega_1 + (I_3 - I_2)\omega_2\omega_3 = M_1$$",
    r"$$I_2\dot\omega_2 + (I_1 - I_3)\omega_3\omega_1 = M_2$$",
    r"$$I_3\dot\omega_3 + (I_2 - I_1)\omega_1\omega_2 = M_3$$",
)
TURNING = r"""$$\dot p = \frac{I_y - I_z}{I_x} q r - \frac{J_r}{I_x} q\Omega + \frac{l}{I_x} U_2$$
    $$\dot q = \frac{I_z - I_x}{I_y} p r + \frac{J_r}{I_y} p\Omega + \frac{l}{I_y} U_3$$
    $$\dot r = \frac{I_x - I_y}{I_z} p q + \frac{1}{I_z} U_4$$"""
FLYING = r"""$$\ddot x = (\cos\phi\sin\theta\cos\psi + \sin\phi\sin\psi)\frac{U_1}{m}$$
    $$\ddot y = (\cos\phi\sin\theta\sin\psi - \sin\phi\cos\psi)\frac{U_1}{m}$$
    $$\ddot z = \cos\phi\cos\theta\frac{U_1}{m} - g$$"""
BY_ANGLES = r"""$$I_x\ddot\phi = (I_y - I_z)\dot\theta\dot\psi + l U_2$$
    $$I_y\ddot\theta = (I_z - I_x)\dot\phi\dot\psi + l U_3$$
    $$I_z\ddot\psi = (I_x - I_y)\dot\phi\dot\theta + U_4$$"""
ANGLES = r"""$$\dot\phi = p + q\sin\phi\tan\theta + r\cos\phi\tan\theta$$
    $$\dot\theta = q\cos\phi - r\sin\phi$$
    $$\dot\psi = \frac{q\sin\phi + r\cos\phi}{\cos\theta}$$"""
AIRCRAFT = r"""$$m(\dot u + q w - r v) = X - m g\sin\theta$$
    $$m(\dot v + r u - p w) = Y + m g\cos\theta\sin\phi$$
    $$m(\dot w + p v - q u) = Z + m g\cos\theta\cos\phi$$
    $$I_{xx}\dot p - I_{xz}\dot r + q r(I_{zz} - I_{yy}) - I_{xz} p q = L$$
    $$I_{yy}\dot q + r p(I_{xx} - I_{zz}) + I_{xz}(p^2 - r^2) = M$$
    $$I_{zz}\dot r - I_{xz}\dot p + p q(I_{yy} - I_{xx}) + I_{xz} q r = N$$"""
PAGES = {
    "Euler's equations": ("".join(EULER), 3),
    "of columns": (r"$$J\dot\omega + \omega\times J\omega = \tau$$", 1),
    "of columns, divided": (
        r"$$\dot{\vec\omega} = I^{-1}(\vec\tau - \vec\omega\times I\vec\omega)$$", 1,
    ),
    "of columns, as fractions": (
        r"$$\frac{dv}{dt} = F/m$$ $$\frac{dw}{dt} = I^{-1}(\tau - w\times I w)$$", 1,
    ),
    "of columns, with the matrix of a cross product": (
        r"$$\dot\omega = -J^{-1}[\omega]_\times J\omega + J^{-1} L$$", 1,
    ),
    "of columns, with a letter for the angular acceleration": (
        r"""$$\tau = I\alpha + \omega\times(I\omega)$$
        $$\alpha = I^{-1}(\tau - \omega\times(I\omega))$$""", 2,
    ),
    "of columns, beside Newton's equation of vectors": (
        r"$$J\dot\omega + \omega\times J\cdot\omega = \tau$$ $$m\dot v = F + m g$$", 2,
    ),
    "of bold columns, beside Newton's": (
        r"""$$\mathbf{J}\dot{\mathbf{w}} + \mathbf{w}\times\mathbf{J}\mathbf{w} = \mathbf{M}$$
        $$m\dot{\mathbf{v}} = \mathbf{F} + m\mathbf{g}$$""", 2,
    ),
    "in capitals, with friction": (
        r"""$$\dot P = \frac{(B - C) Q R - k P}{A}$$ $$\dot Q = \frac{(C - A) R P - k Q}{B}$$
        $$\dot R = \frac{(A - B) P Q - k R}{C}$$""", 3,
    ),
    "with forces that turn with the body": (
        r"$$m\ddot{p} = -m g e_3 + R e_3 f$$ $$J\dot\Omega + \Omega\times J\Omega = M$$", 2,
    ),
    "of columns in two fonts, with a matrix that is set out": (
        r"""$$\mathbf{\omega} = \begin{bmatrix} p \\ q \\ r \end{bmatrix}$$
        $$m\ddot{\mathbf{r}}^i = m g\mathbf{k}^i - R_b^i\begin{bmatrix} 0 \\ 0 \\ u \end{bmatrix}$$
        $$\Lambda = I\dot\omega$$ $$I\mathbf{\dot\omega} = -\omega\times I\omega + M$$
        $$I = \begin{bmatrix} I_x & 0 & 0 \\ 0 & I_y & 0 \\ 0 & 0 & I_z \end{bmatrix}$$""", 2,
    ),
    "a quadrotor": (TURNING + FLYING + ANGLES, 9),
    "a quadrotor by its angles": (FLYING + BY_ANGLES, 6),
    "an aircraft with a product of inertia": (AIRCRAFT, 6),
    "a car": (
        r"$$m(\dot v_y + v_x r) = F_{yf} + F_{yr}$$ $$I_z\dot r = a F_{yf} - b F_{yr}$$", 2,
    ),
    "a car that is accelerated": (
        r"""$$\dot v_x = v_y\dot\psi + a - \frac{F_f\sin\delta}{m}$$
        $$\dot v_y = -v_x\dot\psi + \frac{F_f\cos\delta + F_r}{m}$$
        $$\ddot\psi = \frac{l_f F_f\cos\delta - l_r F_r}{I_z}$$
        $$\dot x = v_x\cos\psi - v_y\sin\psi$$""", 3,
    ),
    "a car with its place across": (
        r"""$$m(\ddot y + V_x\dot\psi) = -\frac{C_f + C_r}{V_x}\dot y
        - \frac{C_f l_f - C_r l_r}{V_x}\dot\psi + C_f\delta$$
        $$I_z\ddot\psi = -\frac{C_f l_f - C_r l_r}{V_x}\dot y
        - \frac{C_f l_f^2 + C_r l_r^2}{V_x}\dot\psi + C_f l_f\delta$$""", 2,
    ),
    "a car by the angle of its velocity": (
        r"""$$m V(\dot\beta + r) = Y_\beta\beta + Y_r r + Y_\delta\delta$$
        $$I_z\dot r = N_\beta\beta + N_r r + N_\delta\delta$$""", 2,
    ),
}  # fmt: skip
"""Pages with how many of their equations hold in the model that is built of them."""


def _found(page: str, folder: Path) -> Recognised | None:
    path = folder / "body.md"
    path.write_text(page.replace("$$ $$", "$$\n\n$$").replace("$$$$", "$$\n\n$$"), encoding="utf-8")
    return rigid_body(PageMotion(read_bare(path, "none").page))


def _model(page: str, folder: Path) -> Model:
    found = _found(page, folder)
    assert found
    return found.made.model


@pytest.mark.exhaustive(
    "Euler's equations", "of columns, divided", "with forces that turn with the body",
    "a quadrotor", "a quadrotor by its angles", "a car by the angle of its velocity",
    "an aircraft with a product of inertia", "in capitals, with friction", "of columns",
    "of columns, as fractions",
)  # fmt: skip
@pytest.mark.parametrize(("page", "count"), PAGES.values(), ids=PAGES)
def test_a_body_is_built_by_its_velocities(page: str, count: int, tmp_path: Path) -> None:
    found = _found(page, tmp_path)
    assert found
    assert len(found.fits) >= count
    assert found.fails == ()


@pytest.mark.parametrize("sign", ["-", "+"])
def test_indices_that_are_turned_round_are_three_equations(sign: str, tmp_path: Path) -> None:
    found = _found(
        rf"$$I_i\dot\omega_i - (I_j {sign} I_k)\omega_j\omega_k = 0$$ for cyclic $(i, j, k)$",
        tmp_path,
    )
    if sign == "-":
        assert found
        assert [*found.made.model.constants] == ["I1", "I2", "I3"]
    else:
        assert found is None


@pytest.mark.few(1)
@pytest.mark.parametrize("wrong", range(3))
def test_one_of_three_equations_may_be_misprinted(wrong: int, tmp_path: Path) -> None:
    rows = list(EULER)
    rows[wrong] = rows[wrong].replace("+ (", "- (")
    found = _found("".join(rows), tmp_path)
    assert found
    assert found.fails == (f"(#{wrong + 1})",)
    assert len(found.fits) == 2


@pytest.mark.parametrize(
    "page",
    [
        r"$$\dot x = \sigma(y - x)$$ $$\dot y = x(\rho - z) - y$$ $$\dot z = x y - \beta z$$",
        r"$$m_1\dot u - m_2 v r = X$$ $$m_2\dot v + m_1 u r = Y$$ $$I\dot r + (m_2 - m_1)u v = N$$",
        "".join(EULER[:1]) + EULER[1].replace("(I_1 - I_3)", "(I_1 + I_3)"),
        r"$$\dot r = v - \omega\times r$$",
    ],
    ids=["attractor", "added masses of a ship", "too few", "kinematics alone"],
)
def test_what_only_looks_alike_is_none(page: str, tmp_path: Path) -> None:
    assert _found(page, tmp_path) is None


def test_thrust_and_weight_are_told_apart(tmp_path: Path) -> None:
    model = _model(TURNING + FLYING, tmp_path)
    assert list(model.gravity) == [0, 0, "-g"]
    assert [list(one.vector) for one in model.forces] == [[0, 0, "U1"]]
    assert model.joints[0].sequence == "zyx"


DRAG = FLYING.replace(r"\frac{U_1}{m}", r"\frac{U_1}{m} - \frac{F_x}{m}")


def test_forces_along_the_ground_stand_beside_those_that_turn_with_a_body(tmp_path: Path) -> None:
    general = "".join(rf"$$F_{{t{one}}} = m\ddot {one}$$" for one in "xyz")
    model = _model(TURNING + general + DRAG, tmp_path)
    assert {one.frame: list(one.vector) for one in model.forces} == {
        "body": [0, 0, "U1"], "ground": ["-F_x", "-F_x", "-F_x"],
    }  # fmt: skip


@pytest.mark.exhaustive
def test_weight_along_the_axes_of_a_body_is_gravity(tmp_path: Path) -> None:
    model = _model(AIRCRAFT, tmp_path)
    assert list(model.gravity) == [0, 0, "g"]
    assert list(model.bodies[0].products_of_inertia) == [0, 0, "-I_xz"]


def test_letters_of_columns_are_columns(tmp_path: Path) -> None:
    found = _found(PAGES["of columns"][0], tmp_path)
    assert found
    assert found.made.symbols[r"\omega"] == ["omega1", "omega2", "omega3"]
    assert found.made.symbols["J"] == [["J1", 0, 0], [0, "J2", 0], [0, 0, "J3"]]


@pytest.mark.exhaustive
def test_angles_are_told_only_by_an_equation_that_holds(tmp_path: Path) -> None:
    told = _found(TURNING + ANGLES, tmp_path)
    open_ = _found(TURNING + r"$$\dot\phi = p + q\sin\phi - r\cos\phi\tan\theta$$", tmp_path)
    assert told
    assert open_
    assert told.made.symbols[r"\phi"] == "phi"
    assert r"\phi" not in open_.made.symbols


@pytest.mark.exhaustive
def test_turns_about_other_axes_are_found_by_their_rates(tmp_path: Path) -> None:
    rates = r"""$$\omega_1 = \dot\phi\sin\theta\sin\psi + \dot\theta\cos\psi$$
        $$\omega_2 = \dot\phi\sin\theta\cos\psi - \dot\theta\sin\psi$$
        $$\omega_3 = \dot\phi\cos\theta + \dot\psi$$"""
    assert _model("".join(EULER) + rates, tmp_path).joints[0].sequence == "zxz"


OF_COLUMNS = r"""
Here $I_h = \mathrm{diag}(I_x, I_y, I_z)$.

$$ I_h\dot\omega + \omega\times(I_h\omega) = \tau \tag{1} $$
"""


def test_what_an_equation_of_columns_proves_is_sure(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(OF_COLUMNS, encoding="utf-8")
    made = freebody.adopt(page)
    assert made.guesses is not None
    assert made.guesses.sure()[r"\omega"] == ["omega1", "omega2", "omega3"]
    assert made.path is not None
    (report,) = freebody.check(made.path).documents
    assert {one.label: one.status for one in report.equations}["(1)"] == "holds"


@pytest.mark.exhaustive
def test_a_letter_of_which_a_matrix_is_printed_is_no_column(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    matrix = r"""
$$ \hat\omega = \begin{bmatrix} 0 & -\omega_3 & \omega_2\\ \omega_3 & 0 & -\omega_1\\
   -\omega_2 & \omega_1 & 0 \end{bmatrix} \tag{2} $$
"""
    page.write_text(OF_COLUMNS + r"$$ \dot R = R\hat\omega $$" + matrix, "utf-8")
    made = freebody.adopt(page)
    assert made.guesses is not None
    told = {one.key: one.meaning for one in made.guesses.symbols}
    assert told[r"\omega"] == ["omega1", "omega2", "omega3"]
    assert told.get(r"\hat{\omega}") != told[r"\omega"]


@pytest.mark.exhaustive
def test_angular_momentum_that_a_page_defines_is_put_in(tmp_path: Path) -> None:
    """Where several equations say what its rate is, one of them along other axes."""
    page = tmp_path / "page.md"
    page.write_text(r"""
$$ \dot h_I = \dot J_I\omega_I + J_I\dot\omega_I $$

$$ h_B = J_B\omega^B_B $$

$$ \dot h_B = J_B\dot\omega^B_B + \omega^B_B\times J_B\omega^B_B $$

$$ \dot h_B = J_B\dot\omega^B_B + \omega^B_B\times h_B = \tau_B $$
""")
    found = rigid_body(PageMotion(read_bare(page, "none").with_running_text.page))
    assert found is not None
    assert found.fails == ()
    assert [str(one) for one in found.made.symbols["h_B"]] == [
        f"J_B{n}*omega_B{n}" for n in (1, 2, 3)
    ]
    (report,) = freebody.alone(page).documents
    assert not [one for one in report.equations if one.status == "contradicts"]


def test_the_rate_of_angular_momentum_is_no_velocity(tmp_path: Path) -> None:
    law = r"$$\dot{\vec{L}} + \vec\omega\times\vec{L} = \vec{M}_{net}$$"
    found = _found("".join((law, *EULER)), tmp_path)
    assert found
    assert [*found.made.model.coordinates] == ["yaw", "pitch", "roll"]


def test_an_aircraft_in_its_plane_of_symmetry_pitches(tmp_path: Path) -> None:
    model = _model(
        r"""$$m(\dot U + Q W) = T - D\cos\alpha - m g\sin\Theta$$
        $$m(\dot W - Q U) = -L\cos\alpha + m g\cos\Theta$$
        $$I_{yy}\dot Q = M - T\Delta_z$$ $$\dot\Theta = Q$$""",
        tmp_path,
    )
    assert "Theta" in model.coordinates
    assert model.speeds["U"].title == "forward velocity"
    assert "Delta_z" in model.constants


def test_moments_of_inertia_stay_where_their_matrix_is_differentiated(tmp_path: Path) -> None:
    found = _found(
        r"""$$ J = \begin{bmatrix} I_1 & 0 & 0 \\ 0 & I_2 & 0 \\ 0 & 0 & I_3 \end{bmatrix} $$
        $$ \frac{d}{dt}(J\omega) = \dot J\omega + J\dot\omega $$"""
        + "".join(EULER),
        tmp_path,
    )
    assert found is not None
    assert len(found.fits) == 3


@pytest.mark.parametrize(
    "law",
    [
        r"$$I\dot\omega_{B/N} = -[\tilde\omega_{B/N}] I\omega_{B/N} + u$$",
        r"$$I\dot\omega + \hat\omega I\omega = u$$",
    ],
)
def test_a_tilde_or_a_hat_makes_the_matrix_of_a_cross_product(law: str, tmp_path: Path) -> None:
    found = _found(law, tmp_path)
    assert found is not None
    assert found.fits == ("(#1)",)
    assert not found.fails


def test_numbers_of_an_inertia_matrix_are_those_of_the_model(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        r"$$ J = \begin{bmatrix} 10 & 0 & 0 \\ 0 & 5 & 0 \\ 0 & 0 & 7.5 \end{bmatrix} $$"
        r" and $$ J\dot\omega = -\omega\times J\omega + \tau $$"
    )
    found = recognise_page(read_bare(page, "none")).whole.models[0]
    constants = found.made.model.constants
    assert [constants[name].value for name in ("J1", "J2", "J3")] == [10, 5, 7.5]


def test_what_a_rotation_turns_is_no_product_of_numbers(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        r"$$\dot p = v$$ $$\dot v = R(q)(a_m - b_a) + g$$ $$\dot q = \frac12\Omega(\omega_m) q$$",
        encoding="utf-8",
    )
    assert not freebody.adopt(page).models
