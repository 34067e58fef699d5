r"""The symbols of a document, borrowed for a derivation: ``\ell_1`` for ``l1``."""

from __future__ import annotations

import re
from pathlib import Path

from freebody.documents import Document, documents_of, read_document
from freebody.errors import ArgumentError, nearest
from freebody.mechanics.notation import BLOCKS
from freebody.model import Model

_ENTRY = re.compile(rf"(?:equations\.)?({'|'.join(BLOCKS)})\[([\d,ij]+)\]")
_OPEN = re.compile(r"_\{?i(,?)j?\}?$")


def symbols_of(document: str | Path | Document, model: Model) -> dict[str, str]:
    """Return how a document prints quantities: LaTeX by path.

    What it declares as a sum, or with the other sign, is not borrowed.

    Parameters
    ----------
    document : str, Path or Document
        A document, or the name of one beside the model.
    model : Model

    Raises
    ------
    ArgumentError
        If there is none of that name.
    DocumentError
        If it cannot be read.
    """
    page = document if isinstance(document, Document) else _found(document, model)
    known: dict[str, str] = {}
    size = len(model.speeds) or len(model.coordinates)
    for key, meaning in page.front.symbols.items():
        if isinstance(meaning, str):
            for path, latex in _entries(meaning.replace(" ", ""), key, size):
                known.setdefault(path, latex)
    return known


def _entries(meaning: str, key: str, size: int) -> list[tuple[str, str]]:
    """Return the paths that a declared symbol stands for, each with its LaTeX."""
    matched = _ENTRY.fullmatch(meaning)
    if matched is None:
        return [(meaning, key)]
    block, place = matched.groups()
    if not _OPEN.search(key):
        return [(f"equations.{block}[{place}]", key)]
    comma = _OPEN.search(key)[1]  # type: ignore[index]
    numbers = range(1, size + 1)
    places = [(i, j) for i in numbers for j in numbers] if "j" in place else [(i,) for i in numbers]
    base = _OPEN.sub("", key)
    return [
        (f"equations.{block}[{','.join(map(str, at))}]", f"{base}_{{{comma.join(map(str, at))}}}")
        for at in places
    ]


def _found(name: str | Path, model: Model) -> Document:
    if Path(name).is_file():
        return read_document(Path(name))
    beside = {one.name: one for one in (documents_of(model.source) if model.source else ())}
    if str(name) not in beside:
        known = ", ".join(beside) or "none"
        raise ArgumentError(
            f"expected a document, or the name of one beside the model ({known}), found "
            f"'{name}'{nearest(str(name), beside)}"
        )
    return beside[str(name)]
