"""The examples run as they are, and write their pictures."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_writes_its_picture(example: Path, tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    subprocess.run([sys.executable, example, picture], check=True, capture_output=True)  # noqa: S603
    assert picture.stat().st_size > 10_000
