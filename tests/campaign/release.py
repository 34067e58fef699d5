"""What is released: a site without broken links, and a wheel and an sdist that work."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from campaign.outcome import Campaign, Outcome

ROOT = Path(__file__).parents[2]
MODELS = ("pendulum", "rolling_disc")
"""Of the gallery: one of a page's length, and one with constraints."""
NEEDED = ("docs/index.md", "models/pendulum/model.toml", "tests/conftest.py", "website/conf.py")
"""Files of an sdist out of which the tests and the site can be made."""
TRIED = (["models"], ["derive", "pendulum", "--method", "all"], ["check", "one_link"])


def case(seed: int) -> Outcome:
    """Make the site, or the packages."""
    with tempfile.TemporaryDirectory() as folder:
        what, wrong = ("packages", _packages(Path(folder))) if seed % 2 else _site(Path(folder))
    return Outcome(f"{what} {'wrong' if wrong else 'made'}", bool(wrong), wrong)


def _site(folder: Path) -> tuple[str, str]:
    """Make the site with a short gallery, and return what is wrong with it."""
    command = [sys.executable, "-m", "website", "--to", str(folder), "--models", *MODELS]
    return "site", _failed(command, ROOT)


def _packages(folder: Path) -> str:
    """Make an sdist and a wheel of it, install the wheel alone, and return what is wrong."""
    make = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--quiet", "-w", str(folder)]
    build = "import hatchling.build as b, sys; print(b.build_sdist(sys.argv[1]))"
    if told := _failed([sys.executable, "-c", build, str(folder)], ROOT):
        return told
    (sdist,) = folder.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    if missing := [name for name in NEEDED if name not in names]:
        return f"the sdist lacks {', '.join(missing)}"
    if told := _failed([*make, "--no-build-isolation", str(sdist)], folder):
        return told
    (wheel,) = folder.glob("*.whl")
    installed = folder / "installed"
    install = [sys.executable, "-m", "pip", "install", "--no-deps", "--quiet", "--target"]
    if told := _failed([*install, str(installed), str(wheel)], folder):
        return told
    code = "import freebody, sys; assert freebody.__file__.startswith(sys.argv[1]), freebody"
    tried = [["-c", code, str(installed)], *(["-m", "freebody", *words] for words in TRIED)]
    failures = (_failed([sys.executable, *words], folder, installed) for words in tried)
    return "; ".join(filter(None, failures))


def _failed(command: list[str], folder: Path, path: Path = ROOT / "src") -> str:
    """Run a command in a folder, and return what it says where it fails."""
    done = subprocess.run(  # noqa: S603
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(path)},
        capture_output=True,
        text=True,
        check=False,
    )
    return f"{' '.join(command)}: {(done.stderr or done.stdout)[-600:]}" if done.returncode else ""


CAMPAIGN = Campaign("release", 2, 1800.0, case)
