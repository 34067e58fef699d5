"""What a check found, written for those who read it: a terminal, Markdown, HTML, GitHub."""

from freebody.reporting.formats import ENDINGS, Format, save, written
from freebody.reporting.origin import Origin, origin, origins_of

__all__ = ["ENDINGS", "Format", "Origin", "origin", "origins_of", "save", "written"]
