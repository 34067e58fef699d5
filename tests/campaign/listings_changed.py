"""Code with one token changed, which must be found; and rewritten, which must not be accused."""

from __future__ import annotations

import ast
import copy
import random
import re
import tempfile
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from sympy import Symbol

from campaign.outcome import Campaign, Outcome
from freebody import load
from freebody.algebra.fields import FieldPoint
from freebody.checking.code.points import PointValues
from freebody.checking.code.report import check_listing
from freebody.checking.quantities.derived import Quantities
from freebody.checking.report import DocumentReport
from freebody.code.interpreter import run
from freebody.code.listings import read_listing
from freebody.errors import FreebodyError
from freebody.graph.cells import Cell
from listings import CART, DOUBLE, LISTINGS

SOURCES = {"rates.py": (DOUBLE, "double_pendulum"), "cart.py": (CART, "cart_pendulum")} | {
    name: (text, "double_pendulum") for name, text in LISTINGS.items()
}
TOKEN = re.compile(r"[A-Za-zθω_]\w*[₁₂]?|\d+(?:\.\d+)?|\*\*|[-+*/]")
PAIRS = ("m1 m2", "l1 l2", "w1 w2", "th1 th2", "M1 M12", "sin cos", "+ -", "* /", "ω₁ ω₂",
         "θ₁ θ₂", "masspole masscart", "theta theta_dot", "s c")  # fmt: skip
SWAPS = {one: other for pair in PAIRS for one, other in (pair.split(), pair.split()[::-1])}
REWRITTEN = "rewritten"


@cache
def _quantities(model: str) -> Quantities:
    return Quantities(load(model))


@cache
def _original(name: str) -> list[int] | None:
    """Return what a listing computes as it is, where it holds."""
    with tempfile.TemporaryDirectory() as folder:
        text, model = SOURCES[name]
        report = _checked(Path(folder) / name, text, model)
        assert {one.status for one in report.equations} == {"holds"}, name
        return _values(Path(folder) / name, text, model)


def case(seed: int) -> Outcome:
    """Change one token of a listing, or, for one in four, rewrite it."""
    chance = random.Random(seed)
    name = chance.choice(list(SOURCES))
    text, model = SOURCES[name]
    if seed % 7 < 2:
        suffix = name.rpartition(".")[2]
        is_python = suffix == "py"
        other = rewritten(text, chance) if is_python else rewritten_text(text, suffix, chance)
        return _told_rewritten(other, name, model)
    changed = chance.choice(list(changes(text, chance)))
    return _told_changed(text, changed, name, model)


def changes(text: str, chance: random.Random) -> Iterator[str]:
    """Iterate over a listing with one token of its calculations changed."""
    for number, line in enumerate(text.splitlines()):
        if (
            not re.search(r"[-+*/].*", line.partition("=")[2])
            or "include" in line
            or " if " in line  # the values of a force, which are parameters
            or ", b[2];" in line
        ):
            continue
        start = line.index("=") + 1
        for token in TOKEN.finditer(line, start):
            other = SWAPS.get(token[0])
            if token[0].replace(".", "").isdigit():
                other = str(int(float(token[0])) + chance.choice((1, 2)))
            if other and "for " not in line:
                lines = text.splitlines()
                lines[number] = line[: token.start()] + other + line[token.end() :]
                yield "\n".join(lines) + "\n"


def _told_changed(text: str, changed: str, name: str, model: str) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        others = _values(Path(folder) / name, changed, model)
        values = _original(name)
        if values is None or others is None or values == others:
            return Outcome("means the same, or is no code")
        report = _checked(Path(folder) / name, changed, model)
        first = next((one for one in report.equations if one.repairs), None)
        statuses = {one.status for one in report.equations}
        detail = f"{name}\n{_difference(text, changed)}"
        if "differs" not in statuses:
            told = "told as not checked" if "not checked" in statuses else "missed"
            return Outcome(told, told == "missed", detail)
        if first is None:
            return Outcome("found, no repair", detail=detail)
        (edit,) = first.repairs[0].edits
        line = changed.splitlines()[first.line - 1]
        mended = changed.splitlines()
        mended[first.line - 1] = line[: edit.span[0]] + edit.proposed + line[edit.span[1] :]
        again = "\n".join(mended) + "\n"
        holds = again == text or all(
            one.status == "holds" for one in _checked(Path(folder) / name, again, model).equations
        )
        return Outcome(f"found, {'restored' if holds else 'not restored'} first", detail=detail)


def _difference(text: str, changed: str) -> str:
    pairs = zip(text.splitlines(), changed.splitlines(), strict=False)
    return "\n".join(f"{one}\n{other}" for one, other in pairs if one != other)


def _checked(path: Path, text: str, model: str) -> DocumentReport:
    path.write_text(text, encoding="utf-8")
    return check_listing(read_listing(path), _quantities(model), model)


