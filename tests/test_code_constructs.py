"""What simulators of strangers are written in, one case for each construct."""

import pytest

import freebody

RHS = "(T - m*g*d*sin(theta))/(I + m*d^2)"
PYTHON = RHS.replace("^", "**")
C = RHS.replace("d^2", "d*d")
DAMPED = """
title = "A damped pendulum"
gravity = [0, "-g", 0]
[coordinates]
theta = { title = "angle from the downward vertical", unit = "rad" }
[constants]
m = { title = "mass", unit = "kg", value = 1 }
l = { title = "length", unit = "m", value = 1 }
b = { title = "damping", unit = "N*m*s/rad", value = 0.1 }
g = { title = "gravity", unit = "m/s**2", value = 9.81 }
[[bodies]]
name = "bob"
mass = "m"
center_of_mass = [0, "-l", 0]
[[joints]]
name = "pivot"
type = "pin"
parent = "ground"
child = "bob"
angle = "theta"
[[dampers]]
joint = "pivot"
damping = "b"
"""


def checked(tmp_path, name, text, against="pendulum"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return freebody.check(path, against=against).documents[0]


def statuses(report):
    return [one.status for one in report.equations]


CONSTRUCTS = {
    "a function within a function": ("a.py", f"""
from math import sin
def simulate(m, d, I, g, T):
    def rates(t, y):
        theta, w = y
        return [w, {PYTHON}]
    return rates
"""),
    "a function without a name": ("a.m", f"""
m = 1; d = 1; I = 1; g = 9.81;
rates = @(t, y, T) [y(2); {RHS.replace("theta", "y(1)")}];
"""),
    "a Runge-Kutta step": ("a.py", f"""
from math import sin
def acc(theta, w, m, d, I, g, T):
    return {PYTHON}
def step(theta, w, h, m, d, I, g, T):
    k1, l1 = h*w, h*acc(theta, w, m, d, I, g, T)
    k2, l2 = h*(w + l1/2), h*acc(theta + k1/2, w + l1/2, m, d, I, g, T)
    theta = theta + (k1 + k2)/2
    w += (l1 + 2*l2)/3
    return theta, w
"""),
    "a number before a sign and a bracket": ("a.jl", """
kinetic(theta_dot, m, d, I) = 1/2*(I + m*d^2)*(theta_dot)^2
"""),
    "a sign before brackets and a power": ("a.jl", """
potential(theta, m, d, g) = -(1)^2*(m*g*d)*(cos(theta))
"""),
    "a number with a sign behind another": ("a.c", f"""
double acc(double theta, double m, double d, double I, double g, double T) {{
    return -1.0*({C.replace("T - m*g", "T*-1.0 + m*g")});
}}
"""),
    "several values that are bound at once": ("a.cpp", f"""
auto rates(double theta, double w, double m, double d, double I, double g, double T) {{
    double theta_dd = {C};
    return std::make_pair(w, theta_dd);
}}
void step(double theta, double w, double dt, double m, double d, double I, double g, double T) {{
    auto [v, a] = rates(theta, w, m, d, I, g, T);
    w += a*dt;
}}
"""),
    "parameters at the end of the state": ("a.m", f"""
function dx = rates(t, x, T)
m = x(3); d = x(4); I = x(5); g = x(6);
theta = x(1);
dx = zeros(6, 1);
dx(1) = x(2);
dx(2) = {RHS};
end
"""),
    "functions of one name for other arguments": ("a.jl", f"""
rates(p, x) = rates(p, x, 0)
function rates(p, x, T)
    m, d, I, g = p
    theta, w = x
    return [w, {RHS}]
end
"""),
    "a matrix over several lines": ("a.m", f"""
function dx = rates(t, x, m, d, I, g, T)
theta = x(1);
dx = [
    x(2);...

    {RHS.replace(" - ", " ... % less" + chr(10) + "        - ")};...
];
end
"""),
}  # fmt: skip


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", CONSTRUCTS)
def test_a_construct_is_followed(tmp_path, name):
    file, text = CONSTRUCTS[name]
    right = checked(tmp_path, file, text)
    assert set(statuses(right)) == {"holds"}
    wrong = text.replace("I + m", "I - m", 1)
    wrong = text.replace("(m*g*d)", "(m*d)", 1) if wrong == text else wrong
    assert "differs" in statuses(checked(tmp_path, f"wrong{file}", wrong))


def test_a_vector_beside_a_column_is_one(tmp_path):
    text = """
function dx = rates(t, x, M1, M12)
m1 = 1; m2 = 1; l1 = 1; l2 = 0.5; g = 9.81;
D = x(1) - x(2);
M = [m1*l1^2/3 + m2*l1^2, m2*l1*l2*cos(D)/2; m2*l1*l2*cos(D)/2, m2*l2^2/3];
C = [0, m2*l1*l2*sin(D)*x(4)/2; -m2*l1*l2*sin(D)*x(3)/2, 0];
G = [(m1/2 + m2)*g*l1*sin(x(1)); m2*g*l2/2*sin(x(2))];
dx = [x(3:4); M \\ ([M1 - M12; M12] - C*x(3:4) - G)];
end
"""
    report = checked(tmp_path, "a.m", text, "double_pendulum")
    assert set(statuses(report)) == {"holds"}
    assert len(report.equations) == 4 + 2 + 2 + 4


def test_equations_that_are_sums_of_those_of_the_model_hold(tmp_path):
    text = """
from math import cos, sin
def balance(theta1, theta2, theta1_dot, theta2_dot, m1, m2, l1, l2, g):
    c, s = m2*l1*l2*cos(theta1 - theta2)/2, m2*l1*l2*sin(theta1 - theta2)/2
    M = [[m1*l1**2/3 + m2*l1**2 + c, m2*l2**2/3 + c], [c, m2*l2**2/3]]
    lower = -m2*g*l2/2*sin(theta2)
    G = [lower - (m1/2 + m2)*g*l1*sin(theta1), lower]
    return M, G
"""
    report = checked(tmp_path, "a.py", text, "double_pendulum")
    assert set(statuses(report)) == {"holds"}
    assert any("is the sum (1) + (2)" in told for one in report.equations for told in one.readings)
    wrong = checked(
        tmp_path, "b.py", text.replace("lower - (m1/2", "lower - (m1/3"), "double_pendulum"
    )
    assert statuses(wrong).count("differs") == 1


@pytest.mark.parametrize(
    ("comment", "sign", "holds"),
    [
        ("angle from the upward vertical", "", True),
        ("angle, zero when upright", "-", False),
        ("angle from the downward vertical", "-", True),
        ("angle, hanging down at zero", "", False),
    ],
)
def test_comments_say_from_where_angles_are_measured(tmp_path, comment, sign, holds):
    text = f"from math import sin\ndef f(y, m, d, I, g):\n    theta, w = y  # {comment}\n"
    text += f"    return [w, {sign}m*g*d*sin(theta)/(I + m*d**2)]\n"
    report = checked(tmp_path, "a.py", text)
    assert (statuses(report)[1] == "holds") == holds


def test_a_damping_that_the_code_lacks_is_told_and_one_that_it_drops_differs(tmp_path):
    model = tmp_path / "damped.toml"
    model.write_text(DAMPED, encoding="utf-8")
    text = "from math import sin\ndef f(y, m, l, g):\n    theta, w = y\n"
    text += "    return [w, -g/l*sin(theta)]\n"
    report = checked(tmp_path, "a.py", text, model)
    assert set(statuses(report)) == {"holds"}
    assert "f: b is not in the code: taken as zero" in report.remarks
    dropped = checked(tmp_path, "b.py", text.replace("m, l, g", "m, l, g, b"), model)
    assert statuses(dropped)[1] != "holds"


def test_letters_that_only_look_like_energies_are_left_aside(tmp_path):
    text = "from math import cos\ndef f(theta, m, d):\n    t2 = cos(theta)\n    ep = m*d**2\n"
    text += "    return t2, ep\n"
    assert not checked(tmp_path, "a.py", text).equations


def test_functions_that_call_themselves_leave_the_rest_to_be_judged(tmp_path):
    text = CONSTRUCTS["functions of one name for other arguments"][1] + "\nf(x) = f(x - 1)\n"
    assert set(statuses(checked(tmp_path, "a.jl", text))) == {"holds"}


EIGEN = """
#include <Eigen/Dense>
struct Params { double m1, m2, l1, l2, g; };
class Pendulum {
  Params p;
  Eigen::Vector2d unused;
public:
  Eigen::Vector4d rates(const Eigen::Vector4d& x) {
    const double c = std::cos(x(0) - x(1)), s = std::sin(x(0) - x(1));
    Eigen::Matrix2d M; Eigen::VectorXd f(2), bias = Eigen::VectorXd::Zero(2);
    M << (p.m1/3 + p.m2)*p.l1*p.l1, p.m2*p.l1*p.l2*c/2,
         p.m2*p.l1*p.l2*c/2, p.m2*p.l2*p.l2/3;
    f << -p.m2*p.l1*p.l2*x(3)*x(3)*s/2 - (p.m1/2 + p.m2)*p.g*p.l1*std::sin(x(0)),
         p.m2*p.l1*p.l2*x(2)*x(2)*s/2 - p.m2*p.g*p.l2*std::sin(x(1))/2;
    std::cout << "at " << c << s;
    Eigen::Vector4d dx;
    dx << x(2), x(3), M.ldlt().solve(f - bias);
    return dx;
  }
};
"""


@pytest.mark.exhaustive
def test_matrices_of_cpp_are_filled_row_by_row(tmp_path):
    path = tmp_path / "rates.cpp"

    def judged(text):
        path.write_text(text)
        return freebody.check(path, against="double_pendulum").documents[0].equations

    assert [one.status for one in judged(EIGEN)] == ["holds"] * 10
    wrong = [
        one
        for one in judged(EIGEN.replace("x(2)*x(2)*s/2", "x(2)*x(3)*s/2"))
        if one.status == "differs"
    ]
    assert wrong[0].line == 14
    assert any("x(2)*x(2)" in one.latex for one in wrong[0].repairs)
    unknown = judged(EIGEN.replace("VectorXd f(2), bias", "MatrixXd f(p.n, p.k), bias"))
    assert {one.status for one in unknown} == {"holds", "not checked"}


PARTS = """
#include <Eigen/Dense>
using Vec = Eigen::Matrix<double, 2, 1>;
typedef Eigen::Matrix<double, 2, 2> Mat;
class Pendulum {
public:
  Mat mass(const Vec& q) const {
    Mat M = Mat::Zero();
    const double c = std::cos(q.x() - q.y());
    M.row(0) << (m1_/3 + m2_)*l1_*l1_, m2_*l1_*l2_*c/2;
    M.block<1, 2>(1, 0) << m2_*l1_*l2_*c/2, m2_*l2_*l2_/3;
    return M;
  }
  Vec coriolis(const Vec& q, const Vec& qd) const {
    const double h = m2_*l1_*l2_*std::sin(q(0) - q(1))/2;
    Mat C = (Mat() << 0, h*qd(1), -h*qd(0), 0).finished();
    return C * qd;
  }
  Vec gravity(const Vec& q) const {
    Vec G; G.setZero();
    int n = q.size() - 1;
    while (n >= 0) {
      G(n) = (n == 0 ? (m1_/2 + m2_)*l1_ : m2_*l2_/2) * g_ * std::sin(q(n));
      --n;
    }
    return G;
  }
  Eigen::VectorXd rates(const Eigen::VectorXd& x) const {
    Vec q = x.head<2>(), qd = x.tail<2>();
    Eigen::VectorXd dx(4);
    dx.head(2) = qd;
    dx.segment(2, 2) = mass(q).inverse() * (-coriolis(q, qd) - gravity(q));
    return dx;
  }
  double kineticEnergy(const Vec& q, const Vec& qd) const { return 0.5*qd.dot(mass(q)*qd); }
private:
  double m1_ = 1, m2_ = 1, l1_ = 1, l2_ = 1, g_ = 9.81;
};
"""


@pytest.mark.exhaustive
def test_parts_of_matrices_of_cpp_are_taken_and_filled(tmp_path):
    path = tmp_path / "parts.cpp"

    def judged(text):
        path.write_text(text)
        return freebody.check(path, against="double_pendulum").documents[0].equations

    right = judged(PARTS)
    assert len(right) == 15
    assert {one.status for one in right} == {"holds"}
    assert "differs" in {
        one.status for one in judged(PARTS.replace("C * qd", "C.transpose() * qd"))
    }
    assert "differs" in {one.status for one in judged(PARTS.replace("n == 0", "n == 1"))}


CLASS = """
classdef Pendulum
    properties
        m; d; I;
        g = 9.81;
    end
    methods
        function obj = Pendulum(config)
            if nargin < 1
                obj = obj.usual();
            else
                obj.m = config.m; obj.d = config.d; obj.I = config.I;
            end
        end
        function obj = usual(obj)
            obj.m = 1; obj.d = 2; obj.I = 3;
        end
        function qdd = accelerations(obj, theta, w, T)
            qdd = (T - obj.m*obj.g*obj.d*sin(theta))/(obj.I + obj.m*Pendulum.square(obj.d));
        end
    end
    methods (Static)
        function y = square(x)
            y = x^2;
        end
    end
end"""


def test_classes_of_matlab_are_followed(tmp_path):
    right = checked(tmp_path, "Pendulum.m", CLASS)
    assert statuses(right) == ["holds"]
    (wrong,) = checked(tmp_path, "Pendulum.m", CLASS.replace("obj.d*sin", "obj.I*sin")).equations
    assert wrong.status == "differs"
    assert "obj.d*sin" in wrong.repairs[0].latex


UNDECIDED = {
    "a.py": f"""
import numpy as np
from math import sin
class P:
    def __init__(self, m, d, I, g, flag):
        self.m, self.d, self.g = m, d, g
        if flag:
            self.J = I + 2*m*d**2
        else:
            self.J = I + m*d**2
    def rates(self, t, y, T):
        theta, w = y
        return [w, (T - self.m*self.g*self.d*sin(theta))/self.J]
def rates(t, y, m, d, I, g, T, flag):
    theta, w = y
    dx = np.zeros(2)
    dx[0] = w
    if flag:
        dx[1] = 2*{PYTHON}
    else:
        dx[1] = {PYTHON}
    return dx
""",
    "a.m": f"""
function dx = rates(t, y, m, d, I, g, T, flag)
    theta = y(1); dx = zeros(2, 1);
    if flag
        dx(2) = 2*{RHS};
    else
        dx(2) = {RHS};
    end
    dx(1) = y(2);
end
""",
}


@pytest.mark.parametrize("name", UNDECIDED)
def test_what_two_branches_leave_in_an_array_or_an_object_is_not_taken_for_one(tmp_path, name):
    found = statuses(checked(tmp_path, name, UNDECIDED[name]))
    assert sorted(set(found)) == ["holds", "not checked"]
    alike = UNDECIDED[name].replace(" + 2*m", " + m").replace("2*(T", "(T")
    assert set(statuses(checked(tmp_path, name, alike))) == {"holds"}


LAWS = {
    "gains from outside": (
        "a.py",
        f"""
from math import sin
def rates(t, y, m, d, I, g, kp, kd, goal):
    theta, w = y
    T = kp*(goal - theta) - kd*w
    return [w, {PYTHON}]
""",
    ),
    "a law for a vector of torques": (
        "a.m",
        f"""
function dx = rates(t, x)
    m = 1; d = 2; I = 3; g = 9.81; K = [10 2];
    theta = x(1);
    tau = -K*x;
    dx = [x(2); {RHS.replace("T", "tau")}];
end
""",
    ),
    "a law in a function of its own": (
        "a.jl",
        f"""
control(x, t) = 3*sin(2*t) - x[2]
function rates!(dx, x, p, t)
    m, d, I, g = p
    theta = x[1]
    u = control(x, t)
    dx[1] = x[2]
    dx[2] = {RHS.replace("T", "u")}
end
""",
    ),
}


@pytest.mark.parametrize("case", LAWS)
def test_a_control_law_stands_for_the_input(tmp_path, case):
    name, text = LAWS[case]
    right = checked(tmp_path, name, text)
    assert set(statuses(right)) == {"holds"}
    assert any("stands for an input" in one for one in right.remarks)
    wrong = checked(tmp_path, name, text.replace("- m*g", "+ m*g")).equations
    assert [one.status for one in wrong].count("differs") == 1
    repaired = next(one for one in wrong if one.status == "differs").repairs[0].latex
    assert "- m*g" in repaired


def test_what_the_rate_of_an_entry_is_says_more_than_its_name(tmp_path):
    text = "from math import sin\ndef f(t, S, m, d, I, g, T):\n    th, y = S\n"
    text += f"    return [y, {PYTHON}]\n"
    assert statuses(checked(tmp_path, "a.py", text.replace("theta", "th"))) == ["holds", "holds"]


def test_a_function_of_time_from_outside_may_be_any_load(tmp_path):
    text = "g = 9.81; l = 1; m = 1\nfunction f!(du, u, p, t)\n    du[1] = u[2]\n"
    text += "    du[2] = -g/l*sin(u[1]) + p(t)/(m*l^2)\nend\n"
    model = tmp_path / "driven.toml"
    model.write_text(DAMPED, encoding="utf-8")
    assert statuses(checked(tmp_path, "a.jl", text, model)) == ["holds", "not checked"]


def test_functions_without_types_and_returns_outside_of_functions_are_followed(tmp_path):
    text = "double theta, omega, t, dt, m, d, I, g, T;\ninit()\n{\n    theta = 0.2; omega = 0;\n"
    text += "    m = 1; d = 2; I = 3; g = 9.81; dt = 0.1;\n    return;\n}\ncalc()\n{\n"
    text += f"    while (t < 9) {{\n        omega += {C}*dt;\n        theta += omega*dt;\n    }}\n"
    text += "    return 0;\n}\n"
    right = checked(tmp_path, "a.c", text)
    assert not right.faults
    assert statuses(right) == ["holds", "holds"]
    assert "differs" in statuses(checked(tmp_path, "b.c", text.replace("T - m", "T + m")))
    script = f"w_dot = {RHS};\nif done\n    return\nend\nreturn\n"
    assert not any("failed here" in one for one in checked(tmp_path, "a.m", script).faults)


def test_globals_of_matlab_are_read_by_their_names(tmp_path):
    text = "function dx = rates(t, x)\nglobal m d I g T\ntheta = x(1);\n"
    text += f"dx = [x(2); {RHS}];\nend\n"
    assert statuses(checked(tmp_path, "a.m", text)) == ["holds", "holds"]
    assert "differs" in statuses(checked(tmp_path, "b.m", text.replace("- m", "+ m")))
