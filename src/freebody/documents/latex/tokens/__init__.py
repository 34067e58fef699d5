"""LaTeX taken apart: tokens, commands and groups, with the macros of the page expanded."""
