"""What the letters of a page are measured in, and whether its equations balance so."""
