"""Make the documentation site: `make site`, then open `build/site/html/index.html`."""

from __future__ import annotations

import argparse
import filecmp
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sphinx.cmd.build import main as sphinx

from website.gallery import pages as gallery_pages
from website.links import broken
from website.reference import pages as reference_pages

HERE = Path(__file__).parent
ROOT = HERE.parent
EXAMPLES = "examples.md"


def main() -> int:
    """Gather the sources, write what is generated, build, and check the links."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=ROOT / "build" / "site", help="the folder")
    told = "shipped models in the gallery; all unless given"
    parser.add_argument("--models", nargs="*", help=told)
    parser.add_argument("--limit", type=float, default=180, help="seconds for each of them")
    parser.add_argument("--kept", action="store_true", help="take what was made of them as it is")
    options = parser.parse_args()
    source, html, extra = (options.to / name for name in ("source", "html", "extra"))
    written = {**_docs(), **_examples(), **_project()}
    written |= _in("reference", reference_pages(ROOT / "docs"))
    pieces = gallery_pages(options.to / "gallery", options.models, options.limit, options.kept)
    written |= _in("gallery", pieces)
    whole = {name: content for name, content in written.items() if name.endswith(".html")}
    _write(source, {name: content for name, content in written.items() if name not in whole})
    _write(extra, whole)
    shutil.rmtree(html, ignore_errors=True)
    kept = ["-d", str(options.to / "doctrees"), "-D", f"html_extra_path={extra.resolve()}"]
    strict = ["-q", "-W", "--keep-going"]
    failed = sphinx(["-b", "html", *strict, "-c", str(HERE), *kept, str(source), str(html)])
    wrong = [*broken(html)] if html.is_dir() else []
    for message in wrong:
        print(f"broken link: {message}", file=sys.stderr)
    if not failed and not wrong:
        print(f"the site is {html / 'index.html'}")
    return 1 if failed or wrong else 0


Written = Mapping[str, str | Path]
"""What stands where among the sources: a text, or the file that is copied there."""


def _in(folder: str, files: Mapping[str, Any]) -> dict[str, str | Path]:
    return {f"{folder}/{name}": content for name, content in files.items()}


def _write(folder: Path, files: Written) -> None:
    """Bring a folder to hold just these files, and leave alone those that are the same."""
    for old in [path for path in folder.rglob("*") if path.is_file()]:
        if old.relative_to(folder).as_posix() not in files:
            old.unlink()
    for name, content in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Path):
            if not (place.exists() and filecmp.cmp(content, place, shallow=False)):
                shutil.copyfile(content, place)
        elif not (place.exists() and place.read_text(encoding="utf-8") == content):
            place.write_text(content, encoding="utf-8")


def _docs() -> dict[str, str | Path]:
    files: dict[str, str | Path] = {}
    for path in sorted((ROOT / "docs").rglob("*")):
        name = path.relative_to(ROOT / "docs")
        if path.suffix == ".md":
            files[name.as_posix()] = _within_site(path.read_text(encoding="utf-8"), len(name.parts))
        elif path.is_file():
            files[name.as_posix()] = path
    return files


def _within_site(text: str, depth: int) -> str:
    """Return a page whose links out of the documentation lead to pages of the site.

    Examples
    --------
    >>> _within_site("[a](../examples/gait.py), [b](../CHANGELOG.md)", 1)
    '[a](examples.md#gait-py), [b](changelog.md)'
    """
    up, root = "../" * depth, "../" * (depth - 1)
    text = re.sub(rf"\]\({re.escape(up)}examples/?\)", f"]({root}{EXAMPLES})", text)
    one = rf"\]\({re.escape(up)}examples/(?:\w+/)?(\w+)\.(py|toml)\)"
    text = re.sub(one, rf"]({root}{EXAMPLES}#\1-\2)", text)
    text = re.sub(rf"\]\({re.escape(up)}examples/\w+/?\)", f"]({root}{EXAMPLES})", text)
    return re.sub(
        rf"\]\({re.escape(up)}(CHANGELOG|CONTRIBUTING)\.md",
        lambda match: f"]({root}{match[1].lower()}.md",
        text,
    )


def _examples() -> dict[str, str]:
    parts = ["# Examples", "The scripts of `examples/`, which run in the tests."]
    for path in sorted((ROOT / "examples").rglob("*.*")):
        if path.suffix in (".py", ".toml"):
            kind = {"py": "python"}.get(path.suffix[1:], path.suffix[1:])
            name = path.relative_to(ROOT / "examples").as_posix()
            parts += [
                f"({path.name.replace('.', '-')})=\n## {name}",
                f"````{{code-block}} {kind}\n{path.read_text(encoding='utf-8')}````",
            ]
    return {EXAMPLES: "\n\n".join(parts) + "\n"}


def _project() -> dict[str, str]:
    names = ("CHANGELOG", "CONTRIBUTING")
    return {f"{name.lower()}.md": (ROOT / f"{name}.md").read_text("utf-8") for name in names}


if __name__ == "__main__":
    sys.exit(main())
