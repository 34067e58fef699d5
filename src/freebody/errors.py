"""What freebody says when something is wrong.

Every error a user can cause is a `FreebodyError`; its text says what is wrong, where, what was
expected, what was found, and the nearest right thing.
"""

from __future__ import annotations

import difflib
import re
import traceback
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

LONG = re.compile(r"'([^'\n]{160,})'")
"""An expression, or what else stands in quotes, that nobody reads twice."""


class FreebodyError(Exception):
    """Base of every error that freebody raises on purpose."""

    def __str__(self) -> str:
        return shortened(super().__str__())

    def __reduce__(self) -> tuple[Callable[..., FreebodyError], tuple[Any, ...]]:
        return _remade, (type(self), self.args, self.__dict__)


def _remade(
    kind: type[FreebodyError], args: tuple[Any, ...], attributes: Mapping[str, Any]
) -> FreebodyError:
    """Return an error of another process, whose class may be made of something else."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(attributes)
    return error


def shortened(message: str) -> str:
    """Return a message in which long expressions are cut in their middle, but for file names.

    Examples
    --------
    >>> len(shortened(f"expected a length, but '{'a + ' * 300}a' is a mass"))
    138
    """
    return LONG.sub(_cut, message)


def _cut(match: re.Match[str]) -> str:
    text = match[1]
    return f"'{text[:60]} … {text[-40:]}'" if re.search(r"[*^]|\w\(| [-+] ", text) else match[0]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong in a file.

    Attributes
    ----------
    where : str
        Path inside the file, such as ``joints[1].parent``; empty for the file as a whole.
    message : str
        What was expected and what was found.
    """

    where: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


class ProblemsError(FreebodyError):
    """All that is wrong with one file, told at once.

    Parameters
    ----------
    source : str
        The file, or what stands for it when there is none.
    problems : sequence of Problem
        At least one.
    """

    def __init__(self, source: str, problems: Sequence[Problem]) -> None:
        self.source = source
        self.problems = tuple(problems)
        super().__init__("\n".join(f"{source}: {problem}" for problem in self.problems))

    @classmethod
    def whole(cls, source: object, message: str) -> Self:
        """Return what is wrong with a file as a whole, not at a place in it."""
        return cls(str(source), [Problem("", message)])


class ModelError(ProblemsError):
    """A model that cannot be read or makes no sense."""


class ModelWarning(UserWarning):
    """What a model leaves open, or says without need."""


class DocumentError(ProblemsError):
    """A document whose front matter cannot be read or makes no sense."""


class MotionError(ProblemsError):
    """A motion that cannot be read, or that is not what is needed."""


class ArgumentError(FreebodyError):
    """Arguments of a function that are missing, unknown, or of another kind or shape."""


class ExpressionError(FreebodyError):
    """Text that is not an expression of the names it may use.

    Parameters
    ----------
    message : str
        What was expected and what was found.
    column : int, optional
        Where in the text, counted from 1.
    """

    def __init__(self, message: str, column: int | None = None) -> None:
        self.column = column
        super().__init__(message if column is None else f"column {column}: {message}")


class NoValueError(FreebodyError):
    """Something that is not worked out: it has no meaning, or it would be too large."""


class DerivationError(FreebodyError):
    """A mechanism whose equations of motion cannot be derived as asked."""


class SimulationError(FreebodyError):
    """A simulation that cannot start, or did not end as it should."""


class SchedulerError(FreebodyError):
    """Workers that are not there, or that ended with what they were given."""


class LinearizationError(FreebodyError):
    """An equilibrium that is not found, or a motion that has no linearization."""


class InverseError(FreebodyError):
    """Inverse dynamics that cannot be done as asked."""


class MuscleError(FreebodyError):
    """Muscles that have not what is asked of them."""


class SegmentError(FreebodyError):
    """A table of body segment parameters that has not what is asked of it."""


class GraphError(FreebodyError):
    """An expression with a part that there is no operation for."""


class CodeError(FreebodyError):
    """Text that is not straight-line code."""


class ListingError(FreebodyError):
    """Code that cannot be read.

    Parameters
    ----------
    message : str
    at : int, optional
        Where it stands in the text.
    """

    def __init__(self, message: str, at: int = 0) -> None:
        self.at = at
        super().__init__(message)


