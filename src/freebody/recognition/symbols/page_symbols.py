r"""All that is told of the symbols of a page: by a model, by the page's own words, by their names.

What the model of a page does not have, and every symbol of a page that no model is told of, is at
least what the page calls it. Beside them stand the rates that are printed, and what only the
running text names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from freebody.checking.guesses import Guess, Guesses
from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.guesses.explanations import names_in
from freebody.checking.guesses.guessing import BY_NAME, BY_RATES, BY_TIME
from freebody.checking.guesses.kinds import KINDS
from freebody.checking.guesses.page_words import FORMULA, is_long, with_words
from freebody.checking.guesses.prose_definitions import agree, phrases
from freebody.checking.guesses.symbols import Open, PageSymbols, UsedSymbol, read
from freebody.checking.guesses.words import kinds_of
from freebody.checking.introduced import TIME, bare
from freebody.checking.meaning.conditions import IN_TEXT
from freebody.consistency.statements import read_statements
from freebody.documents import Document
from freebody.documents.document import Meaning
from freebody.documents.latex.grammar.equations import CONSERVED
from freebody.documents.latex.name_marks import name_marks
from freebody.documents.latex.names import normal
from freebody.documents.latex.printed_names import index_letters, printed_names
from freebody.documents.latex.tree import Name, rate_of, walk
from freebody.recognition.symbols.letter_marks import UNIT_VECTOR, bound_mark
from freebody.recognition.symbols.letter_words import ENTRY, LetterWord, LetterWords
from freebody.recognition.symbols.named_letters import is_usual
from freebody.recognition.symbols.printed_definitions import PrintedDefinitions
from freebody.recognition.symbols.printed_units import printed_units
from freebody.recognition.symbols.said_words import SaidWords
from freebody.recognition.symbols.torn_words import torn_letters

CALLED, DEFINED = "the page calls it so", "the page defines it so"
_TENSOR = r"\underline{\underline{"
"""How letters of matrices begin on pages that mark vectors with one line below."""
ANGLE, LENGTH, ZERO = "angle", "length", "zero"
BY_RATE = "it is printed as a rate of that letter"
UNTOLD = "nothing tells it"
AGREED = "the page says so, and its letter is one for that"
BORNE_OUT = "its letter is one for that, as the equations have it"
ALWAYS = "it is always written so"
USUAL = "it is nearly always written so, and nothing speaks against it"
COUNTED = "others of its letter are that, with other numbers below"
SUM = r"\sum "
"""What stands before a letter of which a sum is taken."""
INFINITE, SIGNED = r"\infty", r"\pm"
INDEX, BELOW, COUNTS = "index", "it stands below other letters", "it counts from one"
_TELLING = frozenset({*"xyz", "theta", "phi", "psi"})
"""Letters that are for coordinates so often that it counts before words of nothing mechanical."""
_UNITS = frozenset("msgNKAVCW")
"""Letters that may be units where running text alone has them: ``at most 1 $m$``."""
_GRAVITY = KINDS["gravity"][0]
_OF_BODIES = frozenset({"velocity", "acceleration"})
_COUNTED = re.compile(rf"{FORMULA} ?[01] ?(?:,[\d,\s]*)?(?:\\[lc]?dots|\.\.)")
r"""What an index is: ``= 1, \ldots, n``."""
_COUNT = re.compile(r"(?<=_)[1-9ijk](?![A-Za-z])|(?<=[{,])(?:[1-9]\d?|[ijk])(?=[,}])")
_ANY = re.compile(r"(?<=_)[ijk](?![A-Za-z])|(?<=[{,])[ijk](?=[,}])")
"""A number or an index below a letter, and an index alone."""
_OF_OTHERS = r"(?:(?:\\left)?\((?!t\))[^()$]*[,(]|(?:\$|\\\))?[ -]*norms?\b)"
"""What stands behind a letter that is a function of several others, or of a norm."""
_SAID, _UNSAID = frozenset({AGREED, ALWAYS, BORNE_OUT, USUAL}), frozenset({UNTOLD, BY_NAME})
_SOME = re.compile(r"(\d+) of (\d+) hold")
_BLOCKS = ("M", "C", "G", "E", "tau", "coriolis")
_NAME = re.compile(r"-?[A-Za-z]\w*'*")
_DOTS = {1: r"\dot", 2: r"\ddot", 3: r"\dddot", 4: r"\ddddot"}
_OPERATOR = re.compile(r"\\operatorname\*?\{(\w+)\}")
_DOTTED = re.compile(r"'|\\d+ot\b")


@dataclass(frozen=True, slots=True)
class PageSymbol:
    """What is told of a symbol of a page.

    Attributes
    ----------
    symbol : str
        As a document would declare it; a rate as it would be printed.
    meaning : str or list, optional
        In the model, or the words of the page where the model has no such thing.
    is_sure : bool
    why : str
        In a few words.
    words : str
        What the page calls it.
    place : str
        The equation and the place in which it occurs first.
    is_rate : bool
        Whether it is the rate of the symbol before it.
    """

    symbol: str
    meaning: Meaning | None
    is_sure: bool
    why: str
    words: str = ""
    place: str = ""
    is_rate: bool = False

    @property
    def standing(self) -> str:
        """Whether it is sure, unsure or unknown."""
        return "sure" if self.is_sure else "unknown" if self.meaning is None else "unsure"

    def as_json(self) -> dict[str, Meaning | bool | None]:
        """Return it as plain data."""
        return {
            "symbol": self.symbol,
            "meaning": self.meaning,
            "sure": self.is_sure,
            "why": self.why,
            "words": self.words,
        }


def page_symbols(document: Document, guesses: Guesses | None = None) -> tuple[PageSymbol, ...]:
    """Return what is told of the symbols of a page, each with its rates behind it.

    Parameters
    ----------
    document : Document
    guesses : Guesses, optional
        What they mean in the model of the page; none where no model is told.
    """
    teller = _Teller(document, guesses)
    told = _alike([*teller.told()])
    return tuple(replace(one, symbol=teller.printed.get(one.symbol, one.symbol)) for one in told)


class _Teller:
    """One page, and what is told of its symbols.

    Attributes
    ----------
    counted : dict of str to str
        Symbols that are not printed, with that of which an index is printed for their number.
    """

    def __init__(self, document: Document, guesses: Guesses | None) -> None:
        self.prose = document.prose
        page = document.with_running_text.page
        statements = read_statements(page)
        assumed = statements.assumed  # commands that nothing defines
        bodies = {name: one.body for name, one in assumed.items() if not one.arity}
        commands = bodies | document.front.macros
        self.printed = {normal(body): name for name, body in commands.items()}
        marks = name_marks(page)
        self.page = with_words(read(page, _Every(marks=marks)), self.prose, page.macros)
        if guesses:  # whose symbols may be declared, and come first
            own = {one.key: one for one in self.page.symbols}
            first = {one.key: own.get(one.key, one) for one in guesses.page.symbols}
            self.page = replace(self.page, symbols=tuple({**first, **own}.values()))
        operators = {rf"\mathrm{{{name}}}" for name in _OPERATOR.findall(page.text)}
        torn = torn_letters(page, self.prose) - document.front.symbols.keys()
        every = printed_names(page, Open(marks=marks))
        torn |= operators | {
            one for one in {*(one.key for one in self.page.symbols), *every} if one.startswith(SUM)
        }
        general = {_general(key): key for key in every if _ANY.search(key)}
        unprinted = {one.key for one in self.page.symbols} - every.keys()
        self.counted = {
            key: general[_general(key)] for key in unprinted if _general(key) in general
        }
        whole = (one for one in self.page.symbols if one.key not in torn)
        self.page = replace(self.page, symbols=tuple(map(_without_bound, whole)))
        self.guesses = {one.key: one for one in guesses.symbols} if guesses else {}
        self.declared = document.front.symbols
        keys = [one.key for one in self.page.symbols]
        printed = {key: dots for key, dots in every.items() if key not in torn}
        names = (*filter(str.isascii, printed), *names_in(self.prose))
        self.named = {bare(key): key for key in reversed(names)}
        self.indices = index_letters([*keys, *names])
        self.said = SaidWords(self.prose, [*keys, *self.named.values()])
        self.rates = _rates(self.page)
        self.definitions = PrintedDefinitions(self.page, self.rates)
        units = printed_units(page, statements)
        self.letters = LetterWords(self.page, self.prose, self.rates, units)
        self.told_rates = {
            key: sorted({*self.rates.get(key, ()), *printed.get(key, ())})
            for key in {*self.rates, *printed}
        }

    def told(self) -> Iterator[PageSymbol]:
        """Iterate over what is told of each; what is only counted tells the one with its index."""
        counted = {
            self.counted[used.key]: self._told(used, self.guesses.get(used.key))
            for used in reversed(self.page.symbols)
            if used.key in self.counted
        }
        for used in self.page.symbols:
            if used.key in self.counted:
                continue
            if used.key in self.declared and used.key not in self.guesses:
                one = PageSymbol(used.key, self.declared[used.key], True, "declared")
            else:
                one = _or_counted(self._told(used, self.guesses.get(used.key)), counted)
            yield one
            yield from self._rates_of(one, self.guesses.get(used.key))
        yield from self._others(counted)

    def _rates_of(self, one: PageSymbol, guess: Guess | None) -> Iterator[PageSymbol]:
        r"""Iterate over the rates of a symbol; :math:`\dot x_{max}` is the greatest of a rate."""
        bound = bound_mark(bare(one.symbol), self.named, self.rates)
        for order in self.told_rates.get(one.symbol, ()):
            rate = _rate(one, order, guess)
            yield (
                replace(rate, meaning=f"{bound[0]} of {_dotted(bound[1], order)}")
                if bound
                else rate
            )

    def _others(self, counted: Mapping[str, PageSymbol]) -> Iterator[PageSymbol]:
        """Iterate over what is told of symbols that no equation has, but for their numbers."""
        known = {bare(one.key) for one in self.page.symbols} | self.declared.keys()
        is_of_rates = BY_TIME.search(self.prose) is not None
        if TIME not in known and (is_of_rates or TIME in self.named):
            yield PageSymbol(TIME, TIME, True, BY_RATES if is_of_rates else USUAL)
        named = {key: one for key, one in self.named.items() if key not in known | {TIME}}
        plain = [one for one in reversed(named.values()) if not _DOTTED.search(one)]
        words = phrases(self.prose, plain)
        for key in plain:
            if key in self.indices and not words.get(key):
                yield PageSymbol(key, INDEX, is_sure=True, why=BELOW)
                continue
            one = self._told(UsedSymbol(key, "", "", 0, words.get(key, "")), None)
            one = _or_counted(one, counted)
            if one.meaning is not None or key in counted:
                yield one
                yield from self._rates_of(one, None)

    def _told(self, used: UsedSymbol, guess: Guess | None) -> PageSymbol:
        is_rated = guess.why == BY_RATES if guess else BY_TIME.search(self.prose) is not None
        if used.key == TIME and is_rated:
            is_more = self.said.is_explained(TIME) and kinds_of(
                used.words.lower()
            )  # as a thickness is
            if is_more:
                return _called(used, CALLED, is_sure=False)
            return PageSymbol(TIME, TIME, True, BY_RATES, used.words, _place(used))
        is_sure = guess is not None and guess.standing == "sure"
        letter = self.letters.of(used.key)
        if letter and not is_sure and self._is_apart(used, letter):
            return self._of_letter(used, letter)
        if guess and is_sure:
            return _of_model(guess)
        by_page = self._by_page(used, guess, letter)
        is_told = guess and guess.meaning is not None and _is_telling(guess)
        return _of_model(guess) if guess and is_told and not by_page.is_sure else by_page

    def _by_page(
        self, used: UsedSymbol, guess: Guess | None, letter: LetterWord | None
    ) -> PageSymbol:
        """Tell what the page says of a symbol, in words or by what its letter is for."""
        if used.words:
            return self._by_words(used, letter)
        is_named = guess is not None and not (guess.why == BY_NAME and guess.meaning in _BLOCKS)
        told = (
            self._of_letter(used, letter)
            if letter
            else _of_model(guess)
            if guess and is_named
            else _unknown(used)
        )
        # as tensors have them, and bodies that are counted
        is_usual = told.why == USUAL and (used.key.startswith("\\") or used.key == "i")
        if used.key in self.indices and (is_usual or not told.is_sure):
            return PageSymbol(used.key, INDEX, False, BELOW, "", _place(used))
        vector = self.definitions.vector(used.key)
        if vector and not told.is_sure and told.why in (UNTOLD, BY_NAME):
            vector = self.printed.get(vector, vector)
            return PageSymbol(
                used.key, f"component of {vector}", True, DEFINED, used.words, _place(used)
            )
        return told

    def _of_letter(self, used: UsedSymbol, letter: LetterWord) -> PageSymbol:
        if letter.is_always or letter.is_borne_out:
            is_sure, why = True, ALWAYS if letter.is_always else BORNE_OUT
        else:
            is_called = used.words and not used.words.startswith(FORMULA)
            is_sure = not is_called and self._is_usual(used, letter)
            why = USUAL if is_sure else BY_NAME
        return PageSymbol(used.key, letter.words, is_sure, why, used.words, _place(used))

    def _by_words(self, used: UsedSymbol, letter: LetterWord | None) -> PageSymbol:
        """Tell what the page calls a symbol; sure where its letter is one for such things.

        What equations have it as counts before words that may be of another symbol.
        """
        looks = SymbolShape.of(used.key)
        if used.words.startswith(FORMULA):
            return self._by_formula(used, looks, letter)
        is_measured = self.letters.is_measured_so(used.key, self.said.kinds(used.key))
        if is_measured or self.said.is_agreed(used.key):
            return _called(used, AGREED)
        if letter and self._is_called_nothing(used, letter):
            return self._of_letter(replace(used, words=""), letter)
        if letter and _is_coordinate(looks) and agree(used.words, ()):
            return self._of_letter(used, letter)
        is_defined = bool(used.formula) and self.definitions.is_defined(used.key)
        defined = PageSymbol(used.key, used.formula, True, DEFINED, used.words, _place(used))
        if is_defined and not is_long(used.formula):
            return defined
        names, kinds = (letter.words.split(" or "), letter.kinds) if letter else ((), None)
        if self.said.is_stated(used.key, used.words, kinds):
            return _called(used, AGREED)
        if letter and self._counts_before_words(used, letter):
            return self._of_letter(used, letter)
        if self.said.is_always(used.key, used.words, names):
            return _called(used, AGREED)
        return defined if is_defined else _called(used, CALLED, is_sure=False)

    def _by_formula(
        self, used: UsedSymbol, looks: SymbolShape, letter: LetterWord | None
    ) -> PageSymbol:
        """Tell the formula by which a page defines a symbol, or what its letter is for."""
        if _COUNTED.match(used.words):
            return PageSymbol(used.key, INDEX, True, COUNTS, "", _place(used))
        if letter and letter.words == UNIT_VECTOR and _is_scaled(used):
            return _called(used, DEFINED)
        if letter and is_long(used.words):
            told = self._of_letter(replace(used, words=""), letter)
            if told.is_sure or not self.definitions.is_defined(used.key):
                return replace(told, words=used.words)
        if self.definitions.is_defined(used.key):
            if letter and letter.is_borne_out and self.definitions.is_repeated(used.key):
                return self._of_letter(used, letter)
            return _called(used, DEFINED)
        if letter and letter.is_always and used.key != r"\pi":
            return self._of_letter(used, letter)
        is_solution = self.definitions.is_solution(used.key)
        if letter and (
            is_solution
            or self.definitions.is_other_name(used.key)
            or self._is_usual(used, letter)
            or self._counts_before_words(used, letter)
        ):
            return self._of_letter(used, letter)
        if is_solution:
            return _unknown(used)
        is_open = used.key == r"\pi" or looks.kinds[:1] == ("gravity",)
        is_told = not is_open and self.definitions.is_told_first(used.key)
        return _called(used, DEFINED, is_sure=is_told)

    def _is_called_nothing(self, used: UsedSymbol, letter: LetterWord) -> bool:
        """Return whether words in front of a symbol name nothing, and its letter is usual.

        What begins with a capital is a name by itself, such as one of a table.
        """
        is_named = not used.words[:1].islower() or self.said.is_named(used.key)
        return not is_named and self._is_usual(used, letter)

    def _is_usual(self, used: UsedSymbol, letter: LetterWord) -> bool:
        is_other = letter.words == ANGLE and self.letters.is_of_a_unit(used.key)
        is_other |= not used.label and bare(used.key) in _UNITS
        is_other |= used.key.startswith(_TENSOR)
        is_other |= letter.words in _OF_BODIES and self.letters.is_of_any_vector(used.key)
        is_other |= letter.words in (ANGLE, LENGTH) and self._is_function_or_norm(used.key)
        is_other |= letter.words == _GRAVITY and self.definitions.is_timed(used.key)
        is_other |= letter.words == LENGTH and SymbolShape.of(used.key).arguments not in ("", TIME)
        if letter.words == ENTRY and used.words.startswith(FORMULA):
            is_other |= self.definitions.is_told_first(used.key)
        is_so = not is_other and is_usual(bare(used.key), letter.words, self.prose)
        return is_so and not self.said.is_any_constant(used.key)

    def _is_function_or_norm(self, key: str) -> bool:
        r"""Return whether running text has a letter of several others, or as one that norms have.

        As ``\phi(x(1), p)`` and ``$l_1$ norm`` are.
        """
        printed = re.escape(self.named.get(bare(key), key))
        return re.search(rf"(?<![A-Za-z]){printed}\s*{_OF_OTHERS}", self.prose) is not None

    def _is_apart(self, used: UsedSymbol, letter: LetterWord) -> bool:
        """Return whether a symbol is for what nothing else is printed as, and said to be no other.

        What is printed so may be in front of words about another symbol.
        """
        if used.words.startswith(FORMULA):
            return letter.words == ZERO
        is_always = letter.is_always and not self.said.is_explained(used.key)
        return is_always or letter.words == UNIT_VECTOR

    def _counts_before_words(self, used: UsedSymbol, letter: LetterWord) -> bool:
        """Return whether equations have a letter as what no words behind it speak against."""
        is_open = not self.said.is_explained(used.key)
        return letter.is_borne_out and (is_open or agree(used.words, letter.kinds))


class _Every(Open):
    """Takes every name, those in integrals and sums too, which are not worked out."""

    keeps_opaque = True


def _without_bound(used: UsedSymbol) -> UsedSymbol:
    r"""Return a symbol without what it is at a bound: infinite, or ``\pm a`` in running text."""
    bounds = (INFINITE, SIGNED) if used.label.startswith(IN_TEXT) else (INFINITE,)
    if not any(one in used.formula for one in bounds):
        return used
    words = "" if used.words.startswith(FORMULA) else used.words
    return replace(used, words=words, formula="")


def _is_scaled(used: UsedSymbol) -> bool:
    r"""Return whether a letter with a hat is the letter by something, as in ``\hat x = x/R``."""
    base = re.sub(r"\\hat|[{}\s]", "", used.key)
    is_of_it = re.search(rf"(?<![A-Za-z\\_]){re.escape(base)}(?![A-Za-z])", used.words)
    is_vector = re.search(r"[|∥]|\\(?:vec|mathbf|boldsymbol|bm|norm|[lr]?[vV]ert)", used.words)
    is_divided = "/" in used.words or "frac" in used.words
    return is_of_it is not None and is_divided and is_vector is None


def _is_telling(guess: Guess) -> bool:
    """Return whether what a symbol may be in the model is more than its name allows.

    Where some equations hold with it, and others do not, it is that for energies and matrices.
    """
    some = _SOME.match(guess.why)
    is_whole = str(guess.meaning).startswith("energy.") or guess.meaning in _BLOCKS
    return guess.why != BY_NAME and (some is None or some[1] == some[2] or is_whole)


def _is_coordinate(looks: SymbolShape) -> bool:
    """Return whether a symbol is a plain letter that is for coordinates."""
    return looks.letter in _TELLING and not (looks.subscript or looks.is_styled or looks.arguments)


def _of_model(guess: Guess) -> PageSymbol:
    is_sure = guess.standing == "sure"
    return PageSymbol(
        guess.key, guess.meaning, is_sure, guess.why, guess.used.words, _place(guess.used)
    )


def _called(used: UsedSymbol, why: str, *, is_sure: bool = True) -> PageSymbol:
    return PageSymbol(used.key, used.words, is_sure, why, used.words, _place(used))


def _or_counted(one: PageSymbol, counted: Mapping[str, PageSymbol]) -> PageSymbol:
    """Return what is told of a symbol, or of the first with a number for its index if that is."""
    other = counted.get(one.symbol)
    is_told = other is not None and not one.is_sure and (other.is_sure or one.meaning is None)
    return replace(other, symbol=one.symbol) if other and is_told else one


def _general(key: str) -> str:
    """Return a symbol with an index for each number below it."""
    return _COUNT.sub("i", key).replace("_{i}", "_i")


def _alike(told: Sequence[PageSymbol]) -> Iterator[PageSymbol]:
    r"""Iterate over symbols, those of which nothing is said as what the others of their letter are.

    What :math:`k_i` is said to be is :math:`k_1` too, and :math:`c_i` what :math:`c_1, c_2` are;
    not where i is something itself, nor where nothing is said of most of them, as of states.
    """
    said: dict[str, list[PageSymbol]] = {}
    untold = Counter(_general(one.symbol) for one in told if one.why in _UNSAID)
    letters = {one.symbol for one in told if one.meaning not in (None, INDEX)}
    for one in told:
        if one.is_sure and one.why in _SAID:
            said.setdefault(_general(one.symbol), []).append(one)
    for one in told:
        others = said.get(_general(one.symbol), [])
        meanings = {str(other.meaning) for other in others}
        indices = (_ANY.search(other.symbol) for other in others)
        is_general = any(one and one[0] not in letters for one in indices)
        is_open = one.meaning is None or str(one.meaning) in meanings
        is_most = len(others) >= untold[_general(one.symbol)]
        is_of_all = (len(others) > 1 and is_most) or (is_general and is_open)
        if is_of_all and len(meanings) == 1 and one.why in _UNSAID:
            yield replace(one, meaning=others[0].meaning, is_sure=True, why=COUNTED)
        else:
            yield one


def _unknown(used: UsedSymbol) -> PageSymbol:
    return PageSymbol(used.key, None, False, UNTOLD, "", _place(used))


def _place(used: UsedSymbol) -> str:
    return f"{used.label}, {used.place}" if used.label else "running text"


def _rates(page: PageSymbols) -> dict[str, list[int]]:
    """Return of which orders rates of symbols are printed; what alone is constant has none."""
    found: dict[str, set[int]] = {}
    for relation in (one.relation for one in page.equations):
        is_kept = CONSERVED in relation.readings
        sides = (relation.left, relation.right)
        for node in walk(*(one for one in sides if not (is_kept and isinstance(one, Name)))):
            if rate := rate_of(node):
                found.setdefault(rate[0].key, set()).add(rate[1])
    return {key: sorted(orders) for key, orders in found.items()}


def _dotted(key: str, order: int) -> str:
    return normal(f"{_DOTS[min(order, 4)]}{{{key}}}")


def _rate(one: PageSymbol, order: int, guess: Guess | None) -> PageSymbol:
    """Return what is told of a rate of a symbol, in the model where that has the symbol."""
    symbol = _dotted(bare(one.symbol), order)
    is_of_model = guess is not None and guess.meaning == one.meaning
    if is_of_model and isinstance(one.meaning, str) and _NAME.fullmatch(one.meaning):
        why = f"rate of what is known: {one.why}" if one.is_sure else one.why
        meaning = one.meaning + "'" * order
        return PageSymbol(symbol, meaning, one.is_sure, why, "", one.place, is_rate=True)
    meaning = f"rate of {one.symbol}" if order == 1 else f"rate of order {order} of {one.symbol}"
    return PageSymbol(symbol, meaning, True, BY_RATE, "", one.place, is_rate=True)
