"""Programs: what is computed, as straight-line assignments, whoever computes it."""

from freebody.programs.outputs import OUTPUTS, Writer, written

__all__ = ["OUTPUTS", "Writer", "written"]
