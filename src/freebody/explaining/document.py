"""A page as a document that freebody reads: its front matter and its text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from freebody.checking.document import check_document
from freebody.checking.quantities.derived import Quantities
from freebody.checking.report import DocumentReport
from freebody.documents.document import Document, FrontMatter
from freebody.explaining.page import Block, Formula, Heading, Page, Picture, Prose, Table
from freebody.model import Model


def front_matter(page: Page, title: str, model: str, unused: Sequence[str] = ()) -> dict[str, Any]:
    """Return the front matter of a page, as data, without what its equations do not use."""
    entries = enumerate(page.assumed)
    assumed = [{"in": to, **one} for i, (one, to) in entries if f"assume[{i}]" not in unused]
    symbols = {k: v for k, v in page.notation.declared.items() if k not in unused}
    return {
        "title": title,
        "model": model,
        "symbols": symbols,
        **({"assume": assumed} if assumed else {}),
    }


KEYS = ("title", "model", "derived_from")
"""What front matter begins with."""


def toml(front: dict[str, Any]) -> str:
    """Return front matter as TOML."""
    lines = [f"{key} = {_value(front[key])}" for key in KEYS if key in front]
    if symbols := front.get("symbols"):
        lines += ["", "[symbols]", *(f"'{k}' = {_value(v)}" for k, v in symbols.items())]
    for entry in front.get("assume", ()):
        lines += ["", "[[assume]]", *(f"{key} = {_value(value)}" for key, value in entry.items())]
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    """Return a value in TOML, which writes text, numbers and lists as JSON does."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_value(one)}' for key, one in value.items())} }}"
    return json.dumps(value, ensure_ascii=False)


def body(blocks: Sequence[Block], pictures: str = "") -> str:
    """Return the text of a page in Markdown.

    Parameters
    ----------
    blocks : sequence of Block
    pictures : str, optional
        The folder of the pictures; they are left out without one.
    """
    return "\n\n".join(_markdown(blocks, pictures)) + "\n"


def _markdown(blocks: Sequence[Block], pictures: str) -> Iterator[str]:
    for block in blocks:
        match block:
            case Heading():
                yield f"{'#' * block.level} {block.text}"
            case Prose():
                yield block.text
            case Formula():
                yield f"$$\n{block.latex} \\tag{{{block.label}}}\n$$"
            case Picture():
                if pictures:
                    yield f"![{_alternative(block)}]({pictures}/{block.name}.svg)"
                yield f"*{block.caption}*"
            case Table():
                yield "\n".join(_table(block.rows))


def _alternative(picture: Picture) -> str:
    return picture.caption.partition(",")[0].replace("$", "")


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    head, *others = rows
    for row in (head, ["---"] * len(head), *others):
        yield f"| {' | '.join(row)} |"


def verified(page: Page, title: str, model: Model, quantities: Quantities) -> DocumentReport:
    """Check a page against its model, without a file."""
    front = FrontMatter.model_validate(front_matter(page, title, model.title))
    document = Document(Path("derivation.md"), front, body(page.blocks), 0)
    return check_document(document, quantities)
