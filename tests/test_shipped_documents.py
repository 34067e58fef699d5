"""The documents shipped beside the models: each checks as it is recorded."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import freebody
from freebody.checking.quantities.derived import Quantities
from freebody.checking.report import DocumentReport, EquationVerdict, Report
from freebody.checking.verdicts import Checker
from freebody.documents import read_document

MODELS = Path(__file__).parents[1] / "models"


class Found(NamedTuple):
    """How many equations of a page hold or are left aside, and which of them differ."""

    holds: int
    unchecked: int = 0
    differs: tuple[str, ...] = ()


PAGES = {
    "acrobot/ctc_2023": Found(
        19,
        unchecked=1,
        differs=(
            "(entries.1)",
            "(V2.2)",
            "(V.2)",
        ),
    ),
    "acrobot/spong_1995": Found(35),
    "acrobot/tedrake_2020": Found(26),
    "arm_3d/by_hand": Found(52),
    "arm_3d/watanabe_kinetics_3d": Found(27, unchecked=1),
    "cart_double_pendulum/bogdanov_2004": Found(41),
    "cart_double_pendulum/sadeq_2025": Found(
        39,
        differs=(
            "(I1)",
            "(entries.1)",
            "(entries.2)",
            "(entries.3)",
            "(C)",
            "(C entries.1)",
            "(C entries.2)",
            "(C entries.3)",
            "(C entries.4)",
            "(G entries.1)",
            "(G entries.2)",
            "(G entries.3)",
            "(G entries.4)",
            "(M0)",
        ),
    ),
    "cart_pendulum/florian_2007": Found(27),
    "cart_pendulum/hightechif": Found(36, unchecked=3),
    "cart_pendulum/newton_2017": Found(
        25,
        unchecked=9,
        differs=(
            "(5)",
            "(6.1)",
            "(6.2)",
            "(6.3)",
            "(6.4)",
            "(6.5)",
            "(6.6)",
            "(2.5.1)",
            "(2.5.2)",
            "(2.5.3)",
            "(2.5.4)",
            "(2.7.2)",
        ),
    ),
    "cart_pendulum/robotics_laboratory": Found(
        25,
        unchecked=2,
        differs=(
            "(10.2)",
            "(11.1)",
        ),
    ),
    "chaplygin_sleigh/bloch": Found(26),
    "chaplygin_sleigh/or_tenenbaum": Found(
        34,
        unchecked=8,
        differs=(
            "(lambda)",
            "(S dot)",
        ),
    ),
    "double_pendulum/watanabe_duarte": Found(
        20,
        differs=(
            "(code G)",
            "(values.2)",
        ),
    ),
    "double_pendulum/wikipedia": Found(16, unchecked=3),
    "elastic_pendulum/by_hand": Found(34),
    "elastic_pendulum/coupled_oscillator": Found(26, unchecked=8),
    "elastic_pendulum/tedrake_slip": Found(5),
    "four_bar/norton": Found(44),
    "four_bar/relative_angles": Found(
        7,
        differs=(
            "(5)",
            "(6)",
        ),
    ),
    "furuta_pendulum/cazzolato_prime_2011": Found(45),
    "furuta_pendulum/rotary_report_2026": Found(93),
    "gimbal_rotor/angular_momentum": Found(31),
    "hanging_double_pendulum/gribble_kistemaker_2012": Found(27, unchecked=7),
    "leg_sagittal/by_hand": Found(49),
    "one_link/duarte_one_link": Found(31, differs=("(VC.1)",)),
    "pendulum/gribble_kistemaker_2012": Found(21),
    "pendulum/jayaweera": Found(
        3,
        differs=(
            "(#2.1)",
            "(#3)",
            "(#4.2)",
            "(#5.1)",
            "(#5.2)",
        ),
    ),
    "rolling_disc/euler_disk_2023": Found(7, unchecked=7, differs=("(A)",)),
    "rolling_disc/sympy_documentation": Found(49),
    "runner_four_mass/liu_nigg": Found(28, unchecked=1),
    "runner_one_mass/by_hand": Found(17, unchecked=1),
    "runner_two_mass/by_hand": Found(21, unchecked=1),
    "slider_crank/alcocer_2026": Found(
        26,
        unchecked=3,
        differs=(
            "(standard)",
            "(velocity)",
            "(compact)",
            "(acceleration)",
            "(expanded)",
            "(inertia.2)",
            "(simplified)",
        ),
    ),
    "slider_crank/free_bodies": Found(34),
    "slip_stance/blickhan_1989": Found(20),
    "spinning_top/goldstein": Found(27),
    "spinning_top/gyroscope_lecture": Found(
        18,
        unchecked=4,
        differs=(
            "(free.2)",
            "(free.3)",
            "(free.4)",
            "(free.5)",
            "(free.6)",
            "(parts.3)",
            "(H.3)",
        ),
    ),
    "spinning_top/pycav_gyroscope": Found(6),
    "standing_human/by_hand": Found(40),
    "standing_human/tedrake_compass_gait": Found(6),
    "three_link_arm/cesari_2001": Found(
        47,
        differs=(
            "(10)",
            "(14)",
            "(17)",
            "(23)",
            "(31)",
            "(42)",
            "(43)",
            "(44)",
        ),
    ),
    "three_link_arm/gpldecha": Found(
        23,
        differs=(
            "(10.3)",
            "(12.2)",
            "(13)",
            "(14)",
            "(17)",
            "(18)",
            "(19)",
        ),
    ),
    "two_link/duarte_two_link": Found(32, unchecked=5, differs=("(NE.3)",)),
    "two_link/planar_2r": Found(18, unchecked=2),
    "two_link_muscles/by_hand": Found(13),
    "two_link_muscles/duarte_muscles": Found(1, unchecked=1, differs=("(R2)",)),
    "two_link_segment/assencio_2014": Found(42, unchecked=3),
    "two_link_segment/jayaweera": Found(
        5,
        unchecked=2,
        differs=(
            "(#2.1)",
            "(#3)",
            "(#4.2)",
            "(#5)",
            "(#9)",
        ),
    ),
    "two_link_segment/pineapple_bois_2024": Found(12, unchecked=2),
    "walker/by_hand": Found(50),
    "wheeled_pendulum/mehboob_2025": Found(
        21,
        unchecked=2,
        differs=(
            "(theta)",
            "(standard)",
            "(scaled)",
            "(R5)",
        ),
    ),
    "wheeled_pendulum/poine_mip": Found(33, unchecked=1, differs=("(push)",)),
}

LONG = (
    "arm_3d/by_hand",
    "arm_3d/watanabe_kinetics_3d",
    "cart_double_pendulum/sadeq_2025",
    "cart_pendulum/newton_2017",
    "four_bar/norton",
    "furuta_pendulum/rotary_report_2026",
    "slider_crank/alcocer_2026",
    "spinning_top/gyroscope_lecture",
    "three_link_arm/cesari_2001",
    "three_link_arm/gpldecha",
    "two_link_segment/jayaweera",
    "walker/by_hand",
)
"""The pages that take longest."""

FEW = {page.split("/")[0]: page for page in PAGES if page not in LONG}.values()
"""A page of each model that has a quick one."""

MISPRINTS = [
    ("cart_pendulum/robotics_laboratory", "(10.2)", "g*sin(theta)/l", "3/4", "-3/4"),
    ("cart_pendulum/newton_2017", "(5)", "l*m_p*theta_ddot*cos(theta)", "1", "-1"),
    ("cart_pendulum/newton_2017", "(2.5.1)", "F", "1", "-1"),
    ("acrobot/ctc_2023", "(entries.1)", "l1*l2*m2*cos(q2)", "2", "0"),
    ("acrobot/ctc_2023", "(V.2)", "l1*lc2*m2*q1_dot**2*sin(q2)", "0", "1"),
    ("pendulum/jayaweera", "(#5.2)", "d*g*sin(theta)", "-1", "0"),
    ("two_link_segment/jayaweera", "(#2.1)", "L2**2*m2*theta1_dot**2", "1/2", "0"),
    ("three_link_arm/gpldecha", "(19)", "g*l2*m3*cos(alpha1 + alpha2)", "0", "1"),
    ("two_link_muscles/duarte_muscles", "(R2)", "F2ext*r2ext", "0", "1"),
    ("cart_double_pendulum/sadeq_2025", "(I1)", "L1**2*m1", "1/3", "1/12"),
    ("cart_double_pendulum/sadeq_2025", "(entries.3)", "L2*m2*cos(theta2)", "1/2", "0"),
]
"""What is known to be wrong: the page, its equation, the term, as printed and as it should be."""


@cache
def checked(page: str) -> Report:
    return freebody.check(MODELS / f"{page}.md")


def document(page: str) -> DocumentReport:
    (found,) = checked(page).documents
    return found


def verdict(page: str, label: str) -> EquationVerdict:
    return next(found for found in document(page).equations if found.label == label)


def test_all_pages_are_looked_at() -> None:
    assert PAGES.keys() == {f"{page.parent.name}/{page.stem}" for page in MODELS.glob("*/*.md")}


@pytest.mark.exhaustive("four_bar/relative_angles")
@pytest.mark.few(*[*FEW][::3])
@pytest.mark.parametrize("page", PAGES)
def test_a_page_checks_as_it_is_recorded(page: str) -> None:
    report = checked(page)
    assert report.surprises() == []
    assert report.exit_code == 0
    statuses = [found.status for found in document(page).equations]
    differs = tuple(found.label for found in document(page).equations if found.status == "differs")
    assert Found(statuses.count("holds"), statuses.count("not checked"), differs) == PAGES[page]


@pytest.mark.few(*(page for page, *_ in MISPRINTS if page not in LONG))
@pytest.mark.parametrize(("page", "label", "term", "printed", "derived"), MISPRINTS)
def test_a_misprint_of_the_literature_is_found(
    page: str, label: str, term: str, printed: str, derived: str
) -> None:
    found = verdict(page, label)
    assert found.status == "differs"
    assert (term, printed, derived) in {(d.term, d.printed, d.derived) for d in found.differences}


@pytest.mark.exhaustive
def test_a_force_in_the_frame_of_another_link_is_told_as_such() -> None:
    checker = Checker(
        read_document(MODELS / "three_link_arm" / "gpldecha.md"),
        Quantities(freebody.load("three_link_arm")),
    )
    found = next(one for one in checker.verdicts() if one.label == "(10.3)")
    terms = {difference.term for difference in found.differences}
    assert "l2*reaction.wrist.force.in.hand.y" in terms


@pytest.mark.exhaustive
def test_macros_of_the_page_are_read_and_its_matrix_is_inverted() -> None:
    assert verdict("two_link_segment/assencio_2014", "(#15.1)").status == "holds"


def test_a_second_section_is_about_another_model() -> None:
    assert verdict("acrobot/tedrake_2020", "(eq:ddot_theta)").status == "holds"


def test_a_coriolis_matrix_that_is_not_of_christoffel_symbols_holds_by_its_product() -> None:
    found = next(v for v in document("acrobot/tedrake_2020").equations if "-2 m_2" in v.latex)
    assert found.status == "holds"
    assert found.readings
