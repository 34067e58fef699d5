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
    _pytest("--collect-only", str(TESTS), plugin=found)
    return found.names


def case(seed: int) -> Outcome:
    """Try the test that has this place among those that are left out."""
    if seed >= len(names()):
        return Outcome("no test of this number")
    status, shown = _pytest("--every", f"{TESTS.parent / names()[seed]}")
    failed = status != pytest.ExitCode.OK
    return Outcome(MEANT.get(status, "not run"), failed, f"{names()[seed]}\n{shown}" * failed)


def _pytest(*arguments: str, plugin: object = None) -> tuple[int, str]:
    """Run pytest in this process, and return how it ends and what it shows."""
    with redirect_stdout(io.StringIO()) as shown:
        options = ["-p", "no:cacheprovider", "-p", "no:terminalreporter"][:2]
        status = pytest.main([*options, *arguments], plugins=[plugin] if plugin else [])
    return status, shown.getvalue()


CAMPAIGN = Campaign("combinations", size=1000, limit=300, case=case)
