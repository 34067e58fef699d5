"""Equations of motion on the command line, to be read and as source code."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from freebody.cli.output import EACH, Counts, print_json, progress_spinner

if TYPE_CHECKING:
    from freebody.algebra import Comparison
    from freebody.mechanics import Equations


METHODS = ("kane", "lagrange", "newton_euler", "all")


@click.command()
@click.argument("model")
@EACH
@click.option("--method", type=click.Choice(METHODS), default="kane", show_default=True)
@click.option("--latex", is_flag=True, help="Print LaTeX to paste: an align with labels.")
@click.option("--short", is_flag=True, help="With --latex, abbreviate sines and cosines.")
@click.option(
    "--width",
    type=click.IntRange(20, 400),
    default=66,
    show_default=True,
    help="With --latex, about how many printed characters fit into a line; 44 of a column of two.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, entries in Python syntax.")
def derive(
    model: str,
    each: Counts,
    method: str,
    latex: bool,
    short: bool,
    width: int,
    as_json: bool,
) -> None:
    """Derive the equations of motion M u' + C + G + E = tau + J^T lambda.

    With --method all, derives them by all three formulations and compares them exactly;
    exits with 1 where they do not agree. Equations that are too large to be written out are
    printed as a straight-line program, and compared at random points of a prime field.

    \b
    Example:
      freebody derive three_link_arm --method all
      freebody derive three_link_arm --latex --short --width 60
    """
    from freebody.algebra import Ring
    from freebody.mechanics import agreement, in_symbols
    from freebody.mechanics import derive as derive_by
    from freebody.mechanics.notation import text
    from freebody.model import load

    moving, ring = in_symbols(load(model, each=each)), Ring()
    methods = METHODS[:-1] if method == "all" else (method,)
    with progress_spinner(f"deriving {len(moving.speeds)} equations of motion") as say:
        derived = []
        for name in methods:
            say(f"deriving {len(moving.speeds)} equations of motion by {name}")
            derived.append(derive_by(moving, name, ring))
        say("writing them out")
        output: Any
        if latex and not as_json:
            output = _in_latex(derived[0], width, short)
        else:
            output = _data(derived[0]) if as_json else text(derived[0])
        if len(derived) > 1:
            say("comparing the formulations")
        compared = agreement(derived)
    if as_json:
        print_json({**output, "agreement": _compared(compared)})
    else:
        click.echo(output)
        for pair, comparison in compared.items():
            verb = "agree" if comparison else "DIFFER"
            click.echo(f"{pair.replace('-', ' and ')} {verb} ({comparison.proof})")
    if not all(compared.values()):
        raise SystemExit(1)


def _in_latex(equations: Equations, width: int, short: bool) -> str:
    from freebody.algebra.terms import TooLargeError
    from freebody.explaining.paste import align

    try:
        return align(equations, width=width, short=short)
    except TooLargeError as error:
        raise TooLargeError(
            f"too large to be written out in LaTeX, {error}: without --latex they are printed as a "
            "program"
        ) from None


def _data(equations: Equations) -> dict[str, Any]:
    from freebody.algebra.terms import TooLargeError
    from freebody.mechanics.notation import (
        assignments,
        blocks,
        definitions,
        entries,
        impacts,
        python,
    )

    names = equations.mechanism.names
    data: dict[str, Any]
    try:
        data = {block: entries(equations, block) for block in blocks(equations)}
    except TooLargeError as error:
        data = {"too_large": str(error), "program": assignments(equations)}
    return {
        "method": equations.method,
        "coordinates": list(names.coordinates),
        "speeds": list(names.speeds),
        "prescribed": list(names.model.prescribed),
        "inputs": list(names.inputs),
        "constants": list(names.constants),
        "multipliers": [python(symbol, names) for symbol in equations.multipliers],
        **data,
        "definitions": definitions(equations),
        "impacts": impacts(equations),
    }


def _compared(compared: dict[str, Comparison]) -> dict[str, Any]:
    return {
        pair: {"equal": comparison.equal, "proof": comparison.proof}
        for pair, comparison in compared.items()
    }


# ------------------------------------------------------------------ source code


@click.command()
@click.argument("model")
@EACH
@click.option(
    "--target",
    default="c",
    show_default=True,
    metavar="NAME",
    help="What it is written for: c, octave, julia, numpy, numba or jax.",
)
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
