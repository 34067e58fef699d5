"""Worked derivations of all shipped models and the gallery: each equation holds in its file.

By all three methods, with and without abbreviations, in the symbols of a shipped document, in
relative and absolute angles, in every container, of which LaTeX is compiled where that is there;
labels in the drawings do not collide. What was misprinted in an exercise is found.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import tempfile
from itertools import combinations, product
from pathlib import Path
from typing import Any

import freebody
from campaign.outcome import Campaign, Outcome
from freebody.documents import documents_of
from freebody.errors import DerivationError
from freebody.explaining import Derivation, exercise, explain
from freebody.explaining.paste import align
from freebody.model import gallery, load, shipped

METHODS = ("newton_euler", "lagrange", "kane")
WIDER = 20.0
"""By so many points a line of a printed page may be wider than the others."""
CASES = tuple(product((*sorted(shipped()), *sorted(gallery())), METHODS))


def case(seed: int) -> Outcome:
    """Explain a model in one of its ways, and check the file."""
    name, method = CASES[seed % len(CASES)]
    chance = random.Random(seed)
    model = load(name)
    documents = [one.name for one in documents_of(model.source)] if model.source else []
    options: dict[str, Any] = {
        "steps": chance.choice(("all", "main")),
        "short": chance.random() < 0.5,
        "symbols": chance.choice([None, *documents]),
        "angles": chance.choice(("model", "relative", "absolute")),
    }
    told = f"seed {seed}: {name} {method} {options}"
    try:
        derivation = explain(model, method, **options)  # type: ignore[arg-type]
    except (DerivationError, freebody.TooLargeError) as error:
        fault = "fault of freebody" in str(error)
        words = "an equation does not hold" if fault else "refused, with a reason"
        return Outcome(words, is_failure=fault, detail=f"{told}: {error}")
    if overlap := _overlap(derivation):
        return Outcome("labels collide", is_failure=True, detail=f"{told}: {overlap}")
    with tempfile.TemporaryDirectory() as folder:
        if wrong := _pasted(derivation, Path(folder), short=options["short"]):
            return Outcome("what is pasted is too wide", is_failure=True, detail=f"{told}: {wrong}")
        path = Path(folder) / f"derivation.{chance.choice(('md', 'tex', 'ipynb'))}"
        derivation.save(path)
        if wrong := _set_in_type(path):
            return Outcome("TeX complains", is_failure=True, detail=f"{told}: {wrong}")
        (report,) = freebody.check(path).documents
    if dict(report.counts()) != {"holds": len(report.equations)}:
        return Outcome("the file does not hold", is_failure=True, detail=f"{told} {path.suffix}")
    return _misprinted(name, method, seed) if len(derivation.equations) < 60 else Outcome("holds")


def _set_in_type(path: Path, wider: float = WIDER) -> str:
    """Return what LaTeX complains of, where it is there and the file is for it."""
    program = shutil.which("pdflatex") if path.suffix == ".tex" else None
    if program is None:
        return ""
    command = [program, "-interaction=nonstopmode", "-halt-on-error", path.name]
    done = subprocess.run(command, cwd=path.parent, capture_output=True, check=False)  # noqa: S603
    log = done.stdout.decode("utf-8", "replace")
    wide = [float(size) for size in re.findall(r"Overfull \\hbox \(([\d.]+)pt", log)]
    if done.returncode:
        return log[-300:]
    return f"lines too wide by {max(wide)} pt" if max(wide, default=0.0) > wider else ""


def _pasted(derivation: Derivation, folder: Path, *, short: bool) -> str:
    """Return what LaTeX complains of in an article that equations are pasted into."""
    path = folder / "article.tex"
    head = "\\documentclass[11pt]{article}\n\\usepackage{amsmath}\n\\allowdisplaybreaks"
    text = align(freebody.derive(derivation.model), short=short)
    whole = f"{head}\n\\begin{{document}}\n{text}\n\\end{{document}}\n"
    path.write_text(whole, encoding="utf-8")
    return _set_in_type(path, wider=1.0)


def _overlap(derivation: Derivation) -> str:
    for name, figure in derivation.figures.items():
        renderer = figure.canvas.get_renderer()
        boxes = [(one.get_text(), one.get_window_extent(renderer)) for one in figure.axes[0].texts]
        for (one, first), (other, second) in combinations(boxes, 2):
            if first.shrunk(0.9, 0.9).overlaps(second.shrunk(0.9, 0.9)):
                return f"{name}: {one} and {other}"
    return ""


def _misprinted(name: str, method: Any, seed: int) -> Outcome:
    """Plant misprints, and see that grading finds these alone."""
    try:
        made = exercise(name, method, misprints=1, seed=seed)
    except freebody.ArgumentError as error:
        return Outcome("holds, and nothing can be misprinted", detail=str(error))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "exercise.md"
        made.save(path)
        report = freebody.check(path, against=Path(folder) / "exercise_solution.md")
    wrong = {one.label for one in report.documents[0].equations if one.status == "differs"}
    planted = {f"({change.label})" for change in made.changes}
    missed = planted != wrong
    detail = f"seed {seed}: {name} {method}: planted {planted}, graded wrong {wrong}"
    words = "a misprint is graded otherwise" if missed else "holds, and a misprint is found"
    return Outcome(words, is_failure=missed, detail=detail)


CAMPAIGN = Campaign("explanations", len(CASES) * 3, 400.0, case)
