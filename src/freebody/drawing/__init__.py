"""Mechanisms drawn: their solids and joints, in a picture, in an animation, and in space."""
