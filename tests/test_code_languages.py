"""What each language writes is worked out as the language does, held against NumPy."""

import math
import operator

import numpy as np
import pytest

from freebody.code.interpreter import run
from freebody.code.listings import READERS
from freebody.code.values import Unknown
from freebody.graph.cells import Cell
from listings import LISTINGS

GIVEN = {"a": 0.7, "b": 1.9, "v0": 0.3, "v1": -1.1, "w0": 2.3, "w1": 0.4}
SIGNS = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv,
         "pow": operator.pow, "abs": abs, "max": max, "min": min, "neg": operator.neg,
         "sign": lambda x: math.copysign(1, x)}  # fmt: skip

BODIES = {
    "python": (
        "import numpy as np\nimport sympy as sp\nfrom math import cos, sin\n"
        "def f(a, b, v0, v1, w0, w1):\n"
        "    v, w = np.array([v0, v1]), np.array([w0, w1])\n"
        "    M = np.array([[a, b], [b, 3.0]])\n"
        "{}    return {}\n"
    ),
    "matlab": (
        "function out = f(a, b, v0, v1, w0, w1)\n"
        "v = [v0; v1]; w = [w0; w1];\nM = [a, b; b, 3.0];\n{}out = {};\nend\n"
    ),
    "julia": (
        "function f(a, b, v0, v1, w0, w1)\n"
        "v = [v0, v1]; w = [w0, w1]\nM = [a b; b 3.0]\n{}return {}\nend\n"
    ),
    "c": (
        "double f(double a, double b, double v0, double v1, double w0, double w1) {{\n"
        "double v[2] = {{v0, v1}}; double w[2] = {{w0, w1}};\n"
        "double M[2][2] = {{{{a, b}}, {{b, 3.0}}}};\n{}return {};\n}}\n"
    ),
}
V, W = np.array([0.3, -1.1]), np.array([2.3, 0.4])
M = np.array([[0.7, 1.9], [1.9, 3.0]])
A, B = 0.7, 1.9

