"""Where a request comes from, for limits on guessing."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str | None:
    """The address that a guesser can't choose; of IPv6 its network's, since a household holds 2**64 of those.

    Behind a proxy it is the last of X-Forwarded-For: that one the proxy wrote, the others a client may have made up.
    """
    peer = _read(request.META.get("REMOTE_ADDR", ""))
    forwarded = request.headers.get("X-Forwarded-For", "") if settings.BEHIND_PROXY else ""
    address = _read(forwarded.rpartition(",")[2]) or peer
    if isinstance(address, IPv6Address):
        return str(IPv6Network((address, 64), strict=False).network_address)
    return str(address) if address else None


def _read(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text.strip())
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
