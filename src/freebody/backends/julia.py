"""Code in Julia: to be taken away, or run by Julia."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from freebody.arrays import Array
from freebody.backends.text import (
    RenderedCode,
    Syntax,
    describe_arguments,
    identifiers,
    render,
)
from freebody.errors import BackendError
from freebody.graph.code import Code

KEYWORDS = (
    "abstract baremodule begin break catch const continue do else elseif end export false finally "
    "for function global if import in isa let local macro module mutable outer primitive public "
    "quote return struct true try type using where while"
)
CALLED = (
    "sin cos tan asin acos atan sinh cosh tanh exp log sqrt abs sign min max ifelse zeros "
    "promote_type typeof eltype float isinteger oftype view length"
)
"""Of Base, in what is written: a variable of such a name would hide it."""
PARTIAL = {
    "sqrt": "x < 0",
    "log": "x < 0",
    "asin": "abs(x) > 1",
    "acos": "abs(x) > 1",
}
"""Functions that Julia refuses to work out of some numbers, and of which."""
GUARDED = {name: f"nan_{name}({{0}})" for name in PARTIAL} | {"pow": "nan_pow({0}, {1})"}
GUARDS = {
    **{name: f"nan_{name}(x) = {test} ? oftype({name}(one(x)), NaN) : {name}(x)"
       for name, test in PARTIAL.items()},
    "pow": "nan_pow(x, y) = x < 0 && !isinteger(y) ? oftype(float(x), NaN) : x^y",
}  # fmt: skip
GUARD_NOTE = (
    "# Both values of a case are worked out before one is chosen: NaN, and no error, where there "
    "is none."
)
SYNTAX = Syntax(
    "{name}({operands})",
    {
        "pow": "({0})^({1})",
        "atan2": "atan({0}, {1})",
        "select": "ifelse({0}, {1}, {2})",
    },
    reserved=frozenset({*KEYWORDS.split(), *CALLED.split(), *(f"nan_{one}" for one in GUARDS)}),
)
PROGRAM = "julia"
SCRIPT = """
include("evaluate.jl")
x = read!("x", Array{{Float64}}(undef, {inputs}, {count}))
out = zeros({results}, {count})
for i in 1:{count}
    evaluate!(view(out, :, i), {groups})
end
write("out", out)
"""
STATE = """
\"\"\"
    {name}_ode!(dx, x, p, t)

Write the rates of the state `x = [q; u]` to `dx`, as an `ODEProblem` of DifferentialEquations.jl
asks for them. {parameters}
\"\"\"
function {name}_ode!(dx, x, p, t)
    return {name}!({arguments})
end
"""


def source(code: Code, name: str) -> dict[str, str]:
    """Return a file with a function that writes into an array, and one that makes it."""
    return {".jl": "".join(_parts(code, name))}


def _parts(code: Code, name: str) -> Iterator[str]:
    groups = [group for group in code.arguments if group != "t"]
    ours = replace(SYNTAX, reserved=SYNTAX.reserved | {name, "out", *groups})
    names = identifiers([entry.name for entry in code.entries], ours)
    guards = _guards(code)
    templates = {**SYNTAX.templates, **{one: GUARDED[one] for one in guards}}
    text = render(code, replace(SYNTAX, templates=templates), names)
    if guards:
        yield "\n".join([GUARD_NOTE, *(GUARDS[one] for one in guards)]) + "\n\n"
    yield "\n".join(_function(code, name, names, text)) + "\n"
    if code.shape:
        yield "\n" + "\n".join(_allocating(code, name)) + "\n"
    if code.name == "rhs":
        yield _for_solvers(code, name)


def _guards(code: Code) -> list[str]:
    """Return the operations that must give something where a case leaves what they give."""
    used = {operation for operation, *_ in code.steps}
    return [one for one in GUARDS if one in used] if "select" in used else []


def _function(code: Code, name: str, names: tuple[str, ...], text: RenderedCode) -> Iterator[str]:
    """Iterate over the lines of the function, with what it is above it."""
    mark, given = ("!", ["out", *code.arguments]) if code.shape else ("", [*code.arguments])
    head = f"{name}{mark}({', '.join(given)})"
    own = [f"    {name}({', '.join(code.arguments)})"] if code.shape else []
    yield from ('"""', f"    {head}", *own, "", f"{_quoted(code.title)}.", "")
    yield from (_quoted(line) for line in _described(code))
    yield from ('"""', f"function {head}")
    for place, group, number in code.used:
        if group != "t":
            yield f"    {names[place]} = {group}[{number + 1}]"
    yield from (f"    {variable} = {value}" for variable, value in text.assignments)
    if not code.shape:
        yield f"    return {text.results[0]}"
    else:
        for place, result in enumerate(text.results):
            yield f"    out[{_index(code, place)}] = {result}"
        yield "    return out"
    yield "end"


