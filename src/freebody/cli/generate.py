"""Source code on the command line."""

from __future__ import annotations

from pathlib import Path

import click

from freebody.cli.settings import EACH, Counts

TARGETS = ("c", "octave", "numpy", "numba", "jax")


@click.command()
@click.argument("model")
@EACH
@click.option("--target", type=click.Choice(TARGETS), default="c", show_default=True)
@click.option(
    "--output",
    default="rhs",
    show_default=True,
    metavar="NAME",
    help="What it computes: accelerations, mass_matrix, position.hand ...",
)
@click.option("-o", "path", type=Path, help="The file to write, rather than to print.")
def generate(model: str, each: Counts, target: str, output: str, path: Path | None) -> None:
    """Write the equations of a model as source code, in its own names.

    The file says what it computes, in which order it takes its arguments, their units and where
    values come from. For C a header is written beside it.

    \b
    Examples:
      freebody generate three_link_arm --target c --output rhs -o arm.c
      freebody generate two_link --target octave --output mass_matrix
    """
    from freebody.backends.generate import generate as write
    from freebody.model import load

    files = write(load(model, each=each), target, output, path)
    if path is None:
        click.echo(next(iter(files.values())), nl=False)
    else:
        for file in files:
            click.echo(f"wrote {file}")
