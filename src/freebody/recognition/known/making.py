"""The model that a page means: a known one, as it is or varied, in the letters of the page."""

from __future__ import annotations

import keyword
import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from freebody.algebra.expressions import RESERVED
from freebody.checking.guesses.conventions import SymbolShape
from freebody.documents.document import Meaning
from freebody.errors import DerivationError
from freebody.model import Model
from freebody.model.files import dumps, loads
from freebody.model.names import Names
from freebody.recognition.equations.products import TURN, Powers
from freebody.recognition.known.fits import Fit
from freebody.recognition.known.variations import ADDED, Part
from freebody.recognition.layout import laid_out

MOST_NAMED = 6
"""Equations that are told of those that a model is made of."""
TELLING = 2
"""Terms that must tell from where an angle is counted."""
_NAME = re.compile(r"[A-Za-z_]\w*")
_NO_EXPRESSIONS = frozenset({
    "title", "name", "unit", "type", "parent", "child", "on", "joint", "frame", "source",
    "sequence", "reaction_on",
})  # fmt: skip
_LOADS = ("forces", "torques", "springs", "dampers")
_UNITS = {
    ADDED[0]: ("N", "N*m"),
    ADDED[1]: ("N*s/m", "N*m*s/rad"),
    ADDED[2]: ("N/m", "N*m/rad"),
}


@dataclass(frozen=True, eq=False)
class BuiltModel:
    """A model that fits a page, and what letters of the page stand for in it.

    Attributes
    ----------
    model : Model
    text : str
        Of its file; empty where it is a known model as it is.
    name : str
        Of the known model.
    words : str
        How it is varied.
    symbols : dict of str to str or number
    sure : frozenset of str
        The symbols that could be nothing else.
    """

    model: Model
    text: str
    name: str
    words: str
    symbols: dict[str, Meaning]
    sure: frozenset[str]


def made(fit: Fit) -> BuiltModel:
    """Return the model that a fit means."""
    left_out = list(fit.left_out)
    symbols: dict[str, Meaning] = dict(_constants(fit.images))
    symbols |= dict(_coordinates(fit))
    sure = frozenset(
        key
        for key in symbols
        if not fit.is_doubtful
        and key not in fit.open
        and (key not in fit.images or fit.model.is_lumped or _is_plain(fit.images[key]))
        and not _is_told_once(fit, key)
    )
    words = [fit.variation.words] if fit.variation.words else []
    words += [f"without {', '.join(left_out)}"] if left_out else []
    renamed = _names(fit, symbols)
    if fit.added:
        words.append(f"with {', '.join(_added(fit, one, renamed) for one in fit.added)}")
    if not words and fit.model.is_named:
        return BuiltModel(fit.model.model, "", fit.model.name, "", symbols, sure)
    return _varied(fit, left_out, symbols, sure, "; ".join(words), renamed)


def _is_told_once(fit: Fit, key: str) -> bool:
    """Return whether one term alone tells that an angle is not counted as the model does.

    A sine for a cosine in it would be taken for another axis.
    """
    if key not in fit.system.coordinates:
        return False
    place = fit.system.coordinates.index(key)
    number = fit.counting.numbers[place]
    if not fit.system.is_angle[place] or not dict(fit.counting.turned).get(number, 0):
        return False
    terms = {
        (n, one.powers, frozenset((at, abs(multiple)) for at, multiple in one.turns))
        for n, row in enumerate(fit.rows)
        for one in row.by_place
        if any(at == number for at, _ in one.turns)
    }
    return len(terms) < TELLING


def _constants(images: Mapping[str, Powers]) -> Iterator[tuple[str, str]]:
    """Iterate over the letters of a page that do not move, with what they are."""
    for key, image in images.items():
        angle = key.removeprefix(TURN)
        if angle == key and not any(name.startswith(TURN) for name, _ in image):
            yield key, _product(image)
        elif angle != key and len(image) == 1 and abs(image[0][1]) == 1 and TURN in image[0][0]:
            yield angle, _product(((image[0][0].removeprefix(TURN), image[0][1]),))
        else:
            raise DerivationError(f"'{angle}' is both an angle and something else")


