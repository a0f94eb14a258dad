"""Everything that whoever runs the server can decide, each with a sentence and a default.

A setting is given as an argument (`--request-rate`) or in the environment (`SANFRANCISCO_REQUEST_RATE`); the argument
wins. Both are text and are read by the same function, so they cannot mean different things.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Self, get_type_hints
from urllib.parse import urlsplit

from server.gateway.limits import Limits, TransportLimits
from server.rate_limit import Rate

PREFIX: Final = "SANFRANCISCO_"

_LIMITS: Final = Limits()
_TRANSPORT_LIMITS: Final = TransportLimits()
_INSTALLED_WEB: Final = Path(__file__).parent / "web"
_WEB: Final = _INSTALLED_WEB if _INSTALLED_WEB.is_dir() else Path(__file__).parent.parent / "web" / "dist"


class BadSetting(ValueError):
    """A setting cannot be understood. The text is a sentence for the operator."""


# -- how each kind of value is written ------------------------------------------------------------------------


def _text(text: str) -> str:
    if not text.strip():
        raise ValueError("it must not be empty")
    return text.strip()


def _port(text: str) -> int:
    number = _whole(text)
    if number > 65_535:
        raise ValueError("a port is at most 65535")
    return number


def _whole(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text.strip()):
        raise ValueError("a whole number is needed")
    return int(text)


def _count(text: str) -> int:
    number = _whole(text)
    if number < 1:
        raise ValueError("a number from 1 is needed")
    return number


def _seconds(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", text.strip()):
        raise ValueError("a number of seconds is needed")
    return float(text)


def _some_seconds(text: str) -> float:
    seconds = _seconds(text)
    if seconds <= 0:
        raise ValueError("some time is needed")
    return seconds


def _rate(text: str) -> Rate:
    form = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,6}(?:\.[0-9]{1,6})?)/([0-9]{1,9})", text.strip())
    if form is None:
        raise ValueError("a rate is written COUNT/SECONDS/BURST, for example 60/20/20")
    return Rate(int(form[1]), float(form[2]), burst=int(form[3]))


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in re.split(r"[\s,]+", text) if word)


def _origins(text: str) -> tuple[str, ...]:
    origins = _words(text)
    for origin in origins:
        parts = urlsplit(origin)
        if parts.scheme not in ("http", "https") or not parts.netloc or origin != f"{parts.scheme}://{parts.netloc}":
            raise ValueError("an origin is written like https://play.example, with nothing behind the host and port")
    return origins


def _redis(text: str) -> str:
    url = text.strip()
    if url and urlsplit(url).scheme not in ("redis", "rediss", "unix", "redis+cluster", "rediss+cluster"):
        raise ValueError(
            "it is written like redis://host:6379/0, rediss://..., unix:///path/to/socket or redis+cluster://host:7000"
        )
    return url


def _one_of(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in words:
            raise ValueError(f"it is one of {', '.join(words)}")
        return text

    return read


@dataclass(frozen=True, slots=True)
class _As:
    """How a setting is read from text, and the sentence that explains it."""

    read: Callable[[str], Any]
    help: str


# -- the settings ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How the server runs."""

    host: Annotated[str, _As(_text, "address to listen on; 0.0.0.0 for every address of this machine")] = "127.0.0.1"
    port: Annotated[int, _As(_port, "port to listen on; 0 takes any that is free")] = 8000
    database: Annotated[Path, _As(Path, "file that keeps tables and users; made if missing")] = Path("sanfrancisco.db")
    durability: Annotated[
        str, _As(_one_of("full", "fast"), "full, or fast: the last moves may be lost when the power fails")
    ] = "full"
    redis: Annotated[
        str,
        _As(_redis, "address of a Redis that keeps everything in place of the file, for many workers (default: none)"),
    ] = ""
    workers: Annotated[int, _As(_count, "processes that serve this address; more than one need a Redis")] = 1
    web: Annotated[Path, _As(Path, "folder with the built web client (default: the one that came along)")] = _WEB
    origins: Annotated[
        tuple[str, ...],
        _As(_origins, "where the pages are, like https://play.example, by commas (default: where they are asked for)"),
    ] = ()
    forwarded_from: Annotated[
        tuple[str, ...], _As(_words, "addresses of proxies that may say for whom they ask, by commas (default: none)")
    ] = ()
    log_level: Annotated[
        str, _As(_one_of("debug", "info", "warning", "error"), "least serious kind of lines in the log")
    ] = "info"
    bot_least_seconds: Annotated[float, _As(_seconds, "least time that a bot takes for a decision")] = 0.8
    bot_most_seconds: Annotated[float, _As(_seconds, "most time that a bot takes for a decision")] = 2.0
    bot_workers: Annotated[int, _As(_count, "processes that think for bots, started when needed")] = max(
        2, (os.cpu_count() or 1) - 1
    )
    ping_seconds: Annotated[float, _As(_some_seconds, "time between pings, and for an answer to each")] = 20.0
    slow_seconds: Annotated[float, _As(_some_seconds, "time for a slow reader to catch up")] = _TRANSPORT_LIMITS.resume_timeout
    drain_seconds: Annotated[float, _As(_some_seconds, "time to finish what is in hand when told to stop")] = 10.0
    write_buffer: Annotated[int, _As(_count, "bytes that may wait for one slow reader")] = _TRANSPORT_LIMITS.write_buffer
    connections: Annotated[int, _As(_count, "connections of all users together")] = _LIMITS.connections
    connections_per_user: Annotated[int, _As(_count, "connections of one user")] = _LIMITS.connections_per_user
    connections_per_address: Annotated[int, _As(_count, "connections from one address")] = (
        _LIMITS.connections_per_address
    )
    request_rate: Annotated[Rate, _As(_rate, "requests of one user, as COUNT/SECONDS/BURST")] = _LIMITS.requests
    chat_rate: Annotated[Rate, _As(_rate, "lines of chat of one user")] = _LIMITS.chat
    creation_rate: Annotated[Rate, _As(_rate, "tables that one user opens")] = _LIMITS.creations
    match_rate: Annotated[Rate, _As(_rate, "quick matches that one user asks for")] = _LIMITS.matches
    hint_rate: Annotated[Rate, _As(_rate, "hints that one user asks for")] = _LIMITS.hints
    handshake_rate: Annotated[Rate, _As(_rate, "connections that are begun from one address")] = _LIMITS.handshakes
    session_rate: Annotated[Rate, _As(_rate, "guests and tries to redeem a code, per address")] = _LIMITS.sessions
    frame_rate: Annotated[Rate, _As(_rate, "frames of any kind over one connection")] = _TRANSPORT_LIMITS.frames

    def __post_init__(self) -> None:
        if self.bot_most_seconds < self.bot_least_seconds:
            raise BadSetting("Bots cannot take less time at most than at least: bot-most-seconds.")
        if self.workers > 1 and not self.redis:
            raise BadSetting("Several workers need a Redis to share: give --redis redis://..., or one worker.")

    @classmethod
    def read(cls, arguments: Mapping[str, str | None], environment: Mapping[str, str]) -> Self:
        """Give the settings that arguments, by the names of the fields, and the environment make together.

        Raises `BadSetting` for the first that cannot be understood, and for one in the environment that does not exist.
        """
        given: dict[str, tuple[str, str]] = {}
        for variable, text in environment.items():
            if variable.startswith(PREFIX):
                name = variable.removeprefix(PREFIX).lower()
                if name not in _AS:
                    raise BadSetting(f"There is no setting {variable}.")
                given[name] = variable, text
        given |= {name: (option_name(name), text) for name, text in arguments.items() if text is not None}
        return cls(**{name: _read(_AS[name], *labelled) for name, labelled in given.items()})

    def limits(self) -> Limits:
        """Give the limits of the gateway."""
        return Limits(
            requests=self.request_rate,
            chat=self.chat_rate,
            creations=self.creation_rate,
            matches=self.match_rate,
            hints=self.hint_rate,
            handshakes=self.handshake_rate,
            sessions=self.session_rate,
            connections=self.connections,
            connections_per_user=self.connections_per_user,
            connections_per_address=self.connections_per_address,
        )

    def transport_limits(self) -> TransportLimits:
        """Give the bounds of each wire."""
        return TransportLimits(write_buffer=self.write_buffer, resume_timeout=self.slow_seconds, frames=self.frame_rate)


_AS: Final[dict[str, _As]] = {
    name: hint.__metadata__[0] for name, hint in get_type_hints(Settings, include_extras=True).items()
}


def _read(written_as: _As, label: str, text: str) -> Any:
    try:
        return written_as.read(text)
    except ValueError as reason:
        raise BadSetting(f"{label} cannot be {text!r}: {reason}.") from None


def option_name(name: str) -> str:
    """Give a setting's name as an argument."""
    return f"--{name.replace('_', '-')}"


def described() -> list[tuple[str, str]]:
    """Give the name of every setting, and its sentence with the default."""
    return [(name, _sentence(written_as.help, getattr(Settings, name))) for name, written_as in _AS.items()]


def _sentence(help_text: str, default: Any) -> str:
    return help_text if "(default" in help_text else f"{help_text} (default: {_written(default)})"


def _written(value: Any) -> str:
    if isinstance(value, Rate):
        return f"{value.count}/{value.seconds:g}/{value.burst}"
    return f"{value:g}" if isinstance(value, float) else str(value)
