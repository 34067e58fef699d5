"""Recorded motions on the command line, and the tables that body segments follow."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from freebody.cli.output import console, table, write
from freebody.cli.settings import EACH, Counts

if TYPE_CHECKING:
    from freebody.motion import Motion


TREATMENT = (
    click.option("--fill", type=float, default=0.0, help="The longest gap to be filled, in s."),
    click.option("--filter", "smooth", is_flag=True, help="Low-pass, by residual analysis."),
    click.option("--cutoff", type=float, help="Low-pass, at this many Hz."),
    click.option(
        "--derivatives",
        type=click.Choice(["spline", "difference"]),
        default="spline",
        show_default=True,
        help="Quintic splines, or central differences.",
    ),
)


def treatment(command: Any) -> Any:
    """Add the options of what is done with a recorded motion: see `treated`."""
    for option in reversed(TREATMENT):
        command = option(command)
    return command


def treated(found: Motion, smooth: bool, cutoff: float | None, derivatives: str) -> Motion:
    """Return a motion filtered as asked for, with its derivatives."""
    if smooth or cutoff is not None:
        found = found.filtered(cutoff)
    return found.differentiated(derivatives)


@click.command()
@click.argument("file", type=Path)
@click.option("--model", help="Whose coordinates it must have.")
@EACH
@click.option("--column", "columns", multiple=True, help="A column to read; all if not given.")
@treatment
@click.option("-o", "--output", type=Path, help="Write time and coordinates: .csv.")
@click.option("--plot", type=Path, help="Draw it, its derivatives and the choices: .png ...")
def motion(
    file: Path,
    model: str | None,
    each: Counts,
    columns: tuple[str, ...],
    fill: float,
    smooth: bool,
    cutoff: float | None,
    derivatives: str,
    output: Path | None,
    plot: Path | None,
) -> None:
    """Read a recorded motion, filter it, and tell what is wrong with it.

    \b
    Example:
      freebody motion walk.mot --column knee_angle_r --filter --plot knee.png
    """
    from freebody.model import load
    from freebody.motion import read_motion

    if model is None and each:
        raise click.UsageError("expected --model with --each")
    wanted = None if model is None else load(model, each=each)
    found = read_motion(file, wanted, columns=columns or None, fill=fill)
    found = treated(found, smooth, cutoff, derivatives)
    _tell(found)
    write((output, found.save), (plot, found.plot))


def _tell(found: Motion) -> None:
    times = found.times
    span = f"{times[0]:g} to {times[-1]:g} s"
    click.echo(f"{len(times)} samples, {span}, {(len(times) - 1) / (times[-1] - times[0]):.6g} Hz")
    for what, choice in found.choices.items():
        if isinstance(choice, str):
            click.echo(f"{what}: {choice}")
    cutoffs = found.choices.get("filter", {}).get("cutoff", {})
    rows = table("coordinate", "unit", "least", "largest", "fastest", "cut-off [Hz]")
    for name, known in found.units.items():
        unit = known or found.choices.get("angles", "")
        one = found.data.sel(coordinate=name, speed=f"{name}_dot")
        values = one["coordinates"], one["speeds"]
        numbers = values[0].min(), values[0].max(), abs(values[1]).max()
        cutoff = f"{cutoffs[name]:.3g}" if name in cutoffs else ""
        rows.add_row(name, unit, *(f"{float(number):.4g}" for number in numbers), cutoff)
    console().print(rows)


@click.command()
@click.argument("name", required=False)
def segments(name: str | None) -> None:
    """List the tables of body segment parameters, or the rows of one.

    \b
    Example:
      freebody segments de_leva_1996
    """
    from freebody.anthropometry import table as segment_table
    from freebody.anthropometry import tables

    if name is not None:
        _tell_table(name)
        return
    rows = table("table", "what it is", "source")
    for each in tables():
        found = segment_table(each)
        rows.add_row(each, found.title, found.source)
    console().print(rows)


def _tell_table(name: str) -> None:
    from freebody.anthropometry import table as segment_table

    found = segment_table(name)
    out = console()
    out.print(f"[bold]{found.title}[/bold]")
    for text in (found.source, f"Checked: {found.checked}.", found.note):
        out.print(text, markup=False)
    rows = table("segment", "from, to", "sex", "mass", "length", "centre", "radii of gyration")
    for row in found.rows:
        for sex, part in row.fractions.items():
            radii = (part.sagittal, part.transverse, part.longitudinal)
            numbers = (part.mass, _of_height(part.length, found.height.get(sex)))
            centre, about = part.center_of_mass, ", ".join(map(_shown, radii))
            cells = map(_shown, (*numbers, centre))
            rows.add_row(row.segment, ", ".join(row.between), sex, *cells, about)
    out.print(rows)


def _of_height(length: float | None, height: float | None) -> float | None:
    return None if length is None or height is None else length / height


def _shown(value: Any) -> str:
    return "–" if value is None else f"{value:.4g}"
