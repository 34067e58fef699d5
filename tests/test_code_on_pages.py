"""Code within pages and notebooks, and beside pages."""

import json

import pytest
from click.testing import CliRunner

import freebody
from freebody.cli import main
from freebody.code.within import listings_within

RIGHT = "from math import sin\n\ndef rates(t, y, m, d, I, g, T):\n    theta, w = y\n"
RIGHT += "    acc = (T - m*g*d*sin(theta))/(I + m*d**2)\n    return [w, acc]\n"
WRONG = RIGHT.replace("T - m", "T + m")
FRONT = """+++
title = "A pendulum"
model = "pendulum"
[symbols]
'\\theta' = "theta"
'm' = "m"
'g' = "g"
'd' = "d"
'I' = "I"
'T' = "T"
+++
"""
PAGE = FRONT + "\n$$ (I + m d^2)\\ddot\\theta = T - m g d\\sin\\theta \\tag{1} $$\n"


def written(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def notebook(*cells, language="python"):
    made = [{"cell_type": kind, "source": text, "metadata": {}} for kind, text in cells]
    told = {"kernelspec": {"language": language}}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": told, "cells": made})


@pytest.mark.parametrize(
    ("name", "head", "tail"),
    [
        ("a.md", "# Page\n\n```python\n", "```\n"),
        ("a.md", "# Page\n\n~~~ {.python}\n", "~~~\n"),
        ("a.md", "# Page\n\n```\n", "```\n"),
        (
            "a.tex",
            "\\begin{document}\n\\begin{lstlisting}[language=Python]\n",
            "\\end{lstlisting}\n",
        ),
        ("a.tex", "\\begin{document}\n\n\\begin{minted}{python}\n", "\\end{minted}\n"),
    ],
)
def test_a_block_of_code_is_judged_at_its_line(tmp_path, name, head, tail):
    path = written(tmp_path / name, head + WRONG + tail)
    _, code = freebody.check(path, against="pendulum").documents
    wrong = [one for one in code.equations if one.status == "differs"]
    assert [one.line for one in wrong] == [head.count("\n") + 5]
    assert code.edits[0].proposed == "-"
    right = written(tmp_path / f"right{name}", head + RIGHT + tail)
    assert freebody.check(right, against="pendulum").exit_code == 0


def test_cells_of_a_notebook_are_one_program(tmp_path):
    head, body = WRONG.split("\n\n")
    text = notebook(("code", head), ("markdown", "Rates"), ("code", "%matplotlib inline\n" + body))
    path = written(tmp_path / "a.ipynb", text)
    _, code = freebody.check(path, against="pendulum").documents
    (wrong,) = (one for one in code.equations if one.status == "differs")
    assert wrong.place.startswith("cell 3, line 4")
    run = CliRunner().invoke(main, ["check", str(path), "--against", "pendulum", "--fix"])
    assert run.exit_code == 1
    mended = tmp_path / "a.fixed.ipynb"
    assert freebody.check(mended, against="pendulum").exit_code == 0
    assert json.loads(mended.read_text(encoding="utf-8"))["cells"][1]["source"] == "Rates"


def test_a_cell_that_cannot_be_read_is_told_and_the_others_are_judged(tmp_path):
    text = notebook(("code", "x = = 1"), ("code", RIGHT))
    path = written(tmp_path / "a.ipynb", text)
    _, code = freebody.check(path, against="pendulum").documents
    assert {one.status for one in code.equations} == {"holds"}
    assert any(told.startswith("cell 1, line 1: no Python") for told in code.remarks)


def test_a_page_and_code_that_disagree_are_told_with_which_is_right(tmp_path):
    page, code = written(tmp_path / "a.md", PAGE), written(tmp_path / "a.py", WRONG)
    inverse = "\ndef tau(theta, theta_ddot, m, d, I, g):\n"
    inverse += "    return (I + m*d**2)*theta_ddot + m*g*d*sin(theta)\n"
    written(code, "from math import sin\n" + inverse.replace("I + m", "I - m"))
    report = freebody.check(page, code, against="pendulum")
    (found,) = report.documents[1].contradictions
    assert str(found).startswith("equation (1) of a and line 4, column ")
    assert str(found).endswith("say different things; the page is right")
    assert report.as_json()["documents"][1]["contradictions"][0]["right"] == "page"
    assert str(found) in CliRunner().invoke(
        main, ["check", str(page), str(code), "--against", "pendulum"]
    ).output.replace("\n  ", " ")
    written(page, PAGE.replace("T - m", "T + m"))
    written(code, "from math import sin\n" + inverse)
    (found,) = freebody.check(page, code, against="pendulum").documents[1].contradictions
    assert found.right == "code"
    written(page, PAGE)
    assert not freebody.check(page, code, against="pendulum").documents[1].contradictions


def test_code_that_is_about_something_else_is_told_and_no_fault(tmp_path):
    path = written(tmp_path / "a.md", PAGE + "\n```python\nx = 3*y + 1\n```\n")
    report = freebody.check(path)
    assert report.exit_code == 0
    (page,) = report.documents
    assert any("code in python: nothing in it" in told for told in page.remarks)


@pytest.mark.parametrize(
    ("text", "languages"),
    [
        ("```julia\nx = 2y\n```\n", ["julia"]),
        ("```bash\npip install x=1*2\n```\n", []),
        ("```\nsome words = what * ever they - mean here\n```\n", []),
        ("```{r}\nx <- 2*3\n```\n", []),
        ("```c++\ndouble x = 2*y;\n```\n\n```c\ndouble x = 2*y;\n```\n", ["cpp", "c"]),
    ],
)
def test_what_a_block_is_written_in(tmp_path, text, languages):
    path = written(tmp_path / "a.md", text)
    assert [one.language for one in listings_within(path)] == languages


PENDULUM = """+++
title = "long"
model = "pendulum"
[symbols]
'm' = "m"
+++
$$ m = m $$
"""


@pytest.mark.parametrize(
    ("prose", "code", "told"),
    [(25_000, 1, "nothing in it"), (1, 25_000, "at most 20000 lines")],
)
def test_a_long_page_is_checked_and_only_its_long_code_is_not_read(tmp_path, prose, code, told):
    path = tmp_path / "long.md"
    text = "x = 1\n" * code
    path.write_text(f"{PENDULUM}\n```python\n{text}```\n" + "prose\n" * prose)
    (report,) = freebody.check(path).documents
    assert len(report.equations) == 1
    assert told in " ".join(report.remarks)
