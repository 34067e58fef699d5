"""Works out what the functions of a listing compute, in cells of a graph; nothing is executed.

Every function is followed on its own, with values from outside, and again inside of what calls it.
What cannot be followed becomes a leaf that says why.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from freebody.code.calls import BranchLeft, Returned, once
from freebody.code.statements import Statements
from freebody.code.tree import (
    Assign,
    Class,
    Function,
    Node,
)
from freebody.code.values import (
    Closure,
    NotFollowedError,
    Scope,
    Struct,
    Table,
    TooMuchError,
)
from freebody.code.working import Run
from freebody.graph.cells import Cell

Law = tuple[str, str]
"""A variable that stands for an input, whatever it is set to: its function's name, and its own."""


@dataclass
class FollowedListing:
    """What came of a whole listing.

    Attributes
    ----------
    table : Table
        The graph and its leaves.
    runs : list of Run
    remarks : dict of int to str
        What is taken for granted or not followed, by where it stands.
    origins : dict of int to tuple of int
        Where each operation of the graph is first written.
    worked : dict of tuple of int to set of Cell
        The values that the expressions at a place came to.
    laws : frozenset of Law
        The variables that stand for inputs.
    """

    table: Table
    runs: list[Run]
    remarks: dict[int, str]
    origins: dict[int, tuple[int, int]] = field(default_factory=dict)
    worked: dict[tuple[int, int], set[Cell]] = field(default_factory=dict)
    laws: frozenset[Law] = frozenset()


def run(
    body: Sequence[Node],
    language: str,
    size: int = 0,
    only: Collection[str] | None = None,
    laws: frozenset[Law] = frozenset(),
) -> FollowedListing:
    """Follow a listing.

    Parameters
    ----------
    body : sequence of Node
        Its statements.
    language : str
    size : int, optional
        How many entries a state has whose length is asked for.
    only : collection of str, optional
        The functions that are followed on their own; all if not told.
    laws : frozenset of Law, optional
        The variables that stand for inputs.

    Raises
    ------
    TooMuchError
        If it takes too much work.
    """
    interp = Interpreter(language, size)
    interp.only, interp.laws = only, laws
    try:
        interp.program(body)
    except RecursionError:
        raise TooMuchError("it is nested too deeply") from None
    return FollowedListing(
        interp.table, interp.runs, interp.remarks, interp.origins, interp.worked, laws
    )


class Interpreter(Statements):
    """Follows the functions of a listing."""

    only: Collection[str] | None = None
    """Which of them are followed on their own; all if not told."""

    def program(self, body: Sequence[Node]) -> None:
        """Follow all statements, and each function on its own."""
        functions = [one for one in body if isinstance(one, Function)]
        classes = [one for one in body if isinstance(one, Class)]
        for one in functions:
            before = self._globals.names.get(one.name)
            self._globals.names[one.name] = Closure(one, self._globals, None, before)
        self._globals.once = once(body)
        self.runs.append(self._run)
        self._results = []
        for node in body:
            if not isinstance(node, Function):
                # a return ends a script, or stands in what could not be read as a function
                with suppress(Returned, BranchLeft):
                    self._statement(node, self._globals)
        within, self._within = self._within, []
        for closure in [*(Closure(function, self._globals) for function in functions), *within]:
            self._alone(closure)
        for each in classes:
            self._class(each)

    def _class(self, node: Class) -> None:
        methods = {one.name: one for one in node.body if isinstance(one, Function)}
        held = Struct(node.name, {}, methods, None, node.words)
        own = Scope({}, self._globals, "", once(node.body))
        self._block([one for one in node.body if isinstance(one, Assign)], own)
        held.items.update(own.names)
        first = methods.pop("__init__", None) or methods.pop("__post_init__", None)
        held.rest = self.table.unknown("self")
        if first is not None:
            self._alone(Closure(first, self._globals, held), is_kept=True)
        for function in methods.values():
            self._alone(Closure(function, self._globals, held))

    def _alone(self, closure: Closure, *, is_kept: bool = False, within: str = "") -> None:
        """Follow a function with values from outside."""
        function, owner = closure.function, closure.owner
        label = f"{owner.name}.{function.name}" if owner else function.name
        label = f"{within}.{label}" if within else label
        if not is_kept and self.only is not None and not self._is_wanted(label):
            return
        said = filter(None, (function.words, owner.words if owner else ""))
        self._run = Run(label, "\n\n".join(said), function.span)
        self.runs.append(self._run)
        items = dict(owner.items) if owner else {}
        self._depth, self._within = 0, []
        try:
            found = self.called(closure, None, ())
            del found
        except NotFollowedError as error:
            self.remark(str(error), function)
        inner, self._within = self._within, []
        for each in inner:
            self._alone(each, within=label)
        if owner and not is_kept:
            owner.items = items

    def _is_wanted(self, label: str) -> bool:
        """Return whether a function, or one within it, is to be followed."""
        return any(one == label or one.startswith(f"{label}.") for one in self.only or ())
