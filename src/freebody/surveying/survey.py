"""Many pages looked at side by side, each in its time; results are written as they come."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from freebody.arguments import checked
from freebody.documents.sources import PAGES
from freebody.errors import ArgumentError
from freebody.files import FileError, atomic_write, make_folder
from freebody.surveying.html import index
from freebody.surveying.looking import PagesJob
from freebody.workers import AnyScheduler, Pool, handed_out, pool_of
from freebody.workers.pools import Processes, has_client

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
    scheduler: AnyScheduler = None,
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
    scheduler : str or distributed.Client, optional
        The address of a Dask scheduler or a client, in place of processes here; its workers find
        the pages where they are here. Without it the Dask client that is active, if there is one.
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
    SchedulerError
        If there is no such scheduler, or workers end again and again.
    """
    if jobs < 0 or limit <= 0:
        raise ArgumentError("jobs, limit: expected a number of processes and of seconds")
    source, output = Path(source), Path(output)
    pages = dict(_pages(source))
    make_folder(output)
    if models is not None and not Path(models).is_dir():
        raise FileError(Path(models), "expected a folder of models, found none")
    run = _Run(output / RECORDS, models, limit)
    known = {name: record for name, record in run.known() if name in pages}
    left = {n: path for n, path in pages.items() if not run.is_done(path, known.get(n))}
    records = {name: record for name, record in known.items() if name not in left}
    try:
        for record in run.records(left, _workers(scheduler, jobs, len(left))):
            records[record["page"]] = record
            progress(f"{record['page']}, {len(pages) - len(records)} left")
    finally:  # where it is interrupted too, of what was found until then
        ordered = [records[name] for name in pages if name in records]
        with atomic_write(output / INDEX) as temporary:
            temporary.write_text(index(str(source), ordered, counted(ordered)), encoding="utf-8")
    found = tuple(PageRecord(r["page"], r["status"], r["seconds"], r) for r in ordered)
    return Survey(found, output / RECORDS, output / INDEX, len(pages) - len(left))


@contextmanager
def _workers(scheduler: AnyScheduler, jobs: int, pages: int) -> Iterator[Pool]:
    """Give the workers that are asked for; here processes, which can be ended with what they do."""
    if scheduler is not None or has_client():
        with pool_of(scheduler) as pool:
            yield pool
        return
    processes = Processes(max(1, min(jobs or os.cpu_count() or 1, pages)))
    try:
        yield processes
    finally:
        processes.cancel()
        processes.close()


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

    def records(
        self, pages: Mapping[str, Path], workers: AbstractContextManager[Pool]
    ) -> Iterator[dict[str, Any]]:
        """Iterate over the records of pages as they come, which are written."""
        if not pages:
            return
        names, job = list(pages), PagesJob(self._models, self.limit)
        with workers as pool:
            for numbers, found in handed_out(job, [str(p.resolve()) for p in pages.values()], pool):
                for number, looked in zip(numbers, found, strict=True):
                    name = names[number]
                    record = {"page": name, "key": self.key(pages[name]), **looked}
                    self._append(json.dumps(record, ensure_ascii=False) + "\n")
                    yield record

    def _append(self, text: str) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(text)
