"""The command line. Commands import what they need when they run, so that help comes at once."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import click

from freebody.cli.adopt import adopt
from freebody.cli.check import check
from freebody.cli.derive import derive, generate
from freebody.cli.explain import compare, exercise, explain
from freebody.cli.identification import identify, regressor
from freebody.cli.importing import import_
from freebody.cli.inverse import inverse, motion, segments
from freebody.cli.linearize import linearize
from freebody.cli.models import models, new, schema, show
from freebody.cli.muscles import muscles
from freebody.cli.optimize import optimize
from freebody.cli.sensitivity import sensitivity
from freebody.cli.simulate import simulate
from freebody.cli.survey import survey
from freebody.cli.sweep import sweep
from freebody.errors import DocumentError, FreebodyError, ModelError, MotionError, fault
from freebody.files import protecting_inputs

CYCLES = 100_000
"""After so many new objects cycles are looked for: nearly all that a run makes lives as long."""


@contextmanager
def _cleaned_up() -> Iterator[None]:
    """Let a run that is told to end remove the file that it was writing, as an interrupted one."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _end(number: int, _frame: Any) -> None:
    raise SystemExit(128 + number)


def _warn(message: Warning | str, *_: Any, **__: Any) -> None:
    """Tell a warning in a sentence, without the place in the code that it comes from."""
    click.echo(f"Warning: {message}", err=True)


def _deafen() -> None:
    """Send what is still to be printed nowhere, so that it does not fail again at the end."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _os_error_text(error: OSError) -> str:
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename else f"cannot write: {reason}"


class _Group(click.Group):
    """Tells every error in a sentence, without a traceback."""

    def main(self, *args: Any, **extra: Any) -> Any:
        gc.set_threshold(CYCLES)
        try:
            try:
                return super().main(*args, **extra)
            finally:
                sys.stdout.flush()
        except OSError as error:
            _deafen()
            click.echo(f"Error: {_os_error_text(error)}", err=True)
            raise SystemExit(1) from None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with _cleaned_up(), protecting_inputs(), warnings.catch_warnings():
                warnings.showwarning = _warn
                return super().invoke(ctx)
        except FreebodyError as error:
            click.echo(f"Error: {error}", err=True)
            ctx.exit(2 if isinstance(error, ModelError | DocumentError | MotionError) else 1)
        except (click.exceptions.Exit, click.ClickException, click.Abort, OSError):
            raise
        except Exception as error:  # which is told by a line to report, not by a traceback
            click.echo(f"Error: {fault(error)}", err=True)
            ctx.exit(2)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="freebody")
def main() -> None:
    """Equations of motion that you can trust, read and run.

    A MODEL is a .toml file, a folder that holds a model.toml, or the name of a shipped model.

    \b
    Examples:
      freebody models
      freebody derive three_link_arm --method all
      freebody explain three_link_arm -o derivation.md
      freebody exercise two_link --hide M
      freebody check
      freebody adopt notes.tex
      freebody survey lecture_notes
      freebody simulate double_pendulum --duration 20 --plot run.png
      freebody sweep two_link --over m2=1:2:50 -o runs.nc
      freebody linearize acrobot --search 20
      freebody sensitivity two_link --of position.link2 --to m2 --plot effects.png
      freebody optimize pendulum --duration 1 --minimize "T**2" --end theta=1 --plot best.png
      freebody regressor two_link
      freebody identify two_link recording.csv --cutoff 10 --plot fit.png
      freebody generate three_link_arm --target c -o arm.c
      freebody motion walk.mot --filter --plot walk.png
      freebody inverse two_link reach.csv -o torques.csv --plot torques.png
      freebody muscles two_link_muscles --plot curves.png
      freebody new mybody
      freebody import robot.urdf -o mybody
    """


COMMANDS = (
    models,
    show,
    segments,
    derive,
    explain,
    compare,
    exercise,
    check,
    adopt,
    survey,
    simulate,
    sweep,
    linearize,
    sensitivity,
    optimize,
    regressor,
    identify,
    motion,
    inverse,
    muscles,
    generate,
    schema,
    new,
    import_,
)
for command in COMMANDS:
    main.add_command(command)
