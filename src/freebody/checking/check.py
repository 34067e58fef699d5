"""Documents checked against their models."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from freebody.checking.quantities import Quantities
from freebody.checking.report import Report
from freebody.checking.verdicts import check_document
from freebody.documents import Document, documents_of, read_document
from freebody.errors import DocumentError, Problem, nearest
from freebody.model import Model, load
from freebody.model.files import fingerprint
from freebody.model.library import shipped


def check(*targets: str | Path | Model) -> Report:
    """Check documents against what is derived from their models.

    Parameters
    ----------
    *targets : str, Path or Model
        Documents (``.md``), or models, which stand for the documents in their folders; all
        shipped models where none is given.

    Raises
    ------
    DocumentError, ModelError
        If a document or its model cannot be read.

    Examples
    --------
    >>> import freebody
    >>> freebody.check("three_link_arm").agrees
    True
    """
    known: dict[str, Quantities] = {}
    reports = []
    for document, model in pages(targets or tuple(shipped())):
        key = fingerprint(model)
        if key not in known:
            known[key] = Quantities(model)
        reports.append(check_document(document, known[key]))
    return Report(tuple(reports))


def pages(targets: Iterable[str | Path | Model]) -> Iterator[tuple[Document, Model]]:
    """Iterate over the documents that are meant, each with its model."""
    for target in targets:
        if not isinstance(target, Model) and Path(target).suffix == ".md":
            document = read_document(Path(target))
            yield document, _model_of(document)
            continue
        model = target if isinstance(target, Model) else load(target)
        if model.source is not None:
            yield from ((document, model) for document in documents_of(model.source))


def _model_of(document: Document) -> Model:
    """Return the model beside a document, or the shipped one that it names."""
    folder, name = document.path.parent, document.front.model
    beside = (folder / "model.toml", folder / name, folder / f"{name}.toml")
    found = next((path for path in beside if path.exists()), None)
    if found is None and name not in shipped():
        message = f"no model '{name}' beside the document or among the shipped ones"
        problem = Problem("model", message + nearest(name, shipped()))
        raise DocumentError(str(document.path), [problem])
    return load(found or name)
