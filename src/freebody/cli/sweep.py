"""Motions over a grid on the command line."""

from __future__ import annotations

from math import prod
from pathlib import Path

import click

from freebody.cli.output import advancing, print_json, write
from freebody.cli.settings import EACH, Counts, number, pairs


@click.command()
@click.argument("model")
@click.option(
    "--over", multiple=True, required=True, metavar="NAME=FROM:TO:COUNT", help="Or NAME=A,B,C."
)
@click.option("--duration", type=float, help="In s; 5 unless given.")
@click.option("--step", type=float, default=0.1, show_default=True, help="Of the result, in s.")
@EACH
@click.option("--set", "constants", multiple=True, metavar="NAME=VALUE", help="A constant.")
@click.option("--initial", multiple=True, metavar="NAME=VALUE", help="A coordinate or speed.")
@click.option("--input", "inputs", multiple=True, metavar="NAME=EXPRESSION", help="An input.")
@click.option("--tolerance", type=float, default=1e-12, show_default=True, help="Of each step.")
@click.option("--max-drift", type=float, default=1e-3, show_default=True, help="Of the energy.")
@click.option("--backend", help="heyoka, c or numpy; the first that is there unless given.")
@click.option("-o", "--output", type=Path, help="Write the arrays: .csv or .nc.")
@click.option("--plot", type=Path, help="Draw the coordinates of all motions: .png ...")
@click.option("--json", "as_json", is_flag=True, help="Print statistics and provenance as JSON.")
def sweep(
    model: str,
    over: tuple[str, ...],
    duration: float | None,
    step: float,
    each: Counts,
    constants: tuple[str, ...],
    initial: tuple[str, ...],
    inputs: tuple[str, ...],
    tolerance: float,
    max_drift: float,
    backend: str | None,
    output: Path | None,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Integrate the motions of a model over a grid of constants, coordinates and speeds.

    \b
    Example:
      freebody sweep two_link --over m2=1:2:50 --over alpha2=0,0.5,1 -o runs.nc
    """
    from freebody.files import PICTURES, RESULTS, expect_ending, expect_writable
    from freebody.model import load
    from freebody.simulation import sweep as run

    for path, endings in ((output, RESULTS), (plot, PICTURES)):
        if path is not None:
            expect_ending(path, endings)
            expect_writable(path)
    grid = {name: _values(name, values) for name, values in pairs(over)}
    with advancing("integrating", float(prod(map(len, grid.values())))) as progress:
        runs = run(
            load(model, each=each),
            grid,
            duration,
            step=step,
            constants={name: number(name, value) for name, value in pairs(constants)},
            initial=dict(pairs(initial)),
            inputs=dict(pairs(inputs)),
            tolerance=tolerance,
            max_drift=max_drift,
            backend=backend,
            progress=progress,
        )
    write((output, runs.save), (plot, runs.plot))
    if as_json:
        print_json(runs.as_json())
        return
    told = runs.statistics
    click.echo(
        f"{told['done']} motions by {runs.provenance['method']}: {told['stopped']} stopped, "
        f"{told['lost']} off by more than {told['max_drift']:g} of their energy"
    )


def _values(name: str, text: str) -> list[float]:
    """Return the values of ``FROM:TO:COUNT``, or those that stand between commas."""
    first, *others = text.split(":")
    if not others:
        return [number(name, value) for value in text.split(",")]
    if len(others) != 2 or not others[1].strip().isdecimal() or int(others[1]) < 1:
        raise click.UsageError(f"expected {name}=FROM:TO:COUNT or {name}=A,B,C, found '{text}'")
    ends = number(name, first), number(name, others[0])
    count = int(others[1])
    return [ends[0] + (ends[1] - ends[0]) * i / max(1, count - 1) for i in range(count)]
