"""The campaigns, by name or all: ``python -m campaign rewritings --count 500``, from ``tests``."""

from __future__ import annotations

import importlib
import os
import pkgutil
from pathlib import Path

import click
from rich.console import Console

import campaign
from campaign.outcome import Campaign
from campaign.runner import ROOT, run


def campaigns() -> dict[str, Campaign]:
    """Return what the modules beside this one call CAMPAIGN, by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(campaign.__path__))
    modules = [importlib.import_module(f"campaign.{n}") for n in names if n != "__main__"]
    found = [module.CAMPAIGN for module in modules if hasattr(module, "CAMPAIGN")]
    return {one.name: one for one in found}


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("names", nargs=-1)
@click.option("--count", type=int, help="How many cases; as many as the campaign has by default.")
@click.option("--jobs", type=int, default=os.cpu_count() or 1, show_default=True)
@click.option("--seed", type=int, help="Try this one case and tell its outcome.")
@click.option("--folder", type=Path, default=ROOT / ".campaign", show_default=True)
def main(
    names: tuple[str, ...], count: int | None, jobs: int, seed: int | None, folder: Path
) -> None:
    """Search for what would make freebody wrong, silent or dead.

    What was tried is kept, and an interrupted campaign goes on where it stopped.
    """
    console, known = Console(), campaigns()
    unknown = sorted(set(names) - known.keys())
    if unknown:
        raise click.BadParameter(f"no campaign {unknown[0]!r}: there are {', '.join(known)}")
    chosen = [known[name] for name in names or known]
    if seed is not None:
        for one in chosen:
            console.print(one.case(seed), markup=False)
        return
    passed = [run(one, count or one.size, jobs, folder, console) for one in chosen]
    raise SystemExit(not all(passed))


if __name__ == "__main__":
    main()
