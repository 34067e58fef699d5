"""What would mend a printed equation: the smallest edit of what is printed."""
