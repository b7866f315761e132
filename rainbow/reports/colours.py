"""Colours of tables and figures, readable with colour blindness and in dark mode."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Theme = Literal["light", "dark"]

# Steps of the scale on either side of zero.
LEVELS = 10

# The page's own colours, (light, dark). Figures are drawn in the light ones, and take the page's when they stand in it.
INK: dict[str, tuple[str, str]] = {
    "ink": ("#1c2128", "#e7eaee"),
    "muted": ("#56606c", "#a3adb8"),
    "rule": ("#d8dde3", "#363d46"),
    "paper": ("#ffffff", "#14181d"),
    "panel": ("#f5f7f9", "#1c2229"),
    "accent": ("#1f5fa8", "#8fbdf0"),
    "error": ("#a8321a", "#ff9f87"),
    "warning": ("#7a5300", "#f0c064"),
    "fine": ("#17694a", "#7fd3ae"),
}

# Okabe and Ito's colours for things that have no order, the yellow left out: it is too pale on paper.
QUALITATIVE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")

# OKLab (lightness, chroma, hue in degrees), from the middle of the scale to its two ends. Lightness changes evenly on
# both sides; orange and blue remain distinct under every common colour blindness.
_MIDDLE: dict[Theme, float] = {"light": 0.975, "dark": 0.26}
_END: dict[Theme, float] = {"light": 0.50, "dark": 0.74}
_CHROMA = 0.125
_HUE_BELOW, _HUE_ABOVE = 48.0, 252.0

_OKLAB_TO_LMS = np.array(
    [[1, 0.3963377774, 0.2158037573], [1, -0.1055613458, -0.0638541728], [1, -0.0894841775, -1.291485548]]
)
_LMS_TO_RGB = np.array(
    [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.707614701],
    ]
)
_LUMINANCE = np.array([0.2126, 0.7152, 0.0722])


def diverging_scale(theme: Theme = "light") -> list[str]:
    """Return the colours of the diverging scale from lowest to highest, as ``#rrggbb``.

    Source: Ottosson (2020), A perceptual color space for image processing.
    """
    return [_scale_colour(step / LEVELS, theme) for step in range(-LEVELS, LEVELS + 1)]


def _scale_colour(position: float, theme: Theme) -> str:
    strength = abs(position)
    lightness = _MIDDLE[theme] + (_END[theme] - _MIDDLE[theme]) * strength
    angle = np.deg2rad(_HUE_BELOW if position < 0 else _HUE_ABOVE)
    chroma = _CHROMA * strength
    lab = np.array([lightness, chroma * np.cos(angle), chroma * np.sin(angle)])
    linear = np.clip(_LMS_TO_RGB @ (_OKLAB_TO_LMS @ lab) ** 3, 0, 1)
    return _to_hex(np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055))


def _to_hex(rgb: NDArray[np.float64]) -> str:
    return "#" + "".join(f"{round(value * 255):02x}" for value in rgb.tolist())


def scale_step(value: float, limit: float) -> int | None:
    """Return the step of the scale, -10 to 10, for a value between -`limit` and `limit`; None for NaN."""
    if value != value:
        return None
    return max(-LEVELS, min(LEVELS, round(LEVELS * value / limit)))


def contrast_ratio(first: str, second: str) -> float:
    """Return the WCAG 2 contrast ratio of two colours, from 1 to 21."""
    darker, lighter = sorted((_luminance(first), _luminance(second)))
    return round((lighter + 0.05) / (darker + 0.05), 6)


def _luminance(colour: str) -> float:
    rgb = np.array([int(colour[place : place + 2], 16) for place in (1, 3, 5)]) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(_LUMINANCE @ linear)


def text_colour(background: str) -> str:
    """Return black or white, whichever has the higher contrast on a background (at least 4.5)."""
    return max("#000000", "#ffffff", key=lambda ink: contrast_ratio(background, ink))


def stylesheet() -> str:
    """Return the colours as CSS variables for light and dark mode."""
    light, dark = (";".join(_css_variables(theme)) for theme in ("light", "dark"))
    rules = [
        f":root{{color-scheme:light;{light}}}",
        f"@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}",
        f"@media screen{{:root[data-theme=dark]{{color-scheme:dark;{dark}}}}}",
    ]
    steps = range(-LEVELS, LEVELS + 1)
    rules += [
        f".{step_class(step)}{{background:var(--{step_class(step)});color:var(--{step_class(step)}t)}}"
        for step in steps
    ]
    return "\n".join(rules)


def step_class(step: int) -> str:
    """Return the CSS class of a step of the scale: ``h3``, ``h-3``."""
    return f"h{step}"


def _css_variables(theme: Theme) -> Iterator[str]:
    place = 0 if theme == "light" else 1
    yield from (f"--{name}:{colours[place]}" for name, colours in INK.items())
    for step, colour in zip(range(-LEVELS, LEVELS + 1), diverging_scale(theme), strict=True):
        yield f"--{step_class(step)}:{colour};--{step_class(step)}t:{text_colour(colour)}"
