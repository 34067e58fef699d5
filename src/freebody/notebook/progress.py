"""A bar in a notebook, for what takes long."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from time import monotonic
from typing import Any

from freebody.notebook.folded import STYLE

SELDOM = 0.1
"""So many s pass at least between two pictures of a bar."""


@contextmanager
def progress_bar(what: str, total: float | None = None) -> Iterator[Callable[[Any], None]]:
    """Show a bar in a notebook while something takes long; it goes away at the end.

    Parameters
    ----------
    what : str
        In words.
    total : float, optional
        What is done at the end, such as the duration of a motion or the number of pages. Without
        it, what is being done is told.

    Yields
    ------
    callable
        To be handed over as ``progress``; it takes how much is done, or the name of what is done.

    Examples
    --------
    In a notebook::

        with progress_bar("integrating", 60) as progress:
            run = freebody.simulate("walker", duration=60, progress=progress)
    """
    from IPython.display import HTML, display

    shown, last = display(HTML(_bar(what, 0.0, total)), display_id=True), 0.0

    def tell(done: Any) -> None:
        nonlocal last
        if shown is not None and monotonic() - last > SELDOM:
            last = monotonic()
            shown.update(HTML(_bar(what, done, total)))

    try:
        yield tell
    finally:
        if shown is not None:
            shown.update(HTML(""))


def _bar(what: str, done: Any, total: float | None) -> str:
    part = f' max="{total}" value="{float(done)}"' if _is_part(done, total) else ""
    now = "" if isinstance(done, float | int) else f": {escape(str(done))}"
    message = f"{escape(what)}{now}"
    return f'{STYLE}<div class="freebody"><progress{part}></progress> {message}</div>'


def _is_part(done: Any, total: float | None) -> bool:
    return total is not None and isinstance(done, float | int)
