"""A page of text: its lines, its macros, and where its equations stand."""
