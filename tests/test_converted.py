"""Pages of word processors and other markup, which pandoc reads where it is installed."""

from __future__ import annotations

import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import freebody
from freebody.cli import main
from freebody.documents import converted

HAS_PANDOC = shutil.which("pandoc") is not None or find_spec("pypandoc") is not None
needs_pandoc = pytest.mark.skipif(not HAS_PANDOC, reason="there is no pandoc")

ORG = r"""#+TITLE: A cart
The mass is \(m\).

\[ x_p = x + l\sin\theta \]

* What follows
\begin{equation}
\dot x_p = \dot x - l\dot\theta\cos\theta
\end{equation}
"""


def org(folder: Path) -> Path:
    path = folder / "cart.org"
    path.write_text(ORG, encoding="utf-8")
    return path


@needs_pandoc
def test_a_page_in_org_is_read_with_its_own_lines(tmp_path: Path) -> None:
    (page,) = freebody.alone(org(tmp_path)).documents
    told = {one.place: one.status for one in page.equations if not one.is_inline}
    assert told == {"line 4": "unsupported", "line 8": "contradicts"}


@needs_pandoc
def test_a_page_of_a_word_processor_is_read_as_it_is_converted(tmp_path: Path) -> None:
    program = converted._program(tmp_path / "cart.docx")
    path = tmp_path / "cart.docx"
    display = ORG.replace(r"\begin{equation}", r"\[").replace(r"\end{equation}", r"\]")
    subprocess.run(  # noqa: S603 - pandoc
        [program, "-f", "org", "-o", path], input=display.encode(), check=True
    )
    (page,) = freebody.alone(path).documents
    told = {one.place: one.status for one in page.equations if not one.is_inline}
    assert sorted(told.values()) == ["contradicts", "unsupported"]
    assert all(place.startswith("as converted, line") for place in told)


def refused(path: Path) -> str:
    found = CliRunner().invoke(main, ["check", str(path)])
    assert found.exit_code == 2
    return found.output


def test_it_is_told_that_pandoc_is_missing(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(converted.shutil, "which", lambda _: None)
    monkeypatch.setattr(converted, "find_spec", lambda _: None)
    told = refused(org(tmp_path))
    assert "read by pandoc, which is not installed" in told
    assert "freebody[pandoc]" in told


@needs_pandoc
def test_it_is_told_what_pandoc_cannot_read(tmp_path: Path) -> None:
    path = tmp_path / "cart.docx"
    path.write_bytes(b"PK\x03\x04\x14\0\6\0")
    assert "pandoc cannot read it" in refused(path)


@needs_pandoc
def test_pandoc_opens_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "other.org").write_text(r"\[ a = b \]", encoding="utf-8")
    path = tmp_path / "page.org"
    path.write_text(f'#+INCLUDE: "other.org"\n\n{ORG}', encoding="utf-8")
    (page,) = freebody.alone(path).documents
    assert not any(one.latex == "a = b" for one in page.equations)


@needs_pandoc
def test_the_time_of_pandoc_ends(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(converted, "SECONDS", 1e-6)
    assert "pandoc takes more than" in refused(org(tmp_path))


@pytest.mark.exhaustive
@needs_pandoc
def test_such_a_page_becomes_a_document_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "pendulum.org"
    path.write_text(r"\[ m l^2 \ddot\theta + m g l \sin\theta = 0 \]" + "\n", encoding="utf-8")
    made = freebody.adopt(path)
    assert made.path is not None
    assert "page = 'pendulum.org'" in made.path.read_text(encoding="utf-8").replace('"', "'")
    report = freebody.check(made.path)
    assert report.agrees


@needs_pandoc
def test_formulas_that_are_mathml_alone_are_read(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(
        '<p>Newton:</p><math display="block"><mrow><mi>m</mi><mover accent="true"><mi>x</mi>'
        "<mo>¨</mo></mover><mo>=</mo><mo>−</mo><mi>k</mi><mi>x</mi></mrow></math>",
        encoding="utf-8",
    )
    (page,) = freebody.alone(path).documents
    assert len(page.equations) == 1
    assert (page.moving, {*page.constants}) == (("x",), {"k", "m"})
