"""Drawings of a mechanism and of its free bodies."""