def _is_plain(image: Powers) -> bool:
    return len(image) == 1 and image[0][1] == 1


def _added(fit: Fit, name: str, renamed: Mapping[str, str]) -> str:
    """Say what acts besides: ``friction along x``, by a coordinate as it is called then."""
    kind, _, number = name.partition(" ")
    is_turning = kind == ADDED[0] and fit.model.is_angle[int(number)]
    coordinate = fit.model.coordinates[int(number)]
    kind = "torque" if is_turning else kind
    return f"{kind} along {renamed.get(coordinate, coordinate)}"


def _product(image: Powers) -> str:
    """Return a product of powers as an expression.

    Examples
    --------
    >>> _product((("g", 1), ("l", -1), ("m", 2)))
    'g*m**2/l'
    """
    above = [name if power == 1 else f"{name}**{power}" for name, power in image if power > 0]
    below = [name if power == -1 else f"{name}**{-power}" for name, power in image if power < 0]
    return "/".join(["*".join(above) or "1", *below])


def _coordinates(fit: Fit) -> Iterator[tuple[str, str]]:
    """Iterate over the coordinates of a page with what they are in the model's."""
    turned = dict(fit.counting.turned)
    for key, number in zip(fit.system.coordinates, fit.counting.numbers, strict=True):
        text = _counted(fit, number)
        quarter = turned.get(number, 0)
        if number in fit.counting.flipped:
            text = f"({text})" if " " in text else text
            text = {0: "-", 1: "pi/2 - ", 2: "pi - ", 3: "-pi/2 - "}[quarter] + text
        else:
            text += {0: "", 1: " - pi/2", 2: " - pi", 3: " + pi/2"}[quarter]
        yield key, text


def _counted(fit: Fit, number: int) -> str:
    """Return an angle as the page counts it, from a direction or from the body before."""
    own = fit.model.coordinates
    if not fit.counting.way or not fit.model.is_angle[number]:
        return own[number]
    angles = [n for n in range(len(own)) if fit.model.is_angle[n]]
    before = angles[: angles.index(number)]
    if not before:
        return own[number]
    if fit.model.is_from_direction:
        return f"{own[number]} - {own[before[-1]]}"
    return " + ".join(own[n] for n in (*before, number))


# ---------------------------------------------------------------------- a model of its own


def _varied(
    fit: Fit,
    left_out: list[str],
    symbols: Mapping[str, Meaning],
    sure: frozenset[str],
    words: str,
    renamed: dict[str, str],
) -> BuiltModel:
    data = tomllib.loads(dumps(fit.model.opened))
    _put_values(data, fit)
    _substitute(data, {**fit.variation.same, **dict.fromkeys(left_out, "0")})
    added = _add(data, fit, renamed)
    _without_nothing(data)
    _put_numbers(data, fit.model.parts, fit.model.model)
    _drop_unused(data)
    _rename(data, renamed)
    if words:
        data["title"] = f"A model like {fit.model.name}: {words}"
    text = laid_out(data)
    sure |= added.keys() - fit.open
    known = {key: _renamed(str(text), renamed) for key, text in symbols.items()}
    return BuiltModel(
        loads(text, fit.model.name), text, fit.model.name, words, {**known, **added}, sure
    )


def _put_values(data: dict[str, Any], fit: Fit) -> None:
    bodies = {one["name"]: one for one in data["bodies"]}
    for part in fit.model.parts:
        body, values = bodies[part.body.name], fit.variation.values
        center: list[Any] = [0, 0, 0]
        center[part.axis] = part.sign + _bracketed(values[part.center])
        if values[part.center] == f"{part.center}/2":
            data["constants"][part.center]["title"] = f"length of {part.body.name}"
        body["center_of_mass"] = center
        inertia = values[part.inertia]
        body["inertia"] = inertia.replace(f"({part.body.mass})", str(part.body.mass))
        if inertia == "0":
            del body["inertia"]


def _bracketed(text: str) -> str:
    return f"({text})" if re.search(r"[+-]", text) else text


