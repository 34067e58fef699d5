"""What the documentation shows in Python runs as it stands there."""

from __future__ import annotations

import doctest
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest

import documentation
import freebody
from documentation import PAGES as ALL
from documentation import ROOT, RUN, SHOWN, arguments, blocks, commands
from freebody.cli import main
from freebody.motion import posture_reach

DOCS = Path(__file__).parents[1] / "docs"
OWN_FILES = {
    "simulation": [4],
    "inverse": [1],
    "motion": [2],
    "alone": [0],
    "checking": [0],
    "experiments": [0],
    "importing": [0],
    "survey": [0],
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
)
TIMES = np.linspace(0.0, 5.0, 51)


def recipes(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (DOCS / f"{page}.md").read_text("utf-8"), re.DOTALL)


def spoken_of(page: str) -> dict[str, Any]:
    """Return what the recipes of a page speak of without making it."""
    links = 2 if page in ("identification", "muscles") else 3
    reach = posture_reach(
        {"alpha1": -1.5, "alpha2": 0.1}, {"alpha1": 0.0, "alpha2": 1.5}, 0.5, 100.0
    )
    reach.save("reach.csv")
    Path("forces.csv").write_text(
        "time,fx,fy\n0,0,0\n0.1,0,1\n0.4,1,1\n0.5,0,0\n", encoding="utf-8"
    )
    return {
        "freebody": freebody,
        "model": freebody.load("two_link"),
        "motion": reach,
        "found": freebody.simulate("two_link", inputs={"T2": "sin(t)"}, unchecked=True),
        "times": TIMES,
        "values": np.sin(TIMES),
        "data_array": (TIMES, np.cos(TIMES)),
        "t": 0.0,
        "q": np.full(links, 0.3),
        "u": np.zeros(links),
        "inputs": np.zeros(4),
        "out": np.empty(links),
        "heights": [1.6, 1.8],
        "masses": [1.0, 1.5, 2.0],
        "angles": [0.0, 0.5],
    }


@pytest.mark.few("simulation", "inverse", "motion")
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
