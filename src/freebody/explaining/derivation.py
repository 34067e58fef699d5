"""A worked derivation: a page that explains where the equations of motion of a model come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from freebody.algebra.terms import TooLargeError
from freebody.arguments import checked
from freebody.checking.quantities.derived import Quantities
from freebody.checking.report import DocumentReport
from freebody.documents import Document
from freebody.errors import DerivationError
from freebody.explaining.angles import Angles, Relation, in_angles
from freebody.explaining.borrowed import symbols_of
from freebody.explaining.cases import SpecialCases
from freebody.explaining.document import body, front_matter, toml, verified
from freebody.explaining.kane import kane
from freebody.explaining.lagrange import lagrange
from freebody.explaining.newton_euler import newton_euler, why_not
from freebody.explaining.notation import Notation
from freebody.explaining.numbers import WorkedState
from freebody.explaining.overview import Overview
from freebody.explaining.page import Block, Formula, Page, Picture, Steps
from freebody.explaining.system import System
from freebody.explaining.terms import Blocks
from freebody.mechanics.build import in_symbols, mechanism
from freebody.mechanics.derivation import derive
from freebody.mechanics.mechanism import AnyModel, Mechanism
from freebody.model import Model
from freebody.model.files import fingerprint

Method = Literal["newton_euler", "lagrange", "kane"]
WRITERS: Mapping[str, Callable[[Page, System], None]] = {
    "newton_euler": newton_euler,
    "lagrange": lagrange,
    "kane": kane,
}
SHOWN = 200
"""Characters of an equation that a message shows."""
TITLES = {"newton_euler": "Newton and Euler", "lagrange": "Lagrange", "kane": "Kane"}


@dataclass(frozen=True, eq=False, repr=False)
class Derivation:
    """A worked derivation, every equation of which is checked.

    Attributes
    ----------
    model : Model
    method : str
        The formulation.
    title : str
    page : Page
        Headings, prose, pictures, tables and equations, in order.
    report : DocumentReport
        What the check of its equations says: that all of them hold.
    """

    model: Model
    method: str
    title: str
    page: Page
    report: DocumentReport

    @property
    def blocks(self) -> list[Block]:
        """What stands on the page, in order."""
        return self.page.blocks

    @property
    def equations(self) -> dict[str, str]:
        """The equations in LaTeX, by label."""
        return {one.label: one.latex for one in self.blocks if isinstance(one, Formula)}

    @property
    def figures(self) -> dict[str, Any]:
        """The drawings, figures of matplotlib, by name."""
        return {one.name: one.figure for one in self.blocks if isinstance(one, Picture)}

    def front_matter(self, model: str) -> str:
        """Return the front matter that declares its symbols, in TOML.

        Parameters
        ----------
        model : str
            How the page names its model.
        """
        front = front_matter(self.page, self.title, model, self.report.unused)
        return toml({**front, "derived_from": fingerprint(self.model)})

    @property
    def markdown(self) -> str:
        """The text in Markdown, without pictures and front matter."""
        return f"# {self.title}\n\n{body(self.blocks)}"

    def save(self, path: str | Path) -> tuple[Path, ...]:
        """Write the derivation to a ``.md``, ``.tex``, ``.ipynb`` or ``.html`` file.

        All but the last are documents that ``freebody check`` reads. Pictures stand as SVG and PDF
        beside the first two, and inside the others; the model too, where the page could not name
        it from there.

        Returns
        -------
        tuple of Path
            All files that were written.

        Raises
        ------
        FileError
            If the ending is another, or a file cannot be written.
        """
        from freebody.explaining.writing import save

        return save(self, Path(path))

    def __repr__(self) -> str:
        return f"<Derivation '{self.title}': {len(self.equations)} equations>"

    def _repr_html_(self) -> str:
        from freebody.notebook.shown import derivation_html  # which reads derivations

        return derivation_html(self)


@checked
def explain(
    model: AnyModel,
    method: Method = "newton_euler",
    *,
    steps: Steps = "all",
    short: bool = False,
    symbols: str | Path | Document | None = None,
    angles: Angles = "model",
) -> Derivation:
    r"""Derive the equations of motion of a model step by step, as a lecture does.

    The system is drawn, its bodies are cut free, motion, balances or energies follow, then the
    sorted equations with what each term is, special cases, equilibria, and the numbers of one
    state. Every equation is checked against what is derived before it is given out.

    Parameters
    ----------
    model : Model, Mechanism, str or Path
        What moves; or the name of a shipped model.
    method : {"newton_euler", "lagrange", "kane"}
        The formulation.
    steps : {"all", "main"}, optional
        Whether steps between are printed.
    short : bool, optional
        Whether sines and cosines are abbreviated, as s₁ and c₁₂.
    symbols : str, Path or Document, optional
        A document whose symbols are printed, or the name of one beside the model.
    angles : {"model", "relative", "absolute"}, optional
        Whether pins about one axis turn by angles of each body against the one before it, or
        against the ground, whatever the model has; what its own are is on the page.

    Returns
    -------
    Derivation
        Its ``page`` with prose, pictures and ``equations``, a ``report`` that all of these hold.

    Raises
    ------
    ArgumentError, DocumentError
        If there is no such document, or it cannot be read.
    DerivationError
        If the model has what is not explained by this method, which is said, or its equations are
        too large to be written out.

    Examples
    --------
    >>> import freebody
    >>> freebody.explain("pendulum", "lagrange").equations["1"]
    '\\omega_{1} = \\dot{\\theta}'
    """
    own_model, relations = in_angles(mechanism(model).model, angles)
    moving = mechanism(own_model)
    own = {} if symbols is None else symbols_of(symbols, moving.model)
    try:
        return _explained(moving, method, relations, steps, own, short=short)
    except TooLargeError as error:
        raise DerivationError(
            f"{moving.model.title}: equations in closed form are too large for a page ({error}): "
            "expected fewer coordinates, such as of a body that moves in a plane"
        ) from None


def _explained(
    moving: Mechanism,
    method: Method,
    relations: Sequence[Relation],
    steps: Steps,
    own: Mapping[str, str],
    *,
    short: bool,
) -> Derivation:
    quantities = Quantities(moving.model)
    shown = in_symbols(quantities.mechanism)
    is_own = shown is quantities.mechanism
    notation = Notation(shown, own, short=short)
    system = System(quantities.equations if is_own else derive(shown), notation)
    page = Page(notation, steps)
    overview = Overview(page, system)
    overview.write()
    overview.prescribed()
    overview.angles(relations)
    if method == "newton_euler" or why_not(system) is None:
        reason = why_not(system)
        system.require(reason is None, f"by newton_euler: {reason}")
        overview.free_bodies()
    page.opening = len(page.blocks)
    WRITERS[method](page, system)
    blocks = Blocks(page, system)
    blocks.write()
    SpecialCases(page, system, blocks).write()
    WorkedState(page, system, blocks, overview.posture.coordinates).write()
    if notation.abbreviations:
        page.abbreviate()
    title = f"{moving.model.title}: the equations of motion by {TITLES[method]}"
    report = _without_too_large(page, verified(page, title, moving.model, quantities))
    _expect_true(report)
    return Derivation(moving.model, method, title, page, report)


def _without_too_large(page: Page, report: DocumentReport) -> DocumentReport:
    """Leave out the numbers of a state that are too large to be checked, and say so."""
    stated = {label for _, labels in page.assumed for label in labels}
    lost = {
        one.label
        for one in report.equations
        if one.label in stated and one.status == "unreadable" and "too large" in one.note
    }
    if not lost:
        return report
    page.leave_out(lost, "they are too large to be checked exactly")
    kept = tuple(one for one in report.equations if one.label not in lost)
    return replace(report, equations=kept)


def _expect_true(report: DocumentReport) -> None:
    """Refuse a derivation with an equation that is not found to hold."""
    wrong = [one for one in report.equations if one.status != "holds"]
    if wrong and all(one.status == "unreadable" and "too large" in one.note for one in wrong):
        raise DerivationError(
            f"not explained: {len(wrong)} of {len(report.equations)} equations of the derivation "
            f"are too large to be checked exactly, first {wrong[0].label}; another method may do"
        )
    if wrong:
        message = "; ".join(f"{one.label} {one.status}: {one.latex[:SHOWN]}" for one in wrong[:3])
        raise DerivationError(
            f"not explained: {len(wrong)} of {len(report.equations)} equations of the derivation "
            f"were not found to hold, which is a fault of freebody: {message}"
        )