EXPRESSIONS = {
    "python": {
        "a ** -2 + abs(-b)": A**-2 + B,
        "np.sqrt(a) + a ** 0.5 + pow(b, 3)": 2 * A**0.5 + B**3,
        "np.square(b) - np.power(a, 2)": B**2 - A**2,
        "np.tan(a) + np.arctan2(a, b)": math.tan(A) + math.atan2(A, B),
        "np.deg2rad(a) + np.degrees(b)": math.radians(A) + math.degrees(B),
        "np.sinh(a)*np.exp(-b)/np.log(b)": math.sinh(A) * math.exp(-B) / math.log(B),
        "v @ w": V @ W,
        "M.dot(v) - w": M @ V - W,
        "v.dot(M).dot(w)": V @ M @ W,
        "np.linalg.solve(M, v)": np.linalg.solve(M, V),
        "np.linalg.inv(M) @ w": np.linalg.solve(M, W),
        "np.linalg.multi_dot([v, M, w])": V @ M @ W,
        "np.linalg.det(M) + np.trace(M)": np.linalg.det(M) + np.trace(M),
        "np.linalg.norm(v)": np.linalg.norm(V),
        "np.cross(v, w)": V[0] * W[1] - V[1] * W[0],
        "np.cross([a, b, 1], [1, a, b])": np.cross([A, B, 1], [1, A, B]),
        "np.outer(v, w)[0, 1] if False else M[0, 1]": M[0, 1],
        "M.T[0]": M.T[0],
        "M[:, 1] + M[1, :]": M[:, 1] + M[1],
        "M[-1, ::-1]": M[-1, ::-1],
        "np.diag(M)": np.diag(M),
        "np.diag([a, b]) @ v": np.diag([A, B]) @ V,
        "np.eye(2) * a + np.ones((2, 2))": np.eye(2) * A + 1,
        "np.zeros(2) + v": V,
        "np.zeros_like(v) + np.ones_like(w)": np.ones(2),
        "np.vstack([v, w])": np.vstack([V, W]),
        "np.hstack([v, w])": np.hstack([V, W]),
        "np.concatenate((v, [a]))": np.array([*V, A]),
        "np.column_stack((v, w))": np.column_stack((V, W)),
        "np.stack([v, w])": np.stack([V, W]),
        "np.block([[M, M], [M, M]])[3, 0]": B,
        "np.append(v, b)": np.array([*V, B]),
        "np.r_[v, b]": np.array([*V, B]),
        "M.reshape(4)": M.reshape(4),
        "M.flatten()[1:3]": M.flatten()[1:3],
        "np.sum(v*w) + sum([a, b]) + v.sum()": V @ W + A + B + V.sum(),
        "sum(v[i]*w[i] for i in range(2))": V @ W,
        "[x + y for x, y in zip(v, w)]": V + W,
        "[i*x for i, x in enumerate(v)]": np.array([0, V[1]]),
        "np.array([M[i, j] for i in range(2) for j in range(2)])": M.reshape(4),
        "[*v, *w]": np.array([*V, *W]),
        "(lambda x: x*a)(b)": A * B,
        "{'x': a, 'y': b}['y']": B,
        "dict(x=a, y=b)['x']": A,
        "a if len(v) == 2 else b": A,
        "np.where(True, a, b)": A,
        "np.max([a, b]) if len(v) > 2 else np.maximum(a, b)": B,
        "np.transpose(M)[1, 0]": B,
        "float(a) + np.float64(b)": A + B,
        "7 // 2 + 7 % 4 + a*0": 6.0,
        "-a**2": -(A**2),
        "np.multiply(v, w) + np.add(a, b) - np.subtract(a, b)": V * W + 2 * B,
        "np.divide(a, b)": A / B,
        "np.sin(v)": np.sin(V),
        "np.pi*a": math.pi * A,
        "M[0][1] + M[(1, 0)]": 2 * B,
        "M[..., 0]": M[:, 0],
        "v[:, None] @ w[None, :]": np.outer(V, W),
        "1e2*a + .5*b + 0x10": 100 * A + 0.5 * B + 16,
        "sp.Matrix([[a, b], [b, 3]])*sp.Matrix([v0, v1])": M @ V,
        "sp.Matrix(2, 2, [a, b, b, 3]).inv()*sp.Matrix([w0, w1])": np.linalg.solve(M, W),
        "(2*np.matrix(M)*np.matrix(v).T - np.matrix([[w0], [w1]])).T": 2 * M @ V - W,
        "sp.Matrix([a, b]).T*sp.Matrix([v0, v1])": np.array([A, B]) @ V,
        "sp.Matrix([a, b])[1] + sp.Matrix([[a, b]])[0, 1]": 2 * B,
        "([a] + [b])[1] + ([b]*3)[2]": 2 * B,
        "np.sum(M, axis=0)": M.sum(axis=0),
        "np.sum(M, axis=1)": M.sum(axis=1),
        "np.concatenate((M, M), axis=1)[0]": [A, B, A, B],
        "np.stack((v, w), axis=1)": np.column_stack((V, W)),
        "np.size(M) + len(M)": 6.0,
        "np.log(b) + np.max([a, b])": math.log(B) + B,
        "{'x': a}.get('y', b)": B,
    },
    "matlab": {
        "a^-2 + abs(-b)": A**-2 + B,
        "-a^2": -(A**2),
        "2^-1*a": A / 2,
        "v'*w": V @ W,
        "v.*w": V * W,
        "v./w": V / W,
        "v.^2": V**2,
        "M*v": M @ V,
        "M\\v": np.linalg.solve(M, V),
        "v'/M": np.linalg.solve(M.T, V),
        "inv(M)*w": np.linalg.solve(M, W),
        "det(M) + trace(M)": np.linalg.det(M) + np.trace(M),
        "dot(v, w) + norm(v)": V @ W + np.linalg.norm(V),
        "M(:, 2)": M[:, 1],
        "M(end, 1)": B,
        "M(3)": B,
        "v(end:-1:1)": V[::-1],
        "[v; w]": np.array([*V, *W]),
        "[v, w]": np.column_stack((V, W)),
        "[a b\n b a]": np.array([[A, B], [B, A]]),
        "zeros(2, 1) + v": V,
        "eye(2)*v": V,
        "diag([a, b])*v": np.diag([A, B]) @ V,
        "sum(v) + numel(v) + length(w)": V.sum() + 4,
        "size(M, 1) + a": 2 + A,
        "reshape(M, 4, 1)": M.reshape(4),
        "M.'": M.T,
        "transpose(v)*w": V @ W,
        "cross([a; b; 1], [1; a; b])": np.cross([A, B, 1], [1, A, B]),
        "sind(30)*a": 0.5 * A,
        "atan2(a, b) + sqrt(b)": math.atan2(A, B) + B**0.5,
        "pi*a": math.pi * A,
        "vertcat(v, w)": np.array([*V, *W]),
        "horzcat(v, w)": np.column_stack((V, W)),
        "M(1, :)*v": M[0] @ V,
        "1.5e1*a": 15 * A,
        "sum(M)": M.sum(axis=0),
        "sum(M, 2)": M.sum(axis=1),
        "diag(M)": np.diag(M),
        "numel(M) + length(M)": 6.0,
        "struct('m', a, 'l', b).l": B,
    },
    "julia": {
        "a^-2 + abs(-b)": A**-2 + B,
        "-a^2": -(A**2),
        "2a^2 + 3b": 2 * A**2 + 3 * B,
        "2(a + b)": 2 * (A + B),
        "v' * w": V @ W,
        "dot(v, w)": V @ W,
        "v ⋅ w": V @ W,
        "v .* w": V * W,
        "v ./ w .+ a": V / W + A,
        "v .^ 2": V**2,
        "sin.(v)": np.sin(V),
        "M * v": M @ V,
        "M \\ v": np.linalg.solve(M, V),
        "inv(M) * w": np.linalg.solve(M, W),
        "M[:, 2]": M[:, 1],
        "M[end, 1]": B,
        "v[end:-1:1]": V[::-1],
        "[v; w]": np.array([*V, *W]),
        "[v w]": np.column_stack((V, W)),
        "[v -w]": np.column_stack((V, -W)),
        "[v - w 2v -a*w + v]": np.column_stack((V - W, 2 * V, V - A * W)),
        "vcat(v, w)": np.array([*V, *W]),
        "hcat(v, w)": np.column_stack((V, W)),
        "[x * a for x in v]": V * A,
        "sum(v) + length(v)": V.sum() + 2,
        "map(x -> x^2, v)": V**2,
        "a > 100 ? b : b": B,
        "√b + sqrt(a)": B**0.5 + A**0.5,
        "π * a": math.pi * A,
        "zeros(2) + v": V,
        "transpose(M) * v": M.T @ V,
        "det(M) + tr(M)": np.linalg.det(M) + np.trace(M),
        "(x = a, y = b).y": B,
        "[v..., a]": np.array([*V, A]),
        "atan(a, b)": math.atan2(A, B),
        "7 ÷ 2 + a": 3 + A,
        "M[1, :]' * v": M[0] @ V,
        "SVector(a, b)": np.array([A, B]),
        "SA[a, b]": np.array([A, B]),
        "diag(M)": np.diag(M),
        "Diagonal([a, b]) * v": np.diag([A, B]) @ V,
        "sum(M) + log(2, b)": M.sum() + math.log2(B),
        "length(M)": 4.0,
    },
    "c": {
        "pow(a, -2) + fabs(-b)": A**-2 + B,
        "a*a/b": A * A / B,
        "1/2*a + 1.0/2*b": 0.5 * B,
        "7/2 + a": 3 + A,
        "7%4 + a": 3 + A,
        "v[0]*w[0] + v[1]*w[1]": V @ W,
        "M[0][1]": B,
        "sin(a) + cosf(b)": math.sin(A) + math.cos(B),
        "atan2(a, b) + sqrt(b)": math.atan2(A, B) + B**0.5,
        "(double)3/2*a": 1.5 * A,
        "2 > 1 ? a : b": A,
        "-(-a)": A,
        "1e1*a + 2.f*b": 10 * A + 2 * B,
        "M_PI*a": math.pi * A,
    },
}
STATEMENTS = [
    ("python", "s = a\n    s *= b\n    s -= 1\n", "s", A * B - 1),
    ("python", "x, (y, z) = a, (b, 1)\n    x, y = y, x\n", "x - y*z", B - A),
    ("python", "s = 0\n    for i in range(2):\n        s += v[i]\n", "s", V.sum()),
    ("python", "s = 0\n    for x, y in zip(v, w):\n        s += x*y\n", "s", V @ W),
    (
        "python",
        "K = np.zeros((2, 2))\n    K[0, 0] = a\n    K[1, :] = w\n",
        "K @ v",
        np.array([A * V[0], W @ V]),
    ),
    (
        "python",
        "K = np.empty(2)\n    K[0], K[1] = a, b\n    K[:] += 1\n",
        "K",
        np.array([A + 1, B + 1]),
    ),
    ("python", "def g(x, y=2, *, z):\n        return x*y*z\n", "g(a, z=b)", 2 * A * B),
    ("python", "def g(*xs):\n        return sum(xs)\n", "g(a, b, 1)", A + B + 1),
    (
        "python",
        "flag = True\n    if flag and not False:\n        x = a\n    else:\n        x = b\n",
        "x",
        A,
    ),
    (
        "python",
        "n = 2\n    if n == 1:\n        x = a\n    elif n in (2, 3):\n        x = b\n",
        "x",
        B,
    ),
    ("python", "p = {'m': a}\n    p['l'] = b\n    m, l = p.values()\n", "m*l", A * B),
    (
        "python",
        "rows = []\n    for i in range(2):\n        rows.append(M[i] @ v)\n",
        "np.array(rows)",
        M @ V,
    ),
    ("python", "x: float = a\n    y = z = b\n", "x*y*z", A * B * B),
    ("python", "try:\n        x = a\n    except ValueError:\n        x = b\n", "x", A),
    ("python", "with open('x') as file:\n        x = a\n", "x", A),
    ("matlab", "s = 0;\nfor i = 1:2\n  s = s + v(i);\nend\n", "s", V.sum()),
    ("matlab", "K = zeros(2, 2); K(1, 1) = a; K(2, :) = w';\n", "K*v", np.array([A * V[0], W @ V])),
    ("matlab", "p.m = a; p.l.x = b;\n", "p.m*p.l.x", A * B),
    ("matlab", "g = @(x, y) x*y; h = @sin;\n", "g(a, b) + h(a)", A * B + math.sin(A)),
    (
        "matlab",
        "n = 2;\nif n == 1\n x = a;\nelseif n == 2 && ~false\n x = b;\nelse\n x = 0;\nend\n",
        "x",
        B,
    ),
    (
        "matlab",
        "n = 2;\nswitch n\n case 1\n  x = a;\n case {2, 3}\n  x = b;\n otherwise\n  x = 0;\nend\n",
        "x",
        B,
    ),
    ("matlab", "[x, y] = deal(a, b);\n", "x - y", A - B),
    ("matlab", "c = {a, b};\n", "c{2}", B),
    ("matlab", "x = a; % a remark\n%{\nx = b;\n%}\n", "x", A),
    ("matlab", "x = [a, ... less\n b];\n", "x*v", np.array([A, B]) @ V),
    ("julia", "s = 0\nfor i in 1:2\n  s += v[i]\nend\n", "s", V.sum()),
    ("julia", "s = 0\nfor (x, y) in zip(v, w)\n  s += x*y\nend\n", "s", V @ W),
    ("julia", "K = zeros(2, 2)\nK[1, 1] = a\nK[2, :] = w\n", "K*v", np.array([A * V[0], W @ V])),
    ("julia", "K = similar(v)\nK .= v .* a\n", "K", V * A),
    ("julia", "g(x, y=2; z=1) = x*y*z\n", "g(a, z=b)", 2 * A * B),
    (
        "julia",
        "n = 2\nif n == 1\n x = a\nelseif n == 2 && !false\n x = b\nelse\n x = 0\nend\n",
        "x",
        B,
    ),
    ("julia", "(; m, l) = (m = a, l = b)\n", "m*l", A * B),
    ("julia", "x, y = a, b\nx, y = y, x\n", "x - y", B - A),
    ("julia", "g = x -> x*a\n", "g(b)", A * B),
    ("julia", "x = let y = a\n y*b\nend\n", "x", A * B),
    ("julia", "x = begin\n y = a\n y*b\nend\n", "x", A * B),
    ("julia", "@inbounds x = a*b\n", "x", A * B),
    ("julia", "θ₁ = a; θ̇ = b\n", "θ₁*θ̇", A * B),
    ("c", "double s = 0;\nfor (int i = 0; i < 2; i++) { s += v[i]; }\n", "s", V.sum()),
    ("c", "double K[2][2];\nK[0][0] = a; K[1][0] = b;\n", "K[0][0] - K[1][0]", A - B),
    ("c", "struct { double m, l; } p;\np.m = a; p.l = b;\n", "p.m*p.l", A * B),
    (
        "c",
        "double x; int n = 2;\nif (n == 1) x = a; else if (n == 2 && !0) x = b; else x = 0;\n",
        "x",
        B,
    ),
    ("c", "const double x = a, y = b;\n", "x*y", A * B),
    ("c", "double x = a; x *= b; x -= 1;\n", "x", A * B - 1),
    ("c", "double *p = v;\n", "p[1]*a", V[1] * A),
    ("c", "int n = 2; double x;\nswitch (n) { case 1: x = a; break; default: x = b; }\n", "x", B),
    ("python", "x, rest = v[0], [a, *w]\n    rest.extend([b])\n", "rest[-1]*x", B * V[0]),
    ("python", "n = 2\n    if n in (2, 3):\n        x = a\n    else:\n        x = b\n", "x", A),
    ("julia", "p = (m = a, l = b)\n@unpack l, m = p\n", "m - l", A - B),
    (
        "c",
        "int n = 2; double x = 0;\nswitch (n) { case 1: case 2: x = a; break; default: x = b; }\n",
        "x",
        A,
    ),
    ("python", "K = M.copy()\n    K[0, 0] = 5\n", "M[0, 0]", A),
    ("python", "K = np.array(M)\n    K[0, 0] = 5\n", "M[0, 0]", A),
    ("python", "K = list(v)\n    K[0] = 5\n", "v[0]", V[0]),
    ("python", "K = [a, b]\n    L = K[:]\n    L[0] = 5\n", "K[0]", A),
    ("python", "K = M\n    K[0, 0] = 5\n", "M[0, 0]", 5.0),
    ("python", "K = v + 0\n    K += 1\n    L = K\n    L += 1\n", "K", V + 2),
    ("matlab", "K = M; K(1, 1) = 5;\n", "M(1, 1)", A),
    ("matlab", "p.m = a; q = p; q.m = b;\n", "p.m", A),
    ("matlab", "x.v = v; y = x; y.v(1) = 5;\n", "x.v(1)", V[0]),
    ("julia", "K = copy(M)\nK[1, 1] = 5\n", "M[1, 1]", A),
    ("julia", "K = M\nK[1, 1] = 5\n", "M[1, 1]", 5.0),
]


