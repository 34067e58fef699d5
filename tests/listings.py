"""Simulators of our own, in every language that is read."""

DOUBLE = """
import numpy as np

m1, m2, l1, l2, g = 1.0, 1.0, 1.0, 0.5, 9.81


def rates(t, y, M1=0, M12=0):
    th1, th2, w1, w2 = y
    delta = th1 - th2
    M = np.array([[m1*l1**2/3 + m2*l1**2, m2*l1*l2*np.cos(delta)/2],
                  [m2*l1*l2*np.cos(delta)/2, m2*l2**2/3]])
    C = np.array([-m2*l1*l2*np.sin(delta)*w2**2/2, m2*l1*l2*np.sin(delta)*w1**2/2])
    G = np.array([-m1*g*l1/2*np.sin(th1) - m2*g*l1*np.sin(th1), -m2*g*l2/2*np.sin(th2)])
    Q = np.array([M1 - M12, M12])
    a = np.linalg.solve(M, C + G + Q)
    return np.array([w1, w2, a[0], a[1]])
"""
CART = """
import math


class Env:
    def __init__(self):
        self.gravity = 9.8
        self.masscart = 1.0
        self.masspole = 0.1
        self.total_mass = self.masspole + self.masscart
        self.length = 0.5  # half the pole's length
        self.tau = 0.02
        self.state = None

    def step(self, action):
        x, x_dot, theta, theta_dot = self.state
        force = 10.0 if action == 1 else -10.0
        c, s = math.cos(theta), math.sin(theta)
        temp = (force + self.masspole*self.length*theta_dot**2*s)/self.total_mass
        thetaacc = (self.gravity*s - c*temp)/(
            self.length*(4.0/3.0 - self.masspole*c**2/self.total_mass))
        xacc = temp - self.masspole*self.length*thetaacc*c/self.total_mass
        x_dot = x_dot + self.tau*xacc
        theta_dot = theta_dot + self.tau*thetaacc
        return x_dot, theta_dot
"""
MATLAB = """
function dx = rates(t, x, M1, M12)
    m1 = 1; m2 = 1; l1 = 1; l2 = 0.5; g = 9.81;
    th1 = x(1); th2 = x(2); w1 = x(3); w2 = x(4);
    delta = th1 - th2;
    M = [m1*l1^2/3 + m2*l1^2, m2*l1*l2*cos(delta)/2
         m2*l1*l2*cos(delta)/2, m2*l2^2/3];
    b = zeros(2, 1);
    b(1) = -m2*l1*l2*sin(delta)*w2^2/2 - (m1/2 + m2)*g*l1*sin(th1) + M1 - M12;
    b(2) = m2*l1*l2*sin(delta)*w1^2/2 - m2*g*l2/2*sin(th2) + M12;
    dx = [x(3:4); M \\ b];
end
"""
JULIA = """
const m1, m2, l1, l2, g = 1.0, 1.0, 1.0, 0.5, 9.81
function rates!(du, u, (M1, M12), t)
    θ₁, θ₂, ω₁, ω₂ = u
    Δ = θ₁ - θ₂
    M = [m1*l1^2/3+m2*l1^2 m2*l1*l2*cos(Δ)/2; m2*l1*l2*cos(Δ)/2 m2*l2^2/3]
    b = [-0.5m2*l1*l2*sin(Δ)*ω₂^2 - (m1/2 + m2)*g*l1*sin(θ₁) + M1 - M12,
         0.5m2*l1*l2*sin(Δ)*ω₁^2 - m2*g*l2/2*sin(θ₂) + M12]
    du[1:2] = u[3:4]
    du[3:4] = M \\ b
end
"""
C = """
#include <math.h>
#define G 9.81
static const double m1 = 1.0, m2 = 1.0, l1 = 1.0, l2 = .5;

void rates(const double *y, double M1, double M12, double *dydt) {
    double delta = y[0] - y[1], M[2][2], b[2];
    M[0][0] = m1*l1*l1/3 + m2*pow(l1, 2);
    M[0][1] = M[1][0] = m2*l1*l2*cos(delta)/2;
    M[1][1] = m2*l2*l2/3;
    b[0] = -m2*l1*l2*sin(delta)*y[3]*y[3]/2 - (m1/2 + m2)*G*l1*sin(y[0]) + M1 - M12;
    b[1] = m2*l1*l2*sin(delta)*y[2]*y[2]/2 - m2*G*l2/2*sin(y[1]) + M12;
    double det = M[0][0]*M[1][1] - M[0][1]*M[1][0];
    for (int i = 0; i < 2; i++) dydt[i] = y[2 + i];
    dydt[2] = (M[1][1]*b[0] - M[0][1]*b[1])/det;
    dydt[3] = (M[0][0]*b[1] - M[1][0]*b[0])/det;
}
"""
LISTINGS = {"rates.m": MATLAB, "rates.jl": JULIA, "rates.c": C, "rates.cpp": C}
