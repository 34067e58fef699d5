"""Arrays of numbers."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
"""In double precision, as every backend computes."""

Numbers = Annotated[Any, ()]
"""What numpy makes an array of numbers of, of any shape: lists, arrays, series."""
Series = Annotated[Any, ("time",)]
"""The same of one axis."""
Vectors = Annotated[Any, ("time", 3)]
"""The same with three components at each time."""
