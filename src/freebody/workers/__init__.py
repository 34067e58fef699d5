"""What is many, handed out: here, to processes, or to the workers of a Dask cluster."""

from freebody.workers.handing import Job, Lost, handed_out
from freebody.workers.pools import AnyScheduler, Pool, pool_of

__all__ = ["AnyScheduler", "Job", "Lost", "Pool", "handed_out", "pool_of"]
