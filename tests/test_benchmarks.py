"""The benchmarks use what freebody has: nobody runs them all at every change."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
PAGE = r"$$ m l^2\ddot\theta + m g l\sin\theta = 0 $$"


def _imported(path: Path) -> Iterator[tuple[str, str]]:
    """Iterate over the names that a file imports from freebody, with their modules."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "freebody":
            yield from ((node.module or "", one.name) for one in node.names)


@pytest.mark.parametrize("path", sorted(BENCHMARKS.rglob("*.py")), ids=lambda path: path.stem)
def test_what_they_import_is_there(path: Path) -> None:
    for module, name in _imported(path):
        package = importlib.import_module(module)
        assert hasattr(package, name) or importlib.import_module(f"{module}.{name}"), name


def test_public_pages_are_measured_with_their_models(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(PAGE)
    command = [sys.executable, str(BENCHMARKS / "pages.py"), str(tmp_path), "--models"]
    shown = subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603
    assert "5 of 5 symbols sure" in shown
    assert "pages with a model: 1" in shown
