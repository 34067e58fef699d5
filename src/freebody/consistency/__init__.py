"""A page held against itself: what it says twice, with no model and no table of symbols."""

from freebody.consistency.alone import alone
from freebody.consistency.report import AloneReport, PageReport, StatementVerdict

__all__ = ["AloneReport", "PageReport", "StatementVerdict", "alone"]
