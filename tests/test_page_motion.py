"""The equations of motion of a page, and which of its definitions are put in and left aside."""

from __future__ import annotations

from pathlib import Path

import pytest

from freebody.checking.grid import Grid, MeaningError
from freebody.consistency.letters import Letter
from freebody.consistency.meanings.views import Definition, View
from freebody.documents import read_bare
from freebody.recognition.building.built import built
from freebody.recognition.equations.page_motion import PageMotion


def _motion(folder: Path, text: str) -> PageMotion:
    path = folder / "page.md"
    path.write_text(text, encoding="utf-8")
    return PageMotion(read_bare(path, "none").page)


def _coordinates(motion: PageMotion) -> set[tuple[str, ...]]:
    return {one.coordinates for one in motion.systems}


@pytest.mark.parametrize(
    "aside",
    [r"$$x_1 = x$$", r"$$x_2 = \dot x_1$$", r"$$x_1 = q$$"],
    ids=["a state", "the rate of a state", "an analogy"],
)
def test_names_of_another_section_are_left_aside(tmp_path: Path, aside: str) -> None:
    text = rf"""
# States

{aside}

# Two masses

$$m_1\ddot x_1 + (k_1 + k_2)x_1 - k_2 x_2 = 0$$

$$m_2\ddot x_2 + k_2 x_2 - k_2 x_1 = 0$$
"""
    assert ("x_1", "x_2") in _coordinates(_motion(tmp_path, text))


def test_a_name_that_the_section_goes_on_with_is_put_in(tmp_path: Path) -> None:
    text = r"""
# A name

$$q = x$$

# Motion

$$m\ddot q = F - k x - c\dot x$$
"""
    assert _coordinates(_motion(tmp_path, text)) == {("x",)}


def test_an_equation_for_each_mass_may_stand_in_a_section_of_its_own(tmp_path: Path) -> None:
    text = r"""
# Mass 1

$$m_1\ddot x_1 + (k_1 + k_2)x_1 - k_2 x_2 = 0$$

# Mass 2

$$m_2\ddot x_2 + k_2 x_2 - k_2 x_1 = 0$$
"""
    assert ("x_1", "x_2") in _coordinates(_motion(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (r"$$\dot d = v$$ $$m\ddot d = u - \delta v$$", {"v"}),
        (r"$$\dot\phi = \Omega$$ $$m\ddot\theta = \Omega^2\sin\theta$$", set()),
    ],
)
def test_a_rate_is_named_where_it_is_not_held(tmp_path: Path, text: str, names: set[str]) -> None:
    motion = _motion(tmp_path, text.replace("$$ $$", "$$\n\n$$"))
    assert {key for key, known in motion.meanings.definitions.items() if known} == names


def test_a_column_does_not_tell_the_rates_in_it(tmp_path: Path) -> None:
    text = r"""
$$m_1\ddot z_1 + c(\dot z_1 - \dot h) + k(z_1 - h) = 0$$

$$g = \begin{bmatrix} 0 \\ (c\dot h + k h)/m_1 \end{bmatrix}$$
"""
    assert _motion(tmp_path, text).driven == {"h"}


@pytest.mark.parametrize(
    "text",
    [
        r"""
# A spring

$$m\ddot s = -D s - F$$

# A circuit

$$m\ddot Q = -k^2 m Q$$
""",
        r"$$m l\ddot\theta = \hat{z} g\sin\theta$$",
    ],
    ids=["two systems", "a unit vector"],
)
def test_no_model_is_built_of_several_systems_or_of_vectors(tmp_path: Path, text: str) -> None:
    found = [one for one in built(_motion(tmp_path, text)) if len(one.system.coordinates) > 1]
    assert not found
    assert not any(r"\hat{z}" in one.made.symbols for one in built(_motion(tmp_path, text)))


def test_omega_is_the_rate_of_the_angle_that_has_none(tmp_path: Path) -> None:
    text = r"""
$$m\ddot x = -T\sin(\theta + \gamma)$$

$$m\ddot y = T\cos(\theta + \gamma) - m g$$

$$I\dot\omega = -L T\sin\gamma$$
"""
    motion = _motion(tmp_path, text)
    assert {key for one in motion.motions for key in one.coordinates} == {"x", "y", r"\theta"}


