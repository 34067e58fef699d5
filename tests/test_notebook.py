"""What objects look like in a notebook: small, folded, and never a traceback."""

from __future__ import annotations

import time
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

import freebody
from freebody.notebook import progress_bar

ROOT = Path(__file__).parents[1]
PENDULUM = (ROOT / "models" / "pendulum" / "model.toml").read_text("utf-8")
PAGE = r"""+++
[symbols]
'm' = "m"
'd' = "d"
'I' = "I"
'g' = "g"
'T' = "T"
'\theta' = "theta"
+++
$$ (I + m d^2)\ddot\theta + m g d \sin\theta = T \tag{1} $$
"""
VOID = {"img", "meta", "input", "br", "hr", "wbr"}


class Balanced(HTMLParser):
    """Refuses HTML whose elements do not close, and takes down text and names."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: list[str] = []
        self.said = ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:  # noqa: ARG002 - its signature
        self.names.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.said += data


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)  # another one is warned of
    one = InteractiveShell.instance()
    one.history_manager.enabled = False
    one.run_line_magic("load_ext", "freebody")
    yield one
    one.history_manager.end_session()
    InteractiveShell.clear_instance()


def test_a_model_is_drawn_with_its_tables_folded() -> None:
    model = freebody.load("cart_pendulum")
    page = Balanced(model._repr_html_())
    assert page.names.count("img") == 1
    assert page.names.count("details") == 4
    assert "2 coordinates" in page.said
    assert "kg m²" in page.said or "kg" in page.said
    assert len(repr(model)) < 200


@pytest.mark.exhaustive
def test_equations_are_shown_and_those_too_long_are_not() -> None:
    equations = freebody.derive("cart_pendulum")
    page = Balanced(equations._repr_html_())
    assert page.names.count("math") >= 5
    long = freebody.derive("arm_3d")
    assert len(repr(long)) < 200
    assert len(repr(equations)) < 200


def test_a_report_shows_what_is_wrong_and_folds_the_rest(tmp_path: Path) -> None:
    page = f"{PAGE}$$ T = T \\tag{{2}} $$\n".replace("+ m g d", "- m g d")
    (tmp_path / "page.md").write_text(page, encoding="utf-8")
    report = freebody.check(tmp_path / "page.md", against="pendulum")
    html = report._repr_html_()
    assert "differs" in Balanced(html).said
    assert 'class="wrong"' in html
    assert "(2)" in Balanced(html).said
    assert len(html) < 20_000
    assert len(repr(report)) < 300


@pytest.mark.exhaustive
def test_of_many_pages_that_agree_only_a_line_is_shown() -> None:
    many = freebody.check("pendulum", "one_link")
    assert len(many.documents) > 2
    page = Balanced(many._repr_html_())
    assert "as recorded in the page, not right" in page.said
    assert page.said.count("Proposed") == 0


def test_results_and_linearizations_are_shown() -> None:
    run = freebody.simulate("pendulum", duration=0.1, unchecked=True)
    assert {"img", "table"} <= set(Balanced(run._repr_html_()).names)
    played = run.play(300)._repr_html_()
    assert "srcdoc=" in played
    assert "<script" not in played
    near = freebody.linearize("pendulum")
    assert "eigenvalue" in Balanced(near._repr_html_()).said
    assert len(repr(near)) < 200


@pytest.mark.exhaustive
def test_a_derivation_is_folded_by_sections() -> None:
    derivation = freebody.explain("pendulum", "lagrange")
    page = Balanced(derivation._repr_html_())
    assert page.names.count("details") >= 5
    assert "all of them hold" in page.said
    assert len(repr(derivation)) < 200


def test_a_comparison_is_short_and_has_its_terms_folded() -> None:
    compared = freebody.compare("pendulum", "cart_pendulum")
    assert len(repr(compared)) < 200
    page = Balanced(compared._repr_html_())
    assert "only in the second" in page.said
    assert "terms are the same" in page.said
    same = freebody.compare("pendulum", "pendulum")
    assert "details" not in Balanced(same._repr_html_()).names


# ---------------------------------------------------------------------- cells


def test_a_cell_is_a_model_that_the_next_one_checks(shell: InteractiveShell) -> None:
    model = shell.run_cell_magic("freebody", "model swing", PENDULUM)
    assert shell.user_ns["swing"] is model
    good = shell.run_cell_magic("freebody", "check swing", PAGE)
    assert [one.status for one in good.documents[0].equations] == ["holds"]
    bad = shell.run_cell_magic("freebody", "check swing", PAGE.replace("sin", "cos"))
    assert [one.status for one in bad.documents[0].equations] == ["differs"]
    bare = PAGE.partition("+++\n$$")[2]
    alone = shell.run_cell_magic("freebody", "check pendulum", "$$" + bare.replace("+", "-"))
    assert [one.status for one in alone.documents[0].equations] == ["differs"]
    assert alone.documents[0].document == "the cell"
    words = (
        PENDULUM.replace("\nm = ", "\nmk = ")
        .replace('"m*', '"mk*')
        .replace('mass = "m"', 'mass = "mk"')
    )
    shell.run_cell_magic("freebody", "model worded", words)
    spelled = r"$$ G_1 = m_k g d \cos\theta \tag{1} $$"
    (page,) = shell.run_cell_magic("freebody", "check worded", spelled).documents
    assert [one.status for one in page.equations] == ["differs"]
    whole = "+++\ntitle = 't'\nmodel = 'pendulum'\n+++\n$$ 2 = 1 + 1 \\tag{1} $$\n"
    own = shell.run_cell_magic("freebody", "check", whole)
    assert own.documents[0].equations[0].status == "holds"
    assert not list(Path().glob(".freebody*"))


@pytest.mark.parametrize(
    ("line", "cell", "message"),
    [
        ("model", "title = 1", "cell of 'model'"),
        ("model a-b", PENDULUM, "expected the name of a variable, found 'a-b'"),
        ("chekc", "$$ a = a $$", "expected '%%freebody model"),
        ("check nothing", "$$ a = a $$", "nothing"),
    ],
)
def test_what_is_wrong_with_a_cell_is_told_in_words(
    shell: InteractiveShell, line: str, cell: str, message: str
) -> None:
    told = shell.run_cell_magic("freebody", line, cell)
    assert message in repr(told)
    Balanced(told._repr_html_())


def test_a_bar_tells_how_far_it_is(shell: InteractiveShell) -> None:
    shown: list[dict[str, Any]] = []
    shell.display_pub.publish = lambda data, **_: shown.append(data)
    with progress_bar("integrating", 4.0) as progress:
        time.sleep(0.11)
        progress(1.0)
    assert 'value="1.0"' in shown[1]["text/html"]
    assert shown[-1]["text/html"] == ""