class ProgramError(FreebodyError):
    """An output that there is no program for, or a program that does not hold."""


class BackendError(FreebodyError):
    """A backend that is not there, or that cannot do what it was asked for."""


class PageWarning(UserWarning):
    """Something of a page that was guessed."""


class SpeedWarning(UserWarning):
    """What works, but slower than it could."""


class CacheWarning(UserWarning):
    """A cache whose entries are damaged, or that cannot be used."""


def nearest(name: str, candidates: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the candidate nearest to a name, or nothing.

    Examples
    --------
    >>> nearest("uper_arm", ["upper_arm", "forearm"])
    "; did you mean 'upper_arm'?"
    >>> nearest("fx", ["Fx", "Fy"])
    "; did you mean 'Fx'?"
    >>> nearest("q", ["upper_arm"])
    ''
    """
    found = closest(name, candidates)
    return "" if found is None else f"; did you mean '{found}'?"


def closest(name: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate nearest to a name, if one is near."""
    known = list(candidates)
    matches = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    matches = matches or [one for one in known if one.lower() == name.lower()]
    return matches[0] if matches else None


NAMED = 8
"""So many things of a kind are told of one by one; of more, the first are named."""


def absent(kind: str, name: object, known: Collection[str]) -> str:
    """Return what is told of a name that nothing of its kind goes by.

    Examples
    --------
    >>> absent("joint", "wirst", ["wrist", "elbow"])
    "there is no joint 'wirst'; did you mean 'wrist'?"
    >>> absent("input", "Q", ["T"]), absent("input", "Q", [])
    ("there is no input 'Q'; expected one of T", "there is no input 'Q'; expected none")
    """
    first = ", ".join(list(known)[:NAMED])
    more = f" and {len(known) - NAMED} more" if len(known) > NAMED else ""
    among = f"; expected one of {first}{more}" if known else "; expected none"
    return f"there is no {kind} {name!r}{nearest(str(name), known) or among}"


def lacking(kind: str, names: Sequence[str], what: str = "value", by: str = "") -> list[str]:
    """Return what is told of things that have no value, and by which option they are given one.

    Examples
    --------
    >>> lacking("constant", ["m", "k"])
    ["constant 'm' has no value", "constant 'k' has no value"]
    >>> lacking("input", ["F"], by="--input")
    ["input 'F' has no value: give it one (--input F=...)"]
    >>> lacking("coordinate", [f"q{i}" for i in range(9)], "initial value")
    ["9 coordinates have no initial value: 'q0', 'q1', 'q2', 'q3' and 5 more"]
    """
    if len(names) <= NAMED:
        return [f"{kind} '{name}' has no {what}{_given(name, by)}" for name in names]
    first = ", ".join(f"'{name}'" for name in names[: NAMED // 2])
    more = len(names) - NAMED // 2
    return [f"{len(names)} {kind}s have no {what}: {first} and {more} more"]


def _given(name: str, by: str) -> str:
    return f": give it one ({by} {name}=...)" if by else ""


_CALLS = 3  # the innermost ones, in the message of a fault


def fault(error: BaseException) -> str:
    """Return the line by which something that went wrong inside freebody can be reported.

    An error that is raised on purpose says itself what is wrong.

    Examples
    --------
    >>> fault(KeyError("H"))
    "freebody failed here (KeyError: 'H'): please report this line with the input"
    """
    if isinstance(error, FreebodyError):
        return str(error)
    package = Path(__file__).parent
    frames = traceback.extract_tb(error.__traceback__)
    inside = [(Path(one.filename), one.lineno) for one in frames]
    calls = [
        f"{path.relative_to(package).as_posix()}:{line}"
        for path, line in reversed(inside)
        if path.is_relative_to(package)
    ]
    where = f" in {', called from '.join(calls[:_CALLS])}" if calls else ""
    message = " ".join(str(error).split())[:200]
    name = type(error).__name__
    return (
        f"freebody failed here ({name}{': ' if message else ''}{message}{where}): "
        "please report this line with the input"
    )
