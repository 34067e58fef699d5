"""Broken pages, read and checked: nothing may fail but by saying what is wrong, nothing may hang.

Equations of the shipped documents are cut, doubled, spliced and salted with tokens, a page at a
time, and each page is read and checked in a process of its own with limits of time and memory.
Run with ``python benchmarks/fuzz.py PAGES SEED``.
"""

from __future__ import annotations

import multiprocessing
import random
import re
import resource
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

from freebody.checking.check import check
from freebody.documents import Document, read_document
from freebody.documents.latex import Declared, Relation, Unreadable, read_page
from freebody.errors import FreebodyError
from freebody.model.library import shipped

PAGES, SEED = 200, 1
SECONDS = 30
MEMORY = 3 * 2**30  # bytes
EQUATIONS = 6  # of a page
MODELS = ("one_link", "two_link", "double_pendulum", "cart_pendulum", "pendulum", "acrobot")
GENTLE = 0.6  # of the equations
PIECE = re.compile(r"\\[A-Za-z]+|[^\\]|\\.?", re.DOTALL)
SYMBOLS = frozenset({r"\sin", r"\cos", r"\theta", r"\alpha", r"\phi", r"\omega", "+", "-", "="})
WHOLE = (
    *("{9^{9^{9}}}", "{x^{99999999}}", "{(1 + t)^{64}}", r"\sqrt{2 + t}", r"\frac{d}{dt}", r"\pm"),
    *(r"\left|1 - t\right|", r"\sin^{-1}", r"{\sum_{i=1}^{3} t^i}", r"\tan", "/", "^2", "{t/2t}"),
    *(r"\max(1, t)", r"\operatorname{atan2}(t, 1)", "e^{t}", r"\exp", r"\log", "2.5", r"\cdot"),
)
TOKENS = (
    *"abxqTtij0129=+-*/^_'(){}[]|&,;. ",
    *(r"\\", r"\left(", r"\right)", r"\left.", r"\right|", r"\{", r"\}", r"\quad", r"\pm", r"\|"),
    *(r"\frac", r"\dot", r"\ddot", r"\sin", r"\cos", r"\sqrt", r"\partial", r"\mathrm", r"\bf"),
    *(r"\frac{d}{dt}", r"\sum_{i=1}^{3}", r"\prod_{j=1}^{2}", r"\det", r"\max(x, y)", r"e^{x}"),
    *(
        r"\begin{bmatrix}",
        r"\end{bmatrix}",
        r"\begin{cases}",
        r"\text{ if }",
        r"\underbrace{a}_{b}",
    ),
    *("^{99999999}", "9^{9^{9}}", "^{64}", "{}^{N}", r"\cdot", r"\times", "d/dt", "i = 1,2,3"),
)


def mutated(latex: str, others: list[str], draw: random.Random) -> str:
    """Return an equation with a few changes: of single symbols, or of any stretch of it."""
    change = exchanged if draw.random() < GENTLE else torn
    for _ in range(draw.choice((1, 1, 1, 2, 4))):
        latex = change(PIECE.findall(latex), PIECE.findall(draw.choice(others)), draw) or "="
    return latex


def exchanged(pieces: list[str], other: list[str], draw: random.Random) -> str:
    """Return an equation with another symbol, number or whole group in place of one."""
    places = [i for i, piece in enumerate(pieces) if piece.isdigit() or piece in SYMBOLS]
    if places:
        symbols = [piece for piece in other if piece.isdigit() or piece in SYMBOLS]
        pieces[draw.choice(places)] = draw.choice((*symbols, *WHOLE))
    return "".join(pieces)


def torn(pieces: list[str], other: list[str], draw: random.Random) -> str:
    """Return an equation with any stretch of it left out, doubled or replaced."""
    first = draw.randrange(len(pieces) + 1)
    last = min(first + draw.choice((0, 1, 1, 1, 3, 20)), len(pieces))
    start = draw.randrange(len(other))
    placed = draw.choice(
        (
            [],
            pieces[first:last] * 2,
            other[start : start + draw.choice((1, 1, 10))],
            [draw.choice(TOKENS)],
            [draw.choice(TOKENS), *pieces[first:last]],
        )
    )
    return "".join((*pieces[:first], *placed, *pieces[last:]))


