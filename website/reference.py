"""The reference of the site, written out of the code."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import click

import freebody
from freebody.checking.quantities.families import FAMILIES
from freebody.cli import main
from freebody.errors import FreebodyError
from freebody.model import schema

BESIDE = ("algebra", "documents", "simulation", "results")
"""Rooms with something public that `import freebody` alone does not show."""


def pages(docs: Path) -> dict[str, str]:
    """Return the pages of the reference in Markdown, by their place in the folder.

    Parameters
    ----------
    docs : Path
        The folder of the documentation, whose table of quantities says what each one is.
    """
    rooms = {room: _room(room, names) for room, names in sorted(public_names().items())}
    return {
        **{f"python/{room}.md": text for room, text in rooms.items()},
        "python/index.md": _overview(rooms),
        "commands.md": _commands(),
        "keys.md": _keys(schema()),
        "quantities.md": _quantities((docs / "documents.md").read_text(encoding="utf-8")),
        "errors.md": _errors(),
        "index.md": _index(),
    }


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    r"""Return a table in Markdown.

    Examples
    --------
    >>> print(table(["a", "b"], [["1", "2|3"]]))
    | a | b |
    |---|---|
    | 1 | 2\|3 |
    """
    texts = [[cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in rows]
    ruled = [" | ".join(row) for row in (head, *texts)]
    return "\n".join(
        [f"| {ruled[0]} |", "|---" * len(head) + "|", *(f"| {r} |" for r in ruled[1:])]
    )


def _index() -> str:
    return (
        "# Reference\n\nWritten out of the code, version by version.\n\n"
        "```{toctree}\n:maxdepth: 1\n\npython/index\ncommands\nkeys\nquantities\nerrors\n```\n"
    )


# ------------------------------------------------------------------ Python


def public_names() -> dict[str, dict[str, str]]:
    """Return what is public, by room: names under which it is imported, and what it is there."""
    shown = {name: getattr(freebody, name) for name in freebody.__all__}
    places = {id(one): f"freebody.{name}" for name, one in shown.items() if not _is_module(one)}
    rooms = {one.__name__.split(".")[1] for one in shown.values() if _is_module(one)}
    rooms |= {one.__module__.split(".")[1] for one in shown.values() if not _is_module(one)}
    found: dict[str, dict[str, str]] = {}
    for room in sorted((rooms | {*BESIDE}) - {"errors"}):
        module = import_module(f"freebody.{room}")
        names = getattr(module, "__all__", None) or _own(module)
        members = {name: getattr(module, name) for name in names}
        members |= {
            name: one
            for name, one in shown.items()
            if not _is_module(one) and one.__module__.startswith(f"{module.__name__}.")
        }
        found[room] = {
            name: places.get(id(one), f"{module.__name__}.{name}")
            for name, one in sorted(members.items())
            if inspect.isclass(one) or inspect.isfunction(one)
            if not (inspect.isclass(one) and issubclass(one, Exception | Warning))
        }
    return found


def _is_module(one: object) -> bool:
    return isinstance(one, ModuleType)


def _own(module: ModuleType) -> list[str]:
    members = vars(module).items()
    return [n for n, one in members if getattr(one, "__module__", "") == module.__name__]


def _room(room: str, names: Mapping[str, str]) -> str:
    told = (import_module(f"freebody.{room}").__doc__ or "").strip()
    parts = [f"# `freebody.{room}`", told, *(_entry(path) for path in names.values())]
    return "\n\n".join(parts) + "\n"


def _entry(path: str) -> str:
    kind = "class" if inspect.isclass(_object(path)) else "function"
    return f"```{{eval-rst}}\n.. auto{kind}:: {path}\n```"


def _object(path: str) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)


def _overview(rooms: Iterable[str]) -> str:
    rows = [
        [f"{{py:obj}}`{path}`", _first_line(_object(path))]
        for names in public_names().values()
        for path in sorted(names.values())
        if path.count(".") == 1
    ]
    tree = "\n".join(sorted(rooms))
    return (
        "# Python\n\nWhat `import freebody` gives, and the rooms that have it.\n\n"
        f"{table(['name', 'what it does'], sorted(rows))}\n\n"
        f"```{{toctree}}\n:maxdepth: 1\n\n{tree}\n```\n"
    )


def _first_line(one: Any) -> str:
    return (inspect.getdoc(one) or "").partition("\n\n")[0].replace("\n", " ")


# ------------------------------------------------------------------ commands


def _commands() -> str:
    parts = ["# Commands", "`freebody COMMAND --help` says the same."]
    parts += [_command(name, command) for name, command in sorted(main.commands.items())]
    return "\n\n".join(parts) + "\n"


def _command(name: str, command: click.Command) -> str:
    context = click.Context(command, info_name=f"freebody {name}")
    words, _, examples = inspect.cleandoc(command.help or "").partition("\b\n")
    examples = "\n".join(line.strip() for line in examples.splitlines()[1:])
    rows = [_option(option, context) for option in command.params if _is_option(option)]
    usage = " ".join(command.collect_usage_pieces(context))
    return "\n\n".join(
        filter(
            None,
            [
                f"## freebody {name}",
                f"```text\nfreebody {name} {usage}\n```",
                _as_code(re.sub(r"\n(?!\n)", " ", words).strip()),
                table(["option", "", "what it does"], rows) if rows else "",
                f"```sh\n{examples}\n```" if examples else "",
            ],
        )
    )


def _is_option(parameter: click.Parameter) -> bool:
    return isinstance(parameter, click.Option)


def _option(option: Any, context: click.Context) -> list[str]:
    shown = ", ".join(f"`{name}`" for name in option.opts)
    value = "" if option.is_flag else f"`{option.make_metavar(context)}`"
    record = option.get_help_record(context)
    return [shown, value, literal(record[1] if record else "")]


def literal(words: str) -> str:
    """Return text as Markdown that prints just that."""
    return _as_code(re.sub(r"([\\`*_\[\]<>$])", r"\\\1", " ".join(words.split())))


def _as_code(words: str) -> str:
    """Return text whose options are code, so that no two hyphens are printed as a dash.

    Examples
    --------
    >>> _as_code("short for --format json, `--all`")
    'short for `--format` json, `--all`'
    """
    return re.sub(r"(?<![`\w-])--[a-z][a-z-]*", r"`\g<0>`", words)


# ------------------------------------------------------------------ keys of the model file


def _keys(whole: Mapping[str, Any]) -> str:
    """Return the keys of a model file: at the top, and in each table."""
    told = (
        "What [a model file](../models.md) may say, from the schema that `freebody schema` prints. "
        "A *value* is a number, or an expression of names."
    )
    parts = ["# Keys of a model file", told, "## At the top", _key_table(whole)]
    for name, definition in whole["$defs"].items():
        told = definition.get("description", "")
        parts += [f"## {name.removeprefix('File')}", literal(told), _key_table(definition)]
    return "\n\n".join(parts) + "\n"


def _key_table(definition: Mapping[str, Any]) -> str:
    needed = definition.get("required", [])
    return table(
        ["key", "what it takes", "unless given", "what it is"],
        (
            [
                f"`{key}`",
                takes(entry),
                "*needed*" if key in needed else _default(entry),
                literal(entry.get("description", "")),
            ]
            for key, entry in definition["properties"].items()
        ),
    )


def _default(entry: Mapping[str, Any]) -> str:
    default = entry.get("default")
    return "" if default in (None, "", [], {}) else f"`{str(default).lower()}`"


NAMES = {"integer": "number", "string": "text", "boolean": "true or false"}


def takes(entry: Mapping[str, Any]) -> str:
    """Return in words, with links, what a key of the schema takes.

    Examples
    --------
    >>> takes({"anyOf": [{"type": "number"}, {"type": "string"}]})
    'value'
    >>> takes({"type": "array", "items": {"$ref": "#/$defs/Pin"}})
    'list of [Pin](#pin)'
    """
    return " or ".join(dict.fromkeys(_kinds(entry)))


def _kinds(entry: Mapping[str, Any]) -> Iterator[str]:
    choices = entry.get("anyOf", []) + entry.get("oneOf", [])
    if choices:
        kinds = [kind for choice in choices for kind in _kinds(choice)]
        plain = {kind for kind in kinds if kind in ("number", "text")}
        yield from (["value"] if plain == {"number", "text"} else sorted(plain))
        yield from (kind for kind in kinds if kind not in ("number", "text", "null"))
    elif "$ref" in entry:
        name = entry["$ref"].rpartition("/")[2].removeprefix("File")
        yield f"[{name}](#{name.lower()})"
    elif "const" in entry or "enum" in entry:
        yield from (f"`{value}`" for value in entry.get("enum", [entry.get("const")]))
    elif "prefixItems" in entry:
        yield f"{len(entry['prefixItems'])} × {takes(entry['prefixItems'][0])}"
    elif entry.get("type") == "array":
        yield f"list of {takes(entry['items'])}" if "items" in entry else "list"
    elif entry.get("type") == "object":
        inner = [*entry.get("patternProperties", {}).values()]
        inner += [entry["additionalProperties"]] if entry.get("additionalProperties") else []
        yield f"by name: {takes(inner[0])}" if inner else "table"
    else:
        yield NAMES.get(entry.get("type", ""), entry.get("type", "any"))


# ------------------------------------------------------------------ quantities

ENTRIES = {"numbers": "indices from 1", "axes": "`.x`, `.y`, `.z`", "one": "one value"}


def meanings(documents: str) -> dict[str, str]:
    """Return what each family of quantities is, from the table of the page about documents."""
    section = documents.partition("## Quantities")[2].partition("\n## ")[0]
    found: dict[str, str] = {}
    for paths, words in re.findall(r"^\| (`[^|]*?) \| (.*) \|$", section, re.MULTILINE):
        for path in re.findall(r"`([A-Za-z_]+)[^`]*`", paths):
            found.setdefault(path, words)
    return found


def _quantities(documents: str) -> str:
    told = meanings(documents)
    rows = (
        [
            " or ".join(f"`{path}`" for path in re.split(r" or |, ", family.usage)),
            ENTRIES[family.entries],
            "yes" if family.turns else "",
            told.get(name, ""),
        ]
        for name, family in sorted(FAMILIES.items())
    )
    return (
        "# Quantities\n\nWhat a symbol of [a document](../documents.md#quantities) may stand for, "
        "besides coordinates, speeds, inputs and constants by their own names.\n\n"
        f"{table(['path', 'entries', '`.in.BODY`', 'what it is'], rows)}\n"
    )


# ------------------------------------------------------------------ errors


def _errors() -> str:
    """Return a page of the errors that freebody raises on purpose."""
    for room in ("algebra.terms", "backends", "cli", "files", "simulation"):
        import_module(f"freebody.{room}")
    told = (
        "Whatever a user can get wrong is a `FreebodyError`, whose text says what is wrong, where, "
        "what was expected, what was found, and the nearest right thing. Commands print it and "
        "exit with 2 where a model, a document or a motion cannot be read, else with 1."
    )
    parts = ["# Errors", told, *map(_error, [FreebodyError, *_below(FreebodyError)])]
    return "\n\n".join(parts) + "\n"


def _below(error: type) -> list[type]:
    """Return all kinds of an error, each once, by name."""
    direct: list[type] = error.__subclasses__()
    kinds = {one.__name__: one for sub in direct for one in [sub, *_below(sub)]}
    return [kinds[name] for name in sorted(kinds)]


def _error(error: type) -> str:
    place = "freebody" if hasattr(freebody, error.__name__) else error.__module__
    return (
        f"```{{eval-rst}}\n.. autoexception:: {place}.{error.__name__}\n   :show-inheritance:\n```"
    )
