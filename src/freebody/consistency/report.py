"""What a page says of itself: what follows from what, and what contradicts what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from freebody.checking.basis import Basis
from freebody.checking.findings import Repair
from freebody.checking.report import PassedOver
from freebody.consistency.finding import PROOFS

MOST_PLACES = 5
"""So many places of equations are listed where they are all alike."""

Standing = Literal["consistent", "contradicts", "unsupported"]


@dataclass(frozen=True, slots=True)
class StatementVerdict:
    """What the rest of a page says of one of its equations.

    Attributes
    ----------
    label : str
        As printed, such as ``(31)``.
    place : str
        Where it stands, for people.
    line : int
    latex : str
        As printed.
    status : {"consistent", "contradicts", "unsupported"}
        It follows from others, or contradicts them, or there is nothing to hold it against.
    against : tuple of str
        The labels of those others; ``with`` in JSON. Where it differs from them, and may be of
        another case, it is none of either, and undecided.
    reason : str
        How it follows, or why nothing is said.
    wrong : str
        Where it contradicts others, the label of the one that the rest speaks against; empty where
        that is open.
    repairs : tuple of Repair
        The changes of that one with which it does not.
    is_inline : bool
        Whether it stands in running text.
    is_read : bool
        Whether it could be read.
    proof : str
        How the verdict was come to; empty where there is none.
    is_of_two_cases : bool
        Whether it is undecided since it is another equation but for what another case changes.
    """

    label: str
    place: str
    line: int
    latex: str
    status: Standing
    against: tuple[str, ...] = ()
    reason: str = ""
    wrong: str = ""
    repairs: tuple[Repair, ...] = ()
    is_inline: bool = False
    is_read: bool = True
    proof: str = ""
    is_of_two_cases: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the verdict as plain data."""
        found = asdict(self)
        found["with"] = list(found.pop("against"))
        return found

    def __str__(self) -> str:
        others = _listed(self.against)
        match self.status:
            case "consistent":
                message = f"follows from {others}" if others else "follows of itself"
                return f"{message}: {self.reason}" if self.reason else message
            case "contradicts":
                return f"contradicts {others or self._itself}"
        undecided = "undecided" if self.is_undecided else "nothing to hold it against"
        return f"{undecided}: {self.reason}"

    @property
    def is_undecided(self) -> bool:
        """Whether it differs from others, and may be of another case."""
        return self.status == "unsupported" and bool(self.against)

    @property
    def _itself(self) -> str:
        """What an equation contradicts that differs from no other."""
        if self.proof == PROOFS["numbers"]:
            return f"itself: {self.reason}"
        return "a law of mechanics" if self.proof == PROOFS["law"] else "the units of its letters"


