"""Metrics that misbehave, in a module that worker processes can import."""

import os
import signal
import time
from dataclasses import dataclass

import numpy as np

from rainbow.metrics import Column, Metric


@dataclass(frozen=True)
class Slow(Metric):
    """Number of characters divided by three; every row takes a while."""

    seconds: float = 0.002

    name = "slow"
    group = "grammar"
    columns = (Column("slow", None),)
    surface_only = True

    def compute(self, batch, rows):
        time.sleep(self.seconds * len(rows))
        return np.array([[len(batch.outputs[row]) / 3] for row in rows])


@dataclass(frozen=True)
class Fussy(Metric):
    """Fails for some texts, in several ways."""

    name = "fussy"
    group = "grammar"
    columns = (Column("fussy", None),)

    def compute(self, batch, rows):
        texts = [batch.outputs[row] for row in rows]
        if "kill" in texts:
            os.kill(os.getpid(), signal.SIGKILL)
        if "fail" in texts:
            raise ZeroDivisionError("a text too many")
        if "never" in " ".join(texts):
            raise RuntimeError("this machine is broken")
        return np.zeros((len(rows), 1))
