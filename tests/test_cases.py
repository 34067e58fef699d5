"""Cases that a page puts, states that it assumes, and equations of which these leave nothing."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import freebody
from freebody.checking.document import check_document
from freebody.checking.quantities.derived import Quantities
from freebody.checking.report import EquationVerdict
from freebody.documents import read_document
from freebody.errors import DocumentError
from freebody.model import load
from freebody.reporting.words import wrong_terms


@cache
def quantities(model: str) -> Quantities:
    return Quantities(load(model))


BARS = {
    "l_1": "l1", "l_2": "l2", "m_1": "m1", "m_2": "m2", "g": "g", r"\theta_1": "theta1",
    r"\theta_2": "theta2", "V": "energy.potential", "T": "energy.kinetic", "I_1": "m1*l1**2/12",
}  # fmt: skip
CART = {
    "M": "m_c", "m": "m_p", "l": "l", "g": "g", "x": "x", r"\theta": "theta", "F": "F",
    "T": "energy.kinetic", "a_x": "acceleration.pole.x", "N": "reaction.rail.force.y",
}  # fmt: skip
SYMBOLS = {"double_pendulum": BARS, "cart_pendulum": CART}


def statuses(model: str, *lines: str, folder: Path, front: str = "") -> list[str]:
    """Return the statuses of equations, between which headings may stand."""
    return [one.status for one in verdicts(model, *lines, folder=folder, front=front)]


def verdicts(model: str, *lines: str, folder: Path, front: str = "") -> tuple[EquationVerdict, ...]:
    symbols = "\n".join(f"'{key}' = '{value}'" for key, value in SYMBOLS[model].items())
    shown = "\n\n".join(line if line.startswith("#") else f"$$ {line} $$" for line in lines)
    page = folder / "page.md"
    page.write_text(
        f'+++\ntitle = "A page"\nmodel = "{model}"\n[symbols]\n{symbols}\n{front}\n+++\n{shown}\n'
    )
    return check_document(read_document(page), quantities(model)).equations


GENERAL = (
    r"V = -m_1 g \frac{l_1}{2}\cos\theta_1 - m_2 g (l_1\cos\theta_1 + \frac{l_2}{2}\cos\theta_2)"
)
SWAPPED = GENERAL.replace("{l_2}", "{l_1}")
REDUCED = r"V = -\frac12 m g l(3\cos\theta_1 + \cos\theta_2)"
WRONG = r"V = -\frac12 m g l(3\cos\theta_1 - \cos\theta_2)"
EQUAL = r"m_1 = m_2 = m, \quad l_1 = l_2 = l"
PUT = ["not checked"] * 4
BY_INDEX = REDUCED.replace(" m g l", " m_1 g l_1")


@pytest.mark.usefixtures("unmended")
@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ((EQUAL, REDUCED), [*PUT, "holds"]),
        ((EQUAL, WRONG), [*PUT, "differs"]),
        ((EQUAL, GENERAL), [*PUT, "holds"]),
        ((EQUAL, SWAPPED), [*PUT, "differs"]),
        (("m_1 = m_2", "l_1 = l_2", BY_INDEX), ["not checked", "not checked", "holds"]),
        (("m_1 = m_2", BY_INDEX), ["not checked", "differs"]),
        ((BY_INDEX, "m_1 = m_2", "l_1 = l_2"), ["differs", "not checked", "not checked"]),
        (("m_2 = 0", r"V = -\frac12 m_1 g l_1\cos\theta_1"), ["not checked", "holds"]),
        (("m_2 = 0", r"V = \frac12 m_1 g l_1\cos\theta_1"), ["not checked", "differs"]),
        (
            (r"\theta_2 = 0", GENERAL.replace(r"\cos\theta_2", ""), "## Next"),
            ["not checked", "holds"],
        ),
        (
            (r"\theta_2 = 0", "## Next", GENERAL.replace(r"\cos\theta_2", "")),
            ["not checked", "differs"],
        ),
    ],
)
def test_a_case_counts_for_what_no_longer_tells_apart(
    lines: tuple[str, ...], expected: list[str], tmp_path: Path
) -> None:
    assert statuses("double_pendulum", *lines, folder=tmp_path) == expected


TAGS = [("2.1", "2.2"), ("7", "8"), ("a", "b"), ("2.1.1", "2.1.2")]


@pytest.mark.usefixtures("unmended")
@pytest.mark.parametrize("tags", TAGS)
@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("m_1 = m_2", BY_INDEX), ["not checked", "differs"]),
        (("m_2 = m", BY_INDEX), ["unreadable", "differs"]),
        (("l_1 = l_2", "m_1 = m_2", SWAPPED), ["not checked", "not checked", "holds"]),
    ],
)
def test_a_label_with_a_point_makes_no_display_of_two(
    lines: tuple[str, ...], expected: list[str], tags: tuple[str, str], tmp_path: Path
) -> None:
    """What is put in displays of their own are cases of their own, however they are called."""
    tagged = [f"{one} \\tag{{{tag}}}" for one, tag in zip(lines, tags, strict=False)]
    found = statuses("double_pendulum", *tagged, *lines[len(tags) :], folder=tmp_path)
    assert found == expected
    *_, last = verdicts("double_pendulum", *lines, folder=tmp_path)
    assert last.status == expected[-1]


@pytest.mark.parametrize("tag", ["", r" \tag{5}", r" \tag{2.1}"])
@pytest.mark.parametrize(
    ("chain", "notes"),
    [
        ("m_1 = m_2 = m", ["a condition", "defines m"]),
        ("m = m_1 = m_2", ["defines m", "a condition"]),
        ("m_1 = m = m_2", ["defines m", "a condition"]),
    ],
)
def test_a_chain_defines_what_it_sets_equal(
    chain: str, notes: list[str], tag: str, tmp_path: Path
) -> None:
    found = verdicts("double_pendulum", chain + tag, "l_1 = l_2 = l", REDUCED, folder=tmp_path)
    assert [one.status for one in found] == [*PUT, "holds"]
    for one, note in zip(found, notes, strict=False):
        assert one.note.startswith(note)
    assert any("defines it" in told for told in found[-1].readings)


@pytest.mark.parametrize(
    "definition",
    ["l_1 = m_1", "l_2 = 2 l_1", r"I_1 = \frac13 m_1 l_1^2", "I_1 = 0", "V = 0", "m_1 = m_1 m_2"],
)
def test_a_misprinted_definition_is_no_case(definition: str, tmp_path: Path) -> None:
    assert statuses("double_pendulum", definition, folder=tmp_path) == ["differs"]


def given(kind: str, **values: str) -> str:
    table = ", ".join(f"{name} = {value}" for name, value in values.items())
    return f"[[assume]]\n{kind} = {{ {table} }}"


STILL = given("given", theta="0")
PASSING = given("instant", theta="0", theta_dot="0")


@pytest.mark.usefixtures("unmended")
@pytest.mark.parametrize(
    ("front", "equation", "expected"),
    [
        (STILL, r"7 m l\ddot\theta = 5 g\sin\theta", "not checked"),
        (STILL, r"\dot\theta = \ddot\theta", "not checked"),
        (STILL, r"a_x = \ddot x", "holds"),
        (STILL, r"a_x = \ddot x + l\ddot\theta", "holds"),
        (STILL, r"N = (M + m)g", "holds"),
        (STILL, r"N = (M - m)g", "differs"),
        (PASSING, r"a_x = \ddot x", "differs"),
        (PASSING, r"a_x = \ddot x + l\ddot\theta", "holds"),
        (PASSING, r"(M + m)\ddot x + ml\ddot\theta = F", "holds"),
        (PASSING, r"(M + \frac{m}{4})\ddot x = F", "holds"),
        (PASSING, r"(M + \frac{m}{2})\ddot x = F", "differs"),
        (PASSING, r"7 m l\ddot\theta = 5 g\sin\theta", "differs"),
        (PASSING, r"7 m l\dot\theta = 5 g\sin\theta", "not checked"),
        (given("instant", theta="0"), r"N = (M + m)g - ml\dot\theta^2", "holds"),
    ],
)
def test_standing_still_and_a_state_at_an_instant_are_two_things(
    front: str, equation: str, expected: str, tmp_path: Path
) -> None:
    assert statuses("cart_pendulum", equation, folder=tmp_path, front=front) == [expected]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (given("instant", thetta="0"), "assume[0].instant.thetta: column 1: no quantity"),
        (given("instant", theta='"theta"'), "assume[0].instant.theta: 'theta' is given in terms"),
        ('[[assume]]\nnote = "nothing"', "assume[0]: expected something 'small', 'given' or given"),
    ],
)
def test_what_is_given_for_an_instant_is_read(entry: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DocumentError) as error:
        statuses("cart_pendulum", "x = 0", folder=tmp_path, front=entry)
    assert message in str(error.value)


# ---------------------------------------------------------------------- chains


@pytest.mark.parametrize(
    ("chain", "wrong", "right"),
    [
        ("D = M + 2m = m + M", ["+ 2m", "+ 2m"], []),
        ("D = M + m = 2m + M", ["2m"], ["+ m"]),
        ("D = M + 5m = m + M = M + 2m - m", ["+ 5m", "+ 5m"], ["+ M", "- m"]),
        ("T - D = T - M - 2m = T - M - m", ["- 2m", "- 2m"], ["- m"]),
    ],
)
def test_of_a_chain_the_side_is_named_that_no_other_is_equal_to(
    chain: str, wrong: list[str], right: list[str], tmp_path: Path
) -> None:
    front = "'D' = 'M[1,1]'"
    found = verdicts("cart_pendulum", chain, folder=tmp_path, front=front)
    named = [t.latex for v in found for t in v.terms if t.verdict != "right"]
    assert named == wrong
    assert not set(named) & set(right)


# ---------------------------------------------------------------------- terms that are named

ROWS = [
    (
        r"(M+m)\ddot x + \frac17 ml\ddot\theta\cos\theta - 3 m^2l\dot\theta^2\cos(7\theta) = F",
        [r"+ \frac17 ml\ddot\theta\cos\theta", r"- 3 m^2l\dot\theta^2\cos(7\theta)"],
    ),
    (
        r"(M-m)\ddot x + \frac17 ml\ddot\theta\cos\theta - 3 m^2l\dot\theta^2\sin\theta = F",
        [
            r"(M-m)\ddot x",
            r"+ \frac17 ml\ddot\theta\cos\theta",
            r"- 3 m^2l\dot\theta^2\sin\theta",
        ],
    ),
    (
        r"\ddot\theta + \frac{3}{4l}\ddot x\cos\theta - \frac{g^2}{7l}\sin(5\theta) = 0",
        [r"- \frac{g^2}{7l}\sin(5\theta)"],
    ),
]


@pytest.mark.usefixtures("unmended")
@pytest.mark.parametrize(("equation", "wrong"), ROWS)
def test_terms_of_an_equation_of_motion_are_held_against_it(
    equation: str, wrong: list[str], tmp_path: Path
) -> None:
    (found,) = verdicts("cart_pendulum", equation, folder=tmp_path)
    assert [term.latex for term in found.terms if term.verdict != "right"] == wrong
    listed = [one.latex for one in wrong_terms(found) if one.latex]
    assert listed == wrong


@pytest.mark.usefixtures("unmended")
def test_a_term_of_another_unit_is_wrong_where_nothing_else_tells(tmp_path: Path) -> None:
    equation = (
        r"\ddot x = \frac{F + 7ml^2\dot\theta^3\sin(3\theta)"
        r" - ml^2\ddot\theta^2\cos(5\theta)}{M + m^2} + F"
    )
    (found,) = verdicts("cart_pendulum", equation, folder=tmp_path)
    (last,) = [term for term in found.terms if term.latex == "+ F"]
    assert (last.verdict, last.dimension) == ("wrong", "kg*m/s**2")


@pytest.mark.parametrize(
    ("formula", "status"),
    [
        (r"\sin\theta = 0", "not checked"),
        (r"0 = 2\cos\theta - 1", "not checked"),
        (r"l\dot\theta = 0", "not checked"),
        (r"m g l\sin\theta = 0", "not checked"),
        (r"\sin^2\theta + \cos^2\theta = 1", "holds"),
        (r"\ddot\theta l = 0", "differs"),
        (r"\sin\theta = l", "differs"),
        (r"s^2 + \cos^2 x = 1", "differs"),
        (r"a_x = 0", "differs"),
    ],
)
def test_what_a_formula_asks_of_one_coordinate_is_a_condition(
    formula: str, status: str, tmp_path: Path
) -> None:
    page = tmp_path / "page.md"
    symbols = "\n".join(f"'{key}' = '{value}'" for key, value in {**CART, "s": "sin(x/l)"}.items())
    front = f"+++\ntitle = 'A'\nmodel = 'cart_pendulum'\ninline = true\n[symbols]\n{symbols}\n+++\n"
    page.write_text(f"{front}It is singular where ${formula}$.\n")
    (found,) = check_document(read_document(page), quantities("cart_pendulum")).equations
    assert found.status == status
    assert found.note.startswith("a condition") == (status == "not checked")


STEADY = """+++
title = "A top"
model = "spinning_top"
[symbols]
'I_1' = "I1"
'I_3' = "I3"
'm' = "m"
'g' = "g"
'l' = "l"
'\\theta' = "theta"
'\\phi' = "phi"
'\\psi' = "psi"
'n' = "angular_velocity.top.in.top.z"
+++
"""
PRECESSION = r"$$ (I_1 - I_3)\dot\phi^2\cos\theta - I_3\dot\phi\dot\psi + mgl = 0 $$"
LEVEL = r"\dot\phi = \frac{mgl}{I_3 n}"


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("page", "status"),
    [
        (PRECESSION, "differs"),
        (f"For steady precession with $\\dot\\theta = 0$\n{PRECESSION}", "holds"),
        (f"If $\\theta = \\pi/3$ at all times,\n{PRECESSION}", "differs"),
        (f"$$ \\theta = \\text{{const.}} $$ Then\n{PRECESSION}", "holds"),
        (f"If $\\dot\\theta = 0$\n{PRECESSION.replace('+ mgl', '- mgl')}", "differs"),
        (f"If $\\dot\\phi = 0$\n{PRECESSION}", "differs"),
        (f"$$ {LEVEL} \\quad\\text{{for }} \\theta = \\pi/2 $$", "holds"),
        (f"$$ {LEVEL} \\quad\\text{{for }} \\theta = \\pi/3 $$", "differs"),
        (f"$$ \\theta = \\pi/2: {LEVEL} $$", "holds"),
    ],
)
def test_what_nothing_holds_moves_steadily(tmp_path: Path, page: str, status: str) -> None:
    (tmp_path / "page.md").write_text(STEADY + page)
    verdicts = freebody.check(tmp_path / "page.md").documents[0].equations
    verdict = next(one for one in verdicts if "mgl" in one.latex)
    assert verdict.status == status
    assert status != "holds" or any("steady" in one for one in verdict.readings)


SHIFTED = """+++
title = "A pendulum upside down"
model = "acrobot"
[symbols]
'a' = "q1 - pi/2"
'b' = "pi/2 - q1"
'c' = "q2"
'm_1' = "m1"
'm_2' = "m2"
'l_1' = "l1"
'r_1' = "lc1"
'r_2' = "lc2"
'I_2' = "I2"
'g' = "g"
'u' = "tau"
+++
"""
FALLS = r"$$(I_2 + m_2 r_2(l_1 + r_2))\ddot a + (I_2 + m_2 r_2^2)\ddot c - m_2 g r_2(a + c) = u $$"


@pytest.mark.parametrize(
    ("page", "status"),
    [
        (f"For small angles:\n{FALLS}", "holds"),
        (f"For $a \\ll 1$ and $c \\ll 1$:\n{FALLS}", "holds"),
        (f"Linearized:\n{FALLS.replace(' a', ' (-b)').replace('(a', '(-b')}", "holds"),
        (f"For small angles:\n{FALLS.replace('- m_2', '+ m_2')}", "differs"),
    ],
)
def test_angles_are_small_as_the_page_measures_them(tmp_path: Path, page: str, status: str) -> None:
    (tmp_path / "page.md").write_text(SHIFTED + page)
    (verdict,) = freebody.check(tmp_path / "page.md").documents[0].equations
    assert verdict.status == status


GYRO = """+++
title = "A fast rotor"
model = "gimbal_rotor"
[symbols]
'\\psi' = "psi"
'\\theta' = "theta"
'\\phi' = "phi"
'A' = "Ax"
'I' = "It"
'J' = "Ia"
'T' = "Ti"
+++
"""


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("words", "status"),
    [
        (r"With $\theta$ and $\dot\psi$ small:", "holds"),
        (r"For small $\theta$, $\dot\psi$:", "holds"),
        (r"Let $\theta, \dot\psi$ be small, and $\theta$ is small.", "holds"),
        (r"Where \(\theta\) and \(\dot\psi\) remain small,", "holds"),
        (r"Where \(\theta\) and \(\dot\psi\) are both small,", "holds"),
        (r"Where the rotor is fast:", "differs"),
    ],
)
def test_what_is_called_small_by_its_name_is_small_alone(
    tmp_path: Path, words: str, status: str
) -> None:
    equation = r"$$ (A + I)\ddot\theta - J\dot\phi\dot\psi = T $$"
    (tmp_path / "page.md").write_text(f"{GYRO}{words}\n{equation}\n")
    (verdict,) = freebody.check(tmp_path / "page.md").documents[0].equations
    assert verdict.status == status
    (tmp_path / "wrong.md").write_text(f"{GYRO}{words}\n{equation.replace('- J', '+ J')}\n")
    (wrong,) = freebody.check(tmp_path / "wrong.md").documents[0].equations
    assert wrong.status == "differs"


APPROXIMATE = """+++
title = "Small oscillations"
model = "cart_pendulum"
[symbols]
'M' = "m_c"
'm' = "m_p"
'l' = "l"
'g' = "g"
'F' = "F"
'x' = "x"
'\\theta' = "theta"
'V' = "energy.potential"
+++
For small angles
"""
PRINTED = r"(M+m)\ddot x + ml\ddot\theta"


@pytest.mark.parametrize(
    ("equation", "wrong"),
    [
        (r"V \approx -\frac12 mgl\theta^2", r"\frac12 mgl"),
        (r"V = -\frac12 mgl\theta^2", r"-mgl"),
        (r"\cos\theta \approx 1 - \frac12\theta^2", "+"),
        (rf"{PRINTED} \approx F", "-F"),
        (rf"{PRINTED}\cos\theta - ml\dot\theta^2\sin\theta = F", "+"),
        (rf"{PRINTED} - ml\theta\dot\theta^2 - \frac12 ml\theta^2\ddot\theta = F", "+"),
    ],
)
def test_what_an_equation_prints_is_not_cut_off_with_what_is_small(
    tmp_path: Path, equation: str, wrong: str
) -> None:
    change = {r"\frac12 mgl": r"-\frac12 mgl", r"-mgl": r"-\frac12 mgl", "+": "-", "-F": "F"}[wrong]
    (tmp_path / "page.md").write_text(f"{APPROXIMATE}$$ {equation} $$\n")
    (right,) = freebody.check(tmp_path / "page.md").documents[0].equations
    misprinted = equation.replace(change, wrong, 1)
    (tmp_path / "wrong.md").write_text(f"{APPROXIMATE}$$ {misprinted} $$\n")
    (differs,) = freebody.check(tmp_path / "wrong.md").documents[0].equations
    assert misprinted != equation
    assert (right.status, differs.status) == ("holds", "differs")


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("We go on with all constants set to 1:", "holds"),
        ("Setting all parameters equal to one,", "holds"),
        ("The constants are positive:", "differs"),
    ],
)
def test_words_may_say_that_all_constants_are_one(tmp_path: Path, words: str, status: str) -> None:
    symbols = "\n".join(
        f"'{key}' = '{value}'" for key, value in (CART | {"V": "energy.potential"}).items()
    )
    page = tmp_path / "page.md"
    page.write_text(
        f'+++\ntitle = "A page"\nmodel = "cart_pendulum"\n[symbols]\n{symbols}\n+++\n{words}\n\n'
        r"$$ V = \cos\theta $$" + "\n"
    )
    (found,) = check_document(read_document(page), quantities("cart_pendulum")).equations
    assert found.status == status


def test_that_something_is_about_zero_is_no_statement_of_the_model(tmp_path: Path) -> None:
    small = r"\theta \approx 0, \quad \dot\theta \approx 0"
    assert statuses("cart_pendulum", small, folder=tmp_path) == ["not checked"] * 2


def test_numbers_beside_a_column_of_states_are_where_a_motion_begins(tmp_path: Path) -> None:
    start = r"\begin{pmatrix} 0 \\ 0 \end{pmatrix} = \begin{pmatrix} x \\ \dot x \end{pmatrix}"
    assert statuses("cart_pendulum", start, folder=tmp_path) == ["not checked"]
    wrong = start.replace("0 \\end{pmatrix} =", "g \\end{pmatrix} =").replace(r"\dot x", "F")
    assert statuses("cart_pendulum", wrong, folder=tmp_path) != ["holds"]
