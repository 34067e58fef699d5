"""Many pages: each against itself and against the model that it is about, side by side."""

from freebody.surveying.survey import PageRecord, Survey, survey

__all__ = ["PageRecord", "Survey", "survey"]
