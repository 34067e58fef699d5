"""Many pages looked at side by side: what is found of each, and that a survey goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import freebody
from freebody.cli import main
from freebody.files import FileError
from freebody.surveying.html import index
from freebody.surveying.survey import counted

PAGES = {
    "swing.md": r"""
$$ \mu r\ddot\phi = -\mu g\sin\phi \tag{1} $$
$$ \ddot\phi = -g r\sin\phi \tag{2} $$
""",
    "words.md": "Nothing to read.",
    "below/broken.ipynb": "{",
    ".hidden/page.md": "$$ a = b $$",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("notes")
    for name, text in PAGES.items():
        (made / name).parent.mkdir(exist_ok=True)
        (made / name).write_text(text)
    return made


@pytest.fixture(scope="module")
def found(folder: Path) -> freebody.Survey:
    return freebody.survey(folder, folder.parent / "survey", jobs=1)


def test_each_page_is_held_against_itself_and_the_model_that_it_is_about(
    found: freebody.Survey,
) -> None:
    by_name = {one.page: one for one in found.pages}
    assert list(by_name) == ["below/broken.ipynb", "swing.md", "words.md"]
    swing = by_name["swing.md"].facts
    assert swing["models"][0]["name"] == "pendulum"
    assert swing["against"] == {"holds": 1, "differs": 1}
    (wrong,) = swing["differences"]
    assert wrong["label"] == "(2)"
    assert by_name["words.md"].facts["equations"] == 0


def test_what_cannot_be_read_is_told_with_why(found: freebody.Survey) -> None:
    broken = found.pages[0]
    assert broken.status == "failed"
    assert "broken.ipynb" in broken.facts["failure"]


@pytest.mark.exhaustive
def test_a_survey_goes_on_where_it_stopped(folder: Path, found: freebody.Survey) -> None:
    lines = found.records.read_text().splitlines()
    assert len(lines) == len(found.pages)
    kept = [line for line in lines if "words.md" not in line]
    found.records.write_text("\n".join(kept) + '\n{"page": "wor')
    again = freebody.survey(folder, found.records.parent, jobs=1)
    assert (again.known, again.counts()) == (2, found.counts())
    last: dict[str, Any] = json.loads(again.records.read_text().splitlines()[-1])
    assert last["page"] == "words.md"


@pytest.mark.exhaustive
def test_a_page_that_takes_too_long_is_ended_and_tried_again_with_more_time(
    folder: Path, tmp_path: Path
) -> None:
    listed = tmp_path / "pages.txt"
    listed.write_text(f"# one page\n{folder / 'words.md'}\n")
    found = freebody.survey(listed, tmp_path / "survey", limit=0.001)
    assert [one.status for one in found.pages] == ["too slow"]
    record = json.loads(found.records.read_text())
    assert record["limit"] == 0.001
    listed.write_text("nowhere.md\n")
    with pytest.raises(FileError, match=r"nowhere\.md.*is listed in"):
        freebody.survey(listed, tmp_path / "survey")


def test_the_index_shows_what_was_found_and_runs_nothing() -> None:
    record = {
        "page": "<script>.md", "status": "done", "seconds": 1.0, "equations": 2, "read": 1,
        "alone": {"contradicts": 1}, "models": [],
        "no_model": "no known model",
        "contradictions": [
            {"label": "(2)", "place": "line 3", "with": ["(1)"], "wrong": "(1)", "reason": "",
             "latex": "a<b", "repairs": ["a"]}
        ],
    }  # fmt: skip
    text = index("notes", [record], counted([record]))
    assert "(2) contradicts (1), against (1)" in text
    assert "&lt;script&gt;.md" in text
    assert "<script" not in text


def test_the_command_line_tells_the_counts(folder: Path, found: freebody.Survey) -> None:
    arguments = ["survey", str(folder), "-o", str(found.records.parent), "--json"]
    run = CliRunner().invoke(main, arguments)
    assert run.exit_code == 0
    assert json.loads(run.stdout) == found.counts()


@pytest.mark.parametrize("given", [{"output": "\0"}, {"models": "\0"}, {"models": "/dev/null/no"}])
def test_folders_that_cannot_be_are_told(tmp_path: Path, given: dict[str, str]) -> None:
    (tmp_path / "page.md").write_text("$$ x = y $$\n", encoding="utf-8")
    with pytest.raises(FileError):
        freebody.survey(tmp_path, **{"output": str(tmp_path / "out"), **given})


@pytest.mark.exhaustive
@pytest.mark.skipif(sys.platform == "win32", reason="signals to a group of processes are POSIX")
def test_a_survey_that_a_person_interrupts_goes_on(tmp_path: Path) -> None:
    notes, out = tmp_path / "notes", tmp_path / "out"
    notes.mkdir()
    (notes / "a.md").write_text(PAGES["words.md"])
    for n in range(3):
        (notes / f"b{n}.md").write_text(PAGES["swing.md"])
    command = [sys.executable, "-m", "freebody", "survey", str(notes), "-o", str(out), "--jobs=1"]
    run = subprocess.Popen(  # noqa: S603 - of this interpreter
        command, stderr=subprocess.PIPE, start_new_session=True, text=True
    )
    records, until = out / "pages.jsonl", time.monotonic() + 60
    while not records.exists() and run.poll() is None and time.monotonic() < until:
        time.sleep(0.05)
    os.killpg(run.pid, signal.SIGINT)  # as a terminal does
    _, told = run.communicate(timeout=30)
    assert run.returncode == 130
    assert f"is in {out}; the same command goes on" in " ".join(told.split())
    kept = records.read_text().splitlines()
    assert 0 < len(kept) < 4
    assert "a.md" in (out / "index.html").read_text()
    again = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    assert f"{len(kept)} of the pages had been looked at before" in again.stdout
    assert records.read_text().splitlines()[: len(kept)] == kept
