"""What a page is about: models recognised by its equations of motion, whatever its letters."""

from freebody.recognition.adopt import Adopted, AdoptedChapter, ModelFit, adopt
from freebody.recognition.chapters import ChapterModel, PageRecognition, recognise_page
from freebody.recognition.recognise import Recognition, recognise
from freebody.recognition.recognised import Recognised

__all__ = [
    "Adopted",
    "AdoptedChapter",
    "ChapterModel",
    "ModelFit",
    "PageRecognition",
    "Recognised",
    "Recognition",
    "adopt",
    "recognise",
    "recognise_page",
]
