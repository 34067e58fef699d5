"""Regressors and what they tell, on the command line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from freebody.cli.inverse import (
    expect_writable,
    files_of_forces,
    noise_of,
    read_treated,
    treatment,
)
from freebody.cli.output import (
    COLUMNS,
    EACH,
    Counts,
    console,
    parse_number,
    parse_pairs,
    parse_range,
    print_json,
    print_wide,
    progress_spinner,
    table,
    write_files,
)

SUM = 40
"""Characters of a line of a sum in a table, if no name is longer."""

if TYPE_CHECKING:
    from rich.table import Table

    from freebody.identification import Identified, Regressor
    from freebody.model import Model


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
    print_wide(_base(made))
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
        base, of = _lines(str(one)), _lines(str(one.combination))
        rows.add_row(str(number), base, of if of != base else "", value, one.unit)
    return rows


def _lines(text: str) -> str:
    """Return a sum in lines that are broken between its terms, not within a name."""
    terms = re.split(r" (?=[+-] )", text)
    lines = [terms[0]]
    for term in terms[1:]:
        if len(lines[-1]) + len(term) < SUM:
            lines[-1] += f" {term}"
        else:
            lines.append(term)
    return "\n".join(lines)


def _tell_closed_form(made: Regressor) -> None:
    """Print the entries of Y that are not zero."""
    from freebody.mechanics.notation import python

    names = made.mechanism.names
    for speed, row in zip(made.as_json()["speeds"], made.closed_form.tolist(), strict=True):
        for parameter, entry in zip(made.parameters, row, strict=True):
            if entry != 0:
                click.echo(f"Y[{speed}, {parameter.name}] = {python(entry, names)}")


# ------------------------------------------------------------------ identification


@click.command()
@click.argument("model")
@click.argument("recording", type=Path)
@EACH
@click.option("--parameter", "parameters", multiple=True, metavar="NAME", help="A constant sought.")
@COLUMNS
@click.option("--force", "forces", multiple=True, metavar="PLACE=FILE", help="A measured force.")
@click.option("--rate", type=float, help="Resample the motion, in Hz.")
@treatment
@click.option("--set", "constants", multiple=True, metavar="NAME=VALUE", help="A constant.")
@click.option("--input", "inputs", multiple=True, metavar="NAME=EXPRESSION", help="A known input.")
@click.option("--inputs", "recorded", type=Path, help="A file with inputs, if not the recording.")
@click.option(
    "--prior",
    "priors",
    multiple=True,
    metavar="[NAME=]PART",
    help="How sure the model's values are: a standard deviation as a part of them.",
)
@click.option("--noise", "noises", multiple=True, metavar="[NAME=]SIZE", help="As of inverse.")
@click.option("--trajectory", is_flag=True, help="Fit a motion to the recorded one: any constant.")
@click.option(
    "--between",
    multiple=True,
    metavar="NAME=LEAST:MOST",
    help="With --trajectory: between which values a constant is.",
)
@click.option("--nodes", type=int, help="With --trajectory: at which the motion obeys.")
@click.option("-o", "--output", type=Path, help="Write the arrays: .csv or .nc.")
@click.option("--plot", type=Path, help="Draw forces before and after, and values: .png ...")
@click.option("--json", "as_json", is_flag=True, help="Print values and all else as JSON.")
def identify(
    model: str,
    recording: Path,
    each: Counts,
    parameters: tuple[str, ...],
    columns: dict[str, str],
    forces: tuple[str, ...],
    constants: tuple[str, ...],
    inputs: tuple[str, ...],
    recorded: Path | None,
    priors: tuple[str, ...],
    noises: tuple[str, ...],
    trajectory: bool,
    between: tuple[str, ...],
    nodes: int | None,
    output: Path | None,
    plot: Path | None,
    as_json: bool,
    **how: Any,
) -> None:
    """Find masses, inertias, stiffness, damping and friction from a motion and its forces.

    A RECORDING has the coordinates over time, and the inputs that were measured.

    \b
    Examples:
      freebody identify two_link recording.csv --cutoff 10 --plot fit.png
      freebody identify two_link recording.csv --cutoff 10 --parameter m2 --parameter I2
      freebody identify leg.toml gait.csv --inputs torques.csv --parameter m_shank --prior 0.1
      freebody identify pendulum swing.csv --trajectory --parameter d --input T=0
    """
    from freebody.identification import fit_trajectory
    from freebody.identification import identify as found_in
    from freebody.model import load

    expect_writable(output, plot)
    if trajectory and (forces or noises):
        raise click.UsageError("expected neither --force nor --noise with --trajectory")
    if not trajectory and (between or nodes is not None):
        raise click.UsageError("expected --trajectory with --between or --nodes")
    loaded = load(model, each=each)

    def is_input(what: str) -> bool:
        return what.partition("[")[0].strip() in loaded.inputs

    motion = {name: what for name, what in columns.items() if not is_input(what)}
    if columns and not motion:
        first = next(iter(loaded.coordinates))
        raise click.UsageError(f"--column: expected coordinates, such as --column {first}")
    moving = read_treated(loaded, recording, columns=motion, **how)
    known = _known(loaded, recording, recorded, columns)
    common: dict[str, Any] = {
        "inputs": {**known, **dict(parse_pairs(inputs))},
        "constants": {name: parse_number(name, value) for name, value in parse_pairs(constants)},
        "prior": _prior(priors),
    }
    with progress_spinner("fitting"):
        if trajectory:
            limits = {name: parse_range(name, text) for name, text in parse_pairs(between)}
            result = fit_trajectory(
                loaded, moving, list(parameters), **common, between=limits, nodes=nodes
            )
        else:
            result = found_in(
                loaded,
                moving,
                list(parameters) or None,
                **common,
                forces=files_of_forces(forces),
                noise=noise_of(noises, None, None),
            )
    write_files((output, result.save), (plot, result.plot))
    if as_json:
        print_json({**result.as_json(), "values": result.values})
    else:
        _tell_identified(result)


def _known(
    model: Model, recording: Path, recorded: Path | None, columns: dict[str, str]
) -> dict[str, Any]:
    """Return the inputs over time: of their own file, or those columns of the recording."""
    from freebody.motion.reading import read_table
    from freebody.simulation.inputs import inputs_of

    called = columns if recorded is None else {}
    table = read_table(recording).called(called)
    if recorded is None and not table.columns.keys() & model.inputs.keys():
        return {}
    known, notes = inputs_of(recorded or recording, model, driving=False, called=called)
    for note in notes:
        click.echo(note, err=True)
    return dict(known)


def _prior(priors: tuple[str, ...]) -> float | dict[str, float] | None:
    if not priors:
        return None
    if len(priors) == 1 and "=" not in priors[0]:
        return parse_number("--prior", priors[0])
    return {name: parse_number(name, value) for name, value in parse_pairs(priors)}


def _tell_identified(result: Identified) -> None:
    out, data = console(), result.data
    rows = table("parameter", "value", "95 %", "model", "unit")
    for name in data["parameter"].to_numpy():
        one = data.sel(parameter=name)
        decided, half = bool(one["determined"]), 1.96 * float(one["sd"])
        value = f"{float(one['value']):.5g}" if decided else "not decided"
        before, unit = f"{float(one['model_value']):.5g}", str(one["parameter_unit"].item())
        rows.add_row(str(name), value, f"± {half:.2g}" if decided else "", before, unit)
    out.print(rows)
    along = str(data["measured"].dims[1])
    left = zip(
        data[along].to_numpy(),
        data["force_unit" if along == "speed" else "coordinate_unit"].to_numpy(),
        result.statistics["left_before"].values(),
        result.statistics["left_after"].values(),
        strict=True,
    )
    for name, unit, before, after in left:
        out.print(f"left over along {name}: {before:.4g} {unit} before, {after:.4g} after (rms)")
    for note in result.notes:
        click.echo(f"note: {note}")
