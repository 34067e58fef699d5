"""Models of other programs, read into model files."""

from freebody.importing.importing import Imported, import_model

__all__ = ["Imported", "import_model"]
