"""Model files as a person would lay them out: a line for each quantity."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

_NAMED = ("coordinates", "speeds", "prescribed", "inputs", "constants")


def laid_out(data: Mapping[str, Any]) -> str:
    """Return the text of a model file.

    Examples
    --------
    >>> print(laid_out({"title": "Pendulum", "constants": {"l": {"unit": "m", "value": 1}}}))
    title = "Pendulum"
    <BLANKLINE>
    [constants]
    l = { unit = "m", value = 1 }
    <BLANKLINE>
    """
    return "\n".join(_lines(data)) + "\n"


def _lines(data: Mapping[str, Any]) -> Iterator[str]:
    for key in ("title", "gravity"):
        if key in data:
            yield f"{key} = {_value(data[key])}"
    for section in _NAMED:
        if data.get(section):
            yield from ("", f"[{section}]")
            yield from (f"{name} = {_value(entry)}" for name, entry in data[section].items())
    for section, entries in data.items():
        for entry in entries if isinstance(entries, list) and section != "gravity" else ():
            yield from ("", f"[[{section}]]")
            yield from (f"{key} = {_value(value)}" for key, value in entry.items())


def _value(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return json.dumps(value, ensure_ascii=False)
        case Mapping():
            return f"{{ {', '.join(f'{key} = {_value(part)}' for key, part in value.items())} }}"
        case list() | tuple():
            return f"[{', '.join(map(_value, value))}]"
    return str(value)
