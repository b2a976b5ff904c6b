"""When a request that was refused for now is made again."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Retry:
    """How patiently a server that says to come back is asked again, or one to which the connection
    broke.

    `times` is how often at most, `patience` how many seconds all of the waiting may take.
    Between two requests it waits as long as the server says, or else from `first` seconds on
    twice as long each time, up to `most`.
    """

    times: int = 6
    patience: float = 60.0
    first: float = 0.2
    most: float = 5.0


class Pace:
    """The waiting of one request."""

    def __init__(self, retry: Retry) -> None:
        self._retry = retry
        self._made = 0
        self._waited = 0.0

    def pause(self, retry_after: str | None) -> float | None:
        """How many seconds to wait before the next time; None: give up."""
        wait = min(self._retry.most, self._retry.first * 2.0**self._made)
        wait *= random.uniform(0.5, 1)  # those who were refused together come back apart
        if retry_after is not None and retry_after.strip().isdecimal():
            wait = max(wait, float(retry_after))
        if self._made >= self._retry.times or self._waited + wait > self._retry.patience:
            return None
        self._made += 1
        self._waited += wait
        return wait
