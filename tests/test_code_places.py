"""Positions, Jacobians, energies and linear models that are known by what they are called."""

import pytest

import freebody

PYTHON = '''
import numpy as np
def forward_kinematics(q, l1, l2):
    """Elbow and hand."""
    x1 = l1*np.sin(q[0])
    y1 = -l1*np.cos(q[0])
    return x1, y1, x1 + l2*np.sin(q[1]), y1 - l2*np.cos(q[1])
def jacobian(q, l1, l2):
    return np.array([[l1*np.cos(q[0]), l2*np.cos(q[1])], [l1*np.sin(q[0]), l2*np.sin(q[1])]])
def tip_velocity(q, qd, l1, l2):
    return jacobian(q, l1, l2) @ qd
'''
MATLAB = """
function p = fkine(th1, th2, l1, l2)
    p = [l1*sin(th1) + l2*sin(th2); -l1*cos(th1) - l2*cos(th2)];
end
function J = jacobian(th1, th2, l1, l2)
    J = [l1*cos(th1), l2*cos(th2); l1*sin(th1), l2*sin(th2)];
end
function [T, V] = energies(th1, th2, w1, w2, m1, m2, l1, l2, g)
    T = m1*l1^2*w1^2/6 + m2*(l1^2*w1^2/2 + l2^2*w2^2/6 + l1*l2*w1*w2*cos(th1-th2)/2);
    V = -m1*g*l1/2*cos(th1) - m2*g*(l1*cos(th1) + l2/2*cos(th2));
end
"""
JULIA = """
function tip_position(q, l1, l2)
    [l1*sin(q[1]) + l2*sin(q[2]), -l1*cos(q[1]) - l2*cos(q[2])]
end
function jacobian(q, l1, l2)
    J = zeros(2, 2)
    J[1,1] = l1*cos(q[1]); J[1,2] = l2*cos(q[2])
    J[2,1] = l1*sin(q[1]); J[2,2] = l2*sin(q[2])
    return J
end
"""
C = """
#include <math.h>
void forward_kinematics(const double q[2], double l1, double l2, double *x, double *y) {
    *x = l1*sin(q[0]) + l2*sin(q[1]);
    *y = -l1*cos(q[0]) - l2*cos(q[1]);
}
double kineticEnergy(double th1, double th2, double w1, double w2, double m1, double m2,
                     double l1, double l2) {
    return m1*l1*l1*w1*w1/6
        + m2*(l1*l1*w1*w1/2 + l2*l2*w2*w2/6 + l1*l2*w1*w2*cos(th1-th2)/2);
}
"""
CPP = """
#include <cmath>
#include <array>
std::array<double,2> endEffectorPosition(const std::array<double,2>& q, double l1, double l2) {
    return {l1*std::sin(q[0]) + l2*std::sin(q[1]), -l1*std::cos(q[0]) - l2*std::cos(q[1])};
}
Eigen::Matrix2d Jacobian(const Eigen::Vector2d& q, double l1, double l2) {
    Eigen::Matrix2d J;
    J(0,0) = l1*std::cos(q(0)); J(0,1) = l2*std::cos(q(1));
    J(1,0) = l1*std::sin(q(0)); J(1,1) = l2*std::sin(q(1));
    return J;
}
"""
FIELDS = """
#include <cmath>
struct Pair { double a, b; };
double kinetic_energy(const Pair& q, const Pair& qd, double m1, double m2, double l1, double l2) {
    return m1*l1*l1*qd.a*qd.a/6
        + m2*(l1*l1*qd.a*qd.a/2 + l2*l2*qd.b*qd.b/6 + l1*l2*qd.a*qd.b*cos(q.a - q.b)/2);
}
"""
COUNTED = """
function p = forward_kin_2dof(q, l1, l2)
    t1 = q(1); t2 = q(2);
    p = [l1*sin(t1) + l2*sin(t2); -l1*cos(t1) - l2*cos(t2)];
end
function Jac2 = jacobian_of_2dof(q, l1, l2)
    Jac2 = [l1*cos(q(1)), l2*cos(q(2)); l1*sin(q(1)), l2*sin(q(2))];
end
"""
LINEAR = """
M = 0.5; m = 0.2; b = 0.1; I = 0.006; g = 9.8; l = 0.3;
p = I*(M+m)+M*m*l^2;
A = [0      1              0           0;
     0 -(I+m*l^2)*b/p  (m^2*g*l^2)/p   0;
     0      0              0           1;
     0 -(m*l*b)/p       m*g*l*(M+m)/p  0];
B = [0; (I+m*l^2)/p; 0; m*l/p];
"""


def checked(tmp_path, name, text, against="double_pendulum"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return freebody.check(path, against=against).documents[0]


def statuses(report):
    return [one.status for one in report.equations]


def proposed(report):
    return {
        (edit.printed, edit.proposed)
        for one in report.equations
        for repair in one.repairs[:1]
        for edit in repair.edits
    }


@pytest.mark.few("a.py", "a.c", "b.cpp")
@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        ("a.py", PYTHON, 4 + 4 + 2),
        ("a.m", MATLAB, 2 + 4 + 2),
        ("a.jl", JULIA, 2 + 4),
        ("a.c", C, 2 + 1),
        ("a.cpp", CPP, 2 + 4),
        ("b.cpp", FIELDS, 1),
        ("b.m", COUNTED, 2 + 4),
    ],
)
def test_what_is_named_is_judged(tmp_path, name, text, count):
    assert statuses(checked(tmp_path, name, text)) == ["holds"] * count


