"""The best movement of a model, by CasADi and IPOPT."""

from freebody.optimization.optimal import OptimalMotion, optimal_motion

__all__ = ["OptimalMotion", "optimal_motion"]
