"""What the commands share: names with values, tables of at most 100 columns, JSON, progress."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, ProgressColumn, Task
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
    out.print(rows, width=max(whole, out.width), crop=False)


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
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with _bar(*columns) as bar, _lines(bar):
        task = bar.add_task(what, total=None)
        yield lambda now: bar.update(task, description=now)


@contextmanager
def progress_bar(
    what: str, whole: float, then: str | None = None
) -> Iterator[Callable[[float], None]]:
    """Tell on the standard error how much of the whole is done, and what is done ``then``."""
    with _bar() as bar, _lines(bar):
        task = bar.add_task(what, total=whole)
        yield lambda done: bar.update(task, completed=done, description=then)


def _bar(*columns: ProgressColumn) -> Progress:
    """Return a progress display on the standard error; by default with rich's own columns."""
    from rich.console import Console
    from rich.progress import Progress

    out = Console(stderr=True)
    return Progress(*columns, console=out, transient=True, disable=not out.is_terminal)


@contextmanager
def _lines(bar: Progress) -> Iterator[None]:
    """Tell in lines, now and then, what a bar would show that is on no terminal."""
    over = Event()

    def tell() -> None:
        while not over.wait(SELDOM):
            with suppress(OSError, ValueError):  # nobody reads them any more
                for task in bar.tasks:
                    click.echo(_line(task), err=True)

    teller = Thread(target=tell, daemon=True)
    if bar.disable:
        teller.start()
    try:
        yield
    finally:
        over.set()
        if bar.disable:
            teller.join()


def _line(task: Task) -> str:
    done = f", {task.completed / task.total:.0%}" if task.total and task.completed else ""
    return f"{task.description}{done}, {task.elapsed or 0:.0f} s"
