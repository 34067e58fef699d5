"""What a check found, equation by equation, and whether it is what was recorded."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from freebody.checking.findings import Difference, Edit, PrintedTerm, Repair, SymbolFinding

if TYPE_CHECKING:
    from freebody.checking.basis import Basis

Status = Literal["holds", "differs", "unreadable", "failed", "not checked"]
STATUSES: tuple[Status, ...] = ("holds", "differs", "unreadable", "failed", "not checked")


@dataclass(frozen=True, slots=True)
class EquationVerdict:
    """What a check says of one printed equation.

    Attributes
    ----------
    label : str
        As printed, such as ``(31)``.
    line : int
        Where it stands in the document.
    latex : str
        As printed.
    status : {"holds", "differs", "unreadable", "failed", "not checked"}
        It is freebody that failed, not the page.
    proof : str
        ``"exact"``, or how many digits agree at how many random points; empty where not judged.
    differences : tuple of Difference
        Its terms that are not as they should be.
    recorded : bool
        Whether something is recorded of it.
    note : str
        What is recorded, or why it cannot be read.
    surprise : str
        In what way found and recorded do not agree; empty where they do.
    terms : tuple of PrintedTerm
        What is said of each printed term, in the order of the page.
    repairs : tuple of Repair
        The smallest changes that make the equation hold, the likeliest first.
    search : str
        Why there are no repairs, or not all of them; empty where the search was complete.
    carried_from : str
        The label of the earlier equation whose misprint this one carries on; empty where none.
    readings : tuple of str
        What could be read in two ways, and the reading taken.
    place : str
        Where it stands in the source, for people: ``line 12``, ``cell 3, line 2``.
    fault : str
        The line by which a failure of freebody can be reported: to judge the equation, or, where
        there is a verdict, to say more of it.
    diff : str
        Of code, the likeliest repair as a change of lines of the file.
    """

    label: str
    line: int
    latex: str
    status: Status
    proof: str = ""
    differences: tuple[Difference, ...] = ()
    recorded: bool = False
    note: str = ""
    surprise: str = ""
    terms: tuple[PrintedTerm, ...] = ()
    repairs: tuple[Repair, ...] = ()
    search: str = ""
    carried_from: str = ""
    readings: tuple[str, ...] = ()
    place: str = ""
    fault: str = ""
    diff: str = ""

    @property
    def news(self) -> str:
        """What an author has to look at: what is not as recorded, or that freebody failed."""
        return self.surprise or self.fault

    def as_json(self) -> dict[str, Any]:
        """Return the verdict as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Undeclared:
    """A symbol that equations use and the document does not declare.

    Attributes
    ----------
    symbol : str
        As printed.
    place : str
        Where it occurs first, for people: ``line 12``, ``cell 3, line 2``.
    count : int
        How many equations use it.
    nearest : str
        The declared symbol that is most like it; empty where none is.
    """

    symbol: str
    place: str
    count: int
    nearest: str = ""


@dataclass(frozen=True, slots=True)
class PassedOver:
    """What looks like a formula on a page, and is not checked.

    Attributes
    ----------
    place : str
        Where it stands, for people: ``line 12``, ``cell 3, line 2``.
    line : int
        Where it stands in the document.
    latex : str
        As printed.
    reason : str
        Why it is passed over.
    """

    place: str
    line: int
    latex: str
    reason: str


@dataclass(frozen=True, slots=True)
class StatedQuantity:
    """A derived quantity that an equation or a line of code states.

    Attributes
    ----------
    label, place : str
        Of the equation or the value, and where it stands.
    key : tuple
        The quantity.
    is_right : bool
    """

    label: str
    place: str
    key: tuple[Any, ...]
    is_right: bool


@dataclass(frozen=True, slots=True)
class Contradiction:
    """An equation and a line of code that are about the same, of which one at least is wrong.

    Attributes
    ----------
    page, equation, place : str
        The page, the label of the equation, and where it stands.
    code, value, line : str
        The code, what is called so in it, and where it stands.
    right : {"page", "code", ""}
        Which of them is right; empty where neither is.
    """

    page: str
    equation: str
    place: str
    code: str
    value: str
    line: str
    right: str

    def __str__(self) -> str:
        """Say it in a sentence."""
        if not self.right:
            return f"equation {self.equation} of {self.page} and {self.line} are both wrong"
        message = f"equation {self.equation} of {self.page} and {self.line} say different things"
        return f"{message}; the {self.right} is right"


