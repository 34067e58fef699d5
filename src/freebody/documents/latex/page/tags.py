"""Letters with tags of HTML around them, written as LaTeX has them; all lines stay."""

from __future__ import annotations

import html
import re

_ENTITY = r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,30});"
_SCRIPT = re.compile(
    rf"<(?P<tag>sub|sup)>\s*(?:<(?P<style>i|em|b|strong|var)>)?"
    rf"(?P<inside>(?:{_ENTITY}|[\w,'′+−*⋅·/()=≠∞^{{}} -]){{1,40}}?)"
    rf"(?:</(?P=style)>)?\s*</(?P=tag)>",
    re.IGNORECASE,
)
_HAT = re.compile(r"(?<![^\W\d_])([^\W\d_])<sup>\^</sup>", re.IGNORECASE)
_STYLED = re.compile(
    r"<(?P<tag>i|em|b|strong|var)>(?P<letter>[^\W\d_])</(?P=tag)>(?=[_^][{])", re.IGNORECASE
)
_PRIME = re.compile(r"&(?:#39|#x27|apos);", re.IGNORECASE)
_ORDINAL = re.compile(r"st|nd|rd|th|er|e|re|o|a|ème", re.IGNORECASE)
_BY_DIGIT = re.compile(r"\d\s*$")


def with_scripts(text: str) -> str:
    """Return a page with what tags lower and raise behind letters as LaTeX has it.

    Examples
    --------
    >>> with_scripts("<i>x</i><sub>1</sub> = l<sup>2</sup>, the 1<sup>st</sup>")
    'x_{1} = l^{2}, the 1<sup>st</sup>'
    >>> with_scripts("F<sub>&alpha;</sub> = A e<sup>-bt/m</sup>")
    'F_{α} = A e^{-bt/m}'
    """
    hatted = _HAT.sub("\\1\N{COMBINING CIRCUMFLEX ACCENT}", text)
    inner = _SCRIPT.sub(_script, hatted)
    return _STYLED.sub(r"\g<letter>", _SCRIPT.sub(_script, inner))


def with_primes(text: str) -> str:
    """Return a page of HTML with primes for their entities.

    Examples
    --------
    >>> with_primes("k&#39;&#39; = 1")
    "k'' = 1"
    """
    return _PRIME.sub("'", text)


def _script(found: re.Match[str]) -> str:
    """Write one script, unless it ends an ordinal number."""
    before = found.string[max(found.start() - 2, 0) : found.start()]
    if _ORDINAL.fullmatch(found["inside"]) and _BY_DIGIT.search(before):
        return found[0]
    mark = "_" if found["tag"].lower() == "sub" else "^"
    return f"{mark}{{{html.unescape(found['inside'])}}}"
