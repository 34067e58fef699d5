"""What symbols are called by the conventions of control, numerics and mechanics beside its models.

Most of them only where the page speaks of such things: Q is a weight where it has a regulator.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache


def _without(*words: str) -> str:
    """Return the pattern of a text that has none of some words."""
    return rf"\A(?![\s\S]*(?:{'|'.join(words)}))"


def _with(words: str, *without: str) -> str:
    """Return the pattern of a text that has some words, and none of others."""
    return rf"{_without(*without)}[\s\S]*(?:{words})"


_REGULATOR = r"\bLQR?\b|Riccati|quadratic (?:cost|regulator)|linear[- ]quadratic"
_STATES = (
    r"state[- ]space|lineari[sz]|state feedback|espacio de estado|espaço de estado|zustandsraum"
    r"|espace d.état|пространств\w* состояни|状態空間|状态空间|state vector|zustandsvektor"
    r"|vecteur d.état|vector de estado|vetor de estado|" + _REGULATOR
)
_CONTROL = r"\bPI?D\b|\bgains?\b|controller|regler|controlador|régulateur|регулятор|制御|控制器"
_EIGEN = r"eigen|autova|valeurs? propres?|собственн|固有値|特征值|고유"
_MOMENTA = r"hamilton|momentum|momenta|momento|quantité de mouvement|импульс|運動量|动量|動量"
_ROTATIONS = r"rotation|rotaci|rotaç|rotazion|drehmatri|поворот|旋转|旋轉|回転"
_SPRINGS = (
    r"spring|feder|ressort|resorte|muelle|\bmolas?\b|\bmoll[ae]\b|stiffness|steifig|raideur|rigid(?:ez|it)"
    r"|пружин|жестк|жёстк|ばね|バネ|剛性|弹簧|彈簧|刚度"
)
_ARROW = r"\\(?:vec|overrightarrow)"
_FONT = r"\\(?:mathbf|boldsymbol|bm)"
_CONTROLLED = f"{_CONTROL}|{_STATES}"
_INERTIAS = r"inertia|inertie|in[ée]rcia|inerzia|trägheit|инерц|慣性|惯性|惯量|慣量"
_DAMPED = (
    r"damp|dämpf|amort|smorz|viscos|viskos|vischios|friction|reib|frottement|rozamiento|atrito"
    r"|attrito|демпф|трени|減衰|粘性|摩擦|阻尼"
)
_INTEGRATED = (
    r"constants? of integration|integration constants?|integrationskonstant|constantes? d'int"
    r"|constantes? de integraci|constantes? de integraç|costanti? di integra|積分定数|积分常数"
)
_SAMPLED = r"sampl|abtast|muestre|amostrag|échantillon|采样|サンプリング"
_STEPPED = r"runge[\s\S]*k_\{?n?4"
_STEPS = (
    r"runge|euler'?s? method|time ?step|step ?size|schrittweite|zeitschritt|\bpas de temps"
    r"|pas de calcul|paso (?:de tiempo|temporal)|passo de tempo|步长|刻み"
)
_TURNED = (
    r"rotation matri|rotationsmatri|drehmatri|matri[cz]\w* de rota|matrice di rotazione|SO\(3\)"
    r"|direction cosine|матриц\w* поворота|旋转矩阵|回転行列"
)
_FREQUENT = r"frequen[cz]|fréquence|frecuencia|частот|频率|周波数"
_POINTS = "moment|torque|drehmoment|momento|момент|モーメント|力矩"
_TORQUES = _with(
    r"torque|moment|couple|torsion|момент|モーメント|トルク|力矩|转矩|扭矩",
    r"time constant|zeitkonstante|constante de (?:tiempo|tempo|temps)|dimensionless|nondimensional",
)
_OF_INERTIA = _with(
    _INERTIAS,
    r"identity|einheitsmatrix|identité|identidad|identidade|unit matrix|jacobi",
    rf"\bcost\b|kosten|coût|costo\b|custo|{_REGULATOR}",
)
_WEIGHED = (
    r"9[.,]8|gravit|schwerkraft|fallbeschleunigung|erdbeschleunigung|pesanteur|тяжест|тяготен|重力"
)
_RUBBED = r"friction|\breib|\wreibung|frottement|rozamiento|fricción|atrito|attrito|трени|摩擦"
_DRAGGED = (
    r"\bdrag\b|air resistance|luftwiderstand|traînée|arrastre|resistencia del aire|arrasto"
    r"|resistência do ar|resistenza dell|сопротивлени|空气阻力|空気抵抗"
)
_ORBITING = (
    r"vis[- ]viva|\borbit|kepler|gravitational parameter|two[- ]body|gravitationsparameter"
    r"|paramètre gravitationnel|parámetro gravitacional|órbita|orbite\b|umlaufbahn|орбит|轨道|軌道"
)
_CELESTIAL = r"vis[- ]viva|gravitational param|two[- ]body|celestial|periaps|perihel"
"""Words of pages on orbits that may have friction besides."""
_DENSE = r"densit|densid|dichte|masse volumique|плотност|密度"
_DRIVEN = r"voltage|armature|back[ -]?emf|spannung|anker|voltaje|tension|tensão|電圧|电压|напряжени"
_COUNTED_TO = r"\\(?:sum|prod)[^$]{0,30}\^\{?n\b|dots ?,? ?n\b|\.\.\. ?,? ?n\b"
_FRAMES = (
    r"\bframe|koordinatensystem|bezugssystem|référentiel|repère|sistema de (?:referenc|coord)"
    r"|sistema di riferimento|систем\w* (?:отсч|коорд)|坐标系|座標系"
)
_HELD = r"multipli|constraint|zwang|liaison|ligadura|vínculo|связ|乘子|乗数|拘束"
_HEAVY = r"\bmass|masse|masa\b|massa|\bmasy\b|масс|質量|质量|질량"
_PUSHED = r"\bforces?\b|kraft|kräfte|fuerza|força|\bforz[ae]\b|\bсил[аыу]|力"
_GENERALIZED = (
    r"generali[sz]ed (?:\w+ )?force|(?:verallgemeinert|generalisiert)\w* kr[aä]ft"
    r"|forces? généralisée|fuerzas? generalizada|forças? generalizada|forz[ae] generalizzat"
    r"|обобщ[её]нн\w+ сил|广义力|一般化力"
)
_STEERED = r"steer|lenk|\bvolante?\b|braquage|sterz|estersamento|转向|操舵"
_ROUND = (
    r"radi[uio]|rayon|\braio|raggi|distanc|distânc|distanz|abstand|半径|半徑|距离|距離|радиус"
    r"|рассто"
)
_SIGNALS = (
    r"reference (?:signal|input|value|trajectory)|set-?point|sollwert|führungs|consigne"
    r"|referência\b|referencia\b|gas constant"
)
_WAVES = (
    r"quantum|quanten|wave ?function|wave ?number|\bflux|eigenmode|mode shape|mod[eo]s? propr"
    r"|boltzmann|gyration"
)
_LONG = r"lengths?\b|läng|longueur|longitud|comprimento|lunghezz|длин|長さ|长度"
_COSTS = r"\bcost\b|objective function|kosten|gütefunktional|\bcoût|costo\b|\bcusto|代价|評価関数"
_OTHER_Q = (
    r"quatern|charge|ladung|carga|dynamic pressure|\bheat|\bflow|caudal|vazão|débit|\btan(?:k|que)"
)
_SKEW = r"skew|antisym|schiefsymm|hat map|cross[- ]product matri|反对称|反對稱|歪対称|кососимметр"
_PERIODS = r"\bperiod|périod|período|schwingungsdauer|период|周期"
_LASTS = r"period\w*,? (?:of )?\$T\$|\\int_\{?(?:0|t_0|t_i)\}?\s*\^\s*\{?\s*T\b|\[0 ?, ?T\]"
_ECCENTRIC = r"eccentricit|excentricit|excentricid|exzentrizit|эксцентриситет|離心率|离心率"
_CANONICAL = (
    r"hamiltoni|canonical moment|conjugate moment|kanonisch\w* impuls|moments? conjugué"
    r"|momentos? (?:canónico|conjugado)|гамильтон|哈密顿|ハミルト"
)
_KINETIC = r"kinetic|kinetisch|cinéti|cinetic|кинет|动能|運動エネルギー"
_ERRORS = r"\berrors?\b|fehler|regelabweichung|\berreur|\berro\b|\berrore|ошибк|误差|偏差"
_ANGLES = r"\\(?:theta|phi|varphi|psi|alpha|beta|gamma)"


def _bold(letter: str, often: str = "?") -> str:
    """Return the pattern of a letter that is bold, or has an arrow or a hat; so often at least."""
    style = r"\\(?:hat|vec|overrightarrow|mathbf|boldsymbol|bm|underline)\{"
    return rf"(?:{style}){often}{letter}\}}{{0,2}}"


@dataclass(frozen=True)
class _Named:
    """A kind of symbols, what they are called, and of what the page must speak."""

    pattern: re.Pattern[str]
    words: str
    only: re.Pattern[str] | None = None

    def is_of(self, key: str, prose: str) -> bool:
        """Return whether a symbol is one of the kind, on a page with that text."""
        is_so = self.pattern.fullmatch(key) is not None
        return is_so and (self.only is None or _speaks(self.only, prose))


@lru_cache  # of one page for each of its symbols
def _speaks(only: re.Pattern[str], prose: str) -> bool:
    return only.search(prose) is not None


def _named(pattern: str, words: str, only: str = "") -> _Named:
    return _Named(re.compile(pattern), words, re.compile(only, re.IGNORECASE) if only else None)


_ALWAYS = (
    _named(r"\\pi", "the number pi", _without(r"\\pi\s*\([^()$]*,")),
    _named(r"\\mathrm\{KE\}(?:_.+)?", "kinetic energy"),
    _named(r"\\mathrm\{[GES]?PE\}(?:_.+)?", "potential energy"),
    _named(r"\\(?:var)?epsilon_\{ijk\}", "Levi-Civita symbol"),
    _named(r"\\delta_\{[ij][jk]\}", "Kronecker delta"),
    _named(r"\\mathbb\{[NZQRC](?:\^.+)?\}(?:[_^].+)?", "set of numbers"),
    _named(r"(?:\\\w+\{)?I\}?_\{\w ?\\times ?\w\}", "identity matrix"),
    _named(r"\\math(?:bf|bb|bbm|rm)\{1\}(?:_.+)?", "identity matrix"),
    _named(_bold("e", "+") + r"_\{?(?:[xyzrtnb]|\\[a-z]+)\}?", "unit vector"),
    _named(r"\\hat\{\\?[ij](?:math)?\}", "unit vector"),
    _named(
        rf"(?:{_FONT}\{{\\hat\{{|\\hat\{{{_FONT}\{{)\\?[ijk](?:math)?\}}\}}(?:_.+)?", "unit vector"
    ),
    _named(
        rf"(?:{_FONT}\{{\\hat\{{|\\hat\{{{_FONT}\{{)\\?\w+\}}\}}(?:_.+)?",
        "unit vector",
        _without(r"estimat|observer|kalman|filter|e\^\{? ?i"),
    ),
    _named(
        r"\\hat\{[abdgnNA-G]\}_\{?[xyz123]\}?",
        "unit vector",
        _without("estimat|observer|kalman|filter"),
    ),
    _named(r"[iIJ]_\{(?:xx|yy|zz)\}", "moment of inertia", _INERTIAS),
)
"""What is called so in all of mechanics."""
_FIRST = (
    _named(
        r"\\(?:wide)?(?:hat|tilde)\{.*(?:[Oo]mega|eta|[rvp])\}+(?:_.+)?",
        "skew-symmetric matrix",
        _SKEW,
    ),
    _named(r"\\math(?:bf|bb)\{I\}(?:_\{?[\dmn]\}?)?", "identity matrix"),
    _named(r"(?:\\[Dd]elta ?|d)\{?t\}?", "time step"),
    _named(r"T_\{?s\}?", "time step", _SAMPLED),
    _named(r"[CD]_\{?[xyz\d]\}?", "constant of integration", _INTEGRATED),
    _named(r"L", "Lagrangian", r"\\partial\s*\{?\s*L\b"),
    _named(r"M_\{?(?:[xyzXYZABCOPQ]|\w+, ?[xyzXYZ])\}?", "moment", _POINTS),
    _named(r"J(?:\(.*\))?", "cost", _with(_COSTS, _INERTIAS)),
    _named(r"T", "final time or period", _with(_LASTS, _KINETIC)),
    _named(r"T_.+", "period", _with(_PERIODS, _KINETIC, r"tension|torque|\bcouple")),
    _named(r"e", "eccentricity", _ECCENTRIC),
    _named(_bold("q"), "quaternion", r"quatern"),
    _named(r"e(?:\(t\))?", "error", _with(f"(?:{_CONTROL})[\\s\\S]*(?:{_ERRORS})", r"\be\^")),
    _named(rf"[cCbhnV]\(.*(?:{_ANGLES}|q).*dot.*\)", "Coriolis and centrifugal terms"),
    _named(r"j", "imaginary unit", r"e\^\{?-?j ?\\omega|j ?\\omega ?t"),
    _named(r"L\(.*dot.*\)|\\math(?:cal|scr)\{L\}(?:\(.*\))?", "Lagrangian"),
    _named(r"[kK]_\{?(?:\\\w+\{)?[pPdDiI]\}{0,2}(?:\^.+)?", "gain", _CONTROL),
    _named(_bold("M", "+") + r"(?:\(.*\))?", "mass matrix", r"M\}{1,2}\s*(?:\([^()]*\)\s*)?\\ddot"),
    _named(r"M\([^()]*q[^()]*\)", "mass matrix"),
    _named(r"[QR]", "weight of the cost", _REGULATOR),
    _named(r"K", "gain matrix", _REGULATOR),
    _named(r"P", "solution of the Riccati equation", _REGULATOR),
    _named(r"k_\{?n?[1-4i]\}?|[lm]_\{?n[1-4]\}?", "slope of a Runge-Kutta step", _STEPPED),
    _named(_bold("u") + r"(?:_\{?[kKnt\d](?:[+-]1)?\}?)?(?:\(t\))?", "control input", _CONTROLLED),
    _named(_bold("[uv]", "+") + "(?:[_^].+)?", "eigenvector", _EIGEN),
    _named(r"A(?:_\{?(?:cl|aug|ext|lin|[dck])\}?)?", "system matrix", _STATES),
    _named(r"B", "input matrix", _STATES),
    _named(r"[UV]_\{?(?:\\\w+\{)?eff\w*\}{0,2}", "effective potential"),
    _named(r"h", "time step", _STEPS),
    _named(r"J_\{?(?:v|w|\\omega)\w*\}?", "Jacobian", "jacobi"),
    _named(r"R(?:_.+)?\^.+|R(?:_\{?[A-Z]\w*\}?)?", "rotation matrix", _TURNED),
    _named(_bold("[ACRT]", "+") + r"_\{?\\mathcal.+\^.+", "rotation matrix"),
    _named(_ARROW + r"\{M\}.*|" + _bold("M", "+") + r"_\{?[\dijkxyz]\}?", "moment", _POINTS),
    _named(r"Q_\{?\\?\w+\}?", "generalized force"),
    _named(r"L_\{?[xyzij]\}?", "angular momentum"),
    _named(r"[cC]_\{?[dD]\}?", "drag coefficient"),
    _named(r"H|\\math(?:cal|scr)\{H\}", "Hamiltonian", "hamilton"),
    _named(_bold("p") + r"_\{?[\dijkn\\]\w*\}?", "momentum", _MOMENTA),
    _named(r"R_\{?(?:[a-z0]{2}|\d[a-z]|[a-z]\d)\}?", "rotation matrix", _ROTATIONS),
    _named(r"R_\{?[xyzXYZ]\}?\(.+\)|R_\{[A-Z]{2}\}", "rotation matrix"),
    _named(r"V_\{?[xyz]\}?", "velocity"),
    _named(_ARROW + r"\{R\}.*", "reaction force", "réaction|reacci|reazion|reação|reaction"),
    _named(_ARROW + r"\{P\}.*", "weight", "poids|peso|weight|gewicht"),
    _named(_ARROW + r"\{T\}.*", "tension", "tension|tensión|tração|tensão|seilkraft|fadenkraft"),
    _named(_ARROW + r"\{L\}.*", "angular momentum"),
    _named(_bold("p", "+") + "_.*/.*", "position"),
    _named(r"\\mu", "gravitational parameter", rf"{_CELESTIAL}|{_with(_ORBITING, _RUBBED)}"),
    _named(r"\\tau", "variable of integration", r"\\int[^$]*d ?\\tau"),
    _named(r"\\tau", "time constant", r"e\^\{?-?(?:\\frac\{-?t\}\{|t/)\\tau"),
    _named(r"\\lambda(?:_.+)?", "eigenvalue", _EIGEN),
    _named(r"\\lambda(?:_.+)?", "Lagrange multiplier", _HELD),
)
"""What counts before what a letter is for in mechanics."""
_LAST = (
    _named(r"G", "gravitational constant", "gravit"),
    _named(r"[nN]", "number"),
    _named(r"f", "frequency", _FREQUENT),
    _named(r"f", "function"),
    _named(r"A", "amplitude", r"amplitud|колебани|振幅"),
    _named(r"W", "work", r"\bwork\b|travail|trabajo|trabalho|lavoro|arbeit|работ"),
    _named(r"[kK](?:_.+)?", "stiffness", _SPRINGS),
    _named(r"[bc](?:_.+)?", "damping coefficient", _DAMPED),
    _named(r"[CD](?:_.+)?", "damping coefficient", r"damp|dämpf|amort|smorz|демпф|減衰|阻尼"),
    _named(r"A", "area", r"\barea\b|fläche|superfici|\bárea|площад|面积|面積"),
    _named(r"C", "capacitance", r"capacit|kondensator|condensador|конденсатор|电容"),
    _named(r"e", "Euler's number", r"\be\^"),
    _named(_bold("[uen]", "+") + r"_\{?(?:[xyzrtnb]|\\[a-z]+)\}?", "unit vector"),
    _named(r"p(?:_[^()]+)?", "momentum", _with(_CANONICAL, _WAVES)),
    _named(r"H|\\math(?:cal|scr)\{H\}", "Hamiltonian", _CANONICAL),
    _named(r"O(?:_\{?\w\}?)?", "point", _without(r"\bO ?(?:\\left ?)?\(")),
)
"""What counts where the letter is for nothing else."""
_COUNTED = r"_\{?(?:\d|[ijkn](?:[+-]1)?)\}?"
_USUALLY = (
    _named(r"t", "time"),
    _named(rf"m(?:{_COUNTED}|_\{{?(?:\\\w+\{{)?(?:[a-np-vA-Z]|[A-Za-z]{{2,}})\}}*)", "mass"),
    _named(r"(?:l|\\ell)(?:_.+)?", "length"),
    _named(r"\\theta(?:_(?!\{?t{1,2}\}?$).+)?", "angle"),
    _named(_bold("q") + _COUNTED, "generalized coordinate", _without("quatern")),
    _named(_bold("q") + "_.+", "generalized coordinate", _without(_OTHER_Q)),
    _named(r"\\omega(?:_.+)?", "angular velocity or frequency"),
    _named(_bold(r"\\omega", "+") + "(?:_.+)?", "angular velocity or frequency"),
    _named(_bold("r", "+") + "(?:_.+)?", "position"),
    _named(_bold("F", "+") + "(?:_.+)?|F_.+", "force"),
    _named(r"t_.+", "time"),
    _named(r"a_\{?[xyz]\}?", "acceleration"),
    _named(r"I_\{?(?![km])\w\}?", "moment of inertia"),
    _named(r"[iIJ]_\{[\w, \\]*(?:xx|yy|zz|xy|xz|yz)\}", "moment of inertia"),
    _named(
        r"I_\{(?:\\\w+\{)?(?:cm|CM|com|CoM|cg|CG|tot|eff|eq|rod|disk|wheel|ball)\w*\}*",
        "moment of inertia",
    ),
    _named(r"G", "gravitational constant", _without(r"\bG ?\(|transfer|übertrag")),
    _named(r"[kK]_\{?(?:\\\w+\{)?[pPdDiI]\}{0,2}(?:\^.+)?", "gain"),
    _named(r"\\lambda(?:_.+)?", "eigenvalue"),
    _named(r"\\lambda_.+", "Lagrange multiplier"),
    _named(r"u(?:\(t\))?", "control input"),
    _named(r"k_.+|[lm]_\{?n.+", "slope of a Runge-Kutta step"),
    _named(r"\\hat\{n\}(?:_.+)?", "unit vector"),
    _named(r"\\math(?:cal|scr)\{[A-Z]\}", "frame", _FRAMES),
    _named(r"n", "number", _COUNTED_TO),
    _named(
        r"(?:\\(?:vec|overrightarrow)\{)?g\}?(?:_\{?0\}?)?", "acceleration of gravity", _WEIGHED
    ),
    _named(r"R_\{[A-Z]{2}\}", "rotation matrix", _ROTATIONS),
    _named(_ARROW + r"\{v\}.*|" + _bold("v", "+") + "(?:_.+)?", "velocity"),
    _named(r"v_.+", "velocity", _without(_DRIVEN, _EIGEN)),
    _named(_bold("p", "+") + "_.*/.*", "position"),
    _named(_bold("p", "+") + "_.+", "position", _without(_MOMENTA)),
    _named(rf"(?:{_ARROW}|{_FONT})\{{a\}}_(?!\{{?\d).+", "acceleration"),
    _named(_bold("g", "+") + r"(?:_\{?[A-Z0]\}?)?", "acceleration of gravity", _WEIGHED),
    _named(r"\\(?:wide)?(?:hat|tilde)\{.*[Oo]mega\}+(?:_.+)?", "skew-symmetric matrix", _SKEW),
    _named(r"O(?:_\{?\w\}?)?", "point", _without(r"\bO ?(?:\\left ?)?\(")),
    _named(_bold("[uen]", "+") + r"_\{?(?:[xyzrtnb]|\\[a-z]+)\}?", "unit vector"),
    _named(r"e", "eccentricity", _ECCENTRIC),
    _named(r"p(?:_[^()]+)?", "momentum", _with(_CANONICAL, _WAVES)),
    _named(r"H|\\math(?:cal|scr)\{H\}", "Hamiltonian", _CANONICAL),
    _named(r"J(?:\(.*\))?", "cost", _with(_COSTS, _INERTIAS)),
    _named(r"T", "final time or period", _with(_LASTS, _KINETIC)),
    _named(r"[QR]", "weight of the cost", _REGULATOR),
    _named(r"P", "solution of the Riccati equation", "riccati"),
    _named(r"M_\{?(?:\w+, ?)?[xyzXYZ]\}?", "moment", _POINTS),
    _named(r"L_\{?\d\}?", "length", _with(_LONG, _DRIVEN, "angular momentum")),
    _named(rf"[MDH]\(.*(?:{_ANGLES}|q).*\)", "mass matrix"),
    _named(rf"[cChnV]\(.*(?:{_ANGLES}|q).*dot.*\)", "Coriolis and centrifugal terms"),
    _named(rf"[Gg]\(.*(?:{_ANGLES}|q).*\)", "gravity terms", r"\\ddot"),
    _named(
        r"m", "mass", _with(_HEAVY, "elliptic", r"\\times\s*m\b", r"\^\{?m\b", r"\\math\w+\{R\}\^")
    ),
    _named(rf"M{_COUNTED}", "mass", _with(_HEAVY, _POINTS)),
    _named(r"k(?:_.+)?|K", "stiffness", _with(_SPRINGS, _CONTROL, _DRIVEN, _WAVES)),
    _named(
        r"[xyz](?:_(?!\{?n\b).+)?(?:\^.+)?",
        "coordinate",
        _without(_STATES, _CONTROL, r"\bstate\b", r"\\chi\^|uncertaint"),
    ),
    _named(r"\\(?:(?:var)?phi|psi)(?:_.+)?", "angle", _without(_WAVES, _EIGEN, "boundary layer")),
    _named(r"\\delta(?:_\{?(?:\\\w+\{)?\w\}*)?", "angle", _STEERED),
    _named(r"\\alpha(?:_.+)?", "angle", r"slip angle|schräglauf|deriva\b|dérive|側偏|侧偏"),
    _named(r"Q_.+", "generalized force", _GENERALIZED),
    _named(r"\\math(?:cal|scr)\{L\}(?:\(.+\))?", "Lagrangian", "lagrang|лагранж|拉格朗日"),
    _named(r"F(?:\((?!s\)).+\))?", "force", _with(_PUSHED, _STATES)),
    _named(r"r", "length", _with(_ROUND, _SIGNALS)),
    _named(r"R", "length", _with(_ROUND, _SIGNALS, _DRIVEN, _TURNED, _REGULATOR)),
    _named(r"[rR]_\{?w\w*\}?", "length", r"wheel|rueda|roue|\broda|\brad\b|ruota|колес|车轮"),
    _named(
        _bold("[IJ]", "+") + r"_(?!\{?[tk]\b).+", "moment of inertia", _with(_INERTIAS, "jacobi")
    ),
    _named(_ARROW + r"\{a\}(?!_\{?\d).*", "acceleration"),
    _named(_bold(r"\\tau") + "_.+", "moment", _TORQUES),
    _named(_bold(r"\\tau") + "_.+", "moment or force", _TORQUES),
    _named(
        r"\\mu(?:_\{?(?:\\\w+\{)?[skdc]\}*)?", "coefficient of friction", _with(_RUBBED, _ORBITING)
    ),
    _named(r"J|[IJ]_\{?(?!(?:sp|m0?|a)\b)[\w,+ \\]+\}?", "moment of inertia", _OF_INERTIA),
    _named(r"[cC]_\{?[dD]\}?", "drag coefficient", _DRAGGED),
    _named(r"\\mu", "gravitational parameter", rf"{_CELESTIAL}|{_with(_ORBITING, _RUBBED)}"),
    _named(r"\\rho(?:_.+)?", "density", _DENSE),
    _named(r"[kK]_\{?[te]\}?", "constant of the motor", _DRIVEN),
    _named(r"R_\{?[am]\}?", "resistance", _DRIVEN),
    _named(r"L_\{?[am]\}?", "inductance", _DRIVEN),
    _named(r"i(?:_\{?[am]\}?)?|I_\{?a\}?", "current", _DRIVEN),
    _named(r"V|[VU]_.+", "voltage", _DRIVEN),
)
"""What is called so on nearly all pages, where these say nothing else of it."""


def named_always(key: str, prose: str) -> str | None:
    r"""Return what a symbol is called that is always for the same.

    Examples
    --------
    >>> named_always(r"\pi", ""), named_always(r"\mathbf{e}_r", ""), named_always("e_r", "")
    ('the number pi', 'unit vector', None)
    """
    return _of(_ALWAYS, key, prose)


def named_first(key: str, prose: str) -> str | None:
    r"""Return what a symbol is called whatever its letter is for else.

    Examples
    --------
    >>> named_first(r"\Delta t", ""), named_first("Q", ""), named_first("Q", "an LQR controller")
    ('time step', None, 'weight of the cost')
    """
    return _of(_FIRST, key, prose)


def named_last(key: str, prose: str) -> str | None:
    """Return what a symbol is called whose letter is for nothing else.

    Examples
    --------
    >>> named_last("n", "")
    'number'
    """
    return _of(_LAST, key, prose)


def is_usual(key: str, words: str, prose: str = "") -> bool:
    r"""Return whether a symbol is nearly always what its letter is for.

    On 300 pages two of a hundred were something else, and these said so.

    Examples
    --------
    >>> is_usual("m_1", "mass"), is_usual("m_z", "mass"), is_usual(r"\theta_0", "initial value")
    (True, False, False)
    """
    return any(one.words == words and one.is_of(key, prose) for one in _USUALLY)


def _of(table: tuple[_Named, ...], key: str, prose: str) -> str | None:
    return next((one.words for one in table if one.is_of(key, prose)), None)
