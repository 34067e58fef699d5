"""Code in C: to be taken away, and compiled by the system's compiler."""

from __future__ import annotations

import ctypes
import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from freebody.arrays import Array
from freebody.backends import cache, compiler
from freebody.backends.text import Syntax, describe_arguments, identifiers, render
from freebody.graph.code import Code

KEYWORDS = (
    "auto break case char const continue default do double else enum extern float for goto if "
    "inline int long register restrict return short signed sizeof static struct switch typedef "
    "union unsigned void volatile while bool true false asm class new delete this template "
    "operator private public protected namespace main out errno NULL "
    "alignas alignof constexpr nullptr static_assert thread_local typeof typeof_unqual noreturn "
    "and and_eq bitand bitor compl not not_eq or or_eq xor xor_eq catch char8_t char16_t char32_t "
    "concept const_cast consteval constinit co_await co_return co_yield decltype dynamic_cast "
    "explicit export friend mutable noexcept reinterpret_cast requires static_cast throw try "
    "typeid typename using virtual wchar_t"
)
"""Of C up to C23, and of C++."""
MACROS = (
    "linux unix i386 vax sun mips sparc hpux sgi near far pascal cdecl interrupt small hyper "
    "NAN INFINITY HUGE HUGE_VAL HUGE_VALF HUGE_VALL MAXFLOAT DOMAIN SING OVERFLOW UNDERFLOW PLOSS "
    "TLOSS X_TLOSS I complex imaginary signgam math_errhandling float_t double_t "
    "EOF BUFSIZ RAND_MAX EXIT_SUCCESS EXIT_FAILURE TRUE FALSE"
)
"""Of compilers and of the headers that generated code may stand behind."""
MACRO = re.compile(
    r"(M|FP|MATH|DBL|FLT|LDBL|CHAR|SHRT|INT|LONG|LLONG|UINT|ULONG)_[A-Z0-9_]*[A-Z0-9]"
)
LIBRARY = (
    "acos asin atan atan2 ceil cos cosh exp fabs floor fmod frexp ldexp log log10 modf pow sin "
    "sinh sqrt tan tanh acosh asinh atanh cbrt copysign erf erfc exp2 expm1 fdim fma fmax fmin "
    "hypot ilogb isfinite isinf isnan isnormal lgamma llrint llround log1p log2 logb lrint lround "
    "nan nearbyint nextafter nexttoward remainder remquo rint round scalbln scalbn signbit tgamma "
    "trunc j0 j1 jn y0 y1 yn gamma drem significand"
)
SYNTAX = Syntax(
    "{name}({operands})",
    {
        "abs": "fabs({0})",
        "min": "fmin({0}, {1})",
        "max": "fmax({0}, {1})",
        "sign": "(double)(({0} > 0.0) - ({0} < 0.0))",
        "select": "(({0}) ? {1} : {2})",
    },
    repeated=frozenset({"sign"}),
    reserved=frozenset({*KEYWORDS.split(), *MACROS.split(), *LIBRARY.split()}),
    reserved_form=MACRO,
)
GLUE = """
#include <math.h>

static inline void evaluate(const double *x, double *out)
{{
{body}
}}

void one(const double *x, double *out)
{{
    evaluate(x, out);
}}

void many(long count, const double *x, double *out)
{{
    for (long i = 0; i < count; i++) {{
        double from[{inputs}], to[{outputs}];
        for (long j = 0; j < {entries}; j++) from[j] = x[j * count + i];
        evaluate(from, to);
        for (long j = 0; j < {results}; j++) out[j * count + i] = to[j];
    }}
}}
"""


