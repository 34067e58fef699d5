"""The model that a page names is the one that it is checked against, or there is an error."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

import freebody
from freebody.cli import main
from freebody.errors import DocumentError, SimulationError
from freebody.model import shipped

TEXT = (shipped()["pendulum"] / "model.toml").read_text()
MASSES = {"model.toml": 1, "up.toml": 2, "below/other.toml": 3, "below/model.toml": 4}
SYMBOLS = "[symbols]\nm = 'value.body_mass'\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with several models, which differ in the mass."""
    place = tmp_path / "swing"
    (place / "below").mkdir(parents=True)
    for name, mass in MASSES.items():
        (place / name).write_text(with_mass(mass))
    (tmp_path / "outside.toml").write_text(with_mass(5))
    return place


def with_mass(mass: int) -> str:
    assert "value = 70 }" in TEXT
    return TEXT.replace("value = 70 }", f"value = {mass} }}")


def page(folder: Path, model: str, mass: int, name: str = "page.md") -> Path:
    path = folder / name
    head = f"title = 'A page'\nmodel = {model!r}\n{SYMBOLS}"
    path.write_text(f"+++\n{head}+++\n\n$$ m = {mass} $$\n")
    return path


NAMES = [
    ("model", 1), ("model.toml", 1), ("./model.toml", 1), ("swing", 1), (".", 1),
    ("up", 2), ("up.toml", 2), ("below/../up.toml", 2),
    ("below/other.toml", 3), ("below/other", 3), ("below", 4), ("below/model.toml", 4),
]  # fmt: skip


@pytest.mark.parametrize(("name", "mass"), NAMES)
def test_what_is_named_is_used(folder: Path, name: str, mass: int) -> None:
    assert freebody.check(page(folder, name, mass)).agrees
    assert not freebody.check(page(folder, name, mass + 1)).agrees


@pytest.mark.parametrize(("name", "mass"), NAMES)
def test_what_a_section_names_is_used(folder: Path, name: str, mass: int) -> None:
    path = folder / "page.md"
    section = f"[[sections]]\nheading = 'Two'\nmodel = {name!r}\n"
    head = f"title = 'A page'\nmodel = 'up.toml'\n{SYMBOLS}{section}"
    path.write_text(f"+++\n{head}+++\n\n$$ m = 2 $$\n\n# Two\n\n$$ m = {mass} $$\n")
    assert freebody.check(path).agrees


def test_a_shipped_name_is_the_shipped_model_whatever_stands_beside(folder: Path) -> None:
    (equation,) = freebody.check(page(folder, "pendulum", 1)).documents[0].equations
    assert equation.status == "differs"
    (folder / "pendulum.toml").write_text(with_mass(7))
    assert freebody.check(page(folder, "pendulum", 7)).agrees


@pytest.mark.parametrize("name", ["does_not_exist.toml", "does_not_exist", "", "u p", "up.tom"])
@pytest.mark.parametrize("where", ["page", "section"])
def test_a_name_of_no_model_is_an_error(folder: Path, name: str, where: str) -> None:
    path = page(folder, "model" if where == "section" else name, 1)
    if where == "section":
        section = f"[[sections]]\nheading = 'Two'\nmodel = {name!r}\n"
        path.write_text(
            path.read_text()
            .replace("\n\n", "\n\n# Two\n\n")
            .replace("[symbols]", f"{section}[symbols]", 1)
        )
    with pytest.raises(DocumentError, match=f"no model '{name}'"):
        freebody.check(path)


@pytest.mark.parametrize(
    "name",
    [
        "../outside.toml",
        "../outside",
        "..",
        "below/../../outside",
        "../none.toml",
        "/etc/hostname",
        "{abs}",
        "link.toml",
    ],
)
def test_a_page_opens_no_file_outside_of_its_folder(folder: Path, name: str) -> None:
    (folder / "link.toml").symlink_to(folder.parent / "outside.toml")
    name = name.format(abs=folder.parent / "outside.toml")
    with pytest.raises(DocumentError, match="in the folder of the document or below"):
        freebody.check(page(folder, name, 5))


