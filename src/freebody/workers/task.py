"""What a worker does: a job is made ready once, kept, and called with one piece after another."""

from __future__ import annotations

import pickle
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from freebody.errors import SchedulerError

KEPT = 4
"""How many jobs a worker keeps ready."""
_ONE = threading.Lock()
"""Equations are derived by one thread at a time: sympy's caches are not made for several."""
_local = threading.local()


@dataclass(frozen=True)
class Task:
    """Some pieces of a job, as they are sent.

    Attributes
    ----------
    key : str
        Of the job: equal for equal jobs.
    job : bytes
        The job, pickled.
    pieces : tuple
    version : str
        Of freebody, where it comes from.
    """

    key: str
    job: bytes
    pieces: tuple[Any, ...]
    version: str


@dataclass(frozen=True)
class Answers:
    """What became of the pieces of a task.

    Attributes
    ----------
    answers : tuple
        In the order of the pieces.
    seconds : float
        What they took, without making the job ready.
    """

    answers: tuple[Any, ...]
    seconds: float


def done(task: Task) -> Answers:
    """Return what becomes of the pieces of a task, by a job that is ready or made so.

    Raises
    ------
    SchedulerError
        If this is another version of freebody, whose numbers may be others.
    """
    if task.version != version("freebody"):
        raise SchedulerError(
            f"a worker has freebody {version('freebody')}: expected {task.version}, as here"
        )
    call = _ready(task)
    begun = time.perf_counter()
    answers = tuple(call(piece) for piece in task.pieces)
    return Answers(answers, time.perf_counter() - begun)


def _ready(task: Task) -> Callable[[Any], Any]:
    """Return a job that is ready, of this thread alone: compiled functions keep numbers."""
    kept: OrderedDict[str, Callable[[Any], Any]] = _local.__dict__.setdefault("kept", OrderedDict())
    if task.key not in kept:
        with _ONE:
            kept[task.key] = pickle.loads(task.job).ready()  # noqa: S301 - from who started this
        if len(kept) > KEPT:
            kept.popitem(last=False)
    kept.move_to_end(task.key)
    return kept[task.key]


def task_of(key: str, job: bytes, pieces: Sequence[Any]) -> Task:
    """Return pieces of a job as a task of this version.

    Parameters
    ----------
    key : str
    job : bytes
    pieces : sequence
    """
    return Task(key, job, tuple(pieces), version("freebody"))