def _names(fit: Fit, symbols: Mapping[str, Meaning]) -> dict[str, str]:
    """Return new names for what the page has letters for."""
    plain = {str(meaning): key for key, meaning in symbols.items() if str(meaning).isidentifier()}
    renamed, taken = dict[str, str](), set[str]()
    for name, key in plain.items():
        new = identifier(key)
        if new and new not in taken:
            renamed[name] = new
            taken.add(new)
    others = {*fit.model.opened.constants, *fit.model.opened.inputs, *fit.model.coordinates}
    for name in sorted(others - renamed.keys()):
        if name in taken:
            renamed[name] = f"{name}_"
    return renamed


def identifier(key: str) -> str:
    r"""Return a letter of a page as a name of a model; empty where it makes none.

    Examples
    --------
    >>> identifier(r"\ell_1"), identifier(r"\theta_{12}"), identifier(r"m_{\text{cart}}")
    ('l1', 'theta12', 'm_cart')
    """
    shape = SymbolShape.of(key)
    script = re.sub(r"\W", "", shape.subscript)
    joined = f"{shape.letter}_{script}" if script[:1].isalpha() else shape.letter + script
    name = re.sub(r"\W", "", joined)
    is_free = name.isidentifier() and not keyword.iskeyword(name) and name not in RESERVED
    return name if is_free and not name.endswith(("_dot", "_ddot")) else ""


def made_of(labels: Sequence[str]) -> str:
    """Return in words of which equations a model is made.

    Examples
    --------
    >>> made_of(["(1)", "(2)"])
    'made of (1), (2)'
    """
    others = " and others" if len(labels) > MOST_NAMED else ""
    return f"made of {', '.join(labels[:MOST_NAMED])}{others}"


def free_name(name: str, taken: Collection[str]) -> str:
    """Return a name that is not taken, and that a model may have.

    Examples
    --------
    >>> free_name("m", {"m"}), free_name("lambda", set())
    ('m_', 'q_lambda')
    """
    is_own = name.isidentifier() and not keyword.iskeyword(name) and name not in RESERVED
    name = name if is_own else f"q_{name}"
    while name in taken:
        name += "_"
    return name


def _substitute(data: Any, values: Mapping[str, str]) -> None:
    _over_expressions(data, lambda text: _renamed(text, values))


def _renamed(text: str, names: Mapping[str, str]) -> str:
    def new(match: re.Match[str]) -> str:
        name = match[0]
        for ending in ("_ddot", "_dot"):
            if name.endswith(ending) and name not in names:
                stem = name.removesuffix(ending)
                return names.get(stem, stem) + ending
        return names.get(name, name)

    return _NAME.sub(new, text)


def _over_expressions(data: Any, change: Callable[[str], str]) -> None:
    """Change all expressions within tables and lists."""
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in items:
        if key in _NO_EXPRESSIONS:
            continue
        if isinstance(value, dict | list):
            _over_expressions(value, change)
        elif isinstance(value, str):
            data[key] = change(value)


def _rename(data: dict[str, Any], names: Mapping[str, str]) -> None:
    _substitute(data, names)
    for section in ("coordinates", "inputs", "constants"):
        known = data.get(section, {})
        data[section] = {names.get(name, name): entry for name, entry in known.items()}


def _add(data: dict[str, Any], fit: Fit, renamed: dict[str, str]) -> dict[str, Meaning]:
    """Add forces and friction that the page has along its coordinates; return their names."""
    meanings: dict[str, Meaning] = {}
    taken = {*renamed.values(), *data.get("constants", {}), *data.get("inputs", {})}
    for name in fit.added:
        kind, _, place = name.partition(" ")
        key, factor = fit.letter_of(name)
        own = identifier(key)
        own = own if own and own not in taken else f"{kind}_{place}"
        taken.add(own)
        number = int(place)
        data.setdefault("inputs" if kind == ADDED[0] else "constants", {})[own] = {
            "title": _added(fit, name, renamed),
            "unit": _unit(fit, kind, number, factor),
            "value": 0 if kind == ADDED[0] else 1,
        }
        meanings[key] = own
        scaled = f"{_product(factor)}*{own}" if factor else own
        coordinate = fit.model.coordinates[number]
        moving = {"force": "", "friction": f"*{coordinate}_dot", "spring": f"*{coordinate}"}
        sign = "-" if kind != ADDED[0] or name in fit.backwards else ""
        _act(data, fit, number, f"{sign}{scaled}{moving[kind]}")
    return meanings


