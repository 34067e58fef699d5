"""Known models held against the equations of motion of a page, whatever letters it has."""
