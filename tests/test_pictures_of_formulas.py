"""Formulas that a page shows as pictures, by the LaTeX in their addresses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import freebody
from freebody.documents.latex.page.pictures import formula_in, with_formulas

CODECOGS = "https://latex.codecogs.com/svg.latex?"
MOTION = r"\ddot{\theta}%20=%20-\frac{g}{R}%20\sin%20\theta"


@pytest.mark.parametrize(
    "address",
    [
        f"{CODECOGS}x%20%3D%20%5Cfrac%7B1%7D%7B2%7D",
        r"https://latex.codecogs.com/gif.latex?\dpi{150}&space;\bg_white&space;x=\frac{1}{2}",
        r"https://latex.codecogs.com/png.image?\inline\large x=\frac{1}{2}",
        r"https://latex.codecogs.com/svg.image?\inline&space;\bg{black}x=\frac{1}{2",
        "https://render.githubusercontent.com/render/math?math=x%3D%5Cfrac%7B1%7D%7B2%7D&mode=inline",
        r"https://s0.wp.com/latex.php?latex=x%3D%5Cfrac%7B1%7D%7B2%7D&bg=ffffff&fg=000&s=0",
        "https://i.upmath.me/svg/x%3D%5Cfrac%7B1%7D%7B2%7D",
    ],
)
def test_the_address_of_a_picture_holds_its_formula(address: str) -> None:
    found = formula_in(address)
    assert found is not None
    assert found.replace(" ", "") == r"x=\frac{1}{2}"


@pytest.mark.parametrize("address", ["https://example.org/x.png", "picture.svg", CODECOGS])
def test_other_pictures_hold_none(address: str) -> None:
    assert formula_in(address) is None
    assert with_formulas(f"![a]({address})") == f"![a]({address})"


PAGES = {
    "image.md": f"words\n\n![equation]({CODECOGS}{MOTION})\n",
    "image with words.md": f"It is ![equation]({CODECOGS}{MOTION} 'a').\n",
    "tag.md": f'<p align="center">\n  <img src="{CODECOGS}{MOTION}" alt="e">. (1)\n</p>\n',
    "link.md": f'<a href="https://x.org"><img src="{CODECOGS}{MOTION}" title="t" /></a>\n',
    "page.html": f'<html><body><p><img src="{CODECOGS}{MOTION}"></p></body></html>\n',
    "notes.ipynb": json.dumps({
        "nbformat": 4, "metadata": {}, "nbformat_minor": 5,
        "cells": [{"cell_type": "markdown", "metadata": {}, "source": f"![]({CODECOGS}{MOTION})"}],
    }),
}  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_a_picture_of_a_formula_is_read(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(PAGES[name])
    (page,) = freebody.alone(tmp_path / name).documents
    (equation,) = page.equations
    assert equation.latex.replace(" ", "") == r"\ddot{\theta}=-\frac{g}{R}\sin\theta"


def test_an_environment_without_a_name_has_its_rows() -> None:
    formula = r"\begin{}m\ddot{x}=u,\\I\ddot\theta=-u\end{}"
    assert formula_in(f"{CODECOGS}{formula}") == formula.replace("{}", "{aligned}")