def _unit(fit: Fit, kind: str, number: int, factor: Powers) -> str:
    """Return the unit of what acts besides, by which others it is multiplied."""
    known = {name: one.unit for name, one in fit.model.opened.constants.items()}
    unit = _UNITS[kind][fit.model.is_angle[number]]
    for name, power in factor:
        unit += f"/({known.get(name, '1')})" + (f"**{power}" if power != 1 else "")
    return unit


def _act(data: dict[str, Any], fit: Fit, number: int, text: str) -> None:
    """Let a force or a moment act along a coordinate of the page."""
    coordinate = fit.model.coordinates[number]
    for joint in data["joints"]:
        field = {"pin": ("angle", "torque"), "slider": ("displacement", "force")}.get(joint["type"])
        if field is None or not _moves(joint[field[0]], coordinate):
            continue
        if joint[field[0]] == coordinate and not fit.counting.way:
            before = f"{joint[field[1]]} + " if joint.get(field[1]) not in (None, "0") else ""
            joint[field[1]] = (before + text).replace("+ -", "- ")
            return
        axis = joint.get("axis", [0, 0, 1])
        vector = [0 if one == 0 else text if one == 1 else f"-({text})" for one in axis]
        torque = {"on": joint["child"], "vector": vector}
        if fit.counting.way and fit.model.is_from_direction:
            torque["reaction_on"] = joint["parent"]
        data.setdefault("torques", []).append(torque)
        return


def _moves(text: str, coordinate: str) -> bool:
    """Return whether an angle or a displacement grows with a coordinate."""
    return coordinate in _NAME.findall(text) and f"- {coordinate}" not in text


# ---------------------------------------------------------------------- tidying


def _without_nothing(data: dict[str, Any]) -> None:
    """Leave out what is zero: loads, actuators, gravity."""
    for joint in data.get("joints", []):
        for field in ("torque", "force"):
            if _is_nothing(joint.get(field, "")):
                del joint[field]
    for section in _LOADS:
        entries = [one for one in data.get(section, []) if not _is_idle(one)]
        data[section] = entries
        if not entries:
            del data[section]
    if "gravity" in data and all(_is_nothing(one) for one in data["gravity"]):
        del data["gravity"]


def _is_nothing(value: Any) -> bool:
    return value == 0 or (isinstance(value, str) and value.strip("-+ ") == "0")


def _is_idle(entry: Mapping[str, Any]) -> bool:
    values = entry.get("vector", [entry.get("stiffness", entry.get("damping", 1))])
    return all(map(_is_nothing, values))


def _examples(parts: Sequence[Part], names: Names) -> Iterator[tuple[str, float]]:
    """Iterate over values of what is left open: those of the model, so that none is impossible."""
    values = names.values()
    for part in parts:
        center = abs(names.number(part.body.center_of_mass[part.axis], values))
        mass = names.number(part.body.mass, values)
        own = names.number(part.body.inertia or 0, values)  # type: ignore[arg-type]
        yield part.center, center
        yield part.inertia, own + mass * center**2


def _put_numbers(data: dict[str, Any], parts: Sequence[Part], model: Model) -> None:
    """Let constants have the values that they have in the model, and motions start as there."""
    values = {**Names(model).values(), **dict(_examples(parts, Names(model)))}
    for name, entry in data.get("constants", {}).items():
        entry["value"] = round(values[name], 6) if name in values else entry.get("value", 1)
        entry.pop("source", None)
    for entry in data.get("coordinates", {}).values():
        for field in ("initial", "initial_speed"):
            if isinstance(entry.get(field), str):
                entry.pop(field)


def _drop_unused(data: dict[str, Any]) -> None:
    used: set[str] = set()

    def note(text: str) -> str:
        used.update(_NAME.findall(text))
        return text

    sections = [part for name, part in data.items() if isinstance(part, list)]
    for part in sections:
        _over_expressions(part, note)
    for section in ("constants", "inputs"):
        known = data.get(section, {})
        data[section] = {name: entry for name, entry in known.items() if name in used}
        if not data[section]:
            del data[section]
