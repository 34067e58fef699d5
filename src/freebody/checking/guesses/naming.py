"""What words name: the phrase without what leads to it, and of two things the one meant."""

from __future__ import annotations

import re

from freebody.checking.guesses.conventions import SymbolShape
from freebody.checking.guesses.words import HEADS_LAST, kinds_at_end, kinds_of_head

_OFTEN = (
    r"(?:\s+(?:also|often|commonly|usually|sometimes|simply|auch|aussi|souvent|también|também))?"
)
_CALLED = (
    r"(?:called|termed|named|known as|referred to as|defined as"
    r"|appelée?s?|dite?s?|nommée?s?|llamad[oa]s?|denominad[oa]s?|chamad[oa]s?(?: de)?"
    r"|chiamat[oaie]|dett[oaie])\b"
    r"(?!\s+(?:from|in|by|after|when|with|at|on|if|for|once|every|again|so|par|por|da|durch)\b)"
)
"""Participles behind which something is called what it is."""
_ARTICLE = r"(?:\s+(?:(?:the|an?|l[ae]|une?|el|una?|[oa]|uma?|il|lo)\b|l['’]))?"
_ARE_CALLED = (
    r"heißt\b|heisst\b|nennt man\b|s['’]appelle(?:nt)?\b|se (?:llaman?|denominan?|conocen? como)\b"
    r"|chama(?:m)?-se\b|si chiama(?:no)?\b|называ[ею]тся\b|称为|稱為|叫做"
)
"""Verbs that say so by themselves."""
LEADS = (
    rf"(?<=\s){_CALLED}|{_ARE_CALLED}"
    r"|(?<=\s)(?:also|often|commonly|usually|sometimes)\b(?= called)"
    r"|\(|:|=|(?<=\s)--?(?=\s)|–|—|\||&|\]|：|（|为|為|是|表示|代表|は|는|은|обознача\w*|это\b|является\b"
    r"|is\b|are\b|be\b|being\b|denotes?\b|represents?\b|stands? for\b|the\b|an?\b"
    r"|ist\b|sind\b|bezeichnet\b|der\b|die\b|das\b|eine?\b"
    r"|est\b|sont\b|désignent?\b|représentent?\b|les?\b|la\b|une?\b|l['’]"
    r"|es\b|son\b|denotan?\b|representan?\b|el\b|los\b|las\b|una?\b"
    r"|é\b|são\b|designa\b|representam\b|o\b|os\b|as\b|uma?\b"
    r"|è\b|sono\b|indica\b|rappresenta\b|il\b|lo\b|gli\b|un['’]"
    r"|de\b|het\b|een\b|zijn\b|jest\b|to\b(?! (?:the|an?)\b)|są\b|oznacza\b"
)
"""What stands between a symbol and the words that say what it is."""
LEADING = re.compile(rf"(?:[\s,*|]|{LEADS})+", re.IGNORECASE)
_INTRODUCES = re.compile(
    rf"(?:{_CALLED}|{_ARE_CALLED})\s*$|"
    r"[(:=–—|&\]：（为為是は는은-]|代表|表示|\b(?:the|an?|der|die|das|eine?|les?|la|une?|el|los|las|una?"
    r"|o|os|as|uma?|il|lo|gli|het|een|jest|это|обознача\w*)\s*$|\b(?:l|un)['’]$",
    re.IGNORECASE,
)
"""What leads to words that say what a symbol is: a mark, or an article."""
_ASIDE = re.compile(r"(?<=[a-z]) \([a-z-]{2,20}\)(?= [a-z])")
"""Another word for the one before it: "the linear (viscous) damping coefficient"."""
_OWNER = re.compile(
    r"\b(?:(?:of|for|on|at|to|about|from|with|around|by) (?:the|an?|another|each)|from"
    r"|to \w+ (?:the|an?)|nach \w+ (?:eine[rsm]?|de[rs])|per"
    r"|de las?|de los|du|del|dell[ae]|d[oa]s?|para (?:el|l[ao]s?|[ao]s?|una?|uma?)|pour l[ae]s?"
    r"|für (?:de[nmr]|die|das|eine[nr]?)|per (?:il|l[oa]))\s+|\b(?:de|pour) l['’]",
    re.IGNORECASE,
)
"""What leads to something that is called by its symbol itself: "the moment of the force $P$"."""
_BODY = re.compile(
    r"\b(?:of|for|on|at|to|about|in|from) "
    r"(?P<body>(?:rigid |current |given )?(?:body|point|particle|frame|time|instant|state))$",
    re.IGNORECASE,
)
"""The same without an article: "the velocity of point $P$"."""
_MODIFIES = re.compile(
    r"(?:somat[óo]ri[oa]|sumatori[oa]|suma|soma|somma|somme|summe) d\w{1,4}\b"
    r"|(?:ratios?|products?|sums?|squares?|halves|half|values?|magnitudes?|norms?|signs?|components?|directions?"
    r"|derivatives?|functions?|roots?|inverses?|transposes?|determinants?|eigenvalues?) of\b"
    r"|(?:\w+ )?(?:equations?|expressions?|formulas?|gleichung(?:en)?|équations?|ecuaci[oó]n(?:es)?"
    r"|expresi[oó]n(?:es)?|equaç(?:ão|ões)|equazion[ei])\b",
    re.IGNORECASE,
)
"""Words for what is made of what a symbol stands for."""
_MATRICES = re.compile(r"matri(?:x|ce|z)|vect(?:or|eur)|ve[kt]tore?|vetor", re.IGNORECASE)
"""Words for what has something that is said of it: "the eigenvalues of the matrix $K$"."""
_OPEN = re.compile(
    r"\b(?:for|of|in|into|to|with|by|from|on|at|as|that|is|are|will|be|we|and|or|between|along|about"
    r"|around|through|per|after|before|until|since|than|the|an?|für|von|mit|auf|um|zu|bei|nach|aus|ist|und|zwischen|entlang|de[rmns]"
    r"|die|das|de|du|des|avec|pour|par|sur|sous|vers|dans|est|et|en|entre|le|la|les|con|por|para|es|y|el|los|las|com"
    r"|em|e|o|os|as|di|da|per|tra|il|lo|que|qui|che|dass|à|ao|aos|aux|where|when|wobei|wo|onde|donde|où|dove|quando)\s*$",
    re.IGNORECASE,
)
"""What ends no words that name something."""
SHORTEST_PHRASE, LONGEST_PHRASE = 3, 60
"""Characters of what a page says in words that a symbol is."""
_STATES = re.compile(
    rf"\s*(?:[:：=為为是は]|{_ARE_CALLED}|(?:is|are|be|est|sont|es|son|é|são|è|sono){_OFTEN}\s+{_CALLED}{_ARTICLE}"
    r"|(?:(?:is|be|denotes?)(?:\s+(?:the|an?)\b)?"
    r"|(?:ist|bezeichnet)(?:\s+(?:de[rmn]|die|das|eine?[rmn]?)\b)?"
    r"|(?:est|désigne)(?:\s+(?:l[ae]\b|une?\b|l['’]))?"
    r"|(?:es|denota|é|designa)(?:\s+(?:el|la|una?|[oa]|uma?)\b)?"
    r"|(?:è|indica)(?:\s+(?:il|l[oa]|una?|uno)\b)?|jest|oznacza)(?=\s|(?<=['’])))",
    re.IGNORECASE,
)
"""What leads from a symbol to what it is."""
_SENTENCE = re.compile(
    r"\b(?:we|is|are|was|were|makes?|has|have|will|would|can|could|may|might|must|should|wir|ist|sind|wird|nous|est|sont|é|são|è|sono)"
    r"\s+\S|\b(?:is|are|was|were|will|would|can|could|may|might|must|should|est|sont|é|são|è|sono)\Z|\A(?:which|who|because|since|if|when|while|che|que|qui|welche[mnrs]?|котор\w+)\b"
    r"|\b(?:pode[mr]?|pued[eo]n?|peu[tx]|peuvent|kann|können|può|possono)\b"
    r"|\bse\s+(?:\w+[ae]n?)\s+(?:el|la|los|las|o|os|as|un|una|uma?)\b",
    re.IGNORECASE,
)
"""Words of sentences, which name nothing."""
_ENDS = re.compile(
    r"[,()（）:：|&@]|</?(?:li|[uod]l|d[dt]|div|p|t[dhr]|table|h\d|br|section)\b"
    r"| (?:and|und|et|y|e|и) (?:the|is|ist|wird|est|$)"
    r"|\*\s+(?:and|or|und|oder|et|ou|y|o|e|и)\b"
)
"""What ends the words for one thing: a mark, a tag, what else is said, the end of what is bold."""
_TELLS_NOTHING = re.compile(
    r"(?:[^\w\\].*|[\d.,]+(?: .*|\S{0,6})|well|well as .*|as|in|so|valu\w*"
    r"|(?:close|near|equal) to .*|bliskie .*|given|slow|fast|unknowns?"
    r"|denoted.*|constan\w*|numbers?|param\w*|variab\w*|terms?"
    r"|different|adequate\b.*|siguientes?|seguintes?|folgende\w*|suivante?s?|solutions?|soluci\w*|known|zero|small|large|same|follow\w*|function\w*|dad[oa]|valor\w*|werte?"
    r"|functions? of (?:the )?following|equations?|symbols?|descriptions?|meanings?|quantity"
    r"|.*(?:关系式|公式|方程|表达式|関係式|방정식)|konstante?|gegeben|donn\w+|положительн\w*|常数|常量|変数|定数|变量"
    r"|например|por ejemplo|por exemplo|par exemple|per esempio|zum beispiel|for example"
    r")(?: \w{1,3})?",
    re.IGNORECASE,
)
"""Words that are no name of anything."""


