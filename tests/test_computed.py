"""What code of a notebook has put out, as computer algebra prints it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import sympy

from freebody.consistency import alone
from freebody.documents import read_bare
from freebody.documents.computed import computed, with_outputs
from freebody.recognition.recognise import recognise

TIME = sympy.Symbol("t")
RADIUS, ASIDE, STIFFNESS, REST, GRAVITY, INERTIA, DEEP = sympy.symbols("R a c l_0 g J_1 y_c")
PLATE, BEAD, HALF = sympy.symbols("m_1 m_2 b")
PLACE, ANGLE = (sympy.Function(name)(TIME) for name in ("x", "phi"))


def shown(code: str, value: Any) -> list[str]:
    """Return the equations of a cell that shows a value."""
    output = {"data": {"text/latex": f"$\\displaystyle {sympy.latex(value)}$"}}
    return [one.strip("$\n") for one in computed(code, [output], set())]


def cell(code: str, value: Any) -> dict[str, Any]:
    """Return a cell of code with its result, as Jupyter writes it."""
    data = {"text/latex": [f"$\\displaystyle {sympy.latex(value)}$"], "text/plain": [str(value)]}
    result = {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": data}
    return {
        "cell_type": "code", "execution_count": 1, "metadata": {}, "source": [code],
        "outputs": [result],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("code", "symbol"),
    [
        ("T", "T"),
        ("T1 = m*v**2/2\nT1", "T_{1}"),
        ("%matplotlib inline\nsp.simplify(L)", "L"),
        ("Ekin.simplify().expand()", "E_k"),
        ("alpha2", r"\alpha_{2}"),
        ("U_total", "U_{total}"),
        ("Fext", "F_{ext}"),
        ("V = T + L", "V"),
    ],
)
def test_what_is_shown_by_its_name_is_what_the_name_is_for(code: str, symbol: str) -> None:
    value = BEAD * PLACE.diff(TIME) ** 2
    assert shown(code, value) == [f"{symbol} = {sympy.latex(value)}"]


@pytest.mark.parametrize(
    "code", ["T.subs(m, 1)", "inverse", "x_ddot", "dT_dx", "G.expr", "RHS", "qp", "T +", "[T]", ""]
)
def test_what_is_shown_without_a_name_is_nothing(code: str) -> None:
    assert shown(code, BEAD * PLACE.diff(TIME) ** 2) == []


def test_solutions_and_lists_are_equations() -> None:
    moving = BEAD * PLACE.diff(TIME, 2)
    solved = {PLACE.diff(TIME, 2): -GRAVITY, DEEP: RADIUS / 2}
    assert {*shown("solution", solved)} == {
        f"{sympy.latex(key)} = {sympy.latex(value)}" for key, value in solved.items()
    }
    rows = [moving + GRAVITY, moving - STIFFNESS * PLACE]
    assert shown("equations", rows) == [f"{sympy.latex(one)} = 0" for one in rows]
    assert shown("theta_eqn", rows[0]) == [f"{sympy.latex(rows[0])} = 0"]
    assert shown("parameters", [BEAD, PLATE]) == []
    related = [sympy.Eq(HALF, RADIUS), sympy.Eq(moving, 0)]
    assert shown("both", related) == [*map(sympy.latex, related)]
    product = sympy.Eq((RADIUS + HALF) * PLACE, (RADIUS - HALF))
    assert shown("one", product) == [sympy.latex(product)]


def test_what_functions_of_the_page_show_is_told_by_what_they_are_given() -> None:
    code = "print('\\mu:')\ndisplay_expr(T)\nshow(eom)\nprint(x)"  # of an escape that warns
    values = BEAD * PLACE.diff(TIME) ** 2, BEAD * PLACE.diff(TIME, 2)
    outputs = [
        {
            "output_type": "display_data",
            "data": {"text/latex": f"$\\displaystyle \\Large {sympy.latex(value)}$"},
        }
        for value in values
    ]
    first, second = (one.strip("$\n") for one in computed(code, outputs, set()))
    assert first == f"T = {sympy.latex(values[0])}"
    assert second == f"{sympy.latex(values[1])} = 0"


@pytest.mark.parametrize(
    "code", ["-" * 3999 + "1", "(" * 3000, "lambda:" * 500 + "1", "x" * 100_000, "a." * 1900 + "b"]
)
def test_code_of_any_kind_is_looked_at_and_never_run(code: str) -> None:
    assert shown(code, BEAD + 1) == []


def test_what_later_has_the_same_name_may_be_a_special_case() -> None:
    named = set[str]()
    output = {"data": {"text/latex": "$m v^{2}$"}}
    assert list(computed("T", [output], named))
    assert not list(computed("T", [output], named))


@pytest.mark.exhaustive
def test_a_model_is_built_of_what_a_notebook_derives(tmp_path: Path) -> None:
    """A bead on a spring in a slot beside the pivot of a plate that swings."""
    turned = sympy.rot_ccw_axis3(ANGLE)[:2, :2]
    place = turned * sympy.Matrix([PLACE - HALF, -ASIDE])
    velocity = place.diff(TIME)
    kinetic = (INERTIA * ANGLE.diff(TIME) ** 2 + BEAD * velocity.dot(velocity)) / 2
    potential = (
        PLATE * GRAVITY * DEEP * sympy.cos(ANGLE) + BEAD * GRAVITY * place[1]
        + STIFFNESS * (PLACE - REST) ** 2 / 2
    )  # fmt: skip
    lagrangian = sympy.simplify(kinetic - potential)
    equations = [
        sympy.simplify(lagrangian.diff(one.diff(TIME)).diff(TIME) - lagrangian.diff(one))
        for one in (PLACE, ANGLE)
    ]
    cells = [
        cell("rules", {HALF: sympy.sqrt(RADIUS**2 - ASIDE**2)}),
        cell("r2", place),
        cell("sp.simplify(L)", lagrangian),
        cell("equations", equations),
        cell("result", sympy.solve(equations, [PLACE.diff(TIME, 2), ANGLE.diff(TIME, 2)])),
    ]
    path = tmp_path / "plate.ipynb"
    path.write_text(
        json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    )
    (found,) = recognise(read_bare(path, "none")).models
    assert not found.fails
    assert len(found.fits) == 5
    report = alone(path)
    assert not [v for doc in report.documents for v in doc.equations if v.status == "contradicts"]


def test_units_behind_formulas_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(r"""
$$ m_{1} \ddot{x}_{1} = k \left(x_{2} - x_{1}\right) + F \hspace{1.25em} \text{N} $$

