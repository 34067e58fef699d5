"""What the gallery shows of a model, each piece made by freebody and kept in a file."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import freebody
from freebody.backends.generate import TARGETS
from freebody.explaining.derivation import Method

METHODS: tuple[Method, ...] = ("newton_euler", "lagrange", "kane")
DURATIONS = {"squeezer": 0.03}
"""s; of motions that are faster than others."""
FRAMES = 75


def derivation(model: str, folder: Path) -> dict[str, Any]:
    """Write the derivation by the first method that explains the model, and its drawings."""
    refused = []
    for method in METHODS:
        try:
            freebody.explain(model, method).save(folder / "derivation.md")
        except freebody.FreebodyError as error:
            refused.append(f"{method}: {error}")
        else:
            return {"method": method, "refused": refused}
    return {"method": "", "refused": refused}


def verdicts(model: str, folder: Path) -> dict[str, Any]:
    """Write what the check of the model's documents says, and count it."""
    report = freebody.check(model)
    freebody.reporting.save(report, folder / "verdicts.html")
    rows = [
        {"title": one.title, "counts": Counter(verdict.status for verdict in one.equations)}
        for one in report.documents
    ]
    return {"documents": rows, "agrees": report.agrees}


def lasting(model: str) -> float:
    """Return for how many s the motion of a model is shown."""
    return DURATIONS.get(model, 3.0)


def motion(model: str, folder: Path) -> dict[str, Any]:
    """Write a motion as a picture that moves, as plots, and as a page that plays it in space."""
    duration = lasting(model)
    run = freebody.simulate(model, duration=duration, step=duration / FRAMES, unchecked=True)
    run.animate(folder / "motion.gif")
    run.plot(folder / "plots.png")
    run.view(folder / "space.html")
    return {"energy_drift": float(run.energy_drift)}


def code(model: str, folder: Path) -> dict[str, Any]:
    """Write the accelerations in all languages."""
    for target in TARGETS:
        for path, text in freebody.generate(model, target, "accelerations").items():
            place = folder / "code" / target / path.name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
    return {"targets": TARGETS}


PIECES: dict[str, Callable[[str, Path], dict[str, Any]]] = {
    "code": code,
    "verdicts": verdicts,
    "motion": motion,
    "derivation": derivation,
}
"""The pieces, the quick ones first."""


def make(model: str, folder: Path, key: str) -> None:
    """Make the pieces that are not there yet; one that is refused is kept with the reason."""
    for name, piece in PIECES.items():
        kept = folder / f"{name}.json"
        if not is_kept(kept, key):
            began = time.perf_counter()
            try:
                told = piece(model, folder)
            except freebody.FreebodyError as error:
                told = {"refused": [str(error)]}
            kept.write_text(json.dumps({"key": key, **told}), encoding="utf-8")
            print(f"    {name} {time.perf_counter() - began:.1f} s", flush=True)


def is_kept(file: Path, key: str) -> bool:
    """Return whether a piece was made out of the same source."""
    return file.exists() and json.loads(file.read_text(encoding="utf-8"))["key"] == key


if __name__ == "__main__":
    make(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
