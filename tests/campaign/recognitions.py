"""Derivations of known models in other letters, recognised without being told which model it is.

The page prints positions, energies and equations of motion, or some of them, in letters drawn at
random, with none, one or two misprints. Whatever is then sure of its symbols must let every
equation of the page hold as it was before the misprints.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import freebody
from campaign import derivations
from campaign.adoptions import GROUPS, renamed
from campaign.outcome import Campaign, Outcome
from freebody.checking.guesses import Guess
from freebody.model import load
from misprints import drawn, printed

CLEAN, PAGE = "clean.md", "page.md"
SCRIPTS = ("_1", "_2", "_a", "_b", "_0", "")


def letters(model: str, chance: random.Random) -> dict[str, str]:
    """Return other letters for the constants of a model, of the same kinds mostly."""
    found: dict[str, str] = {}
    for name in load(model).constants:
        stem, digits = name.rstrip("0123456789"), name[len(name.rstrip("0123456789")) :]
        group = next((one for one in GROUPS if stem[:1] in one), ("a", "b", "c", "h", "w"))
        script = f"_{digits}" if digits else chance.choice(SCRIPTS)
        options = [f"{letter}{script}" for letter in group if letter.lower() not in "tvk"]
        taken = {*found.values(), "T", "V", "L"}
        free = [one for one in options if one not in taken] or [f"z_{len(found)}"]
        found[_printed(name)] = "g" if name == "g" else chance.choice(free)
    return found


def _printed(name: str) -> str:
    stem = name.rstrip("0123456789")
    return name if stem == name else f"{stem}_{{{name[len(stem) :]}}}"


def case(seed: int) -> Outcome:
    """Write a page, find out what it is about, and hold what was clean against that."""
    chance = random.Random(seed)
    found = derivations.page(chance)
    if found is None:
        return Outcome("no page")
    model, equations = found
    new = letters(model, chance)
    equations = [renamed(one, new) for one in equations]
    motion = [n for n, one in enumerate(equations) if r"\ddot" in one]
    if chance.random() < 0.3:
        equations = [equations[n] for n in motion]
        motion = [*range(len(equations))]
    misprinted = list(equations)
    count = min(seed % 3, len(motion))
    for n in chance.sample(motion, count):
        if changes := drawn(misprinted[n], 1, chance):
            misprinted[n] = printed(misprinted[n], changes)
    return _outcome(f"seed {seed} {model}", equations, misprinted, count)


def _outcome(name: str, clean: list[str], misprinted: list[str], count: int) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / PAGE
        page.write_text(_text(misprinted), encoding="utf-8")
        start = time.process_time()
        found = freebody.adopt(page)
        seconds = time.process_time() - start
        if found.path is None or found.guesses is None:
            return Outcome(f"{count} misprints, not recognised", seconds=seconds)
        document = found.path.read_text("utf-8")
        for before, after in zip(clean, misprinted, strict=True):
            document = document.replace(after, before)
        found.path.write_text(document, encoding="utf-8")
        report = freebody.check(found.path)
    wrong = [one for one in report.documents[0].equations if one.status == "differs"]
    detail = "\n".join(f"{one.label} {one.latex}" for one in wrong)
    told = _shares(found.guesses.symbols)
    words = f"{count} misprints, recognised: {told}"
    return Outcome(words, bool(wrong), f"{name}: {document}\n{detail}", seconds)


def _text(equations: list[str]) -> str:
    return "\n\n".join(f"$$ {one} \\tag{{{n}}} $$" for n, one in enumerate(equations, start=1))


def _shares(symbols: Iterable[Guess]) -> str:
    counts = Counter(one.standing for one in symbols)
    share = counts["sure"] / max(counts.total(), 1)
    return "all sure" if share == 1 else "most sure" if share >= 0.75 else "fewer sure"


def figures(outcomes: Iterable[Outcome]) -> list[str]:
    every = [one for one in outcomes if one.words != "no page"]
    known = [one for one in every if "recognised:" in one.words]
    sure = [one for one in known if "fewer" not in one.words]
    seconds = sorted(one.seconds for one in every) or [0.0]
    return [
        f"recognised {len(known) / max(len(every), 1):.1%}",
        f"with three symbols in four sure {len(sure) / max(len(known), 1):.1%} of those",
        f"seconds a page: half below {seconds[len(seconds) // 2]:.1f}, all below {seconds[-1]:.1f}",
    ]


CAMPAIGN = Campaign("recognitions", 500, 90.0, case, figures)
