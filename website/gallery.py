"""The gallery of the site: every shipped model with what freebody makes of it."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import freebody
from freebody.model import gallery, shipped
from freebody.reporting.mathml import LONGEST
from website.pieces import PIECES, is_kept, lasting
from website.reference import literal, table

HERE = Path(__file__).parent
LANGUAGES = {"c": "c", "octave": "octave", "julia": "julia"}
"""What the code of a target is coloured as, where not as Python."""

DRAWING = "![The system](system.svg)"

DRAWN = "--plot plots.png --animate motion.gif --view space.html"

REASON = 300
"""Characters of why something was not made."""

WORDS = ("holds", "differs", "unreadable", "not checked", "failed")


def pages(
    cache: Path, names: Sequence[str] | None, limit: float, kept: bool
) -> dict[str, str | Path]:
    """Make the pieces of the gallery that are not there yet, and return its pages.

    Parameters
    ----------
    cache : Path
        Where pieces are kept, from run to run.
    names : sequence of str, optional
        The models; all unless given.
    limit : float
        Seconds after which a model is left with the pieces that it has.
    kept : bool
        Whether pieces are taken that were made out of an older source.
    """
    known = {**shipped(), **gallery()}
    models = {name: path for name, path in known.items() if not names or name in names}
    files: dict[str, str | Path] = {}
    for number, (name, source) in enumerate(models.items(), start=1):
        print(f"[{number}/{len(models)}] {name}", flush=True)
        folder = cache / name
        folder.mkdir(parents=True, exist_ok=True)
        _made(name, folder, _key(source), limit, kept)
        files |= {f"{name}/{at}": content for at, content in _model(name, source, folder).items()}
    return {"index.md": _index({name: f"{name}/system.svg" in files for name in models}), **files}


def _key(source: Path) -> str:
    """Return a checksum of what pieces are made of: the package, the model, and how."""
    package = sorted(Path(freebody.__file__).parent.rglob("*.*"))
    parts = [path for path in package if path.suffix != ".pyc"]
    parts += [*sorted(source.iterdir()), HERE / "pieces.py"]
    return hashlib.sha256(b"".join(path.read_bytes() for path in parts)).hexdigest()


def _made(name: str, folder: Path, key: str, limit: float, kept: bool) -> None:
    there = [folder / f"{piece}.json" for piece in PIECES]
    if all(one.exists() if kept else is_kept(one, key) for one in there):
        return
    command = [sys.executable, "-m", "website.pieces", name, str(folder.resolve()), key]
    try:
        subprocess.run(command, timeout=limit, check=True, cwd=HERE.parent)  # noqa: S603
    except subprocess.TimeoutExpired:
        print(f"    left after {limit:g} s", flush=True)


# ------------------------------------------------------------------ pages


def _index(models: dict[str, bool]) -> str:
    cards = "\n".join(_card(name, drawn) for name, drawn in models.items())
    tree = "\n".join(f"{name}/index" for name in models)
    return (
        "# Gallery\n\nEvery shipped model. All that these pages show was made by freebody, by the "
        "commands that stand beside it.\n\n"
        f"::::{{grid}} 1 2 2 3\n:gutter: 3\n\n{cards}\n::::\n\n"
        f"```{{toctree}}\n:hidden:\n\n{tree}\n```\n"
    )


def _card(name: str, drawn: bool) -> str:
    title = freebody.load(name).title
    picture = f":img-top: {name}/system.svg\n" if drawn else ""
    return (
        f":::{{grid-item-card}} {name.replace('_', ' ')}\n:link: {name}/index\n:link-type: doc\n"
        f"{picture}{title}\n:::\n"
    )


def _model(name: str, source: Path, folder: Path) -> dict[str, str | Path]:
    """Return the pages and pictures of a model."""
    title = freebody.load(name).title
    parts = [f"# {name.replace('_', ' ')}", f"{title}."]
    files: dict[str, str | Path] = {}
    for heading, command, written in (
        ("Equations", f"freebody explain {name} -o derivation.md", _equations),
        ("Documents", f"freebody check {name} --format html -o verdicts.html", _documents),
        (
            "Motion",
            f"freebody simulate {name} --duration {lasting(name):g} {DRAWN}",
            _motion,
        ),
        ("Code", f"freebody generate {name} --output accelerations", _code),
    ):
        text, brought = written(folder)
        parts += [f"## {heading}", f"```sh\n{command}\n```", text]
        files |= brought
    model = (source / "model.toml").read_text(encoding="utf-8")
    parts += ["## Model file", f"````toml\n{model}````"]
    return {"index.md": "\n\n".join(parts) + "\n", **files}


Written = tuple[str, dict[str, str | Path]]


def _told(folder: Path, piece: str) -> dict[str, Any]:
    file = folder / f"{piece}.json"
    if not file.exists():
        return {"refused": ["it takes longer than the site waits for it"]}
    data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return data


def _refused(reasons: Sequence[str]) -> str:
    short = (textwrap.shorten(reason, REASON, placeholder=" …") for reason in reasons)
    return "\n".join(f"- Not made: {literal(reason)}" for reason in short)


def _equations(folder: Path) -> Written:
    told = _told(folder, "derivation")
    if not told.get("method"):
        return _refused(told["refused"]), {}
    _, _, text = (folder / "derivation.md").read_text(encoding="utf-8").split("+++\n", 2)
    if max(map(len, text.split("$$")[1::2])) > LONGEST:
        reason = "Its formulas are too long to be shown here; the command writes them."
        return f"{DRAWING}\n\n{reason}", {"system.svg": _drawings(folder)["system.svg"]}
    text = text.replace("](derivation_figures/", "](")
    whole = r"^## The equations of motion\n(.*?)(?=^##)"
    section = re.search(whole, text, re.MULTILINE | re.DOTALL)
    sorted_equations = re.sub(r" \\tag\{\d+\}", "", section[1]) if section else ""
    shown = (
        f"{DRAWING}\n\n{sorted_equations}\n\n"
        "[The derivation, step by step](derivation.md)\n\n"
        "```{toctree}\n:hidden:\n\nDerivation <derivation>\n```"
    )
    return shown, {"derivation.md": text.lstrip(), **_drawings(folder)}


def _drawings(folder: Path) -> dict[str, str | Path]:
    return {path.name: path for path in sorted((folder / "derivation_figures").glob("*.svg"))}


def _documents(folder: Path) -> Written:
    told = _told(folder, "verdicts")
    if "documents" not in told:
        return _refused(told["refused"]), {}
    if not told["documents"]:
        return "No document is shipped with it.", {}
    words = [word for word in WORDS if any(word in row["counts"] for row in told["documents"])]
    rows = [
        [row["title"], *(str(row["counts"].get(word, "")) for word in words)]
        for row in told["documents"]
    ]
    link = '<a href="verdicts.html">Every equation with its verdict</a>'
    page: dict[str, str | Path] = {"verdicts.html": folder / "verdicts.html"}
    return f"{table(['document', *words], rows)}\n\n{link}", page


def _motion(folder: Path) -> Written:
    told = _told(folder, "motion")
    if "energy_drift" not in told:
        return _refused(told["refused"]), {}
    drift = f"The energy is kept to {told['energy_drift']:.0e} of what is at work."
    link = '<a href="space.html">Play it in space, turned and zoomed, with its plots</a>'
    text = f"![The motion](motion.gif)\n\n{link}\n\n![Over time](plots.png)\n\n{drift}"
    return text, {name: folder / name for name in ("motion.gif", "plots.png", "space.html")}


def _code(folder: Path) -> Written:
    told = _told(folder, "code")
    if "targets" not in told:
        return _refused(told["refused"]), {}
    tabs = "\n".join(_tabs(folder / "code", told["targets"]))
    return f"`````{{tab-set}}\n{tabs}\n`````", {}


def _tabs(folder: Path, targets: Sequence[str]) -> Iterator[str]:
    for target in targets:
        (file, *_) = sorted((folder / target).iterdir())
        text = file.read_text(encoding="utf-8").rstrip("\n")
        kind = LANGUAGES.get(target, "python")
        yield f"````{{tab-item}} {target}\n```{kind}\n{text}\n```\n````"
