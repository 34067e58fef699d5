"""Many pages looked at side by side, each in its time; results are written as they come."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from freebody.arguments import checked
from freebody.documents.sources import PAGES
from freebody.errors import ArgumentError
from freebody.files import FileError, atomic_write
from freebody.surveying.html import index

ENDINGS = (".md", *PAGES)
RECORDS, INDEX = "pages.jsonl", "index.html"
LIMIT = 60.0
"""Seconds that a page may take."""


@dataclass(frozen=True)
class PageRecord:
    """What was found of a page.

    Attributes
    ----------
    page : str
        Where it is, below the folder.
    status : {"done", "too slow", "failed"}
        Too slow where its time was over, with what was found until then.
    seconds : float
    facts : dict
        As in a line of ``pages.jsonl``.
    """

    page: str
    status: str
    seconds: float
    facts: Mapping[str, Any]


@dataclass(frozen=True)
class Survey:
    """What was found of many pages.

    Attributes
    ----------
    pages : tuple of PageRecord
        In the order of their names.
    records, index : Path
        The files with a line of JSON for each page, and for a browser.
    known : int
        How many of them had been looked at before.
    """

    pages: tuple[PageRecord, ...]
    records: Path
    index: Path
    known: int = 0

    def counts(self) -> dict[str, int]:
        """Return how many pages and equations there are, and what became of them."""
        return counted(one.facts for one in self.pages)


def counted(records: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Return how many pages and equations there are in records, and what became of them."""
    known = list(records)
    formulas = [one for one in known if one.get("equations")]
    against = [one.get("against", {}) for one in known]
    alone = [one.get("alone", {}) for one in known]
    return {
        "pages": len(known),
        "pages with equations": len(formulas),
        "too slow": sum(one["status"] == "too slow" for one in known),
        "failed": sum("failure" in one for one in known),
        "equations": sum(one["equations"] for one in formulas),
        "read": sum(one["read"] for one in formulas),
        "follow from others": sum(one.get("consistent", 0) for one in alone),
        "contradict others": sum(one.get("contradicts", 0) for one in alone),
        "pages with a model": sum(bool(one.get("models")) for one in known),
        "hold in it": sum(one.get("holds", 0) for one in against),
        "differ from it": sum(len(one.get("differences", ())) for one in known),
        "differ elsewhere": sum(len(one.get("elsewhere", ())) for one in known),
    }


@checked
def survey(
    source: str | Path,
    output: str | Path = "survey",
    *,
    models: str | Path | None = None,
    jobs: int = 0,
    limit: float = LIMIT,
    progress: Callable[[str], None] = lambda _: None,
) -> Survey:
    """Look at many pages: each against itself, and against the model that it is about.

    Called again it goes on: pages that are as they were are not looked at again.

    Parameters
    ----------
    source : str or Path
        A folder, with all pages in it and below, or a text file with the path of a page a line.
    output : str or Path, optional
        The folder for ``pages.jsonl`` and ``index.html``.
    models : str or Path, optional
        A folder with models to try besides the shipped ones.
    jobs : int, optional
        How many pages are looked at side by side; 0 for one on each core.
    limit : float, optional
        Seconds that a page may take.
    progress : callable, optional
        Is told which page is done, and how many are left.

    Returns
    -------
    Survey

    Raises
    ------
    FileError
        If there is no such folder or list, or a page of the list is not there.
    ArgumentError
        If an argument makes no sense.
    """
    if jobs < 0 or limit <= 0:
        raise ArgumentError("jobs, limit: expected a number of processes and of seconds")
    source, output = Path(source), Path(output)
    pages = dict(_pages(source))
    output.mkdir(parents=True, exist_ok=True)
    run = _Run(output / RECORDS, models, limit)
    known = {name: record for name, record in run.known() if name in pages}
    left = {n: path for n, path in pages.items() if not run.is_done(path, known.get(n))}
    records = {name: record for name, record in known.items() if name not in left}
    for record in run.records(left, jobs):
        records[record["page"]] = record
        progress(f"{record['page']}, {len(pages) - len(records)} left")
    ordered = [records[name] for name in pages]
    with atomic_write(output / INDEX) as temporary:
        temporary.write_text(index(str(source), ordered, counted(ordered)), encoding="utf-8")
    found = tuple(PageRecord(r["page"], r["status"], r["seconds"], r) for r in ordered)
    return Survey(found, output / RECORDS, output / INDEX, len(pages) - len(left))


