r"""Cases that a page puts, such as ``\ddot\theta = 0``, ``\Omega = 0`` or ``m_1 = m_2``.

A model leaves coordinates, their rates and inputs open. That one of them has a value, or that of
another of its kind, is a case that the page turns to, and nothing that could be derived; so are a
constant that is zero, and two constants of one letter that are equal. That a constant is a part of
another, or one of another letter, is a definition, which may be misprinted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeGuard

import sympy
from sympy.core.function import AppliedUndef

from freebody.algebra import Form
from freebody.checking.grid import MeaningError
from freebody.checking.introduced import entries_beside
from freebody.checking.meaning.evaluator import Evaluator
from freebody.checking.meaning.pairs import APPROXIMATIONS, COMPARED
from freebody.checking.meaning.symbols import Symbols
from freebody.checking.repair.vocabulary import word
from freebody.documents.latex.grammar.equations import CONSERVED
from freebody.documents.latex.relations import Relation
from freebody.documents.latex.tree import Call, Name, Node, Number, is_zero, walk
from freebody.errors import NoValueError

SMALL = r"\ll"
"""What stands for being small."""
IN_TEXT = ("(line ", "(cell ")
"""How the labels of equations in running text begin."""
NOTE = "a condition: the model leaves open what it says"


@dataclass(frozen=True)
class Case:
    """What a page sets from an equation on.

    Attributes
    ----------
    relation : Relation
        The equation.
    atom : sympy.Expr
        What is set: a coordinate, a rate, an input or a constant; None where it is more than one
        of these, such as a coordinate and a constant.
    value : Form
        To what.
    is_small : bool
        Whether it is small rather than set.
    """

    relation: Relation
    atom: sympy.Expr | None
    value: Form
    is_small: bool = False

    @property
    def is_lasting(self) -> bool:
        """Whether it is about constants, and so about all that follows on the page."""
        return isinstance(self.atom, sympy.Symbol)


def case_of(symbols: Symbols, relation: Relation, *, is_called_one: bool = False) -> Case | None:
    """Return what an equation sets, of all that the model leaves open; None if it sets nothing.

    What words call a case may set a constant to any other.
    """
    if relation.relation == SMALL or relation.relation in APPROXIMATIONS:
        return _small(symbols, relation)
    if relation.relation not in COMPARED:
        return None
    sides = relation.left, relation.right
    try:
        with symbols.quantities.ring.budget.work():
            if _sets_states(symbols, relation):
                return Case(relation, None, symbols.quantities.ring.zero)
            pairs = sides, sides[::-1]
            is_said = is_called_one or is_in_text(relation) or _says_constant(symbols, relation)
            found = (_case(symbols, relation, *pair, is_said=is_said) for pair in pairs)
            called = (_called(symbols, relation, *pair) for pair in pairs if is_called_one)
            return next(filter(None, (*found, *called)), None) or _on_one(symbols, relation)
    except NoValueError:
        return None


def _sets_states(symbols: Symbols, relation: Relation) -> bool:
    """Return whether numbers stand beside a column of coordinates and rates, as at the start."""
    names = [_beside_number(*pair) for pair in entries_beside(relation.left, relation.right)]
    return bool(names) and all(name and _is_open(symbols, _form(symbols, name)) for name in names)


def _beside_number(left: Node, right: Node) -> Name | None:
    """Return the name that is equated with a number; None of anything else."""
    match left, right:
        case (Number(), Name() as name) | (Name() as name, Number()):
            return name
    return None


def _says_constant(symbols: Symbols, relation: Relation) -> bool:
    """Return whether words say that a single coordinate, rate or input is constant."""
    if CONSERVED not in relation.readings:
        return False
    rates = {_plain(_form(symbols, side)) for side in (relation.left, relation.right)} - {None}
    return bool(rates - symbols.quantities.derived.keys())


def _small(symbols: Symbols, relation: Relation) -> Case | None:
    r"""Return what ``\theta \ll 1`` or ``\theta \approx 0`` says is small."""
    small = (relation.relation == SMALL) == (not is_zero(relation.right))
    left = relation.left
    try:
        form = _form(symbols, left.argument if _is_size(left) else left)
    except NoValueError:
        return None
    atom = _plain(form) or shifted(symbols, form)
    is_known = atom is not None and atom not in symbols.quantities.derived
    if is_known and relation.relation == SMALL and isinstance(relation.right, Name):
        return Case(relation, atom, form - form)
    return Case(relation, atom, form, is_small=True) if small and is_known else None


def shifted(symbols: Symbols, form: Form) -> sympy.Expr | None:
    r"""Return the coordinate that a form is but for its sign and a constant: of ``q - \pi``."""
    found = form.symbols & {*symbols.quantities.mechanism.coordinates}
    atom = next(iter(found)) if len(found) == 1 else None
    if atom is None:
        return None
    slope = form.ring.partial(form, atom)
    rest = form - slope * form.ring.form(atom)
    is_shifted = slope.is_number and abs(slope.number) == 1 and not symbols.quantities.varies(rest)
    return atom if is_shifted else None


def _is_size(node: Node) -> TypeGuard[Call]:
    """Return whether a node is the absolute value of something."""
    return isinstance(node, Call) and node.function == "abs"


def _called(symbols: Symbols, relation: Relation, one: Node, other: Node) -> Case | None:
    """Return the case that a constant is what other constants make."""
    names = symbols.quantities.mechanism.names.constants.values()
    atom, value = _plain(_form(symbols, one)), _form(symbols, other)
    free = symbols.quantities.ring.expression(value).free_symbols
    is_set = isinstance(one, Name) and atom in names and atom not in free
    is_open = atom not in symbols.quantities.definitions and free <= set(names)
    return Case(relation, atom, value) if is_set and is_open else None


def _on_one(symbols: Symbols, relation: Relation) -> Case | None:
    r"""Return what an equation asks of a single coordinate, rate or input: ``\sin q_2 = 0``.

    All names are of what the model leaves open, or of its constants: an abbreviation may be wrong.
    Displayed, it is one of a coordinate and numbers alone.
    """
    constants = symbols.quantities.mechanism.names.constants.values()
    sides = relation.left, relation.right
    if not any(one.is_number for one in (_form(symbols, side) for side in sides)):
        return None
    moving, has_constants = set[sympy.Expr](), False
    for name in walk(*sides):
        if isinstance(name, Name):
            form = _form(symbols, name)
            has_constants |= not symbols.quantities.varies(form)
            if not (_is_open(symbols, form) or _plain(form) in constants):
                return None
            moving |= {one for one in form.atoms if one.atoms(AppliedUndef)}
    mechanism = symbols.quantities.mechanism
    is_plain = moving <= set(mechanism.coordinates) and not has_constants
    is_open = is_plain or (is_in_text(relation) and moving.isdisjoint(mechanism.accelerations))
    is_one = len(moving) == 1 and is_open
    return Case(relation, None, _form(symbols, relation.right)) if is_one else None


def _case(
    symbols: Symbols, relation: Relation, one: Node, other: Node, *, is_said: bool
) -> Case | None:
    if not isinstance(one, Name):
        return None
    form, value = _form(symbols, one), _form(symbols, other)
    atom = _plain(form)
    is_case = (
        _sets(symbols, one, other) and (is_said or _is_certain(symbols, form, value))
        if _is_open(symbols, form)
        else atom is not None and _is_set(symbols, atom, one, other, value)
    )
    return Case(relation, atom, value) if is_case else None


def is_in_text(relation: Relation) -> bool:
    """Return whether an equation stands in running text."""
    return relation.label.startswith(IN_TEXT)


def _is_certain(symbols: Symbols, form: Form, value: Form) -> bool:
    """Return whether a displayed equation is a case, and hardly a statement of mechanics.

    What an acceleration is follows from forces, and what an input is may follow from constants.
    """
    expression = value.ring.expression(value)
    inputs = symbols.quantities.mechanism.names.inputs.values()
    is_open = isinstance(expression, _ATOMS) and expression not in symbols.quantities.derived
    is_alike = is_open and (_plain(form) in inputs) == (expression in inputs)
    is_plain = expression.is_number or is_alike
    return form.symbols.isdisjoint(symbols.quantities.mechanism.accelerations) and is_plain


def _plain(form: Form) -> sympy.Expr | None:
    """Return the symbol that a form is, if it is one."""
    expression = form.ring.expression(form)
    return expression if isinstance(expression, _ATOMS) else None


def _is_set(symbols: Symbols, atom: sympy.Expr, one: Name, other: Node, value: Form) -> bool:
    """Return whether a constant that the model does not define is zero, or one of its letter."""
    constants = symbols.quantities.mechanism.names.constants.values()
    if atom not in constants or atom in symbols.quantities.definitions:
        return False
    if not value:
        return True
    alike = isinstance(other, Name) and word(one).family[0] == word(other).family[0]
    return alike and _plain(value) in constants and _plain(value) != atom


def _sets(symbols: Symbols, one: Node, other: Node) -> bool:
    if not isinstance(one, Name) or not _is_open(symbols, _form(symbols, one)):
        return False
    value = _form(symbols, other)
    is_alike = isinstance(other, Name) and other.dots == one.dots and _is_open(symbols, value)
    return is_alike or not symbols.quantities.varies(value)


def _form(symbols: Symbols, node: Node) -> Form:
    value = Evaluator(symbols).value(node)
    if not value.is_scalar:
        raise MeaningError("expected a scalar")
    return value.form


def _is_open(symbols: Symbols, form: Form) -> bool:
    """Return whether a form is one coordinate, rate or input, but for constants."""
    quantities = symbols.quantities
    moving = {one for one in form.atoms if one in quantities.derived or one.atoms(AppliedUndef)}
    return len(moving) == 1 and not any(one in quantities.derived for one in moving)


_ATOMS = (sympy.Symbol, AppliedUndef, sympy.Derivative)