def phrase_of(words: str) -> str:
    """Return what a symbol is told to be, without what leads to it."""
    lead = LEADING.match(words)
    if lead and not _INTRODUCES.search(lead[0].rstrip("* ")):
        return ""  # which says something of it, and not what it is
    words = _ASIDE.sub("", words)
    told = _ENDS.split(words[lead.end() if lead else 0 :], maxsplit=1)[0]
    told = " ".join(re.sub(r"\\[A-Za-z]+|<br ?/?>|[\\{}*_`~]", " ", told).split()).rstrip(" -–—")
    while shorter := _OPEN.search(told):  # where a formula follows
        told = told[: shorter.start()].rstrip(" -–—")
    if _SENTENCE.search(told):
        return ""
    is_told = SHORTEST_PHRASE <= len(told) <= LONGEST_PHRASE or HEADS_LAST.search(told)
    return told if is_told and not _TELLS_NOTHING.fullmatch(told) else ""


def statement(words: str) -> str:
    """Return what leads from a symbol to words that say what it is; nothing of words beside it.

    Examples
    --------
    >>> statement(" is the diameter of the disk"), statement(", the load torque")
    ('is the', '')
    """
    lead = _STATES.match(words)
    return lead[0].strip() if lead else ""


def whose(words: str, key: str) -> str:
    r"""Return what of "the moment of the force" a symbol is called: as its letter is for, or last.

    Examples
    --------
    >>> whose("moment of the force", "P"), whose("position of the mass", "x")
    ('force', 'position of the mass')
    >>> whose("eigenvalues of the matrix", "K")
    'matrix'
    >>> whose("ratio of the period", "T"), whose("circle of radius", "r")
    ('period', 'radius')
    >>> whose("rate of the body frame", r"\mathcal{B}"), whose("rate of the frame", r"\omega")
    ('body frame', 'rate of the frame')
    >>> whose("torque exerted by a force", r"\vec{F}"), whose("torque exerted by the motor", "T")
    ('force', 'torque exerted by the motor')
    >>> whose("velocity of point", "P"), whose("velocity of point", "v")
    ('point', 'velocity of point')
    >>> whose("Jacobian at current state", r"\hat{x}"), whose("soma dos momentos", "M_i")
    ('current state', 'momentos')
    """
    owner, looks = _OWNER.split(words)[-1], SymbolShape.of(key)
    if key.startswith((r"\mathcal", r"\mathscr")) and owner.endswith("frame"):
        return owner
    if owner != words and (_MATRICES.fullmatch(owner) or _MODIFIES.match(words)):
        return owner
    thing, _, quantity = words.rpartition(" of ")
    is_whole = thing.endswith(("center", "centre")) or bool(kinds_of_head(words.lower()))
    if " " not in quantity and kinds_at_end(quantity.lower()) and not is_whole:
        return quantity
    heads = kinds_of_head(words)
    is_first = not heads.isdisjoint(looks.kinds)
    usual = {*looks.kinds[:1]} - {"reaction"}  # of any letter for a component
    if (named := _BODY.search(words)) and heads.isdisjoint(usual):
        return named["body"]
    kinds, own = kinds_at_end(owner.lower()), {*looks.kinds}
    own |= {kind.removesuffix(" vector") for kind in own}
    is_own = not (kinds.isdisjoint(own) and is_first)
    return owner if kinds and is_own else words


def is_open(words: str) -> bool:
    """Return whether words end where what they name is still to come.

    Examples
    --------
    >>> is_open("the mass of"), is_open("the mass of the cart")
    (True, False)
    """
    return _OPEN.search(words) is not None
