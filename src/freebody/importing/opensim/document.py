"""A document of OpenSim: elements whose properties are children, and what they fall back on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from freebody.importing.elements import Element, shown

OLDEST = 40000
"""The version of documents from which on joints and frames stand beside bodies."""


class Document:
    """The model of a document.

    Parameters
    ----------
    root : Element
        Its ``<OpenSimDocument>``.
    """

    def __init__(self, root: Element) -> None:
        version = root.number("Version", 0)
        if version < OLDEST:
            root.refuse(
                f"Version: expected {OLDEST} or later, found {version:g}: open the model in "
                "OpenSim 4 and save it"
            )
        root = flat(root)
        models = list(root.all("Model"))
        if len(models) != 1:
            root.refuse(f"expected one <Model>, found {len(models)}")
        self.model = models[0]
        defaults = self.model.one("defaults")
        self.defaults = {one.tag: one for one in (defaults.children if defaults else ())}

    def objects(self, name: str) -> Iterator[Element]:
        """Iterate over the objects of a set, with the properties that they leave out."""
        for group in self.model.all(name):
            yield from map(self.filled, inside(group))

    def filled(self, element: Element) -> Element:
        """Return an element with the properties of the default of its kind."""
        known = self.defaults.get(element.tag)
        if known is None:
            return element
        return replace(element, attributes={**known.attributes, **element.attributes})


def inside(group: Element) -> list[Element]:
    """Return the objects of a set."""
    return [one for objects in group.all("objects") for one in objects.children]


def within(element: Element, *path: str) -> list[Element]:
    """Return the elements that a path of tags leads to."""
    found = [element]
    for tag in path:
        found = [child for one in found for child in one.all(tag)]
    return found


def last(path: str | None) -> str:
    """Return the last name of a path such as ``/bodyset/femur_r``."""
    return (path or "").rstrip("/").rpartition("/")[2]


def is_true(element: Element, name: str, default: bool) -> bool:
    """Return whether a property is true."""
    value = element.get(name)
    return default if not value else value.lower() == "true"


def called(element: Element) -> str:
    """Return the name of an element as messages show it."""
    return shown(element.get("name") or element.tag)


def flat(element: Element) -> Element:
    """Return an element whose children without any of their own are attributes as well."""
    children = [flat(child) for child in element.children]
    said = {
        child.tag: child.text.strip()
        for child in children
        if not child.children and not child.attributes.keys() - {"name"} and child.text.strip()
    }
    return replace(element, attributes={**said, **element.attributes}, children=children)
