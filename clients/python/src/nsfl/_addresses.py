"""What can be told from an address."""

import ipaddress
from urllib.parse import urlsplit


def is_loopback(address: str) -> bool:
    """Whether an address is one of this machine itself."""
    try:
        host = urlsplit(address).hostname or ""
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