def _pages(source: Path) -> Iterator[tuple[str, Path]]:
    """Iterate over the pages of a folder, or of a list, by name."""
    if source.is_dir():
        for path in sorted(source.rglob("*")):
            name = path.relative_to(source)
            is_hidden = any(part.startswith(".") for part in name.parts)
            if path.suffix in ENDINGS and path.is_file() and not is_hidden:
                yield name.as_posix(), path
        return
    if not source.is_file():
        raise FileError(source, "expected a folder, or a text file with a page a line")
    for line in source.read_text(encoding="utf-8").splitlines():
        listed = line.strip()
        if listed and not listed.startswith("#"):
            path = source.parent / listed
            if not path.is_file():
                raise FileError(path, f"is not there, and is listed in {source}")
            yield listed, path


class _Run:
    """Looks at pages and writes what is found.

    Parameters
    ----------
    path : Path
        The file of records.
    models : str, Path or None
    limit : float
    """

    def __init__(self, path: Path, models: str | Path | None, limit: float) -> None:
        self.path, self.limit = path, limit
        self._models = "" if models is None else str(Path(models).resolve())
        self._lock = threading.Lock()
        self._is_over = False
        self._workers = list[_Worker]()

    def known(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Iterate over the records that are there, the last of each page; half a line is none."""
        if not self.path.exists():
            return
        text = self.path.read_text(encoding="utf-8")
        if text and not text.endswith("\n"):
            self._append("\n")
        for line in text.splitlines():
            try:
                record = json.loads(line)
                yield record["page"], record
            except (ValueError, KeyError, TypeError):
                continue

    def key(self, path: Path) -> str:
        """Return what a record depends on: the page, this program and the models."""
        import freebody

        told = f"{freebody.__version__} {self._models} ".encode()
        return hashlib.sha256(told + path.read_bytes()).hexdigest()

    def is_done(self, path: Path, record: Mapping[str, Any] | None) -> bool:
        """Return whether a page is as it was, and would be no more than it was with more time."""
        if record is None or record.get("key") != self.key(path):
            return False
        return record["status"] != "too slow" or self.limit <= record.get("limit", 0)

    def records(self, pages: Mapping[str, Path], jobs: int) -> Iterator[dict[str, Any]]:
        """Iterate over the records of pages as they come, which are written."""
        if not pages:
            return
        count = min(jobs or os.cpu_count() or 1, len(pages))
        with ThreadPoolExecutor(count) as pool:
            answers = [pool.submit(self._record, name, path) for name, path in pages.items()]
            try:
                yield from (answer.result() for answer in answers)
            finally:
                self._is_over = True
                for answer in answers:
                    answer.cancel()
                for worker in self._workers:
                    worker.stop()

    def _record(self, name: str, path: Path) -> dict[str, Any]:
        worker = self._worker()
        start = time.monotonic()
        facts, is_whole = worker.facts(path, self._models, self.limit)
        seconds = round(time.monotonic() - start, 2)
        status = "done" if is_whole and "failure" not in facts else "failed"
        status = status if is_whole or worker.is_alive else "too slow"
        record = {
            "page": name,
            "status": status,
            "seconds": seconds,
            "limit": self.limit,
            "key": self.key(path),
            **facts,
        }
        if not self._is_over:
            self._append(json.dumps(record, ensure_ascii=False) + "\n")
        return record

    def _worker(self) -> _Worker:
        local = threading.current_thread().__dict__
        worker: _Worker | None = local.get("worker")
        if worker is None or not worker.is_alive:
            worker = local["worker"] = _Worker()
            self._workers.append(worker)
        return worker

    def _append(self, text: str) -> None:
        with self._lock, self.path.open("a", encoding="utf-8") as file:
            file.write(text)


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

    def facts(self, path: Path, models: str, limit: float) -> tuple[dict[str, Any], bool]:
        """Return what is said of a page, and whether that is all."""
        facts: dict[str, Any] = {}
        timer = threading.Timer(limit, self._process.kill)
        timer.start()
        try:
            for part in self._answers({"page": str(path.resolve()), "models": models}):
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
