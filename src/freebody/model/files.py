"""Model files: read, written, described and told apart."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomli_w

from freebody.arguments import checked
from freebody.errors import ModelError, nearest
from freebody.files import atomic_write
from freebody.locating import read_model
from freebody.model.copies import ModelFile
from freebody.model.review import reviewed
from freebody.model.schema import Model

if TYPE_CHECKING:
    from freebody.mechanics.mechanism import Mechanism

TITLED = {"coordinates", "speeds", "prescribed", "inputs", "constants", "functions"}
"""The sections whose entries have titles, which are written even where they are empty."""
MAX_DOTS = 100
"""Most dots in a line: the time to read a dotted key grows with the square of its length."""


Each = Mapping[str, int | Sequence[int | str]]
"""Values of `[each]`: up to which whole number to count, or all of them."""


@checked
def load(path_or_name: str | Path, table: str | None = None, each: Each | None = None) -> Model:
    """Read a model.

    Parameters
    ----------
    path_or_name : str or Path
        A TOML file, a folder that holds a ``model.toml``, or the name of a shipped model.
    table : str, optional
        A table of body segment parameters to follow instead of the one that the file names.
    each : mapping, optional
        Values instead of those in its ``[each]``, by name: a whole number up to which is counted
        from where the file starts, or a list of whole numbers or names.

    Returns
    -------
    Model
        With every value checked, and what is repeated written out.

    Raises
    ------
    ModelError
        With all that is wrong with the file.

    Examples
    --------
    >>> load("pendulum").coordinates["theta"].unit
    'rad'
    """
    path, text = read_model(path_or_name)
    return loads(text, str(path_or_name), table, each, path)


def model_of(model: Model | Mechanism | str | Path) -> Model:
    """Return a model as it is, or that of a mechanism, a file, a folder or a name; see `load`.

    Raises
    ------
    ModelError
        With all that is wrong with the file.
    """
    if isinstance(model, str | Path):
        return load(model)
    return model if isinstance(model, Model) else model.model


def loads(
    text: str,
    source: str = "model",
    table: str | None = None,
    each: Each | None = None,
    path: Path | None = None,
) -> Model:
    """Read a model from the text of its file; ``source`` names it in errors; see `load`.

    Parameters
    ----------
    text : str
        In TOML.
    source : str, optional
        What messages call it.
    table : str, optional
        Another table of body segment parameters than that of the text.
    each : mapping, optional
        Values of ``[each]``, see `load`.
    path : Path, optional
        The file that has the text.

    Raises
    ------
    ModelError
        With all that is wrong in the text.
    """
    if not text.strip():
        raise ModelError.whole(source, "expected a model, found an empty file")
    for number, line in enumerate(text.splitlines(), start=1):
        if line.count(".") > MAX_DOTS:
            raise ModelError.whole(source, f"line {number} has more than {MAX_DOTS} dots")
    data = _tables(text, source)
    if each:
        data = _counted(each, data, source)
    model = reviewed(data if table is None else _following(table, data, source), source)
    model._source = path
    return model


def _following(table: str, data: dict[str, Any], source: str) -> dict[str, Any]:
    segments = data.get("segments")
    if not isinstance(segments, dict):
        raise ModelError.whole(source, f"expected [segments] in it, to follow '{table}' instead")
    return {**data, "segments": {**segments, "table": table}}


def _counted(each: Each, data: dict[str, Any], source: str) -> dict[str, Any]:
    known = data.get("each")
    known = known if isinstance(known, dict) else {}
    if unknown := [name for name in each if name not in known]:
        message = f"'{unknown[0]}' is not in its [each]{nearest(unknown[0], known)}"
        raise ModelError.whole(source, message)
    return {**data, "each": {**known, **{name: _values(known[name], each[name]) for name in each}}}


def _values(before: Any, wanted: int | Sequence[int | str]) -> Any:
    if not isinstance(wanted, int):
        rest = dict(before) if isinstance(before, dict) else {}
        mirrored = {key: rest[key] for key in ("mirrored", "normal") if key in rest}
        return {"values": list(wanted), **mirrored}
    table = before if isinstance(before, dict) else {"from": before[0]} if before else {}
    first = table.get("from", (table.get("values") or [1])[0])
    return {**{k: v for k, v in table.items() if k != "values"}, "from": first, "to": wanted}


def _tables(text: str, source: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ModelError.whole(source, f"not TOML: {error}") from None
    except RecursionError:
        raise ModelError.whole(source, "tables or lists are nested too deeply") from None
    except ValueError:
        raise ModelError.whole(source, "a number has too many digits, or a date is none") from None


def dumps(model: Model | Mechanism | str | Path) -> str:
    """Return the text of a model file, without what is left at its default.

    Examples
    --------
    >>> dumps("pendulum").splitlines()[0]
    'title = "Pendulum: a relaxed forearm and hand that hang from the elbow"'
    """
    return tomli_w.dumps(_data(model_of(model)))


@checked
def save(model: Model | Mechanism | str | Path, path: str | Path) -> None:
    """Write a model file, what was repeated in it as so many entries.

    What was there before stays whole until the new one is complete.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
        Or the name of a shipped model.
    path : str or Path
        The file to write.

    Raises
    ------
    FileError
        If it cannot be written.
    """
    text = dumps(model)
    with atomic_write(Path(path)) as temporary:
        temporary.write_text(text, encoding="utf-8")


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a model file, by which editors complete and check it."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:freebody:model:{version('freebody')}",
        **ModelFile.model_json_schema(),
    }


def fingerprint(model: Model) -> str:
    """Return the SHA-256 of what a model says, however its file is laid out."""
    return hashlib.sha256(json.dumps(_data(model)).encode()).hexdigest()


def _data(model: Model) -> dict[str, Any]:
    data = model.model_dump(exclude_defaults=True)
    for section in TITLED & data.keys():
        for name, entry in getattr(model, section).items():
            if "title" in entry.model_fields_set:
                data[section][name] = {"title": entry.title, **data[section][name]}
    for section in data.keys() & {"joints", "constraints", "impacts"}:
        entries = zip(getattr(model, section), data[section], strict=True)
        data[section] = [{"type": entry.type, **value} for entry, value in entries]
    return data
