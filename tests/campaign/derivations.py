"""Derivations written out in many notations, clean and with a misprint, held against themselves.

A clean page contradicts itself nowhere. With a misprint in one equation, whatever is told as a
contradiction is one with that equation in it.
"""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import sympy
from sympy.physics.mechanics import dynamicsymbols

from campaign.outcome import Campaign, Outcome
from freebody.algebra.expressions import Reference
from freebody.checking.quantities.derived import Quantities
from freebody.consistency import PageReport, alone
from freebody.model import load
from misprints import drawn, printed

MODELS = (
    *("pendulum", "cart_pendulum", "double_pendulum", "two_link", "acrobot", "elastic_pendulum"),
    *("cart_double_pendulum", "three_link_arm", "one_link"),
)
LETTERS = (r"\theta", r"\phi", r"\alpha", "q", r"\beta")
MOST_TERMS = 60


@cache
def _quantities(model: str) -> Quantities:
    return Quantities(load(model))


@cache
def derivation(model: str) -> list[tuple[str, sympy.Expr, sympy.Expr]] | None:
    """Return the equations of a model: what each is of, with both sides, in functions of time."""
    quantities = _quantities(model)
    moving, equations = quantities.mechanism, quantities.equations
    t = dynamicsymbols._t
    rates = {u: sympy.diff(q, t) for u, q in zip(moving.speeds, moving.coordinates, strict=True)}
    rates |= {
        sympy.diff(u, t): sympy.diff(q, t, 2)
        for u, q in zip(moving.speeds, moving.coordinates, strict=True)
    }

    def written(*path: str) -> list[sympy.Expr]:
        found = quantities.resolve(Reference(path, (), 1))
        entries = list(found) if isinstance(found, sympy.MatrixBase) else [found]
        forms = [quantities.lower(quantities.ring.form(one)) for one in entries]
        return [quantities.ring.expression(form).xreplace(rates) for form in forms]

    sides = []
    for number, body in enumerate(quantities.mechanism.model.bodies, start=1):
        for axis, value in zip("xyz", written("position", body.name), strict=False):
            if value.has(t):
                name = sympy.Function(f"{axis}_{{c{number}}}")(t)
                sides += [(name, value), (sympy.diff(name, t), sympy.diff(value, t))]
    kinetic, potential = written("energy", "kinetic")[0], written("energy", "potential")[0]
    names = [sympy.Function(name)(t) for name in "TVL"]
    sides += [(names[0], kinetic), (names[1], potential), (names[2], names[0] - names[1])]
    found = [("definition", *pair) for pair in sides]
    left = equations.M * sympy.Matrix([sympy.diff(u, t) for u in moving.speeds])
    left += equations.C + equations.G + equations.E
    rows = [sympy.expand(row.xreplace(rates)) for row in left]
    found += [("motion", row, sympy.Symbol(f"Q_{n}")) for n, row in enumerate(rows, start=1)]
    small = all(len(sympy.Add.make_args(sympy.expand(one[2]))) < MOST_TERMS for one in found)
    return found if small else None


def page(chance: random.Random) -> tuple[str, list[str]] | None:
    """Return the notation of a page, and its equations in it."""
    model = chance.choice(MODELS)
    known = derivation(model)
    if known is None:
        return None
    t = dynamicsymbols._t
    quantities = _quantities(model)
    letter = chance.choice(LETTERS)
    coordinates = quantities.mechanism.coordinates
    many = len(coordinates) > 1
    own = {one: rf"{letter}_{n}" if many else letter for n, one in enumerate(coordinates, start=1)}
    every = (expr for _, *sides in known for expr in sides)
    functions = set().union(*(expr.atoms(sympy.core.function.AppliedUndef) for expr in every))
    own |= {one: str(one.func) for one in functions - own.keys()}
    symbols = {
        sympy.diff(one, t, order): sympy.Symbol(_dotted(name, order))
        for one, name in own.items()
        for order in (2, 1)
    }
    symbols |= {one: sympy.Symbol(name) for one, name in own.items()}
    change = chance.choice((sympy.expand, sympy.factor, lambda e: e, _collected))
    short = chance.random() < 0.3

    def latex(expr: sympy.Expr) -> str:
        for order in (2, 1, 0):
            at = {one: to for one, to in symbols.items() if _order(one) == order}
            expr = expr.xreplace(at)
        return str(sympy.latex(change(expr), fold_short_frac=short))

    return model, [f"{latex(left)} = {latex(right)}" for _, left, right in known]


