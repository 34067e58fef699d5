"""What is wrong with a model that its classes cannot see: all of it, each thing once.

What follows from an entry that is wrong itself, or from a name that is misspelt, is not told as
another problem.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from freebody.errors import ModelError, Problem
from freebody.model.draft import Draft, drafted
from freebody.model.mirror import reflected
from freebody.model.quantities import Scope, quantities
from freebody.model.schema import Model
from freebody.model.structure import clashes, structure


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


def reviewed(said: Model | Mapping[str, Any], source: str = "model") -> Model:
    """Return a model that has nothing wrong with it.

    Parameters
    ----------
    said : Model or mapping
        A model, or the tables of a model file.
    source : str
        What the errors call it.

    Raises
    ------
    ModelError
        With everything that is wrong.
    """
    draft = Draft(said) if isinstance(said, Model) else drafted(said)
    problems = [*draft.problems, *_reviewed(draft)]
    if draft.copies.mirrored and not problems:
        draft, problems = _reflected(draft)
    if draft.model is None or problems:
        raise ModelError(source, problems)
    return draft.model


def _reflected(draft: Draft) -> tuple[Draft, list[Problem]]:
    """Return a draft without problems with its mirrored copies, and the problems of these."""
    if draft.model is None:
        return draft, []
    model, problems = reflected(draft.model, draft.copies)
    draft = replace(draft, model=model)
    return draft, draft.in_file(problems) or _reviewed(draft)


def _reviewed(draft: Draft) -> list[Problem]:
    model = draft.model
    if model is None:
        return []
    clashing = dict(clashes(model))
    speeds = {f"{name}_dot" for name in draft.names}
    scope = Scope.of(model, lost=draft.names | speeds | clashing.keys(), words=draft.words)
    found = [*structure(model, draft), *clashing.values(), *quantities(model, scope)]
    return draft.in_file(found)
