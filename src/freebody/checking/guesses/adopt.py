"""A bare page made a document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from freebody.arguments import checked
from freebody.checking.guesses.front_matter import adopted, beside, expect_reach
from freebody.checking.guesses.guessing import Guesses, guess
from freebody.checking.quantities.derived import Quantities
from freebody.documents import Document, read_bare
from freebody.errors import DocumentError, ModelError, Problem
from freebody.files import FileError, atomic_write, expect_writable, peeking
from freebody.mechanics.mechanism import AnyModel
from freebody.model import Model
from freebody.model.files import model_of


@dataclass(frozen=True)
class AdoptedDocument:
    """A document that was made of a page.

    Attributes
    ----------
    path : Path
        Where it is.
    document : Document
        The page as it was read, without what was guessed.
    guesses : Guesses
        What its symbols stand for, and how many equations hold with that.
    """

    path: Path
    document: Document
    guesses: Guesses


@checked
def adopt(
    page: str | Path,
    model: AnyModel,
    path: str | Path | None = None,
    *,
    force: bool = False,
    effort: float = 1.0,
    progress: Callable[[str], None] = lambda _: None,
) -> AdoptedDocument:
    """Guess what the symbols of a page stand for, and write a document to complete.

    What its equations prove is declared; what is left stands in the front matter as comments. The
    page itself is not changed.

    Parameters
    ----------
    page : str or Path
        Of equations, in any of the files that a document may be.
    model : Model, Mechanism, str or Path
        What all of the page is about; the document names it so, or by its file.
    path : str or Path, optional
        The document to write; else one beside the page.
    force : bool, optional
        Write over a file that is there already.
    effort : float, optional
        How many times the usual work is done, at the most.
    progress : callable, optional
        Is told what is done.

    Returns
    -------
    AdoptedDocument
        The document that was written, and what its symbols stand for.

    Raises
    ------
    FileError
        If the document cannot be written there.
    DocumentError, ModelError
        If the page or the model cannot be read, or the page is about another model.
    """
    page, known = Path(page), model_of(model)
    name = str(model) if isinstance(model, str | Path) else _file_of(known)
    path = beside(page) if path is None else Path(path)
    expect_free(path, page, force=force)
    document = read_bare(page, name)
    _refuse_other_models(document, name)
    guesses = guess(document, Quantities(known), effort, progress)
    text = adopted(document, name, guesses, path)
    with peeking(), atomic_write(path) as temporary:  # what is forced may replace a document
        temporary.write_text(text, encoding="utf-8")
    return AdoptedDocument(path, document, guesses)


def _file_of(model: Model) -> str:
    if model.source is None:
        message = "expected a model from a file, which the document can name"
        raise ModelError.whole(model.title, message)
    return str(model.source)


def expect_free(path: Path, page: Path, *, force: bool, ending: str = ".md") -> None:
    """Refuse to write over a file that is there, over the page, elsewhere, or with another ending.

    Raises
    ------
    FileError
    DocumentError
        If a document could not name the page from there.
    """
    if path.exists() and not force:
        raise FileError(path, "is there already: name another with -o, or write over it: --force")
    if path.exists() and page.exists() and path.samefile(page):
        raise FileError(path, "is the page itself: name another with -o")
    if path.suffix != ending:
        raise FileError(path, f"expected a {ending} file")
    expect_reach(path, page)
    with peeking():  # a document of the page, which is read for what it declares, stands there
        expect_writable(path)


def _refuse_other_models(document: Document, model: str) -> None:
    """Refuse a page that is about several models, or about another."""
    front = document.front
    named = {"model": front.model}
    named |= {f"sections[{n}].model": one.model or model for n, one in enumerate(front.sections)}
    problems = [
        Problem(where, f"'{name}', expected '{model}': a page is adopted as one about one model")
        for where, name in named.items()
        if name != model
    ]
    if problems:
        raise DocumentError(str(document.path), problems)