@dataclass(frozen=True, slots=True)
class PageReport:
    """What a page says of itself.

    Attributes
    ----------
    document : str
        The name of the file.
    equations : tuple of StatementVerdict
        In the order of the page.
    moving, constants : tuple of str
        The letters that are functions of time, and those that are not.
    passed_over : tuple of PassedOver
        What looks like a formula and is not read.
    remarks : tuple of str
        What of the page was not read, such as files that it includes.
    source : str
        The file.
    basis : Basis or None
        What the verdicts stand on.
    """

    document: str
    equations: tuple[StatementVerdict, ...]
    moving: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()
    passed_over: tuple[PassedOver, ...] = ()
    remarks: tuple[str, ...] = ()
    source: str = ""
    basis: Basis | None = None

    def counts(self) -> Counter[Standing]:
        """Return how many equations have each status."""
        return Counter(one.status for one in self.equations)

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {
            "document": self.document,
            "equations": [one.as_json() for one in self.equations],
            "moving": list(self.moving),
            "constants": list(self.constants),
            "passed_over": [asdict(one) for one in self.passed_over],
            "remarks": list(self.remarks),
            "basis": self.basis and self.basis.as_json(),
        }

    def lines(self) -> list[str]:
        """Return the report as text."""
        width = max((len(one.label) for one in self.equations), default=0)
        lines = [self.document]
        if self.moving:
            lines.append(f"  moving     {', '.join(self.moving)}")
        if self.constants:
            lines.append(f"  constant   {', '.join(self.constants)}")
        quiet = [one for one in self.equations if one.is_inline and one.status == "unsupported"]
        for one in self.equations:
            if one in quiet:
                continue
            lines.append(f"  {one.label:{width}}  {one}  {one.place}")
            if one.status == "contradicts":
                lines += (f"      {line}" for line in _verdict_lines(one))
        lines += (
            f"  {one.place}: passed over, {one.reason}: {_shortened(one.latex)}"
            for one in self.passed_over
        )
        lines += (f"  {remark}" for remark in self.remarks)
        lines += _on_running_text(quiet)
        counts, undecided = self.counts(), sum(one.is_undecided for one in self.equations)
        parts = [
            f"{counts['consistent']} follow from others",
            f"{counts['contradicts']} contradict others",
            *([f"{undecided} undecided"] if undecided else []),
            f"{counts['unsupported'] - undecided} with nothing to hold them against",
        ]
        passed = f"; {len(self.passed_over)} formulas passed over" if self.passed_over else ""
        lines.append(f"{len(self.equations)} equations: {', '.join(parts)}{passed}")
        return lines


@dataclass(frozen=True, slots=True)
class AloneReport:
    """What pages say of themselves.

    Attributes
    ----------
    documents : tuple of PageReport
    """

    documents: tuple[PageReport, ...]

    @property
    def exit_code(self) -> int:
        """1 where an equation contradicts others, 2 where a page has none that can be read."""
        if any(not any(one.is_read for one in page.equations) for page in self.documents):
            return 2
        return int(any(page.counts()["contradicts"] for page in self.documents))

    @property
    def agrees(self) -> bool:
        """Whether no equation contradicts others; what is wrong twice alike is not seen."""
        return not any(page.counts()["contradicts"] for page in self.documents)

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {"documents": [page.as_json() for page in self.documents], "alone": True}

    def save(self, path: str | Path) -> None:
        """Write the report to a ``.html``, ``.md``, ``.json`` or ``.txt`` file.

        Raises
        ------
        FileError
            If the ending is another, or the file cannot be written; nothing is half-written then.
        """
        from freebody.reporting.alone import save_alone  # which reads reports

        save_alone(self, path)

    def __str__(self) -> str:
        return "\n\n".join("\n".join(page.lines()) for page in self.documents)


def _on_running_text(quiet: Sequence[StatementVerdict]) -> Iterator[str]:
    """Say of how many equations in running text nothing is said, or nothing for sure."""
    unread = [one for one in quiet if not one.is_read]
    undecided = sum(one.is_undecided for one in quiet)
    told = len(quiet) - len(unread) - undecided
    if told:
        yield f"  in running text: {told} with nothing to hold them against"
    if undecided:
        yield f"  in running text: {undecided} undecided"
    if unread:
        places = ", ".join(dict.fromkeys(one.place for one in unread[:MOST_PLACES]))
        more = ", ..." if len(unread) > MOST_PLACES else ""
        yield f"  in running text: {len(unread)} that cannot be read ({places}{more})"


def _verdict_lines(verdict: StatementVerdict) -> list[str]:
    lines = [f"printed    {_shortened(verdict.latex)}"]
    if verdict.reason:
        lines.append(f"why        {verdict.reason}")
    if verdict.wrong:
        lines.append(f"speaks     against {verdict.wrong}")
    lines += (f"proposed   {_shortened(one.latex)}" for one in verdict.repairs[:3])
    return lines


def _shortened(latex: str) -> str:
    text = " ".join(latex.split())
    return text if len(text) <= 200 else f"{text[:197]}..."


def _listed(labels: Iterable[str]) -> str:
    *first, last = labels or ("",)
    return f"{', '.join(first)} and {last}" if first else last
