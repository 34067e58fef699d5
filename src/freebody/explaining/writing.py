"""Derivations written to files: the page, its pictures, and how it names its model."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from freebody.checking.models import model_file
from freebody.errors import DocumentError, Problem
from freebody.explaining.document import body
from freebody.explaining.page import Picture
from freebody.files import atomic_write, expect_ending
from freebody.model import Model, load
from freebody.model import save as save_model
from freebody.model.files import fingerprint, shipped

if TYPE_CHECKING:
    from freebody.explaining.derivation import Derivation

ENDINGS = (".md",)
SAME = {"svg.hashsalt": "freebody", "svg.fonttype": "path"}
"""So that the same drawing is the same file."""


def save(derivation: Derivation, path: Path) -> tuple[Path, ...]:
    """Write a derivation, its pictures, and its model where the page could not name it."""
    expect_ending(path, ENDINGS)
    model, written = _named_model(derivation.model, path)
    pictures = path.with_name(f"{path.stem}_figures")
    files = [*written, *_pictures(derivation, pictures)]
    front = derivation.front_matter(model)
    text = f"# {derivation.title}\n\n{body(derivation.blocks, pictures.name)}"
    with atomic_write(path) as temporary:
        temporary.write_text(f"+++\n{front}+++\n\n{text}", encoding="utf-8")
    return (path, *files)


def _pictures(derivation: Derivation, folder: Path) -> list[Path]:
    """Write the drawings as SVG and PDF."""
    from matplotlib import rc_context

    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for picture in derivation.blocks:
        if isinstance(picture, Picture):
            for ending in ("svg", "pdf"):
                file = folder / f"{picture.name}.{ending}"
                dated = {"Date": None} if ending == "svg" else {"CreationDate": None}
                with atomic_write(file) as temporary, rc_context(SAME):
                    picture.figure.savefig(temporary, format=ending, metadata=dated)
                files.append(file)
    return files


def _named_model(model: Model, path: Path) -> tuple[str, list[Path]]:
    """Return how a page names its model, and the file that is written for it, if one is.

    Raises
    ------
    DocumentError
        If the page would be taken for one about another model.
    """
    source = model.source
    if source is None or not source.is_file() or fingerprint(load(source)) != fingerprint(model):
        own = path.with_name(f"{path.stem}_model.toml")
        save_model(model, own)
        return own.name, [own]
    name = source.parent.name
    if source.parent not in shipped().values():
        name = Path(os.path.relpath(source.resolve(), path.parent.resolve())).as_posix()
    try:
        meant = model_file(path.parent, name)
    except ValueError:
        raise _error(path, f"expected a file in the folder of '{source}' or above it") from None
    if meant is None or not meant.samefile(source):
        raise _error(path, f"beside it stands another model, '{meant}', which would be taken")
    return name, []


def _error(path: Path, message: str) -> DocumentError:
    return DocumentError(str(path), [Problem("", message)])
