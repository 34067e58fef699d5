"""Particles that are pulled by laws of places, in coordinates of any kind and in vectors."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from freebody.checking import check
from freebody.documents import read_bare
from freebody.recognition import adopt
from freebody.recognition.recognise import recognise
from freebody.simulation import simulate

KEPLER = r"\frac{GM}{(x^2 + y^2)^{3/2}}"


def _built(text: str, folder: Path) -> tuple[tuple[str, ...], dict[str, object]]:
    """Return the equations that hold in the model that is built from a page, and its symbols."""
    page = folder / "page.md"
    page.write_text(text, encoding="utf-8")
    first, *_ = recognise(read_bare(page, "none")).models
    assert first.name == "built"
    assert not first.fails
    return first.fits, {**first.made.symbols}


@pytest.mark.one_in(2)
@pytest.mark.exhaustive("a distance by name")
@pytest.mark.parametrize(
    ("formulas", "symbols"),
    [
        ((rf"\ddot x = -{KEPLER} x", rf"\ddot y = -{KEPLER} y"), {"x", "y", "G", "M"}),
        (
            (r"\frac{d^2x}{dt^2} = -\frac{GMx}{r^3}", r"\frac{d^2y}{dt^2} = -\frac{GMy}{r^3}",
             r"r = \sqrt{x^2 + y^2}"),
            {"x", "y", "G", "M"},
        ),
        (
            (r"m\ddot x = \frac{k x}{(x^2+y^2)^2}", r"m\ddot y = \frac{k y}{(x^2+y^2)^2}"),
            {"x", "y", "k", "m"},
        ),
        (
            (r"\ddot r - r\dot\theta^2 = -\frac{GM}{r^2}",
             r"r\ddot\theta + 2\dot r\dot\theta = 0"),
            {r"\theta", "r", "G", "M"},
        ),
        (
            (r"\ddot{\mathbf r} = -\frac{\mu}{\|\mathbf r\|^3}\mathbf r",),
            {r"\mathbf{r}", r"\mu"},
        ),
        (
            (r"m\frac{d^2\vec r}{dt^2} = -\frac{GMm}{r^2}\frac{\vec r}{r}",),
            {r"\vec{r}", "r", "G", "M", "m"},
        ),
        ((r"m\ddot{\vec r} = -\frac{GMm}{|r|^3}\vec r",), {r"\vec{r}", "r", "G", "M", "m"}),
    ],
    ids=["Cartesian", "a distance by name", "another law", "polar", "a norm", "a letter for one",
         "a letter between bars"],
)  # fmt: skip
def test_one_that_is_pulled_to_a_place_is_built(
    tmp_path: Path, formulas: tuple[str, ...], symbols: set[str]
) -> None:
    holding, known = _built(_page(formulas), tmp_path)
    assert {"(#1)", f"(#{min(len(formulas), 2)})"} <= {*holding}
    assert known.keys() == symbols


def _page(formulas: Iterable[str]) -> str:
    return "\n\n".join(f"$${one}$$" for one in formulas)


@pytest.mark.parametrize("unit", [r"\hat{\mathbf r}", r"\hat r", r"\mathbf e_r"])
def test_the_unit_vector_along_a_vector_is_that_over_its_length(tmp_path: Path, unit: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        _page([rf"m\ddot{{\mathbf r}} = -\frac{{GMm}}{{r^2}} {unit}"]), encoding="utf-8"
    )
    found = adopt(page)
    assert found.models[0].fits == ("(#1)",)
    assert found.path is not None
    (report,) = check(found.path).documents
    assert [one.status for one in report.equations] == ["holds"]


PULLED = r"\frac{\mathbf r_2 - \mathbf r_1}{|\mathbf r_2 - \mathbf r_1|^3}"


@pytest.mark.exhaustive("accelerations")
@pytest.mark.parametrize(
    "formulas",
    [
        (rf"m_1\ddot{{\mathbf r}}_1 = G m_1 m_2 {PULLED}",
         rf"m_2\ddot{{\mathbf r}}_2 = -G m_1 m_2 {PULLED}"),
        (rf"\ddot{{\mathbf r}}_1 = G m_2 {PULLED}", rf"\ddot{{\mathbf r}}_2 = -G m_1 {PULLED}"),
    ],
    ids=["forces", "accelerations"],
)  # fmt: skip
def test_two_bodies_that_attract_each_other_are_built_and_keep_their_momentum(
    tmp_path: Path, formulas: tuple[str, ...]
) -> None:
    page = tmp_path / "two.md"
    page.write_text(_page(formulas), encoding="utf-8")
    found = adopt(page)
    assert found.models[0].fits == ("(#1)", "(#2)")
    symbols = {one.symbol: one.meaning for one in found.symbols}
    assert symbols[r"\mathbf{r}_1"] == ["x1", "y1", "z1"]
    assert {symbols["m_1"], symbols["m_2"], symbols["G"]} == {"m1", "m2", "G"}
    assert found.model_path is not None
    moved = simulate(found.model_path, duration=0.2, constants={"m2": 3.0})
    first, second = (float(moved.speeds.sel(speed=one)[-1]) for one in ("x1_dot", "x2_dot"))
    assert first + 3 * second == pytest.approx(0, abs=1e-6)
    assert first > 0.01


PULL = r"-\frac{GMm}{r^2}\hat{\mathbf r}"


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("formulas", "symbols"),
    [
        (
            (rf"\vec F = m\vec a = {PULL.replace('mathbf', 'vec')}",),
            {"G", "M", "m", "r", r"\vec{r}", r"\hat{\vec{r}}"},
        ),
        (
            (rf"{PULL} = m\frac{{d\mathbf v}}{{dt}}",
             r"\mathbf v = \frac{d\mathbf r}{dt}", (r"\frac{d\mathbf r}{dt} = \dot r\hat{\mathbf r}"
             r" + r\dot\theta\hat{\boldsymbol\theta}")),
            {"G", "M", "m", "r", r"\mathbf{r}", r"\hat{\mathbf{r}}"},
        ),
        ((r"m\frac{d\vec v}{dt} = m\vec g - b\vec v",), {"m", "b", r"\vec{r}"}),
        ((r"m\dot{\vec v} = -m g\hat y - c v\vec v",), {"m", "g", "c", r"\vec{r}"}),
        (
            (r"\dot{\mathbf v} = \mathbf g - \frac{c}{m}|\mathbf v|\mathbf v",
             r"\dot{\mathbf x} = \mathbf v"),
            {"m", "c", r"\mathbf{x}"},
        ),
    ],
    ids=["an acceleration", "a rate of a velocity", "drag", "its square", "what is falling"],
)  # fmt: skip
def test_velocities_and_accelerations_in_vectors_are_rates_of_a_place(
    tmp_path: Path, formulas: tuple[str, ...], symbols: set[str]
) -> None:
    _, known = _built(_page(formulas), tmp_path)
    assert known.keys() == symbols


@pytest.mark.exhaustive("by an acceleration")
@pytest.mark.parametrize(
    ("formulas", "symbols"),
    [
        (
            ((r"m(\ddot r - r\dot\theta^2)\hat r + m(r\ddot\theta + 2\dot r\dot\theta)\hat\theta"
             r" = -\frac{GMm}{r^2}\hat r"),),
            {"r", r"\theta", "G", "M", "m"},
        ),
        (
            (rf"\mathbf F = {PULL}", r"\mathbf F = m\mathbf a",
             (r"\mathbf a = (\ddot r - r\dot\theta^2)\hat{\mathbf r}"
             r" + (r\ddot\theta + 2\dot r\dot\theta)\hat{\boldsymbol\theta}")),
            {"r", r"\theta", "G", "M", "m"},
        ),
        (
            ((r"m\ddot x\hat\imath + m\ddot y\hat\jmath"
             r" = -b\dot x\hat\imath - (m g + b\dot y)\hat\jmath"),),
            {"x", "y", "m", "g", "b"},
        ),
    ],
    ids=["in one equation", "by an acceleration", "along fixed axes"],
)  # fmt: skip
def test_equations_with_unit_vectors_say_as_much_along_each(
    tmp_path: Path, formulas: tuple[str, ...], symbols: set[str]
) -> None:
    _, known = _built(_page(formulas), tmp_path)
    assert known.keys() == symbols


@pytest.mark.parametrize(
    ("lagrangian", "symbols"),
    [
        (r"\frac12 m\dot{\mathbf r}^2 + \frac{GMm}{r}", {"G", "M", "m", "r", r"\mathbf{r}"}),
        (r"\frac12 m|\dot{\vec r}|^2 - \frac12 k\vec r^2", {"k", "m", r"\vec{r}"}),
        (
            (
                r"\frac12 m_1\dot{\vec r}_1^2 + \frac12 m_2\dot{\vec r}_2^2"
                r" + \frac{G m_1 m_2}{|\vec r_1 - \vec r_2|}"
            ),
            {"G", "m_1", "m_2", r"\vec{r}_1", r"\vec{r}_2"},
        ),
    ],
    ids=["a distance", "a square", "two bodies"],
)
def test_a_lagrangian_of_vectors_moves_particles(
    tmp_path: Path, lagrangian: str, symbols: set[str]
) -> None:
    _, known = _built(_page([f"L = {lagrangian}"]), tmp_path)
    assert known.keys() == symbols


def test_forces_along_axes_are_told_by_the_end_of_a_chain(tmp_path: Path) -> None:
    page = _page([r"F_x = m\ddot x = -k x", r"F_y = m\ddot y = -k y - m g"])
    holding, known = _built(page, tmp_path)
    assert {"(#1.2)", "(#2.2)"} <= {*holding}
    assert known.keys() == {"x", "y", "k", "m", "g"}


def test_a_speed_beside_rates_along_axes_is_none_of_these(tmp_path: Path) -> None:
    fits, _ = _built(
        "## Along\n\n$$m\\dot v_x = -c v^2$$\n\n$$m\\frac{dv}{dt} = -c v^2$$\n\n## Down\n\n"
        "$$m\\dot v_y = m g - c v^2$$\n\n## Both\n\n"
        "$$m\\dot v_x = -c\\sqrt{v_x^2 + v_y^2}\\,v_x$$\n\n"
        "$$m\\dot v_y = -m g - c\\sqrt{v_x^2 + v_y^2}\\,v_y$$\n",
        tmp_path,
    )
    assert {*fits} == {"(#4)", "(#5)"}


def test_the_number_pi_is_no_letter_of_a_page(tmp_path: Path) -> None:
    _, known = _built(_page([r"m\ddot z = m g - 6\pi\eta r\dot z"]), tmp_path)
    assert known.keys() == {"z", "m", "g", r"\eta", "r"}


def test_what_turns_with_a_vector_is_no_particle(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        r"$$\ddot{\mathbf r} = -\frac{\mu}{r^3}\mathbf r + \mathbf a \times \mathbf r$$",
        encoding="utf-8",
    )
    assert not recognise(read_bare(page, "none")).models


@pytest.mark.parametrize("radius", ["R", "2R", "(R - e)"])
def test_what_rolls_with_its_mass_beside_its_axis_is_built(tmp_path: Path, radius: str) -> None:
    square = rf"\left(({radius})^2 + e^2 - 2 e ({radius})\cos\theta\right)"
    kinetic = rf"T = \frac12 m {square}\dot\theta^2 + \frac12 I \dot\theta^2"
    page = _page((kinetic, r"V = -m g e\cos\theta", "L = T - V"))
    holding, known = _built(page, tmp_path)
    assert known.keys() == {r"\theta", "m", "e", "R", "g", "I"}
    assert holding
