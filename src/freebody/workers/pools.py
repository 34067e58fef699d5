"""Who works: this process, some beside it, or the workers of a Dask cluster."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Protocol

from freebody.errors import SchedulerError
from freebody.workers.task import Answers, Task, done

AnyScheduler = Any
"""A number of processes, ``"processes"``, the address of a Dask scheduler, a Dask client, a pool,
or nothing: the client that is active, or else this process."""
DIGITS = 3
"""Of the largest number of processes that makes sense."""
LOOKED = 1.0
"""After how many s a process looks whether the one that asks is still there."""
ANSWER = 10.0
"""For how many s an address is waited for."""
ADDRESSES = ("tcp://", "tls://", "ucx://", "ws://", "wss://", "inproc://")


class WorkerDied(Exception):  # noqa: N818 - what happened, which `handed_out` mends or tells
    """A worker ended while it had a task."""


class Pool(Protocol):
    """Workers that are given tasks.

    Attributes
    ----------
    name : str
        In a word or two.
    dashboard : str
        The address of a page that shows what they do; empty where there is none.
    is_apart : bool
        Whether they are other processes, to which it takes time to send a task.
    """

    name: str
    dashboard: str
    is_apart: bool

    @property
    def size(self) -> int:
        """How many tasks are done at a time."""
        ...

    def submit(self, number: int, task: Task) -> None:
        """Give a task, which has a number."""
        ...

    def finished(self) -> Iterator[tuple[int, Answers | WorkerDied]]:
        """Wait for a task, and iterate over those that are done, or whose worker died."""
        ...

    def cancel(self) -> None:
        """Forget the tasks that are not done."""
        ...


@contextmanager
def pool_of(scheduler: AnyScheduler = None) -> Iterator[Pool]:
    """Give the workers that are asked for, and let them go afterwards if they were made here.

    Parameters
    ----------
    scheduler : int, str, distributed.Client, Pool or None
        See `AnyScheduler`.

    Raises
    ------
    SchedulerError
        If it is none of these, Dask is not installed, or there is no scheduler at an address.
    """
    if isinstance(scheduler, Here | Processes | Cluster):
        yield scheduler
        return
    pool, own = _pool(scheduler)
    try:
        yield pool
    finally:
        pool.cancel()
        if own is not None:
            own.close()


def _pool(scheduler: Any) -> tuple[Pool, Any]:
    """Return workers, and what is to be closed when they are no longer needed."""
    client = _active() if scheduler is None else scheduler
    if client is None:
        return Here(), None
    if hasattr(client, "scheduler_info"):
        return Cluster(client), None
    if isinstance(scheduler, str) and scheduler.startswith(ADDRESSES):
        client = _connected(scheduler)
        return Cluster(client), client
    count = _count(scheduler)
    processes = Processes(count) if count > 1 else None
    return (Here(), None) if processes is None else (processes, processes)


def _count(scheduler: Any) -> int:
    """Return how many processes are meant."""
    if scheduler == "processes":
        return os.cpu_count() or 1
    text = str(scheduler).removeprefix("processes:")
    is_number = isinstance(scheduler, int | str) and not isinstance(scheduler, bool)
    if is_number and text.isdecimal() and len(text) <= DIGITS:
        return int(text) or os.cpu_count() or 1
    shown = scheduler if isinstance(scheduler, str | int) else f"a {type(scheduler).__name__}"
    raise SchedulerError(
        "scheduler: expected a number of processes, 'processes', the address of a Dask scheduler "
        f"such as tcp://10.0.0.1:8786, or a distributed.Client, found {shown}"
    )


def _active() -> Any:
    """Return the Dask client that is active, if there is one; Dask is not imported for it."""
    distributed = sys.modules.get("distributed")
    if distributed is None:
        return None
    try:
        return distributed.default_client()
    except ValueError:
        return None


def has_client() -> bool:
    """Return whether there is a Dask client that is active."""
    return _active() is not None


def _connected(address: str) -> Any:
    try:
        from distributed import Client
    except ModuleNotFoundError as error:
        message = f'Dask is not installed ({error}): pip install "freebody[dask]"'
        raise SchedulerError(message) from None
    try:
        _expect_scheduler(address)
        return Client(address, set_as_default=False)
    except (OSError, ValueError) as error:
        raise SchedulerError(f"there is no Dask scheduler at {address}: {error}") from None
    except MemoryError:  # its first bytes, taken for the length of what follows
        message = f"there is no Dask scheduler at {address}: what answers there is something else"
        raise SchedulerError(message) from None


def _expect_scheduler(address: str) -> None:
    """See that a scheduler answers there: a client without one keeps the program from ending.

    Raises
    ------
    OSError, ValueError, MemoryError
        If none does, or it is no address.
    """
    if not address.startswith("inproc://"):
        with ThreadPoolExecutor(1) as apart:  # here a loop may be running, as in a notebook
            apart.submit(asyncio.run, _shake_hands(address)).result()


async def _shake_hands(address: str) -> None:
    from distributed import Security
    from distributed.comm import connect

    arguments = Security().get_connection_args("client")
    try:
        async with asyncio.timeout(ANSWER):  # the time that it takes itself ends before the answer
            comm = await connect(address, **arguments)
    except TimeoutError:
        raise TimeoutError(f"no answer within {ANSWER:g} s") from None
    await comm.close()


# ------------------------------------------------------------------ this process


class Here:
    """The process that asks, one task after the other."""

    name, dashboard, size, is_apart = "this process", "", 1, False

    def __init__(self) -> None:
        self._waiting: list[tuple[int, Task]] = []

    def submit(self, number: int, task: Task) -> None:
        """Give a task, which has a number."""
        self._waiting.append((number, task))

    def finished(self) -> Iterator[tuple[int, Answers | WorkerDied]]:
        """Do the first task."""
        number, task = self._waiting.pop(0)
        yield number, done(task)

    def cancel(self) -> None:
        """Forget the tasks that are not done."""
        self._waiting.clear()


# ------------------------------------------------------------------ processes


class Processes:
    """Processes on this machine, which are started anew where one dies.

    Parameters
    ----------
    count : int
    """

    dashboard, is_apart = "", True

    def __init__(self, count: int) -> None:
        self.size, self.name = count, f"{count} processes"
        self._open: dict[Any, int] = {}
        self._executor = self._started()

    def _started(self) -> Any:
        from loky import ProcessPoolExecutor

        return ProcessPoolExecutor(self.size, initializer=begin_worker, initargs=(os.getpid(),))

    def submit(self, number: int, task: Task) -> None:
        """Give a task, which has a number."""
        self._open[self._executor.submit(done, task)] = number

    def finished(self) -> Iterator[tuple[int, Answers | WorkerDied]]:
        """Wait for a task, and iterate over those that are done, or whose worker died."""
        from concurrent.futures import FIRST_COMPLETED, wait
        from concurrent.futures.process import BrokenProcessPool

        over, _ = wait(self._open, return_when=FIRST_COMPLETED)
        died = [one for one in over if isinstance(one.exception(), BrokenProcessPool)]
        if died:  # with one of them all go, and what they had
            whole = [one for one in over if one not in died]
            lost = [self._open[one] for one in self._open if one not in whole]
            found = [(self._open[one], one.result()) for one in whole]
            self.close()
            self._open, self._executor = {}, self._started()
            yield from found
            yield from ((number, WorkerDied()) for number in lost)
            return
        for one in over:
            yield self._open.pop(one), one.result()

    def cancel(self) -> None:
        """Forget the tasks that are not done."""
        for future in self._open:
            future.cancel()
        self._open = {}

    def close(self) -> None:
        """End the processes."""
        self._executor.shutdown(wait=True, kill_workers=True)


def begin_worker(parent: int) -> None:
    """Leave it to the process that waits to be interrupted, and end where it ends.

    Parameters
    ----------
    parent : int
        Its number, from itself: one that is killed before this begins is no longer the parent.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    """End once a process has: where it was killed, nobody else ends those that wait for it."""
    while os.getppid() == parent:
        time.sleep(LOOKED)
    os._exit(1)


