from pathlib import Path

import pytest

import freebody
from freebody.files import FileError
from freebody.starter import write_starter


def test_the_starter_checks_and_simulates_as_it_stands(tmp_path: Path) -> None:
    write_starter(tmp_path / "mybody")
    report = freebody.check(tmp_path / "mybody")
    assert [document.counts() for document in report.documents] == [{"holds": 5}]
    assert freebody.simulate(tmp_path / "mybody", duration=1).energy_drift < 1e-8


@pytest.mark.parametrize("name", ["a b", 'x"\n', "é", "."])
def test_a_starter_takes_a_plain_name(name: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="expected a name"):
        write_starter(tmp_path / "in" / name / ".." / name)


def test_a_starter_never_overwrites(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be made: File exists"):
        write_starter(tmp_path)
    assert list(tmp_path.iterdir()) == []
