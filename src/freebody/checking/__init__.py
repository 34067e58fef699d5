"""What a printed page says, held against what is derived."""

from freebody.checking.check import check
from freebody.checking.report import EquationVerdict, Report

__all__ = ["EquationVerdict", "Report", "check"]
