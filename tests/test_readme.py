"""What the README shows is what happens."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import freebody
from freebody.cli import main
from freebody.model import shipped

README = Path(__file__).parents[1] / "README.md"
ARM = shipped()["three_link_arm"]


def block(language: str, number: int = 0) -> str:
    return re.findall(rf"```{language}\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)[
        number
    ]


def test_the_model_derives_as_shown(tmp_path: Path) -> None:
    (tmp_path / "cart.toml").write_text(block("toml"), encoding="utf-8")
    result = CliRunner().invoke(main, ["derive", str(tmp_path / "cart.toml"), "--method", "all"])
    shown = block("console").splitlines()
    assert result.output.splitlines() == shown[1:-1]


@pytest.mark.exhaustive
def test_the_verdicts_are_as_shown() -> None:
    result = CliRunner().invoke(main, ["check", str(ARM / "cesari_2001.md")])
    printed = {" ".join(line.split()) for line in result.output.splitlines()}
    shown = [" ".join(line.split()) for line in block("console", 1).splitlines()[1:]]
    assert result.exit_code == 0
    assert [line for line in shown if line not in printed and "…" not in line] == []


def test_the_python_runs_as_shown() -> None:
    names: dict[str, object] = {}
    shown = block("python")
    assert "freebody.check(model)" in shown  # which the check above is of
    exec(shown.replace("freebody.check(model)", 'freebody.check("pendulum")'), names)  # noqa: S102
    equations = names["equations"]
    assert isinstance(equations, freebody.Equations)
    assert equations.M.shape == (3, 3)
