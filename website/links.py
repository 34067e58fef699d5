"""Broken links of a built site: places that are not there, and what would come from a network."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ATTRIBUTES = {"a": "href", "link": "href", "img": "src", "script": "src", "iframe": "src"}
FETCHED = ("link", "img", "script", "iframe")
"""Elements whose address a browser asks for by itself."""


class _Reader(HTMLParser):
    """Collects the links of a page and the names of its places."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        self.places: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.places |= {value for key in ("id", "name") if (value := values.get(key))}
        if target := values.get(ATTRIBUTES.get(tag, "")):
            self.links.append((tag, target))


@cache
def _read(page: Path) -> _Reader:
    reader = _Reader()
    reader.feed(page.read_text(encoding="utf-8"))
    return reader


def broken(site: Path) -> Iterator[str]:
    """Iterate over what is wrong with the links of a site, page by page."""
    for page in sorted(site.rglob("*.html")):
        for tag, target in _read(page).links:
            if message := _wrong(site, page, tag, target):
                yield f"{page.relative_to(site)}: {message}"


def _wrong(site: Path, page: Path, tag: str, target: str) -> str:
    parts = urlsplit(target)
    if parts.scheme == "data" or (parts.scheme and tag not in FETCHED):
        return ""
    if parts.scheme or parts.netloc:
        return f"{tag} asks a network for {target}"
    place = (page.parent / unquote(parts.path)).resolve() if parts.path else page.resolve()
    if not place.is_relative_to(site.resolve()) or not place.exists():
        return f"{target} is not there"
    if place.is_dir():
        return f"{target} is a folder"
    anchored = parts.fragment and place.suffix == ".html"
    if anchored and unquote(parts.fragment) not in _read(place).places:
        return f"{target}: no such place on the page"
    return ""
