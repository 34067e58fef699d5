"""Muscles on the command line: moment arms, motions that they make, torques that they share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from freebody.cli.output import EACH, Counts, console, parse_number, parse_pairs, table, write_files

if TYPE_CHECKING:
    from freebody.model import Model
    from freebody.muscles import Excited, Range, StaticOptimum


@click.command()
@click.argument("model")
@EACH
@click.option("--range", "limits", multiple=True, metavar="NAME=LOW:HIGH", help="Of a coordinate.")
@click.option("--excite", "excited", multiple=True, metavar="MUSCLE=EXPRESSION", help="0 to 1.")
@click.option("--duration", type=float, help="Of the excited motion, in s; 5 unless given.")
@click.option("--step", type=float, default=0.01, show_default=True, help="Of the result, in s.")
@click.option("--initial", multiple=True, metavar="NAME=VALUE", help="A coordinate or speed.")
@click.option("--input", "inputs", multiple=True, metavar="NAME=EXPRESSION", help="An input.")
@click.option("--tolerance", type=float, default=1e-12, show_default=True, help="Of the method.")
@click.option("--motion", type=Path, help="Share the torques of a recorded motion: .csv ...")
@click.option("--cutoff", type=float, help="Low-pass the recorded motion, at this many Hz.")
@click.option("--strength", multiple=True, metavar="MUSCLE=NEWTONS", help="For sharing.")
@click.option("--curves", is_flag=True, help="Share by length and velocity of the fibres.")
@click.option("--set", "constants", multiple=True, metavar="NAME=VALUE", help="A constant.")
@click.option("-o", "--output", type=Path, help="Write the motion or the forces: .csv or .nc.")
@click.option("--plot", type=Path, help="Draw what is printed: .png ...")
def muscles(
    model: str,
    each: Counts,
    limits: tuple[str, ...],
    excited: tuple[str, ...],
    motion: Path | None,
    constants: tuple[str, ...],
    output: Path | None,
    plot: Path | None,
    **how: Any,
) -> None:
    """Show lengths and moment arms of muscles, what they do when excited, or what they share.

    \b
    Examples:
      freebody muscles two_link_muscles --plot curves.png
      freebody muscles two_link_muscles --excite elbow_flexor="0.3*exp(-t)" -o run.csv
      freebody muscles two_link_muscles --motion reach.csv -o forces.csv --plot forces.png
    """
    from freebody.model import load

    if excited and motion is not None:
        raise click.UsageError("expected either --excite or --motion, found both")
    if output is not None and not (excited or motion):
        raise click.UsageError("expected --excite or --motion with --output")
    loaded = load(model, each=each)
    numbers = {name: parse_number(name, value) for name, value in parse_pairs(constants)}
    result: Excited | StaticOptimum
    if excited:
        result = _excited(loaded, excited, numbers, how)
    elif motion is not None:
        result = _shared(loaded, motion, numbers, how)
    else:
        _ranges(loaded, dict(map(_limits, limits)), numbers, plot)
        return
    write_files((output, result.save), (plot, result.plot))


def _limits(setting: str) -> tuple[str, tuple[float, float]]:
    name, equals, ends = setting.partition("=")
    low, colon, high = ends.partition(":")
    if not equals or not colon:
        raise click.UsageError(f"expected NAME=LOW:HIGH, found '{setting}'")
    return name.strip(), (parse_number(name, low), parse_number(name, high))


def _ranges(
    model: Model,
    limits: dict[str, tuple[float, float]],
    constants: dict[str, float],
    plot: Path | None,
) -> None:
    from freebody.files import PICTURES, expect_ending
    from freebody.muscles import Musculotendons, ranges_of
    from freebody.muscles.figures import of_ranges
    from freebody.results import save_figure

    ranges = ranges_of(model, limits, constants)
    console().print(_table(model, ranges))

    def draw(path: Path) -> None:
        whole = all(muscle.hill is not None for muscle in model.muscles)
        expect_ending(path, PICTURES)
        tendons = Musculotendons.of(model, constants) if whole else None
        save_figure(of_ranges(ranges, tendons), path)

    write_files((plot, draw))


def _table(model: Model, ranges: tuple[Range, ...]) -> Any:
    columns = [f"arm by {over.coordinate}, cm" for over in ranges]
    rows = table("muscle", "tension", "length, cm", *columns)
    for place, muscle in enumerate(model.muscles):
        lengths = [over.lengths[:, place] for over in ranges]
        low, high = min(map(min, lengths)), max(map(max, lengths))
        arms = [_span(over.arms[:, place].min(), over.arms[:, place].max()) for over in ranges]
        rows.add_row(muscle.name, muscle.tension, _span(low, high), *arms)
    return rows


def _span(low: float, high: float) -> str:
    """Return numbers in cm from the least to the largest, or the one that they are."""
    first, last = (f"{100 * value + 0.0:.2f}" for value in (low, high))
    return first if first == last else f"{first} to {last}"


def _excited(
    model: Model, excited: tuple[str, ...], constants: dict[str, float], how: dict[str, Any]
) -> Excited:
    from freebody.muscles import excite

    run = excite(
        model,
        dict(parse_pairs(excited)),
        how["duration"],
        step=how["step"],
        constants=constants,
        initial=dict(parse_pairs(how["initial"])),
        inputs=dict(parse_pairs(how["inputs"])),
        tolerance=how["tolerance"],
    )
    _tell(run.notes)
    last = run.data.isel(time=-1)
    for name, value in zip(last["coordinate"].data, last["coordinates"].data, strict=True):
        unit = last["coordinate_unit"].sel(coordinate=name).item()
        click.echo(f"{name} = {value:.6g} {unit} at {last['time'].item():g} s")
    rows = table("muscle", "largest activation", "largest tension, N", "fibres, optimal lengths")
    for name in run.data["muscle"].to_numpy():
        one = run.data.sel(muscle=name)
        fibers = one["fiber_length"]
        numbers = (f"{float(one[key].max()):.4g}" for key in ("activation", "tension"))
        rows.add_row(name, *numbers, f"{float(fibers.min()):.3f} to {float(fibers.max()):.3f}")
    console().print(rows)
    return run


def _shared(
    model: Model, path: Path, constants: dict[str, float], how: dict[str, Any]
) -> StaticOptimum:
    from freebody.inverse_dynamics import inverse
    from freebody.motion import read_motion
    from freebody.muscles import static_optimisation

    moving = read_motion(path, model)
    if how["cutoff"] is not None:
        moving = moving.filtered(how["cutoff"])
    torques = inverse(model, moving, constants=constants)
    result = static_optimisation(
        model,
        torques,
        constants=constants,
        strength={name: parse_number(name, value) for name, value in parse_pairs(how["strength"])},
        curves=how["curves"],
    )
    _tell(result.notes)
    rows = table("muscle", "mean tension, N", "largest tension, N", "largest activation")
    for name in result.data["muscle"].to_numpy():
        one = result.data.sel(muscle=name)
        tension = one["tension"]
        numbers = (tension.mean(), tension.max(), one["activation"].max())
        rows.add_row(name, *(f"{float(value):.4g}" for value in numbers))
    console().print(rows)
    return result


def _tell(notes: tuple[str, ...]) -> None:
    for note in notes:
        click.echo(note)