def source(code: Code, name: str) -> dict[str, str]:
    """Return a function in C99 and its header, by the ending of their files."""
    between = ",\n" + " " * len(f"void {name}(")
    prototype = f"void {name}({between.join([*_parameters(code), 'double *out'])})"
    comment = "\n".join(f" * {line}".rstrip() for line in _comment(code))
    guard = _guard(name)
    header = [f"#ifndef {guard}", f"#define {guard}", "", f"/*\n{comment}\n */", f"{prototype};"]
    names = identifiers([entry.name for entry in code.entries], _within(code, name))
    lines = [*_unpacked(code, names), *_body(code, names)]
    text = [f"/*\n{comment}\n */", "#include <math.h>", f'#include "{name}.h"', "", prototype]
    return {
        ".c": "\n".join([*text, "{", *(f"    {line}" for line in lines), "}", ""]),
        ".h": "\n".join([*header, "", "#endif", ""]),
    }


def _comment(code: Code) -> Iterator[str]:
    for line in (f"{code.title}.", "", *describe_arguments(code)):
        yield line.replace("*/", "* /").replace("/*", "/ *").replace("??", "? ?")


def _parameters(code: Code) -> Iterator[str]:
    for group in code.arguments:
        yield "double t" if group == "t" else f"const double *{group}"


def _within(code: Code, name: str) -> Syntax:
    """Return the syntax inside a function, where its arguments have names too."""
    groups = code.arguments.keys() - {"t"}
    reserved = frozenset({*SYNTAX.reserved, *groups, name, _guard(name)})
    return replace(SYNTAX, reserved=reserved)


def _guard(name: str) -> str:
    return f"{name.upper()}_H"


def _unpacked(code: Code, names: tuple[str, ...]) -> Iterator[str]:
    """Iterate over lines that take the arguments apart, as far as they are used."""
    for group in code.arguments:
        used = [(place, number) for place, own, number in code.used if own == group]
        if not used:
            yield f"(void){group};"
        elif group != "t":
            yield from (f"const double {names[place]} = {group}[{i}];" for place, i in used)


def _body(code: Code, names: tuple[str, ...]) -> Iterator[str]:
    text = render(code, SYNTAX, names)
    yield from (f"const double {name} = {value};" for name, value in text.assignments)
    yield from (f"out[{place}] = {value};" for place, value in enumerate(text.results))


def compiled(code: Code) -> Kernel:
    """Return a kernel that the system's compiler made, or that it once made for the cache.

    Raises
    ------
    BackendError
        If there is no compiler.
    """
    names = tuple(f"x[{place}]" for place in range(len(code.entries)))
    body = "\n".join(f"    {line}" for line in _body(code, names))
    inputs, outputs = len(code.entries), len(code.results)
    text = GLUE.format(
        body=body, entries=inputs, results=outputs, inputs=max(1, inputs), outputs=max(1, outputs)
    )
    name = cache.key("c", compiler.compiler_identity(), cache.processor(), text)
    return Kernel(code, cache.cached(name, lambda: compiler.shared_library(text)))


class Kernel:
    """A function in a shared library.

    Attributes
    ----------
    address : int
        Where the machine code for one state is.
    """

    def __init__(self, code: Code, library: bytes) -> None:
        self.code = code
        with tempfile.TemporaryDirectory(prefix="freebody-", ignore_cleanup_errors=True) as place:
            path = Path(place, "code.so")
            path.write_bytes(library)
            self._one = ctypes.PyDLL(str(path)).one  # so short that others can wait
            self._many = ctypes.CDLL(str(path)).many
        self._one.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        self.address = ctypes.cast(self._one, ctypes.c_void_p).value
        self._many.argtypes = [ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
        self._one.restype = self._many.restype = None

    def bind(self, x: Array, out: Array) -> Callable[[], Any]:
        """See `freebody.backends.registry.Kernel`."""
        one, start, end = self._one, x.ctypes.data, out.ctypes.data

        evaluate = partial(one, start, end)
        evaluate.keeps = (x, out)  # type: ignore[attr-defined]
        return evaluate

    def columns(self, x: Array, out: Array) -> None:
        """See `freebody.backends.registry.Kernel`."""
        self._many(x.shape[1], x.ctypes.data, out.ctypes.data)
