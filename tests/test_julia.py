"""Julia that is written: parsed, read back, worked out by numbers, and run where Julia is there."""

from __future__ import annotations

import math
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tree_sitter
import tree_sitter_julia

import freebody
from freebody.backends import julia
from freebody.backends.generate import generate
from freebody.graph.code import Code, Variable
from freebody.model import gallery, loads, shipped
from test_backends import BLOCK, FUNCTIONS, arguments
from test_generated_names import CHUNKS, Q, U, model, numbers
from test_tables import CAM
from written_julia import worked_out

OUTPUTS = ("accelerations", "mass_matrix", "kinetic_energy")
SCRIPT = """
include("code.jl")
using Test
q, u, inputs, constants = GIVEN
p = (inputs = (x, t) -> inputs, constants = constants)
@test code_ode!(zeros(6), [q; u], p, 0.5) == code(0.5, q, u, inputs, constants)
@test eltype(code(0, big.(q), u, inputs, constants)) == BigFloat
print(join(code(0.5, q, u, inputs, constants), " "))
"""
X = Variable("x")
NUMBERS = [("number", Fraction(one)) for one in ("1/2", "2", "3/10")]
CASES = [  # of x - 1/2, at which half of the functions have no value
    *NUMBERS,
    ("sub", 0, 1),
    *(("sqrt", 4), ("log", 4), ("pow", 4, 3), ("neg", 4), ("sqrt", 8), ("log", 8), ("pow", 8, 3)),
    *(("add", 0, 2), ("asin", 12), ("acos", 12), ("asin", 4), ("acos", 4)),
    *(("add", 5, 6), ("add", 17, 7), ("add", 18, 15), ("add", 19, 16)),
    *(("add", 9, 10), ("add", 21, 11), ("mul", 22, 15), ("add", 23, 16)),
    *(("add", 13, 14), ("gt", 0, 1), ("lt", 0, 2), ("select", 26, 20, 24), ("select", 27, 28, 25)),
]


def holds_no_error(text: str) -> None:
    """See that a grammar of Julia reads a text without a mistake."""
    tree = tree_sitter.Parser(tree_sitter.Language(tree_sitter_julia.language())).parse(
        text.encode()
    )
    assert not tree.root_node.has_error


def in_numbers(name: Any, output: str) -> None:
    """Hold what is written, worked out by numbers, against what numpy computes."""
    (text,) = generate(name, "julia", output).values()
    holds_no_error(text)
    f = freebody.compile(name)
    given, shape = arguments(f, output), f[output].shape
    expected = f[output](**given)
    if "constants" in f[output].code.arguments:
        given["constants"] = np.array([f.constants.get(one, np.nan) for one in f.model.constants])
    out = np.full(shape, np.nan) if shape else None
    order = [given[one] for one in f[output].code.arguments]
    found = worked_out(text, output.replace("/", "_"), order, out)
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-11)


@pytest.mark.few("four_bar", "pendulum")
@pytest.mark.parametrize("name", [*shipped(), *gallery()])
def test_what_is_written_computes_what_numpy_computes(name: str) -> None:
    for output in OUTPUTS:
        in_numbers(name, output)


@pytest.mark.parametrize("at", [0.3, 0.45, 0.55])
def test_every_function_of_a_model(at: float) -> None:
    terms = [f"N*{name}(x/l)" for name in FUNCTIONS.split()]
    terms += ["N*Max(x/l, 0.5)", "N*Min(x/l, 0.5, 0.6)", "N*atan2(x, l)", "N*(x/l)**0.3"]
    block = loads(BLOCK.replace("FORCE", " + ".join(terms)))
    (text,) = generate(block, "julia", "accelerations").values()
    holds_no_error(text)
    given = [0.0, [at], [0.1], [0.2]]
    order = [0.0, *map(np.array, given[1:]), np.array([2, 1, 1])]
    found = worked_out(text, "accelerations", order, np.zeros(1))
    np.testing.assert_allclose(found, freebody.compile(block).accelerations(*given), rtol=1e-12)


@pytest.mark.parametrize("at", [0.3, 0.4, 0.7])
def test_cases_whose_other_values_are_no_numbers(at: float) -> None:
    code = Code("f", "Cases", {"q": (X,)}, (), tuple(CASES), (29,))
    text = julia.source(code, "f")[".jl"]
    holds_no_error(text)
    x = at - 0.5
    expected = (
        math.sqrt(x) + math.log(x) + x**0.3 + math.asin(x) + math.acos(x)
        if x > 0
        else (math.sqrt(-x) + math.log(-x) + (-x) ** 0.3) * math.asin(x) + math.acos(x)
    )
    assert math.isclose(worked_out(text, "f", [np.array([at])]), expected, rel_tol=1e-14)
    out = np.empty(1)
    if shutil.which("julia"):
        julia.compiled(code).bind(np.array([at]), out)()
        assert math.isclose(out[0], expected, rel_tol=1e-14)


def test_tables_are_chosen_between_and_derivatives_have_their_shape() -> None:
    cam = loads(CAM)
    for output in ("accelerations", "accelerations/q", "mass_matrix/q"):
        in_numbers(cam, output)


def test_what_stands_above_a_function_tells_what_it_takes() -> None:
    (text,) = generate("two_link", "julia", "rhs").values()
    assert text.startswith(
        '"""\n    rhs!(out, t, q, u, inputs, constants)\n    rhs(t, q, u, inputs'
    )
    assert "    2. `alpha2` (rad): elbow angle\n" in text
    assert "return rhs!(dx, t, view(x, 1:2), view(x, 3:4), p.inputs(x, t), p.constants)" in text


@pytest.mark.parametrize("chunk", range(len(CHUNKS)))
def test_names_that_mean_something_in_julia_are_changed(chunk: int) -> None:
    (text,) = generate(model(chunk), "julia", "rhs").values()
    holds_no_error(text)
    given = [0.0, Q, U, np.array([7.0]), numbers(chunk)]
    expected = freebody.compile(model(chunk)).rhs(*given[:4])
    np.testing.assert_allclose(worked_out(text, "rhs", given, np.zeros(2)), expected, rtol=1e-12)


def test_titles_do_not_end_what_they_stand_in() -> None:
    text = BLOCK.replace(" + FORCE", "").replace("Block on a rail", '$(x) \\"\\"\\" \\\\')
    (text,) = generate(loads(text), "julia", "mass_matrix").values()
    assert text.count('"""') == 2
    assert "\\$(x)" in text
    holds_no_error(text)


def test_julia_runs_it(tmp_path: Path) -> None:
    program = shutil.which("julia")
    if program is None:
        pytest.skip("julia is not installed")
    f = freebody.compile("three_link_arm")
    generate("three_link_arm", "julia", "rhs", tmp_path / "code.jl")
    given = [[0.3, -0.2, 0.5], [1.0, -2.0, 0.5], [0.1] * len(f.inputs), list(f.constants.values())]
    script = SCRIPT.replace("GIVEN", ", ".join(map(repr, given)))
    command = [program, "--startup-file=no", "-e", script]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)  # noqa: S603
    found = np.array(ran.stdout.split(), dtype=float)
    np.testing.assert_allclose(found, f.rhs(0.5, *given[:3]), rtol=1e-12)
