"""A model that fits a page, with what for what."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from freebody.checking.quantities.derived import Quantities
from freebody.locating import shipped
from freebody.recognition.equations.page_motion import PageMotion, PageSystem
from freebody.recognition.known.evidence import Evidence
from freebody.recognition.known.making import BuiltModel


@dataclass(frozen=True, eq=False)
class Recognised:
    """A model that fits a page.

    Attributes
    ----------
    made : BuiltModel
        It as the page means it.
    quantities : Quantities
        Of that.
    fits, fails : tuple of str
        The labels of the equations of motion that are those of the model, and of those in the
        same sections of the page that are not; elsewhere it may be about another system.
    system : PageSystem
        The equations of motion of the page that were held against it.
    source : Path, optional
        The file of the known model; none of one that is built from the page.
    motion : PageMotion
        What the page says of its motion.
    is_complete : bool
        Whether a Lagrangian of the page tells all of it.
    near : frozenset of str
        The labels of equations in the same sections as those that fit.
    undriven : frozenset of str
        The labels of equations that hold where what acts is zero.
    aside : frozenset of str
        The labels of equations that may be of small motions, or sums of what acts.
    borne_out : frozenset of int
        The numbers of the equations that say what letters are, with which those that fit hold.
    """

    made: BuiltModel
    quantities: Quantities
    fits: tuple[str, ...]
    fails: tuple[str, ...]
    system: PageSystem
    source: Path | None
    motion: PageMotion
    is_complete: bool = False
    near: frozenset[str] = frozenset()
    undriven: frozenset[str] = frozenset()
    aside: frozenset[str] = frozenset()
    borne_out: frozenset[int] = frozenset()

    @classmethod
    def of(
        cls,
        made: BuiltModel,
        evidence: Evidence,
        motion: PageMotion,
        fits: tuple[str, ...],
        fails: tuple[str, ...],
        *,
        alike: Collection[str] = (),
        source: Path | None = None,
        is_complete: bool = False,
    ) -> Recognised:
        """Return a model with the equations that hold in it, by what judged them.

        Of those that do not, the ones in the same sections that are not about small motions: of
        those that hold, or that are alike for the most part where none does.
        """
        system, near = evidence.system, motion.beside([*fits, *alike])
        aside = motion.small(system) | motion.resultants
        fails = tuple(one for one in fails if one in near and one not in {*fits, *aside})
        undriven, borne_out = frozenset(evidence.undriven), frozenset(evidence.borne_out)
        return cls(
            made, evidence.quantities, fits, fails, system, source, motion, is_complete, near,
            undriven, aside, borne_out,
        )  # fmt: skip

    @property
    def name(self) -> str:
        """What the known model is called."""
        return self.made.name

    @property
    def is_shipped(self) -> bool:
        """Whether the known model comes with freebody."""
        return self.source is not None and self.source.parent in shipped().values()

    @property
    def is_built(self) -> bool:
        """Whether it is made of the page, and no known one."""
        return self.source is None

    @property
    def is_in_running_text(self) -> bool:
        """Whether the page displays none of the equations that fit, but prints them in its text."""
        own = {one.label: one.is_inline for one in self.motion.statements.all}
        return bool(self.fits) and all(own.get(label, False) for label in self.fits)

    def may_be_misprinted(self, differing: Collection[str]) -> bool:
        """Return whether what a model is made of may be wrong: nearly as much differs as fits.

        Equations of motion as many as the coordinates make a model, whatever they are.

        Parameters
        ----------
        differing : collection of str
            The labels of equations that do not hold in it, in no case.
        """
        needed = len(self.quantities.mechanism.model.coordinates) + len(differing)
        return bool(differing) and self.is_built and len({*self.fits, *self.undriven}) < needed
