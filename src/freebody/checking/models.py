"""The models that documents name, and what is derived from each, once."""

from __future__ import annotations

from pathlib import Path

from freebody.checking.quantities.derived import Quantities
from freebody.documents import Document
from freebody.errors import DocumentError, Problem, nearest
from freebody.model import Model, load
from freebody.model.files import fingerprint
from freebody.model.library import FILE_NAME, shipped


class Derived:
    """The quantities of models, which are derived when they are asked for first."""

    def __init__(self) -> None:
        self._known: dict[str, Quantities] = {}

    def of(self, model: Model) -> Quantities:
        """Return the quantities of a model."""
        key = fingerprint(model)
        if key not in self._known:
            self._known[key] = Quantities(model)
        return self._known[key]


def model_of(document: Document) -> Model:
    """Return the model beside a document, or the shipped one that it names.

    Raises
    ------
    DocumentError, ModelError
        If there is none, or it cannot be read.
    """
    beside = document.path.parent / FILE_NAME
    return load(beside) if beside.exists() else _named(document, document.front.model, "model")


def section_models(document: Document) -> dict[str, Model]:
    """Return the models that sections of a document name, by these names.

    Raises
    ------
    DocumentError, ModelError
        As `model_of`.
    """
    front = document.front
    return {
        section.model: _named(document, section.model, f"sections[{number}].model")
        for number, section in enumerate(front.sections)
        if section.model is not None and section.model != front.model
    }


def _named(document: Document, name: str, where: str) -> Model:
    """Return the model of a name, in the folder of a document or among the shipped ones."""
    beside = (document.path.parent / name, document.path.parent / f"{name}.toml")
    found: Path | None = next((path for path in beside if path.exists()), None)
    if found is None and name not in shipped():
        message = f"no model '{name}' beside the document or among the shipped ones"
        problem = Problem(where, message + nearest(name, shipped()))
        raise DocumentError(str(document.path), [problem])
    return load(found or name)
