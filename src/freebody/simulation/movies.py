"""Moving pictures of a simulated motion: GIF and MP4."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.errors import ArgumentError
from freebody.files import FileError, atomic_write, expect_ending
from freebody.simulation.figures import painter_of

if TYPE_CHECKING:
    from freebody.arrays import Array
    from freebody.simulation.result import Simulation

ANIMATIONS = (".gif", ".mp4")
RATES = {".gif": 20, ".mp4": 30}
"""Pictures in a second."""
MAX_FRAMES = {".gif": 200, ".mp4": 3000}
DPI = 100
SIZE = (480, 480)
"""Of a moving picture, in pixels."""
LEAST, MOST = 64, 4096


def animate(result: Simulation, path: Path, size: tuple[int, int] = SIZE) -> None:
    """Draw the mechanism at its own pace: see `Simulation.animate`."""
    from matplotlib.animation import FuncAnimation
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    expect_ending(path, ANIMATIONS)
    expect_size(size)
    painter = painter_of(result)
    times = result.data["time"].to_numpy()
    frames, rate = _pace(times, RATES[path.suffix], MAX_FRAMES[path.suffix])
    writer = _writer(path, rate)
    width, height = (pixels - pixels % 2 for pixels in size)
    figure = Figure(figsize=(width / DPI, height / DPI), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    painter.frame(axes)
    trail = painter.trail(axes)
    clock = axes.set_title("", loc="right", fontsize="medium")
    shown: list[Any] = []

    def draw(frame: int) -> list[Any]:
        for one in shown:
            one.remove()
        shown[:] = painter.paint(axes, frame)
        trail.set_data(*painter.way(frame))
        clock.set_text(f"{times[frame]:.2f} s")
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
