"""One contract for all backends: what they compute is what numpy computes."""

from __future__ import annotations

import contextlib
import gc
import importlib.util
import shutil
import sys
from typing import Any

import numpy as np
import pytest

import freebody
from conftest import SPREAD
from freebody.backends import (
    BACKENDS,
    BackendError,
    Functions,
    SpeedWarning,
    compiler,
    registry,
)
from freebody.errors import ArgumentError
from freebody.model import loads, shipped

RUN = {"octave": "octave-cli", "julia": "julia"}
"""What is run by a program, and which."""
COMPILED = [name for name in BACKENDS if name not in ("numpy", *RUN)]
OUTPUTS = ("accelerations", "mass_matrix", "kinetic_energy")
BLOCK = """
title = "Block on a rail"
[coordinates]
x = { title = "where it is", unit = "m" }
[inputs]
F = { title = "push", unit = "N" }
[constants]
m = { title = "mass", unit = "kg", value = 2 }
l = { title = "length", unit = "m", value = 1 }
N = { title = "force", unit = "N", value = 1 }
[[bodies]]
name = "block"
mass = "m"
[[joints]]
name = "rail"
type = "slider"
parent = "ground"
child = "block"
displacement = "x"
force = "F + N*x/l + FORCE"
"""
FUNCTIONS = "sin tan asin acos atan sinh cosh tanh exp log sqrt Abs sign cos"


def needs(name: str) -> None:
    """Skip a test whose tool is not there."""
    package = registry.PACKAGES[name]
    if package and importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    if name in RUN and shutil.which(RUN[name]) is None:
        pytest.skip(f"{RUN[name]} is not installed")
    if name == "c" and not any(map(shutil.which, ("cc", "gcc", "clang"))):
        pytest.skip("no C compiler is installed")


def arguments(f: Functions, output: str, states: tuple[int, ...] = ()) -> dict[str, Any]:
    """Return random arguments of an output."""
    random = np.random.default_rng(1)
    groups = f[output].code.arguments
    return {
        name: random.uniform(0.2, 0.8, states if name == "t" else (*states, len(group)))
        for name, group in groups.items()
        if name != "constants"
    }


def agree(found: Any, expected: Any) -> None:
    scale = np.max(np.abs(expected), initial=1.0)
    np.testing.assert_allclose(np.asarray(found), expected, rtol=0, atol=1e-11 * scale)


def not_compiled(backend: str) -> Any:
    """Have JAX run operation by operation, where compiling would take longest.

    Compiled functions of JAX are tested with one model, of all its outputs.
    """
    if backend != "jax":
        return contextlib.nullcontext()
    import jax

    return jax.disable_jit()


@pytest.mark.exhaustive("jax-rolling_disc")
@pytest.mark.few(*SPREAD)
@pytest.mark.each_once
@pytest.mark.parametrize("model", shipped())
@pytest.mark.parametrize("backend", COMPILED)
def test_backend_agrees_with_numpy_on_every_shipped_model(backend: str, model: str) -> None:
    needs(backend)
    f, expected = (freebody.compile(model, name) for name in (backend, "numpy"))
    given = arguments(f, "accelerations", (3,))
    with not_compiled(backend):
        agree(f.accelerations(**given), expected.accelerations(**given))


@pytest.mark.few(*SPREAD)
@pytest.mark.parametrize("model", shipped())
@pytest.mark.parametrize("backend", RUN)
def test_what_runs_a_program_agrees_with_numpy_on_every_shipped_model(
    backend: str, model: str
) -> None:
    needs(backend)
    f, expected = (freebody.compile(model, name) for name in (backend, "numpy"))
    given = arguments(f, "accelerations", (3,))
    agree(f.accelerations(**given), expected.accelerations(**given))


@pytest.mark.one_in(3)
@pytest.mark.each_once
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("output", OUTPUTS)
def test_one_state_many_states_and_bound_calls_agree(backend: str, output: str) -> None:
    needs(backend)
    f, expected = (freebody.compile("double_pendulum", name) for name in (backend, "numpy"))
    many = arguments(f, output, (2, 3))
    one = {name: array[1, 2] for name, array in many.items()}
    values = expected[output](**many)
    assert values.shape == (2, 3, *f[output].shape)
    agree(f[output](**many), values)
    agree(f[output](**one), values[1, 2])
    out = np.empty(f[output].shape)
    call = f.bind()[output]
    assert call(*one.values(), out=out) is out
    agree(out, values[1, 2])
    agree(call(*one.values()), values[1, 2])


