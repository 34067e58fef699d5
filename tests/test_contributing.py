"""The recipes of CONTRIBUTING.md, followed to the letter."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
_RECIPE = re.compile(r"^### (.+)$", re.MULTILINE)
_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NAME = re.compile(r"\A(?:# |<!-- )([\w.]+)(?: -->)?\n")


@dataclass(frozen=True)
class Recipe:
    """What is changed, what is written into files, and what commands print then."""

    name: str
    diff: str
    files: dict[str, str]
    session: str


def _recipes() -> list[Recipe]:
    _, *parts = _RECIPE.split(TEXT)
    return [_recipe(name, text) for name, text in zip(parts[::2], parts[1::2], strict=True)]


def _recipe(name: str, text: str) -> Recipe:
    blocks = _FENCE.findall(text)
    files = {}
    for kind, block in blocks:
        if kind in ("toml", "markdown"):
            file = _NAME.match(block)
            assert file, f"a file without a name: {block[:40]}"
            files[file[1]] = block[file.end() :]
    (diff,) = (block for kind, block in blocks if kind == "diff")
    (session,) = (block for kind, block in blocks if kind == "console")
    return Recipe(name, diff, files, session)


def _ran(
    command: list[str], folder: Path, given: str = "", **variables: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603
        command,
        cwd=folder,
        input=given,
        env={**os.environ, **variables},
        text=True,
        capture_output=True,
        check=False,
    )


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the source with all recipes applied."""
    root = tmp_path_factory.mktemp("house")
    leave = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src", root / "src", ignore=leave)
    shutil.copytree(ROOT / "models", root / "models", ignore=leave)
    for recipe in _recipes():
        command = ["git", "apply", "--whitespace=nowarn", "-"]
        found = _ran(command, root, recipe.diff)
        assert not found.returncode, f"{recipe.name}: {found.stderr}"
    return root


@pytest.mark.exhaustive("A backend")
@pytest.mark.few(*_recipes()[::2])
@pytest.mark.parametrize("recipe", _recipes(), ids=lambda recipe: recipe.name)
def test_a_recipe_does_what_it_says(source: Path, tmp_path: Path, recipe: Recipe) -> None:
    for name, text in recipe.files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    first, *expected = recipe.session.splitlines()
    command = [sys.executable, "-m", *first.removeprefix("$ ").split()]
    found = _ran(command, tmp_path, PYTHONPATH=str(source / "src"))
    assert not found.returncode, found.stderr
    printed = [line.strip() for line in found.stdout.splitlines()]
    for line in expected:
        assert any(one.startswith(line.strip()) for one in printed), (line, found.stdout)


def test_every_room_is_on_the_page() -> None:
    table = TEXT[TEXT.index("## The house") : TEXT.index("A page goes:")]
    rooms = {path.name for path in (ROOT / "src" / "freebody").iterdir() if path.is_dir()}
    told = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\|([^|]+)\|", table, re.MULTILINE))))
    assert rooms - {"__pycache__", "starter"} == told
