"""Pages that are graded: how many of their equations are right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from freebody.checking.report import DocumentReport, Report


@dataclass(frozen=True, slots=True)
class Grade:
    """How many equations of a page are right.

    Attributes
    ----------
    page : str
        Its name, or what several are called together.
    right, wrong, unreadable, unchecked : int
        How many equations there are of each.
    carried : int
        How many of the wrong ones only carry on an earlier misprint.
    failed : int
        How many of the unchecked ones are so because freebody failed.
    """

    page: str
    right: int
    wrong: int
    unreadable: int
    unchecked: int
    carried: int
    failed: int = 0

    @property
    def percent(self) -> float | None:
        """How many of a hundred are right; of those that were to be judged, readable or not.

        None where there are none.

        Examples
        --------
        >>> Grade("homework", 6, 1, 1, 3, 0).percent
        75.0
        """
        judged = self.right + self.wrong + self.unreadable
        return 100 * self.right / judged if judged else None

    @property
    def share(self) -> str:
        """The percentage as text: 100 only where everything is right.

        Examples
        --------
        >>> Grade("homework", 999, 1, 0, 0, 0).share
        '99 %'
        """
        if self.percent is None:
            return "none"
        return f"{self.percent if self.percent == 100 else min(round(self.percent), 99):.0f} %"

    def sentence(self) -> str:
        """Return the grade in words.

        Examples
        --------
        >>> Grade("homework", 6, 2, 1, 0, 1).sentence()
        '6 right, 2 wrong (1 carried on), 1 unreadable: 67 % right'
        """
        carried = f" ({self.carried} carried on)"
        parts = [f"{self.right} right", f"{self.wrong} wrong{carried if self.carried else ''}"]
        parts += [f"{self.unreadable} unreadable"] if self.unreadable else []
        failed = f" ({self.failed} where freebody failed)" if self.failed else ""
        parts += [f"{self.unchecked} not checked{failed}"] if self.unchecked else []
        share = "nothing to grade" if self.percent is None else f"{self.share} right"
        return f"{', '.join(parts)}: {share}"


def grade(documents: Iterable[DocumentReport], page: str) -> Grade:
    """Return the grade of one page, or of several together."""
    documents = tuple(documents)
    counts = [document.counts() for document in documents]
    carried = sum(
        verdict.status == "differs" and bool(verdict.carried_from)
        for document in documents
        for verdict in document.equations
    )
    return Grade(
        page,
        sum(count["holds"] for count in counts),
        sum(count["differs"] for count in counts),
        sum(count["unreadable"] for count in counts),
        sum(count["not checked"] + count["failed"] for count in counts),
        carried,
        sum(count["failed"] for count in counts),
    )


COLUMNS = ("page", "right", "wrong", "carried on", "unreadable", "not checked", "right of judged")


def rows(report: Report) -> list[tuple[str, ...]]:
    """Return the table of pages, and of all together where there are several."""
    grades = [grade([document], document.document) for document in report.documents]
    if len(grades) > 1:
        grades.append(grade(report.documents, "all pages"))
    return [_cells(one) for one in grades]


def _cells(grade: Grade) -> tuple[str, ...]:
    counts = grade.right, grade.wrong, grade.carried, grade.unreadable, grade.unchecked
    return (grade.page, *map(str, counts), grade.share)
