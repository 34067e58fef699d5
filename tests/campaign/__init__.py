"""Long searches for what would make freebody wrong, silent or dead: run by ``make campaign``."""
