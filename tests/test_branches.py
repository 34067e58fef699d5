"""Expressions by cases: each case is an equation of its own, under its condition."""

from __future__ import annotations

from pathlib import Path

import pytest

import freebody

FRONT = r"""+++
title = "Cases"
model = "cart_pendulum"
[symbols]
't' = "t"
'x' = "x"
'\theta' = "theta"
'l' = "l"
'F' = "F"
+++
"""


def cases(folder: Path, latex: str) -> list[tuple[str, str]]:
    path = folder / "page.md"
    path.write_text(f"{FRONT}\n$${latex}\\tag{{1}}$$\n")
    (document,) = freebody.check(path).documents
    return [(one.status, one.note) for one in document.equations]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("latex", "statuses"),
    [
        (r"|x| = \begin{cases} x & x \ge 0 \\ -x & x < 0 \end{cases}", "hh"),
        (r"|x| = \begin{cases} x & \text{if } x \ge 0 \\ -x & \text{otherwise} \end{cases}", "hh"),
        (r"|x| = \begin{cases} x, & \text{for } x > 0, \\ x, & \text{else} \end{cases}", "hd"),
        (
            r"\max(x, \theta) = \begin{cases} x & x > \theta \\ \theta & x \le \theta\end{cases}",
            "hh",
        ),
        (
            r"\max(x, \theta) = \begin{cases} x & x < \theta \\ \theta & x \ge \theta\end{cases}",
            "dd",
        ),
        (
            r"\sgn x = \left\{\begin{array}{c} 1 & x>0 \\ 0 & x=0 \\ -1 & x<0\end{array}\right.",
            "hnh",
        ),
        (r"\min(1, x) = \begin{cases} x & 0 < x < 1 \\ 1 & x > 1 \end{cases}", "hh"),
        (r"\max(0, -x)\,l = \begin{cases} 0 & x > 0 \\ -x l & \mathrm{else} \end{cases}", "hh"),
        (r"F = \begin{cases} x & t < 1 \\ 0 & t \ge 1 \end{cases}", "nn"),
        (r"|x| = \begin{cases} x & l > 0 \\ -x & l < 0 \end{cases}", "nn"),
    ],
)
def test_a_case_is_judged_under_its_condition(tmp_path: Path, latex: str, statuses: str) -> None:
    assert "".join(status[0] for status, _ in cases(tmp_path, latex)) == statuses


def test_a_case_in_words_is_told(tmp_path: Path) -> None:
    latex = r"|x| = \begin{cases} x & \text{on the way out} \\ -x & \text{back} \end{cases}"
    ((status, note),) = cases(tmp_path, latex)
    assert status == "unreadable"
    assert "by cases" in note
