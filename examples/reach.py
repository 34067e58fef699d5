"""The three reaches of Duarte's notes by inverse dynamics, and what its text says of them.

The arm hangs straight, and its end moves along the smoothest path to where the upper arm is level
and the elbow at a right angle: in 4 s, in 0.5 s, and in 0.5 s in the horizontal plane. Angles are
those of the closed form; rates and accelerations follow from those of the end by its Jacobian,
exactly. Only at the first instant they do not: the arm is fully stretched there, the elbow's angle
leaves zero as the power 3/2 of time, and its acceleration grows without bound toward it. So terms
are compared by their mean absolute value, which is bounded, and by the time in which one is larger.

Run it with ``python examples/reach.py [picture.png]``; it draws one picture for each reach.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

import freebody
from freebody.files import atomic_write
from freebody.motion import Motion, minimum_jerk, two_link

Array = NDArray[np.float64]
ARM = Path(__file__).with_name("arm.toml")
NAMES = ("alpha1", "alpha2")
JOINTS = ("shoulder", "elbow")
REACHES = {
    "slow": (4.0, 9.81),
    "fast": (0.5, 9.81),
    "fast_horizontal": (0.5, 0.0),
}
"""In s and m/s**2."""
STEPS = 2000
"""Of each reach, so that all have the same instants of it."""
FEW = 0.1
"""Up to which a part is taken for little."""
SETTLED = 0.05
"""Part of a reach after which the singularity at its start matters no more."""
Styles = dict[str, tuple[str, str]]
MOVING: Styles = {"shoulder": ("#0072b2", "-"), "elbow": ("#d55e00", "--")}
TERMS: Styles = {
    "inertia": ("#0072b2", "-"),
    "centripetal and Coriolis": ("#d55e00", "--"),
    "gravity": ("#009e73", "-."),
    "external": ("#9a9a9a", "-"),
}
KINDS = {
    "coordinates": "angle [°]",
    "speeds": "velocity [°/s]",
    "accelerations": "acceleration [°/s²]",
}


def main(picture: Path) -> None:
    """Work out the three reaches, draw them, and print what holds of the text."""
    found = {
        name: torques("two_link", reach(duration), g) for name, (duration, g) in REACHES.items()
    }
    singular()
    claims(found)
    fractions(found)
    for name, (duration, _) in REACHES.items():
        path = picture.with_stem(f"{picture.stem}_{name}")
        draw(reach(duration), found[name], path)
        print(f"wrote {path}")


# ---------------------------------------------------------------------- the movement


def reach(duration: float, steps: int = STEPS) -> Motion:
    """Return the angles of the smoothest path of the end, after its first sample."""
    f = freebody.compile("two_link")
    l1, l2 = f.constants["L1"], f.constants["L2"]
    path = minimum_jerk([0, -l1 - l2], [l1, l2], duration, steps / duration)
    found = two_link(path.position, (l1, l2))
    q = found.positive[1:]
    jacobian = f["jacobian.tip"](q)[:, :2]
    u = solved(jacobian, path.velocity[1:])
    a = solved(jacobian, path.acceleration[1:] - f["acceleration.tip"](q, u, np.zeros(2))[:, :2])
    known = found.motion(path.times, NAMES)
    at, speeds, accelerations = (dict(zip(NAMES, part.T, strict=True)) for part in (q, u, a))
    motion = Motion.of(
        path.times[1:], at, speeds=speeds, accelerations=accelerations, unit=known.units
    )
    return replace(motion, choices={**known.choices, **motion.choices})


def solved(matrices: Array, columns: Array) -> Array:
    """Solve a system for each sample."""
    return np.asarray(np.linalg.solve(matrices, columns[..., None])[..., 0])


def torques(model: str | Path | freebody.Model, motion: Motion, g: float) -> xr.Dataset:
    """Return the torques by term."""
    return freebody.inverse(model, motion, constants={"g": g}).data


def singular() -> None:
    """Print how the acceleration of the elbow grows at the start."""
    print("The elbow's acceleration one step after the start of the fast reach:")
    for steps in (100, 1000, 10000):
        first = float(reach(0.5, steps).data["accelerations"][0, 1])
        print(f"  of {steps:5} steps: {first:6.0f} rad/s**2")


# ---------------------------------------------------------------------- what the text says


def claims(found: dict[str, xr.Dataset]) -> None:
    """Print how large the terms are, and by how much the sentences of the text hold."""
    print("\nMean absolute value [N m]:")
    print(f"{'':26} diagonal  coupling         C         G    torque")
    for name, data in found.items():
        rows = sizes(data).transpose("speed", "term").to_numpy()
        for joint, row in zip(JOINTS, rows, strict=True):
            print(f"  {name:15} {joint:8}" + "".join(f"{size:10.3f}" for size in row))
    slow, fast, level = found.values()
    compensates(slow)
    interacts(fast)
    print("In the horizontal plane G is gone, and the rest is as before:")
    rest = abs(level["terms"] - fast["terms"]).drop_sel(term=["G", "tau"]).max()
    print(f"  largest |G| {abs(term(level, 'G')).max():g} N m, ", end="")
    print(f"largest difference of the rest {float(rest):g} N m")
    ratio = (REACHES["slow"][0] / REACHES["fast"][0]) ** 2
    print(f"All but gravity grows with the speed squared: fast / slow is {ratio:g}, found", end=" ")
    moving = [sizes(data).sel(term=["own", "coupling", "C"]) for data in (fast, slow)]
    print(", ".join(f"{value:.4g}" for value in (moving[0] / moving[1]).to_numpy().ravel()))


def compensates(slow: xr.Dataset) -> None:
    """Print how much of the torques of the slow reach is not gravity."""
    print("\nIn the slow reach the torques do little but hold the arm against gravity:")
    gravity = term(slow, "G")
    rest = slow["generalized"] - gravity
    parts = mean(rest) / mean(gravity), abs(settled(rest)).max("time") / abs(gravity).max("time")
    for joint, part, most in zip(JOINTS, *(part.to_numpy() for part in parts), strict=True):
        print(f"  {joint:8} the rest is {part:.1%} of gravity in the mean, ", end="")
        print(f"{verdict(part < FEW)}; at most {most:.1%} of its largest")


def interacts(fast: xr.Dataset) -> None:
    """Print in which part of the fast reach interaction is larger than gravity, and how much."""
    print("In the fast reach interaction is larger than gravity most of the time:")
    interaction, gravity = fast["coupling"] + term(fast, "C"), term(fast, "G")
    whole_of = term(fast, "inertia") + term(fast, "C")
    ways = {"off-diagonal M and C": interaction, "all of M q̈ + C": whole_of}
    for what, torque in ways.items():
        part, ratio = (abs(torque) > abs(gravity)).mean("time"), mean(torque) / mean(gravity)
        for joint, of, times in zip(JOINTS, part.to_numpy(), ratio.to_numpy(), strict=True):
            print(f"  {joint:8} {what}: {of:.0%} of the time, {verdict(of > 1 / 2)}; ", end="")
            print(f"in the mean {times:.1f} times as large")


def verdict(holds: bool) -> str:
    """Say whether it holds."""
    return "holds" if holds else "does not hold"


def sizes(data: xr.Dataset) -> xr.DataArray:
    """Return mean absolute values of the terms and of the torque."""
    coupling = data["coupling"]
    parts = {"own": term(data, "inertia") - coupling, "coupling": coupling}
    parts |= {name: term(data, name) for name in "CG"}
    parts["torque"] = data["generalized"]
    return xr.concat([mean(part) for part in parts.values()], "term").assign_coords(
        term=list(parts)
    )


def mean(values: xr.DataArray) -> xr.DataArray:
    """Return the mean absolute value over time."""
    return abs(values).mean("time")


def term(data: xr.Dataset, name: str) -> xr.DataArray:
    """Return one term of all torques."""
    return data["terms"].sel(term=name, drop=True)


def settled(values: xr.DataArray) -> xr.DataArray:
    """Return values after the start."""
    return values.sel(time=slice(SETTLED * float(values.time[-1]), None))


def fractions(found: dict[str, xr.Dataset]) -> None:
    """Print what it matters to apply the fractions of another length.

    The text applies those of the length from elbow to styloid to that from elbow to fingertip.
    """
    print("\nWith the fractions on the length that they were measured on, torques change by [N m]")
    print(f"{'':28} mean  of the text's   largest  of the text's")
    for name, (duration, g) in REACHES.items():
        text = settled(found[name]["generalized"])
        change = settled(torques(ARM, reach(duration), g)["generalized"]) - text
        for n, joint in enumerate(JOINTS):
            one, of = abs(change.isel(speed=n)), abs(text.isel(speed=n))
            print(f"  {name:15} {joint:8} {float(one.mean()):7.2f}", end="")
            print(f" {float(one.mean() / of.mean()):14.0%} {float(one.max()):10.2f}", end="")
            print(f" {float(one.max() / of.max()):13.0%}")


# ---------------------------------------------------------------------- the pictures


def draw(motion: Motion, data: xr.Dataset, path: Path) -> None:
    """Draw angles and their derivatives above, the terms of both torques below."""
    figure = Figure(figsize=(10, 6.2), layout="constrained")
    above, below = figure.subfigures(2, 1, height_ratios=(1, 1.15))
    panels = above.subplots(1, 3, sharex=True)
    for axes, (kind, label) in zip(panels, KINDS.items(), strict=True):
        values = np.degrees(motion.data[kind].transpose("time", ...).to_numpy())
        lines(axes, motion.times, values, MOVING, label)
    panels[0].legend(frameon=False)
    panels = below.subplots(1, 2, sharex=True)
    for joint, axes in enumerate(panels):
        terms = data["terms"].isel(speed=joint)
        shown = [terms.sel(term=name) for name in ("inertia", *"CGE")]
        values = np.stack([part.to_numpy() for part in shown], axis=1)
        lines(axes, motion.times, values, TERMS, "torque [N m]")
        axes.plot(
            motion.times, data["generalized"].isel(speed=joint), ":", color="black", label="sum"
        )
        axes.set_title(JOINTS[joint], fontsize="medium")
    handles, names = panels[0].get_legend_handles_labels()
    below.legend(handles, names, loc="outside lower center", ncols=5, frameon=False)
    with atomic_write(path) as temporary:
        figure.savefig(temporary, dpi=120)


def lines(axes: Axes, times: Array, values: Array, styles: Styles, label: str) -> None:
    """Draw columns over time, within what they are once the singularity is left."""
    for column, (name, (color, line)) in zip(values.T, styles.items(), strict=True):
        axes.plot(times, column, line, color=color, label=name)
    settled = values[times > SETTLED * times[-1]]
    low, high = min(0, settled.min()), max(0, settled.max())
    axes.set_ylim(low - 0.08 * (high - low), high + 0.08 * (high - low))
    axes.set(xlabel="time [s]", ylabel=label)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(visible=True, linewidth=0.4, alpha=0.5)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "reach.png"))
