"""Notebooks of all shipped models, run from the first cell to the last, and looked at in a browser.

What is shown stays small, and no cell fails. Where a headless Chromium is there, each notebook is
drawn at 400 and 1,400 pixels, light and dark; pictures stand in ``FREEBODY_SCREENS`` if it names
a folder, to be looked at.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from itertools import product
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from campaign.outcome import Campaign, Outcome
from freebody.model import shipped

NAMES = sorted(shipped())
LARGEST = 400_000
"""Characters of what one cell shows."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
CELLS = (
    "%load_ext freebody\nimport freebody\nmodel = freebody.load({name!r})\nmodel",
    "freebody.derive(model)",
    "freebody.check(model)",
    "run = freebody.simulate(model, duration=0.5, unchecked=True)\nrun",
    "run.play()",
)


def case(seed: int) -> Outcome:
    """Run the notebook of a shipped model."""
    name = NAMES[seed % len(NAMES)]
    cells = [nbformat.v4.new_code_cell(cell.format(name=name)) for cell in CELLS]
    notebook = nbformat.v4.new_notebook(cells=cells)
    try:
        NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    except CellExecutionError as error:
        return Outcome("a cell fails", is_failure=True, detail=f"{name}: {error}")
    shown = [
        str(output["data"]["text/html"])
        for cell in notebook.cells
        for output in cell.outputs
        if "text/html" in output.get("data", {})
    ]
    if wall := [len(one) for one in shown if len(one) > LARGEST]:
        return Outcome("a wall", is_failure=True, detail=f"{name}: {wall} characters")
    return _seen(name, shown)


def _seen(name: str, shown: list[str]) -> Outcome:
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        return Outcome("runs, not looked at: no browser")
    style = ":root { color-scheme: light dark; } body { font-family: sans-serif; }"
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        text = f"<!doctype html><meta charset=utf-8><style>{style}</style>{'<hr>'.join(shown)}"
        page.write_text(text, encoding="utf-8")
        screens = Path(os.environ.get("FREEBODY_SCREENS", folder))
        for width, dark in product((400, 1400), (False, True)):
            picture = screens / f"{name}_{width}{'_dark' * dark}.png"
            _draw(browser, page, picture, width, dark=dark)
            if not picture.is_file() or picture.stat().st_size < 5000:
                return Outcome("nothing is seen", is_failure=True, detail=f"{picture.name}")
    return Outcome("runs and is seen")


def _draw(browser: str, page: Path, picture: Path, width: int, *, dark: bool) -> None:
    options = [
        *("--headless=new", "--no-sandbox", "--use-angle=swiftshader"),
        *("--enable-unsafe-swiftshader", "--hide-scrollbars", "--virtual-time-budget=4000"),
        *(["--blink-settings=preferredColorScheme=0"] if dark else []),
    ]
    where = [f"--window-size={width},2400", f"--screenshot={picture}", page.as_uri()]
    subprocess.run([browser, *options, *where], check=False, capture_output=True, timeout=120)  # noqa: S603


CAMPAIGN = Campaign("notebooks", len(NAMES), 300.0, case)
