"""Files of other kinds than are meant, and files that would be written over."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import freebody
from freebody.cli import main
from freebody.files import (
    FileError,
    atomic_write,
    expect_writable,
    peeking,
    protecting_inputs,
    read_text,
)
from freebody.model import save, shipped


def run(*arguments: Any) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


# ---------------------------------------------------------------------- other kinds of files

PAGE = "# Notes\n\n$$ a = b $$\n"
BYTES = {
    "pdf": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3",
    "png": b"\x89PNG\r\n\x1a\n\0\0",
    "jpg": b"\xff\xd8\xff\xe0\0\x10JFIF",
    "docx": b"PK\x03\x04\x14\0\6\0",
}
INSTEAD = {
    "pdf": "LaTeX that it was made of",
    "png": "pictures and scans",
    "jpg": "pictures and scans",
    "docx": "pandoc",
    "odt": "pandoc",
    "org": "pandoc",
    "adoc": "pandoc",
    "py": "--against MODEL' checks what it works out",
    "m": "--against MODEL' checks what it works out",
    "f90": "nothing is read or run",
    "xml": "freebody import",
    "urdf": "freebody import",
    "osim": "freebody import",
    "json": "freebody new",
    "csv": "freebody motion",
    "TEX": "in small letters",
}

NOT_CODE = {"py": "no Python", "m": "no MATLAB"}


def written(folder: Path, ending: str) -> Path:
    path = folder / f"page.{ending}"
    path.write_bytes(BYTES.get(ending.lower(), PAGE.encode()))
    return path


COMMANDS = (
    ("check", "FILE"),
    ("check", "FILE", "--against", "pendulum"),
    ("adopt", "FILE", "--model", "pendulum"),
    ("derive", "FILE"),
    ("simulate", "FILE"),
)
CONVERTED = ("org", "adoc")
"""Of which pages are made by pandoc, and no models."""


@pytest.mark.parametrize(
    ("ending", "command"),
    [
        pytest.param(ending, command, id=f"{' '.join(command)}-{ending}")
        for command in COMMANDS
        for ending in INSTEAD
        if ending not in CONVERTED or command[0] in ("derive", "simulate")
    ],
)
def test_a_file_of_another_kind_is_told_with_what_to_do_instead(
    tmp_path: Path, ending: str, command: tuple[str, ...]
) -> None:
    path = written(tmp_path, ending)
    found = run(*(path if one == "FILE" else one for one in command))
    assert found.exit_code == 2
    expected = INSTEAD[ending]
    if command[0] == "check" and ending in NOT_CODE:
        expected = NOT_CODE[ending] if "--against" in command else "it names no model"
    if command[0] in ("derive", "simulate") and ending == "TEX":
        expected = "a page of equations, not a model"
    assert expected in found.output
    assert "TOML:" not in found.output.replace("expected TOML:", "")


@pytest.mark.parametrize("ending", BYTES)
@pytest.mark.parametrize("name", ["page.md", "page.tex", "model.toml", "page.ipynb"])
def test_a_renamed_file_is_known_by_its_first_bytes(tmp_path: Path, ending: str, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(BYTES[ending])
    found = run("check", path)
    assert found.exit_code == 2
    assert "UTF-8" not in found.output
    assert any(kind in found.output for kind in ("a PDF", "a picture", "an archive"))


@pytest.mark.parametrize("ending", ["md", "tex", "ipynb"])
def test_a_page_is_no_model(tmp_path: Path, ending: str) -> None:
    found = run("derive", written(tmp_path, ending))
    assert found.exit_code == 2
    assert "freebody check" in found.output


def test_a_model_is_no_page(tmp_path: Path) -> None:
    path = tmp_path / "model.toml"
    shutil.copy(shipped()["pendulum"] / "model.toml", path)
    assert "a model, not a page" in run("adopt", path, "--model", "pendulum").output


# ---------------------------------------------------------------------- files that are read


def motion(path: Path) -> Path:
    rows = "\n".join(f"{number / 100},{0.1 + (number / 100) ** 2}" for number in range(40))
    path.write_text(f"time,theta\n{rows}\n")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "swing"
    place.mkdir()
    shutil.copy(shipped()["pendulum"] / "model.toml", place)
    front = "+++\ntitle = 'x'\nmodel = 'model'\n[symbols]\nm = 'm'\n+++\n"
    (place / "page.md").write_text(f"{front}$$ m = m $$\n")
    (place / "bare.md").write_text("$$ m = m $$\n")
    motion(place / "motion.csv")
    (place / "torque.csv").write_text("time,T\n0,0\n1,1\n")
    (place / "link.md").symlink_to(place / "page.md")
    return place


COMMANDS = {
    "check a page": ("check page.md -o page.md", "page.md"),
    "check by a link": ("check page.md -o link.md", "page.md"),
    "check another path": ("check page.md -o ../swing/page.md", "page.md"),
    "check against a document": ("check bare.md --against page.md -o page.md", "page.md"),
    "check a model": ("check model.toml -o model.toml", "model.toml"),
    "check the model of a page": ("check page.md -o model.toml", "model.toml"),
    "grade a page": ("check bare.md --against model.toml -o bare.md", "bare.md"),
    "motion": ("motion motion.csv -o motion.csv", "motion.csv"),
    "filtered": ("motion motion.csv --filter -o motion.csv", "motion.csv"),
    "inverse": ("inverse model.toml motion.csv -o motion.csv", "motion.csv"),
    "simulate": (
        "simulate model.toml --inputs torque.csv --duration 0.1 -o torque.csv", "torque.csv"
    ),
    "start": ("simulate model.toml --start motion.csv --duration 0.1 -o motion.csv", "motion.csv"),
    "adopt": ("adopt bare.md --model model.toml -o bare.md --force", "bare.md"),
}  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_writes_over_what_it_reads(
    folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    command, source = COMMANDS[name]
    before = Path(source).read_bytes()
    found = run(*command.split())
    assert found.exit_code in (1, 2)
    assert source in found.output or "link.md" in found.output
    assert Path(source).read_bytes() == before
    assert not list(folder.glob(".*"))


def test_what_is_not_read_is_written_over(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    for _ in range(2):
        assert run("check", "page.md", "-o", "report.txt").exit_code == 0
        assert run("motion", "motion.csv", "-o", "filtered.csv").exit_code == 0
    Path("page.tex").write_text("$$ m = m $$\n")
    for _ in range(2):
        report = ("check", "page.tex", "--against", "page.md", "-o", "report.md")
        assert run(*report, "--format", "markdown").exit_code == 0


def test_python_may_write_over_what_it_has_read(folder: Path) -> None:
    path = folder / "model.toml"
    save(freebody.load(path), path)
    assert freebody.load(path) == freebody.load("pendulum")


def test_inputs_are_kept_whichever_comes_first(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("a")
    with protecting_inputs():
        read_text(path)
        with pytest.raises(FileError, match="would be written over"):
            expect_writable(path)
    with protecting_inputs():
        expect_writable(path)
        with pytest.raises(FileError, match="would be written over"):
            read_text(path)
        with pytest.raises(FileError, match="would be written over"), atomic_write(path):
            pass
    with protecting_inputs():
        with peeking():
            read_text(path)
        with atomic_write(path) as temporary:
            temporary.write_text("b")
    assert path.read_text() == "b"
