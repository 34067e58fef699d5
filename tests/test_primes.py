"""Primes that are derivatives by time, and primes that are not."""

from __future__ import annotations

from pathlib import Path

import pytest

import freebody
from freebody.documents.latex.tokens.primes import are_rates

PENDULUM = r"""
$$ x_1' = \theta_1' L_1\cos\theta_1, \qquad x_1 = L_1\sin\theta_1 $$

$$ x_1^{\prime\prime} = -{\theta_1'}^2 L_1\sin\theta_1 + \theta_1'' L_1\cos\theta_1 $$
"""


def test_primes_are_rates_where_no_dots_are_set(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PENDULUM)
    (report,) = freebody.alone(page).documents
    assert "consistent" in {one.status for one in report.equations}
    assert "primes are read as derivatives by time" in report.remarks
    page.write_text(PENDULUM.replace("-{", "+{"))
    (report,) = freebody.alone(page).documents
    (wrong,) = (one for one in report.equations if one.status == "contradicts")
    assert wrong.label == "(#2)"


@pytest.mark.parametrize(
    ("text", "is_rate"),
    [
        ("m x'' + c x' + k x = F(t)", True),
        ("m_1 x_1'' = -k_1 x_1", True),
        ("y'' = \\sqrt{1 + y'^2}", False),
        ("m\\ddot x = F, \\quad x'' = 0", False),
        ("\\frac{dy}{dx} = y', \\quad \\theta'' = 0", False),
        ("R_1'' = R_2", True),
        ("the ``angle'' of x = 1", False),
    ],
)
def test_what_pages_mean_by_two_primes(text: str, is_rate: bool) -> None:
    assert are_rates(text) == is_rate
