r"""Exercises: a derivation with blanks or planted misprints, and its solution."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from freebody.arguments import checked
from freebody.checking.document import check_document
from freebody.checking.quantities.derived import Quantities
from freebody.documents.document import Document, FrontMatter
from freebody.errors import ArgumentError, nearest
from freebody.explaining.derivation import Derivation, Method, explain
from freebody.explaining.document import body, front_matter, toml
from freebody.explaining.layout import broken
from freebody.explaining.page import Block, Formula, Heading
from freebody.files import atomic_write, expect_ending
from freebody.mechanics.mechanism import AnyModel

BLANK = r"\ldots"
FAMILIES: Mapping[str, str] = {
    "M": r"equations\.M\[",
    "C": r"equations\.C\[",
    "G": r"equations\.G\[",
    "E": r"equations\.E\[",
    "tau": r"equations\.tau\[",
    "positions": r"position\.",
    "velocities": r"'position\.",
    "accelerations": r"''position\.",
    "reactions": r"reaction\.",
    "energies": r"energy\.",
    "forces": r"(nonconservative_force\.|generalized_force\[)",
    "partials": r"d\(",
}
"""What can be left blank, by the path of the left side."""
ANSWERS = (
    *("What each term is", "A special case"),
    *("Equilibria and small motions", "The numbers of one state"),
)
"""Sections that would give blanks away."""
_SIGN = re.compile(r" [+-] ")
_WAVE = re.compile(r"\\(sin|cos)(?![a-z])")
_INDEX = re.compile(r"_\{?([12])\}?")
_POWER = re.compile(r"\^\{2\}")
MOST_TRIES = 40


@dataclass(frozen=True)
class PlantedChange:
    """What was changed in one equation of an exercise.

    Attributes
    ----------
    label : str
    what : str
        In words.
    printed, right : str
        The equation as the exercise prints it, and as it is, in LaTeX.
    """

    label: str
    what: str
    printed: str
    right: str


@dataclass(frozen=True, eq=False, repr=False)
class Exercise:
    """A page to complete or to correct, and its solution.

    Attributes
    ----------
    text : str
        The page, in Markdown.
    solution : Derivation
        As it should be.
    changes : tuple of PlantedChange
        What was left blank or changed.
    """

    text: str
    solution: Derivation
    changes: tuple[PlantedChange, ...]

    def __repr__(self) -> str:
        return f"<Exercise '{self.solution.title}': {len(self.changes)} equations changed>"

    def _repr_markdown_(self) -> str:
        return self.text.rpartition("+++\n\n")[2]

    def save(self, path: str | Path) -> tuple[Path, ...]:
        """Write the exercise to a ``.md`` file, and ``<name>_solution.md`` beside it.

        ``freebody check exercise.md --against exercise_solution.md`` grades what is handed in.

        Raises
        ------
        FileError
            If the ending is another, or a file cannot be written.
        """
        path = Path(path)
        expect_ending(path, (".md",))
        solution = path.with_name(f"{path.stem}_solution.md")
        written = self.solution.save(solution)
        answers = "\n".join(f"- ({change.label}): {change.what}" for change in self.changes)
        with atomic_write(solution) as temporary:
            text = solution.read_text(encoding="utf-8")
            whole = f"{text}\n## What the exercise changed\n\n{answers}\n"
            temporary.write_text(whole, encoding="utf-8")
        pictures = f"]({solution.stem}_figures/"
        with atomic_write(path) as temporary:
            temporary.write_text(self.text.replace("](figures/", pictures), encoding="utf-8")
        return (path, *written)


@checked
def exercise(
    model: AnyModel,
    method: Method = "lagrange",
    *,
    hide: Iterable[str] = (),
    misprints: int = 0,
    seed: int = 0,
) -> Exercise:
    """Make an exercise of the derivation of a model: blanks to fill, or misprints to find.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
        What moves; or the name of a shipped model.
    method : {"newton_euler", "lagrange", "kane"}
        The formulation.
    hide : iterable of str, optional
        What is left blank: ``"M"``, ``"C"``, ``"G"``, ``"E"``, ``"tau"``, ``"positions"``,
        ``"velocities"``, ``"accelerations"``, ``"reactions"``, ``"energies"``, ``"forces"``,
        ``"partials"``.
    misprints : int, optional
        How many equations are misprinted; each of them differs then, which is checked.
    seed : int, optional
        Of the random choice of misprints.

    Returns
    -------
    Exercise
        The page to work on, and its solution.

    Raises
    ------
    ArgumentError
        If nothing is to be changed, or what is to be hidden is not there.
    DerivationError, TooLargeError
        See `freebody.explain`.

    Examples
    --------
    >>> import freebody
    >>> [change.label for change in freebody.exercise("pendulum", hide=["M"]).changes]
    ['16']
    """
    hidden = tuple(hide)
    _expect(hidden, misprints)
    solution = explain(model, method)
    blocks, blanks = _blanked(solution, hidden)
    planted: list[PlantedChange] = []
    if misprints:
        blocks, planted = _Planter(solution, blocks, seed).planted(misprints)
    text = _text(solution, blocks, bool(blanks), len(planted))
    return Exercise(text, solution, (*blanks, *planted))


def _expect(hidden: Sequence[str], misprints: int) -> None:
    if not hidden and misprints < 1:
        raise ArgumentError("expected something to hide, or a number of misprints")
    for name in hidden:
        if name not in FAMILIES:
            known = ", ".join(FAMILIES)
            raise ArgumentError(f"hide: expected {known}, found '{name}'{nearest(name, FAMILIES)}")


def _text(solution: Derivation, blocks: Sequence[Block], blanks: bool, misprints: int) -> str:
    lines = []
    if blanks:
        lines.append("Complete the equations that end in dots.")
    if misprints:
        lines.append(f"{misprints} of the equations are misprinted: find and correct them.")
    text = f"# {solution.title}\n\n{' '.join(lines)}\n\n{body(blocks, 'figures')}"
    return f"{_assumed(solution, blocks)}{text}"


def _assumed(solution: Derivation, blocks: Sequence[Block]) -> str:
    """Return front matter that says what is taken for granted in the equations of a page."""
    labels = {f"({one.label})" for one in blocks if isinstance(one, Formula)}
    entries = ((entry, [one for one in to if one in labels]) for entry, to in solution.page.assumed)
    assumed = [{"in": to, **entry} for entry, to in entries if to]
    return f"+++\n{toml({'title': solution.title, 'assume': assumed})}+++\n\n" if assumed else ""


# ---------------------------------------------------------------------- blanks


def _blanked(
    solution: Derivation, hidden: Sequence[str]
) -> tuple[list[Block], list[PlantedChange]]:
    """Return the page with blanks, without the sections that would give them away."""
    kept = list(_without(solution.blocks, ANSWERS if hidden else ()))
    changes = []
    for place, block in enumerate(kept):
        if isinstance(block, Formula) and any(re.match(FAMILIES[h], block.path) for h in hidden):
            sides = (block.sides[0], BLANK)
            kept[place] = replace(block, sides=sides, latex=broken(sides))
            changes.append(
                PlantedChange(block.label, "blank", " = ".join(sides), " = ".join(block.sides))
            )
    if hidden and not changes:
        raise ArgumentError(f"hide: the derivation has no equation of {', '.join(hidden)}")
    return kept, changes


def _without(blocks: Sequence[Block], sections: Sequence[str]) -> Iterator[Block]:
    """Iterate over blocks that are not in some sections."""
    left_out: int | None = None
    for block in blocks:
        if isinstance(block, Heading) and (left_out is None or block.level <= left_out):
            left_out = block.level if block.text in sections else None
        if left_out is None:
            yield block


# ---------------------------------------------------------------------- misprints


class _Planter:
    """Plants misprints that make equations differ."""

    def __init__(self, solution: Derivation, blocks: list[Block], seed: int) -> None:
        self.solution, self.blocks = solution, list(blocks)
        self.random = random.Random(seed)  # noqa: S311 - an exercise is no secret
        self.quantities = Quantities(solution.model)
        self.formulas = {i: one for i, one in enumerate(blocks) if isinstance(one, Formula)}

    def planted(self, count: int) -> tuple[list[Block], list[PlantedChange]]:
        """Return the page with as many misprints.

        Raises
        ------
        ArgumentError
            If so many cannot be planted.
        """
        places = [place for place, one in self.formulas.items() if _may_change(one)]
        self.random.shuffle(places)
        changes: list[PlantedChange] = []
        for place in places[: max(MOST_TRIES, 3 * count)]:
            if len(changes) == count:
                break
            changes += self._planted_at(place)
        if len(changes) < count:
            raise ArgumentError(
                f"misprints: expected at most {len(changes)} in this derivation, found {count}"
            )
        order = {one.label: place for place, one in self.formulas.items()}
        return self.blocks, sorted(changes, key=lambda change: order[change.label])

    def _planted_at(self, place: int) -> list[PlantedChange]:
        """Return what was changed in an equation, if a misprint makes it differ."""
        block = self.formulas[place]
        choices = list(_misprints(block.sides[-1]))
        self.random.shuffle(choices)
        for what, wrong in choices:
            sides = (*block.sides[:-1], wrong)
            changed = replace(block, sides=sides, latex=broken(sides))
            if self._differs(changed):
                self.blocks[place] = changed
                right = " = ".join(block.sides)
                return [PlantedChange(changed.label, what, " = ".join(sides), right)]
        return []

    def _differs(self, formula: Formula) -> bool:
        """Whether an equation is found to differ, and nothing else is wrong with it."""
        page = self.solution.page
        unused = self.solution.report.unused
        data = front_matter(page, self.solution.title, self.solution.model.title, unused)
        front = FrontMatter.model_validate(data)
        document = Document(Path("exercise.md"), front, body([formula]), 0)
        report = check_document(document, self.quantities)
        return [one.status for one in report.equations] == ["differs"]


def _may_change(formula: Formula) -> bool:
    """Whether an equation says what a quantity is, in more than a symbol."""
    return bool(formula.path) and len(formula.sides) == 2 and len(formula.sides[1]) > len(BLANK) + 2


def _misprints(latex: str) -> Iterator[tuple[str, str]]:
    """Iterate over misprints of one side of an equation, each in words and as LaTeX."""
    for match in _SIGN.finditer(latex):
        other = " - " if match[0] == " + " else " + "
        yield "a sign", _replaced(latex, match, other)
    for match in _WAVE.finditer(latex):
        other = r"\cos" if match[1] == "sin" else r"\sin"
        yield "a sine or cosine", _replaced(latex, match, other)
    for match in _INDEX.finditer(latex):
        yield "an index", _replaced(latex, match, f"_{{{3 - int(match[1])}}}")
    for match in _POWER.finditer(latex):
        yield "a power", _replaced(latex, match, "")
    for match in re.finditer(r"\\ddot", latex):
        yield "a dot", _replaced(latex, match, r"\dot")


def _replaced(latex: str, match: re.Match[str], by: str) -> str:
    return latex[: match.start()] + by + latex[match.end() :]
