"""What the symbols of a page stand for in its model: by the equations that fit, or by words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import Any

from freebody.checking.guesses import Guess, Guesses, guess
from freebody.checking.guesses.guessing import BY_NAME
from freebody.checking.guesses.symbols import UsedSymbol
from freebody.checking.introduced import bare
from freebody.documents import Document
from freebody.documents.document import Meaning
from freebody.documents.latex.tree import Matrix
from freebody.recognition.recognised import Recognised
from freebody.recognition.symbols.symbol_definitions import SymbolDefinition, symbol_definitions

MOST_MISPRINTED = 2
"""How many equations may contradict what another says that a letter is."""
UNIT_VECTOR = r"\hat"
"""What stands above a letter that is no quantity of a model, whatever balances have it."""
ALIKE = "most of the equations of motion is that of the model"
"""Why a letter is what it is in a model that no equation of motion fits as a whole."""


def model_symbols(
    document: Document,
    found: Recognised,
    effort: float = 1.0,
    progress: Callable[[str], None] = lambda _: None,
) -> Guesses:
    """Return what the symbols of a page stand for in a model that fits.

    Parameters
    ----------
    document : Document
        The page.
    found : Recognised
        The model, and what letters of the equations of motion are in it.
    effort : float, optional
        How many times the usual work is done, at the most.
    progress : callable, optional
        Is told what is done.
    """
    by_page = {
        one.key: one for one in symbol_definitions(found) if one.key not in document.front.symbols
    }
    guesses = _guessed(document, found, by_page.values(), effort, progress)
    if disputed := by_page.keys() & _disputed(guesses):
        by_page = {key: one for key, one in by_page.items() if key not in disputed}
        guesses = _guessed(document, found, by_page.values(), effort, progress)
    given = dict(_given(guesses, found, document))
    rest = {one.key: one for one in guesses.symbols}
    spoken_against = _letters(guesses, guesses.fails)
    for used in guesses.page.symbols:
        if one := by_page.get(bare(used.key)):
            is_sure = one.is_settled and one.key not in spoken_against
            given |= dict(_by_definition(used, one, rest.get(used.key), is_sure=is_sure))
    order = [used.key for used in guesses.page.symbols if used.key in {**given, **rest}]
    return replace(guesses, symbols=tuple({**rest, **given}[key] for key in order))


def _guessed(
    document: Document,
    found: Recognised,
    definitions: Collection[SymbolDefinition],
    effort: float,
    progress: Callable[[str], None],
) -> Guesses:
    """Guess the other symbols, with those that the model and definitions of the page tell."""
    meant = {one.key: one.meaning for one in definitions if one.is_named}
    settled = {one.key: one.meaning for one in definitions if one.is_settled}
    declared = {**found.made.symbols, **meant, **settled, **document.front.symbols}
    front = document.front.model_copy(update={"symbols": declared, "inline": True})
    return guess(
        replace(document, front=front), found.quantities, effort, progress,
        open_keys=declared.keys() - found.made.sure - meant.keys() - document.front.symbols.keys(),
        near=found.near,
    )  # fmt: skip


def _disputed(guesses: Guesses) -> set[str]:
    """Return the letters that more equations speak against than for: what a section says of them.

    It may have a special case, as that a frame that turns is level.
    """
    fitting, failing = (_letters(guesses, labels) for labels in (guesses.fits, guesses.fails))
    return {key for key, count in failing.items() if count >= max(fitting[key], MOST_MISPRINTED)}


def _letters(guesses: Guesses, labels: Collection[str]) -> Counter[str]:
    """Return how many of some equations have each letter."""
    equations = (one for one in guesses.page.equations if one.label in labels)
    return Counter(bare(key) for one in equations for key in {*one.keys})


def _by_definition(
    used: UsedSymbol, one: SymbolDefinition, guessed: Guess | None, *, is_sure: bool
) -> Iterator[tuple[str, Guess]]:
    """Yield what a page says of a symbol, where that is sure or nothing else is likelier."""
    if one.is_named:
        yield used.key, Guess(used, "sure", one.meaning, f"{one.label} says so, as the model does")
    elif is_sure:
        yield used.key, Guess(used, "sure", one.meaning, f"{one.label} says so")
    elif guessed is None or guessed.standing == "unknown" or guessed.why == BY_NAME:
        others = () if guessed is None or guessed.meaning is None else (guessed.meaning,)
        yield used.key, Guess(used, "unsure", one.meaning, f"{one.label} says so", others)


def _given(guesses: Guesses, found: Recognised, document: Document) -> Iterator[tuple[str, Guess]]:
    """Iterate over the symbols that the equations of motion tell."""
    proof = f"proved by {', '.join(found.fits[:3])}"
    nearly = _letters(guesses, found.fails).keys() - _letters(guesses, found.fits).keys()
    told = {**found.made.symbols, **dict(_rates(found))}
    for used in guesses.page.symbols:
        key = bare(used.key)
        if key in told and used.key not in document.front.symbols:
            meaning = told[key]
            if _is_column(meaning) and _is_matrix(key, found):
                continue
            rate = found.motion.rates.get(key)
            is_proved = key in found.made.sure or (rate is not None and rate.key in found.made.sure)
            is_quantity = isinstance(meaning, list) or not key.startswith(UNIT_VECTOR)
            if is_proved and is_quantity:
                why = proof if found.fits and key not in nearly else ALIKE
                yield used.key, Guess(used, "sure", meaning, why)
            else:
                yield used.key, Guess(used, "unsure", meaning, "as likely as others")


def _is_matrix(key: str, found: Recognised) -> bool:
    """Return whether the page prints the entries of a matrix for a letter, and not of a column."""
    said = found.motion.meanings.definitions.get(key, ())
    relations = (one.statement.relation for one in said)
    sides = (side for one in relations for side in (one.left, one.right))
    return any(
        isinstance(one, Matrix) and min(len(one.rows), len(one.rows[0])) > 1 for one in sides
    )


def _is_column(meaning: Meaning) -> bool:
    return isinstance(meaning, list) and not isinstance(meaning[0], list)


def _rates(found: Recognised) -> Iterator[tuple[str, Meaning]]:
    """Iterate over the letters for rates of coordinates, with their names in the model."""
    coordinates = found.quantities.mechanism.model.coordinates
    for key, rate in found.motion.rates.items():
        meaning = found.made.symbols.get(rate.key)
        names = meaning if isinstance(meaning, list) else [meaning]
        if all(one in coordinates for one in names):
            rates: list[Any] = [f"{name}_{'d' * rate.dots}ot" for name in names]
            yield key, rates if isinstance(meaning, list) else rates[0]
