"""Pages graded: held against a model, or against a document that is right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from freebody.checking.beside import contradicted, with_statements
from freebody.checking.document import check_document
from freebody.checking.models import DerivedModels, is_about, model_of
from freebody.checking.processes import each
from freebody.checking.quantities.derived import Quantities
from freebody.checking.report import DocumentReport, Report
from freebody.code import ENDINGS as CODE
from freebody.code import has_code
from freebody.code.listings import read_listing
from freebody.documents import Document, read_bare, read_document
from freebody.documents.document import FrontMatter, Meaning
from freebody.documents.latex.names import normal, over
from freebody.documents.sources import PAGES
from freebody.errors import DocumentError, FreebodyError, ModelError, fault
from freebody.files import advice_by_ending
from freebody.model import Model, load

ENDINGS = (".md", *PAGES)


@dataclass(frozen=True)
class _Reference:
    """What pages are held against: a model, and what a document says of its symbols.

    What is left of the symbols after that are the model's own `letters`, if it has been shown in
    these.
    """

    name: str
    model: Model
    front: FrontMatter | None
    letters: Mapping[str, Meaning] = field(default_factory=dict)


def grade(
    targets: Iterable[str | Path | Model],
    against: str | Path | Model | Document,
    jobs: int = 1,
    progress: Callable[[str], None] = lambda _: None,
    letters: Mapping[str, Meaning] | None = None,
) -> Report:
    """Hold pages against a model, or the model and the symbols of a document.

    Symbols that a page declares itself count before those of the document; held against a model
    alone, those that are left have the meaning that is sure. Where none is, they have that of
    ``letters``, if the model has been shown to the writer in these.

    Of several pages one that cannot be read is told in its report, and the others are graded.

    Raises
    ------
    DocumentError, ModelError
        If the only page, the document or the model cannot be read.
    """
    reference, targets = replace(_reference(against), letters=letters or {}), tuple(targets)
    if not targets:
        raise DocumentError.whole(reference.name, "expected pages to hold against it, found none")
    is_only, beside = len(targets) == 1, any(_is_code(one) for one in targets)
    work = partial(_reports, reference=reference, is_only=is_only, beside=beside)
    done, reports = each(work, targets, jobs), []
    for target in targets:
        progress(_name(target))
        reports += next(done)
    return Report(tuple(contradicted(reports)), graded=True)


def _reports(
    target: str | Path | Model,
    derived: DerivedModels,
    reference: _Reference,
    *,
    is_only: bool,
    beside: bool,
) -> list[DocumentReport]:
    """Return the report on a page, and those on the code within it."""
    is_page = not isinstance(target, Model) and Path(target).suffix in ENDINGS
    within = is_page and Path(str(target)).is_file() and _has_code(Path(str(target)))
    report = _report(target, derived, reference, is_only=is_only, beside=beside or within)
    if isinstance(target, Model) or report.faults or not within:
        return [report]
    from freebody.checking.code.report import with_code  # slow to import

    return with_code(report, Path(target), derived.of(reference.model), reference.name)


def _is_code(target: str | Path | Model) -> bool:
    return not isinstance(target, Model) and Path(target).suffix in CODE


def _has_code(path: Path) -> bool:
    return has_code(path, path.read_text(encoding="utf-8", errors="replace"))


def _report(
    target: str | Path | Model,
    derived: DerivedModels,
    reference: _Reference,
    *,
    is_only: bool,
    beside: bool,
) -> DocumentReport:
    try:
        quantities = derived.of(reference.model)
        if not isinstance(target, Model) and _is_code(target):
            from freebody.checking.code.report import check_listing  # slow to import

            return check_listing(read_listing(Path(target)), quantities, reference.name)
        report = _graded(_page(target, reference), reference, quantities, beside=beside)
        remarks = (*report.remarks, *_models_left(target, reference))
        return replace(report, remarks=remarks)
    except Exception as error:  # of many pages the others are graded all the same
        if is_only and isinstance(error, FreebodyError):
            raise
        return _ungraded(target, reference, error)


def _name(target: str | Path | Model) -> str:
    return target.title if isinstance(target, Model) else Path(target).stem


def _ungraded(
    target: str | Path | Model, reference: _Reference, error: Exception
) -> DocumentReport:
    name = _name(target)
    return DocumentReport(name, name, reference.name, (), faults=(fault(error),))


def _reference(against: str | Path | Model | Document) -> _Reference:
    if isinstance(against, Model):
        return _Reference(against.title, against, None)
    if isinstance(against, Document):
        return _Reference(against.name, model_of(against), against.front)
    if Path(against).suffix in ENDINGS:
        return _reference(read_document(Path(against)))
    return _Reference(str(against), load(against), None)


def _page(target: str | Path | Model, reference: _Reference) -> Document:
    """Return a page with the symbols of the reference, and without what it records."""
    if isinstance(target, Model) or Path(target).suffix not in ENDINGS:
        message = f"expected a page ({', '.join(ENDINGS)}) or code to grade, found a model"
        advice = None if isinstance(target, Model) else advice_by_ending(Path(target), ENDINGS)
        raise DocumentError.whole(_name(target), advice or message)
    document = read_bare(Path(target), reference.name)
    sections = [one.model_copy(update={"model": None}) for one in document.front.sections]
    declared = reference.front.symbols if reference.front else {}
    assumed = reference.front.assume if reference.front else ()
    changes = {
        "model": reference.front.model if reference.front else reference.name,
        "symbols": over(declared, document.front.symbols),
        "sections": tuple(sections),
        "assume": (*document.front.assume, *(one for one in assumed if not one.labels)),
        "errata": (),
        "unchecked": (),
    }
    return replace(document, front=document.front.model_copy(update=changes))


def _models_left(target: str | Path | Model, reference: _Reference) -> Iterator[str]:
    """Iterate over the models that a page names and is not held against."""
    page = read_bare(Path(str(target)), reference.name)
    names = {page.front.model, *(one.model or page.front.model for one in page.front.sections)}
    for name in sorted(names - {reference.name}):
        if not _is_of(page, reference.model, name):
            yield f"held against '{reference.name}': its own model '{name}' is left aside"


def _is_of(page: Document, model: Model, name: str) -> bool:
    try:
        return is_about(page, model, name)
    except (DocumentError, ModelError):
        return False


def _graded(
    page: Document, reference: _Reference, quantities: Quantities, *, beside: bool
) -> DocumentReport:
    report = check_document(page, quantities)
    if (report.undeclared or report.introduced) and reference.front is None:
        page, report = _with_guesses(page, report, quantities)
        if report.undeclared and reference.letters:
            page = _declaring(page, reference.letters)
            report = check_document(page, quantities)
    report = with_statements(report, page, quantities) if beside else report
    equations = tuple(
        replace(one, surprise="") if one.status == "differs" else one for one in report.equations
    )
    return replace(report, equations=equations, unused=())


def _with_guesses(
    page: Document, report: DocumentReport, quantities: Quantities
) -> tuple[Document, DocumentReport]:
    """Return a page with what is sure of its symbols, checked again."""
    try:
        from freebody.checking.guesses import guessed  # slow to import

        declaring = _declaring(page, guessed(page, quantities))
        return declaring, check_document(declaring, quantities)
    except Exception as error:  # what the page declares itself is judged all the same
        return page, replace(report, faults=(*report.faults, fault(error)))


def _declaring(page: Document, symbols: Mapping[str, Meaning]) -> Document:
    """Return a page that declares more symbols than it does, in whatever spelling."""
    own = {normal(key) for key in page.front.symbols}
    more = {key: meaning for key, meaning in symbols.items() if normal(key) not in own}
    declared = {**more, **page.front.symbols}
    return replace(page, front=page.front.model_copy(update={"symbols": declared}))
