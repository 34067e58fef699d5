"""Arguments of public functions, checked against their annotations.

What a function annotates is what it takes: `checked` reads it, refuses what is of another kind, and
hands numbers on as Python's own.
"""

from __future__ import annotations

import builtins
import collections.abc
import functools
import inspect
import operator
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from numbers import Integral, Real
from pathlib import Path
from typing import (
    Annotated,
    Any,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from freebody.errors import ArgumentError, nearest

Checked = TypeVar("Checked", bound=Callable[..., Any])
_MANY = inspect.Parameter.VAR_POSITIONAL
SHOWN = 80
"""Characters of a wrong argument that are shown."""


class Unfit(Exception):  # noqa: N818 - a reason, which `checked` tells with the argument's name
    """A value of another kind than is expected."""


def checked(function: Checked) -> Checked:
    """Return a function or class that refuses arguments that do not fit its annotations.

    Raises
    ------
    ArgumentError
        By what it returns, for the first argument that does not fit.
    TypeError
        By what it returns, for missing and unknown arguments, as Python says it.

    Examples
    --------
    >>> @checked
    ... def lasting(duration: float) -> float:
    ...     return duration
    >>> lasting(2)
    2.0
    >>> lasting("5")
    Traceback (most recent call last):
    freebody.errors.ArgumentError: lasting: duration: expected a number, found the text '5';
    did you mean 5?
    """
    if inspect.isclass(function):
        setattr(function, "__init__", _wrapped(vars(function)["__init__"], function.__name__))  # noqa: B010
        return function
    return _wrapped(function, function.__name__)


def _wrapped(function: Checked, name: str) -> Checked:
    signature = inspect.signature(function)

    @functools.cache
    def hint(key: str) -> Any:
        return _hint(function, signature.parameters[key])

    @functools.wraps(function)
    def called(*given: Any, **named: Any) -> Any:
        bound = signature.bind(*given, **named)
        for key, value in bound.arguments.items():
            if not _needs_hint(value, signature.parameters[key]):
                continue
            try:
                bound.arguments[key] = _taken(value, hint(key))
            except Unfit as error:
                raise ArgumentError(f"{name}: {key}: {error}") from None
        return function(*bound.args, **bound.kwargs)

    return called  # type: ignore[return-value]


def _needs_hint(value: Any, parameter: inspect.Parameter) -> bool:
    """Return whether an argument is to be checked, for which its annotation is looked up.

    A model that is named by a text always fits: what else it might be is not imported for it.
    """
    if parameter.annotation is parameter.empty or parameter.kind is parameter.VAR_KEYWORD:
        return False
    return not (parameter.annotation == "AnyModel" and isinstance(value, str | Path))


def _hint(function: Callable[..., Any], parameter: inspect.Parameter) -> Any:
    """Return what a parameter is annotated with."""
    stated = types.SimpleNamespace(__annotations__={"value": parameter.annotation})
    names = _Names(inspect.unwrap(function).__globals__)
    hint = get_type_hints(stated, {}, names, include_extras=True)["value"]
    return types.GenericAlias(tuple, (hint, ...)) if parameter.kind is _MANY else hint


class _Names(dict[str, Any]):
    """The names of a module; those that it imports for its annotations alone are public ones."""

    def __missing__(self, name: str) -> Any:
        if name == "AnyModel":  # no public name: only annotations have it
            return import_module("freebody.mechanics.mechanism").AnyModel
        return getattr(builtins, name, None) or getattr(import_module("freebody"), name)


def _taken(value: Any, hint: Any) -> Any:
    """Return a value as it is handed on.

    Raises
    ------
    Unfit
        If it is of another kind.
    """
    if hint is Any:
        return value
    if _alternatives(hint):
        return _one_of(value, hint)
    if hint in (None, type(None)):
        return value if value is None else _refuse(value, hint)
    kind = get_origin(hint) or hint
    if kind in _KINDS:
        return _KINDS[kind](value, hint)
    if _is_array(kind):
        return _array(value, hint)
    return value if isinstance(value, kind) else _refuse(value, hint)


def _alternatives(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, types.UnionType) else ()


def _one_of(value: Any, hint: Any) -> Any:
    """Return a value that fits one of several kinds; what fits none in a part says which part."""
    parts = []
    for kind in _alternatives(hint):
        try:
            return _taken(value, kind)
        except Unfit as error:
            if str(error).startswith("["):
                parts.append(error)
    if parts:
        raise parts[0]
    return _refuse(value, hint)


def _refuse(value: Any, hint: Any, more: str = "") -> Any:
    raise Unfit(
        f"expected {_words(hint)}, found {_shown(value)}{more or _did_you_mean(value, hint)}"
    )


# ---------------------------------------------------------------------- kinds of values


def _number(value: Any, hint: Any) -> float:
    value = value.item() if _is_scalar(value) else value
    if isinstance(value, bool) or not isinstance(value, Real):
        return float(_refuse(value, hint))
    try:
        return float(value)
    except OverflowError:
        raise Unfit(f"expected a number that is not so large, found {_shown(value)}") from None


def _whole(value: Any, hint: Any) -> int:
    value = value.item() if _is_scalar(value) else value
    if isinstance(value, bool) or not isinstance(value, Integral):
        _refuse(value, hint)
    return operator.index(value)


def _truth(value: Any, hint: Any) -> bool:
    value = value.item() if _is_scalar(value) else value
    return value if isinstance(value, bool) else bool(_refuse(value, hint))


def _is_scalar(value: Any) -> bool:
    """Return whether a value is a number of numpy, or an array of one without axes."""
    return hasattr(value, "dtype") and not getattr(value, "shape", (0,))


def _literal(value: Any, hint: Any) -> Any:
    known = get_args(hint)
    same = [one for one in known if type(one) is type(value) and one == value]
    if same:
        return same[0]
    texts = [one for one in known if isinstance(one, str)]
    return _refuse(value, hint, nearest(value, texts) if isinstance(value, str) else "")


def _mapping(value: Any, hint: Any) -> Any:
    if not isinstance(value, Mapping) and not hasattr(value, "items"):  # as tables of pandas have
        return _refuse(value, hint)
    of_key, of_value = get_args(hint) or (Any, Any)
    return {_part(key, key, of_key): _part(key, one, of_value) for key, one in value.items()}


def _sequence(value: Any, hint: Any) -> Any:
    kind = (get_args(hint) or (Any,))[0]
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        return _refuse(value, hint)
    if kind is float and hasattr(value, "dtype"):
        return value
    return tuple(_part(place, one, kind) for place, one in enumerate(_listed(value, hint)))


def _listed(value: Any, hint: Any) -> list[Any]:
    try:
        return list(value)
    except TypeError:  # such as that of an array without axes
        return list(_refuse(value, hint))


def _tuple(value: Any, hint: Any) -> tuple[Any, ...]:
    kinds = get_args(hint)
    if kinds[1:] == (...,):
        return tuple(_sequence(value, Sequence[kinds[0]]))  # type: ignore[valid-type]
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        _refuse(value, hint)
    entries = _listed(value, hint)
    if len(entries) != len(kinds):
        _refuse(value, hint)
    pairs = enumerate(zip(entries, kinds, strict=True))
    return tuple(_part(place, one, kind) for place, (one, kind) in pairs)


def _part(place: Any, value: Any, hint: Any) -> Any:
    try:
        return _taken(value, hint)
    except Unfit as error:
        message = str(error)
        raise Unfit(f"[{place!r}]{'' if message.startswith('[') else ': '}{message}") from None


def _array(value: Any, hint: Any) -> Any:
    """Return an array of numbers, in which what is missing is no number."""
    import numpy as np

    try:
        array = np.asarray(value)
    except (TypeError, ValueError):
        return _refuse(value, hint)
    if array.dtype.kind not in "iuf" and array.size:
        return _refuse(value, hint)
    shape = get_args(hint)[1] if get_origin(hint) is Annotated else ()
    sizes = zip(shape, array.shape, strict=False)
    if shape and (len(shape) != array.ndim or any(isinstance(n, int) and n != m for n, m in sizes)):
        return _refuse(value, hint, f" of shape {array.shape}")
    return array.astype(float, copy=False)


def _is_array(kind: Any) -> bool:
    return (kind.__module__, kind.__name__) == ("numpy", "ndarray")


def _callable(value: Any, hint: Any) -> Any:
    return value if callable(value) else _refuse(value, hint)


_KINDS: Mapping[Any, Callable[[Any, Any], Any]] = {
    Annotated: _array,
    float: _number,
    int: _whole,
    bool: _truth,
    Literal: _literal,
    collections.abc.Mapping: _mapping,
    collections.abc.Sequence: _sequence,
    collections.abc.Iterable: _sequence,
    collections.abc.Collection: _sequence,
    collections.abc.Callable: _callable,
    tuple: _tuple,
}


# ---------------------------------------------------------------------- in words

_WORDS: Mapping[Any, str] = {
    Any: "anything",
    None: "None",
    type(None): "None",
    str: "text",
    float: "a number",
    int: "a whole number",
    bool: "True or False",
    collections.abc.Callable: "a function",
}


def _words(hint: Any) -> str:
    """Return what an annotation says in words."""
    kind = get_origin(hint) or hint
    if kinds := _alternatives(hint):
        *others, last = dict.fromkeys(map(_words, kinds))
        return f"{', '.join(others)} or {last}"
    if kind is Annotated:
        axes = ", ".join(map(str, get_args(hint)[1]))
        return f"an array of numbers{f' of shape ({axes})' if axes else ''}"
    if kind is Literal:
        *others, last = map(repr, get_args(hint))
        return f"{', '.join(others)} or {last}" if others else last
    if kind is collections.abc.Mapping:
        of_key, of_value = get_args(hint)
        return (
            f"a mapping of {'names' if of_key is str else _words(of_key)} to {_several(of_value)}"
        )
    if kind is tuple and get_args(hint)[1:] != (...,):
        return f"a tuple of {', '.join(map(_words, get_args(hint)))}"
    if _KINDS.get(kind) in (_sequence, _tuple):
        return f"a list of {_several(get_args(hint)[0])}"
    return _WORDS.get(kind) or ("an array of numbers" if _is_array(kind) else _named(kind))


def _named(kind: type) -> str:
    return f"{'an' if kind.__name__[0] in 'AEIOU' else 'a'} {kind.__name__}"


def _several(hint: Any) -> str:
    if kinds := _alternatives(hint):
        words = ("texts" if kind is str else _several(kind) for kind in kinds if kind is not int)
        return " or ".join(dict.fromkeys(words))
    plain = {float: "numbers", int: "whole numbers", str: "names", Any: "values"}
    return plain.get(hint) or f"what is {_words(hint)}"


def _shown(value: Any) -> str:
    if value is None:
        return "None"
    if inspect.isclass(value) or inspect.isroutine(value):
        return f"the {'class' if inspect.isclass(value) else 'function'} {value.__name__}"
    try:
        text = " ".join(repr(value).split())
    except Exception:  # of somebody else's class, or a number of too many digits
        text = "what cannot be shown"
    short = text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"
    return f"the text {short}" if isinstance(value, str) else f"{short} ({type(value).__name__})"


def _did_you_mean(value: Any, hint: Any) -> str:
    """Return what may be meant by a value of another kind, as ``"; did you mean 5?"``."""
    for kind in (_alternatives(hint) or (hint,)) if isinstance(value, str) else ():
        if kind in (int, float) and (number := _read(value, kind)) is not None:
            return f"; did you mean {number:g}?"
        if _KINDS.get(get_origin(kind)) is _sequence and get_args(kind)[0] is str:
            return f"; did you mean [{_brief(value)}]?"
    return ""


def _brief(value: str) -> str:
    return repr(value if len(value) <= SHOWN else f"{value[:SHOWN]}…")


def _read(text: str, kind: type) -> float | None:
    try:
        return float(kind(text))
    except ValueError:
        return None
