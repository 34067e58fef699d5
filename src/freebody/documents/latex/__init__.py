"""Printed equations, read from LaTeX into a syntax tree that points at the page."""

from freebody.documents.latex.layout.displays import read_page
from freebody.documents.latex.names import Declared
from freebody.documents.latex.relations import Display, Relation, Unreadable
from freebody.documents.latex.tokens.tokens import LatexError

__all__ = ["Declared", "Display", "LatexError", "Relation", "Unreadable", "read_page"]
