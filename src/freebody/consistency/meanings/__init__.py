"""What the letters of a page stand for by its own equations, and its equations with that put in."""
