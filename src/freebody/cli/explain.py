"""Worked derivations on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from freebody.cli.output import EACH, Counts, progress_spinner

METHODS = ("newton_euler", "lagrange", "kane")


@click.command()
@click.argument("model")
@EACH
@click.option("--method", type=click.Choice(METHODS), default="newton_euler", show_default=True)
@click.option(
    "--steps",
    type=click.Choice(("all", "main")),
    default="all",
    show_default=True,
    help="Whether steps between are printed.",
)
@click.option("--short", is_flag=True, help="Abbreviate sines and cosines: s_1, c_{12}.")
@click.option(
    "--angles",
    type=click.Choice(("model", "relative", "absolute")),
    default="model",
    show_default=True,
    help="Of each body against the one before it, or against the ground.",
)
@click.option("--term", help="Tell where one term comes from, such as alpha1_dot*alpha2_dot.")
@click.option("--as", "symbols", metavar="DOCUMENT", help="Print the symbols of a document.")
@click.option(
    "-o", "path", type=Path, help="The file to write: .md or .tex with pictures, .ipynb, .html."
)
def explain(
    model: str,
    each: Counts,
    method: Literal["newton_euler", "lagrange", "kane"],
    steps: Literal["all", "main"],
    short: bool,
    angles: Literal["model", "relative", "absolute"],
    term: str | None,
    symbols: str | None,
    path: Path | None,
) -> None:
    """Derive the equations of motion step by step, as a lecture does.

    Draws the system and its free bodies, and writes kinematics, balances or energies, the sorted
    equations with what each term is, special cases, and the numbers of one state. Every equation
    is checked; the file is a document that `freebody check` reads.

    \b
    Examples:
      freebody explain three_link_arm -o derivation.md
      freebody explain three_link_arm --as cesari_2001 -o derivation.tex
      freebody explain cart_pendulum --method lagrange --short
      freebody explain two_link --angles absolute
      freebody explain two_link --term "alpha1_dot*alpha2_dot"
    """
    from freebody.explaining import explain as explained
    from freebody.explaining import explain_term
    from freebody.explaining.writing import ENDINGS
    from freebody.files import expect_ending
    from freebody.model import load

    if path is not None:
        expect_ending(path, ENDINGS)
    if term is not None:
        click.echo("\n\n".join(map(str, explain_term(load(model, each=each), term))))
        return
    with progress_spinner("deriving, step by step, and checking each equation"):
        derivation = explained(
            load(model, each=each),
            method,
            steps=steps,
            short=short,
            symbols=symbols,
            angles=angles,
        )
        files = () if path is None else derivation.save(path)
    if path is None:
        click.echo(derivation.markdown, nl=False)
        return
    for file in files:
        click.echo(f"wrote {file}")
    click.echo(f"{len(derivation.equations)} equations, all of them hold")


@click.command()
@click.argument("first")
@click.argument("second")
def compare(first: str, second: str) -> None:
    """Compare models or pages term by term: what the second adds, or says otherwise.

    Equations of motion of models are matched by the names of coordinates; what pages print by the
    quantities that it is of. Exits with 1 where anything differs.

    \b
    Examples:
      freebody compare pendulum one_link
      freebody compare preprint.tex published.tex
      freebody compare published.tex two_link
    """
    from freebody.explaining import compare as compared

    result = compared(first, second)
    click.echo(str(result))
    if not result:
        raise SystemExit(1)


@click.command()
@click.argument("model")
@EACH
@click.option("--method", type=click.Choice(METHODS), default="lagrange", show_default=True)
@click.option(
    "--hide",
    default="",
    metavar="NAMES",
    help="What is left blank: M, C, G, E, tau, positions, velocities, reactions, energies ...",
)
@click.option("--misprints", type=click.IntRange(0, 50), default=0, help="How many are planted.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the misprints.")
@click.option("-o", "path", type=Path, default=Path("exercise.md"), show_default=True)
def exercise(
    model: str,
    each: Counts,
    method: Literal["newton_euler", "lagrange", "kane"],
    hide: str,
    misprints: int,
    seed: int,
    path: Path,
) -> None:
    """Make an exercise: a derivation with blanks or misprints, and its solution beside it.

    What is handed in is graded by `freebody check exercise.md --against exercise_solution.md`.

    \b
    Examples:
      freebody exercise two_link --hide M,C -o exercise.md
      freebody exercise cart_pendulum --misprints 3 --seed 3
    """
    from freebody.explaining import exercise as made
    from freebody.model import load

    hidden = [name.strip() for name in hide.split(",") if name.strip()]
    with progress_spinner("deriving, and checking each equation"):
        result = made(load(model, each=each), method, hide=hidden, misprints=misprints, seed=seed)
        files = result.save(path)
    for file in files[:2]:
        click.echo(f"wrote {file}")
    for change in result.changes:
        click.echo(f"({change.label}) {change.what}")
