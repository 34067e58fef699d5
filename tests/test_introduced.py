"""Symbols that nobody declares and that a page defines by its own equations."""

from __future__ import annotations

from pathlib import Path

import pytest

import freebody
from freebody.checking.document import check_document
from freebody.checking.grading import grade
from freebody.checking.report import DocumentReport
from freebody.documents import read_document
from test_cases import quantities

SYMBOLS = {
    "m_1": "m1", "m_2": "m2", r"\ell_1": "l1", r"\ell_{c1}": "lc1", r"\ell_{c2}": "lc2",
    "I_1": "I1", "I_2": "I2", "g": "g", "q_1": "q1", "q_2": "q2", "M_{11}": "M[1,1]",
    "M_{12}": "M[1,2]", "M": "M", "G_1": "G[1]", "V": "energy.potential",
}  # fmt: skip
MASS = r"\bar m = m_1\ell_{c1} + m_2\ell_1"
WRONG_MASS = r"\bar m = m_1\ell_{c1} + m_2\ell_{c2}"
GRAVITY = r"G_1 = \bar m g\cos q_1 + m_2 g\ell_{c2}\cos(q_1+q_2)"
POTENTIAL = r"V = \bar m g\sin q_1 + m_2 g\ell_{c2}\sin(q_1+q_2)"


def checked(folder: Path, *lines: str, symbols: dict[str, str] = SYMBOLS) -> DocumentReport:
    declared = "\n".join(f"'{key}' = '{value}'" for key, value in symbols.items())
    shown = "\n\n".join(f"$$ {line} $$" for line in lines)
    page = folder / "page.md"
    page.write_text(
        f'+++\ntitle = "A page"\nmodel = "acrobot"\n[symbols]\n{declared}\n+++\n{shown}\n'
    )
    return check_document(read_document(page), quantities("acrobot"))


def statuses(report: DocumentReport) -> list[str]:
    return [one.status for one in report.equations]


@pytest.mark.parametrize(
    ("defining", "using", "wrong"),
    [
        (MASS, GRAVITY, GRAVITY.replace("cos q_1", "sin q_1")),
        (
            r"m_2\ell_1\ell_{c2} = \beta",
            r"M_{12} = I_2 + m_2\ell_{c2}^2 + \beta\cos q_2",
            r"M_{12} = I_2 + m_2\ell_{c2}^2 - \beta\cos q_2",
        ),
        (
            r"\omega_0^2 = \frac{g}{\ell_1}",
            (
                r"G_1 = (m_1\ell_{c1} + m_2\ell_1)\ell_1\omega_0^2\cos q_1 + "
                r"m_2 g\ell_{c2}\cos(q_1+q_2)"
            ),
            r"G_1 = (m_1\ell_{c1} + m_2\ell_1)\omega_0^2\cos q_1 + m_2 g\ell_{c2}\cos(q_1+q_2)",
        ),
        (
            r"\gamma = q_1 + q_2",
            r"\dot\gamma^2 = \dot q_1^2 + 2\dot q_1\dot q_2 + \dot q_2^2",
            r"\dot\gamma^2 = \dot q_1^2 + \dot q_1\dot q_2 + \dot q_2^2",
        ),
        (
            r"\mathbf{r} = \begin{bmatrix}\ell_1\cos q_1\\ \ell_1\sin q_1\end{bmatrix}",
            (
                r"\dot{\mathbf{r}} = \begin{bmatrix}-\ell_1\dot q_1\sin q_1\\"
                r"\ell_1\dot q_1\cos q_1\end{bmatrix}"
            ),
            (
                r"\dot{\mathbf{r}} = \begin{bmatrix}\ell_1\dot q_1\sin q_1\\"
                r"\ell_1\dot q_1\cos q_1\end{bmatrix}"
            ),
        ),
    ],
)
def test_equations_with_what_a_page_defines_are_judged(
    tmp_path: Path, defining: str, using: str, wrong: str
) -> None:
    report = checked(tmp_path, using, defining, wrong)
    assert statuses(report) == ["holds", "not checked", "differs"]
    first, definition, _ = report.equations
    (key,) = report.introduced
    assert definition.note == f"defines {key}"
    assert not definition.surprise
    (taken,) = first.readings
    assert taken.startswith(key)
    assert taken.endswith("as (#2) defines it")
    assert not report.undeclared


def test_definitions_may_be_made_of_others_that_follow(tmp_path: Path) -> None:
    outer, inner = r"\mu = \bar m g", MASS
    using = r"G_1 = \mu\cos q_1 + m_2 g\ell_{c2}\cos(q_1+q_2)"
    report = checked(tmp_path, outer, inner, using)
    assert statuses(report) == ["not checked", "not checked", "holds"]


def test_a_definition_that_is_printed_again_is_held_against_the_first(tmp_path: Path) -> None:
    report = checked(tmp_path, MASS, MASS, WRONG_MASS, GRAVITY)
    assert statuses(report) == ["not checked", "holds", "differs", "holds"]


def test_a_misprint_in_a_definition_is_one_finding(tmp_path: Path) -> None:
    report = checked(tmp_path, WRONG_MASS, GRAVITY, POTENTIAL)
    assert statuses(report) == ["not checked", "differs", "differs"]
    (finding,) = report.definitions
    assert (finding.symbol, finding.fixes) == (r"\bar{m}", ("(#2)", "(#3)"))


def test_a_name_that_nothing_else_uses_may_be_a_misprint(tmp_path: Path) -> None:
    report = checked(tmp_path, r"V_l = m_1 g\ell_{c1}\sin q_1", GRAVITY.replace(r"\bar m", "m_1"))
    assert statuses(report) == ["unreadable", "differs"]


