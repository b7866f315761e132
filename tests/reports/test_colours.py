"""The colour scale: easy to read on, even, and told apart by colour-blind readers."""

import numpy as np
import pytest

from rainbow.reports.colours import INK, LEVELS, Theme, contrast_ratio, diverging_scale, stylesheet, text_colour

THEMES: tuple[Theme, ...] = ("light", "dark")

# Machado, Oliveira and Fernandes (2009), severity 1, for linear RGB.
BLINDNESS = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}

# CIE XYZ (D65) of linear sRGB.
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def linear(colour: str) -> np.ndarray:
    rgb = np.array([int(colour[place : place + 2], 16) for place in (1, 3, 5)]) / 255
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def lab(rgb: np.ndarray) -> np.ndarray:
    """Return CIE L*a*b*, a space other than the one the scale was made in."""
    x, y, z = XYZ @ np.clip(rgb, 0, 1) / (XYZ @ np.ones(3))
    f = [value ** (1 / 3) if value > (6 / 29) ** 3 else value / (3 * (6 / 29) ** 2) + 4 / 29 for value in (x, y, z)]
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("theme", THEMES)
def test_numbers_can_be_read_on_every_step(theme: Theme) -> None:
    assert min(contrast_ratio(colour, text_colour(colour)) for colour in diverging_scale(theme)) >= 4.5


@pytest.mark.parametrize("place", [0, 1])
def test_texts_can_be_read_on_paper_and_panel(place: int) -> None:
    for name in ("ink", "muted", "accent", "error", "warning", "fine"):
        for ground in ("paper", "panel"):
            assert contrast_ratio(INK[name][place], INK[ground][place]) >= 4.5, (name, ground)


@pytest.mark.parametrize("theme", THEMES)
def test_lightness_changes_evenly_from_the_middle_to_both_ends(theme: Theme) -> None:
    lightness = np.array([lab(linear(colour))[0] for colour in diverging_scale(theme)])
    steps = np.diff(lightness[LEVELS:]), np.diff(lightness[LEVELS::-1])
    for side in steps:
        assert (np.sign(side) == np.sign(side[0])).all() and np.ptp(side) < 0.6 * np.abs(side.mean())


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("blindness", BLINDNESS)
def test_colour_blind_readers_tell_positive_from_negative(theme: Theme, blindness: str) -> None:
    seen = [lab(np.array(BLINDNESS[blindness]) @ linear(colour)) for colour in diverging_scale(theme)]
    for step in range(2, LEVELS + 1):
        distance = np.linalg.norm(seen[LEVELS + step] - seen[LEVELS - step])
        assert distance > 2.3 * 2, f"{step}: {distance:.1f} is near what can just be noticed (2.3)"


def test_the_stylesheet_has_every_step_for_light_and_for_dark() -> None:
    rules = stylesheet()
    for theme in THEMES:
        for step, colour in zip(range(-LEVELS, LEVELS + 1), diverging_scale(theme), strict=True):
            assert f"--h{step}:{colour};" in rules