def _order(expr: sympy.Expr) -> int:
    return int(expr.derivative_count) if isinstance(expr, sympy.Derivative) else 0


def _dotted(name: str, order: int) -> str:
    head, _, script = name.partition("_")
    accent = {0: head, 1: rf"\dot{{{head}}}", 2: rf"\ddot{{{head}}}"}[order]
    return f"{accent}_{script}" if script else accent


def _collected(expr: sympy.Expr) -> sympy.Expr:
    return sympy.collect(sympy.expand(expr), sympy.Symbol("g"))


DISPLAYS = (
    "$$ {} \\tag{{{}}} $$",
    "\\[ {} \\tag{{{}}} \\]",
    "\\begin{{equation}} {} \\tag{{{}}} \\end{{equation}}",
    "```math\n{} \\tag{{{}}}\n```",
    "\\begin{{align}}\n{} \\tag{{{}}}\n\\end{{align}}",
)


def text(equations: list[str], chance: random.Random) -> str:
    """Return a page of equations."""
    display = chance.choice(DISPLAYS)
    shown = [display.format(latex, n) for n, latex in enumerate(equations, start=1)]
    return "\n\nThen\n\n".join(shown)


def checked(written: str) -> PageReport:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.md"
        path.write_text(written, encoding="utf-8")
        return alone(path).documents[0]


def case(seed: int) -> Outcome:
    """Write a page, clean or with a misprint, and hold it against itself."""
    chance = random.Random(seed)
    found = page(chance)
    if found is None:
        return Outcome("no page")
    model, equations = found
    if seed % 2 == 0:
        report = checked(text(equations, chance))
        wrong = [one for one in report.equations if one.status == "contradicts"]
        detail = "\n".join(f"{model} {one.label}: {one.latex}" for one in wrong)
        follow = report.counts()["consistent"]
        words = "clean, some follow" if follow else "clean, nothing follows"
        return Outcome(words, bool(wrong), f"seed {seed}: {detail}")
    number = chance.randrange(len(equations))
    misprints = drawn(equations[number], 1, chance)
    if not misprints:
        return Outcome("nothing to misprint")
    equations = list(equations)
    original, equations[number] = equations[number], printed(equations[number], misprints)
    report = checked(text(equations, chance))
    label = f"({number + 1})"
    return _judged(report, label, f"seed {seed} {model}: {original} -> {equations[number]}")


def _judged(report: PageReport, label: str, detail: str) -> Outcome:
    told = [one for one in report.equations if one.status == "contradicts"]
    others = [one for one in told if label not in (one.label, *one.against)]
    if others:
        return Outcome("contradictions without it", True, f"{detail}: {others[0]}")
    if not told:
        one = next((one for one in report.equations if one.label == label), None)
        is_read = one is not None and "cannot be read" not in one.reason
        return Outcome("not told" if is_read else "not read")
    blamed = {one.wrong for one in told}
    if blamed <= {label}:
        return Outcome("told, and blamed")
    return Outcome("told, open which" if blamed <= {label, ""} else "told, another blamed")


def figures(outcomes: Iterable[Outcome]) -> list[str]:
    counts = Counter(one.words for one in outcomes)
    told = sum(count for words, count in counts.items() if words.startswith("told"))
    every = told + counts["not told"]
    return [
        f"told {told / max(every, 1):.1%} of misprints that are read",
        f"blamed the right one {counts['told, and blamed'] / max(told, 1):.1%} of those",
    ]


CAMPAIGN = Campaign("derivations", 2_000, 60.0, case, figures)