@pytest.mark.parametrize("wrong", [r"\dot q_1", r"\ddot q_1 + 1", "0"])
def test_t_is_time_unless_a_page_defines_it(tmp_path: Path, wrong: str) -> None:
    right = r"\frac{d}{dt}(t\, q_1) = q_1 + t\dot q_1"
    assert statuses(checked(tmp_path, right, rf"\frac{{d}}{{dt}}(t\, q_1) = {wrong}")) == [
        "holds", "differs",
    ]  # fmt: skip
    defined = checked(tmp_path, r"t = \ell_1 + \ell_{c1}", r"t q_1 = \ell_1 q_1 + \ell_{c1} q_1")
    assert statuses(defined) == ["not checked", "holds"]


@pytest.mark.exhaustive
def test_a_graded_page_is_held_against_what_the_model_proves(tmp_path: Path) -> None:
    text = "\n\n".join(f"$$ {line} $$" for line in (
        r"V = m_1 g l_{c1}\sin q_1 + m_2 g(l_1\sin q_1 + l_{c2}\sin(q_1+q_2))",
        r"\bar m = m_1 l_{c1} + m_2 l_1",
        r"V = \bar m g\sin q_1 + m_2 g l_{c2}\sin(q_1+q_2)",
        r"V = \bar m g\cos q_1 + m_2 g l_{c2}\sin(q_1+q_2)",
    ))  # fmt: skip
    page = tmp_path / "bare.md"
    page.write_text(text)
    (report,) = grade([page], "acrobot").documents
    found = statuses(report)
    assert (found[0], found[2:]) == ("holds", ["holds", "differs"])


STATE = {**SYMBOLS, "x": "q1"}
COLUMN = r"x = \begin{bmatrix} x\\ q_2\\ \dot x\\ \dot q_2\end{bmatrix}"
RATE = r"\dot x = \begin{bmatrix} \dot x\\ \dot q_2\\ \ddot q_1\\ \ddot q_2\end{bmatrix}"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ((COLUMN, RATE), ["not checked", "holds"]),
        ((RATE, COLUMN), ["holds", "not checked"]),
        ((COLUMN, RATE.replace(r"\ddot q_1", r"\ddot q_2")), ["not checked", "differs"]),
        ((COLUMN.replace("end{bmatrix}", "end{bmatrix}^T"), RATE), ["not checked", "holds"]),
        ((COLUMN, COLUMN, RATE), ["unreadable"] * 3),
        ((r"G_1 = (q_1, q_2)", r"\dot x = \dot q_1"), ["unreadable", "holds"]),
        ((r"z = (q_1, q_2, \dot q_1)",), ["not checked"]),
        ((r"x^* = [q_1 \; q_2 \; 0]^T",), ["not checked"]),
        ((r"x^* = (q_1 \ q_2 \ 0)^T",), ["not checked"]),
        ((r"z = (q_1 + q_2, m_1)",), ["unreadable"]),
    ],
)
def test_a_state_may_be_called_as_what_stands_in_it(
    lines: tuple[str, ...], expected: list[str], tmp_path: Path
) -> None:
    report = checked(tmp_path, *lines, symbols=STATE)
    assert statuses(report) == expected
    differing = [one for one in report.equations if one.status == "differs"]
    assert all(one.repairs for one in differing)
    assert not any("downarrow" in told for one in report.equations for told in one.readings)


OF_COLUMNS = r"""
$$ M(\mathbf q) = \begin{bmatrix}
M+m & \frac12 ml\cos\theta\\ \frac12 ml\cos\theta & \frac13 ml^2\end{bmatrix},
\quad h(\mathbf q, \dot{\mathbf q}) = (-\frac12 ml\dot\theta^2\sin\theta, 0)^T $$
$$ G(\mathbf q) = \begin{bmatrix}0\\ \frac12 mgl\sin\theta\end{bmatrix},
\quad B_u = \begin{bmatrix}1\\0\end{bmatrix} $$
$$ \Delta = \det M(\mathbf q) = \tfrac13 (M+m) ml^2 - \tfrac14 m^2l^2\cos^2\theta $$
"""


@pytest.mark.parametrize(
    ("equation", "status"),
    [
        (
            r"M(\mathbf q)\ddot{\mathbf q} + h(\mathbf q, \dot{\mathbf q}) + G(\mathbf q) = B_u F",
            "holds",
        ),
        (r"M(\mathbf q)\ddot{\mathbf q} + h + G = B_u F", "holds"),
        (
            r"M(\mathbf q)\ddot{\mathbf q} + h(\mathbf q, \dot{\mathbf q}) - G(\mathbf q) = B_u F",
            "differs",
        ),
        (
            r"(M + m)\ddot x + \frac12 ml(\ddot\theta\cos\theta - \dot\theta^2\sin\theta) = F",
            "holds",
        ),
    ],
)
def test_what_is_a_function_of_a_column_is_no_constant(
    tmp_path: Path, equation: str, status: str
) -> None:
    (tmp_path / "model.toml").write_text(
        (Path(__file__).parent / "pages" / "cart.toml").read_text()
    )
    names = {"M": "M", "m": "m", "l": "l", "g": "g", "F": "F", "x": "x", r"\theta": "th"}
    declared = "".join(f"'{key}' = '{one}'\n" for key, one in names.items())
    front = (
        f"+++\ntitle = 'P'\nmodel = 'model'\n[symbols]\n'\\mathbf q' = ['x', 'th']\n{declared}+++\n"
    )
    page = tmp_path / "page.md"
    page.write_text(f"{front}{OF_COLUMNS}\n$$ {equation} $$\n")
    *definitions, verdict = freebody.check(page).documents[0].equations
    assert verdict.status == status
    assert definitions[-1].status == "holds"