@pytest.mark.few("a.py", "a.m")
@pytest.mark.parametrize(
    ("name", "text", "right", "wrong", "edit"),
    [
        ("a.py", PYTHON, "x1 = l1*np.sin", "x1 = l1*np.cos", ("cos", "sin")),
        ("a.m", MATLAB, "w1*w2*cos(th1-th2)", "w1*w2*cos(th1+th2)", ("+", "-")),
        ("a.jl", JULIA, "J[1,2] = l2*", "J[1,2] = l1*", ("l1", "l2")),
        ("a.c", C, "*y = -l1*cos(q[0]) -", "*y = -l1*cos(q[0]) +", ("+", "-")),
        ("a.cpp", CPP, "l2*std::cos(q(1));", "l2*std::cos(q(0));", ("q(0)", "q(1)")),
    ],
)
def test_one_wrong_token_of_what_is_named_is_mended(tmp_path, name, text, right, wrong, edit):
    assert right in text
    report = checked(tmp_path, name, text.replace(right, wrong))
    assert "differs" in statuses(report)
    assert edit in proposed(report)


def test_it_is_told_which_place_it_is(tmp_path):
    told = checked(tmp_path, "a.py", PYTHON).remarks
    assert any("is taken as the position of elbow" in one for one in told)
    assert any("is taken as the jacobian of end" in one for one in told)


def test_an_axis_that_one_entry_alone_turns_round_is_not_taken(tmp_path):
    alone = "import math\ndef tip_position(theta, d):\n"
    alone += "    return d*math.sin(theta), d*math.cos(theta)\n"
    report = checked(tmp_path, "a.py", alone, "pendulum")
    assert sorted(statuses(report)) == ["holds", "not checked"]
    assert any("x, -y" in one.note for one in report.equations)
    both = "from math import sin, cos\ndef drawn(th1, th2, l1, l2):\n"
    both += "    x1, y1 = l1*sin(th1), l1*cos(th1)\n"
    both += "    x2, y2 = x1 + l2*sin(th2), y1 + l2*cos(th2)\n    return x1, y1, x2, y2\n"
    report = checked(tmp_path, "b.py", both)
    assert statuses(report) == ["holds"] * 4
    assert any("its axes are x, -y" in one for one in report.remarks)


def test_what_is_of_no_place_is_not_accused(tmp_path):
    text = "from math import sin, cos\ndef tip_position(q, l1, l2):\n"
    text += "    return l1*sin(q[0])*sin(q[1]), l2*cos(q[0])*l1\n"
    assert set(statuses(checked(tmp_path, "a.py", text))) == {"not checked"}


@pytest.mark.exhaustive
def test_a_linear_model_is_judged_about_the_equilibrium_that_fits(tmp_path):
    report = checked(tmp_path, "a.m", LINEAR, "cart_pendulum")
    verdicts = {one.label: one.status for one in report.equations}
    damped = {"A[2,2]", "A[4,2]"}
    assert {name for name, status in verdicts.items() if status != "holds"} == damped
    assert {verdicts[one] for one in damped} == {"not checked"}
    assert len(verdicts) == 20
    wrong = checked(tmp_path, "b.m", LINEAR.replace("m*g*l*(M+m)", "m*g*l*(M-m)"), "cart_pendulum")
    assert "A[4,3]" in {one.label for one in wrong.equations if one.status == "differs"}
    assert ("-", "+") in proposed(wrong)


def test_a_sign_that_an_equilibrium_may_explain_is_open_unless_it_is_named(tmp_path):
    text = (
        "def linearize{}(m, g, d, I):\n    A = [[0, 1], [{}m*g*d/(I + m*d**2), 0]]\n    return A\n"
    )
    named = checked(tmp_path, "a.py", text.format("_upright", ""), "pendulum")
    assert statuses(named) == ["holds"] * 4
    wrong = checked(tmp_path, "b.py", text.format("_upright", "-"), "pendulum")
    assert ("-", "") in proposed(wrong)
    open_ = checked(tmp_path, "c.py", text.format("", ""), "pendulum")
    assert statuses(open_).count("not checked") == 1


TURNING = """
title = "A body that turns"
[coordinates]
psi = { title = "yaw", unit = "rad" }
theta = { title = "pitch", unit = "rad", initial = 0.1 }
phi = { title = "roll", unit = "rad" }
[speeds]
p = { title = "p", unit = "rad/s", angular_velocity_of = "body", axis = "x" }
q = { title = "q", unit = "rad/s", angular_velocity_of = "body", axis = "y" }
r = { title = "r", unit = "rad/s", angular_velocity_of = "body", axis = "z" }
[constants]
A = { title = "A", unit = "kg*m**2", value = 1 }
B = { title = "B", unit = "kg*m**2", value = 2 }
C = { title = "C", unit = "kg*m**2", value = 3 }
[[bodies]]
name = "body"
mass = 1
inertia = ["A", "B", "C"]
[[joints]]
name = "flight"
parent = "ground"
child = "body"
type = "spherical"
angles = ["psi", "theta", "phi"]
sequence = "zyx"
"""
EULER = """p_dot = (B - C)*q*r/A;
q_dot = (C - A)*r*p/B;
r_dot = (A - B)*p*q/C;
x0 = [0, 0, 0, 0.1, 1, 0];
"""


def test_what_a_state_begins_with_is_none_of_its_rates(tmp_path):
    (tmp_path / "body.toml").write_text(TURNING)
    (tmp_path / "euler.m").write_text(EULER)
    report = freebody.check(tmp_path / "euler.m", against=tmp_path / "body.toml").documents[0]
    told = {one.label: one.status for one in report.equations}
    assert told == dict.fromkeys(("p_dot", "q_dot", "r_dot"), "holds")
