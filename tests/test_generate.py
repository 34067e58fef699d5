"""Generated source: compiled by the strictest compiler, and run."""

from __future__ import annotations

import ast
import ctypes
import runpy
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import freebody
from freebody.backends import BackendError
from freebody.backends.generate import TARGETS, generate
from freebody.cli import main
from freebody.model import loads

STRICT = ("-Wall", "-Wextra", "-Werror", "-std=c99", "-pedantic", "-Wmissing-prototypes")
Q, U = np.array([0.3, -0.2, 0.5]), np.array([1.0, -2.0, 0.5])


def constants(model: str = "three_link_arm") -> np.ndarray:
    return np.array(list(freebody.compile(model).constants.values()))


def library(path: Path) -> ctypes.CDLL:
    """Compile a C file with every warning an error."""
    gcc = shutil.which("gcc")
    if gcc is None:
        pytest.skip("gcc is not installed")
    built = path.with_suffix(".so")
    subprocess.run([gcc, *STRICT, "-fPIC", "-shared", "-o", built, path, "-lm"], check=True)  # noqa: S603
    return ctypes.CDLL(str(built))


def pointer(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def test_c_compiles_without_a_warning_and_computes_the_same(tmp_path: Path) -> None:
    f = freebody.compile("three_link_arm")
    path = tmp_path / "arm.c"
    assert set(generate("three_link_arm", "c", "rhs", path)) == {path, tmp_path / "arm.h"}
    inputs, out = np.linspace(1, 2, len(f.inputs)), np.empty(6)
    given = [Q, U, inputs, constants()]
    library(path).arm(ctypes.c_double(0.5), *map(pointer, given), pointer(out))
    np.testing.assert_allclose(out, f.rhs(0.5, Q, U, inputs), rtol=1e-12)


@pytest.mark.parametrize("model", ["walker", "spinning_top", "rolling_disc", "slider_crank"])
def test_c_of_other_models_compiles_without_a_warning(model: str, tmp_path: Path) -> None:
    generate(model, "c", "accelerations", tmp_path / "code.c")
    assert library(tmp_path / "code.c").code


def test_octave_runs_it(tmp_path: Path) -> None:
    octave = shutil.which("octave-cli")
    if octave is None:
        pytest.skip("octave-cli is not installed")
    generate("three_link_arm", "octave", "mass_matrix", tmp_path / "inertia.m")
    numbers = "; ".join(map(repr, constants().tolist()))
    script = f"printf('%.17g ', inertia([0.3; -0.2; 0.5], [{numbers}]))"
    ran = subprocess.run([octave, "--eval", script], cwd=tmp_path, capture_output=True, check=True)  # noqa: S603
    found = np.array(ran.stdout.split(), dtype=float).reshape(3, 3)
    np.testing.assert_allclose(found, freebody.compile("three_link_arm").mass_matrix(Q), rtol=1e-12)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("target", ["numpy", "numba", "jax"])
@pytest.mark.parametrize("output", ["mass_matrix", "gravity", "potential_energy"])
def test_python_runs_it(target: str, output: str, tmp_path: Path) -> None:
    pytest.importorskip(target)
    freebody.compile("three_link_arm", target)  # which has JAX count with 16 digits
    generate("three_link_arm", target, output, tmp_path / "code.py")
    found = runpy.run_path(str(tmp_path / "code.py"))["code"](Q, constants())
    expected = freebody.compile("three_link_arm")[output](Q)
    assert np.shape(found) == np.shape(expected)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_the_header_says_what_a_user_must_know() -> None:
    text = next(iter(generate("double_pendulum", "c", "accelerations").values()))
    assert "freebody" in text
    assert "[1] theta2 (rad): angle of the second bar" in text
    assert "[1] theta2_dot (rad/s)" in text
    assert "[4] l2 (m) = 0.5: length of the second bar; the page's listing" in text
    assert "const double l2 = constants[4];" in text


def test_names_that_a_language_keeps_to_itself_are_changed(tmp_path: Path) -> None:
    text = """
title = 'Names */ of \\"\\"\\" other \\\\ languages'
[coordinates]
q = { title = "*/ int main(void) { }", unit = "m" }
[constants]
double = { title = '\"\"\"', unit = "kg", value = 1 }
lambda = { title = "not a function", unit = "1", value = 2 }
z0 = { title = "not a result", unit = "1", value = 2 }
[[bodies]]
name = "b"
mass = "double*lambda**3*z0**3 + double*cos(lambda)*cos(z0)"
[[joints]]
name = "j"
type = "slider"
parent = "ground"
child = "b"
displacement = "q"
"""
    model = loads(text)
    generate(model, "c", "mass_matrix", tmp_path / "code.c")
    assert library(tmp_path / "code.c").code
    for target in ("numpy", "numba", "jax"):
        (written,) = generate(model, target, "mass_matrix").values()
        module = ast.parse(written)
        assert [type(part) for part in module.body][-1] is ast.FunctionDef
    expected = freebody.compile(model).mass_matrix([0.0])
    generate(model, "numpy", "mass_matrix", tmp_path / "code.py")
    values = np.array([1.0, 2.0, 2.0])
    found = runpy.run_path(str(tmp_path / "code.py"))["code"](np.zeros(1), values)
    np.testing.assert_allclose(found, expected)


def test_the_command_line_writes_and_prints(tmp_path: Path) -> None:
    path = tmp_path / "arm.c"
    arguments = ["generate", "three_link_arm", "--output", "mass_matrix"]
    ran = CliRunner().invoke(main, [*arguments, "-o", str(path)])
    assert ran.output.splitlines() == [f"wrote {path}", f"wrote {path.with_suffix('.h')}"]
    assert CliRunner().invoke(main, arguments).output.startswith("/*\n * ")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["three_link_arm", "--output", "mass_matrx"], "did you mean 'mass_matrix'"),
        (["three_link_arm", "-o", "arm.m"], "ends with '.c'"),
        (["three_link_arm", "-o", "my-arm.c"], "such as 'my_arm.c'"),
        (["three_link_arm", "-o", "no/such/folder/arm.c"], "cannot be written"),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(arguments: list[str], told: str) -> None:
    ran = CliRunner().invoke(main, ["generate", *arguments])
    assert ran.exit_code == 1
    assert told in ran.output
    assert "Traceback" not in ran.output


def test_an_unknown_target_is_told() -> None:
    with pytest.raises(BackendError, match="did you mean 'octave'"):
        generate("pendulum", "octav")


def test_the_command_line_knows_the_targets() -> None:
    told = CliRunner().invoke(main, ["generate", "--help"]).output
    assert not [target for target in TARGETS if f" {target}" not in told]


def test_the_page_tells_every_backend_and_output() -> None:
    from freebody.backends import BACKENDS
    from freebody.programs import OUTPUTS

    page = (Path(__file__).parents[1] / "docs" / "programs.md").read_text(encoding="utf-8")
    untold = [name for name in (*BACKENDS, *OUTPUTS) if f"`{name}`" not in page]
    assert not untold


def test_generated_jax_computes_in_double_precision() -> None:
    pytest.importorskip("jax")
    text = CliRunner().invoke(main, ["generate", "pendulum", "--target", "jax"]).stdout
    assert text.index('jax.config.update("jax_enable_x64", True)') < text.index("def ")