@pytest.mark.one_in(3)
@pytest.mark.parametrize("backend", BACKENDS)
def test_every_function_of_a_model_is_known(backend: str) -> None:
    needs(backend)
    terms = [f"N*{name}(x/l)" for name in FUNCTIONS.split()]
    terms += ["N*Max(x/l, 0.5)", "N*Min(x/l, 0.5, 0.6)", "N*(x/l)**0.3", "N*atan2(x, l)"]
    model = loads(BLOCK.replace("FORCE", " + ".join(terms)))
    f, expected = (freebody.compile(model, name) for name in (backend, "numpy"))
    x = np.array([[0.3], [0.45], [0.55], [0.7]])
    found = f.accelerations(0.0, x, x, x)
    agree(found, expected.accelerations(0.0, x, x, x))
    agree(f.accelerations(0.0, x[1], x[1], x[1]), expected.accelerations(0.0, x, x, x)[1])
    assert np.ptp(np.asarray(found)) > 0.1


# ---------------------------------------------------------------------- arguments


def test_constants_of_the_model_are_used_and_others_follow_those_given() -> None:
    f = freebody.compile("three_link_arm")
    q = np.array([0.1, 0.2, 0.3])
    name, value = next(iter(f.constants.items()))
    agree(f.mass_matrix(q, constants={name: value}), f.mass_matrix(q))
    values = np.array([value, 2 * value, 3 * value])
    many = f.mass_matrix(q, constants={name: values})
    assert many.shape == (3, 3, 3)
    agree(many[1], f.mass_matrix(q, constants={name: 2 * value}))
    agree(many[1], f.bind({name: 2 * value}).mass_matrix(q))
    assert np.abs(many[1] - many[0]).max() > 1e-6


def test_a_constant_that_others_define_takes_them_along() -> None:
    text = BLOCK.replace("FORCE", "F").replace(
        'unit = "kg", value = 2', 'unit = "kg", value = "M/2"'
    )
    heavy = '[constants]\nM = { title = "mass of two", unit = "kg", value = 6 }'
    f = freebody.compile(loads(text.replace("[constants]", heavy)))
    found = f.mass_matrix([0.0], constants={"M": [4.0, 5.0]})
    assert found.tolist() == [[[2.0]], [[2.5]]]
    assert f.mass_matrix([0.0], constants={"M": 4.0, "m": 7.0}).tolist() == [[7.0]]


def test_a_constant_without_a_value_is_named() -> None:
    text = BLOCK.replace("FORCE", "F").replace(", value = 2", "")
    f = freebody.compile(loads(text))
    with pytest.raises(ArgumentError, match="constant 'm' has no value"):
        f.mass_matrix([0.0])
    assert f.mass_matrix([0.0], constants={"m": 3}).tolist() == [[3.0]]


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda f: f.mass_matrix([0.1, 0.2]), r"shape \(\.\.\., 3\), for alpha1, alpha2, alpha3"),
        (lambda f: f.mass_matrix(), "found no q"),
        (
            lambda f: f.mass_matrix([0.1] * 3, p=2),
            r"expected mass_matrix\(q, constants\), found 'p'",
        ),
        (lambda f: f.mass_matrix([0.1] * 3, {}, 3), "found 3 arguments"),
        (lambda f: f.mass_matrix("abc"), "expected q as numbers"),
        (lambda f: f.mass_matrix([0.1] * 3, {"l11": 1}), "no constant 'l11'; did you mean 'l1'"),
        (
            lambda f: f.bias(np.zeros((2, 3)), np.zeros((4, 3))),
            r"leading axes that go together, found \(2,\) of q, \(4,\) of u",
        ),
        (lambda f: f.bind().mass_matrix([0.1] * 3), "expected contiguous arrays"),
        (lambda f: f.bind().mass_matrix(np.zeros(1)), "expected contiguous arrays"),
        (
            lambda f: f.bind().mass_matrix(np.zeros(3), out=np.zeros(3)),
            r"double precision with shape \(3, 3\)",
        ),
        (lambda f: f.bind({"l1": [1, 2]}).mass_matrix(np.zeros(3)), "one value of each constant"),
    ],
)
def test_wrong_arguments_are_told(call: Any, told: str) -> None:
    with pytest.raises(ArgumentError, match=told):
        call(freebody.compile("three_link_arm"))


