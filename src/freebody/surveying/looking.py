"""Pages looked at one after another, each in its time, by a process that may be ended."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class PagesJob:
    """What is done with pages.

    Attributes
    ----------
    models : str
        A folder with models to try besides the shipped ones, or nothing.
    limit : float
        Seconds that a page may take.
    """

    models: str
    limit: float

    def ready(self) -> Callable[[str], dict[str, Any]]:
        """Return what looks at a page, by its path."""
        return _Looker(self.models, self.limit)


class _Looker:
    """Looks at pages; one that takes too long ends the process that looks at it alone."""

    def __init__(self, models: str, limit: float) -> None:
        self._models, self._limit = models, limit
        self._worker: _Worker | None = None

    def __call__(self, path: str) -> dict[str, Any]:
        if self._worker is None or not self._worker.is_alive:
            self._worker = _Worker()
            weakref.finalize(self, self._worker.stop)
        start = time.monotonic()
        facts, is_whole = self._worker.facts(path, self._models, self._limit)
        status = "done" if is_whole and "failure" not in facts else "failed"
        status = status if is_whole or self._worker.is_alive else "too slow"
        seconds = round(time.monotonic() - start, 2)
        return {"status": status, "seconds": seconds, "limit": self._limit, **facts}


class _Worker:
    """A process that looks at one page after another, and is ended where one takes too long."""

    def __init__(self) -> None:
        command = [sys.executable, "-P", "-m", "freebody.surveying.worker"]
        self._process = subprocess.Popen(  # noqa: S603 - this program
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )

    @property
    def is_alive(self) -> bool:
        """Whether it can look at another page."""
        return self._process.poll() is None

    def facts(self, path: str, models: str, limit: float) -> tuple[dict[str, Any], bool]:
        """Return what is said of a page, and whether that is all."""
        facts: dict[str, Any] = {}
        timer = threading.Timer(limit, self._process.kill)
        timer.start()
        try:
            for part in self._answers({"page": path, "models": models}):
                if "done" in part:
                    return facts, True
                facts |= part
        finally:
            timer.cancel()
        self._process.wait()
        return facts, False

    def _answers(self, task: Mapping[str, str]) -> Iterator[dict[str, Any]]:
        into, out = self._process.stdin, self._process.stdout
        if into is None or out is None:
            return
        try:
            into.write(json.dumps(task) + "\n")
            into.flush()
        except OSError:
            return
        for line in out:
            yield json.loads(line)

    def stop(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
