"""What the symbols of a page stand for, where a model tells it, and where words and letters do."""
