"""Models built from equations of motion that depend on time: drives, and supports that move."""

from __future__ import annotations

from pathlib import Path

import pytest

import freebody
from freebody.algebra import Ring
from freebody.documents import read_bare
from freebody.mechanics.derivation import METHODS, agreement, derive
from freebody.model.schema import Model
from freebody.recognition.recognise import recognise
from freebody.recognition.symbols.symbol_definitions import symbol_definitions

DUFFING = r"$$ m\ddot x + c\dot x + k x + \beta x^3 = F_0\cos\omega t $$"
PHASE = r"""
$$ m l^2\ddot\theta + b\dot\theta + m g l\sin\theta = A\cos(\Omega t + \phi_0) - B e^{-a t} $$
"""
UNIT = r"$$ \frac{d^2x}{dt^2} + \alpha\frac{dx}{dt} + \omega_0^2 x = f\sin(\omega t) $$"
RAMP = r"""
$$ m_1\ddot x_1 = -k_1 x_1 + k_2(x_2 - x_1), \qquad m_2\ddot x_2 = -k_2(x_2 - x_1) - F t $$
"""
SHAKEN = r"""
$$ m\ddot x = -k(x - y) - c(\dot x - \dot y) $$
$$ z = x - y $$
$$ m\ddot z + c\dot z + k z = -m\ddot y $$
"""
ACROSS = r"""
$$ x = X_0\sin(\omega t) + l\sin\theta, \qquad y = -l\cos\theta $$

$$ T = \frac12 m(\dot x^2 + \dot y^2), \qquad V = m g y, \qquad L = T - V $$

$$ \ddot\theta + \frac{g}{l}\sin\theta = \frac{X_0\omega^2}{l}\sin(\omega t)\cos\theta $$
"""
UPWARDS = r"$$ \ddot\varphi = -(g - a\nu^2\cos\nu t)\frac{\sin\varphi}{l} $$"
TURNED = r"""
$$ L = \frac12 m R^2(\dot\theta^2 + \omega^2\sin^2\theta)
   + m g R(\cos\alpha\cos\theta - \sin\alpha\sin\theta\cos\omega t) $$
"""
FORCED = r"""
$$ (M + m)\ddot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta = F_0\cos(\omega t) $$

$$ m l^2\ddot\theta + m l\ddot x\cos\theta + m g l\sin\theta = 0 $$
"""


def model_of(folder: Path, text: str) -> Model:
    """Return the model that is built from a page, with which all of the page holds."""
    page = folder / "page.md"
    page.write_text(text)
    made = freebody.adopt(page)
    assert made.models[0].name == "built"
    assert not made.models[0].fails
    assert made.model_path is not None
    assert made.path is not None
    model = freebody.load(made.model_path)
    ring = Ring()
    every = agreement([derive(model, method, ring) for method in METHODS])
    assert all(one.equal and one.proof == "exact" for one in every.values())
    statuses = {one.status for doc in freebody.check(made.path).documents for one in doc.equations}
    assert statuses <= {"holds", "taken as given"}
    return model


@pytest.mark.few(PHASE)
@pytest.mark.parametrize(
    ("text", "load"),
    [
        (DUFFING, "F0*cos(omega*t) - beta*x**3 - k*x"),
        (PHASE, "A*cos(Omega*t)*cos(phi0) - A*sin(Omega*t)*sin(phi0) - B*exp(-a*t)"),
        (RAMP, "-F*t + k2*x1 - k2*x2"),
        (FORCED, "F0*cos(omega*t)"),
    ],
    ids=["a stiffening spring", "a phase", "a ramp", "a cart"],
)
def test_a_function_of_time_is_part_of_a_load(tmp_path: Path, text: str, load: str) -> None:
    model = model_of(tmp_path, text)
    joints = model.joints
    loads = [str(one.torque if one.type == "pin" else one.force) for one in joints]
    assert load in loads
    assert not model.prescribed
    assert not model.inputs


@pytest.mark.few(ACROSS)
@pytest.mark.parametrize(
    ("text", "name", "motion"),
    [
        (ACROSS, "support_x", "X0*sin(omega*t)"),
        (UPWARDS, "support_y", "a*cos(nu*t)"),
    ],
    ids=["across", "upwards"],
)
def test_a_support_that_moves_is_prescribed(
    tmp_path: Path, text: str, name: str, motion: str
) -> None:
    model = model_of(tmp_path, text)
    assert {key: str(one.value) for key, one in model.prescribed.items()} == {name: motion}
    assert not model.inputs


def test_what_drives_by_its_rates_may_be_accelerated_where_that_goes_out(tmp_path: Path) -> None:
    model = model_of(tmp_path, SHAKEN)
    assert [*model.coordinates] == ["x"]


