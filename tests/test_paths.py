r"""What a page prints of a motion in time: velocities and accelerations are its derivatives."""

from __future__ import annotations

from pathlib import Path

import pytest

import freebody
from formulas_alone import verdicts

FALL = (r"\ddot y = -g", r"\dot y = v_0 - g t", r"y = y_0 + v_0 t - \frac{1}{2} g t^2")
WAVE = (
    r"m\ddot x + k x = 0", r"x = A\cos(\omega t) + B\sin(\omega t)",
    r"\dot x = -A\omega\sin(\omega t) + B\omega\cos(\omega t)",
    r"\ddot x = -A\omega^2\cos(\omega t) - B\omega^2\sin(\omega t)",
)  # fmt: skip
DECAY = (
    r"\ddot u = -d\,\ddot x", r"\ddot x = c e^{-b t/a}", r"\ddot u = -d\,\ddot x = -c d e^{-b t/a}",
    r"\dot u = \frac{a c d}{b} e^{-b t/a} + K",
)  # fmt: skip


def told(folder: Path, formulas: tuple[str, ...]) -> dict[str, tuple[str, list[str]]]:
    return {
        label: (one.status, [repair.latex for repair in one.repairs])
        for label, one in verdicts(folder, formulas).items()
    }


@pytest.mark.parametrize(
    ("formulas", "labels"),
    [
        (FALL, {"(#1)", "(#2)", "(#3)"}),
        (WAVE, {"(#2)", "(#3)", "(#4)"}),
        (DECAY, {"(#3.2)", "(#4)"}),
    ],
    ids=["fall", "wave", "decay"],
)
def test_what_is_printed_of_one_motion_follows(
    tmp_path: Path, formulas: tuple[str, ...], labels: set[str]
) -> None:
    found = told(tmp_path, formulas)
    assert labels <= {label for label, (status, _) in found.items() if status == "consistent"}
    assert "contradicts" not in {status for status, _ in found.values()}


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("formulas", "place", "right", "wrong"),
    [
        (FALL, 2, r"\frac{1}{2} g", r"\frac{1}{3} g"),
        (FALL, 2, "- ", "+ "),
        (WAVE, 2, r"B\omega\cos", r"B\omega\sin"),
        (WAVE, 3, r"- B\omega^2", r"+ B\omega^2"),
        (DECAY, 3, r"{a c d}", r"{a d d}"),
    ],
)
def test_a_misprint_in_one_of_them_is_told_with_its_repair(
    tmp_path: Path, formulas: tuple[str, ...], place: int, right: str, wrong: str
) -> None:
    assert formulas[place].count(right) == 1
    printed = [*formulas]
    printed[place] = printed[place].replace(right, wrong)
    found = told(tmp_path, tuple(printed))
    accused = {label: repairs for label, (status, repairs) in found.items() if repairs}
    assert accused.keys() == {f"(#{place + 1})"}
    (repairs,) = accused.values()
    assert formulas[place] in repairs


@pytest.mark.parametrize(
    "formulas",
    [
        (r"\ddot y = -g", r"\dot y = v_0 - g t", r"y = -\frac{1}{2} g t^2"),
        (*WAVE[:2], r"\dot x = -A\omega\sin(\omega t)"),
        (WAVE[0], r"x = A\cos(\omega t)", r"\dot x = -A\omega\sin(\omega t + \phi)"),
        (r"\ddot x = -k x", "x = x_0", r"\dot x = v_0"),
    ],
    ids=["from rest", "another start", "another phase", "where it begins"],
)
def test_motions_of_two_cases_do_not_contradict_each_other(
    tmp_path: Path, formulas: tuple[str, ...]
) -> None:
    assert "contradicts" not in {status for status, _ in told(tmp_path, formulas).values()}


CHAIN = r"""# A damped oscillator

$$ \gamma = \frac{b}{m} $$
$$ m\ddot x = -k x - b\dot x $$
$$ x(t) = \frac{F}{k} + A e^{-\gamma t/2}\cos(\nu t + \phi) $$
$$ v(t) = \dot x(t)
   = -A e^{-\gamma t/2}(\nu\sin(\nu t + \phi) + \frac{\gamma}{2}\cos(\nu t + \phi)) $$
$$ a(t)
   = \frac{d}{dt}(-A e^{-\gamma t/2}(\nu\sin(\nu t + \phi) + \frac{\gamma}{2}\cos(\nu t + \phi))) $$
$$ a(t)
= A e^{-\gamma t/2}((\frac14\gamma^2 - \nu^2)\cos(\nu t + \phi) + \gamma\nu\sin(\nu t + \phi)) $$
"""


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("printed", "wrong"), [("", ""), (r"A e^{-\gamma t/2}(\nu\sin", r"A e^{-\gamma t/2}(-\nu\sin")]
)
def test_each_side_of_a_chain_has_its_path(tmp_path: Path, printed: str, wrong: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(CHAIN.replace(printed, wrong, 1) if printed else CHAIN, encoding="utf-8")
    (report,) = freebody.alone(page).documents
    found = {one.label: one for one in report.equations}
    accused = {one.wrong for one in report.equations if one.status == "contradicts"}
    assert accused == ({"(#4.2)"} if printed else set())
    assert found["(#6)"].status == "consistent"
