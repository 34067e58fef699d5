"""What is kept on disk: found again, told when it is damaged, and whole for everybody."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody
import freebody.model
from freebody.backends import CacheWarning, cache, compiler
from freebody.backends.compile import Functions
from freebody.errors import CodeError, ModelWarning
from freebody.graph.code import Code, Variable

MODEL, Q = "double_pendulum", np.array([0.1, 0.2])
KEPT = ("numpy", "c", "heyoka")
"""The backends that compile nothing, or keep what they compiled."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: Any) -> Path:
    place = tmp_path / "cache"
    monkeypatch.setenv(cache.VARIABLE, str(place))
    return place


def refuse(*_: Any) -> None:
    raise AssertionError("expected nothing to be derived or compiled")


@pytest.mark.parametrize("backend", KEPT)
def test_a_second_run_derives_and_compiles_nothing(backend: str, monkeypatch: Any) -> None:
    if backend == "heyoka":
        pytest.importorskip("heyoka")
    first = freebody.compile(MODEL, backend).mass_matrix(Q)
    monkeypatch.setattr(Functions, "_written", refuse)
    monkeypatch.setattr(compiler, "shared_library", refuse)
    if backend == "heyoka":
        monkeypatch.setattr(sys.modules["freebody.backends.heyoka"], "_compiled", refuse)
    np.testing.assert_array_equal(freebody.compile(MODEL, backend).mass_matrix(Q), first)
    with pytest.raises(AssertionError, match="expected nothing to be derived"):
        freebody.compile(MODEL, backend).kinetic_energy(Q, Q)


def test_a_second_run_needs_no_sympy() -> None:
    first = freebody.compile(MODEL).mass_matrix(Q)
    script = (
        "import sys, freebody\n"
        f"f = freebody.compile('{MODEL}')\n"
        f"f.mass_matrix({Q.tolist()}, constants={{name: 2.0 for name in list(f.constants)[:3]}})\n"
        f"print(f, f.coordinates, f.M({Q.tolist()}).tolist())\n"
        "sys.exit(', '.join({'sympy', 'pydantic', 'scipy'} & set(sys.modules)) or 0)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)  # noqa: S603 - its own
    assert run.returncode == 0, run.stderr
    assert run.stdout.endswith(f"{first.tolist()}\n")


def test_a_second_run_tells_what_the_first_told(tmp_path: Path) -> None:
    file = tmp_path / "pendulum.toml"
    file.write_text(
        freebody.model.dumps("pendulum") + "\n[constants.spare]\ntitle = 'none'\nunit = 'm'\n"
    )
    for _ in range(2):
        with pytest.warns(ModelWarning, match="pendulum.toml: constants.spare: is not used"):
            functions = freebody.compile(file)
    assert functions.model.source == file  # and tells it once


def test_functions_stay_those_of_the_file_that_was_compiled(tmp_path: Path) -> None:
    file = tmp_path / "arm.toml"
    text = freebody.model.dumps(MODEL)
    for _ in range(2):
        file.write_text(text)
        functions = freebody.compile(file)
        file.write_text(freebody.model.dumps("pendulum"))
        assert functions.mass_matrix(Q).shape == (2, 2)
        assert functions.coordinates == tuple(functions.model.coordinates)
        assert freebody.compile(file).coordinates == ("theta",)


def test_another_model_is_another_entry(home: Path) -> None:
    model = freebody.load(MODEL)
    freebody.compile(model).mass_matrix(Q)
    before = set(home.iterdir())
    bodies = (model.bodies[0].model_copy(update={"mass": "2*m1"}), *model.bodies[1:])
    other = freebody.compile(model.model_copy(update={"bodies": bodies})).mass_matrix(Q)
    assert set(home.iterdir()) > before
    assert abs(other - freebody.compile(model).mass_matrix(Q)).max() > 1e-3


@pytest.mark.each_once
@pytest.mark.parametrize("backend", KEPT)
@pytest.mark.parametrize(
    "damage", [lambda data: data[:-9], lambda data: data[:-1] + b"\xff", lambda _: b""]
)
def test_damaged_entries_are_told_and_made_again(backend: str, damage: Any, home: Path) -> None:
    if backend == "heyoka":
        pytest.importorskip("heyoka")
    expected = freebody.compile(MODEL, backend).mass_matrix(Q)
    entries = {path: path.read_bytes() for path in home.iterdir()}
    for path, data in entries.items():
        path.write_bytes(damage(data))
    with pytest.warns(CacheWarning, match="damaged: it is made again"):
        found = freebody.compile(MODEL, backend).mass_matrix(Q)
    np.testing.assert_array_equal(found, expected)
    assert all(cache.lookup(path.name) is not None for path in entries)


def test_a_folder_that_others_may_write_to_is_not_used(home: Path) -> None:
    home.mkdir()
    home.chmod(0o777)
    with pytest.warns(CacheWarning, match="others may write"):
        freebody.compile(MODEL).mass_matrix(Q)
    assert not list(home.iterdir())


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "file" / "cache"))
    with pytest.warns(CacheWarning, match="cannot be made"):
        assert freebody.compile(MODEL).mass_matrix(Q).shape == (2, 2)


def test_the_folder_is_its_owners_alone(home: Path) -> None:
    freebody.compile(MODEL).mass_matrix(Q)
    assert home.stat().st_mode & 0o077 == 0


@pytest.mark.exhaustive
def test_runs_at_the_same_time_find_whole_entries(home: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        found = pool.map(_many_times, [str(home)] * 2)
    assert found == [True] * 2
    assert [path.name for path in home.iterdir()] == [cache.key("entry")]


def _many_times(home: str) -> bool:
    """Write and read one entry again and again."""
    os.environ[cache.VARIABLE] = home
    entry = bytes(range(256)) * 4000
    for _ in range(40):
        cache.store(cache.key("entry"), entry)
        if cache.lookup(cache.key("entry")) != entry:
            return False
    return True


def test_code_is_read_as_it_was_written() -> None:
    code = freebody.compile("walker").accelerations.code
    assert Code.loads(code.dumps()) == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '["f","",{},[],[["exec","1"]],[0]]',
        '["f","",{},[],[["number","one"]],[0]]',
        '["f","",{},[],[["number","1/0"]],[0]]',
        '["f","",{},[],[["neg",0]],[0]]',
        '["f","",{},[],[["number",1.0]],[0]]',
        '["f","",{},[],[["number","1"]],[1]]',
        '["f","",{},[],[["number","1"],["neg","0"]],[1]]',
    ],
)
def test_other_text_is_no_code(text: str) -> None:
    with pytest.raises(CodeError):
        Code.loads(text)


def test_what_is_hoisted_depends_on_constants_alone() -> None:
    code = freebody.compile("walker").accelerations.code
    before, after = code.hoisted()
    assert list(before.arguments) == ["constants"]
    assert list(after.arguments) == ["t", "q", "u", "inputs", "parameters"]
    assert before.operations > 0
    assert before.operations + after.operations == code.operations
    assert Variable(code.arguments["constants"][0].name) in after.arguments["parameters"]