def test_weights_seen_from_what_turns_are_loads(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(TURNED)
    made = freebody.adopt(page)
    assert made.models[0].name == "built"
    assert made.models[0].fits
    assert "cos(omega*t)" in made.model_path.read_text()  # type: ignore[union-attr]


def test_a_solution_in_time_is_no_prescribed_motion(tmp_path: Path) -> None:
    solved = r"""
$$ m\ddot x + c\dot x + k x = F_0\cos\omega t $$
$$ x = A\cos(\nu t) + e^{-\delta t} $$
$$ x = A\cos(\nu t) $$
"""
    (tmp_path / "page.md").write_text(solved)
    best = freebody.adopt(tmp_path / "page.md").models[0]
    assert "(#1)" in best.fits
    assert best.symbols["x"] == "x"


@pytest.mark.few([r"$$ \ddot x + 2\zeta\omega_n\dot x + \omega_n^2 x = 0 $$"])
@pytest.mark.parametrize(
    "text",
    [
        r"$$ \ddot x + 2\zeta\omega_n\dot x + \omega_n^2 x = 0 $$",
        r"$$ \frac{d^2 x}{dt^2} + 2\gamma\frac{dx}{dt} + \omega_0^2 x = 0 $$",
        r"$$ \ddot x = -\omega^2 x $$",
    ],
)
def test_an_oscillator_is_built_that_is_told_by_its_frequency(tmp_path: Path, text: str) -> None:
    model = model_of(tmp_path, text)
    assert [*model.coordinates] == ["x"]
    assert not model.inputs


def test_frequencies_that_a_page_tells_are_those_of_a_spring(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "With $\\omega_0 = \\sqrt{k/m}$ and $\\gamma = c/(2m)$,\n\n"
        "$$ \\ddot x + 2\\gamma\\dot x + \\omega_0^2 x = 0 $$\n"
    )
    best = freebody.adopt(page).models[0]
    assert best.name == "mass_spring"
    assert best.symbols == {"m": "m", "k": "k", "c": "c", "x": "x"}


def test_a_name_of_a_rate_is_none_in_another_system(tmp_path: Path) -> None:
    r"""Where ``\dot x`` is not y, ``\dot y`` is no acceleration."""
    page = tmp_path / "page.md"
    page.write_text(r"""
$$ \ddot x + 2\gamma\dot x + \omega_0^2 x = 0 $$

$$ \begin{cases} \dot x = y \\ \dot y = -2\gamma y - \omega_0^2 x \end{cases} $$

$$ \begin{cases} \dot x = \mu (y - x^3 + x) \\ \dot y = -\frac{1}{\mu} x \end{cases} $$
""")
    adopted = freebody.adopt(page)
    assert adopted.models[0].fits == ("(#1)", "(#2.1)", "(#2.2)")
    assert "m/k" not in {one["meaning"] for one in adopted.as_json()["symbols"]}


ROADS = [
    r"$$ m\ddot x + c\dot x + k x = k y + c\dot y $$",
    r"""
$$ m_s\ddot z_s = -k_s (z_s - z_u) - c_s (\dot z_s - \dot z_u) $$
$$ m_u\ddot z_u = k_s (z_s - z_u) + c_s (\dot z_s - \dot z_u)
   - k_t (z_u - z_r) - c_t (\dot z_u - \dot z_r) $$
""",
]


@pytest.mark.few(ROADS[1:])
@pytest.mark.parametrize("text", ROADS, ids=["one mass", "quarter car"])
def test_what_has_rates_and_no_equation_of_its_own_moves_in_a_given_way(
    tmp_path: Path, text: str
) -> None:
    model = model_of(tmp_path, text)
    assert len(model.prescribed) == 1
    assert not model.inputs


@pytest.mark.exhaustive
def test_what_is_told_by_an_equation_of_rates_is_not_given(tmp_path: Path) -> None:
    r"""A current with :math:`L\dot i + R i = u` is no prescribed motion."""
    page = tmp_path / "page.md"
    page.write_text(r"""
$$ m\ddot x + c\dot x + k x = K i + b\dot i $$
$$ L\dot i + R i = u $$
""")
    for one in freebody.adopt(page).models:
        assert one.name != "built"


def test_of_a_letter_of_which_nothing_is_left_nothing_is_told(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(r"$$ m\ddot x + c\dot x + k x = 0 $$")
    (best, *_) = recognise(read_bare(page, "none")).models
    best.motion.meanings.definitions["z"] = []
    assert not [*symbol_definitions(best)]


BEAM = r"$$ \left(\frac{J}{R^2} + m\right)\ddot r + m g\sin\alpha - m r\dot\alpha^2 = 0 $$"
GROUND = r"$$ m\ddot z + c\dot z + k z = -m\ddot y_g $$"
PIVOT = r"$$ m l^2\ddot\theta + m l(g + \ddot y)\sin\theta = 0, \qquad y = A\cos(\omega t) $$"


@pytest.mark.few(GROUND)
@pytest.mark.parametrize(
    ("text", "prescribed"),
    [(BEAM, {"alpha"}), (GROUND, {"y_g"}), (PIVOT, {"support_y"})],
    ids=["a beam", "the ground", "a pivot"],
)
def test_what_is_only_accelerated_or_turned_moves_in_a_given_way(
    tmp_path: Path, text: str, prescribed: set[str]
) -> None:
    model = model_of(tmp_path, text)
    assert model.prescribed.keys() == prescribed
    assert not model.inputs


def test_what_has_an_equation_of_its_own_does_not(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(FORCED.replace(r"F_0\cos(\omega t)", "F"))
    best = freebody.adopt(page).models[0]
    assert best.name == "cart_pendulum"
    assert not best.fails
