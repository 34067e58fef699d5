"""Code in the language of Octave and MATLAB: to be taken away, or run by Octave."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from freebody.arrays import Array
from freebody.backends.text import Syntax, describe_arguments, identifiers, render
from freebody.errors import BackendError
from freebody.graph.code import Code

RESERVED = (
    "arguments break case catch classdef continue do else elseif end end_try_catch "
    "end_unwind_protect endarguments endclassdef endenumeration endevents endfor endfunction endif "
    "endmethods endparfor endproperties endspmd endswitch endwhile enumeration events for function "
    "get global if import methods otherwise parfor persistent properties return set spmd switch "
    "try until unwind_protect unwind_protect_cleanup while i j I J pi e Inf NaN NA eps ans out "
    "sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt abs sign min max merge zeros "
    "size reshape"
)
SYNTAX = Syntax(
    "{name}({operands})",
    {"pow": "({0}).^({1})", "select": "choice({0}, {1}, {2})"},
    {"mul": ".*", "div": "./"},
    reserved=frozenset({*RESERVED.split(), "choice"}),
)
PROGRAM = "octave-cli"
CHOICE = """
function value = choice(condition, one, other)
    none = zeros(size(condition + one + other));
    value = other + none;
    one = one + none;
    condition = logical(condition + none);
    value(condition) = one(condition);
end
"""
SCRIPT = """
file = fopen('x', 'r'); x = fread(file, [{inputs}, {count}], 'double'); fclose(file);
out = evaluate({groups});
file = fopen('out', 'w'); fwrite(file, out, 'double'); fclose(file);
"""


def source(code: Code, name: str) -> dict[str, str]:
    """Return a function file, by its ending."""
    groups = [group for group in code.arguments if group != "t"]
    ours = Syntax("", reserved=frozenset({*RESERVED.split(), "choice", name, *groups}))
    names = identifiers([entry.name for entry in code.entries], ours)
    text = render(code, SYNTAX, names)
    comment = [
        f"{code.title}.",
        "",
        "Each argument is a column, or has a column for each state.",
    ]
    lines = [f"function out = {name}({', '.join(code.arguments)})"]
    lines += [f"    % {line}".rstrip() for line in (*comment, "", *describe_arguments(code, 1))]
    lines += [f"    {line}" for line in _unpacked(code, names)]
    lines += [f"    {variable} = {value};" for variable, value in text.assignments]
    widest = next(iter(code.arguments))
    lines.append(f"    out = zeros({len(code.results)}, size({widest}, 2));")
    ends = enumerate(text.results, 1)
    lines += [*(f"    out({place}, :) = {result};" for place, result in ends), "end"]
    chosen = CHOICE if any(step[0] == "select" for step in code.steps) else ""
    return {".m": "\n".join(lines) + "\n" + chosen}


def _unpacked(code: Code, names: tuple[str, ...]) -> Iterator[str]:
    """Iterate over lines that take the arguments apart, as far as they are used."""
    for place, group, number in code.used:
        if group != "t":
            yield f"{names[place]} = {group}({number + 1}, :);"


def compiled(code: Code) -> Kernel:
    """Return a kernel that has Octave work out many states at a time.

    Raises
    ------
    BackendError
        If Octave is not installed.
    """
    if shutil.which(PROGRAM) is None:
        raise BackendError(
            f"backend 'octave' needs Octave: expected {PROGRAM} on the path, found none; "
            "'freebody generate --target octave' writes the source without it"
        )
    return Kernel(code)


class Kernel:
    """A function file, and the program that runs it."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self._text = source(code, "evaluate")[".m"]

    def bind(self, x: Array, out: Array) -> Callable[[], None]:
        """See `freebody.backends.registry.Kernel`."""
        return lambda: self.columns(x[:, None], out[:, None])

    def columns(self, x: Array, out: Array) -> None:
        """See `freebody.backends.registry.Kernel`."""
        with tempfile.TemporaryDirectory(prefix="freebody-") as place:
            home = Path(place)
            (home / "evaluate.m").write_text(self._text, encoding="utf-8")
            (home / "x").write_bytes(x.tobytes(order="F"))
            self._run(home, x.shape[1])
            results = np.fromfile(home / "out")
        out[:] = results.reshape(out.shape, order="F")

    def _run(self, home: Path, count: int) -> None:
        rows, first = [], 1
        for group in self.code.arguments.values():
            rows.append(f"x({first}:{first + len(group) - 1}, :)")
            first += len(group)
        script = SCRIPT.format(inputs=first - 1, count=count, groups=", ".join(rows))
        command = [PROGRAM, "--no-gui", "--quiet", "--norc", "--eval", script]
        ran = subprocess.run(command, cwd=home, capture_output=True, text=True, check=False)  # noqa: S603
        if ran.returncode:
            raise BackendError(f"{PROGRAM} failed: {ran.stderr.strip()}")
