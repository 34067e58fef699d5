"""Notation of lectures: values at an equilibrium, spaced columns, free letters, plain letters."""

from __future__ import annotations

from pathlib import Path

import pytest

from freebody.checking.document import check_document
from freebody.checking.report import DocumentReport
from freebody.documents import read_document
from test_cases import quantities

pytestmark = pytest.mark.usefixtures("unmended")

SYMBOLS = {
    "M": "m_c", "m": "m_p", "l": "l", "g": "g", "x": "x", r"\theta": "theta", "F": "F",
    "T": "energy.kinetic", "V": "energy.potential", "q": ["x", "theta"], "D": "M", "G": "G",
    "A": "linear.A", "B": "linear.B", "p": "position.pole", "z": "state", "f": "state_rate",
}  # fmt: skip


def report(folder: Path, body: str) -> DocumentReport:
    declared = "\n".join(f"'{key}' = {value!r}" for key, value in SYMBOLS.items())
    page = folder / "page.md"
    front = f'title = "A page"\nmodel = "cart_pendulum"\n[symbols]\n{declared}'
    page.write_text(f"+++\n{front}\n+++\n{body}\n")
    return check_document(read_document(page), quantities("cart_pendulum"))


def statuses(folder: Path, *equations: str) -> list[str]:
    body = "\n\n".join(f"$$ {one} $$" for one in equations)
    return [one.status for one in report(folder, body).equations]


POINTS = ["0", "{eq}", r"{\mathrm{eq}}", "{(z^*,F^*)}", r"{\bar z, \bar F}", "{z=z^*, F=F^*}"]
POINTS += [r"{z = z_0, F = F_0}", "{z=0, F=0}", "*", r"{z=0,\,F=0}", r"{\text{eq}}", "{z_e}"]


@pytest.mark.each_once
@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("bar", [r"\left. @ \right|_", r"@\Big|_", r"\left[ @ \right]_", "@|_"])
def test_a_value_at_the_equilibrium_is_read(bar: str, point: str, tmp_path: Path) -> None:
    def at(what: str) -> str:
        return bar.replace("@", what) + point

    slope, field = r"\frac{\partial f}{\partial z}", r"\frac{\partial f}{\partial F}"
    wrong = at(r"\frac{\partial G}{\partial q}") + r" = \begin{bmatrix} 0&0\\0& mgl\end{bmatrix}"
    right = wrong.replace("mgl", "-mgl")
    found = statuses(tmp_path, f"A = {at(slope)}", f"B = {at(field)}", right, wrong)
    assert found == ["holds", "holds", "holds", "differs"]


def test_an_acceleration_follows_the_state(tmp_path: Path) -> None:
    right = (
        r"\frac{\partial\ddot\theta}{\partial F}"
        r" = -\frac{3\cos\theta}{l(4(M+m) - 3m\cos^2\theta)}"
    )
    free = r"\frac{\partial\ddot\theta}{\partial\ddot\theta} = 1"
    assert statuses(tmp_path, right, right.replace("= -", "="), free) == [
        "holds", "differs", "holds",
    ]  # fmt: skip


@pytest.mark.parametrize("point", [r"\theta=0,\dot\theta=0", r"\theta=\dot\theta=0"])
def test_an_acceleration_at_a_state_follows_from_it(point: str, tmp_path: Path) -> None:
    right = rf"\ddot\theta\big|_{{{point}}} = -\frac{{3F}}{{l(4M + m)}}"
    assert statuses(tmp_path, right, right.replace("= -", "=")) == ["holds", "differs"]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("mark", ["T", r"\top", r"{\mathsf{T}}"])
@pytest.mark.parametrize("space", [r"\;", r"\quad", r"\ \ ", "~", r"\,", ",", r"\;\;", "&", r"\:"])
def test_a_row_is_split_at_its_spaces(space: str, mark: str, tmp_path: Path) -> None:
    right = rf"p = [x + l\sin\theta {space} l\cos\theta {space} 0]^{mark}"
    negative = rf"G = \left[0 {space} -mgl\sin\theta\right]^{mark}"
    wrong = right.replace(r"l\cos", r"l\sin")
    assert statuses(tmp_path, right, negative, wrong) == ["holds", "holds", "differs"]


