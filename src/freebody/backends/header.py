"""What a reader of generated code needs to know: argument order, units and sources."""

from __future__ import annotations

from collections.abc import Iterator

from freebody.graph import Code, Quantity

GROUPS = {
    "t": "time",
    "q": "generalized coordinates",
    "u": "generalized speeds",
    "a": "derivatives of the generalized speeds",
    "inputs": "inputs",
    "multipliers": "forces of the constraints",
    "constants": "constants",
}


def described(code: Code, first: int = 0) -> Iterator[str]:
    """Iterate over lines that say what the arguments and the result are.

    Parameters
    ----------
    code : Code
    first : int, optional
        From where entries are counted.
    """
    for group, entries in code.arguments.items():
        many = " (s)" if group == "t" else f", {len(entries)}"
        yield f"{group}: {GROUPS.get(group, group)}{many}"
        if group != "t":
            yield from (
                f"    [{place}] {_told(entry)}" for place, entry in enumerate(entries, first)
            )
    yield f"result: {code.name}, {_shaped(code.shape)}"
    yield f"{code.operations} operations"


def _told(entry: Quantity) -> str:
    unit = f" ({entry.unit})" if entry.unit else ""
    title = f": {entry.title}" if entry.title else ""
    source = f"; {entry.source}" if entry.source else ""
    return " ".join(f"{entry.name}{unit}{title}{source}".split())


def _shaped(shape: tuple[int, ...]) -> str:
    if not shape:
        return "a number"
    rows = ", row by row" if len(shape) > 1 else ""
    return f"{' x '.join(map(str, shape))} numbers{rows}"