@pytest.mark.parametrize("name", ["a" * 5000, "\\u0000"])
def test_names_that_are_none_are_told(folder: Path, name: str) -> None:
    path = folder / "page.md"
    path.write_text(f'+++\ntitle = "x"\nmodel = "{name}"\n+++\n$$ m = 1 $$\n')
    with pytest.raises(DocumentError):
        freebody.check(path)


# ---------------------------------------------------------------------- the documents of a model


def test_each_document_beside_a_model_is_checked_against_its_own(folder: Path) -> None:
    for name, mass in (("model", 1), ("up", 2), ("below", 4)):
        page(folder, name, mass, f"{name}.md")
    report = freebody.check(folder)
    assert report.agrees
    assert [one.document for one in report.documents] == ["below", "model", "up"]


def test_a_document_about_another_model_does_not_stop_a_simulation(folder: Path) -> None:
    page(folder, "up", 3)
    told = freebody.simulate(folder, duration=0.01).provenance["checked"]
    assert "page.md, which names the model 'up'" in told


HALF = {
    "no TOML": "+++\ntitle = \n+++\n",
    "no title": "+++\nmodel = 'model'\n+++\n",
    "no model": "+++\ntitle = 'x'\nmodel = 'nothing'\n+++\n",
    "no quantity": "+++\ntitle = 'x'\nmodel = 'model'\n[symbols]\na = 'nothing'\n+++\n",
    "no heading": "+++\ntitle = 'x'\nmodel = 'model'\n[[sections]]\nheading = 'Two'\n+++\n",
    "no symbol": "+++\ntitle = 'x'\nmodel = 'model'\n+++\n$$ a = 3 $$\n",
    "no end": "+++\ntitle = 'x'\nmodel = 'model'\n+++\n$$ 3 = (4\n",
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("text", HALF.values(), ids=list(HALF))
def test_a_half_written_page_does_not_stop_a_simulation(folder: Path, text: str) -> None:
    (folder / "half.md").write_text(text)
    page(folder, "model", 1)
    told = freebody.simulate(folder, duration=0.01).provenance["checked"]
    assert "nothing differs unrecorded from" in told
    assert "A page" in told
    assert "half" in told
    run = CliRunner().invoke(main, ["simulate", str(folder), "--duration", "0.01"])
    assert run.exit_code == 0
    assert "warning" in run.output
    page(folder, "model", 2)
    with pytest.raises(SimulationError, match="differ from their documents"):
        freebody.simulate(folder, duration=0.01)


# ---------------------------------------------------------------------- adopting and grading


def test_a_page_is_adopted_for_the_model_that_is_meant(folder: Path) -> None:
    bare = folder / "bare.md"
    bare.write_text("$$ m = 2 $$\n")
    run = CliRunner().invoke(main, ["adopt", str(bare), "--model", str(folder / "up.toml")])
    assert run.exit_code == 0, run.output
    assert 'model = "up.toml"' in (folder / "bare_document.md").read_text()


def test_a_page_is_not_adopted_for_a_model_that_it_may_not_name(folder: Path) -> None:
    shutil.copy(folder / "model.toml", folder.parent)
    bare = folder / "below" / "bare.md"
    bare.write_text("$$ m = 2 $$\n")
    run = CliRunner().invoke(main, ["adopt", str(bare), "--model", str(folder / "up.toml")])
    assert run.exit_code == 2
    assert "-o" in run.output


def test_the_model_of_a_page_that_is_graded_against_another_is_told(folder: Path) -> None:
    graded = freebody.check(page(folder, "up", 1), against=folder / "model.toml")
    assert any("'up' is left aside" in one for one in graded.documents[0].remarks)
