"""What a page is about: models recognised by its equations of motion, whatever its letters."""

from freebody.recognition.adopt import Adopted, ModelFit, adopt, understood
from freebody.recognition.recognise import Recognition, recognise
from freebody.recognition.recognised import Recognised

__all__ = ["Adopted", "ModelFit", "Recognised", "Recognition", "adopt", "recognise", "understood"]
