"""Files of other kinds than are meant, by their endings and first bytes: what to do instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

_WRITTEN = "write its equations into a .md file, between $$ and $$"
_BEGUN = "write the model as a .toml file, which 'freebody new NAME' begins"
_PDF = f"a PDF, whose formulas are drawn: take the LaTeX that it was made of, or {_WRITTEN}"
_PICTURE = f"a picture: formulas in pictures and scans are not read; {_WRITTEN}"
_OFFICE = "a file of a word processor: 'pandoc {file} -o {stem}.md' makes a page of it"
_ZIP = "an archive or a file of a word processor: save what is in it as .md or .tex"

_KINDS: Mapping[str, str] = {
    ".pdf .ps .djvu": _PDF,
    ".png .jpg .jpeg .tif .tiff .gif .bmp .webp .heic .eps .svg": _PICTURE,
    ".doc .docx .odt .rtf .ppt .pptx .odp .pages": _OFFICE,
    ".qmd .rmd .markdown .mdx .mkd": "Markdown by another name: copy it to '{stem}.md'",
    ".rst .html .htm .xhtml .adoc .org .textile .lyx": (
        "no Markdown or LaTeX: 'pandoc {file} -t markdown -o {stem}.md' makes a page of it"
    ),
    ".py .m .jl .c .cpp .h .hpp .f .f90 .js .ts .r .rs .java .mlx .nb .sh": (
        f"a program, of which nothing is read or run: {_WRITTEN}, or {_BEGUN}"
    ),
    ".xml .urdf .mjcf .xacro .sdf .osim .slx .mdl .usd": f"a model of another program: {_BEGUN}",
    ".json .yaml .yml .ini .cfg": f"expected TOML: {_BEGUN}",
    ".csv .mot .sto .trc .c3d .nc .xlsx .xls .mat .npy": (
        "recorded numbers: 'freebody motion {file}' and 'freebody inverse MODEL {file}' read them"
    ),
    ".md .tex .ipynb": (
        "a page of equations, not a model: 'freebody check {file}' checks it, with a MODEL that it "
        "names, and 'freebody adopt {file} --model MODEL' begins that"
    ),
    ".toml": "a model, not a page: 'freebody check {file}' checks the pages beside it",
}
_FIRST_BYTES: Mapping[bytes, str] = {
    b"%PDF": _PDF,
    b"\x89PNG": _PICTURE,
    b"\xff\xd8\xff": _PICTURE,
    b"GIF8": _PICTURE,
    b"II*\0": _PICTURE,
    b"MM\0*": _PICTURE,
    b"PK\x03\x04": _ZIP,
}


def _endings() -> Iterator[tuple[str, str]]:
    return ((ending, advice) for endings, advice in _KINDS.items() for ending in endings.split())


_TOLD = dict(_endings())


def advice_by_ending(path: Path, expected: tuple[str, ...]) -> str | None:
    """Return what a file is by its ending, and what to do instead; None where it may be meant.

    Parameters
    ----------
    path : Path
        The file.
    expected : tuple of str
        The endings that are meant, with their dots.

    Examples
    --------
    >>> advice_by_ending(Path("page.qmd"), (".md",))
    "Markdown by another name: copy it to 'page.md'"
    >>> advice_by_ending(Path("arm.toml"), (".toml",)) is None
    True
    """
    ending = path.suffix.lower()
    if path.suffix in expected or ending not in _TOLD:
        return None
    if ending in expected:
        return f"expected an ending in small letters: '{path.stem}{ending}'"
    return _TOLD[ending].format(file=path, stem=path.stem)


def advice_by_content(data: bytes) -> str | None:
    """Return what a file is that begins with some bytes, and what to do instead, if it is known.

    Examples
    --------
    >>> advice_by_content(b"%PDF-1.7").partition(":")[0]
    'a PDF, whose formulas are drawn'
    """
    return next((advice for first, advice in _FIRST_BYTES.items() if data.startswith(first)), None)
