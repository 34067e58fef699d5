"""The canonical form of expressions: a quotient of two term tables.

A `Ring` knows the generators that its forms are written in. Symbols, functions of time and their
derivatives are generators; so is the exponential of every angle. A square root is a generator
reduced by its square, any other function an opaque one: a form that holds such generators can be
equal to another without their tables being the same, and says so with `Form.is_decisive`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import sympy
from sympy.polys.domains import QQ

from freebody.algebra.terms import (
    I_KEY,
    Rational,
    Terms,
    TooLargeError,
    derivation,
    exponents,
    total,
    unit_key,
)

PARTS = 12
"""An angle's exponential is kept in twelfths, so that halves, thirds and quarters are exact."""
MAX_PARTS = 64 * PARTS
ONE = Terms.constant(1)
I = Terms({I_KEY: QQ(1)})  # noqa: E741 - the field's own name


@dataclass(frozen=True)
class Generator:
    """What a place in the packed exponents of a term stands for.

    Attributes
    ----------
    kind : {"factor", "angle", "root", "function"}
        A symbol; the exponential of one twelfth of an angle; a square root; any other function.
    expr : sympy.Expr
        The symbol, the angle, the root or the function.
    arguments : tuple of Form
        The angle, what stands under the root, the arguments of the function.
    """

    kind: Literal["factor", "angle", "root", "function"]
    expr: sympy.Expr
    arguments: tuple[Form, ...] = ()


@dataclass(frozen=True, eq=False)
class Form:
    """An expression in canonical form, with the arithmetic of its ring.

    Attributes
    ----------
    ring : Ring
        The generators that it is written in.
    num, den : Terms
        Numerator and denominator; the denominator is 1 unless it is a sum.
    """

    ring: Ring = field(repr=False)
    num: Terms
    den: Terms = ONE

    def __bool__(self) -> bool:
        return bool(self.num)

    @property
    def key(self) -> tuple[Terms, Terms]:
        """The two tables, which can be hashed."""
        return self.num, self.den

    @property
    def is_decisive(self) -> bool:
        """Whether a table that is not empty proves that the expression is not zero."""
        doubtful = self.ring.doubtful
        return not doubtful or doubtful.isdisjoint(self.num.places())

    def __neg__(self) -> Form:
        return Form(self.ring, -self.num, self.den)

    def __add__(self, other: Form) -> Form:
        if self.den == other.den:
            return self.ring.quotient(self.num + other.num, self.den)
        return self.ring.quotient(
            self.ring.product(self.num, other.den) + self.ring.product(other.num, self.den),
            self.ring.product(self.den, other.den),
        )

    def __sub__(self, other: Form) -> Form:
        return self + -other

    def __mul__(self, other: Form) -> Form:
        return self.ring.quotient(
            self.ring.product(self.num, other.num), self.ring.product(self.den, other.den)
        )

    def __truediv__(self, other: Form) -> Form:
        return self * other.inverse()

    def __pow__(self, power: int) -> Form:
        if power < 0:
            return self.inverse() ** -power
        return self.ring.quotient(
            self.ring.reduced(self.num**power), self.ring.reduced(self.den**power)
        )

    def inverse(self) -> Form:
        """Return one over the form.

        Raises
        ------
        ZeroDivisionError
            If it is zero.
        """
        if not self.num:
            raise ZeroDivisionError("division by an expression that is identically zero")
        return self.ring.quotient(self.den, self.num)

    def scaled(self, factor: Rational) -> Form:
        """Return the form times a rational number."""
        return Form(self.ring, self.num.scaled(factor), self.den) if factor else self.ring.zero


