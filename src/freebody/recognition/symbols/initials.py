"""What letters are for by what they begin with."""

from __future__ import annotations

from functools import cache

from freebody.checking.guesses.conventions import SymbolShape

GRAVITY = ("g", "g_0", "\\mathrm{g}", "\\mathbf{g}")
MASSES, INERTIAS = "mM", "IJΘ"
HEAVY = MASSES + INERTIAS
"""Letters for what resists motion."""
LENGTHS = "lLℓrRabdhD"
ARMS = "lLℓ"
"""Letters for lengths of what turns, and not of what ropes run over."""


@cache
def initial(key: str) -> str:
    r"""Return the letter of a symbol without its script; a question mark of what is more.

    Examples
    --------
    >>> initial(r"m_{\text{cart}}"), initial(r"\Theta_1"), initial(r"\gamma")
    ('m', 'Θ', '?')
    """
    letter = SymbolShape.of(key).letter
    return letter if len(letter) == 1 else {"Theta": "Θ"}.get(letter, "?")
