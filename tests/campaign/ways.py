r"""Mechanisms as pages tell them, in a few displays, of which a model must come.

By energies or by balances, by matrices, by speeds or by accelerations alone, with other letters for
angles and lengths, and rates as dots or as fractions. All that is printed is true of the mechanism.
"""

from __future__ import annotations

import random
import re
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import freebody
from campaign.outcome import Campaign, Outcome

TOLD, NONE = "a model is told", "no model"
WRONG = "a model that true equations speak against"
MECHANISMS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
WAYS = [
    (name, [line.strip() for line in way.strip().splitlines()])
    for name, one in MECHANISMS.items()
    for way in one["ways"]
]
LETTERS = ((r"\theta", (r"\varphi", r"\phi", r"\alpha")), ("l", (r"\ell", "a", "L")), ("k", ("K",)))
"""Letters, with others that pages have for the same."""
_TOKEN = re.compile(r"\\(?:begin|end)\{\w+\}|\\[A-Za-z]+|[^\\]")
_RATE = re.compile(
    r"\\(?P<dots>d{1,2})ot\s*(?:\{\s*(?P<group>(?:[^{}]|\{[^{}]*\})*)\}"
    r"|(?P<letter>[A-Za-z]|\\(?!vec|math|bold|bm)[A-Za-z]+))(?P<below>\s*_(?:\w|\{\w+\}))?"
)


def drawn(chance: random.Random) -> tuple[str, list[str]]:
    """Return the name of a mechanism, and displays that tell it."""
    name, displays = chance.choice(WAYS)
    for letter, others in LETTERS:
        other = chance.choice((letter, *others))
        if not any(other in _TOKEN.findall(one) for one in displays):
            displays = [_with_letter(one, letter, other) for one in displays]
    if chance.random() < 0.3:
        displays = [_RATE.sub(_as_fraction, one) for one in displays]
    return name, displays


def _with_letter(display: str, letter: str, other: str) -> str:
    return _TOKEN.sub(lambda one: other + " " if one[0] == letter else one[0], display)


def _as_fraction(rate: re.Match[str]) -> str:
    power = "^2" if rate["dots"] == "dd" else ""
    of = (rate["group"] or rate["letter"]) + (rate["below"] or "")
    return rf"\frac{{d{power} {of}}}{{dt{power}}}"


def case(seed: int) -> Outcome:
    """Tell a mechanism in one way, and see what model is told of it."""
    name, displays = drawn(random.Random(seed))
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.md"
        page.write_text("\n\n".join(f"$$ {one} $$" for one in displays), encoding="utf-8")
        start = time.process_time()
        found = freebody.adopt(page)
        seconds = time.process_time() - start
    if not found.models:
        return Outcome(NONE, detail=name, seconds=seconds)
    best = found.models[0]
    detail = f"{name}: {best.name} fails {', '.join(best.fails)}\n" + "\n".join(displays)
    return Outcome(WRONG if best.fails else TOLD, bool(best.fails), detail, seconds)


def figures(outcomes: Iterable[Outcome]) -> list[str]:
    every = [*outcomes]
    silent = Counter(one.detail for one in every if one.words == NONE)
    seconds = sorted(one.seconds for one in every) or [0.0]
    return [
        f"told {sum(one.words == TOLD for one in every) / max(len(every), 1):.1%}",
        f"silent on {', '.join(f'{name} {count}' for name, count in silent.most_common())}",
        f"seconds a page: half below {seconds[len(seconds) // 2]:.1f}, all below {seconds[-1]:.1f}",
    ]


CAMPAIGN = Campaign("ways", 1_000, 60, case, figures)
