"""Bare pages made documents on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from freebody.cli.output import console, progress_spinner, table

if TYPE_CHECKING:
    from rich.table import Table

    from freebody.checking.guesses import Guesses
    from freebody.documents import Document
    from freebody.documents.document import Meaning

LONGEST = 60
"""Characters of a meaning in the table."""
COLORS = {"sure": "green", "unsure": "yellow", "unknown": "red"}


@click.command()
@click.argument("page", type=click.Path(path_type=Path))
@click.option("--model", required=True, help="What the page is about: all of it, one model.")
@click.option("-o", "--output", type=Path, help="The document to write; else one beside the page.")
@click.option("--force", is_flag=True, help="Write over a file that is there already.")
@click.option(
    "--effort", type=click.FloatRange(0.1, 100), default=1, show_default=True,
    help="How many times the usual work is done, at the most.",
)  # fmt: skip
def adopt(page: Path, model: str, output: Path | None, force: bool, effort: float) -> None:
    """Guess what the symbols of a page stand for, and write a document to complete.

    A PAGE is one in Markdown, LaTeX, HTML, reStructuredText or a notebook. What its
    equations prove is declared; what is left stands in the front matter as comments. The page
    itself is not changed.

    \b
    Examples:
      freebody adopt lecture.ipynb --model two_link
      freebody adopt notes.md --model three_link_arm -o arm.md
    """
    from freebody.checking.guesses import adopt as adopt_page

    with progress_spinner("deriving") as say:
        made = adopt_page(page, model, output, force=force, effort=effort, progress=say)
    console().print(_table(made.guesses))
    click.echo(_summary(made.guesses))
    _hint_at_running_text(made.document)
    click.echo(f"wrote {made.path}")
    if made.guesses.faults:
        raise SystemExit(2)


# ---------------------------------------------------------------------- messages


def _hint_at_running_text(document: Document) -> None:
    """Tell how many equations stand in running text, where it is not read."""
    from freebody.documents.latex.page.places import unread

    count = sum(1 for _ in unread(document.page))
    if count:
        equations = "1 equation" if count == 1 else f"{count} equations"
        click.echo(
            f"{equations} in running text not read: 'inline = true' in the front matter does"
        )


def _table(guesses: Guesses) -> Table:
    from rich.text import Text

    made = table("symbol", "stands for", "", "why", "first in")
    for one in guesses.symbols:
        made.add_row(
            Text(one.key),
            Text("" if one.meaning is None else _shortened(one.meaning)),
            Text(one.standing, COLORS[one.standing]),
            Text(one.why),
            Text(f"{one.used.label}, {one.used.place}"),
        )
    return made


def _shortened(meaning: Meaning) -> str:
    text = _flat(meaning)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def _flat(meaning: Any) -> str:
    return f"[{', '.join(map(_flat, meaning))}]" if isinstance(meaning, list) else str(meaning)


def _summary(guesses: Guesses) -> str:
    counts = [f"{sum(one.standing == kind for one in guesses.symbols)} {kind}" for kind in COLORS]
    symbols = f"{len(guesses.symbols)} symbols: {', '.join(counts)}"
    equations = (
        f"{len(guesses.page.equations)} equations: {guesses.holds} hold, {guesses.differs} do not, "
        f"{guesses.waits} wait for symbols; {len(guesses.page.unreadable)} cannot be read"
    )
    limit = "gave up before everything was tried: give it more --effort"
    return "\n".join([symbols, equations, *([limit] if guesses.gave_up else []), *guesses.faults])
