"""Whether the documents of a model agree with it, found out once for all that goes into it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from freebody.backends import cache
from freebody.checking.check import surprises
from freebody.checking.models import section_models
from freebody.documents import Document, documents_of
from freebody.errors import SimulationError
from freebody.model import Model
from freebody.model.files import fingerprint


def agreement(model: Model) -> str:
    """Return what the documents of a model say of it, kept from one run to the next.

    Raises
    ------
    SimulationError
        If a document differs in a way that is not recorded.
    DocumentError, ModelError
        If a document or a model that it names cannot be read.
    """
    documents = documents_of(model.source) if model.source else ()
    if not documents:
        return "no documents"
    name = cache.key("documents", cache.sources(), fingerprint(model), *_said(documents))
    return cache.kept(name, lambda: _checked(model, documents).encode()).decode()


def _said(documents: Sequence[Document]) -> Iterator[str]:
    """Iterate over all that a check of documents reads."""
    for document in documents:
        yield document.name
        yield document.front.model_dump_json()
        yield document.text
        for name, other in section_models(document).items():
            yield name
            yield fingerprint(other)


def _checked(model: Model, documents: Sequence[Document]) -> str:
    differing = list(surprises(model))
    if differing:
        raise SimulationError(
            "the equations differ from their documents in a way that is not recorded:\n  "
            + "\n  ".join(differing)
        )
    titles = ", ".join(document.front.title for document in documents)
    return f"nothing differs unrecorded from {titles}"