@dataclass(frozen=True, slots=True, repr=False)
class DocumentReport:
    """The verdicts on one document.

    Attributes
    ----------
    document, title, model : str
        The name of the document, its title and its model.
    equations : tuple of EquationVerdict
        In the order of the page.
    stale : tuple of str
        What is recorded of equations that the document does not have.
    unused : tuple of str
        Symbols that are declared and do not occur.
    definitions : tuple of SymbolFinding
        Symbols that contradict several equations.
    undeclared : tuple of Undeclared
        Symbols that equations use and the document does not declare, in the order of the page.
    introduced : tuple of str
        Symbols that the document does not declare and its equations define.
    remarks : tuple of str
        What of the page was not read, such as files that it includes.
    faults : tuple of str
        Why the page could not be read or looked at as a whole.
    passed_over : tuple of PassedOver
        What looks like a formula and is not checked, in the order of the page.
    inline : tuple of PassedOver
        The equations in running text, where these are not read.
    source : str
        The file of the document; empty where there is none.
    language : str
        What it is written in, where it is code; empty for a page.
    edits : tuple of Edit
        Of code, the repairs that mend it, in the text of its file.
    basis : Basis or None
        What the verdicts stand on; None of code, and where there are none.
    statements : tuple of StatedQuantity
        What is stated by what holds or differs, where pages and code are checked together.
    contradictions : tuple of Contradiction
        Of code, the equations of pages that say something else.
    """

    document: str
    title: str
    model: str
    equations: tuple[EquationVerdict, ...]
    stale: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    definitions: tuple[SymbolFinding, ...] = ()
    undeclared: tuple[Undeclared, ...] = ()
    introduced: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    passed_over: tuple[PassedOver, ...] = ()
    inline: tuple[PassedOver, ...] = ()
    source: str = ""
    language: str = ""
    edits: tuple[Edit, ...] = ()
    basis: Basis | None = None
    statements: tuple[StatedQuantity, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()

    def counts(self) -> Counter[Status]:
        """Return how many equations have each status."""
        return Counter(equation.status for equation in self.equations)

    def surprises(self) -> list[str]:
        """Return in what way found and recorded do not agree."""
        news = [f"{one.label}: {one.news}" for one in self.equations if one.news]
        return [f"{self.document} {line}" for line in news] + [
            f"{self.document}: {entry}" for entry in (*self.stale, *self.faults)
        ]

    def __repr__(self) -> str:
        counts = ", ".join(f"{n} {status}" for status, n in self.counts().items() if n)
        return f"<DocumentReport of {self.document}: {counts or 'no equations'}>"

    def _repr_html_(self) -> str:
        from freebody.notebook.shown import document_html  # which reads reports

        return document_html(self)

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {
            "document": self.document,
            "model": self.model,
            "equations": [equation.as_json() for equation in self.equations],
            "stale": list(self.stale),
            "unused": list(self.unused),
            "definitions": [asdict(definition) for definition in self.definitions],
            "undeclared": [asdict(symbol) for symbol in self.undeclared],
            "introduced": list(self.introduced),
            "remarks": list(self.remarks),
            "faults": list(self.faults),
            "passed_over": [asdict(formula) for formula in self.passed_over],
            "inline": [asdict(formula) for formula in self.inline],
            "basis": self.basis and self.basis.as_json(),
            "contradictions": [asdict(one) for one in self.contradictions],
        }


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """The verdicts of a check.

    Attributes
    ----------
    documents : tuple of DocumentReport
        In the order they were checked.
    graded : bool
        Whether pages were held against a model or document that is not their own, so that nothing
        is recorded of them.
    """

    documents: tuple[DocumentReport, ...]
    graded: bool = False

    @property
    def exit_code(self) -> int:
        """0 where found and recorded agree, 1 where not, 2 where something could not be judged.

        Of graded pages, 1 where an equation differs.
        """
        verdicts = [equation for document in self.documents for equation in document.equations]
        failed = any(v.fault for v in verdicts) or any(d.faults for d in self.documents)
        if failed or any(v.status == "unreadable" and v.surprise for v in verdicts):
            return 2
        if self.graded:
            return int(any(v.status == "differs" for v in verdicts))
        stale = any(document.stale for document in self.documents)
        return int(stale or any(v.surprise for v in verdicts))

    @property
    def agrees(self) -> bool:
        """Whether everything that was found is recorded and everything recorded was found."""
        return self.exit_code == 0

    def surprises(self) -> list[str]:
        """Return in what way found and recorded do not agree."""
        return [line for document in self.documents for line in document.surprises()]

    def __repr__(self) -> str:
        from freebody.reporting.words import summary  # which reads reports

        return f"<Report on {len(self.documents)} pages: {summary(self)}>"

    def _repr_html_(self) -> str:
        from freebody.notebook.shown import report_html  # which reads reports

        return report_html(self)

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain data."""
        documents = [document.as_json() for document in self.documents]
        return {"documents": documents, "graded": self.graded}

    def save(self, path: str | Path, *, everything: bool = False) -> None:
        """Write the report to a ``.html``, ``.md``, ``.json`` or ``.txt`` file.

        Parameters
        ----------
        path : str or Path
        everything : bool, optional
            Whether a ``.txt`` file has the equations that hold as well; the others always do.

        Raises
        ------
        FileError
            If the ending is another, or the file cannot be written; nothing is half-written then.
        """
        from freebody.reporting import save  # which reads reports

        save(self, path, everything=everything)
