"""Every combination of parameters that the tests do not try, because others stand for it."""

from __future__ import annotations

import io
from collections.abc import Sequence
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path

import pytest

from campaign.outcome import Campaign, Outcome

TESTS = Path(__file__).parents[1]
MEANT = {pytest.ExitCode.OK: "passed", pytest.ExitCode.TESTS_FAILED: "failed"}


class _LeftOut:
    """Notes which tests others stand for."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        self.names += [item.nodeid for item in items]


@cache
def names() -> list[str]:
    """Return the tests that are left out otherwise."""
    found = _LeftOut()
    status, shown = _pytest("--collect-only", str(TESTS), plugins=[found])
    if status != pytest.ExitCode.OK:
        raise RuntimeError(f"the tests cannot be collected:\n{shown}")
    return found.names


def case(seed: int) -> Outcome:
    """Try the test that has this place among those that are left out."""
    if seed >= len(names()):
        return Outcome("no test of this number")
    status, shown = _pytest("--every", str(TESTS.parent / names()[seed]))
    is_failure = status != pytest.ExitCode.OK
    detail = f"{names()[seed]}\n{shown}" if is_failure else ""
    return Outcome(MEANT.get(status, "not run"), is_failure, detail)


def _pytest(*arguments: str, plugins: Sequence[object] = ()) -> tuple[int, str]:
    """Run pytest in this process, and return how it ends and what it shows."""
    with redirect_stdout(io.StringIO()) as shown:
        status = pytest.main(["-p", "no:cacheprovider", *arguments], plugins=[*plugins])
    return status, shown.getvalue()


CAMPAIGN = Campaign("combinations", size=2000, limit=300, case=case)
