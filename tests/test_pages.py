"""A page in other notation: shorthands, energies, solved accelerations, an unactuated joint."""

from pathlib import Path

import pytest

import freebody
from freebody.checking import EquationVerdict

PAGE = Path(__file__).parent / "pages" / "cart.md"


@pytest.fixture(scope="module")
def verdicts() -> dict[str, EquationVerdict]:
    (document,) = freebody.check(PAGE).documents
    return {verdict.label: verdict for verdict in document.equations}


@pytest.mark.parametrize(
    "number", ["1", "2", "3", "4", "5", "6", "7.1", "7.2", "8", "9", "10", "11"]
)
def test_what_is_right_holds(verdicts: dict[str, EquationVerdict], number: str) -> None:
    assert verdicts[f"({number})"].status == "holds"
    assert verdicts[f"({number})"].proof == "exact"


def test_what_cannot_be_read_is_told_with_its_place(verdicts: dict[str, EquationVerdict]) -> None:
    assert verdicts["(12)"].status == "unreadable"
    assert verdicts["(12)"].note.splitlines()[-1].strip() == "^"


@pytest.mark.parametrize(
    ("label", "entry", "term", "printed", "derived"),
    [
        ("(13)", "", "m*x_ddot*cos(2*th)", "3/8", "-3/8"),
        ("(14)", "[2,2]", "l**2*m", "1/4", "1/3"),
        ("(15)", "", "m*x_ddot*cos(th)", "-3/4", "0"),
    ],
)
def test_a_misprint_is_named(
    verdicts: dict[str, EquationVerdict],
    label: str,
    entry: str,
    term: str,
    printed: str,
    derived: str,
) -> None:
    found = [
        (difference.entry, difference.term, difference.printed, difference.derived)
        for difference in verdicts[label].differences
    ]
    assert (entry, term, printed, derived) in found
    assert len(found) <= 3


def test_a_model_file_and_its_page_find_each_other() -> None:
    report = freebody.check(PAGE.with_name("cart.toml"))
    assert [document.document for document in report.documents] == ["cart"]
