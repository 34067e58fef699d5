r"""Pages as notes of lectures are: true statements about a mechanism, in any order and choice.

A page gives energies, and then says some of what textbooks say of the mechanism: equations of
motion with friction and with loads, divided by constants, with letters that are short for others,
whether these are said or not, balances of single bodies, linear forms, states, solutions. Nothing
of it contradicts anything. With one misprint it may.
"""

from __future__ import annotations

import random
import tempfile
import tomllib
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import freebody
from campaign.outcome import Campaign, Outcome
from misprints import numbers, signs, waves

CLEAN = "nothing contradicts"
TOLD, SILENT = "a misprint, told", "a misprint, not told"
FALSE = "a contradiction on a clean page"
WORDS = (
    *("It follows", "We get", "Hence", "With", "where", "so that", "This is", "and", "", ""),
    *("The equation of motion is", "For small angles", "Dividing by the mass,", "In short,"),
)


MECHANISMS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def drawn(chance: random.Random) -> list[str]:
    """Return the parts of a page, of which the formulas are displays."""
    one = MECHANISMS[chance.choice([*MECHANISMS])]
    formulas = [chance.choice(one["energies"]), *chance.sample(one["true"], chance.randint(3, 7))]
    if chance.random() < 0.3:
        chance.shuffle(formulas)
    parts = ["# Notes"]
    for formula in formulas:
        parts += [chance.choice(WORDS), f"$$ {formula} $$"]
        parts += ["## Next"] if chance.random() < 0.15 else []
    return parts


def misprinted(chance: random.Random, parts: list[str]) -> list[str]:
    """Return a page with one sign, number, sine or cosine changed."""
    possible = [
        (place, misprint)
        for place, part in enumerate(parts)
        if part.startswith("$$")
        for misprint in chain(signs(part[2:-2]), waves(part[2:-2]), numbers(part[2:-2]))
    ]
    place, misprint = chance.choice(possible)
    text = parts[place][2:-2]
    first, last = misprint.span
    text = text[:first] + misprint.text + text[last:]
    return [*parts[:place], f"$${text}$$", *parts[place + 1 :]]


def contradictions(parts: Iterable[str]) -> list[str]:
    """Return the equations of a page that contradict others."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "notes.md"
        path.write_text("\n\n".join(parts), encoding="utf-8")
        (page,) = freebody.alone(path).documents
    return [one.latex for one in page.equations if one.status == "contradicts"]


def case(seed: int) -> Outcome:
    """Draw a page, one of two with a misprint, and hold it against itself."""
    chance = random.Random(seed)
    parts = drawn(chance)
    is_clean = seed % 2 == 0
    parts = parts if is_clean else misprinted(chance, parts)
    found = contradictions(parts)
    if not is_clean:
        return Outcome(TOLD if found else SILENT)
    page = "\n\n".join(parts)
    return Outcome(FALSE, True, f"{found}\n{page}") if found else Outcome(CLEAN)


CAMPAIGN = Campaign("notes", 2_000, 60, case)