@pytest.mark.parametrize(
    ("equation", "status"),
    [
        (r"\lim_{m\to 0} V = 0", "holds"),
        (
            r"\lim_{\theta\to 0} D = \begin{bmatrix} M+m & ml\\ ml & \frac43 ml^2\end{bmatrix}",
            "holds",
        ),
        (
            r"\lim_{\theta\to 0} D = \begin{bmatrix} M+m & ml\\ ml & \frac13 ml^2\end{bmatrix}",
            "differs",
        ),
        (r"V|_{m=0} = 0", "holds"),
        (r"\lim_{l\to\infty} V = 0", "unreadable"),
        (r"\lim_{m\to 0} \frac{V}{m} = gl\cos\theta", "holds"),
        (r"\lim_{m\to 0} \frac{V}{m} = gl\sin\theta", "differs"),
        (r"\lim_{m\to 0} \frac{V}{m^2} = 0", "unreadable"),
    ],
)
def test_a_limit_is_a_value_that_can_be_put_in(equation: str, status: str, tmp_path: Path) -> None:
    assert statuses(tmp_path, equation) == [status]


@pytest.mark.parametrize(
    ("equation", "status"),
    [
        (r"\sin(\alpha+\beta) = \sin\alpha\cos\beta + \cos\alpha\sin\beta", "holds"),
        (r"\cos 2\alpha = 1 - 2\sin^2\alpha", "holds"),
        (r"\cos(\alpha - \theta) = \cos\alpha\cos\theta + \sin\alpha\sin\theta", "holds"),
        ("a (b + c) = a b + a c", "holds"),
        ("a^T S b = -b^T S a", "not checked"),
        (r"a \times b = -b \times a", "not checked"),
        (r"\cos(\alpha - \theta) = \cos\alpha\cos\theta - \sin\alpha\sin\theta", "unreadable"),
        (r"\sin\alpha = \cos\beta", "unreadable"),
        (r"\ddot y = -y", "unreadable"),
        (r"m y = m y + y\theta", "unreadable"),
    ],
)
def test_letters_on_both_sides_may_stand_for_anything(
    equation: str, status: str, tmp_path: Path
) -> None:
    (found,) = report(tmp_path, f"$$ {equation} $$").equations
    assert found.status == status
    assert status == "unreadable" or "not declared" in (*found.readings, found.note)[0]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("The arm obeys M(θ)θ̈ + C = τ here.", "M(θ)θ̈ + C = τ"),
        ("M(q)q̈ + C(q, q̇)q̇ + G(q) = τ", "M(q)q̈ + C(q, q̇)q̇ + G(q) = τ"),
        ("- where E = ½ m v² + m g h.", "E = ½ m v² + m g h"),
        ("so x_c = l*sin(q) there", "x_c = l*sin(q)"),
        ("It has mode = fast, see [a=β](http://b/?c=δ) and `α = 1`.", ""),
        (r"Here $\theta = α$ counts, with \(β = 1\).", ""),
    ],
)
def test_equations_in_plain_letters_are_told(line: str, told: str, tmp_path: Path) -> None:
    found = report(tmp_path, f"$$ p = p $$\n\n{line}\n").passed_over
    assert [one.latex for one in found if "plain letters" in one.reason] == [told] * bool(told)


