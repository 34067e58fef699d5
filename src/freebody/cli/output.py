"""What the commands share: names with values, tables of at most 100 columns, JSON, progress."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Event, Thread
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


Counts = dict[str, int | list[int | str]]
"""Values of ``[each]``: up to where to count, or all of them."""


def parse_range(name: str, text: str) -> tuple[float, float]:
    """Return the two numbers of LEAST:MOST."""
    least, colon, most = text.partition(":")
    if not colon:
        raise click.UsageError(f"{name}: expected LEAST:MOST, found '{text}'")
    return parse_number(name, least), parse_number(name, most)


def parse_pairs(settings: tuple[str, ...]) -> Iterator[tuple[str, str]]:
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


def parse_number(name: str, value: str) -> float:
    """Return the number that is given for a name."""
    try:
        return float(value)
    except ValueError:
        raise click.UsageError(f"expected a number for '{name}', found '{value}'") from None


def _counts(_: click.Context, __: click.Parameter, settings: tuple[str, ...]) -> Counts:
    return {name: _count(value) for name, value in parse_pairs(settings)}


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


def _named_columns(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    pairs = (one.partition("=") if "=" in one else (one, "=", one) for one in given)
    return dict(parse_pairs(tuple("".join(pair) for pair in pairs)))


COLUMNS = click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="COLUMN[=NAME]",
    callback=_named_columns,
    help="A column to read, and what it is: 'pos=q1 [deg]'; all if not given.",
)


# ------------------------------------------------------------------ output

WIDTH = 100
SELDOM = 10.0
"""After how many s there is another line about long work, where there is no terminal."""


def console() -> Console:
    """Return where tables are printed to."""
    from rich.console import Console

    out = Console(highlight=False)
    return Console(width=min(WIDTH, out.width) if out.is_terminal else WIDTH, highlight=False)


WIDEST = 10_000
"""Characters of a line."""


def table(*columns: str, title: str | None = None) -> Table:
    """Return an empty table."""
    from rich import box
    from rich.table import Table

    made = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", title_style="bold")
    for column in columns:
        made.add_column(column, overflow="fold")
    return made


def print_wide(rows: Table) -> None:
    """Print a table as wide as it is: a number that is broken reads as another."""
    from rich.measure import Measurement

    out = console()
    whole = Measurement.get(out, out.options.update(max_width=WIDEST), rows).maximum
    out.width = max(whole, out.width)  # print() takes no width beyond that of its console
    out.print(rows, crop=False)


def print_json(data: Any) -> None:
    """Print plain data as JSON."""
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))


def write_files(*files: tuple[Path | None, Callable[[Path], None]]) -> None:
    """Write those files that are asked for, and tell each."""
    for path, written in files:
        if path is not None:
            written(path)
            click.echo(f"wrote {path}", err=True)


@contextmanager
def progress_spinner(what: str) -> Iterator[Callable[[str], None]]:
    """Tell on the standard error that something is being worked out, and for how long already."""
    with _progress(what, None) as update:
        yield lambda now: update(description=now)


@contextmanager
def progress_bar(
    what: str, whole: float, then: str | None = None
) -> Iterator[Callable[[float], None]]:
    """Tell on the standard error how much of the whole is done, and what is done ``then``."""
    with _progress(what, whole) as update:
        yield lambda done: update(completed=done, description=then)


def _progress(what: str, whole: float | None) -> AbstractContextManager[Callable[..., None]]:
    return _bar(what, whole) if sys.stderr.isatty() else _lines(what, whole)


@contextmanager
def _bar(what: str, whole: float | None) -> Iterator[Callable[..., None]]:
    """Show a bar, or what is done and for how long already where nobody knows the whole."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    endless = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    columns = endless if whole is None else ()  # rich's own
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield partial(bar.update, bar.add_task(what, total=whole))


@contextmanager
def _lines(what: str, whole: float | None) -> Iterator[Callable[..., None]]:
    """Tell in lines, now and then, what a bar would show that is on no terminal."""
    over, begun = Event(), time.monotonic()
    task = SimpleNamespace(description=what, completed=0.0)

    def update(**changed: Any) -> None:
        vars(task).update((key, value) for key, value in changed.items() if value is not None)

    def tell() -> None:
        while not over.wait(SELDOM):
            done = f", {task.completed / whole:.0%}" if whole and task.completed else ""
            with suppress(OSError, ValueError):  # nobody reads them any more
                seconds = time.monotonic() - begun
                click.echo(f"{task.description}{done}, {seconds:.0f} s", err=True)

    teller = Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield update
    finally:
        over.set()
        teller.join()
