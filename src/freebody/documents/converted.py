"""Pages of word processors and other markup, made Markdown by pandoc where that is installed.

Pandoc runs in its sandbox, in which it opens no other file and nothing on a network, with bounds on
its memory and its time.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from freebody.documents.latex.page.page import Cell
from freebody.errors import DocumentError

FORMATS: Mapping[str, str] = {
    ".docx": "docx",
    ".odt": "odt",
    ".rtf": "rtf",
    ".epub": "epub",
    ".org": "org",
    ".typ": "typst",
    **dict.fromkeys((".adoc", ".asciidoc"), "asciidoc"),
    ".textile": "textile",
    **dict.fromkeys((".wiki", ".mediawiki"), "mediawiki"),
}
"""What pandoc calls files, by their endings."""
HTML: Mapping[str, str] = dict.fromkeys((".html", ".htm", ".xhtml"), "html")
"""What it calls pages whose formulas are MathML alone."""
PACKED = (".docx", ".odt", ".epub", ".rtf")
"""Endings of files that have no lines for a reader."""
MARKDOWN = "markdown_strict+tex_math_dollars+raw_tex+pipe_tables"
SECONDS = 30
"""That pandoc may take for a page."""
MEMORY = "512M"
MAX_BYTES = 50_000_000
"""Most bytes of a file that is given to pandoc."""
MAX_TEXT = 5_000_000
"""Most characters of what pandoc makes of one."""
CONVERTED = "as converted"
"""Where lines are counted of which it is not known where they stand in the file."""
_SHORTEST = 3
"""Characters of a formula that can be found again in the file."""
_MATH = re.compile(r"\$\$(.+?)\$\$|\\begin\{(\w+\*?)\}.+?\\end\{\2\}", re.DOTALL)
_MATHML = re.compile(r"<math\b[^>]*>", re.IGNORECASE)
_LATEX = re.compile(r"alttext=|application/x-tex|math/tex|\\[(\[]|\$\$|\\begin\{", re.IGNORECASE)
_WARNING = re.compile(r"^\[(?:WARNING|INFO)\].*$", re.MULTILINE)


def formulas_are_mathml(text: str) -> bool:
    r"""Return whether a page of HTML has formulas in MathML, and nowhere the LaTeX of one.

    Examples
    --------
    >>> formulas_are_mathml("<p><math><mi>x</mi></math></p>")
    True
    >>> formulas_are_mathml(r'<math alttext="x"><mi>x</mi></math> or \(x\)')
    False
    """
    return bool(_MATHML.search(text)) and not _LATEX.search(text)


def converted(path: Path) -> tuple[str, tuple[Cell, ...]]:
    """Return a page as Markdown, and where its parts stand in the file.

    Formulas that the file prints alike are told by its lines, the others by those of what pandoc
    made of it.

    Parameters
    ----------
    path : Path
        A file with one of the endings in `FORMATS`, or of `HTML`.

    Returns
    -------
    str
    tuple of Cell

    Raises
    ------
    DocumentError
        If there is no pandoc, or it cannot read the file in the time that it has.
    """
    try:
        about = path.stat()
    except OSError as error:
        message = f"cannot be read: {error.strerror or error}"
        raise DocumentError.whole(path, message) from None
    if about.st_size > MAX_BYTES:
        message = f"expected at most {MAX_BYTES:,} bytes, found {about.st_size:,}"
        raise DocumentError.whole(path, message)
    return _converted(path.resolve(), path, (about.st_mtime_ns, about.st_size))


@lru_cache(maxsize=8)  # a page is asked for more than once while it is looked at
def _converted(file: Path, path: Path, _version: tuple[int, int]) -> tuple[str, tuple[Cell, ...]]:
    text = _markdown(file, path)
    if path.suffix in PACKED:
        return text, (Cell(CONVERTED, 0, len(text)),)
    printed = file.read_text(encoding="utf-8", errors="replace")
    return text, tuple(_cells(text, printed))


def _markdown(file: Path, path: Path) -> str:
    """Run pandoc on a file."""
    command = [
        *(_program(path), "+RTS", f"-M{MEMORY}", "-RTS", "--sandbox", "--wrap=preserve"),
        *("-f", {**FORMATS, **HTML}[path.suffix], "-t", MARKDOWN, str(file)),
    ]
    try:
        done = subprocess.run(  # noqa: S603 - pandoc, with a path that begins with a slash
            command, capture_output=True, timeout=SECONDS, check=False, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        message = f"pandoc takes more than {SECONDS} s for it: save it as .md or .tex"
        raise DocumentError.whole(path, message) from None
    except OSError as error:
        message = f"pandoc cannot be run: {error.strerror or error}"
        raise DocumentError.whole(path, message) from None
    if done.returncode:
        said = " ".join(_WARNING.sub("", done.stderr.decode("utf-8", "replace")).split())
        raise DocumentError.whole(path, f"pandoc cannot read it: {said[:400]}")
    text = done.stdout.decode("utf-8", "replace").replace("\r\n", "\n")
    if len(text) > MAX_TEXT:
        raise DocumentError.whole(path, f"expected at most {MAX_TEXT:,} characters of text")
    return text


def _program(path: Path) -> str:
    """Return the program, of the machine or of the package that carries it."""
    found = shutil.which("pandoc")
    spec = None if found else find_spec("pypandoc")
    if spec is not None and spec.origin:
        name = "pandoc.exe" if os.name == "nt" else "pandoc"
        carried = Path(spec.origin).parent / "files" / name
        found = str(carried) if carried.is_file() else None
    if not found:
        raise DocumentError.whole(
            path,
            f"{_what(path)} is read by pandoc, which is not installed: get it from "
            "https://pandoc.org or with 'pip install freebody[pandoc]', or save the page as .md, "
            ".tex or .html",
        )
    return found


def _what(path: Path) -> str:
    is_mathml = path.suffix in HTML
    return "a page with formulas in MathML alone" if is_mathml else f"a {path.suffix} file"


def _cells(text: str, printed: str) -> Iterator[Cell]:
    """Iterate over the formulas of a page, with the lines of the file on which they are printed."""
    known, stop = _Squeezed(printed), 0
    yield Cell(CONVERTED, 0, len(text))
    for match in _MATH.finditer(text):
        begin = text.rfind("\n", 0, match.start()) + 1
        line = known.line(match[1] or match[0])
        if line is None or begin < stop:
            continue
        above = text[begin : match.start(1) if match[1] else match.start()]
        above += match[1][: len(match[1]) - len(match[1].lstrip())] if match[1] else ""
        stop = match.end()
        yield Cell("", begin, stop, line - above.count("\n"))
        yield Cell(CONVERTED, stop, len(text), text.count("\n", 0, stop) + 1)


class _Squeezed:
    """Text without its blanks, in which formulas are looked for, one behind the other."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._offsets = [at for at, letter in enumerate(text) if not letter.isspace()]
        self._letters = "".join(text[at] for at in self._offsets)
        self._from = 0

    def line(self, formula: str) -> int | None:
        """Return the line on which a formula begins; None where it is printed otherwise."""
        sought = "".join(formula.split())
        at = self._letters.find(sought, self._from) if len(sought) >= _SHORTEST else -1
        if at < 0:
            return None
        self._from = at + len(sought)
        return self._text.count("\n", 0, self._offsets[at]) + 1
