"""Names of a model that mean something in the language of generated code."""

from __future__ import annotations

import builtins
import ctypes
import itertools
import keyword
import re
import runpy
import shutil
import subprocess
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import freebody
from freebody.algebra.expressions import RESERVED
from freebody.backends import BackendError, octave
from freebody.backends.generate import TARGETS, generate
from freebody.graph.code import OPERATIONS
from freebody.model import Model, loads

MACROS = (
    "NAN INFINITY HUGE_VAL M_PI M_SQRT1_2 FP_ZERO MATH_ERRNO DBL_MAX I complex linux unix errno "
    "isnan signbit fpclassify log2 float_t NULL EOF RHS_H EVALUATE_H y0 j1 gamma small far"
)
WORDS = (
    "typeof and or xor not bitor alignas constexpr nullptr thread_local wchar_t namespace template "
    "restrict inline register auto double int long void volatile typedef goto asm concept requires"
)
OWN = "inputs constants q u a out x count place from to one many evaluate rows whole np jnp math z0"
OCTAVE = "arguments end function endif persistent size zeros choice Inf NaN NA ans i j e"
NAMES = sorted(
    {
        *f"{MACROS} {WORDS} {OWN} {OCTAVE} code".split(),
        *(*keyword.kwlist, *keyword.softkwlist),
        *(name for name in dir(builtins) if name[0].islower()),
        *OPERATIONS,
    }
    - RESERVED
)
NAMES = [name for name in NAMES if re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name)]
BODY = """
title   = "A mass whose parts have odd names"
gravity = [0, -10, 0]

[coordinates]
lambda = {{ title = "height", unit = "m" }}

[inputs]
typeof = {{ title = "force", unit = "N" }}

[[bodies]]
name = "mass"
mass = "{sum}"

[[joints]]
name = "rail"
type = "slider"
parent = "ground"
child = "mass"
axis = [0, 1, 0]
displacement = "lambda"
force = "typeof*tanh(lambda/and)"

[constants]
and = {{ title = "length", unit = "m", value = 3 }}
"""
"""A coordinate, an input and a constant; more constants follow."""
Q, U = np.array([0.25]), np.array([0.5])


CHUNKS = [NAMES[start : start + 52] for start in range(0, len(NAMES), 52)]


@cache
def model(chunk: int) -> Model:
    names = [name for name in CHUNKS[chunk] if name not in ("lambda", "typeof", "and")]
    constants = (f'{name} = {{ title = "part", unit = "kg", value = 2 }}\n' for name in names)
    return loads(BODY.format(sum=" + ".join(names)) + "".join(constants))


@cache
def numbers(chunk: int) -> np.ndarray:
    return np.array(list(freebody.compile(model(chunk)).constants.values()))


@cache
def expected(chunk: int) -> np.ndarray:
    return freebody.compile(model(chunk)).rhs(0.0, Q, U, [7.0])


@pytest.fixture(params=range(len(CHUNKS)))
def chunk(request: pytest.FixtureRequest) -> int:
    return request.param


DIALECTS = [
    *(("gcc", "c", f"-std={dialect}") for dialect in ("gnu2x",)),
    *(("g++", "c++", f"-std={dialect}") for dialect in ("gnu++20",)),
]


@pytest.mark.few(0)
@pytest.mark.parametrize(("compiler", "language", "dialect"), DIALECTS)
def test_c_compiles_in_every_dialect(
    compiler: str, language: str, dialect: str, chunk: int, tmp_path: Path
) -> None:
    program = shutil.which(compiler)
    if program is None:
        pytest.skip(f"{compiler} is not installed")
    path = tmp_path / "code.c"
    generate(model(chunk), "c", "rhs", path)
    options = (dialect, "-fPIC", "-shared", "-x", language, "-include", "complex.h")
    built = path.with_suffix(".so")
    subprocess.run([program, *options, "-o", built, path, "-lm"], check=True)  # noqa: S603
    if language == "c":
        out = np.empty(2)
        given = [
            ctypes.c_void_p(one.ctypes.data) for one in (Q, U, np.array([7.0]), numbers(chunk))
        ]
        ctypes.CDLL(str(built)).code(ctypes.c_double(0), *given, ctypes.c_void_p(out.ctypes.data))
        np.testing.assert_allclose(out, expected(chunk), rtol=1e-12)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("target", ["numpy", "numba"])
def test_python_runs(target: str, chunk: int, tmp_path: Path) -> None:
    pytest.importorskip(target)
    generate(model(chunk), target, "rhs", tmp_path / "code.py")
    found = runpy.run_path(str(tmp_path / "code.py"))["code"](
        0.0, Q, U, np.array([7.0]), numbers(chunk)
    )
    np.testing.assert_allclose(np.asarray(found), expected(chunk), rtol=1e-6)


def test_octave_assigns_no_word_of_its_own(chunk: int) -> None:
    """Octave may be missing where this runs: what is assigned must be a name, and each once."""
    (text,) = generate(model(chunk), "octave", "rhs").values()
    assigned = re.findall(r"^ *(\w+) =", text, flags=re.MULTILINE)
    assert not {*octave.RESERVED.split(), "choice", "rhs"} - {"out"} & {*assigned}
    assert len({*assigned} - {"out"}) == len([name for name in assigned if name != "out"])


def test_octave_runs(chunk: int, tmp_path: Path) -> None:
    program = shutil.which("octave-cli")
    if program is None:
        pytest.skip("octave-cli is not installed")
    generate(model(chunk), "octave", "rhs", tmp_path / "code.m")
    column = "; ".join(map(repr, numbers(chunk).tolist()))
    script = f"printf('%.17g ', code(0, 0.25, 0.5, 7.0, [{column}]))"
    ran = subprocess.run([program, "--eval", script], cwd=tmp_path, capture_output=True, check=True)  # noqa: S603
    np.testing.assert_allclose(
        np.array(ran.stdout.split(), dtype=float), expected(chunk), rtol=1e-12
    )


@pytest.mark.parametrize(
    ("target", "name"),
    [
        *itertools.product(["c"], ["int.c", "and.c", "linux.c", "M_PI.c", "sin.c"]),
        ("octave", "end.m"),
        *itertools.product(["julia"], ["end.jl", "sin.jl"]),
        *itertools.product(["numpy", "jax"], ["lambda.py", "max.py"]),
    ],
)
def test_a_function_has_no_name_with_a_meaning(target: str, name: str, tmp_path: Path) -> None:
    assert target in TARGETS
    with pytest.raises(BackendError, match=f"'{Path(name).stem}' means something else"):
        generate("pendulum", target, "rhs", tmp_path / name)
