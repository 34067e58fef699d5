"""Programs: what is computed, as straight-line assignments, whoever computes it."""

from freebody.programs.outputs import OUTPUTS, ProgramWriter, write_code

__all__ = ["OUTPUTS", "ProgramWriter", "write_code"]
