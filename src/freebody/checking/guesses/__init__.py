"""What the symbols of a bare page stand for, guessed from its equations, words and conventions."""

from freebody.checking.guesses.adopt import AdoptedDocument, adopt
from freebody.checking.guesses.front_matter import adopted, beside
from freebody.checking.guesses.guessing import Guess, Guesses, guess, guessed

__all__ = ["AdoptedDocument", "Guess", "Guesses", "adopt", "adopted", "beside", "guess", "guessed"]
