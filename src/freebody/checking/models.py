"""The models that documents name, and what is derived from each, once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from freebody.checking.quantities.derived import Quantities
from freebody.documents import Document
from freebody.errors import DocumentError, Problem, nearest
from freebody.locating import FILE_NAME, gallery, shipped
from freebody.model import Model, load
from freebody.model.files import fingerprint


class DerivedModels:
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
    """Return the model that a document names: one in its folder or below, or a shipped one.

    Raises
    ------
    DocumentError, ModelError
        If there is none, or it cannot be read.
    """
    return load(_named(document, document.front.model, "model"))


def section_models(document: Document) -> dict[str, Model]:
    """Return the models that sections of a document name, by these names.

    Raises
    ------
    DocumentError, ModelError
        As `model_of`.
    """
    front = document.front
    return {
        section.model: load(_named(document, section.model, f"sections[{number}].model"))
        for number, section in enumerate(front.sections)
        if section.model is not None and section.model != front.model
    }


def is_about(document: Document, model: Model, name: str | None = None) -> bool:
    """Return whether a document, or a name in it, is of a model or of one that says the same.

    Raises
    ------
    DocumentError, ModelError
        As `model_of`.
    """
    path = _named(document, document.front.model if name is None else name, "model")
    if model.source is not None and model.source.exists() and path.samefile(model.source):
        return True
    return fingerprint(load(path)) == fingerprint(model)


def is_outdated(document: Document, model: Model) -> bool:
    """Return whether freebody derived a document from a model that is another one since."""
    return document.front.derived_from not in ("", fingerprint(model))


def model_file(folder: Path, name: str) -> Path | None:
    """Return the file that a document in a folder means by the name of a model.

    That is a file or a folder of this name beside it or below, without its ending or with it,
    the ``model.toml`` beside it where its own folder has the name, or a shipped model.

    Raises
    ------
    ValueError
        If the name leads out of the folder.

    Examples
    --------
    >>> model_file(Path("nowhere"), "pendulum").parent.name
    'pendulum'
    """
    for path in _beside(folder, name):
        if not path.resolve().is_relative_to(folder.resolve()):
            raise ValueError(
                "expected a model in the folder of the document or below, or a "
                f"shipped one, found '{name}'"
            )
        if path.is_file():
            return path
    known = {**gallery(), **shipped()}
    return known[name] / FILE_NAME if name in known else None


def _beside(folder: Path, name: str) -> Iterator[Path]:
    yield folder / name
    yield folder / f"{name}.toml"
    yield folder / name / FILE_NAME
    if folder.resolve().name == name:
        yield folder / FILE_NAME


def _named(document: Document, name: str, where: str) -> Path:
    """Return the file of the model that a document names."""
    folder = document.path.parent
    try:
        path = model_file(folder, name) if name.strip() else None
    except (OSError, ValueError) as error:
        raise _error(document, where, getattr(error, "strerror", None) or str(error)) from None
    if path is None:
        own = {one.relative_to(folder).as_posix() for one in folder.glob("*.toml")}
        known = [*sorted(own), *shipped()]
        message = f"no model '{name}' beside the document or among the shipped ones"
        near = nearest(name, known)
        if not near and FILE_NAME in own:
            near = f"; the one beside it is called '{FILE_NAME}'"
        raise _error(document, where, message + near)
    return path


def _error(document: Document, where: str, message: str) -> DocumentError:
    return DocumentError(str(document.path), [Problem(where, message)])
