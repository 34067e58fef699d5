"""Pages worked on one after the other, or in processes side by side."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TypeVar

from freebody.checking.models import DerivedModels
from freebody.errors import ArgumentError
from freebody.workers.pools import begin_worker

Item = TypeVar("Item")
Answer = TypeVar("Answer")
FEW = 4
"""A process of its own starts in about the time that so many short pages take."""


def each(
    work: Callable[[Item, DerivedModels], Answer], items: Sequence[Item], jobs: int
) -> Iterator[Answer]:
    """Iterate over what becomes of items, in their order.

    Parameters
    ----------
    work : callable
        Called with an item and what is derived from models, which it may share with other items.
    items : sequence
    jobs : int
        How many processes there may be, each for `FEW` items or more; 0 for one on each core.

    Raises
    ------
    ArgumentError
        If there are to be less than none.
    """
    if jobs < 0:
        raise ArgumentError(f"jobs: expected a number of processes, or 0, found {jobs}")
    useful = min(jobs or os.cpu_count() or 1, len(items) // FEW)
    if useful < 2:
        derived = DerivedModels()
        yield from (work(item, derived) for item in items)
        return
    from loky import ProcessPoolExecutor

    begun = (os.getpid(), gc.get_threshold())
    executor = ProcessPoolExecutor(useful, initializer=_begin, initargs=begun)
    try:
        answers = [executor.submit(_apart, work, item) for item in items]
        yield from (answer.result() for answer in answers)
    finally:
        executor.shutdown(kill_workers=True)


def _begin(parent: int, garbage: tuple[int, int, int]) -> None:
    """Begin as any worker does, and look for garbage as rarely as the process that waits."""
    begin_worker(parent)
    gc.set_threshold(*garbage)


@cache
def _derived() -> DerivedModels:
    """Return what this process derived from models."""
    return DerivedModels()


def _apart(work: Callable[[Item, DerivedModels], Answer], item: Item) -> Answer:
    return work(item, _derived())
