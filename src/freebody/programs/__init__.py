"""Programs: what is computed, as straight-line assignments, whoever computes it."""

from freebody.programs.outputs import OUTPUTS
from freebody.programs.written import Writer, written

__all__ = ["OUTPUTS", "Writer", "written"]
