"""Printed pages: their equations in LaTeX, and what their symbols stand for."""

from freebody.documents.document import Document, Erratum, Unchecked
from freebody.documents.reading import (
    documents_beside,
    documents_of,
    is_bare,
    is_of_a_document,
    passed_over,
    read_bare,
    read_document,
)

__all__ = [
    "Document",
    "Erratum",
    "Unchecked",
    "documents_beside",
    "documents_of",
    "is_bare",
    "is_of_a_document",
    "passed_over",
    "read_bare",
    "read_document",
]
