"""Body segment parameters: tables of the literature as data, with their sources."""

from freebody.anthropometry.table import Fractions, Row, Table, table, tables

__all__ = ["Fractions", "Row", "Table", "table", "tables"]