def pages(count: int, seed: int) -> Iterator[tuple[Path, str]]:
    """Yield the documents that pages come from, and broken pages with their front matter."""
    draw = random.Random(seed)  # noqa: S311
    folders = [Path(shipped()[name]) for name in MODELS if name in shipped()]
    sources = [path for folder in folders for path in sorted(folder.glob("*.md"))]
    for _ in range(count):
        path = draw.choice(sources)
        document = read_document(path)
        if document.front.sections:
            continue
        printed = [relation.latex for relation in read(document) if relation.latex.strip()]
        if not printed:
            continue
        chosen = draw.choices(printed, k=EQUATIONS)
        body = "\n\n".join(f"$$\n{mutated(one, printed, draw)}\n$$" for one in chosen)
        front = document.text[: document.start]
        if "t" not in document.front.symbols:
            front = front.replace("[symbols]\n", "[symbols]\n't' = 't'\n", 1)
        yield path, f"{front}\n\n{body}\n"


def examined(text: str, pipe: Connection) -> None:
    """Read and check one page, and send what came of it."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    start = time.perf_counter()
    try:
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "page.md"
            page.write_text(text)
            read(read_document(page))
            reading = time.perf_counter() - start
            counts = Counter(e.status for d in check(page).documents for e in d.equations)
        pipe.send(("checked", counts, reading, time.perf_counter() - start))
    except FreebodyError as error:
        pipe.send(("told", str(error), 0.0, time.perf_counter() - start))
    except BaseException:
        pipe.send(("failed", traceback.format_exc(), 0.0, time.perf_counter() - start))


def read(document: Document) -> list[Relation]:
    """Return the equations of a document that can be read; all others are told in full."""
    declared = Declared(document.front.symbols, lambda _: True)
    shown = read_page(document.text, declared, document.start)
    entries = [entry for display in shown for entry in display.relations]
    for entry in entries:
        if isinstance(entry, Unreadable) and not (entry.message and entry.caret and entry.line):
            raise AssertionError(entry)
    return [entry for entry in entries if isinstance(entry, Relation)]


def outcome(text: str) -> tuple[str, object, float, float]:
    """Return what came of a page in a process of its own."""
    here, there = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=examined, args=(text, there))
    process.start()
    there.close()
    try:
        found = here.recv() if here.poll(SECONDS) else ("hung", "", 0.0, float(SECONDS))
    except EOFError:
        found = ("died", "", 0.0, 0.0)
    process.kill()
    process.join()
    return found


def main() -> None:
    given = [int(argument) for argument in sys.argv[1:3]]
    count, seed = (*given, *(PAGES, SEED)[len(given) :])
    kinds, statuses = Counter[str](), Counter[str]()
    slowest: list[tuple[float, float, str]] = []
    for number, (path, text) in enumerate(pages(count, seed)):
        kind, what, reading, seconds = outcome(text)
        kinds[kind] += 1
        if isinstance(what, Counter):
            statuses += what
        slowest = sorted([*slowest, (seconds, reading, f"page {number}, {path.stem}")])[-5:]
        if kind not in ("checked", "told"):
            body = text.partition("\n+++\n")[2]
            print(f"page {number} of {path.stem} {kind}:\n{body}\n{what}")
    print(f"{kinds.total()} pages, seed {seed}: {dict(kinds)}; equations: {dict(statuses)}")
    for seconds, reading, name in reversed(slowest):
        print(f"{seconds:7.2f} s, of that {reading:5.2f} s to read: {name}")
    sys.exit(kinds.keys() - {"checked", "told"} != set())


if __name__ == "__main__":
    main()
