"""Tests that stand for others: each value once, those that are named, and all where asked for."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest

from conftest import KINDS, OWN, SYSTEMS
from freebody.model import Model, load
from representatives import left_out

ENGINES, LAWS = ("pydy", "scipy", "heyoka"), ("cos", "power", "exp", "root")


def items(mark: pytest.Mark | None, function: str = "test") -> list[Any]:
    """Return a test of every engine and law, marked or not."""
    marks = {mark.name: mark} if mark else {}
    given = [pytest.mark.parametrize(name, []).mark for name in ("law", "engine")]
    return [
        SimpleNamespace(
            nodeid=f"{function}[{engine}-{law}]",
            callspec=SimpleNamespace(params={"engine": engine, "law": law}),
            get_closest_marker=marks.get,
            iter_markers=lambda _: given,
        )
        for engine, law in product(ENGINES, LAWS)
    ]


def kept(tests: list[Any]) -> list[tuple[str, str]]:
    left = [*map(id, left_out(tests))]
    return [(*one.callspec.params.values(),) for one in tests if id(one) not in left]


def test_nothing_is_left_out_of_what_is_not_marked() -> None:
    assert kept(items(None)) == [*product(ENGINES, LAWS)]


def test_each_value_stays_in_as_few_tests_as_will_do() -> None:
    found = kept(items(pytest.mark.each_once.mark))
    assert len(found) == len(LAWS)
    assert {engine for engine, _ in found} == {*ENGINES}
    assert {law for _, law in found} == {*LAWS}


def test_each_value_of_the_parameters_that_are_named_stays() -> None:
    assert kept(items(pytest.mark.each_once("engine").mark)) == [(one, "cos") for one in ENGINES]


def test_the_values_that_are_named_stay_with_all_others() -> None:
    assert kept(items(pytest.mark.few("exp", "cos").mark)) == [*product(ENGINES, ("cos", "exp"))]


def test_one_in_so_many_stays() -> None:
    assert kept(items(pytest.mark.one_in(5).mark)) == [*product(ENGINES, LAWS)][::5]


def test_each_test_is_left_out_for_itself() -> None:
    both = [*items(pytest.mark.each_once("law").mark, "one"), *items(None, "other")]
    assert len(kept(both)) == len(LAWS) + len(ENGINES) * len(LAWS)


def kinds(name: str) -> set[str]:
    """Return the kinds of the joints and constraints of a model, and what else it has."""
    model = load(OWN.get(name, name))
    typed = {type(one).__name__ for one in (*model.joints, *model.constraints)}
    return typed | {section for section in Model.model_fields if getattr(model, section)}


def test_some_systems_have_whatever_any_has() -> None:
    rest = set().union(*map(kinds, SYSTEMS)) - set().union(*map(kinds, KINDS))
    assert rest == {"Universal", "muscles"}