@pytest.mark.parametrize("backend", ["numpy", "c"])
@pytest.mark.parametrize("place", ["q", "out"])
@pytest.mark.parametrize(
    "wrong",
    [
        np.zeros(2),
        np.zeros(4),
        np.zeros((1, 3)),
        np.zeros(3, dtype=np.float32),
        np.zeros(3, dtype=">f8"),
        np.zeros(3, dtype=int),
        np.zeros((3, 1)),
        [0.0, 0.0, 0.0],
        "abc",
    ],
    ids=repr,
)
def test_bound_functions_refuse_all_but_flat_arrays(backend: str, place: str, wrong: Any) -> None:
    needs(backend)
    call, u = freebody.compile("three_link_arm", backend).bind().bias, np.ones(3)
    given = {"q": np.zeros(3), "out": np.zeros(3)} | {place: wrong}
    with pytest.raises(ArgumentError, match=r"expected (contiguous arrays|out as a contig)"):
        call(given["q"], u, out=given["out"])


@pytest.mark.parametrize("backend", ["numpy", "c"])
def test_bound_functions_refuse_what_cannot_be_written_to(backend: str) -> None:
    needs(backend)
    call, u = freebody.compile("three_link_arm", backend).bind().bias, np.ones(3)
    fixed = np.zeros(3)
    fixed.flags.writeable = False
    for out in (fixed, np.zeros(6)[::2]):
        with pytest.raises(ArgumentError, match="expected out as a contiguous array"):
            call(u, u, out=out)
    with pytest.raises(ArgumentError, match="expected contiguous arrays"):
        call(u, out=u)
    with pytest.raises(TypeError):
        call(u, u, result=u)


@pytest.mark.parametrize("backend", ["numpy", "c"])
def test_bound_functions_may_write_over_what_they_read(backend: str) -> None:
    needs(backend)
    call = freebody.compile("three_link_arm", backend).bind().bias
    q, u = np.array([0.1, 0.2, 0.3]), np.array([0.4, 0.5, 0.6])
    expected = call(q, u)
    agree(call(np.repeat(q, 2)[::2], u), expected)
    assert call(q, u, out=u) is u
    agree(u, expected)
    u[:] = 1
    assert not np.array_equal(call(q, u), expected)


def test_a_bound_function_of_c_outlives_what_made_it() -> None:
    needs("c")
    call = freebody.compile("three_link_arm", "c").bind().accelerations
    q, inputs = np.full(3, 0.5), np.ones(4)
    gc.collect()
    expected = freebody.compile("three_link_arm").accelerations(0.0, q, q, inputs)
    agree(call(np.float64(0.0), q, q, inputs), expected)
    agree(call(0, q, q, inputs), expected)


def test_missing_headers_are_told(monkeypatch: Any, tmp_path: Any) -> None:
    needs("c")
    monkeypatch.setenv("FREEBODY_CACHE", str(tmp_path))
    monkeypatch.setattr(compiler.sysconfig, "get_path", lambda _: str(tmp_path))
    compiler._module.cache_clear()
    f = freebody.compile("double_pendulum", "c")
    with pytest.warns(SpeedWarning, match=r"found no Python\.h there"):
        call = f.bind().mass_matrix
    agree(call(np.ones(2)), f.mass_matrix(np.ones(2)))
    compiler._module.cache_clear()


def test_many_more_states_than_fit_into_one_block() -> None:
    f = freebody.compile("double_pendulum")
    given = arguments(f, "mass_matrix", (5000,))
    found = f.mass_matrix(**given)
    for place in (0, 2047, 2048, 4999):
        agree(found[place], f.mass_matrix(given["q"][place]))


