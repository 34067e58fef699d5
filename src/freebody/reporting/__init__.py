"""What a check found, written for those who read it: a terminal, Markdown, HTML, GitHub."""

from freebody.reporting.formats import Format, written
from freebody.reporting.origin import Origin, origin

__all__ = ["Format", "Origin", "origin", "written"]
