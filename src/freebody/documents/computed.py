"""Formulas that code of a notebook, or of a page made of one, has put out, as equations.

What is shown by its name is what the name is for, what equations of motion are called vanishes,
and solutions are equal to what they are found for.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from freebody.documents.sympy_text import printed_equations

_FORMULA = re.compile(
    r"(?:\$\$?|\\begin\{(?P<name>equation\*?)\})\s*"
    r"(?:\\(?:displaystyle|[lL]arge|LARGE|[hH]uge|small)(?![A-Za-z])\s*)*(?P<formula>[^$]+?)\s*"
    r"(?(name)\\end\{(?P=name)\}|\$\$?)"
)
"""An output that is one formula, as computer algebra prints it."""
_BARE = re.compile(r"(?!\\begin\{(?:tabular|longtable|table|center)\})[^$]*=[^$]*")
"""An equation without what would set it as one."""
_RELATED = re.compile(r"=|\\approx")
_ACCELERATED = re.compile(r"\\frac\{d\^\{2\}\}|\\ddot\b")
_WORKED_OUT = re.compile(r"[-+^]|\\frac\b|\\begin\b|[\w}]\s+[\\\w]")
"""More than one letter."""
_FUNCTION = re.compile(r"\\operatorname\{([A-Za-z]_\{\w+\})\}")
"""How computer algebra prints a coordinate with an index that is a function of time."""
_STRING = re.compile(r"\\mathtt\{\\text\{([A-Za-z]\w{0,8})\}\}")
"""How it prints a name that is no symbol."""
_LISTED = re.compile(
    r"\\left\s*(?P<left>[\[(]|\\\{)(?P<inside>.*)\\right\s*(?:[\])]|\\\})", re.DOTALL
)
_BRACKETS = re.compile(r"\\left\b|\\right\b|(?<!\\)[{}]|(?P<apart>, (?:\\ |\\quad) | : )")

_SAME = frozenset({"simplify", "expand", "factor", "trigsimp", "nsimplify", "doit", "display"})
"""Functions and methods of computer algebra that give what they are given, written otherwise."""
_SHOWING = re.compile(r"display|disp|show|pprint|mprint|vprint|tex|pretty", re.IGNORECASE)
"""Names of functions that show what they are given, and not as text."""
_SIDES = frozenset({"lhs", "args"})
_OF_MOTION = re.compile(
    r"(?:\w*_)?(?:eq|eom|eqn|eqs|eoms|eqns|equation|equations)_?\w{0,6}|L?E_?\d|EL_?(?:\w{1,2}|[a-z]\w{1,5})"
    r"|form_lagranges_equations",
    re.IGNORECASE,
)
_ENERGIES = {
    **dict.fromkeys(("KE", "ke", "Ek", "E_k", "Ekin", "E_kin", "kinetic_energy"), "E_k"),
    **dict.fromkeys(("PE", "pe", "Ep", "E_p", "Epot", "E_pot", "potential_energy"), "E_p"),
    **dict.fromkeys(("L", "Lag", "lag", "lagrangian", "Lagrangian", "lagrange"), "L"),
}
_LETTER = re.compile(
    r"(?P<greek>alpha|beta|gamma|delta|theta|lambda|mu|phi|psi|omega|rho|tau)?(?(greek)|[A-Za-z])"
    r"(?:_(?P<below>(?!d|p{1,2}$)\w{1,5})|(?P<number>\d{1,2})|(?P<kind>(?<=[A-Z])[a-z][a-z\d]{0,2}))?"
)
"""A letter, perhaps with an index that says of no derivative, as programs write it."""
MOST_CODE = 4000
"""Characters of code that is looked at."""
_ALGEBRA = re.compile(r"sympy|@syms\b|@variables\b", re.IGNORECASE)
_BELOW_CODE = re.compile(
    rf"^(?P<fence>`{{3,}})[ \t]*\{{?\.?(?:python|py|ipython3?|julia|sage)\b[^\n`]*\n"
    rf"(?P<code>(?:(?!`{{3}})[^\n]*\n){{1,60}})(?P=fence)[ \t]*\n"
    r"(?:[ \t]*(?::::[^\n]*|</?div\b[^\n]*>)?\n){0,8}"
    rf"[ \t]*(?P<output>{_FORMULA.pattern})[ \t]*$(?=\n(?:[ \t]*\n|:::|</div)|\n?\Z)",
    re.MULTILINE,
)
"""A block of code, and a paragraph below that is one formula, as notebooks are exported."""


def computed(code: str, outputs: Sequence[Mapping[str, Any]], named: set[str]) -> Iterator[str]:
    r"""Iterate over the equations that the code of a cell has put out, as displays.

    Parameters
    ----------
    code : str
        That of the cell. It is not executed.
    outputs : sequence of mapping
        Those of the cell, as a notebook has them.
    named : set of str
        The symbols that were told what they are, to which those of this cell are added: what is
        shown later by the same name may be a special case.

    Examples
    --------
    >>> output = {"data": {"text/latex": r"$\displaystyle \frac{m v^{2}}{2}$"}}
    >>> list(computed("T = m*v**2/2\nsimplify(T)", [output], set()))
    ['$$\nT = \\frac{m v^{2}}{2}\n$$']
    """
    for formula, shown in _formulas(code, outputs):
        for equation in _equations(formula, shown, named):
            yield f"$$\n{equation}\n$$"


def with_outputs(text: str) -> str:
    r"""Return a page in Markdown with the equations of what its code has put out; all lines stay.

    Examples
    --------
    >>> code = "```python\nfrom sympy import *\nT = m*v**2/2\nT\n```"
    >>> print(with_outputs(code + "\n\n$\\frac{m v^{2}}{2}$").splitlines()[-1])
    $$ T = \frac{m v^{2}}{2} $$
    """
    if not _ALGEBRA.search(text):
        return text
    named = set[str]()

    def equated(match: re.Match[str]) -> str:
        shown = _statements(match["code"])[-1]
        equations = r" \\ ".join(_equations(match["formula"], shown, named))
        if not equations:
            return match[0]
        before = match[0][: match.start("output") - match.start()]
        lines = match["output"].count("\n") - equations.count("\n")
        return f"{before}$$ {equations} $${chr(10) * lines}"

    return _BELOW_CODE.sub(equated, text)


def _equations(formula: str, shown: ast.expr | None, named: set[str]) -> Iterator[str]:
    name = _name(shown) or ""
    is_of_motion = _OF_MOTION.fullmatch(name) is not None
    entries, values = _entries(formula)
    if values:
        new = ((one, value) for one, value in zip(entries, values, strict=True) if one not in named)
        for one, value in new:
            named.add(one)
            yield f"{one} = {value}"
        return
    for one in entries or [formula]:
        symbol = None if entries else _symbol(name)
        if _RELATED.search(one):
            yield one
        elif _ACCELERATED.search(one):
            yield from [f"{one} = 0"] if is_of_motion else ()
        elif symbol and symbol not in named and _WORKED_OUT.search(one):
            named.add(symbol)
            yield f"{symbol} = {one}"


def _entries(formula: str) -> tuple[list[str], list[str]]:
    """Return what a list has in it, or names with their values; nothing where there is no list."""
    listed = _LISTED.fullmatch(formula)
    if not listed or listed["inside"].lstrip().startswith(r"\begin"):
        return [], []
    entries, depth, start, inside = list[str](), 0, 0, listed["inside"]
    has_names = listed["left"] == r"\{"
    for match in _BRACKETS.finditer(inside):
        if not match["apart"]:
            depth += 1 if match[0] in ("{", r"\left") else -1
        elif not depth and (has_names or match["apart"] != " : "):
            entries.append(inside[start : match.start()].strip())
            start = match.end()
        if depth < 0:
            return [], []
    entries.append(inside[start:].strip())
    if not has_names:
        return entries, []
    return (entries[::2], entries[1::2]) if len(entries) % 2 == 0 else ([], [])


def _symbol(name: str) -> str | None:
    """Return how what a name of a program is for is written."""
    if name in _ENERGIES:
        return _ENERGIES[name]
    match = _LETTER.fullmatch(name)
    if not match:
        return None
    letter = f"\\{match['greek']}" if match["greek"] else name[0]
    index = match["below"] or match["number"] or match["kind"]
    return f"{letter}_{{{index}}}" if index else letter


def _name(shown: ast.expr | None) -> str | None:
    """Return the name that is shown, however it is simplified, or of whose equation a side is."""
    while not isinstance(shown, ast.Name):
        match shown:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[inside, *_]) if (
                name in _SAME
            ):
                shown = inside
            case ast.Call(func=ast.Attribute(value=inside, attr=name)) if name in _SAME:
                shown = inside
            case ast.Call(func=ast.Attribute(attr=name)):
                return name
            case ast.Subscript(value=inside, slice=ast.Constant()):
                shown = inside
            case ast.Attribute(value=inside, attr=name) if name in _SIDES:
                shown = inside
            case _:
                return None
    return shown.id


def _formulas(
    code: str, outputs: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[str, ast.expr | None]]:
    """Iterate over the formulas that a cell has put out, with what shows each.

    The last statement has a result; those before may display some, where there are so many of
    these.
    """
    statements = _statements(code)
    calls = [one.args[0] for one in statements if isinstance(one, ast.Call) and _is_showing(one)]
    are_displayed = [one.get("output_type") == "display_data" for one in outputs]
    displayed = iter(calls if len(calls) == sum(are_displayed) else [None] * len(outputs))
    for output, is_displayed in zip(outputs, are_displayed, strict=True):
        shown = next(displayed) if is_displayed else statements[-1]
        data = output.get("data")
        latex = text_of(data.get("text/latex")) if isinstance(data, dict) else None
        printed = latex.strip() if latex else ""
        match = _FORMULA.fullmatch(printed)
        formula = match["formula"] if match else printed if _BARE.fullmatch(printed) else ""
        if formula:
            yield _STRING.sub(r"\1", _FUNCTION.sub(r"\1", formula)), shown
        for name, written in printed_equations(text_of(output.get("text")) or ""):
            yield written, ast.Name(name)


def _is_showing(call: ast.Call) -> bool:
    """Return whether a function is called that shows the first of what it is given."""
    is_named = isinstance(call.func, ast.Name) and _SHOWING.search(call.func.id) is not None
    return is_named and bool(call.args)


def _statements(code: str) -> list[ast.expr | None]:
    """Return what each statement is worth, the last of all last; None of what is no Python."""
    lines = [line for line in code.splitlines() if line.strip() and line.lstrip()[0] not in "%!"]
    for text in ("\n".join(lines), lines[-1].strip() if lines else ""):
        try:
            with warnings.catch_warnings(action="ignore"):
                body = ast.parse(text).body if len(text) <= MOST_CODE else []
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        if body:
            return [*map(_worth, body)]
    return [None]


def _worth(statement: ast.stmt) -> ast.expr | None:
    match statement:
        case ast.Assign(targets=[ast.Name() as name]):
            return name
        case ast.Expr(value=value):
            return value
    return None


def text_of(source: Any) -> str | None:
    """Return what is text, or its lines, and None of anything else."""
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    return source.replace("\r\n", "\n") if isinstance(source, str) else None
