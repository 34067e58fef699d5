"""The blocks of the documentation: what they are, and what becomes of them when they are run.

A page is a session in a folder of its own. A block whose paragraph before it ends with the name
of a file, as in "save this as `arm.toml`:", is that file; ``sh`` blocks are commands that pass,
``console`` blocks commands with what they print, ``python`` blocks run one after another. In what
is printed ``…`` stands for anything, and lines come in the order in which they are shown.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import freebody
from freebody.motion import posture_reach

ROOT = Path(__file__).parents[1]
PAGES = {
    path.relative_to(ROOT).with_suffix("").as_posix(): path
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
}
RUN = ("sh", "console", "python")
SHOWN = (
    "",
    "text",
    "toml",
    "markdown",
    "latex",
    "xml",
    "yaml",
    "json",
    "bibtex",
    "julia",
    "{toctree}",
)
"""Kinds of blocks that are not run."""

_FENCE = re.compile(r"^(`{3,})([^`\n]*)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
_NAMED = re.compile(r"`([\w./-]+\.\w+)`[^`\n]*[:,]\s*\Z")

TIMES = np.linspace(0.0, 5.0, 51)


@dataclass(frozen=True)
class Block:
    """A fenced block: its kind, its text, the file that it is, and its line."""

    kind: str
    text: str
    file: str
    line: int


def blocks(path: Path) -> list[Block]:
    """Return the fenced blocks of a page."""
    text = path.read_text(encoding="utf-8")
    return [
        Block(
            fence[2].strip().partition(" ")[0],
            fence[3],
            named[1] if (named := _NAMED.search(text[: fence.start()])) else "",
            text.count("\n", 0, fence.start()) + 1,
        )
        for fence in _FENCE.finditer(text)
    ]


def commands(block: Block) -> Iterator[tuple[str, list[str]]]:
    """Iterate over the commands of a block, each with the lines that it prints as far as shown."""
    text = block.text.replace("\\\n", " ")
    if block.kind == "sh":
        yield from ((line, []) for line in text.splitlines() if line.strip())
    if block.kind == "console":
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            first, *printed = part.splitlines()
            yield first, printed


def arguments(command: str) -> list[str]:
    """Return the words of a command, without its comment.

    >>> arguments('freebody check a.md   # a page')
    ['freebody', 'check', 'a.md']
    """
    return shlex.split(command, comments=True)


def ran(page: str, folder: Path, other: Path) -> list[str]:
    """Run the blocks of a page in a folder, its Python in another, if it is one of how-to pages.

    Returns what is not as it is shown. A how-to page says in Python what it says in commands.
    """
    wrong, listing = [], []
    for block in blocks(PAGES[page]):
        if block.file and block.kind not in RUN:
            place = folder / block.file
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(block.text, encoding="utf-8")
        for command, printed in commands(block):
            wrong += [f"{page}:{block.line}: {one}" for one in _tried(command, printed, folder)]
        if block.kind == "python":
            listing.append((f"{page}:{block.line}", block.text))
    return wrong + _python(page, listing, other if _about(page) else folder)


def _about(page: str) -> str:
    """Return the name of a how-to page, whose Python begins with what it speaks of."""
    return Path(page).name if Path(page).parent.name == "docs" and page != "docs/start" else ""


IN_TURN = """
import json, sys
names = {}
if sys.argv[2]:
    sys.path.insert(0, sys.argv[1])
    from documentation import spoken_of
    names = spoken_of(sys.argv[2])
for place, text in json.load(sys.stdin):
    exec(compile(text, place, "exec"), names)
"""


def _python(page: str, listing: list[tuple[str, str]], folder: Path) -> list[str]:
    """Run the Python of a page in one session."""
    place = str(Path(__file__).parent)
    command = [sys.executable, "-W", "ignore", "-c", IN_TURN, place, _about(page)]
    done = _process(command, folder, json.dumps(listing)) if listing else None
    return [done.stderr[-400:]] if done and done.returncode else []


def _tried(command: str, printed: list[str], folder: Path) -> Iterator[str]:
    words = arguments(command)
    if not words or words[0] not in ("freebody", "python"):
        return
    start = [sys.executable, *(["-m", "freebody"] if words[0] == "freebody" else [])]
    rest = [word.replace("examples/", f"{ROOT}/examples/") for word in _expanded(words[1:], folder)]
    done = _process([*start, *rest], folder)
    if any(word in done.stderr for word in ("failed here", "Traceback", "Error:")):
        yield f"{command}: {done.stderr.strip()[-300:]}"
    elif missing := unprinted(printed, done.stderr + done.stdout):
        yield f"{command}: does not print {missing!r}, but {done.stderr + done.stdout!r}"


def _expanded(words: list[str], folder: Path) -> Iterator[str]:
    for word in words:
        if "*" in word and "/" in word and " " not in word:
            yield from sorted(path.relative_to(folder).as_posix() for path in folder.glob(word))
        else:
            yield word


def unprinted(shown: list[str], output: str) -> str:
    """Return the first line that is shown and not printed, in order; nothing if there is none.

    >>> unprinted(["a …", "c"], "a b\\nx\\nc\\n"), unprinted(["c", "a"], "a\\nc\\n")
    ('', 'a')
    """
    lines = iter([" ".join(line.split()) for line in output.splitlines()])
    for line in shown:
        parts = [re.escape(" ".join(part.split())) for part in line.split("…")]
        if any(parts) and not any(re.fullmatch(r"\s*.*".join(parts), one) for one in lines):
            return line
    return ""


def _process(command: list[str], folder: Path, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603
        command, cwd=folder, input=given, capture_output=True, text=True, timeout=600, check=False
    )


def spoken_of(page: str) -> dict[str, Any]:
    """Return what the recipes of a page speak of without making it."""
    links = 2 if page in ("identification", "muscles") else 3
    reach = posture_reach(
        {"alpha1": -1.5, "alpha2": 0.1}, {"alpha1": 0.0, "alpha2": 1.5}, 0.5, 100.0
    )
    reach.save("reach.csv")
    Path("forces.csv").write_text(
        "time,fx,fy\n0,0,0\n0.1,0,1\n0.4,1,1\n0.5,0,0\n", encoding="utf-8"
    )
    return {
        "freebody": freebody,
        "model": freebody.load("leg_sagittal" if page == "experiments" else "two_link"),
        "motion": _swaying("leg_sagittal") if page == "experiments" else reach,
        "stride": _swaying("walker"),
        "found": freebody.simulate("two_link", inputs={"T2": "sin(t)"}, unchecked=True),
        "times": TIMES,
        "values": np.sin(TIMES),
        "data_array": (TIMES, np.cos(TIMES)),
        "t": 0.0,
        "q": np.full(links, 0.3),
        "u": np.zeros(links),
        "inputs": np.zeros(4),
        "out": np.empty(links),
        "heights": [1.6, 1.8],
        "masses": [1.0, 1.5, 2.0],
        "angles": [0.0, 0.5],
    }


def _swaying(model: str) -> freebody.Motion:
    """Return a motion in which each coordinate follows a sine."""
    names = freebody.load(model).coordinates
    return freebody.Motion.of(TIMES, {name: np.sin(TIMES + k) for k, name in enumerate(names)})
