"""Models built of what a page says: its energies, its equations of motion, or its places."""
