"""Names with values, as the command line is given them."""

from __future__ import annotations

from collections.abc import Iterator

import click


def pairs(settings: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Iterate over the names and values of ``NAME=VALUE``."""
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise click.UsageError(f"expected NAME=VALUE, found '{setting}'")
        yield name.strip(), value.strip()


def number(name: str, value: str) -> float:
    """Return the number that is given for a name."""
    try:
        return float(value)
    except ValueError:
        raise click.UsageError(f"expected a number for '{name}', found '{value}'") from None
