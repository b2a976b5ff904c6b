"""Pauses between retries."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Retry:
    """When to retry a request if the server says to come back, or if the connection broke.

    `times` is the maximum number of retries, `patience` the maximum total wait in seconds. The wait
    between retries is what the server asks for, or else `first` seconds, doubling each time up to
    `most`.
    """

    times: int = 6
    patience: float = 60.0
    first: float = 0.2
    most: float = 5.0


class Pace:
    """The retries of one request."""

    def __init__(self, retry: Retry) -> None:
        self._retry = retry
        self._made = 0
        self._waited = 0.0

    def pause(self, retry_after: str | None) -> float | None:
        """Return the seconds to wait before the next attempt, or None to give up."""
        wait = min(self._retry.most, self._retry.first * 2.0**self._made)
        wait *= random.uniform(0.5, 1)  # spread out clients that were refused together
        if retry_after is not None and retry_after.strip().isdecimal():
            wait = max(wait, float(retry_after))
        if self._made >= self._retry.times or self._waited + wait > self._retry.patience:
            return None
        self._made += 1
        self._waited += wait
        return wait
