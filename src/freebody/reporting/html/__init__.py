"""A report as an HTML page, for authors: `html`."""

from freebody.reporting.html.page import html

__all__ = ["html"]
