"""Every pattern of the package, on pieces that are repeated: none takes forever to find nothing."""

from __future__ import annotations

import importlib
import pkgutil
import random
import re
from collections.abc import Iterator
from functools import cache

import freebody
from campaign.outcome import Campaign, Outcome

PIECES = (
    *" a1$\\{}(|-:\t`*_=~^&\n,.;[]%#\"²ä",
    *("    a b c\n", "```\n", "a = b ", "1.0 ", " \n", "<b>"),
    *(r"\frac", "x'", "\\\\ ", "$a$ ", " is "),
)  # fmt: skip
BEFORE = ("", "a", "    a\n", "x\n\n    ")
BEHIND = ("", "!", "\nx", "x")
TIMES = 25
"""How often pieces are repeated: a pattern that tries both ways of each would need years."""


def case(seed: int) -> Outcome:
    """Look for all patterns in a few pieces, repeated."""
    chance = random.Random(seed)
    some = "".join(chance.choices(PIECES, k=chance.choice((1, 2, 2, 3))))
    text = chance.choice(BEFORE) + some * TIMES + chance.choice(BEHIND)
    found = sum(one.search(text) is not None for one in _patterns())
    return Outcome("found by some" if found else "found by none")


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    return tuple(dict.fromkeys(_compiled()))


def _compiled() -> Iterator[re.Pattern[str]]:
    for module in pkgutil.walk_packages(freebody.__path__, "freebody."):
        if not module.name.endswith("__main__"):
            names = vars(importlib.import_module(module.name))
            for one in names.values():
                if isinstance(one, re.Pattern) and isinstance(one.pattern, str):
                    yield one


CAMPAIGN = Campaign("patterns", 4_000, 20.0, case)
