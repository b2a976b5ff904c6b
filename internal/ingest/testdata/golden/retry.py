#!/usr/bin/env python3
# Copyright 2026 The Authors.
"""Sends requests again when a server does not answer."""

MAX_ATTEMPTS = 5  # more would be impolite


class RetryClient:
    """A client that is patient."""

    def send_request(self, url, wait=1.0):
        # Wait twice as long each time.
        for attempt in range(MAX_ATTEMPTS):
            if self.try_once(url):
                return True
            self.sleep(wait * 2 ** attempt)
        raise TimeoutError("the server does not answer at all")
