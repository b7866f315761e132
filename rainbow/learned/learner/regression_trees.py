"""Regression trees as plain arrays, validated before prediction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self
from weakref import WeakKeyDictionary

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.native import compiled, kernels
from rainbow.learned.learner.contract import array_check, check_fields

if TYPE_CHECKING:
    from sklearn.ensemble import RandomForestRegressor

# Rows evaluated together: about 20 MB at 100 trees.
BATCH_ROWS = 4096

# The compiled form is kept outside the trees, because they are saved, copied and pickled.
_PACKED: WeakKeyDictionary[Trees, compiled.Forest] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class Trees:
    """Fitted trees with concatenated nodes; predicts exactly as scikit-learn's forest does."""

    roots: IntArray  # the number of each tree's first node, shape (trees,)
    # the node that a row goes to whose value is at most the threshold, and the one for other rows, shape (nodes,)
    left: IntArray
    right: IntArray
    # what each node looks at, shape (nodes,)
    column: IntArray
    threshold: FloatArray
    value: FloatArray  # what each leaf says, shape (nodes, ratings); 0 elsewhere

    @classmethod
    def from_forest(cls, forest: RandomForestRegressor) -> Self:
        """Return the trees of a fitted forest."""
        grown = [tree.tree_ for tree in forest.estimators_]
        sizes = np.array([tree.node_count for tree in grown])
        roots = np.cumsum(sizes) - sizes
        own, first = np.arange(sizes.sum()), np.repeat(roots, sizes)
        left, right, column = (
            np.concatenate([getattr(tree, name) for tree in grown])
            for name in ("children_left", "children_right", "feature")
        )
        leaf = left < 0
        threshold = np.concatenate([tree.threshold for tree in grown])
        value = np.concatenate([tree.value[:, :, 0] for tree in grown])
        return cls(
            roots.astype(np.int32),
            np.where(leaf, own, first + left).astype(np.int32),
            np.where(leaf, own, first + right).astype(np.int32),
            np.where(leaf, 0, column).astype(np.int32),
            np.where(leaf, 0.0, threshold),
            np.where(leaf[:, None], value, 0.0),
        )

    def predict(self, rows: FloatArray) -> FloatArray:
        """Return the mean prediction of the trees, shape (n, ratings), for rows (n, columns)."""
        if kernels():
            if self not in _PACKED:
                arrays = (self.roots, self.left, self.right, self.column, self.threshold, self.value)
                _PACKED[self] = compiled.Forest(*arrays)
            return _PACKED[self].predict(rows)
        parts = [self._predict_batch(rows[start : start + BATCH_ROWS]) for start in range(0, len(rows), BATCH_ROWS)]
        return np.concatenate(parts) if parts else np.zeros((0, self.value.shape[1]))

    def _predict_batch(self, rows: FloatArray) -> FloatArray:
        at = np.tile(self.roots, len(rows))
        row = np.repeat(np.arange(len(rows)), len(self.roots))
        moving = np.arange(len(at))
        while moving.size:
            node = at[moving]
            low = rows[row[moving], self.column[node]] <= self.threshold[node]
            further = np.where(low, self.left[node], self.right[node])
            at[moving] = further
            moving = moving[further != node]
        leaf_values = self.value[at].reshape(len(rows), len(self.roots), -1)
        # One tree after the other, as scikit-learn adds them: another order changes the last bits.
        mean: FloatArray = np.add.accumulate(leaf_values, axis=1)[:, -1] / len(self.roots)
        return mean

    def check(self, columns: int, ratings: int = 1) -> None:
        """Raise ValueError unless the arrays are a valid forest for this many columns and ratings."""
        nodes = np.size(getattr(self, "left", ()))
        places = array_check(nodes, kind=np.int32)
        check_fields(
            self,
            Trees,
            roots=array_check(None, kind=np.int32),
            left=places,
            right=places,
            column=array_check(nodes, minimum=0, maximum=columns - 1, kind=np.int32),
            threshold=array_check(nodes),
            value=array_check(nodes, ratings),
        )
        self._check_paths(nodes)

    def _check_paths(self, nodes: int) -> None:
        """Raise ValueError unless each node is reached from its tree's root by exactly one path."""
        if not len(self.roots) or self.roots[0] != 0 or (np.diff(self.roots) <= 0).any() or self.roots[-1] >= nodes:
            raise ValueError("the roots are not the first nodes of the trees")
        own = np.arange(nodes)
        end = np.repeat([*self.roots[1:], nodes], np.diff([*self.roots, nodes]))
        inner = (self.left != own) | (self.right != own)
        for child in (self.left[inner], self.right[inner]):
            if (child <= own[inner]).any() or (child >= end[inner]).any():
                raise ValueError("a node points outside its tree or to an earlier node")
        parents = np.bincount(np.concatenate([self.left[inner], self.right[inner]]), minlength=nodes)
        parents[self.roots] += 1
        if (parents != 1).any():
            raise ValueError("a node has more than one parent, or none")
