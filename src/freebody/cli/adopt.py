"""Bare pages made documents on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from freebody.cli.output import console, progress_spinner, table

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from rich.table import Table

    from freebody.checking.guesses import Guesses
    from freebody.documents import Document
    from freebody.documents.document import Meaning
    from freebody.recognition import Adopted, ModelFit
    from freebody.recognition.held import Held
    from freebody.recognition.symbols.page_symbols import PageSymbol

LONGEST = 60
"""Characters of a meaning in the table."""
MOST_NAMED = 8
"""Labels of equations of which the same is told."""
HOLD, IN_A_CASE, FAIL = "hold", "hold in a case of their own", "do not"
WAIT, UNDECIDED = "wait for symbols", "are not decided"
COLORS = {"sure": "green", "unsure": "yellow", "unknown": "red"}


@click.command()
@click.argument("page", type=click.Path(path_type=Path))
@click.option("--model", help="What the page is about, all of it; else models are tried.")
@click.option(
    "--models", type=click.Path(path_type=Path), metavar="FOLDER",
    help="A folder with models to try besides the shipped ones.",
)  # fmt: skip
@click.option(
    "-o",
    "--output",
    type=Path,
    help="The document to write, with a model beside it; else beside the page.",
)
@click.option("--force", is_flag=True, help="Write over a file that is there already.")
@click.option(
    "--effort", type=click.FloatRange(0.1, 100), default=1, show_default=True,
    help="How many times the usual work is done, at the most.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON: models, symbols and files.")
def adopt(
    page: Path,
    model: str | None,
    models: Path | None,
    output: Path | None,
    force: bool,
    effort: float,
    as_json: bool,
) -> None:
    """Find out what a page is about, and write a document to complete.

    A PAGE is one in Markdown, LaTeX, HTML, reStructuredText or a notebook. Without --model the
    known models are tried by its equations of motion, whatever its letters are. What its
    equations prove is declared; what is left stands in the front matter as comments. The page
    itself is not changed. Exits with 1 where no model fits.

    \b
    Examples:
      freebody adopt paper.tex
      freebody adopt lecture.ipynb --model two_link
      freebody adopt notes.md --models my_models -o arm.md
    """
    import json

    from freebody.recognition import adopt as adopt_page

    if model is not None and models is not None:
        raise click.UsageError("expected --model or --models, found both")
    with progress_spinner("deriving") as say:
        made = adopt_page(
            page, model, output, models=models, force=force, effort=effort, progress=say
        )
    if as_json:
        click.echo(json.dumps(made.as_json(), indent=2, ensure_ascii=False))
    else:
        _tell(made, is_given=model is not None)
    if made.guesses is None:
        raise SystemExit(1)
    if made.guesses.faults:
        raise SystemExit(2)


def _tell(made: Adopted, *, is_given: bool) -> None:
    """Print what was understood of a page."""
    if not made.models:
        click.echo(f"none of the models fits: {made.reason}")
    for number, one in enumerate(made.models if not is_given else ()):
        click.echo(_fit(one, is_best=number == 0))
    if made.symbols:
        console().print(_table(made.symbols))
    if made.guesses is None:
        return
    named = () if is_given else made.models[0].fails
    click.echo(_summary(made.symbols, made.guesses, made.held, named))
    _hint_at_running_text(made.document)
    for chapter in made.chapters:
        if not chapter.is_section:
            heading = chapter.fit.heading
            click.echo(f"'{heading}' is no section of the document: other headings say the same")
    for path in (made.model_path, *(chapter.model_path for chapter in made.chapters), made.path):
        if path is not None:
            click.echo(f"wrote {path}")


# ---------------------------------------------------------------------- messages


def _fit(one: ModelFit, *, is_best: bool) -> str:
    """Return which model fits, by which equations, and with what for what."""
    varied = f", {one.varied}" if one.varied else ""
    told = [f"by {', '.join(one.fits)}" if one.fits else "most of each equation, none as a whole"]
    told += [f"not {', '.join(one.fails)}"] if one.fails else []
    is_told = is_best or bool(one.heading)
    head = "also" if not is_told else "fits" if one.fits else "like"
    where = f" in '{one.heading}'" if one.heading else ""
    lines = [f"{head}  {one.name}{varied}{where}", f"      {'; '.join(told)}"]
    if is_told:
        named = (f"{key} = {meaning}" for key, meaning in one.symbols.items())
        lines.append(f"      with {', '.join(named)}")
    return "\n".join(lines)


def _hint_at_running_text(document: Document) -> None:
    """Tell how many equations stand in running text, where it is not read."""
    from freebody.documents.latex.page.places import unread

    count = sum(1 for _ in unread(document.page))
    if count:
        equations = "1 equation" if count == 1 else f"{count} equations"
        click.echo(
            f"{equations} in running text not read: 'inline = true' in the front matter does"
        )


def _table(symbols: Iterable[PageSymbol]) -> Table:
    """Return the symbols with what they stand for, and that of their rates with it."""
    from rich.text import Text

    made = table("symbol", "stands for", "", "why", "the page calls it", "first in")
    for one in symbols:
        if not one.is_rate:
            made.add_row(
                Text(one.symbol),
                Text("" if one.meaning is None else _shortened(one.meaning)),
                Text(one.standing, COLORS[one.standing]),
                Text(one.why),
                Text(one.words),
                Text(one.place),
            )
    return made


def _shortened(meaning: Meaning) -> str:
    text = _flat(meaning)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def _flat(meaning: Any) -> str:
    return f"[{', '.join(map(_flat, meaning))}]" if isinstance(meaning, list) else str(meaning)


def _summary(
    symbols: Iterable[PageSymbol], guesses: Guesses, held: Held, named: Collection[str]
) -> str:
    """Tell how much holds, and which equations do not that are not named with their model."""
    standings = [one.standing for one in symbols if not one.is_rate]
    of_symbols = (f"{standings.count(kind)} {kind}" for kind in COLORS)
    groups = _by_verdict(guesses, held)
    counts = {
        **{words: len(labels) for words, labels in groups.items()},
        "cannot be read": len(guesses.page.unreadable),
    }
    told = (f"{count} {words}" for words, count in counts.items() if count or words == FAIL)
    lines = [
        f"{len(standings)} symbols: {', '.join(of_symbols)}",
        f"{len(guesses.page.equations)} equations: {', '.join(told)}",
    ]
    for words in (IN_A_CASE, FAIL, UNDECIDED):
        if labels := [label for label in groups[words] if label not in named]:
            some = ", ".join(labels[:MOST_NAMED]) + ", ..." * (len(labels) > MOST_NAMED)
            lines.append(f"these {words}: {some}")
    if guesses.gave_up:
        lines.append("gave up before everything was tried: give it more --effort")
    return "\n".join([*lines, *guesses.faults])


def _by_verdict(guesses: Guesses, held: Held) -> dict[str, list[str]]:
    """Return the labels of the equations of a page by what is told of them."""
    groups: dict[str, list[str]] = {one: [] for one in (HOLD, IN_A_CASE, FAIL, WAIT, UNDECIDED)}
    for label in (one.label for one in guesses.page.equations):
        if label in guesses.fits:
            words = HOLD
        elif label in held.assumed:
            words = IN_A_CASE
        elif label in guesses.waits:
            words = WAIT
        else:
            words = FAIL if label in guesses.fails and label not in held.aside else UNDECIDED
        groups[words].append(label)
    return groups
