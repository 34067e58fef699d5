"""What a printed equation means: its value in canonical forms, and in numbers at points."""
