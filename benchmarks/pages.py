"""What holding public pages against themselves gives: formulas found, read, judged, and the time.

The pages are those of a folder, or those of a list with a repository, a commit and a path in each
line, which stand in the folder as ``owner/name/path``. ``--commands`` prints how to get them.

    python benchmarks/pages.py FOLDER                       every page in the folder
    python benchmarks/pages.py FOLDER --list pages.csv      the pages of a list
    python benchmarks/pages.py FOLDER --list pages.csv --commands | sh
    python benchmarks/pages.py FOLDER --models              and which model each page means

``pages.csv`` was drawn by a rule: of each repository, found by looking for derivations of equations
of motion, the first three files by path in Markdown, LaTeX, HTML, reStructuredText, Quarto or
R Markdown and of notebooks, of less than a megabyte, that print a second derivative three times.
"""

from __future__ import annotations

import argparse
import csv
import json
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing import Pool
from pathlib import Path

import freebody
from freebody.consistency import PageReport, alone
from freebody.documents.sources import PAGES
from freebody.errors import FreebodyError

COLUMNS = ("page", "found", "read", "not worked out", "follow", "contradict", "seconds")


@dataclass
class Measured:
    """What one page gives.

    Attributes
    ----------
    counts : Counter of str
        By column of the table.
    seconds : float
        Of the processor.
    told : list of str
        What contradicts, and why a page could not be looked at.
    model : str
        The model that it is recognised as, or that is built of it, with how many of its symbols are
        sure; empty where that is not asked for, or there is none.
    """

    page: str
    counts: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    told: list[str] = field(default_factory=list)
    model: str = ""


def measure(page: tuple[Path, str, bool]) -> Measured:
    """Hold one page against itself."""
    path, name, with_model = page
    warnings.simplefilter("ignore")
    made, start = Measured(name), time.process_time()
    try:
        (report,) = alone(path).documents
    except FreebodyError as error:
        made.told.append(f"refused: {error}")
    else:
        made.counts, made.told = counted(report), list(told(report))
        if with_model:
            made.model = model_of(path)
    made.seconds = time.process_time() - start
    return made


def model_of(path: Path) -> str:
    """Return the model that a page means, and how many of its symbols are sure."""
    with tempfile.TemporaryDirectory() as folder:
        found = freebody.adopt(path, path=Path(folder) / "adopted.md")
    if not found.models:
        return ""
    best, sure = found.models[0], sum(one.is_sure for one in found.symbols)
    of = f"{sure} of {len(found.symbols)} symbols sure"
    return f"{best.name}, {len(best.fits)} fit, {len(best.fails)} fail, {of}"


def counted(report: PageReport) -> Counter[str]:
    """Count the equations of a page by what is said of them; those in running text apart."""
    counts = Counter[str]()
    for one in report.equations:
        where = "inline " if one.is_inline else ""
        counts[f"{where}found"] += 1
        counts[f"{where}read"] += one.is_read
        counts[f"{where}not worked out"] += "which is read and not worked out" in one.reason
        counts[f"{where}follow"] += one.status == "consistent"
        counts[f"{where}contradict"] += one.status == "contradicts"
    return counts


def told(report: PageReport) -> Iterator[str]:
    """Iterate over what has to be looked at by hand."""
    yield from (remark for remark in report.remarks if remark.startswith("given up"))
    for one in report.equations:
        if one.status == "contradicts":
            repairs = " or ".join(" ".join(repair.latex.split()) for repair in one.repairs[:3])
            latex = " ".join(one.latex.split())
            yield f"{one.label}, {one.place}: {latex}: {one}; wrong: {one.wrong}; {repairs}"


def pages(folder: Path, rows: list[dict[str, str]]) -> list[tuple[Path, str]]:
    """Return the files that are looked at, with their names."""
    if rows:
        names = [f"{row['repository']}/{row['path']}" for row in rows]
        return [(folder / name, name) for name in names]
    found = (one for one in sorted(folder.rglob("*")) if one.suffix in (".md", *PAGES))
    return [(one, str(one.relative_to(folder))) for one in found if one.is_file()]


def commands(folder: Path, rows: list[dict[str, str]]) -> Iterator[str]:
    """Iterate over the commands of a shell that get the pages of a list."""
    for repository, commit in dict.fromkeys((row["repository"], row["commit"]) for row in rows):
        target = folder / repository
        yield f"git clone -q https://github.com/{repository} '{target}'"
        yield f"git -C '{target}' checkout -q {commit}"


def head() -> None:
    """Print the head of the table."""
    print(f"{COLUMNS[0]:64}" + "".join(f"{name:>15}" for name in COLUMNS[1:]), flush=True)


def row(one: Measured) -> None:
    """Print what a page gives, and what of it is to be looked at."""
    cells = "".join(_cell(one.counts, name) for name in COLUMNS[1:-1])
    print(f"{one.page[-64:]:64}{cells}{one.seconds:15.1f}", flush=True)
    if one.model:
        print(f"    {one.model}", flush=True)
    for line in one.told:
        print(f"    {line}", flush=True)


def total(found: list[Measured]) -> None:
    """Print what all pages give together."""
    counts = sum((one.counts for one in found), Counter[str]())
    cells = "".join(_cell(counts, name) for name in COLUMNS[1:-1])
    print(f"{f'{len(found)} pages':64}{cells}")
    for where in ("", "inline "):
        if counts[f"{where}found"]:
            share = counts[f"{where}read"] / counts[f"{where}found"]
            print(f"{where or 'displays '}read: {share:.1%}")
    if meant := sum(bool(one.model) for one in found):
        print(f"pages with a model: {meant}")
    seconds = sorted(one.seconds for one in found) or [0.0]
    half, most = seconds[len(seconds) // 2], seconds[-1]
    print(f"seconds a page: half below {half:.1f}, all below {most:.1f}")


def _cell(counts: Counter[str], name: str) -> str:
    """Return the count of displays, and that of running text behind it."""
    shown = f"{counts[name]} + {counts['inline ' + name]}"
    return f"{shown:>15}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--list", type=Path, help="a CSV file: repository, commit, path")
    parser.add_argument("--commands", action="store_true", help="print how to get the pages")
    parser.add_argument("--models", action="store_true", help="say which model each page means")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", type=Path, help="write a line for each page to a file")
    given = parser.parse_args()
    rows = list(csv.DictReader(given.list.open(encoding="utf-8"))) if given.list else []
    if given.commands:
        print("\n".join(commands(given.folder, rows)))
        return
    head()
    found = list[Measured]()
    with Pool(given.jobs, maxtasksperchild=8) as pool:
        every = [(*page, given.models) for page in pages(given.folder, rows)]
        for one in pool.imap(measure, every):
            row(one)
            found.append(one)
    total(found)
    if given.json:
        lines = (json.dumps(vars(one)) for one in found)
        given.json.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
