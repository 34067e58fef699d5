"""Models of other programs, on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from freebody.cli.output import print_json

if TYPE_CHECKING:
    from freebody.importing import Imported
    from freebody.importing.importing import Muscles


@click.command("import")
@click.argument("file", type=Path)
@click.option("-o", "path", type=Path, help="The folder to write it into, rather than to print it.")
@click.option("--floating", is_flag=True, help="Of URDF: let the base move freely.")
@click.option(
    "--within",
    metavar="FOLDER",
    type=Path,
    help="Of MJCF: where included files may be; the folder of FILE if not told.",
)
@click.option(
    "--muscles",
    type=click.Choice(["paths", "torques"]),
    default="paths",
    help="Of OpenSim: as they pull, or torques of coordinates instead.",
)
@click.option("--json", "as_json", is_flag=True, help="Print what became of its parts as JSON.")
def import_(
    file: Path,
    path: Path | None,
    floating: bool,
    within: Path | None,
    muscles: Muscles,
    as_json: bool,
) -> None:
    """Read a model of another program (URDF, MJCF, OpenSim) into a model file.

    Names, masses, places and limits are those of the file; lengths and masses become constants.
    What was merged, approximated and left is told, and stands on top of the model file too.

    \b
    Examples:
      freebody import ur5.urdf -o ur5
      freebody import quadruped.urdf --floating -o quadruped
      freebody import humanoid.xml -o humanoid
      freebody import scenes/kitchen.xml --within . -o kitchen
      freebody import gait2354.osim -o gait
    """
    from freebody.importing import import_model

    imported = import_model(file, floating=floating, within=within, muscles=muscles)
    written = None if path is None else imported.save(path)
    if as_json:
        print_json({"written": written and str(written), **imported.data})
        return
    if written is None:
        click.echo(imported.text, nl=False)
    _tell(imported)
    if written is not None:
        click.echo(f"wrote {written}", err=True)


def _tell(imported: Imported) -> None:
    data = imported.data
    parts = (f"{len(data[what])} {what}" for what in ("coordinates", "bodies", "inputs"))
    click.echo(f"{imported.source} ({imported.format}): {', '.join(parts)}", err=True)
    for note in imported.notes:
        line = f" (line {note.line})" if note.line else ""
        click.echo(f"  {note.kind:<12} {note.what}{line}", err=True)
