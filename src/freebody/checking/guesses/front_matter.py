"""The document that a page becomes: its front matter with what is guessed, to be completed."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from freebody.checking.guesses.guessing import Guess, Guesses
from freebody.checking.models import model_file
from freebody.documents import Document
from freebody.documents.document import Assumption, Meaning, Unchecked
from freebody.documents.reading import is_of_a_document
from freebody.documents.sources import FENCE, PAGES, read_source
from freebody.errors import DocumentError
from freebody.locating import FILE_NAME, shipped

_SYMBOLS = re.compile(r"^[ \t]*\[[ \t]*symbols[ \t]*\][^\n]*\n?", re.MULTILINE)

_GUESSED = re.compile(r"^# (?:unsure|unknown): .*\n?", re.MULTILINE)
"""What an earlier adoption left open."""
_LINE = re.compile(r"(?<=line )\d+")
DOCUMENT = "_document"
"""How the name of a document ends that stands beside a page of Markdown."""
Entry = TypeVar("Entry", Assumption, Unchecked)


def beside(page: Path) -> Path:
    """Return where the document of a page stands, which is never the page itself.

    Examples
    --------
    >>> beside(Path("arm.ipynb")).name, beside(Path("arm.md")).name
    ('arm.md', 'arm_document.md')
    """
    if page.suffix in PAGES:
        return page.with_suffix(".md")
    return page.with_name(f"{page.stem}{DOCUMENT}.md")


@dataclass(frozen=True)
class AdoptedSection:
    """A section of a page that is about another model than the page.

    Attributes
    ----------
    heading : str
    model : str, optional
        The model: a file, a folder, or the name of a shipped one; None of what goes on with that
        of the page behind such a section.
    guesses : Guesses, optional
        What is guessed of its symbols.
    """

    heading: str
    model: str | None = None
    guesses: Guesses | None = None


def adopted(
    document: Document,
    model: str,
    guesses: Guesses,
    path: Path,
    sections: Sequence[AdoptedSection] = (),
    assume: Sequence[Assumption] = (),
    unchecked: Sequence[Unchecked] = (),
) -> str:
    """Return the text of the document that a page becomes.

    What front matter the page has is kept, that of another program as comments. What is sure is
    declared in it; what is not stands there as comments.

    Parameters
    ----------
    document : Document
        The page.
    model : str
        The model: a file, a folder, or the name of a shipped one.
    guesses : Guesses
        What is guessed of the page.
    path : Path
        Where the document is to stand.
    sections : sequence of AdoptedSection, optional
        The parts of the page that are about other models, in their order.
    assume : sequence of Assumption, optional
        The cases that some of its equations are about.
    unchecked : sequence of Unchecked, optional
        Equations that are not to be checked.

    Raises
    ------
    DocumentError
        If it would not be read there as it is meant.
    """
    source = read_source(document.path)
    if document.path.suffix in PAGES and source.front is not None:
        raise DocumentError.whole(document.path, "expected a page without front matter of its own")
    named: dict[str, str | bool] = {
        "title": document.front.title, "model": _model_from(path, model),
    }  # fmt: skip
    if document.path.suffix in PAGES or document.source is not None:
        page = document.source or document.path
        expect_reach(path, page)
        named["page"] = _relative(page, path.parent)
    if document.front.inline:
        named["inline"] = True
    front = _completed(_own(source.front or ""), named, list(_lines(guesses)))
    known = {label for one in document.front.unchecked for label in one.labels}
    rest = [one for one in unchecked if not known.issuperset(one.labels)]
    macros = {} if "macros" in tomllib.loads(front) else document.front.macros
    body = "" if document.path.suffix in PAGES else source.text[source.start :].lstrip("\n")

    def text(lines: int) -> str:
        tables = (
            *_macros(macros), *_assume(_lowered(assume, lines)),
            *_unchecked(_lowered(rest, lines)), *_sections(sections, path),
        )  # fmt: skip
        head = "\n".join((front.rstrip("\n"), *tables)).strip()
        return f"{FENCE}\n{head}\n{FENCE}\n" + (f"\n{body}" if body else "")

    above = text(0).count("\n") - source.text.count("\n")
    return text(above if body else 0)


def _lowered(entries: Iterable[Entry], lines: int) -> Iterator[Entry]:
    """Iterate over entries with their equations in running text so many lines further down."""
    for one in entries:
        labels = (_LINE.sub(lambda found: f"{int(found[0]) + lines}", each) for each in one.labels)
        yield one.model_copy(update={"labels": tuple(labels)})


def _own(front: str) -> str:
    """Return front matter of a document; that of another program as comments."""
    if not front.strip() or is_of_a_document(front):
        return front
    return "".join(f"# {line}\n" for line in front.splitlines())


def _completed(front: str, named: Mapping[str, str | bool], lines: list[str]) -> str:
    """Return front matter with keys that it lacks, and lines among its symbols."""
    known = tomllib.loads(front)
    front = _GUESSED.sub("", front)
    missing = {key: value for key, value in named.items() if key not in known}
    added = "".join(f"{key} = {_toml(value)}\n" for key, value in missing.items())
    symbols = "".join(f"{line}\n" for line in lines)
    if not (table := _SYMBOLS.search(front)):
        return f"{added}{front}\n[symbols]\n{symbols}"
    return f"{added}{front[: table.end()]}{symbols}{front[table.end() :]}"


def _macros(macros: Mapping[str, str]) -> Iterator[str]:
    """Iterate over the lines of the table of macros that the page does not define."""
    if macros:
        yield "\n[macros]"
        yield from (f"{_key(name)} = {_toml(body)}" for name, body in macros.items())


def _sections(sections: Iterable[AdoptedSection], path: Path) -> Iterator[str]:
    """Iterate over the lines of the tables of sections."""
    for one in sections:
        yield f"\n[[sections]]\nheading = {_toml(one.heading)}"
        if one.model is not None:
            yield f"model = {_toml(_model_from(path, one.model))}"
        if one.guesses is not None:
            yield "[sections.symbols]"
            yield from _lines(one.guesses)


def _assume(assume: Iterable[Assumption]) -> Iterator[str]:
    """Iterate over the lines of the tables of what equations take for granted."""
    for one in assume:
        yield f"\n[[assume]]\nin = {_toml([*one.labels])}"
        if one.small:
            yield f"small = {_toml([*one.small])}"
        if one.given:
            given = ", ".join(f"{_key(key)} = {_toml(value)}" for key, value in one.given.items())
            yield f"given = {{ {given} }}"


def _unchecked(unchecked: Iterable[Unchecked]) -> Iterator[str]:
    """Iterate over the lines of the tables of equations that are not checked."""
    for one in unchecked:
        labels = ", ".join(map(_toml, one.labels))
        yield f"\n[[unchecked]]\nin = [{labels}]\nreason = {_toml(one.reason)}"


def _model_from(path: Path, model: str) -> str:
    """Return how a document names a model.

    Raises
    ------
    DocumentError
        If it cannot name it, or would be taken for one about another.
    """
    if model in shipped() and not Path(model).exists():
        source = shipped()[model] / FILE_NAME
    else:
        source = Path(model) / FILE_NAME if Path(model).is_dir() else Path(model)
    is_shipped = source.parent in shipped().values()
    named = source.parent.name if is_shipped else _relative(source, path.parent)
    for taken in (_model_path(path, named), *([path.parent / FILE_NAME] if is_shipped else [])):
        if taken.exists() and not taken.samefile(source):
            raise DocumentError.whole(
                path, f"beside it stands another model, '{taken}', which would be taken"
            )
    return named


def _model_path(path: Path, named: str) -> Path:
    """Return the model file that a document means by a name."""
    try:
        return model_file(path.parent, named) or path.parent / named
    except ValueError:
        message = f"expected the model in the folder of the document or below, found '{named}'"
        raise DocumentError.whole(
            path, f"{message}: write the document beside it with -o"
        ) from None


def expect_reach(path: Path, page: Path) -> None:
    """Refuse a place for a document from which it cannot name its page.

    Raises
    ------
    DocumentError
    """
    if page.suffix in PAGES and not page.resolve().is_relative_to(path.parent.resolve()):
        raise DocumentError.whole(path, f"expected a place in the folder of '{page}' or above it")


def _relative(path: Path, folder: Path) -> str:
    return Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix()


def _lines(guesses: Guesses) -> Iterator[str]:
    """Iterate over the symbols as the front matter has them."""
    for one in guesses.symbols:
        declared = f"{_key(one.key)} = {_toml(one.meaning if one.meaning is not None else '')}"
        if one.standing == "sure":
            yield declared
        else:
            yield " ".join(f"# {one.standing}: {declared}   # {_place(one)}".split())


def _place(one: Guess) -> str:
    words = f"the page says {_toml(one.used.words)}; " if one.used.words else ""
    others = "".join(f"; or {_toml(other)}" for other in one.alternatives)
    return f"{words}first in {one.used.label}, {one.used.place}{others}"


def _key(key: str) -> str:
    return json.dumps(key, ensure_ascii=False) if "'" in key else f"'{key}'"


def _toml(meaning: Meaning) -> str:
    """Return a meaning in TOML, which writes text, numbers and lists as JSON does."""
    return json.dumps(meaning, ensure_ascii=False)
