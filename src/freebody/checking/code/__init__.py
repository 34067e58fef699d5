"""What code computes, held against what is derived."""