@pytest.mark.parametrize("backend", BACKENDS)
def test_no_states_no_constants_and_an_output_of_numbers(backend: str) -> None:
    needs(backend)
    lines = BLOCK.replace("F + N*x/l + FORCE", "F").replace('mass = "m"', "mass = 2").splitlines()
    model = loads("\n".join(line for line in lines if line[:3] not in ("m =", "l =", "N =")))
    f = freebody.compile(model, backend, "mass_matrix")
    assert np.asarray(f.mass_matrix([[0.1], [0.2]])).tolist() == [[[2.0]], [[2.0]]]
    assert np.asarray(f.mass_matrix(np.zeros(1))).tolist() == [[2.0]]
    assert f.mass_matrix(np.zeros((0, 1))).shape == (0, 1, 1)
    assert f.mass_matrix.arguments == ("q",)


def test_a_model_tells_what_its_arguments_are() -> None:
    f = freebody.compile("three_link_arm")
    assert f.coordinates == ("alpha1", "alpha2", "alpha3")
    assert f.speeds == ("alpha1_dot", "alpha2_dot", "alpha3_dot")
    assert f.accelerations.arguments == ("t", "q", "u", "inputs", "constants")
    assert f.mass_matrix.shape == (3, 3)


# ---------------------------------------------------------------------- what each does besides


def test_jax_differentiates_maps_and_compiles() -> None:
    needs("jax")
    jax = pytest.importorskip("jax")
    f, g = (freebody.compile("three_link_arm", name) for name in ("jax", "numpy"))
    q = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]])
    slope = jax.grad(lambda x: f.potential_energy(x))(q[0])
    agree(slope, g.gravity(q[0]))
    agree(jax.grad(lambda x: f.potential_energy([x, 0.2, 0.3]))(0.1), slope[0])
    agree(jax.vmap(f.gravity)(q), g.gravity(q))
    agree(jax.jit(f.gravity)(q), g.gravity(q))


def test_jax_is_told_wrong_arguments_too() -> None:
    needs("jax")
    f = freebody.compile("three_link_arm", "jax")
    for wrong, told in (([0.1], r"shape \(\.\.\., 3\)"), ("abc", "expected q as numbers")):
        with pytest.raises(ArgumentError, match=told):
            f.mass_matrix(wrong)


def test_casadi_gives_a_function_of_its_own() -> None:
    needs("casadi")
    f, g = (freebody.compile("three_link_arm", name) for name in ("casadi", "numpy"))
    native, q = f.mass_matrix.native, np.array([0.1, 0.2, 0.3])
    assert native.name_in() == ["q", "constants"]
    agree(native(q, [*f.constants.values()]).full(), g.mass_matrix(q))


def test_heyoka_gives_expressions() -> None:
    needs("heyoka")
    variables, entries = freebody.compile("three_link_arm", "heyoka").gravity.native
    assert len(entries) == 3
    assert str(variables[0]) == "alpha1_0"


def test_an_unknown_backend_is_told() -> None:
    with pytest.raises(BackendError, match="found 'numpi'; did you mean 'numpy'"):
        freebody.compile("pendulum", "numpi")


def test_a_missing_package_is_told(monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "heyoka", None)
    monkeypatch.delitem(sys.modules, "freebody.backends.heyoka", raising=False)
    with pytest.raises(BackendError, match=r'pip install "freebody\[heyoka\]"'):
        freebody.compile("pendulum", "heyoka")


def test_a_missing_compiler_is_told(monkeypatch: Any) -> None:
    compiler.command.cache_clear()
    monkeypatch.setattr(compiler.shutil, "which", lambda _: None)
    with pytest.raises(BackendError, match="needs a C compiler"):
        freebody.compile("pendulum", "c").mass_matrix([0.1])
    compiler.command.cache_clear()


def test_arithmetic_that_python_refuses_is_that_of_numpy() -> None:
    f = freebody.compile(loads(BLOCK.replace("FORCE", "N*log(x/l)")))
    none = np.zeros(1)
    assert np.isneginf(f.accelerations(0.0, none, none, none)).all()
    assert np.isinf(f.bind({"m": 0.0}).accelerations(0.0, np.ones(1), none, none)).all()
