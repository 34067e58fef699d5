"""The pages that are generated for the site say all that there is, and broken links are seen."""

from __future__ import annotations

import doctest
import tomllib
from pathlib import Path

import freebody
from documentation import PAGES
from freebody.checking.quantities.families import FAMILIES
from freebody.cli import main
from freebody.model import schema
from website import links, reference

DOCS = PAGES["docs/documents"].parent


def test_every_quantity_is_explained() -> None:
    told = reference.meanings(PAGES["docs/documents"].read_text(encoding="utf-8"))
    assert FAMILIES.keys() - told.keys() == set()


def test_the_reference_has_everything() -> None:
    pages = reference.pages(DOCS)
    python = "".join(text for name, text in pages.items() if name.startswith("python/"))
    shown = {name for name in freebody.__all__ if callable(getattr(freebody, name))}
    assert {name for name in shown if f":: freebody.{name}\n" not in python} == {"FreebodyError"}
    assert ":: freebody.FreebodyError\n" in pages["errors.md"]
    assert ":: freebody.LostMotionError\n" in pages["errors.md"]
    assert [
        name for name in main.commands if f"## freebody {name}\n" not in pages["commands.md"]
    ] == []
    assert "| `one_sided` | true or false |" in pages["keys.md"]
    assert "| `joints` | list of [Pin](#pin)" in pages["keys.md"]


def test_examples_of_the_generator_hold() -> None:
    assert doctest.testmod(reference).failed == 0


def test_the_version_is_said_alike() -> None:
    root = DOCS.parent
    version = freebody.__version__
    with (root / "pyproject.toml").open("rb") as file:
        assert tomllib.load(file)["project"]["version"] == version
    assert f"\nversion: {version}\n" in (root / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\n## {version} – " in (root / "CHANGELOG.md").read_text(encoding="utf-8")
    assert schema()["$id"] == f"urn:freebody:model:{version}"


def test_broken_links_are_told(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<p id="here"><a href="b.html#there"></a><a href="#here"></a><a href="https://a.b"></a>'
        '<a href="c.html"></a><a href="b.html#gone"></a><script src="https://a.b/c.js"></script>',
        encoding="utf-8",
    )
    (tmp_path / "b.html").write_text('<p id="there">', encoding="utf-8")
    assert [*links.broken(tmp_path)] == [
        "a.html: c.html is not there",
        "a.html: b.html#gone: no such place on the page",
        "a.html: script asks a network for https://a.b/c.js",
    ]