def numbers(value, table):
    """Return what a value is for the given numbers."""
    if isinstance(value, Cell):
        return number(value, table, {})
    if isinstance(value, Unknown):
        return outside(value.leaf, table)
    if hasattr(value, "items") and not isinstance(value, (list, np.ndarray)):
        return [numbers(one, table) for one in value.items.values()]
    return [
        numbers(one, table) for one in (value.tolist() if isinstance(value, np.ndarray) else value)
    ]


def outside(leaf, table):
    """Return the number that a leaf is set to, or that is given."""
    if leaf.number is not None:
        return number(leaf.number, table, {})
    assert leaf.path.startswith("f:"), leaf.reason or leaf.path
    return GIVEN[leaf.path.removeprefix("f:")]


def number(cell, table, known):
    graph = table.graph
    if cell.node not in known:
        kind, *operands = graph.nodes[cell.node]
        if kind == "number":
            known[cell.node] = math.pi if operands[0] == "pi" else float(operands[0])
        elif kind == "leaf":
            known[cell.node] = outside(table.leaves[operands[0]], table)
        else:
            inner = [number(graph.cell(place), table, known) for place in operands]
            known[cell.node] = (SIGNS.get(kind) or getattr(math, kind))(*inner)
    return cell.sign * known[cell.node]


def worked_out(language, before, expression):
    text = BODIES[language].format(
        before and ("    " * (language == "python") + before), expression
    )
    found = run(READERS[language](text, 0).read(), language)
    function = next(one for one in found.runs if one.name == "f")
    assert function.returned, found.remarks
    return np.asarray(numbers(function.returned[-1].value, found.table), dtype=float)


CASES = [
    *((language, "", *one) for language, all_ in EXPRESSIONS.items() for one in all_.items()),
    *STATEMENTS,
]


@pytest.mark.parametrize(
    ("language", "before", "expression", "expected"),
    CASES,
    ids=[f"{language}: {before}{expression}" for language, before, expression, _ in CASES],
)
def test_what_is_written_is_worked_out_as_the_language_does(language, before, expression, expected):
    found = worked_out(language, before, expression)
    np.testing.assert_allclose(found.reshape(np.shape(expected)), expected, rtol=1e-12)


def test_a_long_listing_of_a_grammar_that_looks_far_ahead_is_read():
    one = LISTINGS["rates.jl"].partition("function ")[2]
    body = READERS["julia"](f"function {one}\n" * 80, 0).read()
    assert len(body) == 80
