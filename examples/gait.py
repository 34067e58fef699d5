"""A step on a force plate: ankle, knee and hip moments by inverse dynamics, and how sure they are.

Without files of your own, freebody makes the recording: a leg whose foot stands on a floor of two
springs, heel and toe, and rolls over it while a hip that moves forward loads it. Of this simulation
only two files are kept, at 1 kHz: the coordinates, and what a force plate would have measured, with
a point of application that moves from the heel to the toes. The model that inverse dynamics works
with knows of no floor. Its moments are held against those of the simulation, and drawn with the
spread that noise of the markers and other tables of body segments give them.

Run it with ``python examples/gait.py [picture.png]``; the files stand beside the picture. With your
own, ``python examples/gait.py picture.png angles.csv plate.csv`` draws these.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

import freebody
from freebody.files import atomic_write
from freebody.inverse_dynamics import AppliedForce, InverseDynamics, read_force
from freebody.model import loads, shipped
from freebody.motion import Motion, read_motion
from freebody.simulation import Simulation

Array = NDArray[np.float64]
MODEL = "leg_sagittal"
STANCE, START, END = 0.8, -0.3, 0.3
"""How long the foot stands, in s, and where the hip is first and last, in m from the foot."""
KNEE = -0.25
SETTLED = 0.05
"""How long the heel strike takes at the start, in s."""
FLOOR = """
[[contacts]]
name = "floor_{place}"
on = "foot"
at = ["{across}", "-h_foot", 0]
stiffness = 4e7
exponent = 3
dissipation = 0.5
friction = 0.8
smoothing = 0.05
"""
LOAD = f"(60 + 700*(sin(pi*t/{STANCE}) + 0.3*sin(3*pi*t/{STANCE})))"
"""What the rest of the body weighs on the hip, in N: two peaks, as in walking."""
ROLL = f"(-0.03 + 0.15*(t/{STANCE})**2*(3 - 2*t/{STANCE}))"
"""Where this load goes through the foot, in m from the ankle."""
PACE = (END - START) / STANCE
ACTING = {
    "F_x": f"-20000*(hip_x - ({START} + {PACE}*t)) - 1000*(hip_x_dot - {PACE})",
    "F_y": f"-{LOAD} - 800*hip_y_dot",
    "T_hip": f"-40*cos(pi*t/{STANCE}) - 20*hip_dot",
    "T_knee": f"-1500*(knee - ({KNEE})) - 60*knee_dot",
    "T_ankle": f"-{LOAD}*{ROLL} - 3*ankle_dot",
}
MARKERS = {"hip_joint": 0.001, "knee_joint": 0.001, "ankle_joint": 0.001, "toe": 0.001}
"""Standard deviation of the noise of markers, in m."""
CUTOFF = 15.0
TABLES = ("dempster_winter", "dumas_2007")
LOADED = 20.0
"""From which force on its point of application is drawn, in N."""
STYLES = (("#0072b2", "-"), ("#d55e00", "--"), ("#009e73", "-."))
LEGEND = {"ncols": 5, "frameon": False}
MOMENTS = {"T_hip": "hip", "T_knee": "knee", "T_ankle": "ankle"}


def main(picture: Path, *files: str) -> None:
    """Make a recording unless there is one, invert it, compare and draw it."""
    run = None
    if not files:
        run = step()
        files = (str(beside(picture, "angles")), str(beside(picture, "plate")))
        record(run, *map(Path, files))
    angles, plate = files
    found = freebody.inverse(MODEL, angles, forces={"foot": plate})
    if run is not None:
        compare(found, run)
    print("on the command line:")
    print(f"  freebody inverse {MODEL} {angles} --force foot={plate} -o torques.csv")
    smooth = read_motion(angles, freebody.load(MODEL)).filtered(CUTOFF)
    sure = freebody.inverse(MODEL, smooth, {"foot": plate}, noise=MARKERS, tables=TABLES)
    tell(sure)
    draw(sure, read_force(plate), run, picture)
    print(f"wrote {picture}")


def beside(picture: Path, what: str) -> Path:
    """Return the name of a file beside the picture."""
    return picture.with_name(f"{picture.stem}_{what}.csv")


# ---------------------------------------------------------------------- the recording


def step() -> Simulation:
    """Simulate the leg on its floor."""
    text = (shipped()[MODEL] / "model.toml").read_text(encoding="utf-8")
    ends = {"heel": "-x_heel", "toe": "x_toe"}
    floor = "".join(FLOOR.format(place=place, across=across) for place, across in ends.items())
    return freebody.simulate(
        loads(text + floor),
        duration=STANCE,
        step=0.001,
        initial=posture(),
        inputs=ACTING,
        unchecked=True,
    )


def posture() -> dict[str, float]:
    """Return coordinates and speeds with the foot flat on the floor and the ankle above zero."""
    c = freebody.mechanism(freebody.load(MODEL)).names.values()
    thigh, shank = c["l_thigh"], c["l_shank"]
    # of the triangle of hip, knee and ankle
    reach = np.sqrt(thigh**2 + shank**2 + 2 * thigh * shank * np.cos(KNEE))
    behind = np.arctan2(shank * np.sin(-KNEE), thigh + shank * np.cos(KNEE))
    hip = np.arcsin(-START / reach) + behind
    height = np.sqrt(reach**2 - START**2)
    deep = 0.008
    first = {"hip_x": START, "hip_y": height + c["h_foot"] - deep, "hip": hip}
    first |= {"knee": KNEE, "ankle": -hip - KNEE}
    return first | {"hip_x_dot": PACE, "hip_dot": -PACE / height}


def record(run: Simulation, angles: Path, plate: Path) -> None:
    """Write the coordinates, and what a force plate would have measured.

    The forces on the floor are those that E has along the hip's coordinates: two forces, and a
    moment about the hip; the point of application is where a force alone has this moment.
    """
    data = run.data
    values = data["coordinates"].to_pandas()
    units = {name: entry.unit for name, entry in freebody.load(MODEL).coordinates.items()}
    Motion.of(data["time"], values, unit=units).save(angles)
    pushes = -data["terms"].sel(term="E").to_pandas()
    fx, fy, moment = (pushes[f"{name}_dot"] for name in ("hip_x", "hip_y", "hip"))
    px = values["hip_x"] + (moment - values["hip_y"] * fx) / fy
    columns = {"time": data["time"], "fx": fx, "fy": fy, "px": px, "py": 0 * px}
    with atomic_write(plate) as temporary:
        pd.DataFrame(columns).to_csv(temporary, index=False)
    print(f"wrote {angles}\nwrote {plate}")


# ---------------------------------------------------------------------- what comes of it


def compare(found: InverseDynamics, run: Simulation) -> None:
    """Print how well the inputs of the simulation come back."""
    first, last = SETTLED, STANCE - SETTLED
    print(f"difference from what acted in the simulation, from {first:g} to {last:g} s:")
    for name in ACTING:
        true, own = (data["inputs"].sel(input=name) for data in (run.data, found.data))
        away = np.abs(own.to_numpy() - true.to_numpy())
        part = float(away[(true.time >= first) & (true.time <= last)].max() / np.abs(true).max())
        print(f"  {name:8} {part:.0e} of its largest")


def tell(sure: InverseDynamics) -> None:
    """Print largest moments and their spread."""
    print("largest moment [N m], what markers with 1 mm of noise and other tables do to it:")
    data = sure.data.isel(time=sure.data["trusted"].to_numpy())
    for speed in ("hip_dot", "knee_dot", "ankle_dot"):
        one = data.sel(speed=speed)
        tables = np.abs(one["generalized_by_table"] - one["generalized"]).max()
        noise = np.sqrt((one["generalized_sd"] ** 2).mean())
        numbers = (float(x) for x in (np.abs(one["generalized"]).max(), noise, tables))
        print("  {:6} {:6.1f}   ± {:.2f}   at most {:.2f}".format(speed[:-4], *numbers))


def draw(sure: InverseDynamics, plate: AppliedForce, run: Simulation | None, picture: Path) -> None:
    """Draw the force, where it acts, the power of the joints, and the moments with their spread."""
    figure = Figure(figsize=(10, 5.8), layout="constrained")
    above, below = figure.subplots(2, 3, sharex=True)
    forces = {"up": plate.force[:, 1], "forward": plate.force[:, 0]}
    lines(above[0], plate.times, forces, "force of the plate [N]")
    point = np.where(plate.force[:, 1] > LOADED, 100 * plate.point[:, 0], np.nan)
    lines(above[1], plate.times, {"": point}, "point of application [cm]")
    power = sure.data["power"].sel(joint=[f"{name}_joint" for name in MOMENTS.values()])
    powers = dict(zip(MOMENTS.values(), power.to_numpy().T, strict=True))
    lines(above[2], sure.data["time"], powers, "power [W]")
    for axes, (moment, joint) in zip(below, MOMENTS.items(), strict=True):
        spread(axes, sure.data.sel(speed=f"{joint}_dot"))
        if run is not None:
            true = run.data["inputs"].sel(input=moment)[::25]
            axes.plot(true["time"], true, "o", color="black", ms=3, label="in the simulation")
        plain(axes, f"{joint} moment [N m]")
        axes.set_xlabel("time [s]")
    figure.legend(*below[0].get_legend_handles_labels(), loc="outside lower center", **LEGEND)
    with atomic_write(picture) as temporary:
        figure.savefig(temporary, dpi=120)


def lines(axes: Axes, times: Array, columns: dict[str, Array], label: str) -> None:
    """Draw named columns over time."""
    for (name, values), (color, line) in zip(columns.items(), STYLES, strict=False):
        axes.plot(times, values, line, color=color, label=name)
    if len(columns) > 1:
        axes.legend(frameon=False, fontsize="small")
    plain(axes, label)


def spread(axes: Axes, one: xr.Dataset) -> None:
    """Draw a moment, what noise makes of it, and what other tables give."""
    total, away = one["generalized"], 2 * one["generalized_sd"]
    known = one["trusted"].to_numpy()
    band = {"color": "#56b4e9", "alpha": 0.5, "linewidth": 0}
    low, high = (np.where(known, total + side * away, np.nan) for side in (-1, 1))
    axes.fill_between(one["time"], low, high, **band, label="± 2 standard deviations of noise")
    tables = one["generalized_by_table"].transpose("time", "table")
    names = [str(name) for name in tables["table"].to_numpy()]
    for name, values, line in zip(names, tables.to_numpy().T, ("--", ":"), strict=False):
        axes.plot(one["time"][known], values[known], line, color="#d55e00", label=name)
    axes.plot(one["time"][known], total[known], color="#0072b2", label="de_leva_1996")


def plain(axes: Axes, label: str) -> None:
    """Finish a panel."""
    axes.set_ylabel(label)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(visible=True, linewidth=0.4, alpha=0.5)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "gait.png"), *sys.argv[2:])
