r"""What a page says of its symbols in words: "where $m_1$ is the mass of link 1"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from freebody.checking.guesses.catalogue import Entry
from freebody.documents.latex import LatexError
from freebody.documents.latex.spellings import spellings
from freebody.documents.latex.tokens.tokens import parse

NEAR = 90
"""Characters behind a symbol in which it is explained."""
KIND = 0.6
NAME = 0.3
_INLINE = re.compile(
    r"(?<![\\$])\$`?(?![$`])([^$\n]{1,60}?)`?\$(?!\$)|\\\((.{1,60}?)\\\)|:math:`([^`\n]{1,60})`"
)
_EXPLAINS = re.compile(
    r"[\s,*|]*(?:\(|:|=|--?|–|—|\|"
    r"|is\b|are\b|be\b|denotes?\b|represents?\b|stands? for\b|the\b|an?\b"
    r"|ist\b|sind\b|bezeichnet\b|der\b|die\b|das\b|eine?\b"
    r"|est\b|sont\b|désignent?\b|représentent?\b|les?\b|la\b|une?\b|l['’]"
    r"|es\b|son\b|denotan?\b|representan?\b|el\b|los\b|las\b|una?\b"
    r"|é\b|são\b|designa\b|representam\b|o\b|os\b|as\b|uma?\b"
    r"|è\b|sono\b|indica\b|rappresenta\b|il\b|lo\b|gli\b|un['’])",
    re.IGNORECASE,
)
_END = re.compile(r"[.;\n]|\$|\|\s*\|")
_BEFORE = 40
"""Characters in front of a symbol in which it is called what it is: "a cart of mass $M$"."""
_KINDS: Sequence[tuple[str, tuple[str, ...]]] = tuple(
    (phrase, tuple(kinds.split(", ")))
    for kinds, phrases in (
        (
            "inertia",
            (
                "moment of inertia, trägheitsmoment, moment d'inertie, moment d’inertie, "
                "momento de inercia, momento de inércia, momento d'inerzia, inertia"
            ),
        ),
        ("M", "inertia matrix, mass matrix"),
        (
            "position, length",
            (
                "center of mass, centre of mass, centre de masse, centro de masa, centro de massa, "
                "schwerpunkt"
            ),
        ),
        (
            "gravity",
            (
                "gravitational acceleration, acceleration of gravity, acceleration due to gravity, "
                "fallbeschleunigung, erdbeschleunigung, schwerebeschleunigung, pesanteur, "
                "gravedad, gravidade, gravità, accélération gravitationnelle"
            ),
        ),
        (
            "speed, turning rate",
            (
                "angular velocity, winkelgeschwindigkeit, vitesse angulaire, velocidad angular, "
                "velocidade angular, velocità angolare"
            ),
        ),
        ("mass", "mass, masse, masa, massa"),
        (
            "length",
            (
                "length, länge, longueur, longitud, comprimento, lunghezza, distance, abstand, "
                "distancia, distância, distanza, radius, rayon, radio, raio, raggio"
            ),
        ),
        ("gravity, G", "gravit"),
        ("angle", "angle, winkel, ángulo, ângulo, angolo"),
        ("C", "coriolis, centrifugal"),
        (
            "moment, tau, reaction moment",
            "torque, drehmoment, couple, binário, coppia",
        ),
        ("moment, reaction moment", "moment"),
        ("reaction, reaction moment", "reaction"),
        ("force, reaction, multiplier", "force, kraft, fuerza, força, forza"),
        (
            "kinetic",
            (
                "kinetic energy, kinetische energie, énergie cinétique, energía cinética, "
                "energia cinética, energia cinetica"
            ),
        ),
        (
            "potential",
            (
                "potential energy, potentielle energie, potenzielle energie, énergie potentielle, "
                "energía potencial, energia potencial, energia potenziale"
            ),
        ),
        ("lagrangian", "lagrang"),
        ("total", "total energy, gesamtenergie, énergie totale, energía total, energia total"),
        ("constant", "stiffness, spring constant, federkonstante, raideur, rigidez, rigidezza"),
        ("constant", "damping, friction, dämpfung, reibung, amortissement, frottement"),
    )
    for phrase in phrases.split(", ")
)
"""What words say, in English, German, French, Spanish, Portuguese and Italian."""
SETTLED = frozenset({"mass", "inertia", "gravity", "kinetic", "potential", "lagrangian", "total"})
"""Of what kinds a page that has one alone need not say more in words."""
_WORD = re.compile(r"[a-z]{3,}|\d+")
_COMMON = frozenset(
    {"the", "and", "for", "from", "with", "its", "this", "that", "into", "about", "each"}
)


def explained_meanings(
    prose: str, keys: Iterable[str], entries: Sequence[Entry]
) -> Mapping[str, dict[str, float]]:
    r"""Return what a page says of symbols: how much less costs each kind, and each meaning.

    Examples
    --------
    >>> page = "Here $m_1$ is the mass of the first link."
    >>> explained_meanings(page, ["m_1"], [])
    {'m_1': {'mass': 0.6}}
    """
    wanted = set(keys)
    found: dict[str, dict[str, float]] = {}
    for match in _INLINE.finditer(prose):
        keys_here = _names(match[1] or match[2] or match[3]) & wanted
        if keys_here:
            words = _explanation(prose, match.end()) or _called(prose, match.start())
            says = _says(words, entries) if words else {}
            for key in keys_here:
                found.setdefault(key, {}).update(says)
    return {key: says for key, says in found.items() if says}


def _explanation(prose: str, position: int) -> str:
    """Return what explains a symbol that ends here, in small letters, if anything does."""
    following = prose[position : position + NEAR]
    if not _EXPLAINS.match(following):
        return ""
    end = _END.search(following, 1)
    return following[: end.start() if end else None].lower()


def _called(prose: str, position: int) -> str:
    """Return the word in front of a symbol by which it is called, in small letters, if any is."""
    before = prose[max(0, position - _BEFORE) : position].lower()
    last = re.search(r"([^\W\d_][\w'’ ]*?)\s*$", before)
    phrases = (phrase for phrase, _ in _KINDS if last and last[1].endswith(phrase))
    return next(phrases, "")


def _names(latex: str) -> set[str]:
    """Return the names in a formula of nothing but names and commas."""
    try:
        items = parse(latex, 0, len(latex))
    except LatexError:
        return set()
    names, position = set(), 0
    while position < len(items):
        options = spellings(items, position)
        if options:
            key = options[-1].form(0, raised=False)
            names |= {key, re.sub(r"_\{(\w)\}", r"_\1", key)}
            position = options[-1].stop
        elif items[position].text in (",", r"\ "):
            position += 1
        else:
            return set()
    return names


def _says(words: str, entries: Sequence[Entry]) -> dict[str, float]:
    says: dict[str, float] = {}
    first = min(
        ((words.index(phrase), -len(phrase), kinds) for phrase, kinds in _KINDS if phrase in words),
        default=(0, 0, ()),
    )
    kinds = first[2]
    says |= dict.fromkeys(kinds, KIND)
    own = set(_WORD.findall(words)) - _COMMON
    for entry in entries:
        shared = own & set(_WORD.findall(entry.words.lower()))
        if len(shared) > 1:
            says[str(entry.meaning)] = NAME * min(len(shared), 3)
    return says
