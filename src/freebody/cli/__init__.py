"""The command line. Commands import what they need when they run, so that help comes at once."""

from __future__ import annotations

from typing import Any

import click

from freebody.cli.adopt import adopt
from freebody.cli.check import check
from freebody.cli.derive import derive
from freebody.cli.generate import generate
from freebody.cli.inverse import inverse
from freebody.cli.linearize import linearize
from freebody.cli.models import models, show
from freebody.cli.motion import motion, segments
from freebody.cli.muscles import muscles
from freebody.cli.new import new, schema
from freebody.cli.simulate import simulate
from freebody.errors import DocumentError, FreebodyError, ModelError, MotionError


class _Group(click.Group):
    """Tells every error of freebody in a sentence, without a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except FreebodyError as error:
            click.echo(f"Error: {error}", err=True)
            ctx.exit(2 if isinstance(error, ModelError | DocumentError | MotionError) else 1)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="freebody")
def main() -> None:
    """Equations of motion that you can trust, read and run.

    A MODEL is a .toml file, a folder that holds a model.toml, or the name of a shipped model.

    \b
    Examples:
      freebody models
      freebody derive three_link_arm --method all
      freebody check
      freebody adopt notes.tex --model two_link
      freebody simulate double_pendulum --duration 20 --plot run.png
      freebody linearize acrobot --search 20
      freebody generate three_link_arm --target c -o arm.c
      freebody motion walk.mot --filter --plot walk.png
      freebody inverse two_link reach.csv -o torques.csv --plot torques.png
      freebody muscles two_link_muscles --plot curves.png
      freebody new mybody
    """


COMMANDS = (
    models,
    show,
    segments,
    derive,
    check,
    adopt,
    simulate,
    linearize,
    motion,
    inverse,
    muscles,
    generate,
    schema,
    new,
)
for command in COMMANDS:
    main.add_command(command)
