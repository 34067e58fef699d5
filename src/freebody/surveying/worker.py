"""The process that looks at pages for a survey: a task a line in, facts a line out."""

from __future__ import annotations

import json
import signal
import sys
import warnings
from pathlib import Path
from typing import Any

from freebody.surveying.page import looked_at

DONE: dict[str, Any] = {"done": True}


def main() -> None:
    """Look at the pages that are named, until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started it is interrupted
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        task = json.loads(line)
        models = Path(task["models"]) if task["models"] else None
        looked_at(Path(task["page"]), models, _tell)
        _tell(DONE)


def _tell(facts: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(facts, ensure_ascii=True) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
