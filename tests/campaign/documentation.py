"""Every page of the documentation, run block by block: what it shows is what happens."""

from __future__ import annotations

import tempfile
from pathlib import Path

from campaign.outcome import Campaign, Outcome
from campaign.readers_files import written_for
from documentation import PAGES, ran


def case(seed: int) -> Outcome:
    """Run one page in an empty folder, with the files that it says a reader has."""
    page = sorted(PAGES)[seed % len(PAGES)]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
        written_for(page, Path(folder))
        written_for(page, Path(other))
        wrong = ran(page, Path(folder), Path(other))
    return Outcome("not as shown" if wrong else "as shown", bool(wrong), "\n".join(wrong))


CAMPAIGN = Campaign("documentation", len(PAGES), 900.0, case)
