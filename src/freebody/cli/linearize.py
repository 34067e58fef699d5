"""Linearizations on the command line."""

from __future__ import annotations

from dataclasses import asdict
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
    print_wide,
    progress_spinner,
    table,
    write_files,
)

if TYPE_CHECKING:
    from freebody.linearization import Equilibria, Linearization, Mode
    from freebody.mechanics import Mechanism

COLUMNS = 8
"""The most states and inputs whose matrices are printed."""
ROUNDING = 1e-13
"""Below this part of the largest in its row, an entry is printed as zero."""


@click.command()
@click.argument("model")
@EACH
@click.option(
    "--at",
    type=click.Choice(["equilibrium", "state"]),
    default="equilibrium",
    show_default=True,
    help="About the steady motion or equilibrium next to the initial state, or that state.",
)
@click.option("--search", type=click.IntRange(0), default=0, help="Random starts as well.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of these.")
@click.option("--set", "constants", multiple=True, metavar="NAME=VALUE", help="A constant.")
@click.option("--initial", multiple=True, metavar="NAME=VALUE", help="A coordinate or speed.")
@click.option("--input", "inputs", multiple=True, metavar="NAME=EXPRESSION", help="An input.")
@click.option("--output", "outputs", multiple=True, metavar="NAME", help="Such as position.tip.x.")
@click.option("--closed-loop", is_flag=True, help="Inputs follow their laws close by.")
@click.option("--along", type=Path, help="About every state of a simulation instead: .nc.")
@click.option("-o", "path", type=Path, help="Write it: .json or .nc; along a motion .csv or .nc.")
@click.option("--plot", type=Path, help="Draw the eigenvalues: .png ...")
@click.option("--json", "as_json", is_flag=True, help="Print matrices and all else as JSON.")
def linearize(
    model: str,
    each: Counts,
    at: str,
    search: int,
    seed: int,
    constants: tuple[str, ...],
    initial: tuple[str, ...],
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
    closed_loop: bool,
    along: Path | None,
    path: Path | None,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Find equilibria, linearize the equations of motion there, and tell whether they are stable.

    \b
    Examples:
      freebody linearize acrobot --search 20
      freebody linearize spinning_top --at state --initial theta=0.3
      freebody linearize two_link --along run.nc -o matrices.nc
    """
    from freebody.linearization import LinearizationError
    from freebody.mechanics import mechanism
    from freebody.model import load

    if search and at == "state":
        raise click.UsageError("--search looks for equilibria: expected no --at state with it")
    moving = mechanism(load(model, each=each))
    if along is not None:
        _linearize_motion(moving, along, outputs, closed_loop, (path, plot))
        return
    options: dict[str, Any] = {
        "constants": {name: parse_number(name, value) for name, value in parse_pairs(constants)},
        "initial": dict(parse_pairs(initial)),
        "inputs": dict(parse_pairs(inputs)),
        "outputs": outputs or None,
        "closed_loop": closed_loop,
    }
    with progress_spinner(f"deriving and differentiating {len(moving.speeds)} equations of motion"):
        linearizations = _linearizations(moving, at, search, seed, options)
    if len(linearizations) > 1 and (path or plot):
        raise LinearizationError(
            f"{len(linearizations)} of them are found: expected one to be written; "
            "--json prints all"
        )
    write_files((path, linearizations[0].save), (plot, linearizations[0].plot))
    if as_json:
        print_json(
            {
                "model": moving.model.title,
                "linearizations": [one.as_json() for one in linearizations],
                "singular": [asdict(one) for one in linearizations.singular],
            }
        )
    else:
        _tell(moving, linearizations, at, search > 0)


def _linearize_motion(
    moving: Mechanism,
    run: Path,
    outputs: tuple[str, ...],
    closed_loop: bool,
    files: tuple[Path | None, Path | None],
) -> None:
    """Linearize along a motion, and tell how fast it grows."""
    from freebody.linearization import linearize as about

    made = about(moving, along=run, outputs=outputs or None, closed_loop=closed_loop)
    write_files((files[0], made.save), (files[1], made.plot))
    times, real = made.data["time"].to_numpy(), made.eigenvalues.real.max(axis=1)
    click.echo(
        f"{len(times)} states from {times[0]:g} to {times[-1]:g} s: the largest real part of an "
        f"eigenvalue is {real.max():.5g} 1/s, at {times[real.argmax()]:g} s"
    )


def _linearizations(
    moving: Mechanism, at: str, search: int, seed: int, options: dict[str, Any]
) -> Equilibria:
    from freebody.linearization import Equilibria, equilibria
    from freebody.linearization import linearize as about

    if at == "state":
        return Equilibria.of([about(moving, at="state", **options)])
    return equilibria(moving, search=search, seed=seed, **options)


def _tell(moving: Mechanism, linearizations: Equilibria, at: str, searched: bool) -> None:
    from freebody.linearization.modes import resolution

    out = console()
    for count, one in enumerate(linearizations, 1):
        what = "State" if at == "state" else f"Equilibrium {count} of {len(linearizations)}"
        what = "Steady motion" if at != "state" and one.moving else what
        out.print(f"[bold]{what}: {_verdict(one)}[/bold]", soft_wrap=True)
        for note in _notes(one, at, searched):
            out.print(note, soft_wrap=True)
        out.print(_state(moving, one))
        out.print(_modes(one.modes))
        out.print(f"Real parts below {resolution(one.A):.1g} 1/s count as zero.", soft_wrap=True)
        _tell_matrices(one)
    for other in linearizations.singular:
        where = ", ".join(f"{name} = {_number_text(x)}" for name, x in other.state.items())
        note = f"It is at rest too, and not linearized, at {where}: {other.reason}."
        out.print(note, soft_wrap=True)


def _verdict(one: Linearization) -> str:
    message = ", with eigenvalues on the imaginary axis: the linearization does not decide"
    return one.kind + (message if one.kind == "marginal" else "")


def _notes(one: Linearization, at: str, searched: bool) -> list[str]:
    notes = []
    if one.driven:
        notes.append("What is given over time is as at t = 0: later it may be otherwise.")
    if one.moving and one.steady:
        notes.append(f"All that changes are {', '.join(one.moving)}.")
    elif one.moving:
        notes.append(f"It is no equilibrium: {', '.join(one.moving)} change there.")
    if one.dropped:
        notes.append(_dropped(one, at, searched))
    if one.ignorable:
        notes.append(f"Others like it lie along {', '.join(one.ignorable)}.")
    if one.closed_loop:
        notes.append("The inputs follow their laws.")
    notes += [f"{name} = {force:.6g}" for name, force in one.held.items()]
    return notes


def _dropped(one: Linearization, at: str, searched: bool) -> str:
    """Return a note on initial values that differ at the state."""
    message = ", ".join(f"{name} = {value:.6g}" for name, value in one.dropped.items())
    if at == "state":
        note = f"The constraints do not allow {message}, as given"
    elif one.moving:
        note = f"It is the steady motion nearby: not with {message}, as given"
    else:
        note = f"It is at rest, and not with {message}, as given"
    if not one.dropped.keys() <= {*one.states}:
        return f"{note}; {_decided(one)}."
    if searched:
        return f"{note}: a search is for rest alone."
    return f"{note}; --at state takes that."


def _decided(one: Linearization) -> str:
    """Return a note on values that the constraints determine."""
    names = [name for name in one.dropped if name not in one.states]
    speeds = [*one.state][len(one.weights) :]
    free = [name for name in one.states if (name in speeds) == (names[0] in speeds)]
    given = f": expected values of {', '.join(free)}" if free else ""
    return f"the constraints decide {', '.join(names)}{given}"


def _state(moving: Mechanism, one: Linearization) -> Any:
    """Return a table of an equilibrium's coordinates, or of a state and its rates."""
    units = {name: entry.unit for name, entry in moving.model.coordinates.items()}
    if not one.moving:
        rows = table("coordinate", "value", "unit")
        for name, unit in units.items():
            rows.add_row(name, _number_text(one.state[name]), unit)
        return rows
    units |= {f"{name}_dot": f"{unit}/s" for name, unit in units.items()}
    units |= {name: entry.unit for name, entry in moving.model.speeds.items()}
    rows = table("state", "value", "unit", "rate")
    for name, value in one.state.items():
        rows.add_row(name, _number_text(value), units[name], _number_text(one.rates[name]))
    return rows


def _number_text(value: float) -> str:
    return f"{round(value, 12) + 0.0:.6g}"


def _modes(modes: tuple[Mode, ...]) -> Any:
    rows = table("eigenvalue", "frequency", "damping ratio", "time constant", "what moves most")
    for mode in modes:
        rows.add_row(
            _eigenvalue(mode.eigenvalue),
            f"{mode.frequency:.5g} Hz" if mode.frequency else "",
            "" if mode.damping_ratio is None else f"{mode.damping_ratio:.4g}",
            "" if mode.time_constant is None else f"{mode.time_constant:.5g} s",
            ", ".join(mode.dominant),
        )
    return rows


def _eigenvalue(value: complex) -> str:
    if value.imag:
        return f"{value.real:.5g} ± {value.imag:.5g} i" if value.real else f"± {value.imag:.5g} i"
    return f"{value.real:.5g}"


def _tell_matrices(one: Linearization) -> None:
    """Print A and B above C, each row with what changes and each column by what."""
    columns = (*one.states, *one.inputs)
    if len(columns) > COLUMNS:
        click.echo(f"The matrices of {len(one.states)} states are in what --json prints.\n")
        return
    rows = table("", *columns)
    for name, row, driven in zip(one.states, one.A.tolist(), one.B.tolist(), strict=True):
        rows.add_row(f"rate of {name}", *_entries([*row, *driven]))
    rows.add_section()
    for name, row in zip(one.outputs, one.C.tolist(), strict=True):
        rows.add_row(name, *_entries(row))
    print_wide(rows)


def _entries(row: list[float]) -> list[str]:
    """Return a row of a matrix as text; what is there by rounding is zero."""
    least = ROUNDING * max(map(abs, row), default=0.0)
    return [f"{entry:.5g}" if abs(entry) > least else "0" for entry in row]
