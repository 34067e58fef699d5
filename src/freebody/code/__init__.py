"""Code that works equations of motion out, read without ever running it.

A language module (`python`, `matlab`, `julia`, `c`) hands over the tree of `tree`; one interpreter
works it out in cells of a `freebody.graph.Graph`.
"""

from collections.abc import Mapping

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
