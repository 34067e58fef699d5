"""Moving pictures of a simulated motion: GIF, MP4, and a page that plays it in space."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.drawing.style import letters, unit_text
from freebody.drawing.view import Curves, times_slower, view
from freebody.errors import ArgumentError
from freebody.files import FileError, atomic_write, expect_ending
from freebody.simulation.figures import painter_of

if TYPE_CHECKING:
    from freebody.arrays import Array
    from freebody.simulation.result import Simulation

ANIMATIONS = (".gif", ".mp4")
VIEWS = (".html",)
RATES = {".gif": 20, ".mp4": 30}
"""Pictures in a second."""
MAX_FRAMES = {".gif": 200, ".mp4": 3000}
DPI = 100
SIZE = (480, 480)
"""Of a moving picture, in pixels."""
LEAST, MOST = 64, 4096


def animate(result: Simulation, path: Path, size: tuple[int, int] = SIZE) -> None:
    """Draw the mechanism at its own pace, or slower: see `Simulation.animate`."""
    from matplotlib.animation import FuncAnimation
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    expect_ending(path, ANIMATIONS)
    expect_size(size)
    painter = painter_of(result)
    times = result.data["time"].to_numpy()
    slowed = times_slower(times[-1] - times[0])
    frames, rate = _pace(times * slowed, RATES[path.suffix], MAX_FRAMES[path.suffix])
    writer = _writer(path, rate)
    width, height = (pixels - pixels % 2 for pixels in size)
    figure = Figure(figsize=(width / DPI, height / DPI), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    painter.frame(axes)
    trail = painter.trail(axes)
    clock = axes.set_title("", loc="right", fontsize="medium")
    told = f", {slowed} times slower" if slowed > 1 else ""
    digits = 1 + len(str(slowed))
    shown: list[Any] = []

    def draw(frame: int) -> list[Any]:
        for one in shown:
            one.remove()
        shown[:] = painter.paint(axes, frame)
        trail.set_data(*painter.way(frame))
        clock.set_text(f"{times[frame]:.{digits}f} s{told}")
        return [trail, *shown, clock]

    draw(frames[0])
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # all pictures alike, and layout takes long
    moving = FuncAnimation(figure, draw, frames=frames, init_func=list, blit=False)
    with atomic_write(path) as temporary:
        moving.save(temporary, writer=writer, dpi=DPI)


def expect_size(size: tuple[int, int]) -> None:
    """Refuse a size that is none.

    Raises
    ------
    ArgumentError
        If it is too small or too large.
    """
    if len(size) != 2 or not all(LEAST <= one <= MOST for one in size):
        raise ArgumentError(f"size: expected width and height of {LEAST} to {MOST}, found {size}")


def _writer(path: Path, rate: int) -> Any:
    from matplotlib import rcParams
    from matplotlib.animation import FFMpegWriter, PillowWriter

    if path.suffix == ".gif":
        return PillowWriter(fps=rate)
    if not FFMpegWriter.isAvailable():
        try:
            from imageio_ffmpeg import get_ffmpeg_exe
        except ImportError:
            needed = "MP4 needs ffmpeg: pip install 'freebody[movie]', or write a .gif"
            raise FileError(path, needed) from None
        rcParams["animation.ffmpeg_path"] = get_ffmpeg_exe()
    return FFMpegWriter(fps=rate, codec="libx264", extra_args=["-pix_fmt", "yuv420p"])


def _pace(times: Array, rate: int, most: int) -> tuple[list[int], int]:
    """Return which states to draw and how many of them in a second."""
    duration = times[-1] - times[0]
    wanted = int(np.clip(duration * rate, 2, most))
    frames = np.unique(np.linspace(0, len(times) - 1, min(wanted, len(times))).astype(int))
    return frames.tolist(), int(np.clip(round(len(frames) / duration), 1, 60))


# ---------------------------------------------------------------------- in space


def watch(result: Simulation) -> str:
    """Return one HTML file that plays a motion in space: see `Simulation.view`."""
    return view(painter_of(result), str(result.data.attrs["title"]), list(_curves(result)))


def _curves(result: Simulation) -> Iterator[Curves]:
    """Iterate over the panels beside a motion: coordinates unit by unit, actuators, energy."""
    data, model = result.data, result.mechanism.model
    for unit in dict.fromkeys(entry.unit for entry in model.coordinates.values()):
        names = [name for name, entry in model.coordinates.items() if entry.unit == unit]
        values = data["coordinates"].sel(coordinate=names).transpose("time", "coordinate")
        shown = [letters(model, name) for name in names]
        yield Curves("coordinates", unit_text(unit), shown, values.to_numpy())
    torques = data["terms"].sel(term="tau").transpose("time", "speed")
    units = dict(zip(data["speed"].to_numpy(), data["force_unit"].to_numpy(), strict=True))
    moving = [speed for speed in units if torques.sel(speed=speed).to_numpy().any()]
    for unit in dict.fromkeys(units[speed] for speed in moving):
        speeds = [speed for speed in moving if units[speed] == unit]
        shown = [letters(model, str(speed).removesuffix("_dot")) for speed in speeds]
        forces = torques.sel(speed=speeds).to_numpy()
        yield Curves("actuators of", unit_text(str(unit)), shown, forces)
    energy = data["energy"].transpose("time", "kind")
    yield Curves("energy", "J", [str(kind) for kind in data["kind"].to_numpy()], energy.to_numpy())
