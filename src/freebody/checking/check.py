"""Documents checked against their models."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from freebody.arguments import checked
from freebody.checking.beside import contradicted, with_statements
from freebody.checking.document import check_document, failed_document, surprises_of
from freebody.checking.grading import grade
from freebody.checking.models import DerivedModels, is_about, is_outdated, model_of, section_models
from freebody.checking.processes import each
from freebody.checking.report import DocumentReport, Report
from freebody.code import ENDINGS as CODE
from freebody.code import has_code
from freebody.documents import Document, documents_beside, documents_of, read_document
from freebody.documents.sources import PAGES
from freebody.errors import DocumentError, FreebodyError, fault
from freebody.files import advice_by_ending
from freebody.locating import shipped
from freebody.mechanics.mechanism import AnyModel, Mechanism
from freebody.model import Model, load

ENDINGS = (".md", *PAGES)
"""Endings of the files that are documents; any other target is a model."""


@checked
def check(
    *targets: AnyModel,
    against: AnyModel | Document | None = None,
    jobs: int = 1,
    progress: Callable[[str], None] = lambda _: None,
) -> Report:
    """Check documents against what is derived from their models.

    Parameters
    ----------
    *targets : str, Path, Model or Mechanism
        Documents (``.md``, ``.tex``, ``.html``, …), or models, which stand for the documents in
        their folders, each about the model that it names; all shipped models where none is given.
    against : str, Path, Model, Mechanism or Document, optional
        A model, or a document whose model and symbols are meant, to grade pages against that need
        no front matter. What the pages record is left aside.
    jobs : int, optional
        How many processes many pages are shared among; 0 for one on each core.
    progress : callable, optional
        Called with the name of each document before it is checked, or waited for.

    Returns
    -------
    Report
        A verdict on every equation, document by document, with its terms, causes and repairs.

    Raises
    ------
    DocumentError, ModelError
        If a document or its model cannot be read.
    ArgumentError
        If an argument makes no sense.

    Examples
    --------
    >>> import freebody
    >>> freebody.check("double_pendulum").agrees
    True
    """
    given = [_plain(target) for target in targets]
    if against is not None:
        meant_by = against if isinstance(against, Document) else _plain(against)
        return grade(given, meant_by, jobs, progress)
    meant = tuple(_pages_and_code(given or tuple(shipped())))
    beside = any(isinstance(one, Path) for one in meant)
    done, reports = each(partial(_checked, beside=beside), meant, jobs), []
    for one in meant:
        progress(one.name if isinstance(one, Path) else one[0].name)
        reports += next(done)
    return Report(tuple(contradicted(reports)))


def _pages_and_code(
    targets: Iterable[str | Path | Model],
) -> Iterator[Path | tuple[Document, Model]]:
    """Iterate over the pages and the files of code that are meant, in their order."""
    for target in targets:
        if not isinstance(target, Model) and Path(target).suffix in CODE:
            yield Path(target)
        else:
            yield from pages([target])


def _plain(target: AnyModel) -> str | Path | Model:
    return target.model if isinstance(target, Mechanism) else target


@dataclass(frozen=True, slots=True)
class Surprise:
    """What the documents of a model say that nobody has recorded.

    Attributes
    ----------
    text : str
        What it is, and where.
    differs : bool
        Whether an equation differs; else a document, or an equation of it, cannot be read.
    """

    text: str
    differs: bool


def surprises(model: Model) -> Iterator[Surprise]:
    """Iterate over what the documents of a model say of it and is not recorded.

    What would mend an equation is not looked for, which makes it much faster than a check.
    Documents beside the model that are about another are left aside, and so are those that freebody
    derived from it before it was changed.
    """
    derived = DerivedModels()
    for document in documents_beside(model.source) if model.source else ():
        try:
            yield from _surprises(document, model, derived)
        except Exception as error:  # a page does not keep its model from moving
            yield Surprise(fault(error), differs=False)


def _surprises(
    document: Document | DocumentError, model: Model, derived: DerivedModels
) -> Iterator[Surprise]:
    if isinstance(document, DocumentError):
        raise document
    if is_about(document, model) and not is_outdated(document, model):
        others = {name: derived.of(other) for name, other in section_models(document).items()}
        for verdict in surprises_of(document, derived.of(model), others):
            text = f"{document.name} {verdict.label}: {verdict.news}"
            yield Surprise(text, differs=verdict.status not in ("unreadable", "failed"))


def _checked(
    page: Path | tuple[Document, Model], derived: DerivedModels, *, beside: bool
) -> list[DocumentReport]:
    """Return the report on a page or a file of code, and those on the code within a page."""
    if isinstance(page, Path):
        from freebody.checking.code.report import check_code  # slow to import

        return [check_code(page, derived)]
    document, model = page
    report, within = _of_page(document, model, derived), has_code(document.path, document.text)
    if (beside or within) and not report.faults:
        others = {name: derived.of(other) for name, other in section_models(document).items()}
        report = with_statements(report, document, derived.of(model), others)
    if not within:
        return [report]
    from freebody.checking.code.report import with_code  # slow to import

    return with_code(report, document.path, derived.of(model), document.front.model)


def _of_page(document: Document, model: Model, derived: DerivedModels) -> DocumentReport:
    others = {name: derived.of(other) for name, other in section_models(document).items()}
    try:
        return check_document(document, derived.of(model), others)
    except FreebodyError:
        raise
    except Exception as error:  # what goes wrong in one document is told of that one
        return failed_document(document, fault(error))


def pages(targets: Iterable[str | Path | Model]) -> Iterator[tuple[Document, Model]]:
    """Iterate over the documents that are meant, each with its model."""
    for target in targets:
        _expect_page_or_model(target)
        if not isinstance(target, Model) and Path(target).suffix in ENDINGS:
            document = read_document(Path(target))
            yield document, model_of(document)
            continue
        model = target if isinstance(target, Model) else load(target)
        for document in documents_of(model.source) if model.source else ():
            yield document, model if is_about(document, model) else model_of(document)


def _expect_page_or_model(target: str | Path | Model) -> None:
    advice = (
        None if isinstance(target, Model) else advice_by_ending(Path(target), (*ENDINGS, ".toml"))
    )
    if advice:
        raise DocumentError.whole(target, advice)
