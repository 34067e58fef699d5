"""Exercises are graded as they were made, and models compared term by term."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import freebody
from freebody.cli import main
from freebody.errors import ArgumentError
from freebody.explaining.exercises import BLANK

PENDULUM = (Path(__file__).parents[1] / "models" / "pendulum" / "model.toml").read_text("utf-8")


def graded(folder: Path) -> dict[str, str]:
    report = freebody.check(folder / "e.md", against=folder / "e_solution.md")
    return {one.label: one.status for one in report.documents[0].equations}


@pytest.mark.exhaustive("0")
@pytest.mark.few(0)
@pytest.mark.parametrize("seed", [0, 3])
def test_planted_misprints_and_nothing_else_are_graded_wrong(seed: int, tmp_path: Path) -> None:
    made = freebody.exercise("cart_pendulum", "lagrange", misprints=2, seed=seed)
    made.save(tmp_path / "e.md")
    grades = graded(tmp_path)
    wrong = {label for label, status in grades.items() if status == "differs"}
    assert set(grades.values()) == {"holds", "differs"}
    assert wrong == {f"({change.label})" for change in made.changes}
    assert len(wrong) == 2


@pytest.mark.exhaustive
def test_a_misprint_is_no_symbol_that_the_solution_does_not_know(tmp_path: Path) -> None:
    made = freebody.exercise("runner_two_mass", "lagrange", misprints=1, seed=52)
    made.save(tmp_path / "e.md")
    assert set(graded(tmp_path).values()) == {"holds", "differs"}


@pytest.mark.exhaustive
def test_blanks_are_to_be_filled(tmp_path: Path) -> None:
    made = freebody.exercise("cart_pendulum", "kane", hide=["M", "C"])
    made.save(tmp_path / "e.md")
    blank = {f"({change.label})" for change in made.changes}
    assert {label for label, status in graded(tmp_path).items() if status != "holds"} == blank
    text = (tmp_path / "e.md").read_text("utf-8")
    assert text.count(BLANK) == len(blank) == 4
    assert "What each term is" not in text
    for change in made.changes:
        text = text.replace(change.printed, change.right)
    (tmp_path / "e.md").write_text(text, encoding="utf-8")
    assert set(graded(tmp_path).values()) == {"holds"}


@pytest.mark.exhaustive
def test_the_solution_holds_and_tells_what_was_changed(tmp_path: Path) -> None:
    freebody.exercise("pendulum", misprints=1, seed=1).save(tmp_path / "e.md")
    assert freebody.check(tmp_path / "e_solution.md").agrees
    assert "What the exercise changed" in (tmp_path / "e_solution.md").read_text("utf-8")


@pytest.mark.exhaustive
def test_the_same_seed_makes_the_same_exercise() -> None:
    first, second, third = (
        freebody.exercise("pendulum", misprints=2, seed=seed) for seed in (5, 5, 6)
    )
    assert first.text == second.text
    assert first.changes != third.changes


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "expected something to hide"),
        ({"hide": ["mass"]}, "expected M, C.*found 'mass'"),
        ({"hide": ["C"]}, "no equation of C"),
        ({"misprints": 99}, "expected at most"),
    ],
)
def test_what_cannot_be_asked_is_told(options: dict[str, object], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        freebody.exercise("pendulum", **options)  # type: ignore[arg-type]


@pytest.mark.exhaustive
def test_the_command_writes_both_pages(tmp_path: Path) -> None:
    path = tmp_path / "e.md"
    told = CliRunner().invoke(main, ["exercise", "pendulum", "--hide", "M,G", "-o", str(path)])
    assert told.exit_code == 0, told.output
    assert (tmp_path / "e_solution.md").is_file()
    assert "(e_solution_figures/system.svg)" in path.read_text("utf-8")


# ---------------------------------------------------------------------- two models


def other_pendulum(folder: Path, *changes: tuple[str, str]) -> Path:
    text = PENDULUM
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / "other.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_model_and_itself_are_the_same() -> None:
    found = freebody.compare("two_link", "two_link")
    assert found
    assert not found.differences
    assert "the same equations of motion" in str(found)


def test_what_a_model_adds_is_told_term_by_term(tmp_path: Path) -> None:
    joint = PENDULUM.partition("[[joints]]")[2].partition('name = "')[2].partition('"')[0]
    other = other_pendulum(
        tmp_path, ("[[bodies]]", f'[[dampers]]\njoint = "{joint}"\ndamping = 3\n\n[[bodies]]')
    )
    (difference,) = freebody.compare("pendulum", other).differences
    assert (difference.entry, difference.term) == ("E[theta]", "theta_dot")
    assert (difference.first, difference.second) == ("0", "3")
    (back,) = freebody.compare(other, "pendulum").differences
    assert "only in the first" in str(back)


def test_other_coefficients_and_values_are_told(tmp_path: Path) -> None:
    other = other_pendulum(tmp_path, ("value = 9.81", "value = 1.62"))
    (difference,) = freebody.compare("pendulum", other).differences
    assert str(difference) == "value g  is: 9.81 in the first, 1.62 in the second"


def test_coordinates_of_one_model_alone_are_named() -> None:
    found = freebody.compare("pendulum", "cart_pendulum")
    assert found.only_second == ("x",)
    assert not found


PAGE = """+++
title = "A page"
model = "pendulum"
[symbols]
'\\theta' = "theta"
'm' = "m"
'g' = "g"
'd' = "d"
'I' = "I"
'H' = "M[1,1]"
'G' = "G[1]"
+++
$$ H = I + m d^2 \\tag{1} $$
$$ G = m g d \\sin\\theta \\tag{2} $$
$$ \\sin^2\\theta = 1 - \\cos^2\\theta \\tag{3} $$
"""


def test_what_a_page_adds_or_says_otherwise_is_told(tmp_path: Path) -> None:
    first, second = tmp_path / "first.md", tmp_path / "second.md"
    first.write_text(PAGE, encoding="utf-8")
    other = PAGE.replace("'H'", "'M'").replace("$ H", "$ M").replace("m d^2", "2 m d^2")
    added = "'T' = \"energy.kinetic\"\n+++"
    other = other.replace("\n+++\n$", f"\n{added}\n$", 1)
    second.write_text(f"{other}$$ T = M \\dot\\theta^2/2 \\tag{{4}} $$\n", encoding="utf-8")
    found = freebody.compare(first, second)
    (difference,) = found.differences
    assert str(difference) == "M[1]  d**2*m: 1 in the first, 2 in the second"
    assert found.only_second == ("energy.kinetic",)
    assert not found.only_first
    assert freebody.compare(first, first)


def test_a_page_is_held_against_a_model(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE.replace("sin\\theta", "cos\\theta", 1), encoding="utf-8")
    found = freebody.compare(page, "pendulum")
    assert [(one.entry, one.second) for one in found.differences] == [("G[1]", "0"), ("G[1]", "1")]
    assert found.unread == ("(3)",)


def test_the_command_compares_and_ends_as_diff_does(tmp_path: Path) -> None:
    other = other_pendulum(tmp_path, ("value = 9.81", "value = 1.62"))
    same = CliRunner().invoke(main, ["compare", "pendulum", "pendulum"])
    differs = CliRunner().invoke(main, ["compare", "pendulum", str(other)])
    assert (same.exit_code, differs.exit_code) == (0, 1)
