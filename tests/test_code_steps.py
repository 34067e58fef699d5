"""Simulations that are written as a loop over steps of time, without a function of the rates."""

import pytest

import freebody

RATE = "-m*g*d*sin({angle})/(I + m*d*d)"
CONSTANTS = "m = 1; d = 2; I = 3; g = 9.81"
LOOPS = {
    "two arrays, in Python": ("a.py", f"""
import numpy as np
from numpy import sin
{CONSTANTS}; dt = 0.001
N = 20000
theta, omega = np.zeros(N), np.zeros(N)
theta[0] = 0.1
for i in range(N - 1):
    omega[i + 1] = omega[i] + dt*({RATE.format(angle="theta[i]")})
    theta[i + 1] = theta[i] + omega[i + 1]*dt
"""),
    "a column for each entry, with a step that is worked out": ("a.py", f"""
import numpy as np
from numpy import sin
{CONSTANTS}
t = np.linspace(0, 10, 1001)
h = t[1] - t[0]
y = np.zeros((len(t), 2))
for k in range(len(t) - 1):
    y[k + 1, 0] = y[k, 0] + h*y[k, 1]
    y[k + 1, 1] = y[k, 1] + h*({RATE.format(angle="y[k, 0]")})
"""),
    "lists that grow": ("a.py", f"""
from math import sin
{CONSTANTS}; end, n = 10, 3000; dt = end/n
theta, omega, t = [0.1], [0], [0]
while t[-1] < end:
    alpha = {RATE.format(angle="theta[-1]")}
    omega.append(omega[-1] + alpha*dt)
    theta.append(theta[-1] + omega[-1]*dt)
    t.append(t[-1] + dt)
"""),
    "the last entry, in Python": ("a.py", f"""
from math import sin
{CONSTANTS}; dt = 0.01
theta, omega = [0.1]*500, [0.0]*500
for i in range(1, 500):
    theta[i] = theta[i - 1] + omega[i - 1]*dt
    omega[i] = omega[i - 1] + ({RATE.format(angle="theta[i - 1]")})*dt
"""),
    "columns of a matrix, in MATLAB": ("a.m", f"""
{CONSTANTS}; dt = 0.001; N = 5000;
x = zeros(2, N);
for k = 1:N-1
    x(:,k+1) = x(:,k) + dt*[x(2,k); {RATE.format(angle="x(1,k)")}];
end
"""),
    "arrays that grow, in MATLAB": ("a.m", f"""
{CONSTANTS}; dt = 0.001;
theta(1) = 0.1; omega(1) = 0; i = 1; t = 0;
while t < 10
    omega(i+1) = omega(i) + ({RATE.format(angle="theta(i)")})*dt;
    theta(i+1) = theta(i) + omega(i)*dt;
    t = t + dt; i = i + 1;
end
"""),
    "arrays, in Julia": ("a.jl", f"""
{CONSTANTS}; dt = 0.01; n = 5000
θ = zeros(n); ω = zeros(n)
for i in 1:n-1
    ω[i+1] = ω[i] + ({RATE.format(angle="θ[i]")})*dt
    θ[i+1] = θ[i] + ω[i+1]*dt
end
"""),
    "arrays, in C": ("a.c", f"""
#include <math.h>
#define N 10000
int main() {{
  double theta[N], omega[N], {CONSTANTS.replace(";", ",")}, dt = 0.001;
  for (int i = 0; i < N - 1; i++) {{
    omega[i+1] = omega[i] + ({RATE.format(angle="theta[i]")})*dt;
    theta[i+1] = theta[i] + omega[i+1]*dt;
  }}
}}
"""),
}  # fmt: skip


@pytest.mark.one_in(3)
@pytest.mark.parametrize("case", LOOPS)
def test_loops_over_arrays_are_steps_of_time(tmp_path, case):
    name, text = LOOPS[case]

    def statuses(code):
        path = tmp_path / name
        path.write_text(code, encoding="utf-8")
        return sorted(
            one.status for one in freebody.check(path, against="pendulum").documents[0].equations
        )

    assert statuses(text) == ["holds", "holds"]
    assert statuses(text.replace("-m*g", "m*g")) == ["differs", "holds"]
