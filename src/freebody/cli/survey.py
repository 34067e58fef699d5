"""Many pages looked at from the command line."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import click

from freebody.cli.output import progress_spinner
from freebody.cli.sweep import SCHEDULER, workers

INTERRUPTED = 130
"""The exit code of what a person ends."""


@click.command()
@click.argument("source", type=click.Path(path_type=Path), metavar="FOLDER or LIST")
@click.option(
    "-o", "--output", type=Path, default=Path("survey"), show_default=True,
    help="The folder for pages.jsonl and index.html.",
)  # fmt: skip
@click.option(
    "--models", type=click.Path(path_type=Path), metavar="FOLDER",
    help="A folder with models to try besides the shipped ones.",
)  # fmt: skip
@click.option(
    "--jobs", type=click.IntRange(min=0), default=0, show_default="one on each core",
    help="How many pages are looked at side by side.",
)  # fmt: skip
@click.option(
    "--limit", type=click.FloatRange(min=0, min_open=True), default=60, show_default=True,
    help="Seconds that a page may take.",
)  # fmt: skip
@SCHEDULER
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
def survey(
    source: Path,
    output: Path,
    models: Path | None,
    jobs: int,
    limit: float,
    scheduler: str | None,
    as_json: bool,
) -> None:
    """Look at all pages of a folder, or of a list: against themselves and against their models.

    A LIST is a text file with the path of a page a line. Each page is held against itself, and
    against the model that its equations of motion tell. Results are written as they come: the same
    command goes on where it was interrupted, and looks again at pages that changed.

    \b
    Examples:
      freebody survey lecture_notes
      freebody survey pages.txt -o found --limit 20
    """
    import json

    from freebody.surveying import survey as survey_pages

    pools = nullcontext() if scheduler is None else workers(scheduler)
    try:
        with pools as pool, progress_spinner("looking at pages") as say:
            found = survey_pages(
                source, output, models=models, jobs=jobs, limit=limit, scheduler=pool, progress=say
            )
    except KeyboardInterrupt:
        message = f"interrupted: what was found until now is in {output}; the same command goes on"
        click.echo(message, err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None
    counts = found.counts()
    if as_json:
        click.echo(json.dumps(counts, indent=2))
        return
    width = max(map(len, counts))
    for name, count in counts.items():
        click.echo(f"{name:{width}}  {count}")
    if found.known:
        click.echo(f"{found.known} of the pages had been looked at before")
    click.echo(f"wrote {found.records} and {found.index}")
