"""Dimensions times powers of open ones, and what products that are pure numbers tell of these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from freebody.algebra.units import NUMBER, Dimension


@dataclass(frozen=True)
class DimensionProduct:
    """A dimension, times powers of those of letters.

    Attributes
    ----------
    dimension : Dimension
    powers : dict of str to Fraction
        By letters whose dimension is open.

    Examples
    --------
    >>> from freebody.algebra.units import KG, M, S
    >>> force = DimensionProduct(KG * M / S**2)
    >>> weight = DimensionProduct(KG) * DimensionProduct(powers={"g": Fraction(1)})
    >>> {key: str(found) for key, found in (weight / force).told().items()}
    {'g': 'm/s**2'}
    """

    dimension: Dimension = NUMBER
    powers: Mapping[str, Fraction] = field(default_factory=dict)

    def __mul__(self, other: DimensionProduct) -> DimensionProduct:
        powers = dict(self.powers)
        for key, power in other.powers.items():
            powers[key] = powers.get(key, Fraction(0)) + power
        left = {key: power for key, power in powers.items() if power}
        return DimensionProduct(self.dimension * other.dimension, left)

    def __pow__(self, power: Fraction | int) -> DimensionProduct:
        powers = {key: one * power for key, one in self.powers.items() if power}
        return DimensionProduct(self.dimension**power, powers)

    def __truediv__(self, other: DimensionProduct) -> DimensionProduct:
        return self * other**-1

    def with_known(self, known: Mapping[str, Dimension]) -> DimensionProduct:
        """Return it with the dimensions of letters that are known."""
        found = DimensionProduct(self.dimension)
        for key, power in self.powers.items():
            if key in known:
                found = found * DimensionProduct(known[key]) ** power
            else:
                found = found * DimensionProduct(powers={key: power})
        return found

    def told(self) -> dict[str, Dimension]:
        """Return what it tells as a pure number: the dimension of the only letter that is open."""
        if len(self.powers) != 1:
            return {}
        ((key, power),) = self.powers.items()
        return {key: self.dimension ** (-1 / power)}


def told_by(products: Iterable[DimensionProduct]) -> dict[str, set[Dimension]]:
    """Return what products that are pure numbers tell of letters; of some they tell several.

    Parameters
    ----------
    products : iterable of DimensionProduct
    """
    found: dict[str, set[Dimension]] = {}
    for product in products:
        for key, dimension in product.told().items():
            found.setdefault(key, set()).add(dimension)
    return found