UPRIGHT = r"\begin{bmatrix} M+m & ml\\ ml & \frac43 ml^2\end{bmatrix}"
HANGING = UPRIGHT.replace("& ml", "& -ml").replace(r"\\ ml", r"\\ -ml")
SLOPE = r"\begin{bmatrix} 0 & 0\\ 0 & -mgl\end{bmatrix}"


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "state", ["q^*", r"q^{\star}", r"\bar q", "q_e", r"q_{\text{eq}}", "q^*, 0"]
)
@pytest.mark.parametrize(
    ("hangs", "expected"),
    [
        (False, ["holds", "differs", "holds", "holds"]),
        (True, ["differs", "holds", "differs", "holds"]),
    ],
)
def test_what_is_a_function_of_an_equilibrium_is_its_value_there(
    state: str, expected: list[str], tmp_path: Path, *, hangs: bool
) -> None:
    """Where that is, is taken for granted: it is not left away where an equation holds at zero."""
    lines = [
        f"D({state}) = {UPRIGHT}",
        f"D({state}) = {HANGING}",
        rf"\frac{{\partial G}}{{\partial q}}({state}) = {SLOPE}",
        rf"D^{{-1}}({state}) D({state}) = I_{{2\times 2}}",
    ]
    body = "\n\n".join(f"$$ {one} $$" for one in lines)
    assumed = "[[assume]]\ngiven = { theta = 'pi' }\n" if hangs else ""
    report(tmp_path, body)
    page = tmp_path / "page.md"
    page.write_text(page.read_text().replace("\n+++\n", f"\n{assumed}+++\n", 1))
    found = check_document(read_document(page), quantities("cart_pendulum"))
    assert [one.status for one in found.equations] == expected
    assert not any(one.startswith("assume") for one in found.unused)


@pytest.mark.parametrize("hangs", [False, True])
def test_linear_matrices_are_of_the_equilibrium_that_is_given(
    tmp_path: Path, *, hangs: bool
) -> None:
    at = r"A|_{\theta = \pi} = A"
    report(tmp_path, f"$$ {at} $$")
    page = tmp_path / "page.md"
    entry = r"\begin{bmatrix} 0&0&1&0\\ 0&0&0&1\\ 0&-\frac{3mg}{4M+m}&0&0\\ 0&@&0&0\end{bmatrix}"
    rate = r"\frac{3g(M+m)}{l(4M+m)}"
    text = page.read_text().replace(f"$$ {at} $$", f"$$ A = {entry.replace('@', rate)} $$")
    assumed = "[[assume]]\ngiven = { theta = 'pi' }\n" if hangs else ""
    page.write_text(text.replace("\n+++\n", f"\n{assumed}+++\n", 1))
    (found,) = check_document(read_document(page), quantities("cart_pendulum")).equations
    assert found.status == ("differs" if hangs else "holds")


@pytest.mark.parametrize("arguments", [r"(q, \dot q)", r"(x, \theta, \dot x)", "(q, t)"])
def test_a_derivative_may_say_of_what_it_is_a_function(arguments: str, tmp_path: Path) -> None:
    right = rf"\frac{{\partial V}}{{\partial\theta}}{arguments} = -mgl\sin\theta"
    momentum = (
        rf"\frac{{d}}{{dt}}\left(\frac{{\partial T}}{{\partial \dot x}}{arguments}\right) = F"
    )
    assert statuses(tmp_path, right, right.replace("-", ""), momentum) == [
        "holds", "differs", "holds",
    ]  # fmt: skip


@pytest.mark.parametrize("bracket", ["(x - l_0)", r"\left(2 x_e\right)", "(1 + x_0)", "(x_0 - l)"])
def test_a_sum_that_ends_in_a_marked_name_is_a_factor(bracket: str, tmp_path: Path) -> None:
    known = {"l_0": "l", "x_e": "l/2", "x_0": "l"}
    declared = "\n".join(f"'{key}' = '{value}'" for key, value in known.items())
    report(tmp_path, f"$$ g {bracket} = {bracket} g $$ \n\n$$ 2 g {bracket} = {bracket} g $$")
    page = tmp_path / "page.md"
    page.write_text(page.read_text().replace("\n+++\n", f"\n{declared}\n+++\n", 1))
    found = check_document(read_document(page), quantities("cart_pendulum")).equations
    assert not any("equilibrium" in told for one in found for told in one.readings)
    assert found[0].status == "holds"
