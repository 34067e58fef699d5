"""Names that nobody declares, where another name in their place makes the equation hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from functools import partial
from itertools import product
from typing import Any

from freebody.checking.evidence import could_fail
from freebody.checking.findings import Edit
from freebody.checking.repair.search import Repairs, RepairSearch
from freebody.checking.repair.vocabulary import Word, word
from freebody.documents.latex.relations import Relation
from freebody.documents.latex.tree import Name, rebuilt, walk

MOST_NAMES = 2
"""How many different names of one equation may be garbled."""
NEAREST = 12
"""How many names that look most like a garbled one are tried."""


def read_otherwise(repairs: Repairs, relation: Relation, garbled: Iterable[str]) -> RepairSearch:
    """Look for names that make an equation hold in place of those that nobody declares.

    Parameters
    ----------
    repairs : Repairs
        Of the page.
    relation : Relation
        The equation, read as if the names were declared.
    garbled : iterable of str
        The names.
    """
    names = [node for node in walk(relation.left, relation.right) if isinstance(node, Name)]
    keys = list(dict.fromkeys(garbled))
    if len(keys) > MOST_NAMES:
        return RepairSearch(note=f"more than {MOST_NAMES} names that are not declared")
    options = (_nearest(repairs.words, key) for key in keys)
    trials = sorted(product(*options), key=lambda found: -sum(nearness for nearness, _ in found))
    held, judge = [], repairs.holds_at_a_point
    for found in trials:
        meant = {key: entry for key, (_, entry) in zip(keys, found, strict=True)}
        sides = {side: _read(getattr(relation, side), meant) for side in ("left", "right")}
        otherwise = replace(relation, **sides)
        if judge(otherwise) and could_fail(judge, otherwise):
            cost = sum(2 - nearness for nearness, _ in found)
            if edits := tuple(_edits(repairs, names, meant)):  # none where all is declared
                held.append((cost, edits))
    return repairs.proved(relation, held)


def _nearest(words: Sequence[Word], key: str) -> list[tuple[float, Word]]:
    """Return the names that look most like one, with how much they do."""
    undotted = {entry.name.key + str(entry.name.indices): entry for entry in words}
    found = [(_likeness(key, entry.latex), entry) for entry in undotted.values()]
    return sorted(found, key=lambda one: -one[0])[:NEAREST]


def _likeness(one: str, other: str) -> float:
    """Return how much two names look alike, from 0 to 1."""
    bare = str.maketrans("", "", "{}")
    return SequenceMatcher(None, one.translate(bare).lower(), other.translate(bare).lower()).ratio()


def _read(node: Any, meant: dict[str, Word]) -> Any:
    """Return a tree with other names for some."""
    if isinstance(node, Name):
        return _instead(node, meant[node.key]) if node.key in meant else node
    return rebuilt(node, partial(_read, meant=meant))


def _instead(name: Name, entry: Word) -> Name:
    return replace(entry.name, span=name.span, dots=name.dots)


def _edits(repairs: Repairs, names: Iterable[Name], meant: dict[str, Word]) -> Iterator[Edit]:
    text = repairs.reread.text
    for name in names:
        if name.key in meant:
            span = name.span.start, name.span.stop
            latex = word(_instead(name, meant[name.key])).latex
            yield Edit(span, text[slice(*span)], latex, "symbol")
