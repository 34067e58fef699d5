"""What the benchmarks share: work in a process of its own, and cells of a table."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from typing import Any

LIMIT = 60.0
"""Seconds after which what may never end is stopped."""


def seconds(function: Callable[..., Any], *arguments: Any) -> float:
    """Return the time that a call takes, in s."""
    start = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - start


def apart(function: Callable[..., Any], *arguments: Any, limit: float | None = None) -> Any:
    """Return what a function gives in a process of its own, or None beyond a limit in s.

    Nothing that was worked out before is then at hand in sympy's cache.
    """
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=_send, args=(sender, function, arguments))
    process.start()
    sender.close()
    found = receiver.recv() if receiver.poll(limit) else None
    process.kill()
    process.join()
    return found


def _send(sender: Any, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    sender.send(function(*arguments))


def shown(found: float | None, unit: float) -> str:
    """Return the cells of a time in s, and of how many times as long as another it is."""
    if found is None:
        return f"{'> ' + format(LIMIT, '.0f'):>9} s {'> ' + format(LIMIT / unit, ',.1f'):>9}"
    return f"{found:9.3f} s {found / unit:9,.1f}"
