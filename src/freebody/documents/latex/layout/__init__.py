"""Displays read equation by equation: rows, chains, signs, and what indices run over."""