@pytest.mark.parametrize(
    ("text", "rated"),
    [
        (r"$$\ddot\theta_1 = -\sin\theta_1 - \omega_2^2\sin(\theta_1 - \theta_2)$$", True),
        (r"$$\ddot\theta_1 = -\omega_1^2\sin\theta_1 - \sin(\theta_1 - \theta_2)$$", False),
        (r"$$\ddot\theta_1 = -\dot\theta_1 - \omega_2^2\sin(\theta_1 - \theta_2)$$", False),
    ],
    ids=["of another", "its own frequency", "beside a rate"],
)
def test_omegas_are_the_rates_of_angles_that_have_none(
    tmp_path: Path, text: str, rated: bool
) -> None:
    second = r"$$\ddot\theta_2 = -\sin\theta_2 + \omega_1\sin(\theta_1 - \theta_2)$$"
    motion = _motion(tmp_path, f"{text}\n\n{second if rated else ''}")
    letters = {one for each in motion.motions for one in each.letters}
    assert (Letter(r"\theta_2", 1) in letters) is rated


def test_what_a_sum_of_solutions_is_of_is_no_coordinate_put_in(tmp_path: Path) -> None:
    text = r"""
$$\ddot x + 2\delta\dot x + \nu^2 x = 0$$ $$x = A_1 x_1 + A_2 x_2$$
$$x_1 = \dot x_0 e^{-\delta t}\sin\omega t$$ $$x_2 = x_0 e^{-\delta t}\cos\omega t$$
"""
    motion = _motion(tmp_path, text.replace("$$ $$", "$$\n\n$$"))
    assert ("x",) in _coordinates(motion)


def test_an_equation_is_also_read_without_a_law_of_control_that_comes_later(tmp_path: Path) -> None:
    text = r"""
# Motion

$$\tau = r F$$

$$I\ddot\theta = \tau$$

# Control

$$F = -K_p\theta$$
"""
    printed = [{letter.key for letter in one.letters} for one in _motion(tmp_path, text).motions]
    assert {"I", r"\theta", "r", "F"} in printed
    assert {"I", r"\theta", "r", "K_p"} in printed


def test_a_rate_at_the_beginning_is_a_constant(tmp_path: Path) -> None:
    text = r"""
$$x = \dot x_0 t + x_0$$

$$m\ddot x + k x = 0$$
"""
    assert _coordinates(_motion(tmp_path, text)) == {("x",)}


def test_a_momentum_is_a_rate(tmp_path: Path) -> None:
    text = r"""
$$\dot\theta = \frac{p_\theta}{m l^2}$$

$$\dot p_\theta = -m g l\sin\theta$$
"""
    motion = _motion(tmp_path, text)
    assert _coordinates(motion) == {(r"\theta",)}
    assert {letter.key for one in motion.motions for letter in one.letters} == {
        r"\theta", "m", "l", "g",
    }  # fmt: skip


def test_a_length_is_no_mass(tmp_path: Path) -> None:
    assert not [*built(_motion(tmp_path, r"$$l\ddot s + g s = F$$"))]


def test_letters_that_stand_for_each_other_are_put_in_once(tmp_path: Path) -> None:
    motion = _motion(tmp_path, "$$I = I_0 + m d^2$$\n\n$$d = |L - a|$$")
    (statement, *_), place = motion.statements.all, Letter("L", 0)
    turned = motion.letters.form(Letter("I", 0)) * motion.letters.form(Letter(r"\theta", 1))
    motion.meanings.define([Definition(place, Grid.scalar(turned), statement)])
    view, letters = View(motion.meanings, motion.statements.all[0], ()), motion.letters
    before = letters.ring.budget.spent
    with pytest.raises(MeaningError, match="stand for each other"):
        view.lower(letters.form(Letter("I", 0)))
    assert letters.ring.budget.spent - before < 100


def test_an_acceleration_of_another_section_is_none_of_a_place_that_is_accelerated(
    tmp_path: Path,
) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# A shot\n\n$$m a_x = -k v_x^2$$\n\n# A channel\n\n$$m\\ddot x = m\\omega^2 x$$\n"
    )
    assert not PageMotion(read_bare(page, "none").with_running_text.page).rates
    page.write_text("$$m a_x = -k x - c v_x$$\n\n$$m\\ddot x = F$$\n")
    assert {*PageMotion(read_bare(page, "none").with_running_text.page).rates} == {"a_x", "v_x"}


def test_laws_of_later_sections_may_all_be_left_aside(tmp_path: Path) -> None:
    text = r"""
# Motion

$$\dot x = v$$

$$m\dot v = -m g\sin(u)$$

# Proportional

$$u = K_p(x - s)$$

# With a rate

$$u = K_p(x - s) + K_d v$$
"""
    motions = [one for one in _motion(tmp_path, text).motions if one.labels == ("(#2)",)]
    assert any(Letter("u", 0) in one.letters for one in motions)