def _values(path: Path, text: str, model: str) -> list[int] | None:
    """Return what a listing computes where all that it is given is random; None if it fails."""
    path.write_text(text, encoding="utf-8")
    try:
        body, remarks = (listing := read_listing(path)).read()
        if remarks:
            return None
        found = run(body, listing.language, 2 * len(_quantities(model).equations.speeds))
        worked = PointValues(found.table.graph, lambda path: Symbol(path, real=True), FieldPoint(7))
        cells = [one.value for each in found.runs for one in (*each.assigned, *each.returned)]
        return [worked.value(cell).value for value in cells for cell in _cells(value)]
    except (FreebodyError, ZeroDivisionError):
        return None


def _cells(value: object) -> Iterator[Cell]:
    if isinstance(value, Cell):
        yield value
    elif hasattr(value, "items") and isinstance(value.items, dict):
        yield from (cell for one in value.items.values() for cell in _cells(one))
    elif isinstance(value, Iterable) and not isinstance(value, str):
        yield from (cell for one in value for cell in _cells(one))


# ---------------------------------------------------------------------- rewritten

NAMED = r"[A-Za-zθω_]\w*[₁₂]?"
SPELT: tuple[tuple[str, str], ...] = (
    (r"cos\(delta\)", "cos(-delta)"),
    (r"cos\(delta\)", "(2*cos(delta/2)*cos(delta/2) - 1)"),
    (r"cos\(Δ\)", "(cos(θ₁)*cos(θ₂) + sin(θ₁)*sin(θ₂))"),
    (r"sin\(delta\)", "(-sin(-delta))"),
    (r"sin\(Δ\)", "2*sin(Δ/2)*cos(Δ/2)"),
    (rf"({NAMED})\^2", r"(\1*\1)"),
    (r"([lω][12₁₂])\^2", r"\1^3/\1"),
    (r"pow\((\w+), 2\)", r"\1*\1"),
    (r"(l1|l2)\*\1", r"pow(\1, 2)"),
    (r"(y\[\d\])\*\1", r"(\1*\1)"),
    (r"(?<=[)\w])/2(?!\d)", "*0.5"),
    (r"/3(?!\d)", "*4/12"),
    (r"m1\*l1(?![\w^])", "l1*m1"),
    (r"m2\*l1\*l2(?![\w^])", "(l2*m2)*l1"),
    (r"\(m1/2 \+ m2\)", "(m2 + 0.5*m1)"),
    (r"\(m1/2 \+ m2\)\*(g|G)\*l1", r"((m1 + 2*m2)*\1*l1/2)"),
    (r"\+ M1 - M12", "- (M12 - M1)"),
    (r"(?<![\w(])-m2\*l1", "-1*m2*l1"),
    (r"M \\ b", "inv(M)*b"),
)
"""Expressions of the listings in other languages, and other spellings of the same."""
INLINED = {
    "delta": (r" delta = y\[0\] - y\[1\],| *delta = [^\n]*\n",
              {"m": "(th1 - th2)", "c": "(y[0] - y[1])", "cpp": "(y[0] - y[1])"}),
    "Δ": (r" *Δ = [^\n]*\n", {"jl": "(θ₁ - θ₂)"}),
}  # fmt: skip
"""Temporaries, what says what they are, and what stands for them where that is put in."""
C_LOOP = "for (int i = 0; i < 2; i++) dydt[i] = y[2 + i];"
C_TURNS = [(C_LOOP, "dydt[0] = y[2]; dydt[1] = y[3];")]
JULIA_LOOP = "for i in 1:2\n        du[i] = u[i+2]\n    end"
MATLAB_ENTRIES = "a = M \\ b;\n    dx = [x(3); x(4); a(1); a(2)];"
TURNS = {
    "c": C_TURNS,
    "cpp": C_TURNS,
    "jl": [("du[1:2] = u[3:4]", JULIA_LOOP)],
    "m": [("dx = [x(3:4); M \\ b];", MATLAB_ENTRIES)],
}
"""Loops and slices, rolled and unrolled, by the ending of a file."""
OTHERS = {"delta": "dq", "b": "rhs", "det": "D", "Δ": "δ", "dx": "out", "dydt": "f", "du": "dz"}
"""Names, and others for them."""


