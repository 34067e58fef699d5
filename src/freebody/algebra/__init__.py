"""Expressions as mathematics: read from text, brought to a canonical form, written back."""

from freebody.algebra.canonical import Comparison, compare, difference, equal
from freebody.algebra.forms import Form
from freebody.algebra.ring import Ring
from freebody.algebra.textbook import textbook

__all__ = ["Comparison", "Form", "Ring", "compare", "difference", "equal", "textbook"]
