"""What models there are, what one says, and one to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from freebody.cli.output import EACH, Counts, console, print_json, table

if TYPE_CHECKING:
    from freebody.model import Model


@click.command()
def schema() -> None:
    """Print the JSON Schema of a model file, by which editors complete it.

    \b
    Example:
      freebody schema > model.schema.json
    """
    from freebody.model import schema as model_schema

    print_json(model_schema())


@click.command()
@click.argument("name")
@click.option(
    "--body",
    type=click.Choice(["arm", "leg", "trunk_and_legs", "whole"]),
    help="A model of the human body, or of a part of it.",
)
@click.option(
    "--plane",
    type=click.Choice(["sagittal", "space"]),
    help="Where the body moves: in the sagittal plane unless given.",
)
@click.option("--segments", metavar="TABLE", help="The table that the body follows.")
@click.option(
    "--sex", type=click.Choice(["female", "male"]), help="Whose segments: male unless given."
)
@click.option("--muscles", is_flag=True, help="Arms and legs with muscles, in the sagittal plane.")
def new(
    name: str,
    body: str | None,
    plane: str | None,
    segments: str | None,
    sex: str | None,
    muscles: bool,
) -> None:
    """Write a commented model that simulates as it stands, and a document of it.

    \b
    Example:
      freebody new mybody
      freebody check mybody
      freebody simulate mybody
      freebody new me --body leg --plane sagittal --segments de_leva_1996
      freebody new me --body leg --muscles
    """
    from freebody.locating import FILE_NAME
    from freebody.starter import texts, write_folder

    folder = Path(name)
    if body is None:
        _expect_body(plane=plane, segments=segments, sex=sex, muscles=muscles or None)
        files = texts(folder.name)
    else:
        files = {FILE_NAME: _human(folder, body, plane, segments, sex, muscles)}
    for path in write_folder(folder, files):
        click.echo(f"wrote {path}")


def _expect_body(**options: str | bool | None) -> None:
    given = [option for option, value in options.items() if value is not None]
    if given:
        raise click.UsageError(f"--{given[0]} is of a body: expected --body as well")


def _human(
    folder: Path, body: Any, plane: Any, segments: str | None, sex: Any, muscles: bool
) -> str:
    """Return a model of the human body that was read, so that what its table lacks is told."""
    from freebody.model import loads
    from freebody.starter import expect_plain
    from freebody.starter.human import TABLE, human

    expect_plain(folder)
    given: Any = (plane or "sagittal", segments or TABLE, sex or "male")
    text = human(folder.name, body, *given, muscles=muscles)
    loads(text, f"--segments {segments}")
    return text


# ------------------------------------------------------------------ models


@click.command()
def models() -> None:
    """List the shipped models, and those of the gallery, which have published numbers.

    \b
    Example:
      freebody models
    """
    from freebody.documents import documents_of
    from freebody.model import gallery, load, shipped

    rows = table("model", "what it is", "coordinates", "documents")
    for name, folder in {**shipped(), **gallery()}.items():
        model = load(name)
        documents = ", ".join(document.name for document in documents_of(folder / "model.toml"))
        rows.add_row(name, model.title, str(len(model.coordinates)), documents)
    console().print(rows)


@click.command()
@click.argument("model")
@EACH
def show(model: str, each: Counts) -> None:
    """Show what a model says: coordinates, bodies, joints, muscles, constants.

    \b
    Example:
      freebody show three_link_arm
    """
    from freebody.model import load

    loaded = load(model, each=each)
    out = console()
    out.print(f"[bold]{loaded.title}[/bold]")
    for rows in (_moving(loaded), _bodies(loaded), _muscles(loaded), _constants(loaded)):
        if rows.row_count:
            out.print(rows)


def _moving(model: Model) -> Any:
    rows = table("name", "kind", "unit", "value", "what it is")
    for name, coordinate in model.coordinates.items():
        initial = "" if coordinate.initial is None else f"{coordinate.initial} at first"
        rows.add_row(name, "coordinate", coordinate.unit, initial, coordinate.title)
    for name, entry in model.inputs.items():
        value = "" if entry.value is None else str(entry.value)
        rows.add_row(name, "input", entry.unit, value, entry.title)
    return rows


def _bodies(model: Model) -> Any:
    bodies = {body.name: body for body in model.bodies}
    rows = table("joint", "type", "parent", "child", "mass", "inertia")
    for joint in model.joints:
        body = bodies[joint.child]
        inertia = "particle" if body.inertia is None else _inertia(body.inertia)
        rows.add_row(joint.name, joint.type, joint.parent, joint.child, str(body.mass), inertia)
    return rows


def _muscles(model: Model) -> Any:
    rows = table("muscle", "tension", "path or length", "peak force", "fibres", "tendon")
    for muscle in model.muscles:
        led = " - ".join(map(_led, muscle.path)) if muscle.path else str(muscle.length)
        hill = muscle.hill
        parts = (
            ("", "", "")
            if hill is None
            else (
                str(hill.peak_force),
                str(hill.optimal_fiber_length),
                f"{hill.tendon_slack_length}, {hill.tendon}",
            )
        )
        rows.add_row(muscle.name, muscle.tension, led, *parts)
    return rows


def _led(part: Any) -> str:
    """Return where a part of a path is: a named point, or the body that it is on."""
    return part if isinstance(part, str) else getattr(part, "on", None) or f"around {part.around}"


def _inertia(given: Any) -> str:
    return ", ".join(map(str, given)) if isinstance(given, tuple) else str(given)


def _constants(model: Model) -> Any:
    from freebody.model import Names

    values = Names(model).values()
    rows = table("constant", "unit", "value", "what it is", "source")
    for name, constant in model.constants.items():
        value = f"{values[name]:.6g}" if name in values else "not set"
        rows.add_row(name, constant.unit, value, constant.title, constant.source or "")
    return rows
