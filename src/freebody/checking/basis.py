"""What a report stands on: the version, the model, how each symbol is read, what is assumed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from freebody.checking.quantities.derived import Quantities
from freebody.documents import Document
from freebody.documents.document import Assumption
from freebody.model.files import fingerprint


@dataclass(frozen=True, slots=True)
class Basis:
    """What a report on a document stands on.

    Attributes
    ----------
    version : str
        Of freebody.
    page_hash : str
        The SHA-256 of the file of the page.
    models : mapping of str to str
        The SHA-256 of what each model says, by the names of the models.
    symbols : mapping of str to str
        What each printed symbol is read as.
    assumptions : tuple of str
        What the document takes for granted.
    """

    version: str
    page_hash: str = ""
    models: Mapping[str, str] = field(default_factory=dict)
    symbols: Mapping[str, str] = field(default_factory=dict)
    assumptions: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


def basis_of(document: Document, models: Mapping[str, Quantities]) -> Basis:
    """Return what a report on a document stands on."""
    parts = document.parts()
    named = {
        part.model or "model": fingerprint(models[part.model].mechanism.model) for part in parts
    }
    symbols = {key: _shown(means) for part in parts for key, means in part.symbols.items()}
    assumed = tuple(map(_assumed, document.front.assume))
    return Basis(version(), hash_of(document.source or document.path), named, symbols, assumed)


def version() -> str:
    """Return the version of freebody."""
    from freebody import __version__

    return __version__


def hash_of(path: Path) -> str:
    """Return the SHA-256 of a file; nothing where it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def _shown(means: object) -> str:
    if isinstance(means, list):
        return f"[{', '.join(_shown(one) for one in means)}]"
    return str(means)


def _assumed(one: Assumption) -> str:
    r"""Return an assumption in words.

    Examples
    --------
    >>> _assumed(Assumption(labels=["(3)"], small=["theta"], given={"m": 1}))
    'theta small to order 1, m = 1 in (3)'
    """
    assumed = [f"{name} small to order {one.order}" for name in one.small]
    assumed += [f"{name} = {value}" for name, value in one.given.items()]
    assumed += [f"{name} = {value} at an instant" for name, value in one.instant.items()]
    assumed += ["steady motion"] if one.steady else []
    where = f" in {', '.join(one.labels)}" if one.labels else ""
    return f"{', '.join(assumed) or one.note}{where}"
