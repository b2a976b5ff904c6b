"""Properties of addresses."""

import ipaddress
from urllib.parse import urlsplit


def is_loopback(address: str) -> bool:
    """Return whether an address is a loopback address."""
    try:
        host = urlsplit(address).hostname or ""
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
