"""Models to begin with, and what editors need to help with them."""

from __future__ import annotations

from pathlib import Path

import click

from freebody.cli.output import print_json


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
def new(name: str) -> None:
    """Write a commented model, with a document, that checks and simulates as it stands.

    \b
    Example:
      freebody new mybody
      freebody check mybody
      freebody simulate mybody
    """
    from freebody.starter import write_starter

    for path in write_starter(Path(name)):
        click.echo(f"wrote {path}")
