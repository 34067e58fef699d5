"""The text of pages, of which older ones are in other encodings than UTF-8."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

from freebody.errors import PageWarning
from freebody.files import MAX_BYTES, EncodingError, read_text

_DECLARED = re.compile(
    rb"\\usepackage\s*\[\s*([\w-]+)\s*\]\s*\{inputenc\}|<meta[^>]*charset\s*=\s*[\"']?([\w-]+)",
    re.IGNORECASE,
)
_OF_LATEX = {"ansinew": "cp1252", "applemac": "mac_roman", "utf8x": "utf-8"}
"""What LaTeX calls otherwise."""
_FORMULAS = re.compile(rb"\$[^$\n]*\$|\\[A-Za-z]+|<[^<>]*>")
"""What tells nothing of a language: formulas, commands and tags."""
_NO_TEXT = b"\0"
ASCII = 127
MOST_ACCENTS = 0.15
"""Of the bytes of a language in Latin letters."""
WESTERN = "cp1252"


def read_page_text(path: Path, most: int = MAX_BYTES) -> str:
    """Return the text of a page: in UTF-8, as it declares, or as its bytes are likeliest.

    Parameters
    ----------
    path : Path
    most : int, optional
        Of bytes.

    Raises
    ------
    FileError
        If it cannot be read, is larger, or is no text.

    Warns
    -----
    PageWarning
        Where it is not UTF-8, of what it is read as.
    """
    try:
        return read_text(path, most)
    except EncodingError:
        data = path.read_bytes()
        if _NO_TEXT in data:
            raise
        encoding = _declared(data) or _likeliest(data)
        if encoding is None:
            raise
        message = f"{path}: not UTF-8 text, read as {encoding}"
        warnings.warn(message, PageWarning, stacklevel=2)
        return data.decode(encoding, errors="replace")


def _declared(data: bytes) -> str | None:
    """Return the encoding that a page says it has; None where it says none that can be."""
    if (found := _DECLARED.search(data)) is None:
        return None
    name = (found[1] or found[2]).decode("ascii").lower()
    name = _OF_LATEX.get(name, name)
    try:
        data.decode(name)
    except (LookupError, UnicodeDecodeError):
        return None
    return name


def _likeliest(data: bytes) -> str | None:
    """Return the likeliest encoding by the words that are not ASCII; None where none is likely."""
    words = _FORMULAS.sub(b" ", data)
    text = b"\n".join(one for one in words.splitlines() if not one.isascii())
    if sum(byte > ASCII for byte in text) < MOST_ACCENTS * len(text):
        return WESTERN
    from charset_normalizer import from_bytes

    best = from_bytes(text).best()
    return best.encoding if best else None
