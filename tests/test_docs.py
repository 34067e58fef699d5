"""What the documentation shows in Python runs as it stands there."""

from __future__ import annotations

import doctest
import re
from importlib import import_module
from pathlib import Path

import click
import pytest

import documentation
from documentation import PAGES as ALL
from documentation import ROOT, RUN, SHOWN, arguments, blocks, commands, spoken_of
from freebody.cli import main

DOCS = Path(__file__).parents[1] / "docs"
OWN_FILES = {
    "simulation": [4],
    "inverse": [1, 2],
    "motion": [2],
    "alone": [0],
    "checking": [0],
    "experiments": [0],
    "importing": [0],
    "survey": [0],
    "sweeps": [2],
}
"""Recipes that read files of the reader's own, or a motion of another model."""
PAGES = (
    "simulation",
    "explain",
    "identification",
    "inverse",
    "muscles",
    "motion",
    "optimal",
    "programs",
    "sensitivity",
    "sweeps",
)


def recipes(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (DOCS / f"{page}.md").read_text("utf-8"), re.DOTALL)


@pytest.mark.few("inverse")
@pytest.mark.parametrize("page", PAGES)
def test_recipes_run_one_after_another(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    module = import_module("freebody.simulation.simulate")
    monkeypatch.setattr(module, "check_documents", lambda _: "not checked")
    names = spoken_of(page)
    for number, recipe in enumerate(recipes(page)):
        if number not in OWN_FILES.get(page, []):
            exec(compile(recipe, f"{page}.md {number}", "exec"), names)  # noqa: S102


def test_all_pages_with_recipes_are_tried() -> None:
    shown = {page.stem for page in DOCS.glob("*.md") if recipes(page.stem)}
    tried = {page for page in PAGES if len(recipes(page)) > len(OWN_FILES.get(page, []))}
    assert shown - tried == {"alone", "checking", "experiments", "importing", "survey"}


def test_blocks_are_run_or_known_to_be_shown() -> None:
    kinds = {(name, block.kind) for name, path in ALL.items() for block in blocks(path)}
    unknown = {one for one in kinds if one[1] not in (*RUN, *SHOWN)}
    assert unknown == set()


def test_commands_and_options_are_there() -> None:
    for name, path in ALL.items():
        for block in blocks(path):
            for command, _ in commands(block):
                words = arguments(command)
                if words and words[0] == "freebody":
                    assert words[1] in main.commands, f"{name}:{block.line}: {command}"
                    one = main.commands[words[1]]
                    parser = one.make_parser(click.Context(one))
                    parser.parse_args(words[2:])


_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


ON_THE_SITE = ("docs/", "examples", "CHANGELOG.md", "CONTRIBUTING.md")


def _prose(path: Path) -> str:
    return re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)


def _places(path: Path) -> set[str]:
    """Return the places on a page that a link may lead to, as GitHub names its headings."""
    heads = re.findall(r"^#+ (.+)$", _prose(path), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def test_links_lead_somewhere() -> None:
    generated = ("reference/", "gallery/")
    wrong = []
    for name, path in {**ALL, "CONTRIBUTING": ROOT / "CONTRIBUTING.md"}.items():
        text = re.sub(r"`[^`\n]*`", "", _prose(path))
        for target in _LINK.findall(text):
            file, _, place = target.partition("#")
            leads = (path.parent / file) if file else path
            within = leads.resolve().relative_to(ROOT.resolve()).as_posix()
            if "://" in target or within.removeprefix("docs/").startswith(generated):
                continue
            if name.startswith("docs/") and not within.startswith(ON_THE_SITE):
                wrong.append(f"{name}: {target} is not on the site")
            if not leads.exists() or (place and place not in _places(leads)):
                wrong.append(f"{name}: {target}")
    assert wrong == []


def test_every_page_is_in_a_table_of_contents() -> None:
    listed = {"docs/index"}
    for path in ALL.values():
        for block in blocks(path):
            if block.kind == "{toctree}":
                entries = [line for line in block.text.splitlines() if line and line[0] != ":"]
                folder = path.relative_to(ROOT).parent
                listed |= {(folder / entry).as_posix() for entry in entries}
    assert ALL.keys() - {"README"} - listed == set()


def test_how_documentation_is_run_is_as_it_says() -> None:
    assert doctest.testmod(documentation).failed == 0
