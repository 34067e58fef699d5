"""The generators that canonical forms are written in, and what is done with forms.

Symbols, functions of time and their derivatives are generators; so is the exponential of every
angle. One over a sum is a generator that a comparison multiplies out; a square root is one that is
reduced by its square; any other function is opaque.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import sympy
from sympy.polys.domains import QQ

from freebody.algebra.budget import Budget
from freebody.algebra.conversions import CONVERSIONS
from freebody.algebra.divisibility import may_divide
from freebody.algebra.forms import Form, Generator
from freebody.algebra.pieces import sign
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
MAX_ANGLE = 200
"""Terms of what a cosine or sine is of: a longer sum is no angle, but one that was misread."""
DIVIDED = 1_000_000
"""Products of terms that it may take to find out whether denominators divide a form."""
LIGHT = 8
"""So many terms are differentiated by a generator in the time of a product."""
WIDE = 32
"""With so many generators a product takes twice as long."""
ONE = Terms.constant(1)
I = Terms({I_KEY: QQ(1)})  # noqa: E741 - the field's own name


class Ring:
    """The generators that forms are written in; forms of one ring can be calculated with.

    Attributes
    ----------
    generators : list of Generator
    budget : Budget
        Counts the products of terms.
    """

    def __init__(self) -> None:
        self.generators: list[Generator] = []
        self.budget = Budget()
        self.doubtful: set[int] = set()
        self._places: dict[Any, int] = {}
        self._roots: dict[int, Terms] = {}
        self._monic: dict[int, Terms] = {}
        self._sums: dict[int, Terms] = {}
        self._over: dict[int, int] = {}
        self._slopes: dict[tuple[int, int], Form] = {}
        self._converted: dict[sympy.Basic, Form] = {}
        self.zero = Form(self, Terms({}))
        self.one = Form(self, ONE)
        self.imaginary: Form = Form(self, I)

    def spend(self, products: int) -> None:
        """Count products of terms.

        Raises
        ------
        TooLargeError
            If they are more than the piece of work may take.
        """
        self.budget.spend(products * (1 + len(self.generators) // WIDE))

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

    def sum(self, forms: Iterable[Form]) -> Form:
        """Return the sum of forms."""
        return Form(self, total(form.terms for form in forms))

    def symbol(self, atom: sympy.Expr) -> Form:
        """Return the form of a symbol, a function of time or a derivative."""
        return self._at(self.place_of(atom))

    def place_of(self, atom: sympy.Expr) -> int:
        """Return the place of a symbol, a function of time or a derivative."""
        return self.place(atom, lambda: Generator("factor", lambda: atom))

    def _at(self, place: int) -> Form:
        return Form(self, Terms({unit_key(place): QQ(1)}, 1))

    # ------------------------------------------------------------------ arithmetic

    def reduced(self, terms: Terms) -> Terms:
        """Return a table in which every root occurs at most to the first power."""
        if self._roots.keys().isdisjoint(terms.places()):
            return terms
        for place, square in self._roots.items():
            if place in terms.places() and terms.highest(place) > 1:
                over = self._over.get(place)
                places = (place,) if over is None else (place, over)
                parts = terms.by_powers(places).items()
                terms = total(self._rooted(square, places, *part) for part in parts)
        return terms

    def _rooted(
        self, square: Terms, places: tuple[int, ...], powers: tuple[int, ...], part: Terms
    ) -> Terms:
        """Multiply by a power of a root, and of one over its square where there is that."""
        squares, odd = divmod(powers[0], 2)
        if odd:
            part = part * self._at(places[0]).terms
        if len(places) == 1:
            return part * square**squares
        cancelled = min(squares, max(powers[1], 0))
        rest = self._at(places[1]).terms ** (powers[1] - cancelled)
        return (part * square ** (squares - cancelled) * rest).scaled(
            self._leading(square) ** cancelled
        )

    def quotient(self, num: Form, den: Form) -> Form:
        """Return a quotient, divided out where that leaves no remainder.

        Raises
        ------
        ZeroDivisionError
            If the denominator is identically zero.
        """
        num, den = self._multiplied_out([num, den], self._sums_in([den]))
        if not den.terms:
            raise ZeroDivisionError("division by an expression that is identically zero")
        rooted = self._roots.keys() & den.terms.places()
        if len(den.terms) == 1 and rooted:
            root = self._at(rooted.pop())
            return self.quotient(num * root, den * root)
        if len(den.terms) == 1:
            return num * Form(self, den.terms.inverse())
        whole = None
        if not rooted and num.terms and may_divide(den.terms, num.terms):
            whole = num.terms.divided(den.terms)
        return num * self._one_over(den) if whole is None else Form(self, self.reduced(whole))

    def _one_over(self, den: Form) -> Form:
        content = self._leading(den.terms)
        den = den.scaled(1 / content)
        place = self.place(
            ("reciprocal", den.terms),
            lambda: Generator("reciprocal", lambda: 1 / self.expression(den), (den,)),
        )
        self._sums[place] = den.terms
        for root, square in self._monic.items():
            if square == den.terms:
                self._over[root] = place
        return self._at(place).scaled(1 / content)

    def _leading(self, terms: Terms) -> Rational:
        """Return the coefficient of the plainest term, to normalise by whatever came first."""

        def names(key: int) -> list[str]:
            return sorted(self.generators[place].name for place, _ in exponents(key & ~3))

        sizes = {key: sum(1 for _ in exponents(key & ~3)) for key in terms.table}
        few = min(sizes.values())
        first, *others = (key for key, size in sizes.items() if size == few)
        return terms.table[min(first, *others, key=names) if others else first]

    def cleared(self, form: Form) -> Form:
        """Return a form multiplied by all its denominators: zero if and only if it is."""
        return self.multiplied_out([form])[0]

    def multiplied_out(self, forms: list[Form]) -> list[Form]:
        """Return forms multiplied by all their denominators."""
        return self._multiplied_out(forms, self._sums_in(forms))

    def divided_out(self, form: Form) -> Form:
        """Return a form free of those denominators that divide it without a remainder."""
        if not self._sums_in([form]):
            return form
        try:
            with self.budget.work(DIVIDED):
                num, den = self.multiplied_out([form, self.one])
                whole = num / den
                return form if self._sums_in([whole]) else whole
        except TooLargeError:
            return form

    def _sums_in(self, forms: list[Form]) -> set[int]:
        """Return the places of the reciprocals that occur in forms."""
        return self._sums.keys() & set().union(*(form.terms.places() for form in forms))

    def _multiplied_out(self, forms: list[Form], places: Iterable[int]) -> list[Form]:
        for place in places:
            parts = [form.terms.by_power(place) for form in forms]
            most = max((power for part in parts for power in part), default=0)
            forms = [Form(self, self._without(part, place, most)) for part in parts]
        return forms

    def _without(self, parts: dict[int, Terms], place: int, most: int) -> Terms:
        whole = self._sums[place]
        return self.reduced(total(part * whole ** (most - power) for power, part in parts.items()))

    # ------------------------------------------------------------------ functions

    def cos(self, angle: Form) -> Form:
        """Return the cosine of an angle."""
        return self._trigonometric(sympy.cos, angle)

    def sin(self, angle: Form) -> Form:
        """Return the sine of an angle."""
        return self._trigonometric(sympy.sin, angle)

    def _trigonometric(self, function: Any, angle: Form) -> Form:
        if len(angle.terms) > MAX_ANGLE:
            raise TooLargeError(f"a cosine or sine of a sum of more than {MAX_ANGLE} terms")
        exponential = self._exponential(angle)
        if exponential is None:
            is_turned = function is sympy.cos and self.expression(angle).could_extract_minus_sign()
            return self.function(function, -angle if is_turned else angle)
        forward, backward = exponential
        if function is sympy.cos:
            return Form(self, (forward + backward).scaled(QQ(1, 2)))
        return Form(self, (I * (backward - forward)).scaled(QQ(1, 2)))

    def _exponential(self, angle: Form) -> tuple[Terms, Terms] | None:
        """Return exp(i angle) and exp(-i angle), or None where they have no exact table."""
        key, degree, phase = 0, 0, self.one
        for monomial, coefficient in angle.terms.table.items():
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
            {k: -value if k & 1 else value for k, value in phase.terms.table.items()},
            phase.terms.degree,
        )
        forward = Terms({key: QQ(1)}, degree) * phase.terms
        return forward, Terms({-key: QQ(1)}, degree) * conjugate

    def _phase(self, turns: Rational) -> Form | None:
        """Return exp(i pi turns) where its cosine and sine are known in roots of numbers."""
        angle = sympy.Rational(int(turns.numerator), int(turns.denominator)) * sympy.pi
        cosine, sine = sympy.cos(angle), sympy.sin(angle)
        if cosine.has(sympy.cos, sympy.sin) or sine.has(sympy.cos, sympy.sin):
            return None
        phase = self.form(cosine) + self.imaginary * self.form(sine)
        return phase if self.doubtful.isdisjoint(phase.terms.places()) else None

    def _is_angle(self, monomial: int) -> bool:
        kinds = (self.generators[place].kind for place, _ in exponents(monomial))
        return not monomial & 1 and bool(monomial) and all(kind == "factor" for kind in kinds)

    def _angle(self, monomial: int) -> int:
        angle = Form(self, Terms({monomial: QQ(1)}, 1))
        return self.place(
            ("angle", monomial),
            lambda: Generator("angle", lambda: self.expression(angle), (angle,)),
        )

    def sqrt(self, square: Form) -> Form:
        r"""Return the square root of a form: a generator that is reduced by its square.

        What it is divided by is positive, and drawn out: :math:`\sqrt{g/l} = \sqrt{g l}/l`. Not of
        one with angles, which has more terms when it is multiplied by its square.
        """
        inside = map(self.generators.__getitem__, square.terms.places())
        has_angles = any(one.kind == "angle" for one in inside)
        below = self.one if has_angles else self._below(square)
        if below.terms != ONE:
            return self.sqrt(square * below * below) / below
        over = self.multiplied_out([square, self.one])
        if over[1].terms != ONE:
            num, den = over
            return self.sqrt(num * den) / den
        if square.is_number:
            return self._root_of_number(square.number)
        content = square.terms.content
        if content == 1:
            return self._root(square, doubtful=True)
        root = self._root(square.scaled(1 / content), doubtful=True)
        return root * self._root_of_number(content)

    def _below(self, square: Form) -> Form:
        """Return what makes a form no fraction of symbols, when it is multiplied by it twice."""
        least: dict[int, int] = {}
        for key in square.terms.table:
            for place, power in exponents(key & ~3):
                if power < 0 and self.generators[place].kind == "factor":
                    least[place] = min(power, least.get(place, 0))
        out = self.one
        for place, power in least.items():
            for _ in range((1 - power) // 2):
                out = out * self._at(place)
        return out

    def _root(self, square: Form, *, doubtful: bool) -> Form:
        place = self.place(
            ("root", square.terms),
            lambda: Generator("root", lambda: sympy.sqrt(self.expression(square)), (square,)),
        )
        self._roots[place] = square.terms
        self._monic[place] = square.terms.scaled(1 / self._leading(square.terms))
        if doubtful:
            self.doubtful.add(place)
        return self._at(place)

    def _root_of_number(self, value: Rational) -> Form:
        """Return the root of a rational number in roots of primes, which are independent."""
        if not value:
            return self.zero
        out = self.number(QQ(1, int(value.denominator)))
        whole = int(value.numerator) * int(value.denominator)
        for prime, power in sympy.factorint(whole).items():
            if prime == -1:
                out = out * self.imaginary
                continue
            out = out.scaled(QQ(int(prime) ** (power // 2)))
            if power % 2:
                out = out * self._root(self.number(int(prime)), doubtful=False)
        return out

    def function(self, function: Any, *arguments: Form) -> Form:
        """Return any other function of forms: an opaque generator, where it is not worked out."""
        name = (function, *(argument.terms for argument in arguments))
        if name not in self._places:
            expr = function(*map(self.expression, arguments))
            if expr.func is not function:
                return self.form(expr)
            self.place(name, lambda: Generator("function", lambda: expr, arguments))
            if function is sign:  # a root of one
                self._roots[self._places[name]] = self._monic[self._places[name]] = ONE
        place = self._places[name]
        self.doubtful.add(place)
        return self._at(place)

    # ------------------------------------------------------------------ sympy

    def form(self, expr: Any) -> Form:
        """Return the canonical form of a sympy expression.

        Raises
        ------
        TooLargeError
            If its term table would be too large.
        ZeroDivisionError
            If it has no finite value.
        """
        expr = sympy.sympify(expr, strict=True)
        if expr not in self._converted:
            try:
                self._converted[expr] = self._convert(expr)
            except RecursionError as error:
                raise TooLargeError("the expression is nested too deeply") from error
        return self._converted[expr]

    def forms(self, expressions: Iterable[Any]) -> list[Form]:
        """Return the canonical forms of sympy expressions."""
        return [self.form(expression) for expression in expressions]

    def _convert(self, expr: Any) -> Form:
        for kinds, convert in CONVERSIONS:
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
        every = ((place, self._rate(place, rates).terms) for place in form.terms.places())
        tables = {place: rate for place, rate in every if rate.table}
        self.spend(len(form.terms.table) * len(tables) // LIGHT)
        return Form(self, self.reduced(derivation(form.terms, tables)))

    def partial(self, form: Form, atom: sympy.Expr) -> Form:
        """Return the partial derivative of a form by a symbol or a function of time."""
        return self.derivative(form, lambda other: self.one if other == atom else self.zero)

    def _rate(self, place: int, rates: Callable[[sympy.Expr], Form]) -> Form:
        generator, itself = self.generators[place], self._at(place)
        inner = [self.derivative(argument, rates) for argument in generator.arguments]
        match generator.kind:
            case "factor":
                return rates(generator.expr)
            case "angle":
                return (self.imaginary * itself * inner[0]).scaled(QQ(1, PARTS))
            case "reciprocal":
                return -inner[0] * itself * itself
            case "root":
                return (inner[0] / itself).scaled(QQ(1, 2))
        moving = ((n, slope) for n, slope in enumerate(inner) if slope)
        return self.sum([self._slope(place, n) * slope for n, slope in moving])

    def _slope(self, place: int, number: int) -> Form:
        """Return the derivative of a function by one of its arguments."""
        if (place, number) not in self._slopes:
            generator = self.generators[place]
            dummies = sympy.symbols(f"x:{len(generator.arguments)}", cls=sympy.Dummy, real=True)
            given = dict(zip(dummies, map(self.expression, generator.arguments), strict=True))
            # The derivative of a sign is zero wherever there is one.
            slope = generator.expr.func(*dummies).diff(dummies[number])
            slope = slope.replace(sympy.DiracDelta, lambda *_: sympy.S.Zero)
            self._slopes[place, number] = self.form(slope.xreplace(given))
        return self._slopes[place, number]

    def coefficients(
        self, form: Form, atoms: tuple[sympy.Expr, ...]
    ) -> dict[tuple[int, ...], Form]:
        """Split a form by the powers of some symbols that are not in its denominators."""
        places = tuple(self.place_of(atom) for atom in atoms)
        parts = form.terms.by_powers(places)
        return {powers: Form(self, terms) for powers, terms in parts.items()}

    def substitute(self, form: Form, values: Mapping[sympy.Expr, Form]) -> Form:
        """Replace symbols by forms (outside of angles and functions)."""
        return self._put(form, self._placed(form, values))

    def _put(self, form: Form, placed: Mapping[int, Form]) -> Form:
        """Replace generators, by their places."""
        if not placed:
            return form
        raised, parts = dict[tuple[int, int], Form](), list[Form]()
        for powers, terms in form.terms.by_powers(tuple(placed)).items():
            part = Form(self, terms)
            for place, power in zip(placed, powers, strict=True):
                if power and (place, power) not in raised:
                    raised[place, power] = placed[place] ** power
                part = part * raised[place, power] if power else part
            parts.append(part)
        return self.sum(parts)

    def _placed(self, form: Form, values: Mapping[sympy.Expr, Form]) -> dict[int, Form]:
        """Return what replaces each generator of a form: symbols, and what sums and roots hold."""
        placed: dict[int, Form] = {}
        for place in form.terms.places():
            generator = self.generators[place]
            if generator.kind == "factor" and generator.expr in values:
                placed[place] = values[generator.expr]
            elif generator.kind in ("reciprocal", "root"):
                (inner,) = generator.arguments
                if changed := self._placed(inner, values):
                    replaced, is_root = self._put(inner, changed), generator.kind == "root"
                    placed[place] = self.sqrt(replaced) if is_root else self.one / replaced
        return placed
