"""Repairs of misprinted equations: the likeliest first, verified, at the right place."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from unittest.mock import Mock

import pytest

from freebody.checking.check import check, pages
from freebody.checking.evidence import could_fail
from freebody.checking.findings import Judgement
from freebody.checking.judge import holds, judge
from freebody.checking.quantities import derived
from freebody.checking.quantities.derived import Quantities
from freebody.checking.repair.garbled import read_otherwise
from freebody.checking.repair.reread import Reread
from freebody.checking.verdicts import Checker
from freebody.documents.latex import Declared, Relation, read_page
from freebody.errors import FreebodyError
from misprints import drawn, printed

PAGE_OF_ARM = """+++
title = "A page of a large model"
model = "arm_3d"
[symbols]
'd_1' = "d1"
'l_1' = "l1"
'l_2' = "l2"
'c' = "cos(elevation)"
'y_1' = "position.upper_arm.y"
'a' = "acceleration.hand.x"
'F' = "reaction.wrist_joint.force.x"
+++
$$ {} $$
"""

MODELS = ("two_link", "three_link_arm", "double_pendulum", "cart_pendulum")

PAGES = Path(__file__).parents[1] / "models"


@cache
def checker(model: str) -> Checker:
    ((document, found), *_) = pages([PAGES / model if model.endswith(".md") else model])
    return Checker(document, Quantities(found))


@cache
def relations(model: str) -> dict[str, Relation]:
    declared = Declared(checker(model).symbols.meanings, checker(model).symbols.varies)
    found = read_page(checker(model).document.page, declared, checker(model).document.start)
    return {r.label: r for display in found for r in display.relations if isinstance(r, Relation)}


def judged(model: str, latex: str) -> tuple[Judgement, Reread]:
    here = checker(model)
    repairs = here.repairs.on(f"$${latex}$$")
    (relation,) = read_page(repairs.reread.text, repairs.reread.declared)[0].relations
    assert isinstance(relation, Relation)
    return judge(here.symbols, relation, repairs), repairs.reread


def repaired(model: str, latex: str) -> list[str]:
    judgement, _ = judged(model, latex)
    return [" ".join(repair.latex.split()) for repair in judgement.repairs]


@pytest.mark.one_in(2)
@pytest.mark.exhaustive(r"sign-x_1 = -d_1 \\cos \\alpha_1")
@pytest.mark.parametrize(
    ("kind", "misprint"),
    [
        ("sign", r"x_1 = -d_1 \cos \alpha_1"),
        ("function", r"x_1 = d_1 \sin \alpha_1"),
        ("index", r"x_1 = d_2 \cos \alpha_1"),
        ("factor", r"x_1 = 2 d_1 \cos \alpha_1"),
        ("power", r"x_1 = d_1^2 \cos \alpha_1"),
        ("symbol", r"x_1 = \ell_1 \cos \alpha_1"),
        ("symbol", r"x_1 = d_1 d_1 \cos \alpha_1"),
        ("extra", r"x_1 = d_1 \cos \alpha_1 + d_2"),
    ],
)
def test_a_single_misprint_is_undone(kind: str, misprint: str) -> None:
    judgement, _ = judged("three_link_arm", misprint)
    first = judgement.repairs[0]
    assert "".join(first.latex.split()).replace("{1}", "1") == r"x_1=d_1\cos\alpha_1"
    assert {edit.kind for edit in first.edits} == {kind}
    assert judgement.differences[0].kind == kind


def test_a_missing_term_is_put_in() -> None:
    first, *_ = repaired("three_link_arm", r"x_2 = \ell_1 \cos \alpha_1")
    assert first == r"x_2 = \ell_1 \cos \alpha_1 + d_2 \cos(\alpha_1 + \alpha_2)"


def test_a_bracket_is_moved() -> None:
    wrong = r"\ddot{y}_1 = d_1(\ddot{\alpha}_1 \cos \alpha_1) - \dot{\alpha}_1^2 \sin \alpha_1"
    right = r"\ddot{y}_1 = d_1(\ddot{\alpha}_1 \cos \alpha_1 - \dot{\alpha}_1^2 \sin \alpha_1)"
    found = {one.replace(" ", "") for one in repaired("three_link_arm", wrong)}
    assert right.replace(" ", "") in found


@pytest.mark.parametrize(
    ("model", "misprint", "right"),
    [
        # a bracket that opens before a sign, and one that closes before it
        (
            "three_link_arm",
            r"x_2 = \ell_1 \cos \alpha_1 (+ d_2 \cos \alpha_1 + \alpha_2)",
            r"x_2 = \ell_1 \cos \alpha_1 + d_2 \cos(\alpha_1 + \alpha_2)",
        ),
        (
            "three_link_arm",
            r"x_2 = \ell_1 \cos \alpha_1 + d_2 \cos(\alpha_1) + \alpha_2",
            r"x_2 = \ell_1 \cos \alpha_1 + d_2 \cos(\alpha_1 + \alpha_2)",
        ),
        # a name that is nothing like the right one, and a sign
        (
            "three_link_arm",
            r"d_2 = \ell_1 \cos \alpha_1 - d_2 \cos(\alpha_1 + \alpha_2)",
            r"x_2 = \ell_1 \cos \alpha_1 + d_2 \cos(\alpha_1 + \alpha_2)",
        ),
        # a number too many rather than one that is lacking everywhere else
        ("three_link_arm", r"2 x_1 = d_1 \cos \alpha_1", r"x_1 = d_1 \cos \alpha_1"),
        ("three_link_arm", r"x_1 = d_2 2 \cos \alpha_1", r"x_1 = d_1 \cos \alpha_1"),
        # what holds without the mechanics, but says what a derivative or a function is
        (
            "cart_pendulum",
            r"\frac{d}{dt}(\sin\theta) = \sin\theta\dot\theta",
            r"\frac{d}{dt}(\sin\theta) = \cos\theta\dot\theta",
        ),
        ("cart_pendulum", r"\sin^2\theta - \cos^2\theta = 1", r"\sin^2\theta + \cos^2\theta = 1"),
    ],
)
def test_the_likeliest_repair_is_the_first(model: str, misprint: str, right: str) -> None:
    first, *_ = repaired(model, misprint)
    assert first.replace(" ", "") == right.replace(" ", "")


@pytest.mark.parametrize(
    ("misprint", "right"),
    [("d_1 = 0.5 l_1", "d_1 = 0.5772 l_1"), ("y_1 = -l_1 c", "y_1 = -d_1 c")],
)
def test_a_large_model_is_not_solved_to_mend_what_is_still(
    misprint: str, right: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the equations of motion are solved")

    monkeypatch.setattr(derived, "eliminate", refuse)
    page = tmp_path / "page.md"
    page.write_text(PAGE_OF_ARM.format(misprint))
    (verdict,) = check(page).documents[0].equations
    assert (verdict.status, verdict.fault) == ("differs", "")
    assert " ".join(verdict.repairs[0].latex.split()) == right


def test_the_place_of_a_repair_is_in_the_equation_as_printed() -> None:
    latex = r"x_1 = d_1 \sin \alpha_1"
    judgement, _ = judged("three_link_arm", latex)
    (edit,) = judgement.repairs[0].edits
    assert latex[slice(*edit.span)] == edit.printed == "sin"
    assert judgement.repairs[0].latex == latex.replace("sin", edit.proposed)
    wrong = [term for term in judgement.terms if term.verdict == "wrong"]
    assert [term.latex for term in wrong] == [r"d_1 \sin \alpha_1"]


def test_two_misprints_in_one_term_and_in_two_terms() -> None:
    one = r"\ddot{y}_1 = d_2(\ddot{\alpha}_1 \cos \alpha_1 - \dot{\alpha}_2^2 \sin \alpha_1)"
    two = r"\ddot{y}_1 = d_1(\ddot{\alpha}_1 \sin \alpha_1 - \dot{\alpha}_1^2 \cos \alpha_1)"
    for latex in (one, two):
        judgement, _ = judged("three_link_arm", latex)
        assert len(judgement.repairs[0].edits) == 2
        repaired_latex = judgement.repairs[0].latex.replace("{1}", "1").replace(" ", "")
        assert r"d_1(\ddot{\alpha}_1\cos\alpha_1-\dot{\alpha}_1^" in repaired_latex


def test_nothing_is_proposed_that_says_nothing() -> None:
    for latex in repaired("three_link_arm", r"x_1 = d_2"):
        left, right = latex.replace(" ", "").split("=")
        assert left != right


@pytest.mark.parametrize(
    ("model", "misprint"),
    [
        ("three_link_arm", r"x_1 = 2 x_1"),
        ("three_link_arm", r"\ddot{x}_1 = m_1 d_1"),
        ("three_link_arm", r"d_1 \ell_1 = \ell_1"),
        ("three_link_arm", r"\dot{\alpha}_1 = \dot{\alpha}_1 \ell_1"),
        ("three_link_arm", r"m_1 \ddot{x}_1 = 100.727 m_1 \ddot{x}_1"),
        ("cart_pendulum", r"\dot{\theta} = \frac{d x}{d t}"),
        ("cart_pendulum", r"m_p l = m_c g"),
    ],
)
def test_nothing_is_proposed_that_holds_without_the_mechanics(model: str, misprint: str) -> None:
    here = checker(model)
    for latex in repaired(model, misprint):
        assert could_fail(partial(holds, here.symbols), _read(model, latex)), latex


NESTED = (
    r"\ddot\theta = \frac{g\sin\theta + \cos\theta \left(\frac{-F - m_p l\dot\theta^2"
    r" \sin\theta}{m_c + m_p}\right)}{l\left(\frac{4}{3} - \frac{m_p\cos^2\theta}"
    r"{m_c + m_p}\right)}"
)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("{m_c + m_p}\\right)}{l", "{m_c + l}\\right)}{l"),
        ("{m_c + m_p}\\right)}{l", "{m_c - m_p}\\right)}{l"),
        (r"\frac{4}{3} -", r"\frac{4}{3} +"),
        (r"\frac{4}{3} -", r"\frac{2}{3} -"),
        (r"m_p\cos^2\theta", r"m_p\cos\theta"),
        (r"g\sin\theta +", r"\sin\theta +"),
    ],
)
def test_misprints_in_fractions_of_fractions_are_undone(right: str, wrong: str) -> None:
    assert right in NESTED
    first, *_ = repaired("cart_pendulum", NESTED.replace(right, wrong))
    shown = checker("cart_pendulum").repairs.reread.shown
    assert shown(_read("cart_pendulum", first)) == shown(_read("cart_pendulum", NESTED))


def cases() -> Iterator[tuple[str, str, str, int]]:
    chance = random.Random(11)  # noqa: S311 - nothing secret
    for model in MODELS:
        faithful = checker(model).repairs.reread.is_faithful
        good = [
            relation
            for relation in relations(model).values()
            if faithful(relation) and _holds(model, relation)
        ]
        for number in range(6):
            relation = chance.choice(good)
            misprints = drawn(relation.latex, 1 + number % 2, chance)
            if misprints:
                yield model, relation.label, printed(relation.latex, misprints), len(misprints)


def _holds(model: str, relation: Relation) -> bool:
    try:
        return holds(checker(model).symbols, relation)
    except FreebodyError:
        return False


@pytest.mark.exhaustive
def test_random_misprints_are_found_and_mostly_undone() -> None:
    """What changes the meaning is never said to hold; what is proposed always holds."""
    undone = total = 0
    for model, label, latex, count in cases():
        found = read_page(f"$${latex}$$", checker(model).repairs.reread.declared)
        if not all(isinstance(r, Relation) for d in found for r in d.relations):
            continue
        if sum(len(display.relations) for display in found) != 1:
            continue
        try:
            judgement, reread = judged(model, latex)
        except FreebodyError:
            continue
        for repair in judgement.repairs:
            again, _ = judged(model, repair.latex)
            assert again.holds, (model, label, latex, repair.latex)
        if not judgement.holds and count == 1:
            total += 1
            original = reread.shown(relations(model)[label])
            undone += any(
                reread.shown(_read(model, repair.latex)) == original for repair in judgement.repairs
            )
    assert total > 6
    assert undone > 0.85 * total


def _read(model: str, latex: str) -> Relation:
    (relation,) = read_page(f"$${latex}$$", checker(model).repairs.reread.declared)[0].relations
    assert isinstance(relation, Relation)
    return relation


@pytest.mark.parametrize(
    ("misprint", "mended"),
    [
        (r"g^2 = 9.81", [r"g = 9.81", r"g^2 = 96.2361"]),
        (r"2 l_1 = 1", [r"2 l_1 = 2", r"l_1 = 1"]),
        (r"g = 9.18", [r"g = 9.81"]),
    ],
)
def test_a_value_is_that_of_a_name_or_another(misprint: str, mended: list[str]) -> None:
    assert repaired("double_pendulum", misprint) == mended


@pytest.mark.exhaustive
def test_a_derivative_may_lack_its_dot() -> None:
    misprint = r"P_\psi = \frac{\partial \mathscr{L}}{\partial \psi}"
    (first, *_) = repaired("spinning_top/gyroscope_lecture.md", misprint)
    assert first == r"P_\psi = \frac{\partial \mathscr{L}}{\partial \dot{\psi}}"


def test_a_dot_is_put_within_braces() -> None:
    assert (
        repaired("rolling_disc/sympy_documentation.md", r"{y} = r\dot{q}_3\sin q_1")[0]
        == r"{\dot{y}} = r\dot{q}_3\sin q_1"
    )


def test_zero_is_what_a_number_may_have_been() -> None:
    assert repaired("spinning_top", r"\dot{p}_\phi = 2") == [r"\dot{p}_\phi = 0"]


def test_nothing_is_read_otherwise_where_all_names_are_declared() -> None:
    declared = Declared("ab", varying=lambda _: False)
    (shown,) = read_page("$$ a = b $$", declared)
    (relation,) = shown.relations
    proved = Mock(side_effect=lambda _, options: options)
    repairs = Mock(words=(), holds_at_a_point=lambda one: one == relation, proved=proved)
    assert read_otherwise(repairs, relation, ()) == []
