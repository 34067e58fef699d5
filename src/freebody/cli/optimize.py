"""The best movements on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from freebody.cli.output import (
    EACH,
    Counts,
    parse_number,
    parse_pairs,
    parse_range,
    print_json,
    progress_spinner,
    write_files,
)
from freebody.cli.sweep import SCHEDULER, workers


@click.command()
@click.argument("model")
@EACH
@click.option("--duration", required=True, metavar="S|LEAST:MOST", help="In s; or to be found.")
@click.option(
    "--minimize", metavar="EXPRESSION", help="Integrated over time: T1**2, or 1 for time."
)
@click.option("--minimize-end", metavar="EXPRESSION", help="At the end, added.")
@click.option("--start", multiple=True, metavar="NAME=LIMITS", help="At first: as in the model.")
@click.option("--end", multiple=True, metavar="NAME=LIMITS", help="At the end.")
@click.option("--bound", "bounds", multiple=True, metavar="NAME=LIMITS", help="All the time.")
@click.option("--input", "inputs", multiple=True, metavar="NAME=EXPRESSION", help="One not sought.")
@click.option("--free", multiple=True, metavar="NAME=LEAST:MOST", help="A constant to be found.")
@click.option("--closed", multiple=True, metavar="IMPACT", help="An impact that is closed.")
@click.option("--impact", metavar="IMPACT", help="The impact that ends the movement.")
@click.option(
    "--cycle", multiple=True, metavar="NAME=EXPRESSION", help="At first, as of the end after it."
)
@click.option("--excited", is_flag=True, help="Seek excitations of muscles, not tensions.")
@click.option("--set", "constants", multiple=True, metavar="NAME=VALUE", help="A constant.")
@click.option("--guess", type=Path, help="A motion to begin at: .csv, .mot, .nc.")
@click.option("--nodes", type=int, default=31, show_default=True, help="Of the collocation.")
@click.option("--starts", type=int, default=1, show_default=True, help="Guesses to begin at.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the guesses.")
@SCHEDULER
@click.option("-o", "--output", type=Path, help="Write the arrays: .csv or .nc.")
@click.option("--plot", type=Path, help="Draw coordinates and inputs: .png ...")
@click.option("--json", "as_json", is_flag=True, help="Print statistics and provenance as JSON.")
def optimize(
    model: str,
    each: Counts,
    duration: str,
    start: tuple[str, ...],
    end: tuple[str, ...],
    bounds: tuple[str, ...],
    inputs: tuple[str, ...],
    free: tuple[str, ...],
    closed: tuple[str, ...],
    cycle: tuple[str, ...],
    constants: tuple[str, ...],
    scheduler: str | None,
    output: Path | None,
    plot: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Find the movement that is the best, by CasADi and IPOPT, and simulate it.

    LIMITS are a value, or two with a colon between which it is to be. A NAME is a coordinate, a
    speed, an input, position.PLACE.x, velocity.PLACE.x, or an expression.

    \b
    Examples:
      freebody optimize pendulum --duration 1 --minimize "T**2" --end theta=1 --end theta_dot=0
      freebody optimize two_link --duration 0.8 --minimize "T1**2 + T2**2" --input Fex=0 \\
        --input Fey=0 --end position.tip.x=0.45 --end position.tip.y=0.1 --plot reach.png
    """
    from freebody.model import load
    from freebody.optimization import optimal_motion

    ranges = {name: parse_range(f"--free {name}", text) for name, text in parse_pairs(free)}
    with workers(scheduler) as pool, progress_spinner("deriving, transcribing and optimizing"):
        result = optimal_motion(
            load(model, each=each),
            _duration(duration),
            start=_limits(start) if start else None,
            end=_limits(end),
            bounds=_limits(bounds),
            inputs=dict(parse_pairs(inputs)),
            free=ranges,
            closed=list(closed),
            cycle=dict(parse_pairs(cycle)),
            constants={name: parse_number(name, value) for name, value in parse_pairs(constants)},
            scheduler=pool,
            **options,
        )
    write_files((output, result.save), (plot, result.plot))
    if as_json:
        print_json(result.as_json())
        return
    known = result.statistics
    click.echo(f"objective {known['objective']:.6g}, duration {known['duration']:.6g} s")
    click.echo(f"{known['iterations']} iterations, {known['seconds']:.2g} s: {known['status']}")
    if len(known["objectives"]) > 1:
        ends = (f"{one:.6g}" if one is not None else "none" for one in known["objectives"])
        click.echo(f"the best of {', '.join(ends)}")
    if "impact" in known:
        struck = known["impact"]
        click.echo(f"impact {struck['name']} at the end: {struck['energy_lost']:.6g} J lost")
    for name, value in known["free"].items():
        click.echo(f"{name} = {value:.6g}")
    for note in result.notes:
        click.echo(f"note: {note}")


def _duration(text: str) -> float | tuple[float, float]:
    return parse_range("--duration", text) if ":" in text else parse_number("--duration", text)


def _limits(settings: tuple[str, ...]) -> dict[str, Any]:
    """Return what is wanted by name: a value, or a pair."""
    return {
        name: tuple(text.split(":", 1)) if ":" in text else text
        for name, text in parse_pairs(settings)
    }
