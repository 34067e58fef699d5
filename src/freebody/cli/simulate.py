"""Simulations on the command line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from freebody.cli.output import (
    EACH,
    Counts,
    parse_number,
    parse_pairs,
    print_json,
    progress_bar,
    write_files,
)
from freebody.errors import SimulationError

if TYPE_CHECKING:
    from freebody.simulation import Event, Simulation


TOLD = 20
"""The most impacts that are told one by one."""


@click.command()
@click.argument("model")
@click.option("--duration", type=float, help="In s; 5, or as long as inputs are known.")
@click.option("--step", type=float, default=0.01, show_default=True, help="Of the result, in s.")
@EACH
@click.option("--set", "constants", multiple=True, metavar="NAME=VALUE", help="A constant.")
@click.option("--initial", multiple=True, metavar="NAME=VALUE", help="A coordinate or speed.")
@click.option("--input", "inputs", multiple=True, metavar="NAME=EXPRESSION", help="An input.")
@click.option("--inputs", "recorded", type=Path, help="A file with the time and inputs: .csv ...")
@click.option("--start", type=Path, help="A file with the first coordinates and speeds: .csv ...")
@click.option("--engine", help="pydy, scipy or heyoka; pydy unless the method is another's.")
@click.option("--method", help="LSODA, DOP853, RK45, RK23, Radau, BDF or taylor.")
@click.option("--stop-when", multiple=True, metavar="EVENT", help="End there: 'theta = pi/2'.")
@click.option("--record-when", multiple=True, metavar="EVENT", help="Tell the time: 'x > 1'.")
@click.option(
    "--set-when",
    multiple=True,
    metavar="EVENT:SPEED=EXPRESSION,...",
    help="Set speeds there: 'y < 0: y_dot = -0.8*y_dot'.",
)
@click.option("--tolerance", type=float, default=1e-12, show_default=True, help="Of the engine.")
@click.option("--max-drift", type=float, default=1e-3, show_default=True, help="Of the energy.")
@click.option(
    "--max-residual", type=float, default=1e-6, show_default=True, help="Of the constraints."
)
@click.option(
    "--least-norm",
    multiple=True,
    metavar="CONSTRAINT=COMPLIANCE",
    help="How much a redundant constraint yields, to choose its forces: m/N, rad/(N m).",
)
@click.option("--unchecked", is_flag=True, help="Integrate whatever the documents say.")
@click.option("-o", "--output", type=Path, help="Write the arrays: .csv or .nc.")
@click.option("--plot", type=Path, help="Draw motion, torques, energy and mechanism: .png ...")
@click.option("--panels", metavar="NAMES", help="What --plot draws: torques,phase:alpha1 ...")
@click.option("--width", type=float, help="Of a column of a paper, in cm, and its letters.")
@click.option("--beside", type=Path, multiple=True, help="A run to draw into the same panels: .nc.")
@click.option("--animate", type=Path, help="Draw the mechanism moving: .gif or .mp4.")
@click.option("--view", type=Path, help="A page that plays it in space, with plots: .html.")
@click.option("--size", default="480x480", show_default=True, help="Of --animate, in pixels.")
@click.option("--json", "as_json", is_flag=True, help="Print statistics and provenance as JSON.")
def simulate(
    model: str,
    each: Counts,
    constants: tuple[str, ...],
    initial: tuple[str, ...],
    inputs: tuple[str, ...],
    recorded: Path | None,
    start: Path | None,
    stop_when: tuple[str, ...],
    record_when: tuple[str, ...],
    set_when: tuple[str, ...],
    least_norm: tuple[str, ...],
    output: Path | None,
    plot: Path | None,
    panels: str | None,
    width: float | None,
    beside: tuple[Path, ...],
    animate: Path | None,
    view: Path | None,
    size: str,
    as_json: bool,
    **options: Any,
) -> None:
    """Integrate the equations of motion, once the documents of the model agree with them.

    Panels are coordinates, speeds, accelerations, inputs, energy, constraints and torques, each
    also of one entry (speeds:alpha1_dot), terms:alpha1, phase:alpha1, reaction:JOINT,
    position:POINT and mechanism.

    An EVENT is where two expressions become equal (=), or the first becomes larger (>) or smaller
    (<) than the second.

    \b
    Examples:
      freebody simulate three_link_arm --input T1="-2*alpha1_dot" --plot arm.png
      freebody simulate double_pendulum --engine heyoka --stop-when "theta1 = pi"
      freebody simulate two_link --inputs torques.csv --start torques.csv
      freebody simulate two_link --plot run.pdf --panels torques,phase:alpha1 --width 8.6
    """
    from freebody.model import load
    from freebody.simulation import LostMotionError, Simulation
    from freebody.simulation import simulate as run
    from freebody.simulation.inputs import initial_of, inputs_of
    from freebody.simulation.setup import duration_of

    _expect_writable(output, plot, animate, view)
    pixels = _pixels(size)
    if plot is None and (panels or width or beside):
        raise click.UsageError("--panels, --width and --beside say how --plot draws: name its file")
    numbers = {name: parse_number(name, value) for name, value in parse_pairs(constants)}
    loaded = load(model, each=each)
    sampled, notes = inputs_of(recorded, loaded)
    for note in notes:
        click.echo(note, err=True)
    first = initial_of(start, loaded)
    duration = duration_of(options["duration"], sampled.values())
    try:
        with progress_bar("deriving", duration, then="integrating") as progress:
            result = run(
                loaded,
                constants=numbers,
                initial={**first, **dict(parse_pairs(initial))},
                inputs={**sampled, **dict(parse_pairs(inputs))},
                events=list(parse_events(stop_when, record_when, set_when)),
                least_norm={n: parse_number(n, value) for n, value in parse_pairs(least_norm)},
                progress=progress,
                **options,
            )
    except LostMotionError as error:
        _show(error.result, as_json)
        raise SimulationError(f"{error}; nothing is written") from None
    others = [Simulation.read(path, loaded) for path in beside]
    names = [name.strip() for name in (panels or "").split(",") if name.strip()]
    write_files(
        (output, result.save),
        (plot, lambda path: result.plot(path, names, width=width, beside=others)),
        (animate, lambda path: result.animate(path, size=pixels)),
        (view, result.view),
    )
    _show(result, as_json)


def _show(result: Simulation, as_json: bool) -> None:
    if as_json:
        print_json(result.as_json())
    else:
        _tell(result)


def parse_events(
    stop: tuple[str, ...], record: tuple[str, ...], change: tuple[str, ...]
) -> Iterator[Event]:
    """Iterate over the events that options ask for."""
    from freebody.simulation import Event

    yield from (Event(when, "stop") for when in stop)
    yield from (Event(when, "record") for when in record)
    for setting in change:
        when, colon, speeds = setting.partition(":")
        if not colon:
            raise click.UsageError(f"expected EVENT:SPEED=EXPRESSION, found '{setting}'")
        yield Event(when, dict(parse_pairs(tuple(_settings(speeds)))))


def _settings(text: str) -> Iterator[str]:
    """Split at the commas that stand outside of parentheses."""
    depth, start = 0, 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            yield text[start:place]
            start = place + 1
    yield text[start:]


def _expect_writable(
    output: Path | None, plot: Path | None, animate: Path | None, view: Path | None
) -> None:
    """Refuse what cannot be written before anything is integrated."""
    from freebody.files import PICTURES, RESULTS, FileError, expect_ending, expect_writable
    from freebody.simulation.movies import ANIMATIONS, VIEWS

    if plot is not None and not plot.suffix:
        told = f"expected a file name that ends in {' or '.join(PICTURES)}"
        raise FileError(plot, f"{told}; what --plot draws is said by --panels")
    files = ((output, RESULTS), (plot, PICTURES), (animate, ANIMATIONS), (view, VIEWS))
    for path, endings in files:
        if path is not None:
            expect_ending(path, endings)
            expect_writable(path)


def _pixels(text: str) -> tuple[int, int]:
    """Return the width and height of ``640x480``."""
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise click.UsageError(f"--size: expected WIDTHxHEIGHT in pixels, found '{text}'")
    return int(width), int(height)


def _tell(result: Simulation) -> None:
    statistics, provenance = result.statistics, result.provenance
    click.echo(f"documents: {provenance['checked']}")
    for name, given in provenance["decided"].items():
        value = provenance["initial"][name]
        click.echo(f"at first {name} = {value:.6g}, as the constraints decide ({given:.6g} given)")
    click.echo(
        f"{provenance['method']} of {provenance['engine']}: {statistics['steps']} steps, "
        f"{statistics['evaluations']} evaluations, {statistics['seconds']:.2f} s"
    )
    click.echo(
        f"energy drift: {statistics['energy_drift']:.1e} of the largest energy at work, at most "
        f"{statistics['max_drift']:g} allowed"
    )
    for t in statistics["singular_positions"]:
        click.echo(
            f"singular position at t = {t:.6g} s: the constraints do not decide the motion there; "
            "chosen is its smooth continuation"
        )
    for event in result.events:
        click.echo(f"{event['when'].strip()} at t = {event['time']:.9g} s")
    for missed in statistics["events_missed"]:
        click.echo(f"{missed.strip()}: did not happen")
    for one in statistics["impacts"][:TOLD]:
        impulses = ", ".join(f"{name} {value:.6g}" for name, value in one["impulses"].items())
        lost = f", {one['energy_lost']:.6g} J lost" if one["impulses"] else ""
        message = f"{one['name']} {one['what']} at t = {one['time']:.9g} s"
        click.echo(f"{message}{f': {impulses}' if impulses else ''}{lost}")
    if len(statistics["impacts"]) > TOLD:
        click.echo(f"and {len(statistics['impacts']) - TOLD} more impacts")
    if "constraint_residual" in statistics:
        click.echo(
            f"off the constraints by {statistics['constraint_residual']:.1e} of the model's "
            f"lengths, at most {statistics['max_residual']:g} allowed"
        )
    for note in result.notes:
        click.echo(note)
    final = result.data["coordinates"].isel(time=-1)
    for name, value in zip(final["coordinate"].to_numpy(), final.to_numpy(), strict=True):
        unit = str(final["coordinate_unit"].sel(coordinate=name).to_numpy())
        click.echo(f"{name} = {value:.6g} {unit} at {float(final['time']):g} s")
