"""Pages recognised by their equations of motion, whatever their letters are."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from click.testing import CliRunner, Result

import freebody
from freebody.cli import main
from freebody.documents import read_bare
from freebody.errors import DocumentError, ModelError
from freebody.mechanics.derivation import derive
from freebody.model import shipped
from freebody.recognition.known.matching import extended_images
from freebody.recognition.recognise import _tells_more, recognise
from freebody.recognition.recognised import Recognised

CART = r"""
A ball hangs from a cart.

$$ X = s + b\sin\beta, \qquad Y = -b\cos\beta \tag{1} $$
$$ T = \frac12 A \dot s^2 + \frac12 \mu(\dot X^2 + \dot Y^2), \qquad V = \mu g Y \tag{2} $$
$$ (A + \mu)\ddot s + \mu b\ddot\beta\cos\beta - \mu b\dot\beta^2\sin\beta = P \tag{3} $$
$$ b\ddot\beta + \ddot s\cos\beta + g\sin\beta = 0 \tag{4} $$
"""
DOUBLE = r"""
\documentclass{article}\begin{document}
\begin{align}
(M_1 + M_2) a\ddot\phi + M_2 c\ddot\psi\cos(\phi-\psi) + M_2 c\dot\psi^2\sin(\phi-\psi)
  + (M_1 + M_2) g\sin\phi &= 0 \label{one}\\
c\ddot\psi + a\ddot\phi\cos(\phi-\psi) - a\dot\phi^2\sin(\phi-\psi) + g\sin\psi &= 0 \label{two}
\end{align}
\end{document}
"""

FENCED = """
```
θ1'' = (-g*(2m1+m2)sin(θ1) - m2gsin(θ1-2θ2) - 2sin(θ1-θ2)m2(θ2'^2L2+θ1'^2L1cos(θ1-θ2)))
       / (L1(2m1+m2-m2cos(2θ1-2θ2)))
θ2'' = 2sin(θ1-θ2)(θ1'^2L1(m1+m2)+g*(m1+m2)cos(θ1)+θ2'^2L2m2cos(θ1-θ2))
       / (L2*(2m1+m2-m2cos(2θ1-2θ2)))
```
"""
PASTED = """
The bobs are at

x1 = L1 sin θ1
y1 = −L1 cos θ1
x2 = x1 + L2 sin θ2
y2 = y1 − L2 cos θ2

With the tensions T1 and T2 of the rods,

  \tm1 x1'' = −T1 sin θ1 + T2 sin θ2\t(5)
  \tm1 y1'' = T1 cos θ1 − T2 cos θ2 − m1 g\t(6)
  \tm2 x2'' = −T2 sin θ2\t(7)
  \tm2 y2'' = T2 cos θ2 − m2 g\t(8)
  \tx1'' = −θ1'2 L1 sin θ1 + θ1'' L1 cos θ1\t(9)

