"""Regressors and what they tell, on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from freebody.cli.output import (
    EACH,
    Counts,
    console,
    print_json,
    progress_spinner,
    table,
    write_files,
)

if TYPE_CHECKING:
    from rich.table import Table

    from freebody.identification import Regressor


@click.command()
@click.argument("model")
@EACH
@click.option("--full", is_flag=True, help="All ten parameters of each body.")
@click.option("--closed-form", is_flag=True, help="Print Y in closed form, where it is small.")
@click.option("-o", "path", type=Path, help="Write it: .json.")
@click.option("--json", "as_json", is_flag=True, help="Print all of it as JSON.")
def regressor(
    model: str, each: Counts, full: bool, closed_form: bool, path: Path | None, as_json: bool
) -> None:
    """Tell the parameters that motions and forces of a model can tell, and which they cannot.

    \b
    Examples:
      freebody regressor two_link
      freebody regressor arm_3d --full -o arm.json
    """
    from freebody.identification import regressor as made_of
    from freebody.model import load

    with progress_spinner(
        "writing the regressor, and finding which of its columns are independent"
    ):
        made = made_of(load(model, each=each), full=full)
    write_files((path, made.save))
    if as_json:
        print_json(made.as_json())
        return
    _tell(made)
    if closed_form:
        _tell_closed_form(made)


def _tell(made: Regressor) -> None:
    out = console()
    out.print(
        f"[bold]{len(made.parameters)} parameters, {len(made.base)} base parameters[/bold]: "
        f"{made.proof}",
        soft_wrap=True,
    )
    for note in made.notes:
        out.print(note, soft_wrap=True)
    out.print(_base(made))
    if made.unidentifiable:
        names = ", ".join(made.unidentifiable)
        out.print(f"No motion tells anything of {names}.", soft_wrap=True)
    if made.only_combined:
        names = ", ".join(made.only_combined)
        out.print(f"Only combinations tell of {names}.", soft_wrap=True)


def _base(made: Regressor) -> Table:
    rows = table("", "base parameter", "of", "value", "unit")
    for number, one in enumerate(made.base, 1):
        value = "" if one.number is None else f"{one.number:.6g}"
        of = str(one.combination)
        rows.add_row(str(number), str(one), of if of != str(one) else "", value, one.unit)
    return rows


def _tell_closed_form(made: Regressor) -> None:
    """Print the entries of Y that are not zero."""
    from freebody.mechanics.notation import python

    names = made.mechanism.names
    for speed, row in zip(made.as_json()["speeds"], made.closed_form.tolist(), strict=True):
        for parameter, entry in zip(made.parameters, row, strict=True):
            if entry != 0:
                click.echo(f"Y[{speed}, {parameter.name}] = {python(entry, names)}")
