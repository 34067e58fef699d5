"""What is many, handed out: the same whoever works, whoever dies, and gone on with."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody
from freebody.errors import SchedulerError
from freebody.sweeps import columns
from freebody.workers import Lost, Pool, handed_out, pool_of
from squares import Squares

OVER = {"theta": np.linspace(0.1, 1, 6), "m": np.linspace(1, 2, 4)}


@pytest.fixture(scope="module")
def two() -> Iterator[Pool]:
    with pool_of(2) as pool:
        yield pool


def handed(job: Squares, count: int, scheduler: Any, **options: Any) -> dict[int, int]:
    with pool_of(scheduler) as pool:
        chunks = [*handed_out(job, range(count), pool, **options)]
    pairs = (pair for chunk in chunks for pair in zip(*chunk, strict=True))
    return dict(sorted(pairs))


def test_pieces_come_back_whoever_works(two: Pool) -> None:
    wanted = {number: number**2 for number in range(20)}
    assert handed(Squares(), 20, None) == wanted
    assert handed(Squares(), 20, two) == wanted
    assert handed(Squares(), 20, None, among=[3, 5]) == {3: 9, 5: 25}


def test_chunks_grow_with_what_pieces_are_found_to_cost(two: Pool) -> None:
    sizes = [len(numbers) for numbers, _ in handed_out(Squares(), range(500), two, most=100)]
    assert sizes[0] == 1
    assert 4 < max(sizes) <= 100


def test_what_a_worker_raises_is_raised(two: Pool) -> None:
    with pytest.raises(freebody.ArgumentError, match="this one"):
        handed(Squares(wrong=2), 5, two)


def test_a_piece_with_which_workers_die_is_told(two: Pool) -> None:
    with pytest.raises(Lost, match="3 workers ended while they worked on piece 1"):
        handed(Squares(fatal=1), 3, two)


ASKER = """
import os, sys, time
from freebody.workers import handed_out, pool_of
from squares import Squares

if __name__ == "__main__":
    with pool_of(2) as pool:
        list(handed_out(Squares(), range(4), pool))
        print(*pool._executor._processes, flush=True)
        time.sleep(60)
"""


@pytest.mark.exhaustive
@pytest.mark.skipif(os.name != "posix", reason="there a process does not learn of it")
def test_no_process_is_left_where_the_one_that_asks_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "asker.py"
    script.write_text(ASKER)
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    with subprocess.Popen(  # noqa: S603
        [sys.executable, script],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    ) as asker:
        assert asker.stdout is not None
        workers = [int(pid) for pid in asker.stdout.readline().split()]
        assert len(workers) == 2
        asker.kill()
    for _ in range(600):
        if not any(map(is_there, workers)):
            return
        time.sleep(0.1)
    raise AssertionError(f"still there: {workers}")


@pytest.mark.skipif(os.name != "posix", reason="there a process does not learn of it")
def test_a_process_ends_whose_asker_was_gone_before_it_began() -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    late = f"from freebody.workers.pools import begin_worker as b; b({gone.pid}); input()"
    with subprocess.Popen([sys.executable, "-c", late], stdin=subprocess.PIPE) as worker:  # noqa: S603
        assert worker.wait(timeout=60) == 1


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not (status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z")


@pytest.mark.parametrize("wrong", ["many", -1, True, "http://here", 1.5])
def test_a_scheduler_that_is_none_is_told(wrong: Any) -> None:
    with pytest.raises(SchedulerError, match="expected a number of processes"), pool_of(wrong):
        pass


# ------------------------------------------------------------------ a cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    )
    with cluster:
        yield cluster


@pytest.mark.exhaustive
def test_a_worker_that_is_killed_costs_a_chunk(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columns, "WIDTH", 4)
    alone = freebody.sweep("pendulum", OVER, 0.5, tolerance=1e-8)
    victims = [worker.pid for worker in cluster.workers.values()]
    told: list[int] = []

    def kill(done: int) -> None:
        if not told:
            os.kill(victims[0], signal.SIGKILL)
        told.append(done)

    runs = freebody.sweep(
        "pendulum",
        OVER,
        0.5,
        tolerance=1e-8,
        scheduler=cluster.scheduler_address,
        store=tmp_path / "runs.zarr",
        progress=kill,
    )
    assert told[-1] == runs.statistics["done"] == 24
    assert runs.provenance["workers"] == f"the Dask cluster at {cluster.scheduler_address}"
    for name in alone.data.data_vars:
        np.testing.assert_array_equal(runs[name], alone[name])


@pytest.mark.exhaustive
def test_the_client_that_is_active_is_taken(cluster: Any) -> None:
    from distributed import Client

    with Client(cluster), pool_of() as pool:
        assert pool.name.startswith("the Dask cluster")
    with pool_of() as pool:
        assert pool.name == "this process"


def test_a_cluster_that_is_not_there_is_told() -> None:
    pytest.importorskip("distributed")
    dask = pytest.importorskip("dask")
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "100ms"}),
        pytest.raises(SchedulerError, match="there is no Dask scheduler at tcp://127"),
        pool_of("tcp://127.0.0.1:1"),
    ):
        pass


@pytest.mark.exhaustive
def test_another_server_at_the_address_of_a_cluster_is_told() -> None:
    pytest.importorskip("distributed")
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        threading.Thread(target=_answer_as_the_web, args=(server,), daemon=True).start()
        with pytest.raises(SchedulerError, match="something else"), pool_of(address):
            pass


def _answer_as_the_web(server: socket.socket) -> None:
    connection, _ = server.accept()
    with connection:
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        connection.recv(1)
