"""Whether the documents of a model agree with it, found out once for all that goes into it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from freebody.backends import cache
from freebody.checking.check import surprises
from freebody.checking.models import is_about, model_of, section_models
from freebody.documents import Document, documents_beside
from freebody.errors import DocumentError, ModelError, SimulationError
from freebody.model import Model
from freebody.model.files import fingerprint


def check_documents(model: Model) -> str:
    """Return what the documents of a model say of it, kept from one run to the next.

    What cannot be read of them is told, and does not count.

    Raises
    ------
    SimulationError
        If a document differs in a way that is not recorded.
    """
    documents = tuple(documents_beside(model.source)) if model.source else ()
    if not documents:
        return "no documents"
    name = cache.key("documents", cache.sources(), fingerprint(model), *_said(documents))
    return cache.kept(name, lambda: _checked(model, documents).encode()).decode()


def _said(documents: Sequence[Document | DocumentError]) -> Iterator[str]:
    """Iterate over all that a check of documents reads."""
    for document in documents:
        if isinstance(document, DocumentError):
            yield str(document)
            continue
        yield document.name
        yield document.front.model_dump_json()
        yield document.text
        try:
            for name, other in _models(document).items():
                yield name
                yield fingerprint(other)
        except (DocumentError, ModelError) as error:
            yield str(error)


def _models(document: Document) -> dict[str, Model]:
    return {document.front.model: model_of(document), **section_models(document)}


def _checked(model: Model, documents: Sequence[Document | DocumentError]) -> str:
    found = list(surprises(model))
    if differing := [one.text for one in found if one.differs]:
        raise SimulationError(
            "the equations differ from their documents in a way that is not recorded:\n  "
            + "\n  ".join(differing)
        )
    pages = [one for one in documents if isinstance(one, Document)]
    about = [one for one in pages if _is_about(one, model)]
    titles = ", ".join(one.front.title for one in about)
    lines = [f"nothing differs unrecorded from {titles}" if about else "no documents"]
    lines += [f"warning: not read: {one.text}" for one in found]
    for page in (page for page in pages if page not in about):
        lines.append(f"left aside: {page.path.name}, which names the model '{page.front.model}'")
    return "\n  ".join(lines)


def _is_about(document: Document, model: Model) -> bool:
    try:
        return is_about(document, model)
    except (DocumentError, ModelError):
        return False