$$ m_{2} \ddot{x}_{2} = -k (x_2 - x_1) - c \dot{x}_2
  \hspace{1.25em} \frac{\text{kg} \text{m}}{\text{s}^{2}} $$

$$ a = 2 \quad \mathrm{m} $$
""")
    page = read_bare(path, "none")
    (built,) = (one for one in recognise(page).models if one.name == "built")
    assert len(built.fits) == 2
    assert r"\mathrm{kg}" not in built.made.symbols


def printed(*lines: object) -> dict[str, Any]:
    """Return a cell of code that has printed text."""
    stream = {"output_type": "stream", "name": "stdout", "text": [f"{line}\n" for line in lines]}
    return {
        "cell_type": "code", "execution_count": 1, "metadata": {}, "source": ["report()"],
        "outputs": [stream],
    }  # fmt: skip


def test_what_is_printed_as_text_is_read_as_what_it_prints(tmp_path: Path) -> None:
    """A pendulum that hangs on a spring."""
    kinetic = BEAD * (PLACE.diff(TIME) ** 2 + (PLACE * ANGLE.diff(TIME)) ** 2) / 2
    potential = STIFFNESS * (PLACE - REST) ** 2 / 2 - BEAD * GRAVITY * PLACE * sympy.cos(ANGLE)
    lagrangian = sympy.expand(kinetic - potential)
    motion = [
        lagrangian.diff(one.diff(TIME)).diff(TIME) - lagrangian.diff(one) for one in (PLACE, ANGLE)
    ]
    cells = [
        printed("Kinetic energy T:", kinetic, f"V =  {potential}", "x(t) = 3", "Mass (kg): 2"),
        printed(f"The Lagrangian (L): {lagrangian}", "", "Done: x(t) is moving"),
        printed(f"EOM1: {motion[0]}", f"eq2 = {motion[1]}", f"  {sympy.Eq(motion[1], 0)}"),
    ]
    path = tmp_path / "spring.ipynb"
    path.write_text(
        json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    )
    (report,) = alone(path).documents
    assert [one.status for one in report.equations[-3:]] == ["consistent"] * 3
    assert len(report.equations) == 6
    (found,) = (one for one in recognise(read_bare(path, "none")).models if one.name == "built")
    assert not found.fails


@pytest.mark.parametrize("text", ["(" * 3000, "x(t) + " * 5000, "9**9**9**9 + x(t)", "x(t)[0]"])
def test_printed_text_of_any_kind_is_never_worked_out(text: str) -> None:
    output = {"output_type": "stream", "name": "stdout", "text": f"T = {text}\n"}
    assert len(list(computed("", [output], set()))) <= 1


def exported(code: str, value: Any) -> str:
    """Return a cell of code with its result in Markdown, as notebooks are exported."""
    return f"```python\n{code}\n```\n\n\n\n\n$\\displaystyle {sympy.latex(value)}$\n\n\n"


def test_a_page_made_of_a_notebook_has_what_its_code_has_put_out(tmp_path: Path) -> None:
    """A rod whose end is driven along a line, by some times its weight."""
    weight, drive = BEAD * GRAVITY, sympy.cos(STIFFNESS * TIME) / 3
    center = sympy.Matrix([PLACE + HALF * sympy.sin(ANGLE), -HALF * sympy.cos(ANGLE)])
    velocity = center.diff(TIME)
    kinetic = BEAD * velocity.dot(velocity) / 2 + BEAD * HALF**2 * ANGLE.diff(TIME) ** 2 / 6
    potential = weight * center[1] - weight * drive * PLACE
    lagrangian = sympy.expand(kinetic - potential)
    motion = [
        sympy.expand(lagrangian.diff(one.diff(TIME)).diff(TIME) - lagrangian.diff(one))
        for one in (PLACE, ANGLE)
    ]
    cells = [
        "```python\nimport sympy as sp\n```\n\n",
        exported("T", kinetic),
        exported("V = W - L", potential),
        exported("sp.expand(L)", lagrangian),
        exported("ELx", motion[0]),
        exported("ELtheta", motion[1]),
        exported("2 * T", 2 * kinetic),
    ]
    path = tmp_path / "rod.md"
    path.write_text("# A rod\n\n" + "Then:\n\n".join(cells))
    (report,) = alone(path).documents
    assert [one.status for one in report.equations[3:]] == ["consistent"] * 2
    lines = path.read_text().splitlines()
    assert [lines[one.line - 1][0] for one in report.equations] == ["$"] * 5
    (found,) = (one for one in recognise(read_bare(path, "none")).models if one.name == "built")
    assert not found.fails
    assert 'force = "cos(c*t)*g*m2/3"' in found.made.text


@pytest.mark.parametrize(
    "text",
    [
        "```python\nimport sympy\nT\n```\n\n$a + b$ is a sum.\n",
        "```python\nT\n```\n\n$a + b$\n",
        "```sh\npip install sympy\n```\n\n$a + b$\n",
        "```python\nimport sympy\nplot(T, t)\n```\n\n$a + b$\n",
    ],
)
def test_a_formula_that_no_code_shows_stays_what_it_is(text: str) -> None:
    assert with_outputs(text) == text
