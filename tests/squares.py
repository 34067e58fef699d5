"""A job that workers do in no time; it imports little, so that they start quickly."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass

from freebody.errors import ArgumentError


@dataclass(frozen=True)
class Squares:
    """Numbers squared; with some of them the worker dies, or raises."""

    fatal: int = -1
    wrong: int = -1

    def ready(self) -> Callable[[int], int]:
        def call(number: int) -> int:
            if number == self.fatal:
                os.kill(os.getpid(), signal.SIGKILL)
            if number == self.wrong:
                raise ArgumentError("this one")
            return number**2

        return call
