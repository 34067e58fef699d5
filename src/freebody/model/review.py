"""What is wrong with a model that its classes cannot see: all of it, each thing once.

What follows from an entry that is wrong itself, or from a name that is misspelt, is not told as
another problem.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from freebody.errors import ModelError, ModelWarning, Problem
from freebody.model.draft import Draft, make_draft
from freebody.model.mirror import reflect_copies
from freebody.model.quantities import Scope, quantities, unused_constants
from freebody.model.schema import Model
from freebody.model.structure import clashes, structure
from freebody.model.values import driving

SHOWN = 5
"""How many entries without a title are named."""


def review(model: Model) -> list[Problem]:
    """Return all that is wrong with a model.

    Examples
    --------
    >>> from freebody.model.schema import Body, Model
    >>> for problem in review(Model(title="", bodies=[Body(name="hand", mass="m1")])):
    ...     print(problem)
    coordinates: expected at least one
    bodies[0].name: no joint has 'hand' as its child
    bodies[0].mass: 'm1' is not declared
    """
    return _reviewed(Draft(model))


def reviewed(data: Model | Mapping[str, Any], source: str = "model") -> Model:
    """Return a model that has nothing wrong with it.

    Parameters
    ----------
    data : Model or mapping
        A model, or the tables of a model file.
    source : str
        What the errors call it.

    Raises
    ------
    ModelError
        With everything that is wrong.
    """
    draft = Draft(data) if isinstance(data, Model) else make_draft(data)
    problems = [*draft.problems, *_reviewed(draft)]
    if draft.copies.mirrored and not problems:
        draft, problems = _reflected(draft)
    if draft.model is None or problems:
        raise ModelError(source, problems)
    if not draft.model._has_warned:
        draft.model._has_warned = True
        for remark in remarks(draft.model):
            warnings.warn(f"{source}: {remark}", ModelWarning, stacklevel=2)
    return draft.model


def remarks(model: Model) -> list[Problem]:
    """Return what is worth telling of a model that has nothing wrong with it.

    Examples
    --------
    >>> from freebody.model.files import load
    >>> remarks(load("pendulum"))
    []
    """
    problems = [Problem(f"constants.{name}", "is not used") for name in unused_constants(model)]
    problems += driving(model)
    nameless = [] if "title" in model.model_fields_set else ["the model"]
    for section in ("coordinates", "speeds", "prescribed", "inputs", "constants", "functions"):
        entries = getattr(model, section).items()
        nameless += [
            f"{section}.{name}" for name, entry in entries if "title" not in entry.model_fields_set
        ]
    if nameless:
        more = f" and {len(nameless) - SHOWN} more" if len(nameless) > SHOWN else ""
        problems.append(Problem("", f"no title of {', '.join(nameless[:SHOWN])}{more}"))
    return problems


def _reflected(draft: Draft) -> tuple[Draft, list[Problem]]:
    """Return a draft without problems with its mirrored copies, and the problems of these."""
    if draft.model is None:
        return draft, []
    model, problems = reflect_copies(draft.model, draft.copies)
    draft = replace(draft, model=model)
    return draft, draft.in_file(problems) or _reviewed(draft)


def _reviewed(draft: Draft) -> list[Problem]:
    if draft.model is None:
        return []
    whole = not (draft.problems or draft.names or draft.words)
    problems = (
        _problems_of_text(_ModelText(repr(dict(draft.model)), draft.model))
        if whole
        else _wrong(draft.model, draft)
    )
    return draft.in_file(problems)


@dataclass(frozen=True)
class _ModelText:
    """All that a model says, by which it is known again."""

    text: str
    model: Model = field(compare=False)


@lru_cache(maxsize=256)
def _problems_of_text(given: _ModelText) -> tuple[Problem, ...]:
    return _wrong(given.model, Draft(given.model))


def _wrong(model: Model, draft: Draft) -> tuple[Problem, ...]:
    clashing = dict(clashes(model))
    speeds = {f"{name}_dot" for name in draft.names}
    scope = Scope.of(model, lost=draft.names | speeds | clashing.keys(), words=draft.words)
    return (*structure(model, draft), *clashing.values(), *quantities(model, scope))
