"""Inverse dynamics on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from freebody.cli.output import (
    COLUMNS,
    EACH,
    Counts,
    console,
    parse_number,
    parse_pairs,
    progress_bar,
    table,
    write_files,
)
from freebody.cli.sweep import SCHEDULER

if TYPE_CHECKING:
    from freebody.inverse_dynamics import InverseDynamics, Noise
    from freebody.model import Model
    from freebody.motion import Motion


FOREIGN = (".osim", ".urdf", ".xml")
"""Endings of models of other programs."""
TREATMENT = (
    click.option("--fill", type=float, default=0.0, help="The longest gap to be filled, in s."),
    click.option(
        "--filter",
        "smooth",
        is_flag=False,
        flag_value="residuals",
        type=click.Choice(["residuals", "opensim"]),
        help="Low-pass, by residual analysis; or as OpenSim does, at a --cutoff.",
    ),
    click.option("--cutoff", type=float, help="Low-pass, at this many Hz."),
    click.option("--order", type=int, help="Of each of the filter's two passes.  [default: 2]"),
    click.option(
        "--derivatives",
        type=click.Choice(["spline", "difference"]),
        help="Quintic splines, or central differences.  [default: those of the file; spline]",
    ),
)


def treatment(command: Any) -> Any:
    """Add the options of what is done with a recorded motion: see `treated`."""
    for option in reversed(TREATMENT):
        command = option(command)
    return command


def treated(
    recorded: Motion,
    smooth: str | None,
    cutoff: float | None,
    order: int | None,
    derivatives: str | None,
) -> Motion:
    """Return a motion filtered as asked for, with its derivatives: those that it has, or others."""
    from freebody.motion.filtering import ORDER

    if smooth == "opensim":
        return recorded.filtered(cutoff, order=order or ORDER, tool=smooth)
    if smooth or cutoff is not None:
        recorded = recorded.filtered(cutoff, order=order or ORDER)
    elif order is not None:
        raise click.UsageError("expected --filter or --cutoff with --order")
    if derivatives is None and "accelerations" in recorded.data:
        return recorded
    return recorded.differentiated(derivatives or "spline")


@click.command()
@click.argument("file", type=Path)
@click.option("--model", help="Whose coordinates it must have.")
@EACH
@COLUMNS
@treatment
@click.option("-o", "--output", type=Path, help="Write time and coordinates: .csv.")
@click.option("--plot", type=Path, help="Draw it, its derivatives and the choices: .png ...")
def motion(
    file: Path,
    model: str | None,
    each: Counts,
    columns: dict[str, str],
    fill: float,
    smooth: str | None,
    cutoff: float | None,
    order: int | None,
    derivatives: str | None,
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
    recorded = read_motion(file, wanted, columns=columns or None, fill=fill)
    recorded = treated(recorded, smooth, cutoff, order, derivatives)
    _tell_motion(recorded)
    write_files((output, recorded.save), (plot, recorded.plot))


def _tell_motion(recorded: Motion) -> None:
    times = recorded.times
    span = f"{times[0]:g} to {times[-1]:g} s"
    click.echo(f"{len(times)} samples, {span}, {(len(times) - 1) / (times[-1] - times[0]):.6g} Hz")
    for what, choice in recorded.choices.items():
        if isinstance(choice, str):
            click.echo(f"{what}: {choice}")
    cutoffs = recorded.choices.get("filter", {}).get("cutoff", {})
    rows = table("coordinate", "unit", "least", "largest", "fastest", "cut-off [Hz]")
    for name, known in recorded.units.items():
        unit = known or recorded.choices.get("angles", "")
        one = recorded.data.sel(coordinate=name, speed=f"{name}_dot")
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
        table_of_segments = segment_table(each)
        rows.add_row(each, table_of_segments.title, table_of_segments.source)
    console().print(rows)


def _tell_table(name: str) -> None:
    from freebody.anthropometry import table as segment_table

    chosen = segment_table(name)
    out = console()
    out.print(f"[bold]{chosen.title}[/bold]")
    for text in (chosen.source, f"Checked: {chosen.checked}.", chosen.note):
        out.print(text, markup=False)
    rows = table("segment", "from, to", "sex", "mass", "length", "centre", "radii of gyration")
    for row in chosen.rows:
        for sex, part in row.fractions.items():
            radii = (part.sagittal, part.transverse, part.longitudinal)
            numbers = (part.mass, _of_height(part.length, chosen.height.get(sex)))
            centre, about = part.center_of_mass, ", ".join(map(_shown, radii))
            cells = map(_shown, (*numbers, centre))
            rows.add_row(row.segment, ", ".join(row.between), sex, *cells, about)
    out.print(rows)


def _of_height(length: float | None, height: float | None) -> float | None:
    return None if length is None or height is None else length / height


def _shown(value: Any) -> str:
    return "–" if value is None else f"{value:.4g}"


# ------------------------------------------------------------------ inverse dynamics


@click.command()
@click.argument("model")
@click.argument("motion", type=Path)
@EACH
@COLUMNS
@click.option("--force", "forces", multiple=True, metavar="PLACE=FILE", help="A measured force.")
@click.option("--loads", type=Path, help="External loads of OpenSim: .xml.")
@click.option("--plates", type=Path, help="Force plates: .c3d.")
@click.option("--plate", "stands", multiple=True, metavar="N=BODY", help="What stood on plate N.")
@click.option("--axes", metavar="X,Y,Z", help="What they are of the plates: x,z,-y ...")
@click.option("--force-cutoff", type=float, help="Low-pass for forces and plates, in Hz.")
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
@SCHEDULER
@click.option("-o", "--output", type=Path, help="Write the arrays: .csv, .nc or .sto.")
@click.option("--plot", type=Path, help="Draw terms, motion, inputs and power: .png ...")
def inverse(
    model: str,
    motion: Path,
    each: Counts,
    forces: tuple[str, ...],
    loads: Path | None,
    plates: Path | None,
    stands: tuple[str, ...],
    axes: str | None,
    force_cutoff: float | None,
    constants: tuple[str, ...],
    inputs: tuple[str, ...],
    recorded: Path | None,
    solve: tuple[str, ...],
    noises: tuple[str, ...],
    draws: int | None,
    seed: int | None,
    tables: str | None,
    backend: str | None,
    scheduler: str | None,
    output: Path | None,
    plot: Path | None,
    **how: Any,
) -> None:
    """Work out the torques that a recorded motion takes, term by term.

    MODEL may be one of another program, .osim, .urdf or .xml, which is imported; of a model of
    OpenSim torques of its coordinates are found, not tensions of its muscles. A FILE of a force has
    columns time, fx, fy, and px, py where it acts (m, in the ground frame).

    \b
    Examples:
      freebody inverse two_link reach.csv --filter -o torques.csv --plot torques.png
      freebody inverse leg.toml gait.mot --cutoff 6 --force foot=plate.csv
      freebody inverse leg.toml gait.mot --cutoff 6 --noise 0.002 --tables dumas_2007
      freebody inverse subject.osim walk.mot --loads grf.xml --filter opensim --cutoff 6 -o id.sto
      freebody inverse subject.osim walk.mot --plates walk.c3d --axes x,z,-y \\
        --plate 1=calcn_r --plate 2=calcn_l --cutoff 6 --force-cutoff 20
      freebody simulate two_link --inputs torques.csv --start torques.csv
    """
    from freebody.inverse_dynamics import inverse as run
    from freebody.simulation.inputs import inputs_of

    expect_writable(output, plot)
    if loads and (forces or plates or force_cutoff is not None):
        raise click.UsageError("expected --loads or other forces, found both")
    if (stands or axes) and not plates:
        raise click.UsageError("expected --plates FILE.c3d with --plate or --axes")
    loaded = _loaded(model, each)
    acting = _acting(loaded, files_of_forces(forces), plates, stands, axes, force_cutoff)
    moving = read_treated(loaded, motion, **how)
    numbers = {name: parse_number(name, value) for name, value in parse_pairs(constants)}
    start, end = float(moving.times[0]), float(moving.times[-1])
    known, _ = inputs_of(recorded, loaded, driving=False)
    with progress_bar("inverse dynamics", end - start) as progress:
        result = run(
            loaded,
            moving,
            forces=loads or acting,
            constants=numbers,
            inputs={**known, **dict(parse_pairs(inputs))},
            solve=solve,
            noise=noise_of(noises, draws, seed),
            tables=tables.split(",") if tables else (),
            backend=backend,
            scheduler=scheduler,
            progress=lambda time: progress(time - start),
        )
    write_files((output, result.save), (plot, result.plot))
    _tell(result, numbers)


def _loaded(model: str, each: Counts) -> Model:
    """Return a model, which may be one of another program."""
    from freebody.model import load

    if Path(model).suffix not in FOREIGN:
        return load(model, each=each)
    from freebody.importing import import_model

    is_opensim = Path(model).suffix == ".osim"
    imported = import_model(model, muscles="torques" if is_opensim else "paths")
    for note in imported.notes:
        if note.kind in ("approximated", "left"):
            click.echo(f"{imported.source}: {note.kind}: {note.what}", err=True)
    return imported.model


def read_treated(
    model: Model,
    path: Path,
    *,
    columns: dict[str, str],
    fill: float,
    rate: float | None,
    smooth: str | None,
    cutoff: float | None,
    order: int | None,
    derivatives: str | None,
) -> Motion:
    """Read a motion and do with it what is asked for."""
    from freebody.motion import read_motion

    recorded = read_motion(path, model, columns=columns or None, fill=fill)
    if rate is not None:
        recorded = recorded.resampled(rate)
    return treated(recorded, smooth, cutoff, order, derivatives)


def noise_of(noises: tuple[str, ...], draws: int | None, seed: int | None) -> Noise | None:
    """Return the noise that is asked for: of all coordinates, or by name."""
    from freebody.inverse_dynamics import Noise

    if not noises:
        if draws is not None or seed is not None:
            raise click.UsageError("expected --noise with --draws or --seed")
        return None
    named = [one for one in noises if "=" in one]
    if len(named) < len(noises) > 1:
        raise click.UsageError("expected --noise SIZE once, or --noise NAME=SIZE for each name")
    sizes = {name: parse_number(name, value) for name, value in parse_pairs(tuple(named))}
    given = {} if draws is None else {"draws": draws}
    given |= {} if seed is None else {"seed": seed}
    return Noise(sizes or parse_number("--noise", noises[0]), **given)


def files_of_forces(forces: tuple[str, ...]) -> dict[str, Path]:
    """Return the files of forces by the place that they act on."""
    return {place: Path(path) for place, path in parse_pairs(forces)}


def _acting(
    model: Model,
    files: Mapping[str, Path],
    plates: Path | None,
    stands: tuple[str, ...],
    axes: str | None,
    cutoff: float | None,
) -> dict[str, Any]:
    """Return the forces of files and of plates, filtered if that is asked for."""
    from freebody.inverse_dynamics import forces_of_plates, read_force
    from freebody.mechanics.parts import AXES

    acting: dict[str, Any] = dict(files)
    if plates is not None:
        on = dict(_plate(one) for one in parse_pairs(stands))
        chosen = tuple(axes.split(",")) if axes else AXES
        found = forces_of_plates(plates, on, chosen, model)
        if twice := [body for body in found if body in acting]:
            raise click.UsageError(f"expected --force or --plate for '{twice[0]}', found both")
        acting |= found
    if cutoff is None:
        return acting
    if not acting:
        raise click.UsageError("expected --force or --plates with --force-cutoff")
    read = {place: read_force(one) if place in files else one for place, one in acting.items()}
    return {place: one.filtered(cutoff) for place, one in read.items()}


def _plate(pair: tuple[str, str]) -> tuple[int, str]:
    number, body = pair
    if not (number.isascii() and number.isdigit()):
        raise click.UsageError(f"expected --plate NUMBER=BODY, found '{number}={body}'")
    return int(number), body


def expect_writable(output: Path | None, plot: Path | None) -> None:
    """Refuse what cannot be written before anything is worked out."""
    from freebody.files import PICTURES, RESULTS, expect_ending
    from freebody.files import expect_writable as expect

    for path, endings in ((output, (*RESULTS, ".sto")), (plot, PICTURES)):
        if path is not None:
            expect_ending(path, endings)
            expect(path)


def _tell(result: InverseDynamics, constants: Mapping[str, float]) -> None:
    made = result.provenance
    for what in ("sampling", "derivatives", "backend"):
        click.echo(f"{what}: {_choice_text(made[what])}")
    click.echo(f"constants: {_choice_text(constants) or 'as in the model'}")
    for what in ("units", "times", "resampled", "filled", "filter", "forces", "inputs"):
        if made.get(what):
            click.echo(f"{what}: {_choice_text(made[what])}")
    click.echo(f"solved for: {', '.join(made['solved']) or 'nothing'}")
    console().print(_terms(result))
    console().print(_joints(result))
    if "noise" in made or "tables" in made:
        console().print(_sure(result))
    for note in result.notes:
        click.echo(f"note: {note}")


def _choice_text(choice: Any) -> str:
    """Return a choice in one line."""
    if isinstance(choice, Mapping):
        return ", ".join(f"{name} {_choice_text(value)}" for name, value in choice.items())
    return f"{choice:.3g}" if isinstance(choice, float) else str(choice)


def _terms(result: InverseDynamics) -> Any:
    """Return the largest of each term, in a table."""
    data = result.data
    terms = [str(term) for term in data["term"].to_numpy()]
    rows = table("largest along", "unit", *terms, "sum", "residual")
    for speed in data["speed"].to_numpy():
        one = abs(data.sel(speed=speed))
        values = [one["terms"].sel(term=term) for term in terms]
        values += [one["generalized"], one["residual"]]
        numbers = (f"{float(value.max()):.4g}" for value in values)
        rows.add_row(str(speed), one["force_unit"].item(), *numbers)
    return rows


def _sure(result: InverseDynamics) -> Any:
    """Return how much the sums change by noise and from table to table, in a table."""
    known = result.data["trusted"].to_numpy()
    data = result.data.isel(time=known | ~known.any())
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


def _joints(result: InverseDynamics) -> Any:
    """Return the power of each joint, in a table."""
    data = result.data
    rows = table("joint", "least power [W]", "largest [W]", "work [J]")
    for joint in data["joint"].to_numpy():
        power = data["power"].sel(joint=joint)
        numbers = power.min(), power.max(), data["work"].sel(joint=joint)[-1]
        rows.add_row(str(joint), *(f"{float(value):.4g}" for value in numbers))
    return rows