so that sin θ2 (m2 y2'' + m2 g) = −cos θ2 (m2 x2'')  (10)
"""
TAGGED = """<html><body>
<p><i>m</i><sub>2</sub> <i>L</i><sub>2</sub> &theta;<sub>2</sub>''
+ m<sub>2</sub> L<sub>1</sub> &theta;<sub>1</sub>'' cos(&theta;<sub>1</sub> &minus;
&theta;<sub>2</sub>) &minus; m<sub>2</sub> L<sub>1</sub> (&theta;<sub>1</sub>')<sup>2</sup> &middot;
sin(&theta;<sub>1</sub> &minus; &theta;<sub>2</sub>) + m<sub>2</sub> g sin &theta;<sub>2</sub> = 0
</p></body></html>"""


def run(*arguments: object) -> Result:
    found = CliRunner().invoke(main, ["adopt", *map(str, arguments)])
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise found.exception
    return found


def adopted(folder: Path, text: str, name: str = "page.md") -> freebody.Adopted:
    path = folder / name
    path.write_text(text)
    return freebody.adopt(path, force=True)


@pytest.fixture(scope="module")
def cart(tmp_path_factory: pytest.TempPathFactory) -> freebody.Adopted:
    return adopted(tmp_path_factory.mktemp("cart"), CART)


def test_a_varied_model_is_recognised_by_equations_in_other_letters(cart: freebody.Adopted) -> None:
    best = cart.models[0]
    assert (best.name, best.varied) == ("cart_pendulum", "point masses")
    assert {"(3)", "(4)", "(1.1)"} <= {*best.fits}
    assert best.fails == ()


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("name", "text"), [("a.md", FENCED), ("a.html", TAGGED), ("a.txt", PASTED)]
)
def test_a_page_in_plain_letters_is_recognised(tmp_path: Path, name: str, text: str) -> None:
    found = adopted(tmp_path, text, name)
    assert found.models[0].name == "double_pendulum"
    told = {one.symbol: one.meaning for one in found.symbols}
    assert told[r"\theta_2"] == "theta2"
    assert (told["L_1"], told["L_2"]) == ("L1", "L2")


def test_its_symbols_are_sure_with_those_that_follow(cart: freebody.Adopted) -> None:
    found = {one["symbol"]: one for one in cart.as_json()["symbols"]}
    told = {key: found[key]["meaning"] for key in ("A", r"\mu", "b", "P", "Y")}
    assert told == {"A": "A", r"\mu": "mu", "b": "b", "P": "P", "Y": "position.pole.y"}
    assert found[r"\beta"]["meaning"] == "pi - theta"
    assert all(found[key]["sure"] for key in (*told, r"\beta", "T", "V"))


def test_the_model_that_is_written_derives_alike_and_proves_the_page(
    cart: freebody.Adopted,
) -> None:
    assert cart.model_path is not None
    assert cart.path is not None
    model = freebody.load(cart.model_path)
    assert model.bodies[1].inertia is None
    assert list(model.constants) == ["A", "mu", "g", "b"]
    forms = [derive(model, method).M for method in ("kane", "lagrange", "newton_euler")]
    assert forms[0] == forms[1] == forms[2]
    report = freebody.check(cart.path)
    assert {one.status for one in report.documents[0].equations} == {"holds"}


@pytest.mark.exhaustive
def test_one_misprint_leaves_the_rest_found(tmp_path: Path) -> None:
    wrong = DOUBLE.replace(r"- a\dot\phi^2\sin", r"+ a\dot\phi^2\sin")
    found = adopted(tmp_path, wrong, "page.tex")
    best = found.models[0]
    assert (best.name, best.fits, best.fails) == ("double_pendulum", ("(one)",), ("(two)",))
    sure = {one["symbol"] for one in found.as_json()["symbols"] if one["sure"]}
    assert sure >= {"a", "c", "M_1", "M_2", r"\phi", r"\psi"}


MISPRINTED = (
    ("M_2 c\\dot\\psi^2\\sin", "M_2 c\\dot\\psi^2\\cos"),
    ("- a\\dot\\phi^2", "+ a\\dot\\phi^2"),
)


def test_misprints_in_all_equations_leave_the_model_found(tmp_path: Path) -> None:
    text = DOUBLE
    for right, wrong in MISPRINTED:
        assert right in text
        text = text.replace(right, wrong)
    found = adopted(tmp_path, text, "page.tex")
    best = found.models[0]
    assert (best.name, best.fits, best.fails) == ("double_pendulum", (), ("(one)", "(two)"))
    assert run(tmp_path / "page.tex", "--force").stdout.startswith("like  double_pendulum")
    assert {one.symbol for one in found.symbols if one.is_sure} >= {"M_1", "M_2", r"\phi", r"\psi"}


@pytest.mark.exhaustive
def test_a_letter_that_all_of_an_equation_is_times_says_nothing(tmp_path: Path) -> None:
    text = r"""
$$\ddot\theta_1 = \frac{-3 m g\sin\theta_1 - m g\sin(\theta_1 - 2\theta_2)
  - 2 m\sin(\theta_1 - \theta_2)(\omega_2^2 l + \omega_1^2 l\cos(\theta_1 - \theta_2))}
  {l(3 m - m\cos(2\theta_1 - 2\theta_2))}$$

$$\ddot\theta_2 = \frac{2\sin(\theta_1 - \theta_2)(2 m l\omega_1^2 + 2 m g\cos\theta_1
  + m l\omega_2^2\cos(\theta_1 - \theta_2))}{l(3 m - m\cos(2\theta_1 - 2\theta_2))}$$
"""
    found = adopted(tmp_path, text)
    assert (found.models[0].name, found.models[0].fits) == ("double_pendulum", ("(#1)", "(#2)"))
    told = {one.symbol: one.meaning for one in found.symbols if one.is_sure}
    assert (told[r"\omega_1"], told[r"\omega_2"]) == ("theta1_dot", "theta2_dot")


def test_nothing_is_forced(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(r"$$ a\ddot\theta + b\dot\theta^3\tan\theta = c \tag{1} $$")
    found = run(page)
    assert found.exit_code == 1
    assert r"none of the models fits: no known model" in found.output
    assert not (tmp_path / "page_document.md").exists()
    page.write_text(r"$$ v = \ddot r + k(\dot r - \dot y) + h(r - y) \tag{1} $$")  # a controller
    assert "none of the models fits" in run(page).output
    page.write_text("$$ a = b $$")
    assert "no equations of motion" in run(page).output


@pytest.mark.exhaustive
def test_forces_of_the_page_are_not_taken_for_others_of_the_model(tmp_path: Path) -> None:
    text = r"""
$$ \tfrac13 m a^2\ddot\phi + n a^2\ddot\phi + \tfrac12 n a c(\ddot\psi\cos(\phi-\psi)
   + \dot\psi^2\sin(\phi-\psi)) + (\tfrac12 m + n) a g\sin\phi = Q_1 $$
$$ \tfrac13 n c^2\ddot\psi + \tfrac12 n a c(\ddot\phi\cos(\phi-\psi)
   - \dot\phi^2\sin(\phi-\psi)) + \tfrac12 n c g\sin\psi = Q_2 $$
"""
    found = adopted(tmp_path, text)
    assert found.models[0].fits == ("(#1)", "(#2)")
    assert found.path is not None
    report = freebody.check(found.path)
    assert {one.status for one in report.documents[0].equations} == {"holds"}


def test_models_of_a_folder_are_tried_and_named(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    shutil.copy(shipped()["pendulum"] / "model.toml", own / "forearm.toml")
    page = tmp_path / "page.md"
    page.write_text(r"$$ (J + m r^2)\ddot\phi + m g r\sin\phi = M_a \tag{1} $$")
    found = run(page, "--models", own, "--json")
    told: dict[str, Any] = json.loads(found.output)
    assert told["models"][0] == {
        "name": "forearm", "varied": "", "fits": ["(1)"], "fails": [], "heading": "",
    }  # fmt: skip
    symbols = {one["symbol"]: one["meaning"] for one in told["symbols"] if one["sure"]}
    assert symbols == {
        "J": "I", "m": "m", "r": "d", "g": "g", "M_a": "T",
        r"\phi": "theta", r"\ddot{\phi}": "theta''",
    }  # fmt: skip
    front = tomllib.loads((tmp_path / "page_document.md").read_text().split("+++")[1])
    assert front["model"] == "own/forearm.toml"
    with pytest.raises(ModelError, match="expected model files in it"):
        freebody.adopt(page, models=tmp_path / "nowhere", force=True)
    assert "expected --model or --models" in run(page, "--model", "x", "--models", own).output


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("text", "name", "symbols"),
    [
        (r"$$ M\ddot y + b\dot y + K y = f $$", "mass_spring", {"M", "b", "K", "f", "y"}),
        (
            r"$$ \ddot\theta = \omega^2\sin\theta\cos\theta - \frac{g}{r}\sin\theta $$",
            "bead_on_hoop",
            {r"\omega", "r", "g", r"\theta"},
        ),
        (r"$$ L = \frac{m}{2}\dot q^2 - \frac{k}{2} q^2 $$", "mass_spring", {"m", "k", "q", "L"}),
        (r"$$ (M + m + J/a^2)\ddot x = (M - m) g $$", "atwood_pulley", {"M", "m", "a", "J", "g"}),
    ],
)
def test_a_mechanism_of_textbooks_becomes_a_model_of_the_page(
    tmp_path: Path, text: str, name: str, symbols: set[str]
) -> None:
    found = adopted(tmp_path, text)
    assert found.models[0].name == name
    assert {one["symbol"] for one in found.as_json()["symbols"] if one["sure"]} >= symbols
    assert found.path is not None
    report = freebody.check(found.path)
    assert {one.status for one in report.documents[0].equations} == {"holds"}


def test_letters_that_occur_in_products_alone_may_be_either() -> None:
    images = [*extended_images({}, (("a", 1), ("b", 1)), (("g", 1), ("m", 1)))]
    assert len(images) == 2


def test_where_an_angle_counts_from_is_open_where_one_term_alone_tells(tmp_path: Path) -> None:
    text = r"$$ I\ddot q + r^2 M\ddot q - r g M\sin q = Q $$"
    made = adopted(tmp_path, text)
    assert made.guesses is not None
    told = {one.key: (one.meaning, one.standing) for one in made.guesses.symbols}
    assert "pi" in str(told["q"][0])
    assert told["q"][1] == "unsure"
    assert told["M"][1] == "sure"


@pytest.mark.exhaustive
def test_what_recognition_tells_is_not_doubted_by_equations_of_small_motions(
    tmp_path: Path,
) -> None:
    small = r"""
$$ V = \mu g b\cos\beta \tag{5} $$
For small angles:
$$ (A + \mu)\ddot s + \mu b\ddot\beta = P \tag{6} $$
$$ b\ddot\beta + \ddot s + g\beta = 0 \tag{7} $$
$$ \ddot s = \frac{\mu g}{A}\beta + \frac{P}{A} \tag{8} $$
$$ \ddot\beta = -\frac{(A + \mu) g}{A b}\beta - \frac{P}{A b} \tag{9} $$
$$ A\ddot s = \mu g\beta + P \tag{10} $$
"""
    made = adopted(tmp_path, CART + small.replace("V = ", "V = -"))
    assert made.guesses is not None
    assert {"g", "P", "V", r"\beta"} <= made.guesses.sure().keys()
    assert not {"(7)", "(8)", "(9)", "(10)"} & {*made.models[0].fails}


def test_a_vector_is_no_coordinate_of_a_mechanism(tmp_path: Path) -> None:
    text = r"""
$$ (m_1 + m_2)\ddot{\boldsymbol{x}} = (m_1 - m_2)\boldsymbol{g} $$
"""
    assert not adopted(tmp_path, text).models


@pytest.mark.exhaustive
def test_an_equation_without_what_acts_is_another_case_and_no_failure(tmp_path: Path) -> None:
    text = r"""
$$ (M+m)\ddot x + m l(\ddot\theta\cos\theta - \dot\theta^2\sin\theta) = Q_x \tag{1} $$
$$ m l\ddot x\cos\theta + m l^2\ddot\theta - m g l\sin\theta = Q_\theta \tag{2} $$
$$ \ddot x\cos\theta + l\ddot\theta = g\sin\theta \tag{3} $$
$$ \ddot x\cos\theta + l\ddot\theta = 2 g\sin\theta \tag{4} $$
"""
    best, *_ = adopted(tmp_path, text).models
    assert {"(1)", "(2)"} <= {*best.fits}
    assert best.fails == ("(4)",)


LUMPED = {
    "two_link_by_moments": r"""
$$ M = \begin{bmatrix} p_1 + p_2 + 2p_3\cos q_2 & p_2 + p_3\cos q_2 \\
   p_2 + p_3\cos q_2 & p_2\end{bmatrix} $$
$$ C = \begin{bmatrix} -p_3\dot q_2\sin q_2 & -p_3(\dot q_1+\dot q_2)\sin q_2 \\
   p_3\dot q_1\sin q_2 & 0\end{bmatrix} $$
$$ G = \begin{bmatrix} p_4 g\cos q_1 + p_5 g\cos(q_1+q_2) \\ p_5 g\cos(q_1+q_2)\end{bmatrix} $$
$$ M(q)\ddot q + C(q,\dot q)\dot q + G(q) = \tau \tag{1} $$
""",
    "furuta_pendulum_by_moments": r"""
$$ (\hat J_0 + \hat J_2\sin^2\alpha)\ddot\theta + K\cos\alpha\,\ddot\alpha
   + 2\hat J_2\sin\alpha\cos\alpha\,\dot\theta\dot\alpha - K\sin\alpha\,\dot\alpha^2
   = \tau \tag{1} $$
$$ \hat J_2\ddot\alpha + K\cos\alpha\,\ddot\theta - \hat J_2\sin\alpha\cos\alpha\,\dot\theta^2
   - G\sin\alpha = 0 \tag{2} $$
""",
    "cart_pendulum_by_moments": r"""
$$ M_t\ddot x + b\ddot\theta\cos\theta - b\dot\theta^2\sin\theta = u \tag{1} $$
$$ J_t\ddot\theta + b\ddot x\cos\theta - d\sin\theta = 0 \tag{2} $$
""",
    "cart_double_pendulum_by_moments": r"""
$$ h_1\ddot x + h_2\ddot\alpha\cos\alpha + h_3\ddot\beta\cos\beta
   = h_2\dot\alpha^2\sin\alpha + h_3\dot\beta^2\sin\beta + u \tag{1} $$
$$ h_2\ddot x\cos\alpha + h_4\ddot\alpha + h_5\ddot\beta\cos(\alpha - \beta)
   = h_7\sin\alpha - h_5\dot\beta^2\sin(\alpha - \beta) \tag{2} $$
$$ h_3\ddot x\cos\beta + h_5\ddot\alpha\cos(\alpha - \beta) + h_6\ddot\beta
   = h_5\dot\alpha^2\sin(\alpha - \beta) + h_8\sin\beta \tag{3} $$
""",
}
FURUTA_FROM_UPRIGHT = r"""
$$ T = \tfrac12\bigl((J_0 + J_p\sin^2\theta)\dot\alpha^2 + J_p\dot\theta^2
   + 2 L l m\dot\alpha\dot\theta\cos\theta\bigr), \qquad U = m g l(\cos\theta - 1) \tag{1} $$
$$ (J_0 + J_p\sin^2\theta)\ddot\alpha + L l m\cos\theta\,\ddot\theta
   + J_p\sin 2\theta\,\dot\alpha\dot\theta - L l m\sin\theta\,\dot\theta^2
   + b\dot\alpha = \tau_1 \tag{2} $$
$$ J_p\ddot\theta + L l m\cos\theta\,\ddot\alpha - \tfrac12 J_p\sin 2\theta\,\dot\alpha^2
   - m g l\sin\theta + c\dot\theta = \tau_2 \tag{3} $$
"""
"""With what acts besides in both equations, which the energies do not tell."""
MEANT = {"p_3": "c_2*l_1*m_2", "K": "L*l*m", "b": "l*m", "d": "g*l*m"}


@pytest.mark.few("cart_pendulum_by_moments")
@pytest.mark.parametrize("name", LUMPED)
def test_constants_that_are_products_of_others_are_told(tmp_path: Path, name: str) -> None:
    found = adopted(tmp_path, LUMPED[name])
    best = found.models[0]
    assert (best.name, best.fails) == (name, ())
    assert "(1)" in best.fits
    assert found.guesses is not None
    told = {one.key: (one.meaning, one.standing) for one in found.guesses.symbols}
    assert all(told[key] == (MEANT[key], "sure") for key in told if key in MEANT)


def test_a_letter_that_is_printed_with_indices_is_no_coordinate(tmp_path: Path) -> None:
    text = r"""
$$ A_{ij} = \mu_{ij} l_j \cos(\theta_i - \theta_j) $$
$$ A\ddot\theta + b\theta = 0, \qquad b\omega = c \tag{1} $$
"""
    assert not adopted(tmp_path, text).models


@pytest.mark.exhaustive
def test_a_place_is_a_coordinate_whatever_else_it_is_called_and_has_below(tmp_path: Path) -> None:
    text = r"""
$$ \mathbf{F}_{ij} = \frac{G m_i m_j}{r_{ij}^2}\frac{\mathbf{r}_{ij}}{r_{ij}} $$
$$ m(\ddot r - r\dot\theta^2) = f(r) \tag{1} $$
$$ m(2\dot r\dot\theta + r\ddot\theta) = 0 \tag{2} $$
With $u = 1/r$:
$$ \dot r = \frac{d}{dt}(1/u) = -\frac{1}{u^2}\dot u = -l\frac{du}{d\theta} \tag{3} $$
For this case, the function is $f(r) = -k/r^2$.
"""
    best = adopted(tmp_path, text).models[0]
    assert best.name == "built"
    assert {"(1)", "(2)"} <= {*best.fits}


@pytest.mark.parametrize(
    ("equation", "torque"),
    [
        (r"\ddot\theta = -\frac{g}{l}\theta - q\dot\theta + F\sin(\Omega t)",
         "l*m*(F*l*sin(Omega*t) - g*theta - l*q*theta_dot)"),
        (r"m l^2\ddot\theta = \tau - k\theta", "tau"),
    ],
    ids=["small motions", "an arm"],
)  # fmt: skip
def test_an_angle_turns_an_arm_in_small_motions_too(
    tmp_path: Path, equation: str, torque: str
) -> None:
    adopted(tmp_path, f"$$ {equation} \\tag{{1}} $$")
    written = (tmp_path / "page_model.toml").read_text(encoding="utf-8")
    (joint,) = tomllib.loads(written)["joints"]
    assert (joint["type"], joint["torque"]) == ("pin", torque)


@pytest.mark.parametrize(
    "text",
    [
        r"I\ddot\theta = m g L\theta - [k\theta(t - \Delta) + c\dot\theta(t - \Delta)]",
        r"I\ddot\theta = m g L\theta - k_p\theta(t - \Delta t)",
    ],
)
def test_what_was_before_is_neither_what_is_now_nor_a_product(tmp_path: Path, text: str) -> None:
    assert not adopted(tmp_path, f"$$ {text} \\tag{{1}} $$").models


def test_where_weight_is_balanced_tells_not_what_gravity_is(tmp_path: Path) -> None:
    text = r"""
$$ a\ddot\theta = a\omega^2\sin\theta\cos\theta - g\sin\theta \tag{1} $$
At rest, $\ddot\theta = 0$, so that
$$ a\omega^2\cos\theta = g \tag{2} $$
"""
    best = adopted(tmp_path, text).models[0]
    assert (best.name, best.fits) == ("bead_on_hoop", ("(1)",))


@pytest.mark.exhaustive
def test_a_lagrangian_of_which_only_a_part_holds_fits_no_model(tmp_path: Path) -> None:
    text = r"""
$$ L = \tfrac12 (m_1 + m_2) l_1^2\dot\theta_1^2 + \tfrac12 m_2 l_2^2\dot\theta_2^2
 + m_1 l_1 l_2\dot\theta_1\dot\theta_2\cos(\theta_1 - \theta_2)
 + (m_1 + m_2) l_1 g\cos\theta_1 + m_2 g l_2\cos\theta_2 \tag{1} $$
"""
    assert not any("(1)" in one.fits for one in adopted(tmp_path, text).models)


@pytest.mark.exhaustive
def test_an_index_that_counts_steps_of_time_leaves_a_letter_a_coordinate(tmp_path: Path) -> None:
    text = r"""
$$ (M+m)\ddot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta = F \tag{1} $$
$$ l\ddot\theta + \ddot x\cos\theta - g\sin\theta = 0 \tag{2} $$
$$ \theta_{i+1} = \theta_i + h\omega_i $$
"""
    best = adopted(tmp_path, text).models[0]
    assert (best.name, best.fits) == ("cart_pendulum", ("(1)", "(2)"))


@pytest.mark.exhaustive
def test_a_point_in_space_is_placed_by_three_shifts(tmp_path: Path) -> None:
    text = r"""
$$ T = \frac12 m(\dot x^2 + \dot y^2 + \dot z^2), \qquad V = m g z, \qquad L = T - V $$
$$ m\ddot x = F_x, \qquad m\ddot y = F_y, \qquad m\ddot z = F_z - m g $$
"""
    (best,) = adopted(tmp_path, text).models
    assert (best.name, best.fails) == ("built", ())


@pytest.mark.parametrize(
    "text",
    [
        r"$$ L = \frac12 m(\dot r^2 + r^2\dot\phi^2) + \frac{GMm}{r} \tag{1} $$",
        r"""
$$ m\ddot r - m r\dot\theta^2 = -\frac{k}{r^2} \tag{1} $$
$$ m r\ddot\theta + 2 m\dot r\dot\theta = 0 \tag{2} $$
""",  # of forces, which are moments divided by the distance
    ],
)
def test_a_particle_at_a_distance_that_changes_is_built(tmp_path: Path, text: str) -> None:
    (best,) = adopted(tmp_path, text).models
    assert (best.name, best.fails) == ("built", ())


@pytest.mark.parametrize(
    "text",
    [
        r"Masses on a rope: $$ a = \frac{M - m}{M + m} g $$",
        r"A block on a ramp: $$ a = g\sin\theta - \mu g\cos\theta $$",
    ],
)
def test_an_acceleration_by_weight_is_an_equation_of_motion(tmp_path: Path, text: str) -> None:
    assert adopted(tmp_path, text).models[0].fits == ("(#1)",)


def test_a_letter_for_a_force_is_no_acceleration_of_gravity(tmp_path: Path) -> None:
    text = r"$$ F_1 = -k x, \quad \ddot x = -k x - b x + F $$"
    assert not adopted(tmp_path, text).models


PLACES = r"""
Two rods of length $L$ with masses $m_1$ and $m_2$ at their ends hang below each other.

$$ x_1 = L\sin\phi_1, \quad y_1 = {0}L\cos\phi_1 \tag{{1}} $$
$$ x_2 = x_1 + L\sin\phi_2, \quad y_2 = y_1 {1} L\cos\phi_2 \tag{{2}} $$
$$ \ddot\phi_1(\phi_1, \phi_2, \dot\phi_1, \dot\phi_2) = \frac{{g}}{{L^2}}\sin\phi_1
   - \dot\phi_2 c o s(\phi_1 - \phi_2) \tag{{3}} $$
"""


@pytest.mark.parametrize(("first", "second", "up"), [("-", "-", "-g"), ("", "+", "-g")])
def test_places_of_point_masses_tell_a_model_where_nothing_else_is_right(
    tmp_path: Path, first: str, second: str, up: str
) -> None:
    found = adopted(tmp_path, PLACES.format(first, second))
    (best,) = found.models
    assert (best.name, {*best.fails}) == ("built", {"(3)"})
    assert {"(1.1)", "(1.2)", "(2.1)", "(2.2)"} <= {*best.fits}
    assert found.model_path is not None
    model = tomllib.loads(found.model_path.read_text())
    assert model["gravity"] == [0, up, 0]
    still = derive(freebody.model.load(found.model_path))
    assert still.coordinates


def test_functions_that_keep_equations_of_motion_from_a_model_are_named(tmp_path: Path) -> None:
    page = tmp_path / "friction.md"
    motion = r"m l^2 \ddot\theta + c\ln(1 + \dot\theta) + m g l \sin\theta = \tau"
    page.write_text(f"A pendulum:\n\n$$ {motion} $$\n", "utf-8")
    told = freebody.adopt(page, force=True)
    assert "functions that no model is tried with: log" in str(told.as_json())


@pytest.mark.parametrize(
    "text",
    [
        r"""
$$ \ddot q = u \tag{1} $$
$$ \ell(q, u) = q^2 + \dot q^2 + u^2 \tag{2} $$
""",  # what a control costs is no Lagrangian
        r"""
$$ T = \tfrac12 m l^2\dot\theta^2, \qquad V = -m g l\cos\theta \tag{1} $$
$$ (m l^2 + I)\ddot\theta + m g l\sin\theta + 2 c l\dot\theta^2\sin 2\theta = 0 \tag{2} $$
""",  # nothing that is printed besides is of it
        r"""
$$ \vec\alpha = \ddot\theta \hat c_3 = \ddot\theta \hat k $$
""",  # which is said of unit vectors, and balances nothing
    ],
)
def test_models_are_told_by_equations_that_could_have_failed(tmp_path: Path, text: str) -> None:
    assert not adopted(tmp_path, text).models


POSITIONS = r"""
$$ \begin{bmatrix} P_{1,x} \\ P_{1,y} \end{bmatrix}
 = \begin{bmatrix} l_1\cos\theta_1 \\ l_1\sin\theta_1 \end{bmatrix} \tag{1} $$
$$ \begin{bmatrix} P_{2,x} \\ P_{2,y} \end{bmatrix} = \begin{bmatrix}
 l_1\cos\theta_1 + l_2\cos(\theta_1 + \theta_2) \\
 l_1\sin\theta_1 + l_2\sin(\theta_1 + \theta_2)
 \end{bmatrix} \tag{2} $$
"""


def test_an_equation_of_a_case_that_words_put_is_none_that_does_not_hold(tmp_path: Path) -> None:
    page = tmp_path / "rod.md"
    law = r"$$ I\ddot\theta + b\dot\theta = -m g d\sin\theta $$"
    page.write_text(law + "\n\nFor small angles\n\n" + law.replace(r"\sin", ""))
    made = freebody.adopt(page)
    assert made.guesses is not None
    assert (made.guesses.fits, made.guesses.fails) == (("(#1)", "(#2)"), ())


def test_a_place_from_which_no_page_can_be_named_is_told_before_the_work(tmp_path: Path) -> None:
    page, told = tmp_path / "page" / "rod.html", list[str]()
    page.parent.mkdir()
    page.write_text(r"<p>\[ I\ddot\theta = -m g d\sin\theta \]</p>")
    with pytest.raises(DocumentError, match="expected a place in the folder of"):
        freebody.adopt(page, path=tmp_path / "other" / "rod.md", progress=told.append)
    assert told == []


def test_the_document_of_a_page_in_plain_letters_is_checked(tmp_path: Path) -> None:
    """Its equations in running text too, which stand further down there than on the page."""
    page = tmp_path / "rod.md"
    laws = "The rod swings.\n\nI θ̈ = −m g d sin θ − b θ̇\n\nT = ½ I θ̇²\n\n"
    page.write_text(laws + "- d = 15 mm\n- m = 0.1 kg\n")
    made = freebody.adopt(page)
    assert made.path is not None
    assert "inline = true" in made.path.read_text()

    def statuses(path: Path) -> list[str]:
        return [one.status for one in freebody.check(path).documents[0].equations]

    assert statuses(made.path) == ["holds", "holds", "not checked", "holds"]
    made.path.write_text(made.path.read_text().replace("½", "⅓"))
    assert statuses(made.path) == ["holds", "differs", "not checked", "holds"]


@pytest.mark.exhaustive("squares")
@pytest.mark.parametrize(
    "energies",
    [
        r"""
$$ KE = \frac12 m_1 v_1^T v_1 + \frac12 m_2 v_2^T v_2 \tag{3} $$
$$ PE = m_1 g P_{1,y} + m_2 g P_{2,y} \tag{4} $$
$$ v = \frac{\partial P}{\partial\theta_1}\dot\theta_1
     + \frac{\partial P}{\partial\theta_2}\dot\theta_2 $$
""",
        r"""
$$ T = \frac12 m_1 v_1^2 + \frac12 m_2 v_2^2 \tag{3} $$
$$ V = m_1 g P_{1,y} + m_2 g P_{2,y} \tag{4} $$
$$ \omega_1 = \dot\theta_1, \qquad \omega_2 = \dot\theta_2 $$
""",
    ],
    ids=["vectors", "squares"],
)
def test_speeds_in_energies_are_those_of_the_points_with_their_numbers(
    tmp_path: Path, energies: str
) -> None:
    told = {one.name: one for one in adopted(tmp_path, POSITIONS + energies).models}
    assert {"(1)", "(2)", "(3)"} <= {*told["two_link"].fits}
    assert not told["two_link"].fails


def test_a_command_for_a_half_is_no_letter(tmp_path: Path) -> None:
    text = r"""
$$ L = \half m\dot x^2 - \half k x^2 \tag{1} $$
$$ \der{}{t}\pd{L}{\dot x} = -k x \tag{2} $$
"""
    best = adopted(tmp_path, text).models[0]
    assert (best.name, best.fails) == ("mass_spring", ())


@pytest.mark.exhaustive
def test_what_drives_something_is_no_part_of_where_it_is(tmp_path: Path) -> None:
    text = r"""
$$ \ddot x_w = \frac{1}{M + m}\cdot(U - m\ddot x_s), \quad x_s = \frac{l}{2}\sin\theta \tag{1} $$
$$ \ddot x_w = \frac{1}{M + m}
[U - \frac12 m l(\ddot\theta\cos\theta - \dot\theta^2\sin\theta)] \tag{2} $$
"""
    best = adopted(tmp_path, text).models[0]
    assert (best.name, best.varied, best.fails) == ("cart_pendulum", "rods", ())
    assert "(2)" in best.fits


@pytest.mark.exhaustive
def test_a_letter_of_a_misprinted_equation_alone_does_not_hide_it(tmp_path: Path) -> None:
    text = r"""
$$ m_1 l_1^2\ddot\theta_1 + m_2 l_1 l_2\ddot\theta_2\cos(\theta_1 - \theta_2)
 + m_2 l_1 l_2\dot\theta_2^2\sin(\theta_1 - \theta_2)
 + (m_1 + m_2) g l_1\sin\theta_1 = 0 \tag{1} $$
$$ m_2 l_2^2\ddot\theta_2 + m_2 l_1 l_2\ddot\theta_1\cos(\theta_1 - \theta_2)
 - m_2 l_1 l_2\dot\theta_1^2\sin(\theta_1 - \theta_2) + m_2 g l_2\sin\theta_2 = 0 \tag{2} $$
"""
    made = adopted(tmp_path, text)
    assert made.models[0].name == "double_pendulum"
    assert (made.models[0].fits, made.models[0].fails) == (("(2)",), ("(1)",))
    (mass,) = (one for one in made.symbols if one.symbol == "m_1")
    assert mass.meaning == "m1"
    assert "proved" not in mass.why
    (document,) = freebody.check(tmp_path / "page_document.md").documents
    (wrong,) = (one for one in document.equations if one.status == "differs")
    assert "m_2" in str(wrong.repairs[0])


@pytest.mark.exhaustive
def test_an_unknown_letter_for_a_rate_does_not_hide_the_model(tmp_path: Path) -> None:
    text = r"""
$$ \dot x_1 = x_3 \tag{1} $$
$$ \dot x_2 = x_4 \tag{2} $$
$$ \dot x_3 = \frac{f + g m\sin x_2\cos x_2 + l m x_42\sin x_2}{M + m\sin^2 x_2} \tag{3} $$
$$ \dot x_4 = -\frac{g(M + m)\sin x_2 + (f + l m x_4^2\sin x_2)\cos x_2}{l(M + m\sin^2 x_2)}
 \tag{4} $$
"""
    best = adopted(tmp_path, text).models[0]
    assert best.name == "cart_pendulum"
    assert "(4)" in best.fits


@pytest.mark.exhaustive
def test_a_misprint_in_what_letters_are_short_for_leaves_the_rest_found(tmp_path: Path) -> None:
    text = r"""
$$ \mathcal{L} = \frac12 m_1 |v_1|^2 + \frac12 m_2\dot\theta_2^2 - m_1 g y_1 \tag{1} $$
$$ L = a_1\dot\theta_1^2 + a_2\dot\theta_2^2 + a_3\cos(\theta_1 - \theta_2)\dot\theta_1\dot\theta_2
 + b_1\cos\theta_1 + b_2\cos\theta_2 \tag{2} $$
$$ a_1 = \frac16 m_1 l_1^2 + \frac12 m_2 l_2^2 \tag{3} $$
$$ a_2 = \frac16 m_2 l_2^2, \quad a_3 = \frac12 m_2 l_1 l_2 \tag{4} $$
$$ b_1 = (\frac12 m_1 + m_2) g l_1, \quad b_2 = \frac12 m_2 g l_2 \tag{5} $$
$$ 2 a_1\ddot\theta_1 + a_3\cos(\theta_1 - \theta_2)\ddot\theta_2
 + a_3\sin(\theta_1 - \theta_2)\dot\theta_2^2 = -b_1\sin\theta_1 \tag{6} $$
$$ 2 a_2\ddot\theta_2 + a_3\cos(\theta_1 - \theta_2)\ddot\theta_1
 - a_3\sin(\theta_1 - \theta_2)\dot\theta_1^2 = -b_2\sin\theta_2 \tag{7} $$
"""
    made = adopted(tmp_path, text)
    best = made.models[0]
    assert (best.name, best.fails) == ("double_pendulum", ("(6)",))
    assert {"(4.1)", "(4.2)", "(7)"} <= {*best.fits}
    assert {"(1)", "(2)", "(3)"}.isdisjoint(best.fits)
    sure = {one.symbol for one in made.symbols if one.is_sure}
    assert {r"\theta_1", r"\theta_2", "l_1", "l_2", "m_1", "m_2", "g"} <= sure


@pytest.mark.exhaustive
def test_forces_are_turned_as_the_page_counts_them(tmp_path: Path) -> None:
    text = r"""
$$ (M + m)\ddot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta = F - R \tag{1} $$
$$ m l\ddot x\cos\theta + m l^2\ddot\theta + m g l\sin\theta = 0 \tag{2} $$
"""
    best = adopted(tmp_path, text).models[0]
    assert (best.name, best.fits, best.fails) == ("cart_pendulum", ("(1)", "(2)"), ())
    (document,) = freebody.check(tmp_path / "page_document.md").documents
    assert [one.status for one in document.equations] == ["holds", "holds"]


def test_a_force_that_is_later_the_sum_of_all_is_no_difference(tmp_path: Path) -> None:
    text = r"""
$$ F = -k x \tag{1} $$
$$ F = m\ddot x \tag{2} $$
$$ m\ddot x + b\dot x + k x = m g \tag{3} $$
"""
    best = adopted(tmp_path, text).models[0]
    assert (best.name, best.fails) == ("mass_spring", ())
    (document,) = freebody.check(tmp_path / "page_document.md").documents
    found = {one.label: one for one in document.equations}
    assert found["(2)"].status == "not checked"
    assert "here F may be the sum of all forces, as (3)" in found["(2)"].note


def test_a_letter_in_place_of_one_with_an_index_takes_its_number_along(tmp_path: Path) -> None:
    text = r"""
$$ x = l_1\sin\theta_1, \qquad \dot x = l_1\dot\theta_1\cos t1 \tag{1} $$
$$ m l_1^2\ddot\theta_1 + m g l_1\sin\theta_1 = \tau \tag{2} $$
"""
    adopted(tmp_path, text)
    (document,) = freebody.check(tmp_path / "page_document.md").documents
    repairs = [one.latex for verdict in document.equations for one in verdict.repairs]
    assert not any(r"_11" in one for one in repairs)


def test_forces_are_told_before_they_are_said(tmp_path: Path) -> None:
    text = "$$ m a = F $$\n\n$$ m\\ddot x(t) = F $$\n\n$$ m\\ddot x(t) = -k x(t) $$\n"
    best = adopted(tmp_path, text).models[0]
    assert (best.name, "(#3)" in best.fits) == ("mass_spring", True)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("half", "is_sure"), [(r"\tfrac12 m", True), ("m", False)])
def test_letters_are_what_the_page_defines_them_as(
    tmp_path: Path, half: str, is_sure: bool
) -> None:
    text = rf"""
$$ x_p = x + l\sin\theta, \qquad y_p = l\cos\theta, \qquad q_1 = x + 2 l\sin\theta \tag{{1}} $$
$$ K = \tfrac12 M\dot x^2 + {half}(\dot x_p^2 + \dot y_p^2) \tag{{2}} $$
$$ (M+m)\ddot x + m l\ddot\theta\cos\theta - m l\dot\theta^2\sin\theta = F \tag{{3}} $$
$$ l\ddot\theta + \ddot x\cos\theta - g\sin\theta = 0 \tag{{4}} $$
"""
    found = adopted(tmp_path, text)
    assert found.guesses is not None
    told = {one.key: (one.meaning, one.standing) for one in found.guesses.symbols}
    assert told["x_p"] == ("position.pole.x", "sure")
    assert told["y_p"] == ("position.pole.y", "sure")
    assert told["q_1"] == ("2*l*sin(theta) + x", "unsure")
    assert (told["K"] == ("energy.kinetic", "sure")) is is_sure


@pytest.mark.exhaustive
def test_columns_tell_where_something_is_and_what_states_are(tmp_path: Path) -> None:
    columns = r"""
$$ E = \begin{pmatrix} X \\ Y \end{pmatrix}, \qquad
\begin{pmatrix} z_1 \\ z_2 \end{pmatrix} = \begin{pmatrix} s \\ \dot s \end{pmatrix} \tag{5} $$
"""
    found = adopted(tmp_path, CART + columns)
    assert found.guesses is not None
    told = {one.key: (one.meaning, one.standing) for one in found.guesses.symbols}
    assert told["E"] == (["position.pole.x", "position.pole.y"], "sure")
    assert told["z_2"] == ("s_dot", "sure")


@pytest.mark.exhaustive
def test_values_and_small_motions_and_two_meanings_of_a_letter_are_no_failures(
    tmp_path: Path,
) -> None:
    text = r"""
# Motion
$$ L = T - V \tag{1} $$ with $I = \frac13 m L^2$ of a rod of length $2 L$:
$$ (M + m)\ddot x + m L\cos\theta\,\ddot\theta = F + m L\dot\theta^2\sin\theta \tag{2} $$
$$ m L\cos\theta\,\ddot x + (I + m L^2)\ddot\theta = m g L\sin\theta \tag{3} $$
The angle is small, so that
$$ (M + m)\ddot x + m L\ddot\theta = F \tag{4} $$
$$ m L = 0.2 \tag{5} $$
"""
    best, *_ = adopted(tmp_path, text).models
    assert {"(2)", "(3)"} <= {*best.fits}
    assert not best.fails
    wrong = text.replace("dot\\theta^2\\sin", "dot\\theta^2\\cos")
    assert adopted(tmp_path, wrong).models[0].fails == ("(2)",)


def test_a_pendulum_is_told_before_what_its_small_motions_are(tmp_path: Path) -> None:
    text = r"""
$$ \frac{d^2\theta}{dt^2} = -\frac{g}{L}\theta \tag{1} $$
$$ \frac{d^2\theta}{dt^2} = -\frac{g}{L}\sin\theta \tag{2} $$
$$ \dot\theta = \omega, \qquad \dot\omega = -\frac{g}{L}\sin\theta \tag{3} $$
"""
    assert adopted(tmp_path, text).models[0].name == "pendulum"


def test_what_is_held_to_a_curve_that_moves_is_no_free_particle(tmp_path: Path) -> None:
    text = r"""
$$ m\ddot x = -\lambda (x - x_0(t)), \qquad m\ddot y = -\lambda (y - y_0(t)) - m g,
 \qquad (x - x_0(t))^2 + (y - y_0(t))^2 = l^2 $$
"""
    assert not adopted(tmp_path, text).models


def test_particles_that_nothing_holds_are_free(tmp_path: Path) -> None:
    text = r"$$ m\ddot x = -\lambda x, \qquad m\ddot y = -\lambda y - m g $$"
    assert adopted(tmp_path, text).models[0].name == "built"


def test_the_entries_of_a_column_say_where_something_is(tmp_path: Path) -> None:
    text = r"""
$$ \begin{pmatrix} x_1 \\ y_1 \end{pmatrix}
 = \begin{pmatrix} l\sin\theta \\ -l\cos\theta \end{pmatrix} $$
$$ T = \frac12 m(\dot x_1^2 + \dot y_1^2), \qquad V = m g y_1, \qquad L = T - V $$
$$ \ddot\theta = -\frac{g}{l}\sin\theta $$
"""
    found = adopted(tmp_path, text)
    assert found.models[0].symbols["\\theta"] == "theta"
    assert found.guesses is not None
    told = {one.key: one.standing for one in found.guesses.symbols}
    assert told["x_1"] == told["y_1"] == "sure"


@pytest.mark.exhaustive
def test_what_the_page_has_sines_of_is_not_shifted(tmp_path: Path) -> None:
    text = r"""
$$ V = -2 m g a\cos\theta - m g a\cos\phi $$
$$ 2\ddot\theta + \ddot\phi + \frac{2 g}{a}\theta = 0, \qquad
   \ddot\theta + \ddot\phi + \frac{g}{a}\phi = 0 $$
"""
    assert all(one.name != "two_masses" for one in adopted(tmp_path, text).models)


@pytest.mark.exhaustive
def test_what_the_page_says_a_matrix_times_rates_is_is_put_in(tmp_path: Path) -> None:
    text = r"""
$$ M(q)\ddot q + C(q,\dot q)\dot q + G(q) = \begin{bmatrix} 0 \\ \tau \end{bmatrix} $$
$$ M(q) = \begin{bmatrix} a_1 + a_2 + 2 a_3\cos q_2 & a_2 + a_3\cos q_2 \\
   a_2 + a_3\cos q_2 & a_2 \end{bmatrix} $$
$$ C(q,\dot q)\dot q = a_3\sin q_2
   \begin{bmatrix} -2\dot q_1\dot q_2 - \dot q_2^2 \\ \dot q_1^2 \end{bmatrix} $$
$$ G(q) = \begin{bmatrix} b_1\cos q_1 + b_2\cos(q_1+q_2) \\ b_2\cos(q_1+q_2) \end{bmatrix} $$
$$ a_1 = m_1 l_{c1}^2 + m_2 l_1^2 + I_1, \qquad a_2 = m_2 l_{c2}^2 + I_2 $$
$$ a_3 = m_2 l_1 l_{c2}, \qquad b_1 = (m_1 l_{c1} + m_2 l_1) g, \qquad b_2 = m_2 l_{c2} g $$
"""
    best = adopted(tmp_path, text).models[0]
    assert (best.name, best.symbols["l_{c2}"]) == ("acrobot", "lc2")


SOLVED = r"""
$$ M(\theta_1, \theta_2) = \begin{bmatrix}
 m_1 l_1^2 + m_2 (l_1^2 + 2 l_1 l_2\cos\theta_2 + l_2^2) & m_2 (l_1 l_2\cos\theta_2 + l_2^2) \\
 m_2 (l_1 l_2\cos\theta_2 + l_2^2) & m_2 l_2^2 \end{bmatrix} $$

$$ c(\theta_1, \theta_2, \dot\theta_1, \dot\theta_2) = \begin{bmatrix}
 -m_2 l_1 l_2\sin\theta_2\,\dot\theta_2 (2\dot\theta_1 + \dot\theta_2) \\
 m_2 l_1 l_2\sin\theta_2\,\dot\theta_1^2 \end{bmatrix} $$

$$ g(\theta_1, \theta_2) = \begin{bmatrix}
 (m_1 + m_2) l_1 g\cos\theta_1 + m_2 l_2 g\cos(\theta_1 + \theta_2) \\
 m_2 l_2 g\cos(\theta_1 + \theta_2) \end{bmatrix} $$

$$ \ddot\theta = M(\theta_1, \theta_2)^{-1}
 (\tau - c(\theta_1, \theta_2, \dot\theta_1, \dot\theta_2) - g(\theta_1, \theta_2)) $$
"""


@pytest.mark.exhaustive
def test_columns_stand_in_brackets_behind_a_matrix_and_g_for_two_things(tmp_path: Path) -> None:
    page = tmp_path / "arm.md"
    page.write_text(SOLVED)
    made = freebody.adopt(page, force=True)
    assert made.models[0].name == "two_link"
    assert {one.symbol: one.meaning for one in made.symbols}["g"] == "g"


@pytest.mark.exhaustive
def test_gravity_terms_are_set_out_without_what_they_depend_on(tmp_path: Path) -> None:
    text = r"""
$$ M(q)\ddot q + C(q, \dot q)\dot q + g(q) = \tau \tag{1} $$
$$ M = \begin{bmatrix} a_1 + 2 a_2\cos q_2 & a_3 + a_2\cos q_2 \\
 a_3 + a_2\cos q_2 & a_3 \end{bmatrix} $$
$$ C = \begin{bmatrix} -a_2\dot q_2\sin q_2 & -a_2(\dot q_1 + \dot q_2)\sin q_2 \\
 a_2\dot q_1\sin q_2 & 0 \end{bmatrix} $$
$$ g = \begin{bmatrix} a_4\cos q_1 + a_5\cos(q_1 + q_2) \\ a_5\cos(q_1 + q_2) \end{bmatrix} $$
"""
    best = adopted(tmp_path, text).models[0]
    assert (best.name, best.fits, best.fails) == ("two_link_by_sums", ("(1)",), ())


def test_a_function_of_lyapunov_is_no_potential_energy(tmp_path: Path) -> None:
    text = r"""
$$ m l^2\ddot\theta + m g l\sin\theta = \tau $$
$$ V = \frac12 k_D\dot\theta^2 + \frac12 k_P\theta^2, \qquad K = [k_1, k_2], \qquad T = k_T\tau $$
"""
    best = adopted(tmp_path, text).models[0]
    assert best.symbols["m"] == "m"
    assert not best.fails


def test_two_letters_for_one_thing_prove_nothing_together(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(r"""
The sled has the angle $\theta$ on a track of radius $R$,
$$ \ddot\theta = -\frac{g}{R}\sin\theta $$
and the ball turns with $\Omega$, where $r$ is its radius:
$$ \Omega r = \dot\theta R $$
""")
    found = {one.symbol: one for one in freebody.adopt(path, force=True).symbols}
    assert found[r"\Omega"].meaning == "angular velocity or frequency"
    assert found["r"].meaning == "length"


def test_what_the_page_says_counts_where_the_model_leaves_a_letter_open(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(r"""
The pendulum has the kinetic energy $T$ and the potential energy $V$, a plate adds to both.
$$ T = \tfrac12 m l^2\dot\theta^2 + T_p \qquad V = -m g l\cos\theta + V_p $$
$$ \mathcal{L} = T - V \qquad m l^2\ddot\theta + m g l\sin\theta = 0 $$
""")
    found = {one.symbol: one for one in freebody.adopt(path, force=True).symbols}
    assert all(found[key].is_sure for key in ("T", "V", r"\mathcal{L}"))


def test_where_something_is_at_rest_is_no_equation_of_motion(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(r"""
$$ m\ddot z = F - m g \tag{1} $$
$$ J\ddot\theta = l F\sin\theta \tag{2} $$
At first the body hovers:
$$ \dot z = \ddot z = \dot\theta = \ddot\theta = 0 $$
""")
    (fit, *_) = freebody.adopt(path, force=True).models
    assert fit.fits == ("(1)", "(2)")
    assert not fit.fails


def test_accelerations_that_a_law_of_motion_ties_are_not_put_in_as_rolling(tmp_path: Path) -> None:
    page = tmp_path / "wedge.md"
    page.write_text(r"""
$$ L = \frac12 (M + m)\dot X^2 + \frac12 m\dot q^2 - m\cos\theta\dot X\dot q + m g q\sin\theta $$

$$ (M + m)\ddot X - m\cos\theta\,\ddot q = 0
 \implies \ddot X = \frac{m}{M + m}\cos\theta\,\ddot q $$

$$ \ddot q - \cos\theta\,\ddot X = g\sin\theta $$
""")
    made = freebody.adopt(page, force=True)
    assert made.models
    assert not made.models[0].fails
    assert {"(#1)", "(#2.1)", "(#2.2)", "(#3)"} <= {*made.models[0].fits}


@pytest.mark.exhaustive
def test_matrices_that_are_printed_by_their_entries_make_equations_of_motion(
    tmp_path: Path,
) -> None:
    text = r"""
$$ D(q)\ddot q + C(q,\dot q)\dot q + G(q) = \tau \tag{1} $$
$$ d_{11} = I_1 + I_2 + m_1 l_{c1}^2 + m_2 (l_1^2 + l_{c2}^2 + 2 l_1 l_{c2}\cos\theta_2) \tag{2} $$
$$ d_{12} = d_{21} = I_2 + m_2 (l_{c2}^2 + l_1 l_{c2}\cos\theta_2), \quad
   d_{22} = I_2 + m_2 l_{c2}^2 \tag{3} $$
$$ c_{11} = h\dot\theta_2, \quad c_{12} = h(\dot\theta_1 + \dot\theta_2), \quad
   c_{21} = -h\dot\theta_1, \quad c_{22} = 0, \quad h = -m_2 l_1 l_{c2}\sin\theta_2 \tag{4} $$
$$ g_1 = (m_1 l_{c1} + m_2 l_1) g\cos\theta_1 + m_2 l_{c2} g\cos(\theta_1 + \theta_2), \quad
   g_2 = m_2 l_{c2} g\cos(\theta_1 + \theta_2) \tag{5} $$
"""
    best = adopted(tmp_path, text).models[0]
    assert (best.name, best.fails) == ("two_link", ())
    assert "(1)" in best.fits


def test_what_is_printed_without_friction_first_is_no_other_mechanism(tmp_path: Path) -> None:
    page = (
        r"$$ \Theta\ddot\varphi + D\varphi = 0 $$ and with friction"
        "\n\n"
        r"$$ \Theta\ddot\varphi + \delta\dot\varphi + D\varphi = 0 $$"
    )
    assert {one.fits for one in adopted(tmp_path, page).models} == {("(#2)",)}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("height", [r"\mathbf{p}_{1,y}", "p_{1y}", r"\mathbf{p}_{y1}"])
def test_a_component_is_that_of_the_column_along_its_axis(tmp_path: Path, height: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(rf"""
$$ \mathbf{{p}}_1 = \begin{{bmatrix}} x + l\sin\theta \\ l\cos\theta \end{{bmatrix}} \tag{{1}} $$

$$ T = \frac12 M\dot x^2 + \frac12 J\dot\theta^2
   + \frac12 m\mathbf{{\dot p}}_1^T\mathbf{{\dot p}}_1 \tag{{2}} $$

$$ V = m g\,{height} \tag{{3}} $$
""")
    best = freebody.adopt(page).models[0]
    assert (best.name, best.varied) == ("cart_pendulum", "rigid bodies")
    assert {"(2)", "(3)"} <= {*best.fits}


def test_r_may_be_the_friction_of_a_spring(tmp_path: Path) -> None:
    best = adopted(tmp_path, r"$$ m\ddot y + r\dot y + k y = F $$").models[0]
    assert (best.name, best.fits) == ("mass_spring", ("(#1)",))


@pytest.mark.exhaustive
def test_what_acts_besides_is_told_beside_a_lagrangian(tmp_path: Path) -> None:
    """Where energies come first, and angles are counted from upright."""
    page = tmp_path / "page.md"
    page.write_text(FURUTA_FROM_UPRIGHT)
    best, *_ = recognise(read_bare(page, "none")).models
    assert {"(2)", "(3)"} <= {*best.fits}
    assert best.fails == ()
    model, symbols = best.made.model, best.made.symbols
    titles = {name: one.title for name, one in {**model.constants, **model.inputs}.items()}
    assert titles[str(symbols["b"])] == "friction along " + str(symbols[r"\alpha"])
    assert titles[str(symbols[r"\tau_2"])].startswith("torque along")
    assert {"c", r"\tau_1"} <= symbols.keys()


def test_a_rod_has_its_length_and_not_where_its_centre_of_mass_is(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(r"$$ \tfrac13 m l^2\ddot\theta + \tfrac12 m g l\sin\theta = 0 $$")
    model = recognise(read_bare(page, "none")).models[0].made.model
    assert [one.title for one in model.constants.values() if one.unit == "m"] == ["length of link"]


def _standing_in(fits: str, moved: str) -> Recognised:
    """Return what counts of a model: the equations that hold in it, and those of motion."""
    rows = [SimpleNamespace(labels=(label,)) for label in moved]
    system = SimpleNamespace(coordinates=("x", "theta"), rows=rows)
    return cast("Recognised", SimpleNamespace(system=system, fits=tuple(fits), fails=()))


def test_a_model_of_a_misprint_comes_behind_one_in_which_more_equations_of_motion_hold() -> None:
    assert not _tells_more(_standing_in("abcd", "dg"), _standing_in("aefg", "efg"))
    assert _tells_more(_standing_in("abcd", "d"), _standing_in("aef", "g"))


def test_a_second_document_of_a_page_has_a_model_of_its_own(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(r"$$ m l\ddot\theta + b\dot\theta + m g\sin\theta = \tau $$", encoding="utf-8")
    freebody.adopt(page)
    second = freebody.adopt(page, path=tmp_path / "other.md")
    assert second.model_path == tmp_path / "other_model.toml"
    assert (tmp_path / "page_model.toml").exists()


def test_a_value_of_the_page_that_a_model_divides_by_nothing_with_is_no_failure(
    tmp_path: Path,
) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        r"""
$a = \dot{v} = \ddot{s}$

$$m \ddot{s} + D s = 0$$

$\varphi = \sin{(\omega t)}$ and
$\ddot{\varphi} = -\omega^2 \sin{(\omega t)} = - \omega^2 \varphi$

$$J \omega ^2 = m g l \quad \Leftrightarrow \quad \omega = \sqrt{\frac{m g l}{J}}$$

with $a=l$ $$\varphi \approx \sin{(\varphi)} = \frac{s}{l}$$

$\omega = \frac{2 \pi}{T_0}$ and $t=T_0$ and $s(t) = \cos{(\omega t)}$
""",
        encoding="utf-8",
    )
    assert freebody.adopt(page).models


def test_sections_for_coordinates_that_are_coupled_are_of_one_mechanism(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        r"""
# Two masses on springs

$$ T = \tfrac12 m_1\dot x_1^2 + \tfrac12 m_3\dot y_3^2, \quad
   V = \tfrac12 K x_1^2 + \tfrac12 k(y_3 - x_1)^2 - m_3 g y_3 $$

## For $q_1 = x_1$

$$ m_1\ddot x_1 = -K x_1 + k(y_3 - x_1) $$

## For $q_2 = y_3$

$$ m_3\ddot y_3 = m_3 g - k(y_3 - x_1) $$
""",
        encoding="utf-8",
    )
    found = freebody.adopt(page)
    assert not found.chapters
    assert {"(#2)", "(#3)"} <= {*found.models[0].fits}
