"""Code that works equations of motion out, read without ever running it.

A language module (`python`, `matlab`, `julia`, `c`) hands over the tree of `tree`; one interpreter
works it out in cells of a `freebody.graph.Graph`.
"""

from collections.abc import Mapping
from pathlib import Path

LANGUAGES: Mapping[str, str] = {
    ".py": "python",
    ".m": "matlab",
    ".jl": "julia",
    ".c": "c",
    ".cc": "cpp",
    ".cpp": "cpp",
    ".cxx": "cpp",
    ".hpp": "cpp",
}
"""The language of a file, by its ending."""
ENDINGS = tuple(LANGUAGES)


def has_code(path: Path, text: str) -> bool:
    """Return whether a page may have code in it: a notebook, or one with a block of code."""
    return path.suffix == ".ipynb" or any(mark in text for mark in MARKS)


MARKS = ("```", "~~~", "{lstlisting}", "{minted}", "{verbatim}", "{Verbatim}")
"""With what a block of code begins."""
