"""Runs the command line as ``python -m freebody``."""

from freebody.cli import main

main()
