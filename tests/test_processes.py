"""Pages that several processes check."""

import pickle
import time
from pathlib import Path

import pytest

import freebody
from freebody.checking.processes import FEW, each
from freebody.documents.latex import LatexError
from freebody.errors import (
    ArgumentError,
    DocumentError,
    ExpressionError,
    FreebodyError,
    ModelError,
    Problem,
)
from freebody.files import FileError

PAGE = "$$ (I + m d^2) \\ddot\\theta = {} $$\n"
RIGHT, WRONG = r"T - m g d \sin\theta", r"T - 2 m g d \sin\theta"


def _pages(folder: Path) -> list[Path]:
    pages = [folder / f"page_{number}.md" for number in range(2 * FEW)]
    for number, page in enumerate(pages):
        page.write_text(PAGE.format(RIGHT if number % 2 else WRONG), encoding="utf-8")
    return pages


@pytest.mark.exhaustive
def test_several_processes_say_what_one_says_in_the_order_of_the_pages(tmp_path: Path) -> None:
    pages, names = _pages(tmp_path), list[str]()
    one = freebody.check(*pages, against="pendulum")
    two = freebody.check(*pages, against="pendulum", jobs=2, progress=names.append)
    assert two == one
    assert names == [page.stem for page in pages]
    assert [report.equations[0].status for report in two.documents] == ["differs", "holds"] * FEW


@pytest.mark.exhaustive
def test_what_a_process_raises_is_raised_as_it_was(tmp_path: Path) -> None:
    missing = [tmp_path / f"{number}.md" for number in range(2 * FEW)]
    with pytest.raises(DocumentError, match=r"7\.md: no such page") as caught:
        list(each(_refused, missing, jobs=2))
    assert caught.value.source.endswith("7.md")


def _refused(page: Path, _: object) -> str:
    if page.stem == "7":
        raise DocumentError(str(page), [freebody.errors.Problem("", "no such page")])
    return page.stem


@pytest.mark.exhaustive
def test_no_process_is_left_where_the_answers_are_not_wanted(tmp_path: Path) -> None:
    answers = each(_slow, [tmp_path] * 2 * FEW, jobs=2)
    assert next(answers) == str(tmp_path)
    answers.close()
    with pytest.raises(StopIteration):
        next(answers)


def _slow(page: Path, _: object) -> str:
    time.sleep(0.01)
    return str(page)


def test_less_than_no_process_is_refused() -> None:
    with pytest.raises(ArgumentError, match="found -1"):
        freebody.check("pendulum", jobs=-1)


@pytest.mark.parametrize(
    "error",
    [
        FileError(Path("a.md"), "is a folder"),
        ModelError("a.toml", [Problem("joints[0]", "expected a parent")]),
        ExpressionError("expected a number", 3),
        LatexError("expected a brace", 7, ("x",)),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_is_the_same_in_another_process(error: FreebodyError) -> None:
    made = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert type(made) is type(error)
    assert (str(made), vars(made)) == (str(error), vars(error))
