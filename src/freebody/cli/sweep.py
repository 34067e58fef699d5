"""Many motions on the command line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
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
from freebody.cli.simulate import parse_events

if TYPE_CHECKING:
    from freebody.workers import Pool

SCHEDULER = click.option(
    "--scheduler",
    metavar="WORKERS",
    help="A number of processes, or the address of a Dask scheduler: tcp://10.0.0.1:8786.",
)


@contextmanager
def workers(scheduler: str | None) -> Iterator[Pool]:
    """Give the workers of ``--scheduler``, and tell where they can be watched."""
    from freebody.workers import pool_of

    with pool_of(scheduler) as pool:
        if pool.dashboard:
            click.echo(f"{pool.name}, to be watched at {pool.dashboard}", err=True)
        yield pool


@click.command()
@click.argument("model")
@click.option(
    "--over", multiple=True, required=True, metavar="NAME=FROM:TO:COUNT", help="Or NAME=A,B,C."
)
@click.option(
    "--plan",
    metavar="KIND:COUNT",
    help="latin:1000, ensemble:1000 or adaptive:1000 in place of a grid; then --over NAME=FROM:TO, "
    "for an ensemble NAME=MEAN:SD.",
)
@click.option("--of", metavar="NAME", help="What an adaptive plan looks at, at the end.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of a plan.")
@click.option("--duration", type=float, help="In s; 5, or as long as inputs are known.")
@click.option("--step", type=float, default=0.1, show_default=True, help="Of the result, in s.")
@EACH
@click.option("--set", "constants", multiple=True, metavar="NAME=VALUE", help="A constant.")
@click.option("--initial", multiple=True, metavar="NAME=VALUE", help="A coordinate or speed.")
@click.option("--input", "inputs", multiple=True, metavar="NAME=EXPRESSION", help="An input.")
@click.option("--inputs", "recorded", type=Path, help="A file with the time and inputs: .csv ...")
@click.option("--excite", multiple=True, metavar="MUSCLE=EXPRESSION", help="A muscle.")
@click.option("--engine", help="pydy, scipy or heyoka, for motions one at a time.")
@click.option("--method", help="DOP853, Radau ... of an engine, for motions one at a time.")
@click.option("--stop-when", multiple=True, metavar="EVENT", help="End there: 'theta = pi/2'.")
@click.option("--record-when", multiple=True, metavar="EVENT", help="Tell the time: 'x > 1'.")
@click.option(
    "--set-when",
    multiple=True,
    metavar="EVENT:SPEED=EXPRESSION,...",
    help="Set speeds there: 'y < 0: y_dot = -0.8*y_dot'.",
)
@click.option("--tolerance", type=float, default=1e-12, show_default=True, help="Of each step.")
@click.option("--max-drift", type=float, default=1e-3, show_default=True, help="Of the energy.")
@click.option(
    "--max-residual", type=float, default=1e-6, show_default=True, help="Of the constraints."
)
@click.option("--backend", help="heyoka, c or numpy; the first that is there unless given.")
@SCHEDULER
@click.option("--store", type=Path, help="A .zarr to write to as they come, and to go on with.")
@click.option("-o", "--output", type=Path, help="Write the arrays: .csv or .nc.")
@click.option("--plot", type=Path, help="Draw the coordinates of all motions: .png ...")
@click.option("--json", "as_json", is_flag=True, help="Print statistics and provenance as JSON.")
def sweep(
    model: str,
    over: tuple[str, ...],
    plan: str | None,
    of: str | None,
    seed: int,
    each: Counts,
    constants: tuple[str, ...],
    initial: tuple[str, ...],
    inputs: tuple[str, ...],
    recorded: Path | None,
    excite: tuple[str, ...],
    stop_when: tuple[str, ...],
    record_when: tuple[str, ...],
    set_when: tuple[str, ...],
    scheduler: str | None,
    output: Path | None,
    plot: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Integrate the motions of a model over a grid or a plan of constants, coordinates and speeds.

    With --store they are written as they come, and the same command goes on where it was.

    \b
    Examples:
      freebody sweep two_link --over m2=1:2:50 --over alpha2=0,0.5,1 -o runs.nc
      freebody sweep two_link --plan latin:1000000 --over m2=1:2 --store runs.zarr --scheduler 2
      freebody sweep four_bar --over theta1=0.5:1:9 --scheduler tcp://10.0.0.1:8786
    """
    from freebody.files import PICTURES, RESULTS, expect_ending, expect_writable
    from freebody.model import load
    from freebody.simulation.inputs import inputs_of
    from freebody.sweeps import sweep as run

    for path, endings in ((output, RESULTS), (plot, PICTURES)):
        if path is not None:
            expect_ending(path, endings)
            expect_writable(path)
    wanted, count = _plan(plan, over, of, seed)
    loaded = load(model, each=each)
    sampled, notes = inputs_of(recorded, loaded)
    for note in notes:
        click.echo(note, err=True)
    with workers(scheduler) as pool, progress_bar("integrating", float(count)) as progress:
        runs = run(
            loaded,
            wanted,
            constants={name: parse_number(name, value) for name, value in parse_pairs(constants)},
            initial=dict(parse_pairs(initial)),
            inputs={**sampled, **dict(parse_pairs(inputs))},
            muscles=dict(parse_pairs(excite)) if excite else None,
            events=list(parse_events(stop_when, record_when, set_when)),
            scheduler=pool,
            progress=progress,
            **options,
        )
    write_files((output, runs.save), (plot, runs.plot))
    if as_json:
        print_json(runs.as_json())
        return
    statistics = runs.statistics
    missing = f" of {count}" if statistics["done"] < count else ""
    click.echo(
        f"{statistics['done']}{missing} motions by {runs.provenance['method']}: "
        f"{statistics['stopped']} stopped, "
        f"{statistics['lost']} off by more than {statistics['max_drift']:g} of their energy"
    )
    for note in runs.notes:
        click.echo(note)


