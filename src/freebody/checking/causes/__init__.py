"""Why equations differ: misprints carried on, wrong definitions, wrong dimensions."""
