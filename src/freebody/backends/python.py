"""Straight-line code as functions of Python, over one module of functions or another."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from freebody.backends.text import RenderedCode, Syntax, describe_arguments, identifiers, render
from freebody.graph.code import Code

SCALARS = {
    "pow": "({0})**({1})",
    "abs": "abs({0})",
    "min": "min({0}, {1})",
    "max": "max({0}, {1})",
    "sign": "float(({0} > 0) - ({0} < 0))",
    "select": "(({1}) if {0} else ({2}))",
}
ARRAYS = {
    "pow": "({0})**({1})",
    "abs": "{module}.abs({0})",
    "min": "{module}.minimum({0}, {1})",
    "max": "{module}.maximum({0}, {1})",
    "select": "{module}.where({0}, {1}, {2})",
}
RESERVED = frozenset({*keyword.kwlist, *keyword.softkwlist, *dir(builtins), "math", "np", "jnp"})


def scalars() -> Syntax:
    """Return the syntax of functions of numbers."""
    return Syntax(
        "math.{name}({operands})", SCALARS, repeated=frozenset({"sign"}), reserved=RESERVED
    )


def arrays(module: str) -> Syntax:
    """Return the syntax of functions of arrays, by the name of the module they come from."""
    templates = {name: text.replace("{module}", module) for name, text in ARRAYS.items()}
    return Syntax(module + ".{name}({operands})", templates, reserved=RESERVED)


def function(code: Code, syntax: Syntax, modules: Mapping[str, Any]) -> Callable[..., Any]:
    """Return a function of all entries of the arguments that returns the entries of the output.

    Parameters
    ----------
    code : Code
    syntax : Syntax
        Of scalars or of arrays.
    modules : mapping of str to module
        What the text calls, by the name that it has there.
    """
    names = [f"x{place}" for place in range(len(code.entries))]
    text = render(code, syntax, names)
    results = "".join(f"{result}, " for result in text.results)
    lines = [*_assigned(text), f"    return ({results})"]
    return _compiled_function(f"def evaluate({', '.join(names)}):", lines, modules)


def pointers(code: Code, syntax: Syntax, modules: Mapping[str, Any]) -> Callable[..., Any]:
    """Return a function ``(count, place, x, out)`` that works out one of many states.

    Entry ``j`` of the arguments is ``x[j*count + place]``, and so it is for the output.

    Parameters
    ----------
    code : Code
    syntax : Syntax
        Of scalars.
    modules : mapping of str to module
        What the text calls, by the name that it has there.
    """
    names = [f"x[{place}*count + place]" for place in range(len(code.entries))]
    text = render(code, syntax, names)
    results = enumerate(text.results)
    ends = [f"    out[{place}*count + place] = {result}" for place, result in results]
    return _compiled_function(
        "def evaluate(count, place, x, out):", [*_assigned(text), *ends], modules
    )


def _assigned(text: RenderedCode) -> list[str]:
    return [f"    {name} = {value}" for name, value in text.assignments]


def _compiled_function(
    first: str, lines: list[str], modules: Mapping[str, Any]
) -> Callable[..., Any]:
    """Return the function of a text in which every name is one of our own."""
    namespace = dict(modules)
    exec("\n".join([first, *lines]), namespace)  # noqa: S102 - of our own names, as said above
    evaluate: Callable[..., Any] = namespace["evaluate"]
    return evaluate


def stacked(code: Code, module: str) -> list[str]:
    """Return how ``{entries}`` become the result of a function on arrays."""
    if not code.shape:
        return ["return {entries}"]
    whole = f"{module}.stack({module}.broadcast_arrays({{entries}}), axis=-1)"
    if len(code.shape) == 1:
        return [f"return {whole}"]
    shape = ", ".join(map(str, code.shape))
    return [f"rows = {whole}", f"return rows.reshape(*rows.shape[:-1], {shape})"]


def readable(
    code: Code, name: str, syntax: Syntax, imports: str, ends: Sequence[str], index: str = "..., "
) -> str:
    """Return the text of a module with one function, in the names of the model.

    Parameters
    ----------
    code : Code
    name : str
        Of the function.
    syntax : Syntax
    imports : str
        The lines above the function.
    ends : sequence of str
        The last lines, with ``{entries}`` for those of the output.
    index : str, optional
        What stands before the index of an entry.
    """
    groups = code.arguments
    ours = Syntax("", reserved=frozenset({*RESERVED, *groups, name} - {"t"}))
    names = identifiers([entry.name for entry in code.entries], ours)
    text = render(code, syntax, names)
    title = _quoted(code.title)
    lines = [f'"""{title}."""', "", imports, f"def {name}({', '.join(groups)}):"]
    lines += [f'    """{title}.', "", *_indented(describe_arguments(code)), '    """']
    lines += [f"    {line}" for line in _unpacked(code, names, index)]
    lines += _assigned(text)
    lines += ["    " + end.format(entries=", ".join(text.results)) for end in ends]
    return "\n".join(lines) + "\n"


def _indented(lines: Iterator[str]) -> Iterator[str]:
    return (f"    {_quoted(line)}".rstrip() for line in lines)


def _quoted(text: str) -> str:
    """Return what can stand in a docstring, and does not end it."""
    return text.replace("\\", "/").replace('"', "'")


def _unpacked(code: Code, names: tuple[str, ...], index: str) -> Iterator[str]:
    """Iterate over lines that take arguments apart, as far as they are used."""
    for place, group, number in code.used:
        if group != "t":
            yield f"{names[place]} = {group}[{index}{number}]"
