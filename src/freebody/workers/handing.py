"""Pieces of a job handed out in chunks, as many at once as take about the same time."""

from __future__ import annotations

import hashlib
import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Protocol

from freebody.errors import SchedulerError
from freebody.workers.pools import Pool, WorkerDied
from freebody.workers.task import task_of

SECONDS = 2.0
"""What a chunk is to take: long beside what sending it takes, short beside what is lost with it."""
AHEAD = 2
"""Chunks for each that is being done, so that no worker waits for its next."""
GROWTH = 4
"""By how much a chunk may be larger than those before it: costs differ from piece to piece."""
CHANCES = 3
"""How many workers may die with a piece before it is told to be the reason."""


class Job(Protocol):
    """What is done with many pieces; it is pickled, and so are its pieces and their answers."""

    def ready(self) -> Callable[[Any], Any]:
        """Return what becomes of a piece, once all that the pieces share is worked out."""
        ...


class Lost(SchedulerError):  # noqa: N818 - told by its words
    """A piece with which workers die."""


def handed_out(
    job: Job,
    pieces: Sequence[Any],
    pool: Pool,
    *,
    among: Iterable[int] | None = None,
    most: int = 1_000_000,
    seconds: float = SECONDS,
) -> Iterator[tuple[list[int], tuple[Any, ...]]]:
    """Iterate over chunks as they come: the numbers of their pieces, and what becomes of these.

    What becomes of a piece depends on the piece alone, so that it is the same whoever does it, and
    whatever is done with it. Where a worker dies its chunk is done again, piece by piece.

    Parameters
    ----------
    job : Job
    pieces : sequence
    pool : Pool
    among : iterable of int, optional
        The numbers of the pieces that are to be done; all of them otherwise.
    most : int, optional
        Pieces in a chunk.
    seconds : float, optional
        What a chunk is to take, from what those before it took.

    Raises
    ------
    Lost
        If workers die with a piece.
    """
    text = pickle.dumps(job)
    key = hashlib.sha256(text).hexdigest()
    waiting = iter(range(len(pieces)) if among is None else among)
    chunks, costs, again = (
        dict[int, list[int]](),
        _Costs(seconds, most if pool.is_apart else 1),
        list[list[int]](),
    )
    deaths, number = Counter[int](), 0
    try:
        while True:
            while len(chunks) < _wanted(pool):
                if again and chunks and deaths[again[-1][0]] >= CHANCES - 1:
                    break  # the last chance of a piece is one of its own
                chunk = again.pop() if again else list(islice(waiting, costs.count))
                if not chunk:
                    break
                chunks[number] = chunk
                pool.submit(number, task_of(key, text, [pieces[one] for one in chunk]))
                number += 1
            if not chunks:
                return
            for ended, answers in pool.finished():
                chunk = chunks.pop(ended)
                if isinstance(answers, WorkerDied):
                    deaths.update(chunk)
                    _expect_chance(chunk, deaths)
                    again += [[one] for one in reversed(chunk)]
                else:
                    costs.learn(len(chunk), answers.seconds)
                    yield chunk, answers.answers
    finally:
        pool.cancel()


def _wanted(pool: Pool) -> int:
    return 1 if pool.size == 1 else AHEAD * pool.size


def _expect_chance(chunk: Sequence[int], deaths: Counter[int]) -> None:
    if len(chunk) == 1 and deaths[chunk[0]] >= CHANCES:
        raise Lost(
            f"{CHANCES} workers ended while they worked on piece {chunk[0]}: expected one that "
            "goes through; is there enough memory?"
        )


class _Costs:
    """How many pieces take so many seconds, by what was measured."""

    def __init__(self, seconds: float, most: int) -> None:
        self._seconds, self._most = seconds, most
        self._each, self._largest = 0.0, 0

    @property
    def count(self) -> int:
        """How many pieces the next chunk has."""
        if not self._largest:
            return 1
        affordable = self._seconds / max(self._each, 1e-9)
        return int(max(1, min(affordable, GROWTH * self._largest, self._most)))

    def learn(self, count: int, seconds: float) -> None:
        """Take in what a chunk took."""
        each = seconds / count
        self._each = each if not self._largest else 0.5 * (self._each + each)
        self._largest = max(self._largest, count)
