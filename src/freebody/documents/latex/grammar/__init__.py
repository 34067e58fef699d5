"""Mathematics read into a syntax tree: one module for each thing that is printed."""
