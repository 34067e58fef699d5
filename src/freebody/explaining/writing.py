"""Derivations written to files: the page, its pictures, and how it names its model."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from freebody.checking.models import model_file
from freebody.explaining import containers
from freebody.explaining.document import body
from freebody.explaining.page import Picture
from freebody.files import atomic_write, expect_ending, make_folder
from freebody.locating import shipped
from freebody.model import Model, load
from freebody.model import save as save_model
from freebody.model.files import fingerprint

if TYPE_CHECKING:
    from freebody.explaining.derivation import Derivation

ENDINGS = (".md", ".tex", ".ipynb", ".html")


def save(derivation: Derivation, path: Path) -> tuple[Path, ...]:
    """Write a derivation, its pictures, and its model where the page could not name it."""
    expect_ending(path, ENDINGS)
    title, blocks = derivation.title, derivation.blocks
    files: list[Path] = []
    if path.suffix == ".html":
        text = containers.html(title, blocks)
    else:
        model, files = _named_model(derivation.model, path)
        front = derivation.front_matter(model)
        pictures = path.with_name(f"{path.stem}_figures")
        if path.suffix == ".ipynb":
            text = containers.notebook(title, front, blocks)
        elif path.suffix == ".tex":
            text = containers.latex(title, front, blocks, pictures.name)
        else:
            text = f"+++\n{front}+++\n\n# {title}\n\n{body(blocks, pictures.name)}"
        files += _pictures(derivation, pictures) if path.suffix in (".md", ".tex") else []
    with atomic_write(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return (path, *files)


def _pictures(derivation: Derivation, folder: Path) -> list[Path]:
    """Write the drawings as SVG and PDF."""
    make_folder(folder)
    files = []
    for picture in derivation.blocks:
        if isinstance(picture, Picture):
            drawn, printed = (folder / f"{picture.name}.{ending}" for ending in ("svg", "pdf"))
            with atomic_write(drawn) as temporary:
                temporary.write_bytes(containers.svg(picture.figure))
            with atomic_write(printed) as temporary:
                undated = {"CreationDate": None}
                picture.figure.savefig(temporary, format="pdf", metadata=undated)
            files += [drawn, printed]
    return files


def _named_model(model: Model, path: Path) -> tuple[str, list[Path]]:
    """Return how a page names its model, and the file that is written for it, if one is."""
    name = _name_of(model, path.parent)
    if name:
        return name, []
    own = path.with_name(f"{path.stem}_model.toml")
    save_model(model, own)
    return own.name, [own]


def _name_of(model: Model, folder: Path) -> str:
    """Return what pages in a folder may call a model, if anything."""
    source = model.source
    if source is None or not source.is_file() or fingerprint(load(source)) != fingerprint(model):
        return ""
    name = source.parent.name
    if source.parent not in shipped().values():
        name = Path(os.path.relpath(source.resolve(), folder.resolve())).as_posix()
    try:
        meant = model_file(folder, name)
    except ValueError:  # it leads out of the folder
        return ""
    return name if meant is not None and meant.samefile(source) else ""
