"""Names: normal forms, patterns, and what is no name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freebody.documents.latex import Declared, LatexError
from freebody.documents.latex.names import undotted
from freebody.documents.latex.spellings import spellings
from freebody.documents.latex.tokens.tokens import parse

SAME = [
    (r"\dot{x_1}", r"\dot{x}_1"),
    ("x_{1}", "x_1"),
    (r"T_{\mathrm{ext}}", "T_{ext}"),
    (r"T_\text{ext}", "T_{ext}"),
    (r"v(\alpha, \dot{\alpha}_1)", r"v(\alpha,\dot{\alpha_1})"),
    (r"\vec{\mathbf{F}}_r", r"\vec{\mathbf{F}_r}"),
    (r"\mathbf{\hat{i}_{}}", r"\mathbf{\hat{i}}"),
    (r"M_{1}(q)", r"M(q)_1"),
    (r"\operatorname{KE}", r"\mathrm{KE}"),
    (r"\alpha_{cm, j}", r"\alpha_{cm,j}"),
    ("\N{MATHEMATICAL ITALIC SMALL THETA}_1", r"\theta_1"),
    ("\N{GREEK PHI SYMBOL}", r"\phi"),
    ("\N{MICRO SIGN}_k", r"\mu_k"),
]
DIFFERENT = [("F_{r,x}", "F_{rx}"), (r"\mathbf{J}", "J"), ("x'", "x"), ("I^{cm}", "I_{cm}")]


def declared(*keys: str) -> Declared:
    return Declared(keys, varying=frozenset[str]().__contains__)


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_prints_alike_is_the_same_name(one: str, other: str) -> None:
    assert declared(one).lookup(other) == (one, ())
    with pytest.raises(LatexError, match="are the same name"):
        declared(one, other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_prints_differently_is_another_name(one: str, other: str) -> None:
    assert declared(one).lookup(other) is None


def test_a_pattern_covers_indices_with_and_without_comma() -> None:
    names = declared(r"M(\alpha)_{i,j}", "T_i", "T_2")
    assert names.lookup(r"M(\alpha)_{1,2}") == (r"M(\alpha)_{i,j}", (1, 2))
    assert names.lookup(r"M(\alpha)_{31}") == (r"M(\alpha)_{i,j}", (3, 1))
    assert names.lookup(r"M(\alpha)_{1,12}") == (r"M(\alpha)_{i,j}", (1, 12))
    assert names.lookup(r"M(\alpha)_{123}") is None
    assert names.lookup("T_{12}") == ("T_i", (12,))
    assert names.lookup("T_2") == ("T_2", ())
    assert names.lookup("T_a") is None


@pytest.mark.parametrize("key", ["a+b", "2", "", "{", r"\frac{a}{b}", "x_1 y", r"\foo"])
def test_what_is_no_name_is_told(key: str) -> None:
    with pytest.raises(LatexError):
        declared(key)


@given(st.integers(1, 99), st.integers(1, 99))
def test_indices_with_a_comma_come_back(row: int, column: int) -> None:
    assert declared("M_{i,j}").lookup(f"M_{{{row},{column}}}") == ("M_{i,j}", (row, column))


def printed_names() -> st.SearchStrategy[str]:
    """Return names as pages print them: letters and words in several scripts, with marks."""
    letters = st.sampled_from(["x", "F", r"\theta", r"\omega", "é", "成", "ω", r"\ell"])
    word = st.text("aZé0成ж", min_size=1, max_size=5)
    text = st.builds(
        r"\{}{{{}}}".format, st.sampled_from(["text", "mathrm", "textbf", "mbox"]), word
    )
    styles = st.sampled_from(["mathbf", "mathrm", "vec", "hat", "dot", "ddot", "boldsymbol", "bar"])
    base = st.recursive(letters | text, lambda one: st.builds(r"\{}{{{}}}".format, styles, one))
    script = st.sampled_from("_^") | st.just("'")
    inner = st.one_of(letters, text, st.integers(0, 12).map(str), word)

    def with_script(name: str, mark: str, below: str) -> str:
        return name + ("'" if mark == "'" else f"{mark}{{{below}}}")

    return st.builds(with_script, base, script, inner) | base


@given(printed_names())
def test_what_is_read_as_a_name_is_a_name(printed: str) -> None:
    for spelling in spellings(parse(printed, 0, len(printed)), 0):
        name = spelling.form(0)
        assert undotted(name) == name