class _Rewrites(ast.NodeTransformer):
    """Writes expressions in another way that means the same."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        left, right = node.left, node.right
        if isinstance(node.op, (ast.Add, ast.Mult)) and self.chance.random() < 0.5:
            return ast.BinOp(right, node.op, left)
        if isinstance(node.op, ast.Sub) and self.chance.random() < 0.4:
            return ast.BinOp(ast.UnaryOp(ast.USub(), right), ast.Add(), left)
        if isinstance(node.op, ast.Div) and self.chance.random() < 0.3:
            return ast.BinOp(ast.BinOp(ast.Constant(1), ast.Div(), right), ast.Mult(), left)
        is_square = isinstance(node.op, ast.Pow) and ast.unparse(right) == "2"
        return ast.BinOp(left, ast.Mult(), left) if is_square else node


class _Extracts(ast.NodeTransformer):
    """Gives names to parts of expressions, before the statements that they are in."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.made = 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        body: list[ast.stmt] = []
        for one in node.body:
            parts = [p for p in ast.walk(one) if isinstance(p, ast.BinOp) and p is not one]
            if isinstance(one, ast.Assign) and parts and self.chance.random() < 0.4:
                part = self.chance.choice(parts)
                name, self.made = f"part_{self.made}", self.made + 1
                body.append(ast.Assign([ast.Name(name, ast.Store())], copy.deepcopy(part)))
                one = _Put(part, name).visit(one)
            body.append(one)
        node.body = body
        return node


class _Put(ast.NodeTransformer):
    """Puts a name for a part."""

    def __init__(self, part: ast.AST, name: str) -> None:
        self.part, self.name = part, name

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        if node is self.part:
            return ast.Name(self.name, ast.Load())
        return self.generic_visit(node)


def rewritten(text: str, chance: random.Random) -> str:
    """Return Python that computes the same: reordered, renamed, with temporaries."""
    tree = ast.parse(text)
    if chance.random() < 0.6:
        tree = _Extracts(chance).visit(tree)
    tree = ast.fix_missing_locations(_Rewrites(chance).visit(tree))
    out = ast.unparse(ast.fix_missing_locations(tree))
    for old, new in (("delta", "dq"), ("temp", "hub"), ("Q", "load")):
        out = re.sub(rf"\b{old}\b", new, out) if chance.random() < 0.5 else out
    return f"{out}\n"


def rewritten_text(text: str, suffix: str, chance: random.Random) -> str:
    """Return a listing in another language that computes the same."""
    is_c = suffix in ("c", "cpp")
    usable = [
        (pattern, other)
        for pattern, other in SPELT
        if not (other.startswith("pow") and not is_c) and not ("^" in other and is_c)
    ]
    for pattern, other in chance.sample(usable, k=chance.randint(1, 6)):
        text = _respelt(text, pattern, other, chance)
    for name, (said, means) in INLINED.items():
        if suffix in means and chance.random() < 0.3:
            text = re.sub(rf"(?<!\w){name}(?!\w)", means[suffix], re.sub(said, _kept, text))
    text = _reordered(text, chance)
    for old, new in TURNS[suffix]:
        text = text.replace(old, new) if chance.random() < 0.5 else text
    for old, new in OTHERS.items():
        if chance.random() < 0.4:
            text = re.sub(rf"(?<![\w.]){old}(?!\w)", new, text)
    return text


def _respelt(text: str, pattern: str, other: str, chance: random.Random) -> str:
    lines = text.splitlines()
    for i, line in enumerate(lines):
        if chance.random() < 0.7:
            lines[i] = re.sub(pattern, other, line, count=chance.choice((0, 1)))
    return "\n".join(lines) + "\n"


def _kept(found: re.Match[str]) -> str:
    """Return what is left of a line without a declaration."""
    return "" if found[0].endswith("\n") else " zero = 0.0,"


def _reordered(text: str, chance: random.Random) -> str:
    """Return a listing whose entries of b, or of M, are set in another order."""
    lines = text.splitlines()
    for mark in (r"b[\[(]\d[\])] =", r"M\[1\]\[1\]|M\[0\]\[0\]"):
        places = [i for i, line in enumerate(lines) if re.match(rf"\s*(?:{mark})", line)]
        if len(places) == 2 and chance.random() < 0.5:
            one, other = places
            lines[one], lines[other] = lines[other], lines[one]
    return "\n".join(lines) + "\n"


def _told_rewritten(text: str, name: str, model: str) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        report = _checked(Path(folder) / name, text, model)
    wrong = [one.label for one in report.equations if one.status == "differs"]
    if wrong or not report.equations:
        return Outcome(f"{REWRITTEN}: accused", True, f"{name} {wrong}\n{text}")
    held = all(one.status == "holds" for one in report.equations)
    told = "holds" if held else "told as not checked"
    return Outcome(f"{REWRITTEN}: {told}", detail="" if held else f"{name}\n{text}")


def figures(outcomes: Iterable[Outcome]) -> list[str]:
    """Return how many changes were found, and how often the first repair restores them."""
    words = [one.words for one in outcomes]
    found = sum(one.startswith("found") for one in words)
    first = words.count("found, restored first")
    missed = words.count("missed")
    return [f"{found} found, {missed} missed; {first} restored by the first repair"]


CAMPAIGN = Campaign("listings_changed", 7_000, 60.0, case, figures)
