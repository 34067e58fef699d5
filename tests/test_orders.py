"""Linear matrices in the order of the state that a page has."""

from __future__ import annotations

from pathlib import Path

import pytest

from freebody.checking.document import check_document
from freebody.checking.report import EquationVerdict
from freebody.documents import read_document
from test_cases import quantities

SYMBOLS = {
    "A": "linear.A", "B": "linear.B", "a": "linear.A[3,2]", "b": "linear.A[4,2]",
    "c": "linear.B[3,1]", "d": "linear.B[4,1]", "x": "x", r"\theta": "theta",
}  # fmt: skip
MATRIX = [["0", "0", "1", "0"], ["0", "0", "0", "1"], ["0", "a", "0", "0"], ["0", "b", "0", "0"]]
COLUMN = [["0"], ["0"], ["c"], ["d"]]
STATE = ["x", r"\theta", r"\dot x", r"\dot\theta"]
OWN, PAIRED, RATES_FIRST, ODD = (0, 1, 2, 3), (0, 2, 1, 3), (2, 3, 0, 1), (3, 1, 0, 2)
Order = tuple[int, ...]


def printed(name: str, rows: list[list[str]]) -> str:
    return rf"{name} = \begin{{bmatrix}} " + r" \\ ".join(map(" & ".join, rows)) + r" \end{bmatrix}"


def square(order: Order) -> str:
    return printed("A", [[MATRIX[i][j] for j in order] for i in order])


def tall(order: Order) -> str:
    return printed("B", [COLUMN[i] for i in order])


def state(order: Order) -> str:
    return printed("z", [[STATE[i]] for i in order])


def verdicts(folder: Path, *lines: str) -> tuple[EquationVerdict, ...]:
    symbols = "\n".join(f"'{key}' = '{value}'" for key, value in SYMBOLS.items())
    shown = "\n\n".join(f"$$ {line} $$" for line in lines)
    page = folder / "page.md"
    page.write_text(
        f'+++\ntitle = "A"\nmodel = "cart_pendulum"\n[symbols]\n{symbols}\n+++\n{shown}\n'
    )
    return check_document(read_document(page), quantities("cart_pendulum")).equations


@pytest.mark.parametrize(
    ("order", "needs"), [(OWN, False), (PAIRED, False), (RATES_FIRST, False), (ODD, True)]
)
def test_the_state_is_in_the_order_of_the_page(
    tmp_path: Path, order: Order, *, needs: bool
) -> None:
    *_, first, second = verdicts(tmp_path, state(order), r"z_1 = z", square(order), tall(order))
    assert (first.status, second.status) == ("holds", "holds")
    told = [one for one in first.readings if one.startswith("the state is in the order")]
    assert bool(told) == (order != OWN)
    first, second = verdicts(tmp_path, square(order), tall(order))
    assert (first.status == second.status == "differs") == needs


@pytest.mark.parametrize("order", [OWN, PAIRED, RATES_FIRST])
@pytest.mark.parametrize(("was", "now"), [("a", "b"), ("1", "2"), ("b", "-b")])
def test_what_is_misprinted_differs_in_any_order(
    tmp_path: Path, order: Order, was: str, now: str
) -> None:
    wrong = square(order).replace(f" {was} ", f" {now} ", 1)
    first, second = verdicts(tmp_path, wrong, tall(order))
    assert (first.status, second.status) == ("differs", "holds")
    assert first.repairs[0].latex.replace(" ", "") == square(order).replace(" ", "")


@pytest.mark.parametrize(
    "column", [r"(0, 0, d, c)", r"(c, 0, 0, d)", r"(0, c, 0, d)", r"(c, d, 0, 0)"]
)
def test_a_column_alone_is_in_the_order_of_the_model(tmp_path: Path, column: str) -> None:
    (verdict,) = verdicts(tmp_path, f"B = {column}")
    assert verdict.status == "differs"


@pytest.mark.parametrize("swapped", [(1, 0, 2, 3), (0, 1, 3, 2), (3, 2, 1, 0)])
def test_rows_alone_in_another_order_differ(tmp_path: Path, swapped: Order) -> None:
    (verdict,) = verdicts(tmp_path, printed("A", [MATRIX[i] for i in swapped]))
    assert verdict.status == "differs"
