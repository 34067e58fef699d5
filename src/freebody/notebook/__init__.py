"""At home in a notebook: what objects look like there, cells of a model or a page, and progress."""

from freebody.notebook.progress import progress_bar

__all__ = ["progress_bar"]
