"""Code with one token changed, which must be found; and rewritten, which must not be accused."""

from __future__ import annotations

import ast
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
from freebody.checking.code.points import Worked
from freebody.checking.code.report import check_listing
from freebody.checking.quantities.derived import Quantities
from freebody.checking.report import DocumentReport
from freebody.code.interpreter import run
from freebody.code.listings import read_listing
from freebody.errors import FreebodyError
from freebody.graph.operations import Cell
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


def case(seed: int) -> Outcome:
    """Change one token of a listing, or, for one in four, rewrite it."""
    chance = random.Random(seed)
    name = chance.choice(list(SOURCES))
    text, model = SOURCES[name]
    if seed % 4 == 0:
        name, (text, model) = chance.choice(list(SOURCES.items())[:2])
        return _told_rewritten(rewritten(text, chance), name, model)
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
        values, others = (_values(Path(folder) / name, one, model) for one in (text, changed))
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
        again = _checked(Path(folder) / name, "\n".join(mended) + "\n", model)
        holds = all(one.status == "holds" for one in again.equations)
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
        worked = Worked(found.table.graph, lambda path: Symbol(path, real=True), FieldPoint(7))
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


def rewritten(text: str, chance: random.Random) -> str:
    """Return Python that computes the same: reordered, renamed, with temporaries."""
    tree = ast.fix_missing_locations(_Rewrites(chance).visit(ast.parse(text)))
    out = ast.unparse(tree)
    for old, new in (("delta", "dq"), ("temp", "hub"), ("Q", "load")):
        out = re.sub(rf"\b{old}\b", new, out) if chance.random() < 0.5 else out
    return f"{out}\n"


def _told_rewritten(text: str, name: str, model: str) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        report = _checked(Path(folder) / name, text, model)
    wrong = [one.label for one in report.equations if one.status == "differs"]
    if wrong or not report.equations:
        return Outcome(f"{REWRITTEN}: accused", True, f"{name} {wrong}\n{text}")
    held = all(one.status == "holds" for one in report.equations)
    return Outcome(f"{REWRITTEN}: holds" if held else f"{REWRITTEN}: told as not checked")


def figures(outcomes: Iterable[Outcome]) -> list[str]:
    """Return how many changes were found, and how often the first repair restores them."""
    words = [one.words for one in outcomes]
    found = sum(one.startswith("found") for one in words)
    first = words.count("found, restored first")
    missed = words.count("missed")
    return [f"{found} found, {missed} missed; {first} restored by the first repair"]


CAMPAIGN = Campaign("listings_changed", 2_000, 60.0, case, figures)
