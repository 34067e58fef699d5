"""Models of one rigid body by its velocities along its own axes: Newton's and Euler's equations."""

from freebody.recognition.rigid_bodies.recognise import rigid_body

__all__ = ["rigid_body"]
