"""Programs: the outputs of a mechanism as straight-line code, for any backend."""

from freebody.programs.outputs import OUTPUTS, ProgramWriter, write_code

__all__ = ["OUTPUTS", "ProgramWriter", "write_code"]
