"""Documents read from their files: Markdown, LaTeX and notebooks."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from freebody.documents.document import Document, FrontMatter, front_matter
from freebody.documents.headings import located
from freebody.documents.latex.page.places import places
from freebody.documents.printed import printed
from freebody.documents.sources import FENCE, FRONTED, PAGES, Source, front_of, read_source
from freebody.errors import DocumentError, Problem, nearest
from freebody.files import FileError, peeking

_PAGE = re.compile(r"""^page[ \t]*=[ \t]*(["'])(.*?)\1""", re.MULTILINE)


def documents_of(source: Path) -> tuple[Document, ...]:
    """Return the documents beside a model file.

    All Markdown files with front matter, and LaTeX files and notebooks with front matter of their
    own, belong to a ``model.toml``; to a file of another name those that name it as their model.
    Files whose front matter is that of another program are passed over.

    Raises
    ------
    DocumentError
        If one of them cannot be read.
    """
    beside = tuple(documents_beside(source))
    for one in beside:
        if isinstance(one, DocumentError):
            raise one
    return tuple(one for one in beside if isinstance(one, Document))


def documents_beside(source: Path) -> Iterator[Document | DocumentError]:
    """Iterate over the documents beside a model file, or what is wrong with them."""
    foreign = passed_over(source)
    for path in _with_front_matter(source.parent):
        if path not in foreign:
            one = _read(path)
            if isinstance(one, DocumentError) or _belongs(one, source):
                yield one


def _read(path: Path) -> Document | DocumentError:
    try:
        return read_document(path)
    except DocumentError as error:
        return error


def _belongs(document: Document, source: Path) -> bool:
    """Return whether a document beside a model file belongs to it by its names."""
    named = Path(document.front.model).name
    return source.name == "model.toml" or named in (source.stem, source.name)


def passed_over(source: Path) -> tuple[Path, ...]:
    """Return the files beside a model file whose front matter is that of another program."""
    return tuple(path for path in _with_front_matter(source.parent) if _is_foreign(path))


def _is_foreign(path: Path) -> bool:
    try:
        front = read_source(path).front
    except DocumentError:
        return False
    return front is not None and not is_of_a_document(front)


OWN = {"model", "symbols", "page"}
OWN_TABLES = ("sections", "equations", "assume", "errata", "unchecked")
"""Keys of front matter that other programs have not."""


def is_of_a_document(front: str) -> bool:
    """Return whether front matter is that of a document; other programs have front matter as well.

    What is no TOML counts, so that it is told what is wrong with it.

    Examples
    --------
    >>> is_of_a_document("model = 'pendulum'"), is_of_a_document("date = 2026-01-01")
    (True, False)
    """
    try:
        found = tomllib.loads(front)
    except (ValueError, RecursionError):
        return True
    return bool(OWN & found.keys()) or any(isinstance(found.get(one), list) for one in OWN_TABLES)


def _with_front_matter(folder: Path) -> list[Path]:
    beside = (path for ending in FRONTED for path in folder.glob(f"*{ending}"))
    return sorted(path for path in beside if _has_front_matter(path))


def _has_front_matter(path: Path) -> bool:
    if not path.is_file():
        return False
    if path.suffix in PAGES:
        try:
            return read_source(path).front is not None
        except DocumentError:
            return False
    with path.open("rb") as file:
        return file.read(len(FENCE)) == FENCE.encode()


def read_document(path: Path) -> Document:
    """Read a document.

    A LaTeX file or notebook without front matter of its own is read as the Markdown file beside
    it says that names it as its page.

    Raises
    ------
    DocumentError
        With all that is wrong with its front matter, or if its page cannot be read.
    """
    file = read_source(path)
    if file.front is not None:
        return _complete(file, front_matter(path, file.front))
    if path.suffix in PAGES:
        return read_document(_naming(path))
    message = f"expected TOML front matter between two lines of '{FENCE}' at the top"
    raise _error(path, "", message)


def is_bare(path: Path) -> bool:
    """Return whether a file is a page without front matter, of its own or beside it.

    That of another program is none.

    Raises
    ------
    DocumentError
        If it cannot be read.
    """
    if path.suffix not in (".md", *PAGES) or not path.is_file():
        return False
    front = read_source(path).front
    if front is not None and is_of_a_document(front):
        return False
    return not (path.suffix in PAGES and _naming_files(path))


def read_bare(path: Path, model: str) -> Document:
    """Read a page that needs no front matter, as one about a model.

    What its front matter says counts, or that of the Markdown file beside it that names it as its
    page; its title and model may be left out.

    Raises
    ------
    DocumentError
        As `read_document`.
    """
    file = read_source(path)
    if file.front is not None and not is_of_a_document(file.front):
        file = replace(file, front=None)
    if file.front is None and path.suffix in PAGES and len(_naming_files(path)) == 1:
        file = read_source(_naming(path))
    front = front_matter(file.path, file.front or "", title=path.stem, model=model)
    return _complete(file, front)


def _complete(file: Source, front: FrontMatter) -> Document:
    """Return the document with its page, its sections, and its symbols as they are printed."""
    document = file.document(front)
    if front.page is not None:
        document = _with_page(document, front.page)
    page = document.page
    starts, problems = located(page, [section.heading for section in front.sections])
    if problems:
        raise DocumentError(str(file.path), problems)
    front = printed(file.path, front, page.macros)
    return replace(document, front=front, headings=tuple(starts))


# ---------------------------------------------------------------------- a page in another file


def _with_page(document: Document, name: str) -> Document:
    """Return the document with the page that its front matter names."""
    path = document.path
    if path.suffix in PAGES or next(places(document.page), None) is not None:
        message = f"two sources of equations: '{name}', and the equations below the front matter"
        raise _error(path, "page", message)
    page = read_source(_beside(path, name))
    if page.front is not None:
        raise _error(path, "page", f"'{name}' has front matter of its own")
    return replace(page.document(document.front), path=path, source=page.path)


def _beside(path: Path, name: str) -> Path:
    """Return the path of a page, which stands in the folder of its document or below."""
    page, folder = path.parent / name, path.parent.resolve()
    if page.suffix not in PAGES:
        endings = " or ".join([", ".join(PAGES[:-1]), PAGES[-1]])
        raise _error(path, "page", f"expected a {endings} file, found '{name}'")
    if not page.resolve().is_relative_to(folder):
        message = f"expected a file in the folder of the document or below, found '{name}'"
        raise _error(path, "page", message)
    if not page.is_file():
        known = [str(one.relative_to(path.parent)) for one in _pages_beside(path)]
        raise _error(path, "page", f"no file '{name}' beside the document{nearest(name, known)}")
    return page


def _pages_beside(path: Path) -> Iterator[Path]:
    return (one for ending in PAGES for one in path.parent.glob(f"*{ending}"))


def _naming(path: Path) -> Path:
    """Return the document that names a page."""
    found = _naming_files(path)
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(one.name for one in found)
        raise _error(path, "", f"expected one document that names it as its page, found {names}")
    signs = "% " if path.suffix == ".tex" else ""
    raise _error(
        path,
        "",
        f"expected TOML front matter between two lines of '{signs}{FENCE}' at the top, or a .md "
        f"file beside it with page = '{path.name}'; "
        f"'freebody adopt {path.name} --model MODEL' writes one, and 'freebody check {path.name} "
        "--alone' needs none",
    )


def _naming_files(path: Path) -> list[Path]:
    if not path.is_file():
        return []
    return [one for one in sorted(path.parent.glob("*.md")) if _names(one, path)]


def _names(document: Path, page: Path) -> bool:
    """Return whether the front matter of a document, be it right or wrong, names a page."""
    try:
        with peeking():
            name = _PAGE.search(front_of(document))
    except FileError:
        return False
    return name is not None and (document.parent / name[2]).resolve() == page.resolve()


def _error(path: Path, where: str, message: str) -> DocumentError:
    return DocumentError(str(path), [Problem(where, message)])
