"""Cases in processes of their own, each with a limit of time, kept as they end."""

from __future__ import annotations

import hashlib
import json
import signal
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from types import FrameType

from pebble import ProcessExpired, ProcessPool
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from campaign.outcome import Campaign, Outcome

ROOT = Path(__file__).parents[2]
FAILURES = 20  # told of a campaign
WALL = 10  # times as long as a case may work, it may wait for a processor


def run(campaign: Campaign, count: int, jobs: int, folder: Path, console: Console) -> bool:
    """Try the cases that are not kept yet, tell all of them in a table, and whether none failed."""
    kept = folder / f"{campaign.name}-{sources()}.jsonl"
    folder.mkdir(parents=True, exist_ok=True)
    outcomes = _read(kept)
    missing = [seed for seed in range(count) if seed not in outcomes]
    with kept.open("a", encoding="utf-8") as file, Progress(console=console) as progress:
        bar = progress.add_task(campaign.name, total=count, completed=count - len(missing))
        for seed, outcome in _tried(campaign, missing, jobs):
            file.write(json.dumps({"seed": seed, **asdict(outcome)}) + "\n")
            file.flush()
            outcomes[seed] = outcome
            progress.advance(bar)
    return _tell(campaign, {seed: outcomes[seed] for seed in range(count)}, kept, console)


def sources() -> str:
    """Return a digest of all that decides outcomes, so that only equal sources are resumed."""
    digest = hashlib.sha256()
    for part in ("src", "models", "tests"):
        for path in sorted((ROOT / part).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _read(kept: Path) -> dict[int, Outcome]:
    if not kept.exists():
        return {}
    lines = kept.read_text(encoding="utf-8").splitlines(keepends=True)
    whole = [json.loads(line) for line in lines if line.endswith("\n")]
    kept.write_text("".join(line for line in lines if line.endswith("\n")), encoding="utf-8")
    return {one.pop("seed"): Outcome(**one) for one in whole}


def _tried(campaign: Campaign, seeds: list[int], jobs: int) -> Iterator[tuple[int, Outcome]]:
    with ProcessPool(max_workers=jobs) as pool:
        future = pool.map(
            _Limited(campaign.case, campaign.limit), seeds, timeout=WALL * campaign.limit
        )
        try:
            results = future.result()
            for seed in seeds:
                yield seed, _outcome(results, seed)
        except KeyboardInterrupt:
            future.cancel()
            raise


@dataclass(frozen=True)
class _Limited:
    """A case that may take so many seconds of a processor, however many others want it."""

    case: Callable[[int], Outcome]
    seconds: float

    def __call__(self, seed: int) -> Outcome:
        signal.signal(signal.SIGPROF, _too_long)
        signal.setitimer(signal.ITIMER_PROF, self.seconds)
        try:
            return self.case(seed)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)


def _too_long(_number: int, _frame: FrameType | None) -> None:
    raise TimeoutError


def _outcome(results: Iterator[Outcome], seed: int) -> Outcome:
    try:
        return next(results)
    except TimeoutError:
        return Outcome("hang", is_failure=True, detail=f"seed {seed}")
    except ProcessExpired as error:
        return Outcome("process died", is_failure=True, detail=f"seed {seed}: {error}")
    except Exception as error:  # any of them is what a campaign looks for
        where = "".join(traceback.format_exception(error)).strip()
        return Outcome("traceback", is_failure=True, detail=f"seed {seed}: {where}")


def _tell(campaign: Campaign, outcomes: dict[int, Outcome], kept: Path, console: Console) -> bool:
    table = Table(campaign.name, "cases", "share", caption=str(kept))
    for words, number in Counter(one.words for one in outcomes.values()).most_common():
        table.add_row(words, f"{number:,}", f"{number / len(outcomes):.1%}")
    console.print(table)
    for line in campaign.figures(outcomes.values()):
        console.print(line, markup=False, highlight=False)
    failures = {seed: one for seed, one in outcomes.items() if one.is_failure}
    for seed, one in list(failures.items())[:FAILURES]:
        console.print(f"seed {seed}, {one.words}: {one.detail}", markup=False, highlight=False)
    console.print(f"{campaign.name}: {len(outcomes):,} cases, {len(failures):,} failures")
    return not failures
