"""Sweeps on a cluster whose workers are killed at random, stopped, and gone on with."""

from __future__ import annotations

import os
import random
import signal
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import freebody
from campaign.outcome import Campaign, Outcome
from freebody.sweeps import columns

CASES = (
    ("pendulum", {"theta": (0.1, 1.0), "m": (1.0, 2.0)}, {}),
    ("four_bar", {"m3": (0.2, 0.4)}, {"tolerance": 1e-9}),
    ("two_link", {"alpha2": (0.2, 2.0), "m2": (1.0, 3.0)}, {"tolerance": 1e-8}),
)


def case(seed: int) -> Outcome:
    """Sweep while workers are killed at random times; the numbers are those of one process."""
    from distributed import LocalCluster

    random_ = random.Random(seed)
    model, over, options = CASES[seed % len(CASES)]
    count = random_.choice((20, 60)) if model == "four_bar" else random_.choice((200, 1000))
    plan = freebody.LatinHypercube(over, count, seed=seed)
    columns.WIDTH = 16
    given: dict[str, Any] = {"duration": 0.5, **options}
    alone = freebody.sweep(model, plan, **given)
    kills = sorted(random_.randrange(count) for _ in range(random_.choice((1, 2, 3))))
    stop = random_.randrange(count)
    with (
        tempfile.TemporaryDirectory() as folder,
        LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
        ) as cluster,
    ):
        store = Path(folder) / "runs.zarr"

        def kill(done: int) -> None:
            while kills and done > kills[0]:
                kills.pop(0)
                alive = [worker.pid for worker in cluster.workers.values() if worker.pid]
                os.kill(random_.choice(alive), signal.SIGKILL)
                time.sleep(0.2)

        def interrupt(done: int) -> None:
            kill(done)
            if done > stop:
                raise KeyboardInterrupt

        address = cluster.scheduler_address
        freebody.sweep(model, plan, **given, scheduler=address, store=store, progress=interrupt)
        runs = freebody.sweep(model, plan, **given, scheduler=address, store=store, progress=kill)
        for name in alone.data.data_vars:
            if not np.array_equal(runs[name].to_numpy(), alone[name].to_numpy(), equal_nan=True):
                return Outcome(f"{model}: differs", True, f"seed {seed}: {name}")
    return Outcome(f"{model}: the same")


CAMPAIGN = Campaign("killed", 12, 600, case)
