"""The equations of motion of a page, in its own letters, and what they are made of."""
