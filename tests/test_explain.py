"""Worked derivations: every line of them holds, and what is not explained is refused."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy
from click.testing import CliRunner

import freebody
from freebody.cli import main
from freebody.documents import read_document
from freebody.errors import DerivationError, SimulationError
from freebody.explaining import Derivation, explain
from freebody.explaining.angles import in_angles
from freebody.explaining.document import verified
from freebody.explaining.layout import broken
from freebody.explaining.numbers import rounded
from freebody.explaining.widths import length
from freebody.model.printed import printed_names

PENDULUM = Path(__file__).parents[1] / "models" / "pendulum" / "model.toml"

METHODS = ("newton_euler", "lagrange", "kane")
CRANE = """
title = "Crane: a trolley, a cable that is wound, a load"
gravity = [0, "-g", 0]
[coordinates]
x = { title = "trolley", unit = "m", initial = 0.2 }
s = { title = "cable", unit = "m", initial = 1.5 }
phi = { title = "angle of the cable", unit = "rad", initial = 0.3 }
[inputs]
F = { title = "drive", unit = "N" }
W = { title = "winch", unit = "N" }
[constants]
mt = { title = "trolley mass", unit = "kg", value = 20 }
ml = { title = "load mass", unit = "kg", value = 80 }
g = { title = "gravity", unit = "m/s**2", value = 9.81 }
[[bodies]]
name = "trolley"
mass = "mt"
[[bodies]]
name = "cable"
mass = 0
[[bodies]]
name = "load"
mass = "ml"
[[joints]]
name = "rail"
type = "slider"
parent = "ground"
child = "trolley"
displacement = "x"
force = "F"
[[joints]]
name = "swing"
type = "pin"
parent = "trolley"
child = "cable"
angle = "phi"
[[joints]]
name = "winch"
type = "slider"
parent = "cable"
child = "load"
axis = [0, -1, 0]
displacement = "s"
force = "-W"
[[dampers]]
joint = "swing"
damping = 2
"""


CASES = [
    *(("cart_pendulum", method) for method in METHODS),
    ("pendulum", "newton_euler"),
    ("slider_crank", "newton_euler"),
    ("spinning_top", "kane"),
    ("elastic_pendulum", "lagrange"),
    ("two_link_muscles", "newton_euler"),
]


@cache
def explained(model: str, method: Any) -> Derivation:
    return explain(model, method)


@pytest.mark.exhaustive("spinning_top-kane", "elastic_pendulum-lagrange")
@pytest.mark.few("pendulum", "spinning_top", "elastic_pendulum")
@pytest.mark.parametrize(("model", "method"), CASES)
def test_every_equation_of_a_derivation_holds(model: str, method: Any, tmp_path: Path) -> None:
    path = tmp_path / "derivation.md"
    derivation = explained(model, method)
    derivation.save(path)
    (report,) = freebody.check(path).documents
    assert dict(report.counts()) == {"holds": len(report.equations)}
    assert len(report.equations) >= len(derivation.equations) > 20
    assert not [*report.unused, *report.passed_over, *report.inline, *report.undeclared]


@pytest.mark.exhaustive
@pytest.mark.few("lagrange")
@pytest.mark.parametrize("method", METHODS[:2])
def test_a_model_of_ones_own(method: Any, tmp_path: Path) -> None:
    (tmp_path / "crane.toml").write_text(CRANE, encoding="utf-8")
    path = tmp_path / "crane.md"
    explain(tmp_path / "crane.toml", method, short=True).save(path)
    assert freebody.check(path).agrees


BLOCK = """
title = "A block on a spring that is slack where it starts"
[coordinates]
x = { title = "place", unit = "m", initial = 1 }
[constants]
m = { title = "mass", unit = "kg", value = 1 }
k = { title = "stiffness", unit = "N/m", value = 10 }
s = { title = "length", unit = "m", value = 1 }
[[bodies]]
name = "block"
mass = "m"
[[joints]]
name = "rail"
type = "slider"
parent = "ground"
child = "block"
axis = "x"
displacement = "x"
[[springs]]
between = [{ on = "ground" }, { on = "block" }]
stiffness = "k"
rest = "s"
"""


@pytest.mark.exhaustive
def test_a_force_that_is_nought_at_the_start_vanishes_there_alone(tmp_path: Path) -> None:
    (tmp_path / "block.toml").write_text(BLOCK, encoding="utf-8")
    equations = explain(tmp_path / "block.toml", "lagrange").equations.values()
    assert r"E_{1} = 0.000\,\mathrm{N}" in equations
    assert any(r"\left|x\right|" in one for one in equations)


@pytest.mark.exhaustive
def test_what_was_changed_in_a_derivation_is_found(tmp_path: Path) -> None:
    path = tmp_path / "derivation.md"
    explained("pendulum", "lagrange").save(path)
    text = path.read_text("utf-8")
    changed = text.replace(r"G_{1} = m g d \sin\theta", r"G_{1} = m g d \cos\theta")
    assert changed != text
    path.write_text(changed, encoding="utf-8")
    (report,) = freebody.check(path).documents
    assert report.counts()["differs"] == 1


@pytest.mark.exhaustive
def test_a_derivation_ends_at_the_equations_of_motion() -> None:
    derivation = explained("two_link", "newton_euler")
    assert any(
        latex.startswith("M_{12} = ") and r"\cos\alpha_{2}" in latex
        for latex in derivation.equations.values()
    )
    assert list(derivation.figures) == ["system", "body1", "body2"]


@pytest.mark.exhaustive
def test_abbreviations_are_explained_before_they_are_used() -> None:
    equations = explain("two_link", "lagrange", steps="main", short=True).equations
    assert equations["A1"] == r"c_{12} = \cos(\alpha_{1} + \alpha_{2})"
    assert r"\cos" not in "".join(one for label, one in equations.items() if label[0] != "A")


@pytest.mark.exhaustive
def test_fewer_steps_are_printed_where_the_main_ones_are_asked_for() -> None:
    main_ones = explain("pendulum", "lagrange", steps="main")
    assert len(main_ones.equations) < len(explained("pendulum", "lagrange").equations)


@pytest.mark.parametrize(
    ("model", "method", "message"),
    [
        ("chaplygin_sleigh", "newton_euler", "a constraint that is an expression"),
        ("chaplygin_sleigh", "lagrange", "speeds of its own"),
    ],
)
def test_what_is_not_explained_is_refused(model: str, method: Any, message: str) -> None:
    with pytest.raises(DerivationError, match=f"not explained: by {method}.*{message}"):
        explain(model, method)


@pytest.mark.exhaustive
def test_numbers_that_cannot_be_checked_are_left_out_and_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def too_large(*given: Any) -> Any:
        report = verified(*given)
        (last,) = report.equations[-1:]
        lost = replace(last, status="unreadable", note="it is too large to be written out")
        return replace(report, equations=(*report.equations[:-1], lost))

    whole = explain("pendulum", "kane")
    monkeypatch.setattr("freebody.explaining.derivation.verified", too_large)
    derivation = explain("pendulum", "kane")
    assert whole.equations.keys() - derivation.equations.keys() == {str(len(whole.equations))}
    assert "1 of them are left out: they are too large to be checked" in derivation.markdown
    _, _, after = derivation.front_matter("pendulum").partition("[symbols]")
    assert str(len(whole.equations)) not in after


def test_an_equation_that_does_not_hold_is_never_given_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*given: Any) -> Any:
        report = verified(*given)
        first = replace(report.equations[0], status="differs")
        return replace(report, equations=(first, *report.equations[1:]))

    monkeypatch.setattr("freebody.explaining.derivation.verified", wrong)
    with pytest.raises(DerivationError, match="not found to hold"):
        explain("pendulum", "kane")


@pytest.mark.exhaustive
def test_joints_that_share_a_coordinate_have_no_free_bodies(tmp_path: Path) -> None:
    text = CRANE.replace('displacement = "s"', 'displacement = "2*x"').replace(
        's = { title = "cable", unit = "m", initial = 1.5 }', ""
    )
    (tmp_path / "crane.toml").write_text(text, encoding="utf-8")
    with pytest.raises(DerivationError, match="joints share coordinates"):
        explain(tmp_path / "crane.toml")
    assert "body1" not in explain(tmp_path / "crane.toml", "kane").figures


@pytest.mark.exhaustive
def test_a_model_made_in_python_is_written_beside_its_derivation(tmp_path: Path) -> None:
    model = freebody.load("pendulum").model_copy(update={"title": "Another"})
    written = explain(model, "lagrange").save(tmp_path / "page.md")
    assert tmp_path / "page_model.toml" in written
    assert freebody.check(tmp_path / "page.md").agrees
    assert read_document(tmp_path / "page.md").front.model == "page_model.toml"


def test_the_command_writes_a_page_with_pictures(tmp_path: Path) -> None:
    path = tmp_path / "d.md"
    told = CliRunner().invoke(main, ["explain", "pendulum", "--method", "kane", "-o", str(path)])
    assert told.exit_code == 0, told.output
    assert "all of them hold" in told.output
    pictures = re.findall(r"\]\((.*?)\)", path.read_text("utf-8"))
    assert pictures == ["d_figures/system.svg", "d_figures/body1.svg"]
    for picture in pictures:
        assert (tmp_path / picture).read_text("utf-8").startswith("<?xml")
        assert (tmp_path / picture).with_suffix(".pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.exhaustive
def test_the_command_prints_what_is_not_written() -> None:
    told = CliRunner().invoke(main, ["explain", "pendulum", "--steps", "main"])
    assert "## Free-body diagrams" in told.output


def test_another_ending_is_refused(tmp_path: Path) -> None:
    told = CliRunner().invoke(main, ["explain", "pendulum", "-o", str(tmp_path / "d.docx")])
    assert told.exit_code == 1
    assert "ends in" in told.output


@pytest.mark.exhaustive
@pytest.mark.few("ipynb")
@pytest.mark.parametrize("ending", ["tex", "ipynb"])
def test_other_containers_are_documents_too(ending: str, tmp_path: Path) -> None:
    derivation = explain("pendulum", "lagrange")
    derivation.save(tmp_path / f"d.{ending}")
    (report,) = freebody.check(tmp_path / f"d.{ending}").documents
    assert dict(report.counts()) == {"holds": len(report.equations)}
    assert len(report.equations) >= len(derivation.equations)


def test_a_page_for_a_browser_stands_alone(tmp_path: Path) -> None:
    derivation = explain("pendulum", "kane")
    (path,) = derivation.save(tmp_path / "d.html")
    text = path.read_text("utf-8")
    assert text.count("<svg") == len(derivation.figures)
    assert text.count('class="row"') == len(derivation.equations)
    assert not re.search(
        r'class="latex"|<script|src="|https?://(?!www\.w3|purl|creativecommons)', text
    )


@pytest.mark.exhaustive
def test_symbols_of_a_document_are_borrowed() -> None:
    derivation = explain("two_link", "lagrange", symbols="duarte_two_link")
    assert any("M(q)" in key or key.startswith("M_") for key in derivation.page.notation.declared)
    latex = " ".join(derivation.equations.values())
    assert r"\dot{\alpha}_1" in latex
    assert r"\alpha_{1}" not in latex


@pytest.mark.exhaustive
def test_angles_are_those_that_the_reader_wants() -> None:
    other, relations = in_angles(freebody.load("two_link"), "absolute")
    values = {"alpha1": 0.3, "alpha2": 0.7, "theta1": 0.3, "theta2": 1.0}
    masses = [_number(freebody.derive(one).M, values) for one in ("two_link", other)]
    turned = np.array([[1.0, 0.0], [-1.0, 1.0]])  # alpha = turned @ theta
    np.testing.assert_allclose(turned.T @ masses[0] @ turned, masses[1])
    assert [str(one.value) for one in relations] == ["theta1", "-theta1 + theta2"]
    assert in_angles(freebody.load("pendulum"), "absolute")[1] == ()
    pages = explain("pendulum", "lagrange", angles="absolute", steps="main").equations
    assert pages == explain("pendulum", "lagrange", steps="main").equations


def _number(matrix: Any, values: dict[str, float]) -> Any:
    atoms = [*matrix.free_symbols, *matrix.atoms(sympy.core.function.AppliedUndef)]
    known = {one: values.get(str(one).removesuffix("(t)"), 0.5) for one in atoms}
    return np.array(matrix.xreplace(known), dtype=float)


def test_angles_that_cannot_be_changed_are_told() -> None:
    with pytest.raises(DerivationError, match="angles: expected pins about one axis"):
        explain("spinning_top", angles="absolute")


@pytest.mark.exhaustive
def test_springs_and_dampers_have_names_in_free_bodies() -> None:
    labels = _labels(explain("runner_two_mass", steps="main"), "body2")
    assert any("F_{s}" in one and "F_{d}" in one for one in labels)


def _labels(derivation: Derivation, figure: str) -> list[str]:
    return [text.get_text() for text in derivation.figures[figure].axes[0].texts]


def test_a_document_that_is_not_there_is_told() -> None:
    with pytest.raises(freebody.ArgumentError, match=r"planar_2r.*found 'duarte'"):
        explain("two_link", symbols="duarte")


# ---------------------------------------------------------------------- notation


def test_names_are_printed_as_letters_with_indices() -> None:
    known = printed_names(freebody.load("three_link_arm"))
    assert known["FS"] == "F_{S}"
    assert known["alpha1"] == r"\alpha_{1}"
    assert known["body_mass"] == r"\mathrm{body}_{\mathrm{mass}}"
    assert len(set(known.values())) == len(known)


def test_long_equations_are_broken_before_signs() -> None:
    text = broken(["M_{11}", " + ".join(f"m_{{{i}}} l_{{{i}}}" for i in range(40))])
    assert text.startswith(r"\begin{aligned}")
    assert max(length(line) for line in text.splitlines()) < 95


@pytest.mark.parametrize("value", [0.31396, -1234.5, 2.5e-7, 0.02, 99999.0, 1e9])
def test_rounded_numbers_are_within_half_of_their_last_digit(value: float) -> None:
    shown = rounded(value).replace(r" \times 10^{", "e").rstrip("}")
    assert float(shown) == pytest.approx(value, rel=1e-3)
    assert "." in shown


# ---------------------------------------------------------------------- drawings


@pytest.mark.exhaustive("two_link-newton_euler", "spinning_top-kane")
@pytest.mark.parametrize(("model", "method"), [("two_link", "newton_euler"), *CASES[-3:-1]])
def test_labels_do_not_collide(model: str, method: Any) -> None:
    for name, figure in explained(model, method).figures.items():
        renderer = figure.canvas.get_renderer()
        texts = figure.axes[0].texts
        boxes = [text.get_window_extent(renderer) for text in texts]
        for (one, first), (other, second) in combinations(zip(texts, boxes, strict=True), 2):
            overlap = first.x0 < second.x1 and second.x0 < first.x1
            overlap &= first.y0 < second.y1 and second.y0 < first.y1
            assert not overlap, (name, one.get_text(), other.get_text())
        width, height = figure.get_size_inches() * figure.dpi
        assert all(np.array([box.x0, box.y0]).min() >= 0 for box in boxes)
        assert all(box.x1 <= width and box.y1 <= height for box in boxes)


@pytest.mark.exhaustive
def test_every_force_of_a_balance_is_named_in_its_diagram() -> None:
    derivation = explained("two_link", "newton_euler")
    named = {text.get_text().strip("$") for text in derivation.figures["body2"].axes[0].texts}
    wanted = {"R_{2x}", "R_{2y}", "T_{2}", "F_{ex}", "F_{ey}", "m_{2} g"}
    assert wanted <= named


@pytest.mark.exhaustive
def test_the_front_matter_is_that_of_a_document() -> None:
    front = explained("pendulum", "lagrange").front_matter("pendulum")
    assert json.loads(front.splitlines()[1].partition("= ")[2]) == "pendulum"


@pytest.mark.exhaustive
def test_a_page_elsewhere_takes_its_model_along(tmp_path: Path) -> None:
    (tmp_path / "model.toml").write_text(PENDULUM.read_text("utf-8"), "utf-8")
    page = tmp_path / "pages" / "derivation.md"
    page.parent.mkdir()
    written = explain(tmp_path / "model.toml").save(page)
    assert page.with_name("derivation_model.toml") in written
    assert freebody.check(page).exit_code == 0


@pytest.mark.exhaustive
def test_a_page_of_the_model_as_it_was_keeps_no_model_from_moving(tmp_path: Path) -> None:
    model, page = tmp_path / "model.toml", tmp_path / "derivation.md"
    model.write_text(PENDULUM.read_text("utf-8"), "utf-8")
    explain(model).save(page)
    run = freebody.simulate(model, 0.02)
    assert "nothing differs" in run.provenance["checked"]
    model.write_text(model.read_text("utf-8").replace('inertia = "I"', 'inertia = "2*I"'), "utf-8")
    run = freebody.simulate(model, 0.02)
    told = "left aside: derivation.md, derived before the model was changed"
    assert told in run.provenance["checked"]
    assert freebody.check(page).exit_code == 1
    text = page.read_text("utf-8")
    page.write_text(re.sub("derived_from = .*\n", "", text), "utf-8")
    with pytest.raises(SimulationError, match="go on without a check"):
        freebody.simulate(model, 0.02)
