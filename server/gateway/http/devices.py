"""Names of devices for people, such as "Firefox on Windows", from what browsers say about themselves."""

from __future__ import annotations

from typing import Final

from starlette.requests import HTTPConnection

# The first match counts: most browsers also name those that they are compatible with.
_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("FxiOS", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chromium", "Chromium"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def device_of(request: HTTPConnection) -> str:
    """Return the name of the device that sent a request; never more than known words, whatever the header says."""
    agent = request.headers.get("user-agent", "")
    browser = next((name for part, name in _BROWSERS if part in agent), None)
    system = next((name for part, name in _SYSTEMS if part in agent), None)
    if browser is None:
        return "Program" if system is None else f"Browser on {system}"
    return browser if system is None else f"{browser} on {system}"