# ------------------------------------------------------------------ a cluster


class Cluster:
    """The workers of a Dask cluster, however many there are at present.

    Parameters
    ----------
    client : distributed.Client
    """

    is_apart = True

    def __init__(self, client: Any) -> None:
        self._client, self._open = client, dict[Any, int]()
        self.name = f"the Dask cluster at {client.scheduler.address}"
        self.dashboard = str(client.dashboard_link or "")

    @property
    def size(self) -> int:
        """How many tasks are done at a time; they come and go."""
        workers = self._client.scheduler_info(n_workers=-1)["workers"].values()
        return max(1, sum(worker["nthreads"] for worker in workers))

    def submit(self, number: int, task: Task) -> None:
        """Give a task, which has a number."""
        self._open[self._client.submit(done, task, pure=False, key=None)] = number

    def finished(self) -> Iterator[tuple[int, Answers | WorkerDied]]:
        """Wait for a task, and iterate over those that are done, or whose worker died too often."""
        from distributed import KilledWorker, wait

        with self._client.as_current():  # else that of whichever client was the last
            over, _ = wait(list(self._open), return_when="FIRST_COMPLETED")
        for one in over:
            number = self._open.pop(one)
            try:
                answers = one.result()
            except KilledWorker:
                yield number, WorkerDied()
                continue
            yield number, answers

    def cancel(self) -> None:
        """Forget the tasks that are not done."""
        if self._open and self._client.status == "running":
            self._client.cancel(list(self._open))
        self._open = {}