def _described(code: Code) -> Iterator[str]:
    """Iterate over lines of Markdown that say what is given and what comes of it."""
    *given, _, count = describe_arguments(code, 1)
    for line in given:
        group, entry = re.match(r"(\w+): (.*)", line), re.match(r"    \[(\d+)\] (\w+)(.*)", line)
        if entry:
            yield f"    {entry[1]}. `{entry[2]}`{entry[3]}"
        elif group:
            yield f"- `{group[1]}`: {group[2]}"
    size = " x ".join(map(str, code.shape))
    yield f"- `out`: {code.name}, {size} numbers" if size else f"- it returns {code.name}, a number"
    yield from ("", f"{count}.")


def _index(code: Code, place: int) -> str:
    return ", ".join(str(int(one) + 1) for one in np.unravel_index(place, code.shape))


def _allocating(code: Code, name: str) -> Iterator[str]:
    """Iterate over the lines of a function that makes the array it writes into."""
    kinds = [f"typeof({one})" if one == "t" else f"eltype({one})" for one in code.arguments]
    made = f"zeros(T, {', '.join(map(str, code.shape))})"
    yield f"function {name}({', '.join(code.arguments)})"
    yield f"    T = float(promote_type({', '.join(kinds or ['Float64'])}))"
    yield f"    return {name}!({', '.join([made, *code.arguments])})"
    yield "end"


def _for_solvers(code: Code, name: str) -> str:
    """Return the function that solvers of ordinary differential equations take."""
    count = len(code.arguments["q"])
    taken = {
        "t": "t",
        "q": f"view(x, 1:{count})",
        "u": f"view(x, {count + 1}:{count + len(code.arguments['u'])})",
        "inputs": "p.inputs(x, t)",
        "constants": "p.constants",
    }
    explained = {
        "inputs": "`p.inputs(x, t)` returns the inputs",
        "constants": "`p.constants` are those",
    }
    parameters = "; ".join(text for group, text in explained.items() if group in code.arguments)
    return STATE.format(
        name=name,
        parameters=f"{parameters}." if parameters else "It takes no parameters.",
        arguments=", ".join(["dx", *(taken[group] for group in code.arguments)]),
    )


def _quoted(text: str) -> str:
    """Return what can stand in the text of Julia, and neither ends it nor means something in it."""
    return text.replace("\\", "/").replace('"', "'").replace("$", "\\$").rstrip()


# ------------------------------------------------------------------ run


def compiled(code: Code) -> Kernel:
    """Return a kernel that has Julia work out many states at a time.

    Raises
    ------
    BackendError
        If Julia is not installed.
    """
    if shutil.which(PROGRAM) is None:
        raise BackendError(
            f"backend 'julia' needs Julia: expected {PROGRAM} on the path, found none; "
            "'freebody generate --target julia' writes the source without it"
        )
    return Kernel(code)


class Kernel:
    """A file with a function, and the program that runs it."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self._text = source(replace(code, shape=(len(code.results),)), "evaluate")[".jl"]

    def bind(self, x: Array, out: Array) -> Callable[[], None]:
        """See `freebody.backends.registry.Kernel`."""
        return lambda: self.columns(x[:, None], out[:, None])

    def columns(self, x: Array, out: Array) -> None:
        """See `freebody.backends.registry.Kernel`."""
        with tempfile.TemporaryDirectory(prefix="freebody-") as place:
            home = Path(place)
            (home / "evaluate.jl").write_text(self._text, encoding="utf-8")
            (home / "x").write_bytes(x.tobytes(order="F"))
            self._run(home, x.shape[1])
            results = np.fromfile(home / "out")
        out[:] = results.reshape(out.shape, order="F")

    def _run(self, home: Path, count: int) -> None:
        rows, first = [], 1
        for name, group in self.code.arguments.items():
            rows.append(f"x[{first}{'' if name == 't' else f':{first + len(group) - 1}'}, i]")
            first += len(group)
        script = SCRIPT.format(
            inputs=first - 1, count=count, results=len(self.code.results), groups=", ".join(rows)
        )
        command = [PROGRAM, "--startup-file=no", "--compile=min", "-e", script]
        ran = subprocess.run(command, cwd=home, capture_output=True, text=True, check=False)  # noqa: S603
        if ran.returncode:
            raise BackendError(f"{PROGRAM} failed: {ran.stderr.strip()}")
