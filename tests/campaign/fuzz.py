"""Broken pages, models and data: all are read or refused in a sentence, none dies or hangs."""

from __future__ import annotations

import random
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from campaign.outcome import Campaign, Outcome
from campaign.salt import LATEX, TABLE, TOML, nonsense, salted
from freebody.checking.document import check_document
from freebody.checking.grid import MeaningError
from freebody.checking.judge import holds
from freebody.checking.quantities.derived import Quantities
from freebody.checking.verdicts import Checker
from freebody.documents import Document, read_bare, read_document
from freebody.errors import FreebodyError
from freebody.mechanics import derive
from freebody.model import load, loads, shipped
from freebody.motion import posture_reach, read_markers, read_motion

PAGES = ("one_link", "two_link", "double_pendulum", "cart_pendulum", "pendulum", "acrobot")
SMALL = 3  # coordinates of a model that is derived too
DEEP = 0.1  # of the cases
TRC = (
    "PathFileType\t4\t(X/Y/Z)\twalk.trc\n"
    "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n100\t100\t5\t2\tmm\n"
    "Frame#\tTime\thip\t\t\tknee\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n"
)


def case(seed: int) -> Outcome:
    """Break one page, model or file of data, and read it."""
    chance = random.Random(seed)
    kind = chance.choice((page, page, page, front, model, model, data))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            words, fault = kind(chance)
        except FreebodyError as error:
            words, fault = "refused", "" if str(error).strip() else "an empty message"
    return Outcome(f"{kind.__name__} {words}", bool(fault), f"seed {seed}: {fault}")


# ---------------------------------------------------------------------- pages


@cache
def _quantities(model: str) -> Quantities:
    return Quantities(load(model))


@cache
def _source(model: str) -> tuple[Document, list[str]]:
    """Return a page of a model, of which nothing is recorded, and its equations."""
    document = read_document(sorted(Path(shipped()[model]).glob("*.md"))[0])
    bare = document.front.model_copy(update={"errata": (), "unchecked": (), "sections": ()})
    document = replace(document, front=bare)
    return document, [one.latex for one in Checker(document, _quantities(model)).relations()]


def page(chance: random.Random) -> tuple[str, str]:
    """Check a page of a broken equation, in full or whether it holds."""
    model = chance.choice(PAGES)
    document, printed = _source(model)
    latex = salted(chance.choice(printed), printed, LATEX, chance)
    latex = nonsense(LATEX, chance) if chance.random() < 0.1 else latex
    body = f"{document.text[: document.start]}\n$${latex}$$\n"
    written = replace(document, text=body)
    if chance.random() < DEEP:
        report = check_document(written, _quantities(model))
        faults = [*report.faults, *(one.fault for one in report.equations if one.fault)]
        return "checked", "\n".join([*faults, latex]) if faults else ""
    checker = Checker(written, _quantities(model))
    for relation in checker.printed():
        if getattr(relation, "is_fault", False):
            return "read", f"{relation.message}\n{latex}"
    for relation in checker.relations():
        try:
            with checker.quantities.ring.budget.work():
                holds(checker.symbols, relation)
        except MeaningError:
            continue
    return "read", ""


def front(chance: random.Random) -> tuple[str, str]:
    """Read a file with broken front matter, or of something else."""
    model = chance.choice(PAGES)
    path = sorted(Path(shipped()[model]).glob("*.md"))[0]
    head = path.read_text(encoding="utf-8")[:3000]
    ending = chance.choice((".md", ".md", ".tex", ".ipynb", ".rst", ".html", ".txt"))
    return _in_a_file(
        ending,
        salted(head, [head], (*TOML, *LATEX), chance),
        lambda file: Checker(read_bare(file, model), _quantities(model)).printed(),
    )


def _in_a_file(ending: str, text: str, reads: Callable[[Path], object]) -> tuple[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"file{ending}"
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
        reads(path)
    return "read", ""


# ---------------------------------------------------------------------- models


@cache
def _models() -> list[str]:
    files = [load(name).source for name in shipped()]
    return [Path(file).read_text(encoding="utf-8") for file in files if file]


def model(chance: random.Random) -> tuple[str, str]:
    """Read a broken model, and derive some."""
    text = chance.choice(_models())
    text = salted(text, _models(), TOML, chance)
    text = nonsense(TOML, chance) if chance.random() < 0.05 else text
    made = loads(text)
    if len(made.coordinates) <= SMALL and chance.random() < DEEP:
        derive(made)
        return "derived", ""
    return "read", ""


# ---------------------------------------------------------------------- data


@cache
def _tables() -> dict[str, str]:
    """Return a file of data for each of some endings."""
    reach = posture_reach({"theta": 0.0}, {"theta": 1.0}, 0.1)
    times = np.linspace(0, 0.1, 12)
    rows = "\n".join(f"{t:.3f},{t:.4f},{t * t:.4f}" for t in times)
    csv = f"time,theta,alpha\n{rows}\n"
    storage = f"walk\nnRows=12\nnColumns=3\ninDegrees=no\nendheader\n{csv}".replace(",", "\t")
    frames = "\n".join(f"{n}\t{t:.3f}" + "\t1.5" * 6 for n, t in enumerate(times, 1))
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "reach.csv"
        reach.save(written)
        own = written.read_text(encoding="utf-8")
    return {".csv": csv, ".CSV": own, ".mot": storage, ".sto": storage, ".trc": TRC + frames}


def data(chance: random.Random) -> tuple[str, str]:
    """Read a broken motion or broken markers."""
    ending, text = chance.choice(sorted(_tables().items()))
    broken = salted(text, [*_tables().values()], TABLE, chance)
    broken = nonsense(TABLE, chance) if chance.random() < 0.05 else broken
    reads = read_markers if ending == ".trc" else read_motion
    return _in_a_file(ending, broken, reads)


CAMPAIGN = Campaign("fuzz", 100_000, 30.0, case)
