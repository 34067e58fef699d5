"""Inverse dynamics on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from freebody.cli.motion import treated, treatment
from freebody.cli.output import advancing, console, table, write
from freebody.cli.settings import EACH, Counts, number, pairs

if TYPE_CHECKING:
    from freebody.inverse_dynamics import InverseDynamics, Noise
    from freebody.model import Model
    from freebody.motion import Motion


@click.command()
@click.argument("model")
@click.argument("motion", type=Path)
@EACH
@click.option("--column", "columns", multiple=True, help="A column to read; all if not given.")
@click.option("--force", "forces", multiple=True, metavar="PLACE=FILE", help="A measured force.")
@click.option("--rate", type=float, help="Resample the motion, in Hz.")
@treatment
@click.option("--set", "constants", multiple=True, metavar="NAME=VALUE", help="A constant.")
@click.option("--input", "inputs", multiple=True, metavar="NAME=EXPRESSION", help="A known input.")
@click.option("--inputs", "recorded", type=Path, help="A file with the time and inputs: .csv ...")
@click.option("--solve", multiple=True, metavar="NAME", help="An input to be solved for besides.")
@click.option(
    "--noise",
    "noises",
    multiple=True,
    metavar="[NAME=]SIZE",
    help="Standard deviation of the coordinates' noise, of one, or of a place's marker in m.",
)
@click.option("--draws", type=int, help="Of the noise, at random.  [default: 400]")
@click.option("--seed", type=int, help="Of the random numbers.  [default: 0]")
@click.option("--tables", metavar="NAME,...", help="Tables of segments to compare with.")
@click.option("--backend", help="heyoka, c or numpy; the quickest unless given.")
@click.option("-o", "--output", type=Path, help="Write the arrays: .csv or .nc.")
@click.option("--plot", type=Path, help="Draw terms, motion, inputs and power: .png ...")
def inverse(
    model: str,
    motion: Path,
    each: Counts,
    forces: tuple[str, ...],
    constants: tuple[str, ...],
    inputs: tuple[str, ...],
    recorded: Path | None,
    solve: tuple[str, ...],
    noises: tuple[str, ...],
    draws: int | None,
    seed: int | None,
    tables: str | None,
    backend: str | None,
    output: Path | None,
    plot: Path | None,
    **how: Any,
) -> None:
    """Work out the torques that a recorded motion takes, term by term.

    A FILE of a force has columns time, fx, fy, and px, py where it acts (m, in the ground frame).

    \b
    Examples:
      freebody inverse two_link reach.csv --filter -o torques.csv --plot torques.png
      freebody inverse leg.toml gait.mot --cutoff 6 --force foot=plate.csv
      freebody inverse leg.toml gait.mot --cutoff 6 --noise 0.002 --tables dumas_2007
      freebody simulate two_link --inputs torques.csv --start torques.csv
    """
    from freebody.inverse_dynamics import inverse as run
    from freebody.model import load
    from freebody.simulation.inputs import inputs_of

    _expect_writable(output, plot)
    loaded = load(model, each=each)
    moving = _motion(loaded, motion, **how)
    numbers = {name: number(name, value) for name, value in pairs(constants)}
    start, end = float(moving.times[0]), float(moving.times[-1])
    known, _ = inputs_of(recorded, loaded, driving=False)
    with advancing("inverse dynamics", end - start) as progress:
        found = run(
            loaded,
            moving,
            forces=_files(forces),
            constants=numbers,
            inputs={**known, **dict(pairs(inputs))},
            solve=solve,
            noise=_noise(noises, draws, seed),
            tables=tables.split(",") if tables else (),
            backend=backend,
            progress=lambda time: progress(time - start),
        )
    write((output, found.save), (plot, found.plot))
    _tell(found, numbers)


def _motion(
    model: Model,
    path: Path,
    *,
    columns: tuple[str, ...],
    fill: float,
    rate: float | None,
    smooth: bool,
    cutoff: float | None,
    derivatives: str,
) -> Motion:
    """Read a motion and do with it what is asked for."""
    from freebody.motion import read_motion

    found = read_motion(path, model, columns=columns or None, fill=fill)
    if rate is not None:
        found = found.resampled(rate)
    return treated(found, smooth, cutoff, derivatives)


def _noise(noises: tuple[str, ...], draws: int | None, seed: int | None) -> Noise | None:
    """Return the noise that is asked for: of all coordinates, or by name."""
    from freebody.inverse_dynamics import Noise

    if not noises:
        if draws is not None or seed is not None:
            raise click.UsageError("expected --noise with --draws or --seed")
        return None
    named = [one for one in noises if "=" in one]
    if len(named) < len(noises) > 1:
        raise click.UsageError("expected --noise SIZE once, or --noise NAME=SIZE for each name")
    sizes = {name: number(name, value) for name, value in pairs(tuple(named))}
    given = {} if draws is None else {"draws": draws}
    given |= {} if seed is None else {"seed": seed}
    return Noise(sizes or number("--noise", noises[0]), **given)


def _files(forces: tuple[str, ...]) -> dict[str, Path]:
    """Return the files of forces by the place that they act on."""
    return {place: Path(path) for place, path in pairs(forces)}


def _expect_writable(output: Path | None, plot: Path | None) -> None:
    """Refuse what cannot be written before anything is worked out."""
    from freebody.files import PICTURES, RESULTS, expect_ending, expect_writable

    for path, endings in ((output, RESULTS), (plot, PICTURES)):
        if path is not None:
            expect_ending(path, endings)
            expect_writable(path)


def _tell(found: InverseDynamics, constants: Mapping[str, float]) -> None:
    made = found.provenance
    for what in ("sampling", "derivatives", "backend"):
        click.echo(f"{what}: {_said(made[what])}")
    click.echo(f"constants: {_said(constants) or 'as in the model'}")
    for what in ("units", "times", "resampled", "filled", "filter", "forces", "inputs"):
        if made.get(what):
            click.echo(f"{what}: {_said(made[what])}")
    click.echo(f"solved for: {', '.join(made['solved']) or 'nothing'}")
    console().print(_terms(found))
    console().print(_joints(found))
    if "noise" in made or "tables" in made:
        console().print(_sure(found))
    for note in found.notes:
        click.echo(f"note: {note}")


def _said(choice: Any) -> str:
    """Return a choice in one line."""
    if isinstance(choice, Mapping):
        return ", ".join(f"{name} {_said(value)}" for name, value in choice.items())
    return f"{choice:.3g}" if isinstance(choice, float) else str(choice)


def _terms(found: InverseDynamics) -> Any:
    """Return the largest of each term, in a table."""
    data = found.data
    terms = [str(term) for term in data["term"].to_numpy()]
    rows = table("largest along", "unit", *terms, "sum", "residual")
    for speed in data["speed"].to_numpy():
        one = abs(data.sel(speed=speed))
        values = [one["terms"].sel(term=term) for term in terms]
        values += [one["generalized"], one["residual"]]
        numbers = (f"{float(value.max()):.4g}" for value in values)
        rows.add_row(str(speed), one["force_unit"].item(), *numbers)
    return rows


def _sure(found: InverseDynamics) -> Any:
    """Return how much the sums change by noise and from table to table, in a table."""
    known = found.data["trusted"].to_numpy()
    data = found.data.isel(time=known | ~known.any())
    tables = [str(name) for name in data["table"].to_numpy()] if "table" in data else []
    noise = ["s.d. by noise"] if "generalized_sd" in data else []
    rows = table("change along", "unit", *noise, *(f"at most, {name}" for name in tables))
    for speed in data["speed"].to_numpy():
        one = data.sel(speed=speed)
        values = [(one["generalized_sd"] ** 2).mean() ** 0.5] if noise else []
        values += [
            abs(one["generalized_by_table"].sel(table=name) - one["generalized"]).max()
            for name in tables
        ]
        rows.add_row(
            str(speed), one["force_unit"].item(), *(f"{float(value):.4g}" for value in values)
        )
    return rows


def _joints(found: InverseDynamics) -> Any:
    """Return the power of each joint, in a table."""
    data = found.data
    rows = table("joint", "least power [W]", "largest [W]", "work [J]")
    for joint in data["joint"].to_numpy():
        power = data["power"].sel(joint=joint)
        numbers = power.min(), power.max(), data["work"].sel(joint=joint)[-1]
        rows.add_row(str(joint), *(f"{float(value):.4g}" for value in numbers))
    return rows
