"""Code that works equations of motion out, read without ever running it.

A language module (`python`, `matlab`, `julia`, `c`) hands over the tree of `tree`; one interpreter
works it out in cells of a `freebody.graph.Graph`.
"""
