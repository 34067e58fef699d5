"""Pages made documents, of a model that is given or that their equations tell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

from freebody.arguments import checked
from freebody.checking.guesses import Guesses, adopted, beside
from freebody.checking.guesses import adopt as adopt_with_model
from freebody.checking.guesses.adopt import expect_free
from freebody.checking.guesses.front_matter import DOCUMENT, AdoptedSection
from freebody.checking.introduced import bare
from freebody.checking.meaning.symbols import Symbols
from freebody.consistency.energy_names import LAGRANGIANS
from freebody.documents import Document, read_bare
from freebody.documents.document import Meaning
from freebody.documents.headings import headings, located
from freebody.errors import DocumentError, ExpressionError, Problem
from freebody.files import atomic_write, peeking
from freebody.mechanics.mechanism import AnyModel
from freebody.recognition.chapters import ChapterModel, recognise_page
from freebody.recognition.held import Held, held
from freebody.recognition.page_numbers import given_numbers
from freebody.recognition.reasons import has_decimals
from freebody.recognition.recognised import Recognised
from freebody.recognition.symbols.model_symbols import model_symbols
from freebody.recognition.symbols.page_symbols import PageSymbol, page_symbols

NONE = "none"
"""What the model of a page is called as long as it is not known."""


@dataclass(frozen=True)
class ModelFit:
    """A model with which equations of a page hold.

    Attributes
    ----------
    name : str
    varied : str
        How the page varies it, in words; empty where it is as it is.
    fits, fails : tuple of str
        The labels of the equations that hold in it, and of those that do not.
    symbols : dict of str to str
        What letters of the page stand for in it, as varied.
    heading : str
        Of the chapter that is about it, where that is not the page.
    """

    name: str
    varied: str
    fits: tuple[str, ...]
    fails: tuple[str, ...]
    symbols: Mapping[str, Any]
    heading: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "name": self.name,
            "varied": self.varied,
            "fits": list(self.fits),
            "fails": list(self.fails),
            "heading": self.heading,
        }


@dataclass(frozen=True)
class AdoptedChapter:
    """A chapter of a page with the model that it is about, where that is another than the page's.

    Attributes
    ----------
    document : Document
        The chapter alone.
    fit : ModelFit
    guesses : Guesses
        What its symbols stand for.
    held : Held
        In which cases its equations hold.
    model : str
        By which a document names the model.
    model_path : Path, optional
        The model file that was written.
    is_section : bool
        Whether the document has it as a section; not where a heading before says the same.
    """

    document: Document
    fit: ModelFit
    guesses: Guesses
    held: Held
    model: str
    model_path: Path | None = None
    is_section: bool = True


@dataclass(frozen=True)
class Adopted:
    """What was understood of a page, and the document that was made of it.

    Attributes
    ----------
    document : Document
        The page as it was read, without what was guessed.
    models : tuple of ModelFit
        The models that fit, the likeliest first, and those of chapters; none where none fits.
    guesses : Guesses, optional
        What its symbols stand for in the first of them.
    path : Path, optional
        The document that was written.
    model_path : Path, optional
        The model file that was written, where the page varies a known one.
    reason : str
        Why no model fits.
    chapters : tuple of AdoptedChapter
        The parts of it that are about other models.
    held : Held
        In which cases its equations hold, where its model was not given.
    """

    document: Document
    models: tuple[ModelFit, ...]
    guesses: Guesses | None = None
    path: Path | None = None
    model_path: Path | None = None
    reason: str = ""
    chapters: tuple[AdoptedChapter, ...] = ()
    held: Held = field(default_factory=Held)

    @cached_property
    def symbols(self) -> tuple[PageSymbol, ...]:
        """All that is told of the symbols of the page, whether a model fits or not.

        What a chapter tells for sure counts where the page as a whole does not.
        """
        told = {one.symbol: one for one in page_symbols(self.document, self.guesses)}
        for chapter in self.chapters:
            for one in page_symbols(chapter.document, chapter.guesses):
                if one.symbol not in told or (one.is_sure and not told[one.symbol].is_sure):
                    told[one.symbol] = one
        return tuple(told.values())

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "models": [one.as_json() for one in self.models],
            "symbols": [one.as_json() for one in self.symbols],
            "document": None if self.path is None else str(self.path),
            "model_file": None if self.model_path is None else str(self.model_path),
            "chapters": [
                {
                    "heading": one.fit.heading,
                    "model_file": None if one.model_path is None else str(one.model_path),
                    "is_section": one.is_section,
                }
                for one in self.chapters
            ],
            "reason": self.reason,
        }


@checked
def adopt(
    page: str | Path,
    model: AnyModel | None = None,
    path: str | Path | None = None,
    *,
    models: str | Path | None = None,
    force: bool = False,
    effort: float = 1.0,
    progress: Callable[[str], None] = lambda _: None,
) -> Adopted:
    """Find out what a page is about, and write a document to complete.

    Without a model those that are known are tried, by the equations of motion of the page,
    whatever its letters are. What its equations prove of its symbols is declared; what is left
    stands in the front matter as comments. The page itself is not changed.

    Parameters
    ----------
    page : str or Path
        Of equations, in any of the files that a document may be.
    model : Model, Mechanism, str or Path, optional
        What all of the page is about; the document names it so, or by its file.
    path : str or Path, optional
        The document to write; else one beside the page.
    models : str or Path, optional
        A folder with models to try besides the shipped ones.
    force : bool, optional
        Write over a file that is there already.
    effort : float, optional
        How many times the usual work is done, at the most.
    progress : callable, optional
        Is told what is done.

    Returns
    -------
    Adopted
        With no document where no model fits.

    Raises
    ------
    FileError
        If the document cannot be written there.
    DocumentError, ModelError
        If the page or a model cannot be read, or the page is about another model.
    """
    page = Path(page)
    if model is not None:
        made = adopt_with_model(page, model, path, force=force, effort=effort, progress=progress)
        name = str(model) if isinstance(model, str | Path) else made.document.front.model
        known = made.guesses
        fit = ModelFit(name, "", known.fits, known.fails, known.sure())
        return Adopted(made.document, (fit,), known, made.path)
    path = beside(page) if path is None else Path(path)
    expect_free(path, page, force=force)
    document = read_bare(page, NONE)
    _refuse_sections(document)
    found = recognise_page(document, models, progress)
    if not found.whole.models:
        return Adopted(document, (), reason=found.whole.reason)
    best, *alike = found.whole.models
    others = [one for one in alike if one.fits]
    _expect_symbols_of(best, document)
    document = _with_macros(document, best)
    if is_inline := best.is_in_running_text:
        document = document.with_running_text
    every = [best, *(one.found for one in found.chapters)]
    targets = [_model_path(path, n) if one.made.text else None for n, one in enumerate(every)]
    for taken in filter(None, targets):
        expect_free(taken, page, force=force, ending=".toml")
    whole = _with_macros(found.document, best)
    guesses = model_symbols(whole, best, effort, progress)
    of_chapters = {one.label for each in found.chapters for one in each.found.motion.statements.all}
    own_cases = held(document, best, guesses).without(of_chapters)
    guesses = guesses.with_those_that_hold(own_cases.holds)
    first = _checked(best, guesses, own_cases)
    chapters = [
        _adopted_chapter(one, guesses.sure(), target, effort, progress)
        for one, target in zip(found.chapters, targets[1:], strict=True)
    ]
    name, model_path = _name(best, targets[0]), targets[0]
    sections = _sections(document, found.chapters, chapters)
    chapters = [replace(one, is_section=bool(sections)) for one in chapters]
    own = replace(document, front=document.front.model_copy(update={"model": name}))
    every_case = (own_cases, *(each.held for each in chapters))
    cases = [one if is_inline else one.displayed for one in every_case]
    assume = [*chain.from_iterable(one.assume for one in cases)]
    unchecked = [*chain.from_iterable(one.unchecked for one in cases)]
    text = adopted(own, name, guesses, path, sections, assume, unchecked)
    for one, target in zip(every, targets, strict=True):
        if target is not None:
            _write_model(one, page, target)
    with peeking(), atomic_write(path) as temporary:  # what is forced may replace a document
        temporary.write_text(text, encoding="utf-8")
    fits = (first, *(_beside(one, first) for one in others), *(one.fit for one in chapters))
    return Adopted(
        document, fits, guesses, path, model_path, chapters=tuple(chapters), held=own_cases
    )


def _adopted_chapter(
    one: ChapterModel,
    inherited: Mapping[str, Meaning],
    model_path: Path | None,
    effort: float,
    progress: Callable[[str], None],
) -> AdoptedChapter:
    """Return a chapter with what its symbols are."""
    document = _with_macros(one.document, one.found)
    guesses = model_symbols(document, one.found, effort, progress)
    cases = held(document, one.found, guesses, inherited)
    fit = replace(_checked(one.found, guesses, cases), heading=one.chapter.heading.title)
    return AdoptedChapter(document, fit, guesses, cases, _name(one.found, model_path), model_path)


def _with_macros(document: Document, found: Recognised) -> Document:
    """Return a page with what its commands were taken for that nothing defines."""
    assumed = found.motion.statements.assumed
    own = {name: macro.body for name, macro in assumed.items()}
    front = document.front.model_copy(update={"macros": {**own, **document.front.macros}})
    return replace(document, front=front)


def _sections(
    document: Document, found: Sequence[ChapterModel], chapters: Sequence[AdoptedChapter]
) -> list[AdoptedSection]:
    """Return the sections of a page that are about other models, and those behind them.

    Of chapters whose headings say the same as others before them none can be named.
    """
    known, sections = headings(document.page), dict[int, AdoptedSection]()
    for one, made in zip(found, chapters, strict=True):
        heading = one.chapter.heading
        sections[heading.start] = AdoptedSection(heading.title, made.model, made.guesses)
        following = next((each for each in known if each.start >= one.chapter.stop), None)
        if following:
            sections.setdefault(following.start, AdoptedSection(following.title))
    named = [sections[start] for start in sorted(sections)]
    starts, problems = located(document.page, [one.heading for one in named])
    return named if not problems and starts == sorted(sections) else []


def _checked(found: Recognised, guesses: Guesses, cases: Held) -> ModelFit:
    """Return a model with all equations that hold with what is sure, or do not in any case."""
    told = _fit(found)
    fits = tuple(dict.fromkeys((*guesses.fits, *told.fits)))
    unclear = (
        one.label for one in guesses.page.equations
        if not cases.ambiguous.isdisjoint(map(bare, one.keys))
    )  # fmt: skip
    values = {one.label for one in found.motion.statements.all if one.states_value}
    others_than = {
        *fits, *cases.aside, *cases.holds, *cases.undecided, *unclear, *found.undriven,
        *found.aside, *_of_constants(found, guesses),
    }  # fmt: skip
    others_than |= values.difference(told.fails)
    failing = dict.fromkeys((*guesses.fails, *told.fails))
    unjudged = [one for one in failing if one not in others_than]
    if found.may_be_misprinted(unjudged):
        unjudged = []
    return replace(told, fits=fits, fails=tuple(dict.fromkeys((*unjudged, *cases.differs))))


def _name(found: Recognised, model_path: Path | None) -> str:
    """Return by what a document names a model: its file, or that of a shipped one."""
    return str(model_path) if model_path else found.name if found.is_shipped else str(found.source)


def _refuse_sections(document: Document) -> None:
    """Refuse a page of which a document says what its parts are about: they are not found anew."""
    problems = [
        Problem(
            f"sections[{number}].model",
            f"'{one.model}', expected none where the models of a page are looked for: "
            "check the document, or remove it to adopt the page anew",
        )
        for number, one in enumerate(document.front.sections)
        if one.model is not None
    ]
    if problems:
        raise DocumentError(str(document.path), problems)


def _expect_symbols_of(found: Recognised, document: Document) -> None:
    """Expect that what a document says of symbols is something in the model that was found.

    A document beside the page may have been made for another one.
    """
    known = Symbols(found.quantities, document.front.symbols)
    problems = []
    for key in document.front.symbols:
        try:
            known.varies(key)
        except ExpressionError as error:
            words = f", {found.made.words}" if found.made.words else ""
            message = f"{error}, in the model that the page's equations tell: {found.name}{words}"
            problems.append(Problem(f"symbols.{key}", message))
    if problems:
        raise DocumentError(str(document.path), problems)


def _of_constants(found: Recognised, guesses: Guesses) -> Iterator[str]:
    """Iterate over the labels of equations that are no matter of the model.

    They are about its constants alone, which are given there, have decimals in place of all of
    them, or have a letter of one for an energy.
    """
    constants = found.quantities.mechanism.model.constants.keys()
    meant = {bare(one.key): one.meaning for one in guesses.symbols}
    given = {key for key, what in meant.items() if isinstance(what, str) and what in constants}
    yield from found.motion.energetic(given.intersection(LAGRANGIANS))
    for one in guesses.page.equations:
        keys = {bare(key) for key in one.keys}
        if keys <= given or (given.isdisjoint(keys) and has_decimals(one.relation)):
            yield one.label


def _fit(found: Recognised) -> ModelFit:
    return ModelFit(found.name, found.made.words, found.fits, found.fails, found.made.symbols)


def _beside(found: Recognised, best: ModelFit) -> ModelFit:
    """Return another model: what holds in the best one does not speak against the page."""
    told = _fit(found)
    return replace(told, fails=tuple(one for one in told.fails if one not in best.fits))


def _model_path(path: Path, number: int) -> Path:
    """Return where a model is written, beside the document: the first, or of a chapter.

    Examples
    --------
    >>> [_model_path(Path("my notes_document.md"), n).name for n in (0, 1)]
    ['my_notes_model.toml', 'my_notes_model_2.toml']
    """
    stem = re.sub(r"\W+", "_", path.stem.removesuffix(DOCUMENT)).strip("_") or "page"
    return path.with_name(f"{stem}_model{f'_{number + 1}' if number else ''}.toml")


def _write_model(found: Recognised, page: Path, target: Path) -> None:
    with peeking(), atomic_write(target) as temporary:
        own = " that it does not give" if given_numbers(found) else ""
        head = f"# Made of {page.name}: the numbers{own} are examples.\n\n"
        temporary.write_text(head + found.made.text, encoding="utf-8")
