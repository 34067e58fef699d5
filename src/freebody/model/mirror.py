"""Copies reflected in a plane: a right leg from a left one.

A component of a vector, a moment or an angle changes its sign or keeps it, as the mark of its field
says; a coordinate keeps its meaning, such as flexion. A body's frame is reflected with it, and then
the axis along the normal turned back: so it stays right-handed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from freebody.algebra.expressions import references
from freebody.errors import Problem
from freebody.model.copies import Copies, Origin
from freebody.model.marks import Component, Entry, Parity, Quantity, marked
from freebody.model.schema import Model

AnEntry = TypeVar("AnEntry", bound=Entry)
Mark = TypeVar("Mark", Quantity, Component)


def reflect_copies(model: Model, copies: Copies) -> tuple[Model, list[Problem]]:
    """Return a model with its mirrored copies reflected, and what cannot be.

    Parameters
    ----------
    model : Model
        Without problems.
    copies : Copies
        What it was made from.

    Returns
    -------
    model : Model
    problems : list of Problem
    """
    entries, origins = dict(_entries(model)), copies.mirrored
    written = {origin.where for origin in origins.values()}
    sided = {at for at, origin in copies.origins.items() if origin.where in written}
    shared = {at: entry for at, entry in entries.items() if at not in sided}
    odd = {
        normals: _odd(model, shared, normals)
        for normals in {origin.normals for origin in origins.values()}
    }
    problems = [
        problem
        for at, origin in origins.items()
        for problem in _unclear(at, entries[at], origin, odd[origin.normals])
    ]
    made = {at: mirrored(entries[at], origin.normals) for at, origin in origins.items()}
    return _with(model, made), problems


def mirrored(entry: AnEntry, normals: str) -> AnEntry:
    """Return an entry reflected in planes with these normals, one after another.

    Examples
    --------
    >>> from freebody.model.joints import Pin
    >>> hip = Pin(name="hip", parent="pelvis", child="thigh", at=(0, 0, "w/2"), angle="abduction",
    ...     axis=(1, 0, 0))
    >>> other = mirrored(hip, "z")
    >>> other.at, other.axis, other.angle
    ((0, 0, '-(w/2)'), (-1, 0, 0), 'abduction')
    """
    changed = {
        name: _changed(getattr(entry, name), _parity(entry, name), normals)
        for name in type(entry).model_fields
    }
    return entry.model_copy(update=changed)


def _changed(value: Any, parity: Parity, normals: str) -> Any:
    if isinstance(value, Entry):
        return mirrored(value, normals)
    if isinstance(value, tuple):
        parts = zip(value, parity or ("",) * len(value), strict=True)
        return tuple(_changed(part, (axes,), normals) for part, axes in parts)
    flips = value is not None and any(_flips(axes, normals) for axes in parity)
    return _negative(value) if flips else value


def _flips(axes: str, normals: str) -> bool:
    return sum(map(axes.count, normals)) % 2 == 1


def _negative(value: Any) -> Any:
    if isinstance(value, str):
        return f"-({value})"
    return -value if value else value


def _parity(entry: Entry, name: str) -> Parity:
    mark = _mark(entry, name, Quantity)
    if mark is None:
        return ()
    return mark.mirror(entry) if callable(mark.mirror) else mark.mirror


def _mark(entry: Entry, name: str, kind: type[Mark]) -> Mark | None:
    metadata = type(entry).model_fields[name].metadata
    return next((mark for mark in metadata if isinstance(mark, kind)), None)


def _entries(model: Model) -> Iterator[tuple[str, Entry]]:
    for section, entries in model:
        if isinstance(entries, Mapping):
            yield from ((f"{section}.{name}", entry) for name, entry in entries.items())
        elif isinstance(entries, tuple):
            places = ((f"{section}[{index}]", entry) for index, entry in enumerate(entries))
            yield from (place for place in places if isinstance(place[1], Entry))


def _with(model: Model, made: Mapping[str, Entry]) -> Model:
    """Return a model with some of its entries replaced."""
    changed: dict[str, Any] = {}
    for section, entries in model:
        if isinstance(entries, Mapping):
            changed[section] = {
                name: made.get(f"{section}.{name}", entry) for name, entry in entries.items()
            }
        elif isinstance(entries, tuple):
            changed[section] = tuple(
                made.get(f"{section}[{index}]", entry) for index, entry in enumerate(entries)
            )
    return model.model_copy(update=changed)


# ---------------------------------------------------------------- what cannot be reflected


def _unclear(at: str, entry: Entry, origin: Origin, odd: frozenset[str]) -> Iterator[Problem]:
    """Iterate over what of a copy would need another sign, and cannot have it."""
    for name in _turned_components(entry, origin.normals):
        message = f"the component along '{getattr(entry, name)}' changes its sign in the mirror"
        yield Problem(f"{at}.{name}", f"{message}; expected a 'value'")
    for item in marked(entry, Quantity, at):
        for name in sorted(_names(item.value) & odd & origin.words):
            message = f"'{name}' changes its sign in the mirror"
            yield Problem(item.where, f"{message}; expected the mirrored entry written out")


def _odd(model: Model, shared: Mapping[str, Entry], normals: str) -> frozenset[str]:
    """Return the names of what moves or acts on both sides, and changes its sign in a mirror.

    Such as the lean of a trunk, by the axis of its joint: a mirrored copy would have to take it
    with another sign. Constants are lengths and the like, and do not change.
    """
    turned = (name for entry in shared.values() for name in _sign_changing(entry, normals))
    odd = {name for first in turned for name in _derivatives(first)}
    for at, entry in shared.items():
        name = at.partition(".")[2]
        used = {used for item in marked(entry, Quantity) for used in _names(item.value)}
        if name and (used & odd or any(_turned_components(entry, normals))):
            odd |= _derivatives(name)
    moving = (*model.coordinates, *model.speeds, *model.prescribed, *model.inputs)
    return frozenset(name for moves in moving for name in _derivatives(moves) & odd)


def _sign_changing(entry: Entry, normals: str) -> Iterator[str]:
    """Iterate over the names in an entry that stand where the sign changes, or may."""
    other = mirrored(entry, normals)
    tilted = any(
        isinstance(value, Entry) and getattr(other, name) != value for name, value in entry
    )
    for name, value in entry:
        for part in value if isinstance(value, tuple) else ():
            yield from _sign_changing(part, normals) if isinstance(part, Entry) else ()
        mark = _mark(entry, name, Quantity)
        if mark is None or value is None or not (mark.mirror or mark.along):
            continue
        back = _reverses(entry, other, mark.along)
        parts = value if isinstance(value, tuple) else (value,)
        for part, axes in zip(parts, _parity(entry, name) or ("",), strict=True):
            if tilted or _flips(axes, normals) != back:
                yield from _names(part)


def _reverses(entry: Entry, other: Entry, along: str | None) -> bool | None:
    """Whether the mirror reverses the direction of an entry; None if it turns it elsewhere."""
    before, after = (() if along is None else getattr(each, along) for each in (entry, other))
    if after == before:
        return False
    return True if after == tuple(map(_negative, before)) else None


def _turned_components(entry: Entry, normals: str) -> Iterator[str]:
    """Iterate over the fields that make an entry a component which changes its sign."""
    for name, axis in entry:
        mark = _mark(entry, name, Component)
        if mark and axis and _flips(mark.mirror["xyz".index(axis)], normals):
            yield name


def _names(value: Any) -> set[str]:
    return set(map(str, references(value))) if isinstance(value, str) else set()


def _derivatives(name: str) -> set[str]:
    return {name, f"{name}_dot", f"{name}_ddot"}
