"""Group means with their covariances from sums per item, for all items and for bootstrap resamples of them."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.stats.resamples import count_multiplicities

_CELLS = 300_000  # counts and sums that are held at a time (2.4 MB)


class ItemSums(NamedTuple):
    """Sums per item and cell, shape (items, cells, ...), or per resample and cell; a cell is a group in a stratum."""

    n: FloatArray  # rated rows
    y: FloatArray  # ratings
    every: FloatArray  # all rows
    x: FloatArray  # scores of rated rows, (..., scores)
    every_x: FloatArray  # scores of all rows, (..., scores)
    xy: FloatArray  # products of scores and ratings, (..., scores)
    xx: FloatArray  # products of scores, (..., scores, scores)

    def total(self, weights: FloatArray | None = None) -> ItemSums:
        """Return the sums over items with weights, shape (resamples, items); by default one row of ones."""
        weights = np.ones((1, len(self.n))) if weights is None else weights
        return ItemSums(*(np.tensordot(weights, part, 1) for part in self))

    def without_each(self) -> ItemSums:
        """Return the sums over all items but one, for each rated item (jackknife)."""
        rated = self.n.any(axis=1)
        return ItemSums(*(part.sum(axis=0) - part[rated] for part in self))

    def columns(self, kept: IntArray) -> ItemSums:
        """Return the sums of some scores."""
        parts = self.x[..., kept], self.every_x[..., kept], self.xy[..., kept]
        return ItemSums(self.n, self.y, self.every, *parts, self.xx[..., kept, :][..., kept])


class Means(NamedTuple):
    """Means of groups, shape (resamples, groups), and their covariances, shape (resamples, groups, groups)."""

    values: FloatArray
    covariances: FloatArray


def item_sums(ratings: FloatArray, scores: FloatArray, cell: IntArray, item: IntArray, cells: int) -> ItemSums:
    """Sum ratings, shape (n,), and scores, shape (n, scores), of each item in each cell."""
    items = int(item.max(initial=-1)) + 1
    there, y = ~np.isnan(ratings), np.nan_to_num(ratings)
    x = scores * there[:, None]

    def add(values: FloatArray) -> FloatArray:
        sums = np.zeros((items * cells, *values.shape[1:]))
        np.add.at(sums, item * cells + cell, values)
        return sums.reshape(items, cells, *values.shape[1:])

    products = x[:, :, None] * x[:, None, :]
    return ItemSums(*map(add, (there.astype(float), y, np.ones(len(y)), x, scores, x * y[:, None], products)))


def covariances(totals: ItemSums) -> tuple[FloatArray, FloatArray]:
    """Return the covariances of scores with ratings and among themselves within cells, times the number of rows."""
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = totals.x / totals.n[..., None]
        with_ratings = np.nansum(totals.xy - mean * totals.y[..., None], axis=-2)
        among = np.nansum(totals.xx - mean[..., :, None] * totals.x[..., None, :], axis=-3)
    return with_ratings, among


def score_slopes(totals: ItemSums) -> FloatArray:
    """Return the regression of ratings on scores within cells, shape (resamples, scores)."""
    with_ratings, among = covariances(totals)
    stable = among + 1e-9 * np.eye(among.shape[-1])  # scores may be constant, or copies of one another
    slopes = np.linalg.solve(stable, with_ratings[..., None])[..., 0]
    return np.asarray(slopes, dtype=np.float64)


def means_of_all(sums: ItemSums, shares: FloatArray) -> list[Means]:
    """Return the means by ratings alone and with scores; shares of cells in groups, shape (groups, cells)."""
    rated, unrated, spread = _split_rated(sums)
    whole = np.ones((1, len(rated.n)))
    return _group_means(rated, whole, unrated.every.sum(0)[None], unrated.every_x.sum(0)[None], spread, shares)


def resampled_means(
    sums: ItemSums, shares: FloatArray, strata: IntArray, resamples: int, rng: np.random.Generator
) -> list[Means]:
    """Return bootstrap means; rated and unrated items are drawn separately within strata, shape (items,)."""
    rated, unrated, spread = _split_rated(sums)
    there = sums.n.any(axis=1)
    size = max(1, _CELLS // sums.n.size)
    blocks = []
    for start in range(0, resamples, size):
        block = min(size, resamples - start)
        weights, others = (_draw_weights(strata[part], block, rng) for part in (there, ~there))
        every, every_x = (np.tensordot(others, part, 1) for part in (unrated.every, unrated.every_x))
        blocks.append(_group_means(rated, weights, every, every_x, spread, shares))
    return [Means(*map(np.concatenate, zip(*own, strict=True))) for own in zip(*blocks, strict=True)]


def _split_rated(sums: ItemSums) -> tuple[ItemSums, ItemSums, FloatArray]:
    """Return items with and without ratings, and the covariances of mean scores due to the latter."""
    there = sums.n.any(axis=1)
    rated, unrated = (ItemSums(*(part[chosen] for part in sums)) for chosen in (there, ~there))
    every, every_x = sums.every.sum(axis=0), sums.every_x.sum(axis=0)
    mean = every_x / every[:, None]
    deviations = (unrated.every_x - mean * unrated.every[..., None]) / every[:, None]
    return rated, unrated, np.einsum("ics,idt->cdst", deviations, deviations, optimize=True)


def _draw_weights(strata: IntArray, resamples: int, rng: np.random.Generator) -> FloatArray:
    """Draw how often each item is drawn within its stratum, shape (resamples, items)."""
    weights = np.zeros((resamples, len(strata)))
    for stratum in np.unique(strata):
        own = np.flatnonzero(strata == stratum)
        weights[:, own] = count_multiplicities(rng.integers(len(own), size=(resamples, len(own))))
    return weights


def _group_means(
    rated: ItemSums, weights: FloatArray, every: FloatArray, every_x: FloatArray, spread: FloatArray, shares: FloatArray
) -> list[Means]:
    """Return means by ratings alone and with scores, from weights of rated items and totals of the unrated."""
    totals = rated.total(weights)
    slopes = score_slopes(totals)
    with np.errstate(invalid="ignore", divide="ignore"):
        rows, every = totals.n, every + totals.every
        y, x = totals.y / rows, _dot(totals.x, slopes) / rows
        mean = _dot(every_x + totals.every_x, slopes) / every
        alone = (rated.y - y[:, None] * rated.n) / rows[:, None]
        error = (_outer(rated.x, slopes) - x[:, None] * rated.n) / rows[:, None]
        added = (_outer(rated.every_x, slopes) - mean[:, None] * rated.every) / every[:, None]
    others = np.einsum("rs,cdst,rt->rcd", slopes, spread, slopes, optimize=True)
    powered = _combine(y + mean - x, alone - error + added, weights, shares)
    return [
        _combine(y, alone, weights, shares),
        powered._replace(covariances=powered.covariances + shares @ others @ shares.T),
    ]


def _dot(values: FloatArray, slopes: FloatArray) -> FloatArray:
    """Weight scores of each resample, shape (resamples, cells, scores), by its slopes."""
    return (values @ slopes[:, :, None])[..., 0]


def _outer(values: FloatArray, slopes: FloatArray) -> FloatArray:
    """Weight scores of items, shape (items, cells, scores), by the slopes of each resample."""
    flat = values.reshape(math.prod(values.shape[:-1]), values.shape[-1])
    return (slopes @ flat.T).reshape(len(slopes), *values.shape[:-1])


def _combine(values: FloatArray, influence: FloatArray, weights: FloatArray, shares: FloatArray) -> Means:
    """Combine cells to groups: values (resamples, cells), influence of items (resamples, items, cells)."""
    own = np.nan_to_num(influence) @ shares.T
    unrated = np.isnan(values) @ (shares.T > 0)  # groups with a cell without ratings
    means = np.where(unrated, np.nan, np.nan_to_num(values) @ shares.T)
    return Means(means, (weights[:, :, None] * own).transpose(0, 2, 1) @ own)
