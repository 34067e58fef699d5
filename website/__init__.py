"""The documentation site: what is written in `docs/`, and what is generated out of the code."""
