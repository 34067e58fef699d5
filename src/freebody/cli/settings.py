"""Names with values, as the command line is given them."""

from __future__ import annotations

from collections.abc import Iterator

import click

Counts = dict[str, int | list[int | str]]
"""Values of ``[each]``: up to where to count, or all of them."""


def pairs(settings: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Iterate over the names and values of ``NAME=VALUE``, each name once."""
    names: set[str] = set()
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise click.UsageError(f"expected NAME=VALUE, found '{setting}'")
        if name.strip() in names:
            raise click.UsageError(f"expected one value of '{name.strip()}', found two")
        names.add(name.strip())
        yield name.strip(), value.strip()


def number(name: str, value: str) -> float:
    """Return the number that is given for a name."""
    try:
        return float(value)
    except ValueError:
        raise click.UsageError(f"expected a number for '{name}', found '{value}'") from None


def _counts(_: click.Context, __: click.Parameter, settings: tuple[str, ...]) -> Counts:
    return {name: _count(value) for name, value in pairs(settings)}


def _count(value: str) -> int | list[int | str]:
    parts = [_value(part.strip()) for part in value.split(",")]
    return parts[0] if len(parts) == 1 and isinstance(parts[0], int) else parts


def _value(text: str) -> int | str:
    return int(text) if text.removeprefix("-").isdecimal() else text


EACH = click.option(
    "--each",
    multiple=True,
    metavar="NAME=COUNT",
    callback=_counts,
    help="Values of [each]: up to where to count, or a list with commas.",
)