def _plan(plan: str | None, over: tuple[str, ...], of: str | None, seed: int) -> tuple[Any, int]:
    """Return a grid or a plan, and how many motions it has."""
    from freebody.sweeps import Adaptive, Ensemble, LatinHypercube

    if plan is None:
        grid = {name: _values(name, values) for name, values in parse_pairs(over)}
        return grid, prod(map(len, grid.values()))
    kind, _, text = plan.partition(":")
    if kind not in ("latin", "ensemble", "adaptive") or not text.isdecimal():
        raise click.UsageError(
            f"--plan: expected latin:COUNT, ensemble:COUNT or adaptive:COUNT, found '{plan}'"
        )
    limits, count = {name: _pair(name, value) for name, value in parse_pairs(over)}, int(text)
    if (kind == "adaptive") != (of is not None):
        raise click.UsageError("--of names what an adaptive plan looks at, and no other plan")
    if of is not None:
        return Adaptive(limits, count, of), count
    made = {"latin": LatinHypercube, "ensemble": Ensemble}[kind]
    return made(limits, count, seed), count


def _pair(name: str, text: str) -> tuple[float, float]:
    """Return the numbers of ``FROM:TO``."""
    first, colon, second = text.partition(":")
    if not colon or ":" in second:
        raise click.UsageError(f"expected {name}=FROM:TO for a plan, found '{text}'")
    return parse_number(name, first), parse_number(name, second)


def _values(name: str, text: str) -> list[float]:
    """Return the values of ``FROM:TO:COUNT``, or those that stand between commas."""
    first, *others = text.split(":")
    if not others:
        return [parse_number(name, value) for value in text.split(",")]
    if len(others) != 2 or not others[1].strip().isdecimal() or int(others[1]) < 1:
        raise click.UsageError(f"expected {name}=FROM:TO:COUNT or {name}=A,B,C, found '{text}'")
    ends = parse_number(name, first), parse_number(name, others[0])
    count = int(others[1])
    return [ends[0] + (ends[1] - ends[0]) * i / max(1, count - 1) for i in range(count)]
