"""Equations of motion: which follow from a Lagrangian, and from each other."""
