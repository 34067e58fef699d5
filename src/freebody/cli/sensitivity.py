"""Sensitivities on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from freebody.cli.output import (
    EACH,
    Counts,
    console,
    parse_number,
    parse_pairs,
    print_json,
    progress_spinner,
    table,
    write_files,
)

if TYPE_CHECKING:
    from rich.table import Table

    from freebody.sensitivities import Sensitivity

COLUMNS = 6
"""The most parameters that stand beside each other in a table."""


@click.command()
@click.argument("model")
@EACH
@click.option("--of", multiple=True, required=True, metavar="NAME", help="Such as position.hand.x.")
@click.option("--to", multiple=True, required=True, metavar="NAME", help="A constant, a start ...")
@click.option(
    "--at",
    type=click.Choice(["motion", "equilibrium"]),
    default="motion",
    show_default=True,
    help="Along the motion from the initial state, or at the equilibrium next to it.",
)
@click.option("--along", type=Path, help="Along a motion that stays as it is: .csv, .mot, .nc.")
@click.option("--duration", type=float, help="In s; 5 unless it is given.")
@click.option("--step", type=float, default=0.01, show_default=True, help="Of the result, in s.")
@click.option("--set", "constants", multiple=True, metavar="NAME=VALUE", help="A constant.")
@click.option("--initial", multiple=True, metavar="NAME=VALUE", help="A coordinate or speed.")
@click.option("--input", "inputs", multiple=True, metavar="NAME=EXPRESSION", help="An input.")
@click.option("--method", default="DOP853", show_default=True, help="DOP853, or Radau if stiff.")
@click.option("--tolerance", type=float, default=1e-10, show_default=True, help="Of the method.")
@click.option("-o", "--output", type=Path, help="Write the arrays: .csv or .nc.")
@click.option("--plot", type=Path, help="Draw the effect of 1 % of each parameter: .png ...")
@click.option("--json", "as_json", is_flag=True, help="Print effects and provenance as JSON.")
def sensitivity(
    model: str,
    each: Counts,
    constants: tuple[str, ...],
    initial: tuple[str, ...],
    inputs: tuple[str, ...],
    output: Path | None,
    plot: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Tell how much results change with constants, initial values and inputs.

    \b
    Examples:
      freebody sensitivity two_link --of position.link2 --to m2 --to L1 --plot effects.png
      freebody sensitivity pendulum --of theta --to m --at equilibrium --input T=0.3
      freebody sensitivity two_link --of inverse_dynamics --to m2 --along reach.csv
    """
    from freebody.model import load
    from freebody.sensitivities import sensitivity as differentiated

    with progress_spinner("deriving, differentiating and integrating"):
        made = differentiated(
            load(model, each=each),
            constants={name: parse_number(name, value) for name, value in parse_pairs(constants)},
            initial=dict(parse_pairs(initial)) or None,
            inputs=dict(parse_pairs(inputs)) or None,
            **options,
        )
    write_files((output, made.save), (plot, made.plot))
    if as_json:
        print_json({**made.as_json(), "effects": _effects(made)})
        return
    out = console()
    when = "" if "time" not in made.data.dims else "Largest over time. "
    out.print(f"{when}A change of each parameter by 1 % (of one that is 0 by 0.01) changes:")
    names = list(map(str, made.data["parameter"].to_numpy()))
    for start in range(0, len(names), COLUMNS):
        out.print(_rows(made, names[start : start + COLUMNS]))


def _effects(made: Sensitivity) -> dict[str, dict[str, float]]:
    effects = made.effects()
    return {
        str(output): {
            str(name): float(effects.sel(output=output, parameter=name))
            for name in effects["parameter"].to_numpy()
        }
        for output in effects["output"].to_numpy()
    }


def _rows(made: Sensitivity, names: list[str]) -> Table:
    """Return a table of effects: a row for each output, a column for each parameter."""
    values = made.data["parameter_value"]
    heads = [f"{name} = {float(values.sel(parameter=name)):.5g}" for name in names]
    rows, effects = table("output", "unit", *heads), _effects(made)
    for output, unit in zip(effects, made.data["output_unit"].to_numpy(), strict=True):
        rows.add_row(output, str(unit), *(f"{effects[output][name]:.4g}" for name in names))
    return rows