class Ring:
    """The generators that forms are written in; forms of one ring can be calculated with."""

    def __init__(self) -> None:
        self.generators: list[Generator] = []
        self.doubtful: set[int] = set()
        self._places: dict[Any, int] = {}
        self._roots: dict[int, Terms] = {}
        self._converted: dict[sympy.Basic, Form] = {}
        self.zero = Form(self, Terms({}))
        self.one = Form(self, ONE)
        self.imaginary = Form(self, I)

    # ------------------------------------------------------------------ generators

    def place(self, name: Any, generator: Callable[[], Generator]) -> int:
        """Return the place of a generator, which is made at its first use."""
        if name not in self._places:
            made = generator()
            self._places[name] = len(self.generators)
            self.generators.append(made)
        return self._places[name]

    def number(self, value: Any) -> Form:
        """Return the form of a rational number."""
        return Form(self, Terms.constant(value))

    def symbol(self, atom: sympy.Expr) -> Form:
        """Return the form of a symbol, a function of time or a derivative."""
        return self._at(self.place_of(atom))

    def place_of(self, atom: sympy.Expr) -> int:
        """Return the place of a symbol, a function of time or a derivative."""
        return self.place(atom, lambda: Generator("factor", atom))

    def _at(self, place: int) -> Form:
        return Form(self, Terms({unit_key(place): QQ(1)}, 1))

    # ------------------------------------------------------------------ arithmetic

    def product(self, left: Terms, right: Terms) -> Terms:
        """Return the product of two tables with squares of roots worked out."""
        if left is ONE or right is ONE:
            return right if left is ONE else left
        return self.reduced(left * right)

    def reduced(self, terms: Terms) -> Terms:
        """Return a table in which every root occurs at most to the first power."""
        for place, square in self._roots.items():
            parts = terms.by_power(place)
            if parts.keys() <= {0, 1}:
                continue
            root = self._at(place).num
            terms = total(
                part * square ** (power // 2) * (root if power % 2 else ONE)
                for power, part in parts.items()
            )
        return terms

    def quotient(self, num: Terms, den: Terms) -> Form:
        """Return a quotient of tables, divided out where the denominator is a single term."""
        if den is ONE or not num:
            return Form(self, num)
        if num == den:
            return self.one
        if len(den) == 1 and self._roots.keys().isdisjoint(den.places()):
            return Form(self, num * den.inverse())
        content = den.content()
        return Form(self, num.scaled(1 / content), den.scaled(1 / content))

    # ------------------------------------------------------------------ functions

    def cos(self, angle: Form) -> Form:
        """Return the cosine of an angle."""
        return self._trigonometric(sympy.cos, angle)

    def sin(self, angle: Form) -> Form:
        """Return the sine of an angle."""
        return self._trigonometric(sympy.sin, angle)

    def _trigonometric(self, function: Any, angle: Form) -> Form:
        exponential = self._exponential(angle)
        if exponential is None:
            return self.function(function, angle)
        forward, backward = exponential
        if function is sympy.cos:
            return Form(self, (forward + backward).scaled(QQ(1, 2)))
        return Form(self, (I * (backward - forward)).scaled(QQ(1, 2)))

    def _exponential(self, angle: Form) -> tuple[Terms, Terms] | None:
        """Return exp(i angle) and exp(-i angle), or None where they have no exact table."""
        if angle.den != ONE:
            return None
        key, degree, phase = 0, 0, self.one
        for monomial, coefficient in angle.num.table.items():
            if monomial == unit_key(self.place_of(sympy.pi)):
                turned = self._phase(coefficient)
                if turned is None:
                    return None
                phase = turned
                continue
            parts = coefficient * PARTS
            if parts.denominator != 1 or abs(parts) > MAX_PARTS or not self._is_angle(monomial):
                return None
            key += unit_key(self._angle(monomial)) * int(parts)
            degree = max(degree, abs(int(parts)))
        conjugate = Terms(
            {k: -value if k & 1 else value for k, value in phase.num.table.items()},
            phase.num.degree,
        )
        forward = Terms({key: QQ(1)}, degree) * phase.num
        return forward, Terms({-key: QQ(1)}, degree) * conjugate

    def _phase(self, turns: Rational) -> Form | None:
        """Return exp(i pi turns) where its cosine and sine are known in roots of numbers."""
        angle = sympy.Rational(int(turns.numerator), int(turns.denominator)) * sympy.pi
        cosine, sine = sympy.cos(angle), sympy.sin(angle)
        if cosine.has(sympy.cos, sympy.sin) or sine.has(sympy.cos, sympy.sin):
            return None
        phase = self.form(cosine) + self.imaginary * self.form(sine)
        return phase if self.doubtful.isdisjoint(phase.num.places()) else None

    def _is_angle(self, monomial: int) -> bool:
        kinds = (self.generators[place].kind for place, _ in exponents(monomial))
        return not monomial & 1 and bool(monomial) and all(kind == "factor" for kind in kinds)

    def _angle(self, monomial: int) -> int:
        angle = Form(self, Terms({monomial: QQ(1)}, 1))
        return self.place(
            ("angle", monomial), lambda: Generator("angle", self.expression(angle), (angle,))
        )

    def sqrt(self, square: Form) -> Form:
        """Return the square root of a form: a generator that is reduced by its square."""
        if square.den != ONE:
            return self.sqrt(Form(self, self.product(square.num, square.den))) / Form(
                self, square.den
            )
        if square.num.table.keys() <= {0}:
            return self._root_of_number(square.num.table.get(0, QQ(0)))
        return self._root(square, doubtful=True)

    def _root(self, square: Form, *, doubtful: bool) -> Form:
        place = self.place(
            ("root", square.num),
            lambda: Generator("root", sympy.sqrt(self.expression(square)), (square,)),
        )
        self._roots[place] = square.num
        if doubtful:
            self.doubtful.add(place)
        return self._at(place)

    def _root_of_number(self, value: Rational) -> Form:
        """Return the root of a rational number in roots of primes, which are independent."""
        out = self.number(QQ(1, int(value.denominator)))
        whole = int(value.numerator) * int(value.denominator)
        for prime, power in sympy.factorint(whole).items():
            if prime == -1:
                out = out * self.imaginary
                continue
            out = out.scaled(QQ(int(prime) ** (power // 2)))
            if power % 2:
                out = out * self._root(self.number(int(prime)), doubtful=False)
        return out if whole else self.zero

    def function(self, function: Any, *arguments: Form) -> Form:
        """Return any other function of forms: an opaque generator."""
        name = (function, *(argument.key for argument in arguments))
        place = self.place(
            name,
            lambda: Generator("function", function(*map(self.expression, arguments)), arguments),
        )
        self.doubtful.add(place)
        return self._at(place)

    # ------------------------------------------------------------------ sympy

    def form(self, expr: Any) -> Form:
        """Return the canonical form of a sympy expression.

        Raises
        ------
        TooLargeError
            If its term table would be too large.
        """
        expr = sympy.sympify(expr, strict=True)
        if expr not in self._converted:
            try:
                self._converted[expr] = self._convert(expr)
            except RecursionError as error:
                raise TooLargeError("the expression is nested too deeply") from error
        return self._converted[expr]

    def _convert(self, expr: Any) -> Form:
        for kinds, convert in _CONVERSIONS:
            if isinstance(expr, kinds):
                return convert(self, expr)
        return self.function(expr.func, *map(self.form, expr.args))

    def expression(self, form: Form) -> sympy.Expr:
        """Return a form as an expanded sympy expression."""
        from freebody.algebra.readback import expanded  # reading back needs forms in turn

        return expanded(form)

    # ------------------------------------------------------------------ calculus

    def derivative(self, form: Form, rates: Callable[[sympy.Expr], Form]) -> Form:
        """Apply a derivation, such as a time or a partial derivative.

        Parameters
        ----------
        form : Form
            What is differentiated.
        rates : callable
            The derivative of a symbol, a function of time or a derivative.
        """
        num = self._derivative(form.num, rates)
        if form.den is ONE:
            return num
        den = self._derivative(form.den, rates)
        whole = Form(self, form.den)
        return (num - form * den) / whole

    def _derivative(self, terms: Terms, rates: Callable[[sympy.Expr], Form]) -> Form:
        tables: dict[int, Terms] = {}
        quotients = self.zero
        for place in terms.places():
            rate = self._rate(place, rates)
            if rate.den is ONE:
                tables[place] = rate.num
            else:
                part = derivation(terms, {place: rate.num})
                quotients = quotients + self.quotient(self.reduced(part), rate.den)
        return Form(self, self.reduced(derivation(terms, tables))) + quotients

    def _rate(self, place: int, rates: Callable[[sympy.Expr], Form]) -> Form:
        generator, itself = self.generators[place], self._at(place)
        inner = [self.derivative(argument, rates) for argument in generator.arguments]
        match generator.kind:
            case "factor":
                return rates(generator.expr)
            case "angle":
                return (self.imaginary * itself * inner[0]).scaled(QQ(1, PARTS))
            case "root":
                return (inner[0] / itself).scaled(QQ(1, 2))
        dummies = sympy.symbols(f"x:{len(inner)}", cls=sympy.Dummy)
        outer = generator.expr.func(*dummies)
        given = dict(zip(dummies, map(self.expression, generator.arguments), strict=True))
        rate = self.zero
        for dummy, slope in zip(dummies, inner, strict=True):
            rate = rate + self.form(outer.diff(dummy).xreplace(given)) * slope
        return rate

    def coefficients(
        self, form: Form, atoms: tuple[sympy.Expr, ...]
    ) -> dict[tuple[int, ...], Form]:
        """Split a form by the powers of some symbols that are not in its denominator."""
        places = tuple(self.place_of(atom) for atom in atoms)
        return {
            powers: Form(self, terms, form.den)
            for powers, terms in form.num.by_powers(places).items()
        }

    def substitute(self, form: Form, values: Mapping[sympy.Expr, Form]) -> Form:
        """Replace symbols by forms (outside of angles and functions)."""
        num = self._substitute(form.num, values)
        return num if form.den is ONE else num / self._substitute(form.den, values)

    def _substitute(self, terms: Terms, values: Mapping[sympy.Expr, Form]) -> Form:
        present = terms.places()
        atoms = tuple(atom for atom in values if self.place_of(atom) in present)
        out = self.zero
        for powers, part in self.coefficients(Form(self, terms), atoms).items():
            for atom, power in zip(atoms, powers, strict=True):
                part = part * values[atom] ** power
            out = out + part
        return out


def _add(ring: Ring, expr: sympy.Add) -> Form:
    forms = [ring.form(argument) for argument in expr.args]
    whole = Form(ring, total(form.num for form in forms if form.den is ONE))
    for form in forms:
        if form.den is not ONE:
            whole = whole + form
    return whole


def _mul(ring: Ring, expr: sympy.Mul) -> Form:
    out = ring.one
    for form in sorted(map(ring.form, expr.args), key=lambda form: len(form.num)):
        out = out * form
    return out


def _pow(ring: Ring, expr: sympy.Pow) -> Form:
    base, power = expr.args
    if power.is_Integer:
        return ring.form(base) ** int(power)
    if power.is_Rational and power.q == 2:
        return ring.sqrt(ring.form(base)) ** int(power.p)
    return ring.function(sympy.Pow, ring.form(base), ring.form(power))


def _rational(ring: Ring, expr: sympy.Rational) -> Form:
    return ring.number(QQ(int(expr.p), int(expr.q)))


def _float(ring: Ring, expr: sympy.Float) -> Form:
    return ring.form(sympy.Rational(repr(float(expr))))


_CONVERSIONS: tuple[tuple[Any, Callable[[Ring, Any], Form]], ...] = (
    (sympy.Rational, _rational),
    (sympy.Float, _float),
    ((sympy.Symbol, sympy.core.function.AppliedUndef, sympy.Derivative), Ring.symbol),
    (type(sympy.pi), Ring.symbol),
    (type(sympy.I), lambda ring, _: ring.imaginary),
    (sympy.Add, _add),
    (sympy.Mul, _mul),
    (sympy.Pow, _pow),
    (sympy.cos, lambda ring, expr: ring.cos(ring.form(expr.args[0]))),
    (sympy.sin, lambda ring, expr: ring.sin(ring.form(expr.args[0]))),
    (sympy.tan, lambda ring, e: ring.form(sympy.sin(e.args[0])) / ring.form(sympy.cos(e.args[0]))),
)
