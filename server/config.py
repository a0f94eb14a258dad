"""The settings of the server, each with its help text and default.

A setting is given as an option (`--request-rate`) or as an environment variable (`SANFRANCISCO_REQUEST_RATE`); the
option wins. pydantic-settings reads the environment and validates both alike; this module adds the sentences for the
operator.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, AliasChoices, BeforeValidator, Field, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from server.gateway.addresses import is_loopback
from server.gateway.http.connection_limits import CONNECTIONS_PER_ADDRESS
from server.gateway.limits import Limits, TransportLimits
from server.rate_limit import Rate

PREFIX: Final = "SANFRANCISCO_"
_BUILD: Final = "SANFRANCISCO_BUILD"
"""No setting: it chooses the build of the process before settings are read."""

_LIMITS: Final = Limits()
_TRANSPORT_LIMITS: Final = TransportLimits()
_INSTALLED_WEB: Final = Path(__file__).parent / "web"
_WEB: Final = _INSTALLED_WEB if _INSTALLED_WEB.is_dir() else Path(__file__).parent.parent / "web" / "dist"
_REDIS_SCHEMES: Final = (
    "redis",
    "rediss",
    "unix",
    "redis+cluster",
    "rediss+cluster",
    "redis+sentinel",
    "rediss+sentinel",
)


class BadSetting(ValueError):
    """A setting is invalid. The text is a sentence for the operator."""


# -- types of settings ----------------------------------------------------------------------------------------


def _rate(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    form = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,6}(?:\.[0-9]{1,6})?)/([0-9]{1,9})", value.strip())
    if form is None:
        raise ValueError("a rate is written COUNT/SECONDS/BURST, for example 60/20/20")
    return Rate(int(form[1]), float(form[2]), burst=int(form[3]))


def _words(value: Any) -> Any:
    return tuple(filter(None, re.split(r"[\s,]+", value))) if isinstance(value, str) else value


def _origin(value: str) -> str:
    url = urlsplit(value)
    if url.scheme not in ("http", "https") or not url.netloc or value != f"{url.scheme}://{url.netloc}":
        raise ValueError("an origin is written like https://play.example, with nothing after host and port")
    return value


def _redis_url(value: str) -> str:
    url = urlsplit(value)
    if value and url.scheme not in _REDIS_SCHEMES:
        raise ValueError(
            "a Redis is written like redis://host:6379/0, rediss://…, unix:///path/to/socket, "
            "redis+cluster://host:7000 or redis+sentinel://host:26379,host2:26379/name"
        )
    if url.scheme.endswith("+sentinel") and not (url.netloc and url.path.strip("/")):
        raise ValueError("Sentinels are written like redis+sentinel://host:26379,host2:26379/name-of-the-master")
    return value


def _address(value: str) -> str:
    if value:
        split_address(value)
    return value


def split_address(value: str) -> tuple[str, int]:
    """Return the host and the port of an address like 127.0.0.1:9000 or [::1]:9000; raise `ValueError` if malformed."""
    try:
        url = urlsplit(f"//{value}")
        host, port = url.hostname, url.port
    except ValueError:
        host, port = None, None
    if host is None or port is None or url.netloc != value or "@" in value:
        raise ValueError("an address is written like 127.0.0.1:9000 or [::1]:9000")
    return host, port


def _network(value: str) -> str:
    try:
        return str(ip_network(value))
    except ValueError:
        raise ValueError("a network is written like 10.1.0.0/16 or fd00::/8") from None


def _smtp_url(value: str) -> str:
    if value:
        try:
            url = urlsplit(value)
            is_good = (
                url.scheme in ("smtp", "smtps") and bool(url.hostname) and url.port != 0 and not url.path.strip("/")
            )
        except ValueError:
            is_good = False
        if not is_good:
            raise ValueError("an SMTP server is written like smtps://user:password@mail.example or smtp://mail:587")
    return value


def _mail_from(value: str) -> str:
    if value and re.fullmatch(r"[^@\s<>\"]+@[^@\s<>\"]+", value) is None:
        raise ValueError("an address is written like tables@club.example")
    return value


def _operator_contact(value: str) -> str:
    if value and re.fullmatch(r"(mailto:[^@\s]+@[^@\s]+|https://\S+)", value) is None:
        raise ValueError("a contact is written like mailto:operator@club.example or https://club.example/contact")
    return value


def _token(value: str) -> str:
    if value and not re.fullmatch(r"[!-~]{16,200}", value):
        raise ValueError("a token has 16 to 200 letters, digits and other visible characters, without spaces")
    return value


_Port = Annotated[int, Field(ge=0, le=65_535)]
_Count = Annotated[int, Field(ge=1, lt=10**9)]
_Seconds = Annotated[float, Field(ge=0, lt=10**6)]
_SomeSeconds = Annotated[float, Field(gt=0, lt=10**6)]
_Rate = Annotated[Rate, BeforeValidator(_rate)]
_Words = Annotated[tuple[str, ...], BeforeValidator(_words)]
_Networks = Annotated[tuple[Annotated[str, AfterValidator(_network)], ...], BeforeValidator(_words)]
_Origins = Annotated[tuple[Annotated[str, AfterValidator(_origin)], ...], BeforeValidator(_words)]


# -- names of settings ----------------------------------------------------------------------------------------

DEPRECATED: Final = {"bot_least_seconds": "bot_min_seconds", "bot_most_seconds": "bot_max_seconds"}
"""Old names of settings, which are still accepted as options and as environment variables."""


def option_name(name: str) -> str:
    """Return the command-line option of a setting."""
    return f"--{name.replace('_', '-')}"


def variable_name(name: str) -> str:
    """Return the environment variable of a setting."""
    return f"{PREFIX}{name.upper()}"


def _with_old_names(name: str) -> AliasChoices:
    old_names = [old_name for old_name, new_name in DEPRECATED.items() if new_name == name]
    return AliasChoices(*map(variable_name, (name, *old_names)))


# -- the settings ---------------------------------------------------------------------------------------------


class Settings(BaseSettings):
    """The settings of the server."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, frozen=True, str_strip_whitespace=True, enable_decoding=False, populate_by_name=True
    )

    host: str = Field(
        default="127.0.0.1", min_length=1, description="address to listen on; 0.0.0.0 for all addresses of this machine"
    )
    port: _Port = Field(default=8000, description="port to listen on; 0 chooses a free one")
    database: Path = Field(
        default=Path("sanfrancisco.db"), description="file that stores tables and users; created if missing"
    )
    durability: Literal["full", "fast"] = Field(
        default="full", description="full, or fast: a power failure may lose the last moves"
    )
    redis: Annotated[str, AfterValidator(_redis_url)] = Field(
        default="", description="URL of a Redis that stores everything instead of the file (default: none)"
    )
    redis_replicas: Annotated[int, Field(ge=0, le=10)] = Field(
        default=0,
        description="replicas of the Redis that must confirm each move before it is acknowledged; "
        "with fewer, moves are refused",
    )
    workers: _Count = Field(default=1, description="processes that serve this address; more than one need a Redis")
    web: Path = Field(default=_WEB, description="folder with the built web client (default: the installed one)")
    origins: _Origins = Field(
        default=(),
        description="comma-separated origins of the pages, like https://play.example "
        "(default: the address that the browser asks for)",
    )
    forwarded_from: _Words = Field(
        default=(), description="comma-separated proxies whose X-Forwarded-* headers are trusted (default: none)"
    )
    metrics_listen: Annotated[str, AfterValidator(_address)] = Field(
        default="",
        description="address for the metrics and other pages of the operator, like 127.0.0.1:9000; each further worker "
        "takes the next port (default: none)",
    )
    metrics_token: Annotated[str, AfterValidator(_token)] = Field(
        default="",
        description="token that these pages then require (Authorization: Bearer TOKEN); needed for any other address "
        "than a loopback one (default: none)",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="minimum level of the lines in the log"
    )
    bot_min_seconds: _Seconds = Field(
        default=0.8,
        validation_alias=_with_old_names("bot_min_seconds"),
        description="minimum time that a bot takes for a decision",
    )
    bot_max_seconds: _Seconds = Field(
        default=2.0,
        validation_alias=_with_old_names("bot_max_seconds"),
        description="maximum time that a bot takes for a decision",
    )
    bot_workers: _Count = Field(
        default=max(2, (os.cpu_count() or 1) - 1),
        description="maximum number of processes that compute the decisions of bots",
    )
    coach_workers: Annotated[int, Field(ge=0, le=1_000)] = Field(
        default=1,
        description="maximum number of processes, of low priority, that analyse finished games; 0: no analyses",
    )
    ping_seconds: _SomeSeconds = Field(
        default=20.0, description="silence of a peer before it gets a websocket ping, and the timeout of the pong"
    )
    slow_seconds: _SomeSeconds = Field(
        default=_TRANSPORT_LIMITS.resume_timeout, description="time for a slow reader to catch up"
    )
    drain_seconds: _SomeSeconds = Field(default=10.0, description="time to finish pending requests after SIGTERM")
    write_buffer: _Count = Field(
        default=_TRANSPORT_LIMITS.write_buffer, description="bytes that may be pending for one slow reader"
    )
    connections: _Count = Field(default=_LIMITS.connections, description="connections of all users together")
    connections_per_user: _Count = Field(default=_LIMITS.connections_per_user, description="connections of one user")
    connections_per_address: _Count = Field(
        default=_LIMITS.connections_per_address,
        description="connections from one address; new users hold at most half of them",
    )
    http_connections_per_address: _Count = Field(
        default=CONNECTIONS_PER_ADDRESS,
        description="HTTP connections from one address, beside its websockets; the oldest idle one makes room",
    )
    notification_grace: _Seconds = Field(
        default=120.0,
        description="time for which a decision has waited, and its person has not looked at the page, before they are "
        "told",
    )
    push: Literal["on", "off"] = Field(default="on", description="people may be told by Web Push: on or off")
    push_hosts: _Words = Field(
        default=(),
        description="comma-separated push services that browsers may use, with all names below them (default: all)",
    )
    webhooks: Literal["on", "off"] = Field(default="on", description="people may be told by webhooks: on or off")
    outbound_networks: _Networks = Field(
        default=(),
        description="comma-separated networks, like 10.1.0.0/16, in which webhooks and push services may be although "
        "they are private, over plain HTTP and on any port too (default: none)",
    )
    smtp_url: Annotated[str, AfterValidator(_smtp_url)] = Field(
        default="",
        description="SMTP server for mail to people, like smtps://user:password@mail.example (default: none, no mail)",
    )
    mail_from: Annotated[str, AfterValidator(_mail_from)] = Field(
        default="", description="address from which mail comes; needed with --smtp-url (default: none)"
    )
    operator_contact: Annotated[str, AfterValidator(_operator_contact)] = Field(
        default="",
        description="mailto: or https: address at which push services reach the operator (default: the page's address)",
    )
    mail_rate: _Rate = Field(default=Rate(500, 86_400, burst=100), description="mail to all people together")
    request_rate: _Rate = Field(
        default=_LIMITS.requests, description="requests of one user, as COUNT/SECONDS/BURST like all rates"
    )
    chat_rate: _Rate = Field(default=_LIMITS.chat, description="chat messages of one user")
    creation_rate: _Rate = Field(default=_LIMITS.creations, description="tables that one user creates")
    match_rate: _Rate = Field(default=_LIMITS.matches, description="quick matches that one user requests")
    list_rate: _Rate = Field(default=_LIMITS.lists, description="lists of tables that one user requests")
    hint_rate: _Rate = Field(default=_LIMITS.hints, description="hints that one user requests")
    analysis_rate: _Rate = Field(
        default=_LIMITS.analyses, description="analyses of finished games that one user starts"
    )
    account_rate: _Rate = Field(default=_LIMITS.accounts, description="changes of an account that one user requests")
    invitation_rate: _Rate = Field(default=_LIMITS.invitations, description="invitations that one user sends")
    sign_in_rate: _Rate = Field(
        default=_LIMITS.sign_ins, description="sign-ins with a passkey that are begun from one address"
    )
    hosted_tables: _Count = Field(default=3, description="open public tables that one user may host at the same time")
    handshake_rate: _Rate = Field(
        default=_LIMITS.handshakes, description="websocket handshakes and session requests of one user"
    )
    failure_rate: _Rate = Field(
        default=_LIMITS.failures, description="handshakes and session requests without a session, from one address"
    )
    session_rate: _Rate = Field(default=_LIMITS.sessions, description="new guests from one address")
    code_rate: _Rate = Field(
        default=_LIMITS.codes, description="wrong one-time codes, recovery codes and passkeys from one address"
    )
    new_handshake_rate: _Rate = Field(
        default=_LIMITS.new_handshakes, description="handshakes and session requests of all new users at one address"
    )
    new_creation_rate: _Rate = Field(
        default=_LIMITS.new_creations, description="tables that all new users at one address create"
    )
    new_match_rate: _Rate = Field(
        default=_LIMITS.new_matches, description="quick matches that all new users at one address request"
    )
    new_chat_rate: _Rate = Field(default=_LIMITS.new_chat, description="chat messages of all new users at one address")
    new_hint_rate: _Rate = Field(
        default=_LIMITS.new_hints, description="hints that all new users at one address request"
    )
    new_analysis_rate: _Rate = Field(
        default=_LIMITS.new_analyses, description="analyses that all new users at one address start"
    )
    new_account_rate: _Rate = Field(
        default=_LIMITS.new_accounts, description="changes of accounts that all new users at one address request"
    )
    frame_rate: _Rate = Field(
        default=_TRANSPORT_LIMITS.frames, description="websocket frames of any kind on one connection"
    )

    @model_validator(mode="after")
    def _check_combinations(self) -> Self:
        if self.bot_max_seconds < self.bot_min_seconds:
            raise ValueError("--bot-max-seconds must be at least --bot-min-seconds")
        if self.workers > 1 and not self.redis:
            raise ValueError("--workers above 1 needs --redis, which all workers share")
        if self.smtp_url and not self.mail_from:
            raise ValueError("--smtp-url needs --mail-from, the address from which mail comes")
        if self.metrics_listen:
            host, port = split_address(self.metrics_listen)
            if not self.metrics_token and not is_loopback(host):
                raise ValueError("--metrics-listen needs --metrics-token for any other address than a loopback one")
            if port and port + self.workers > 65_536:
                raise ValueError("--metrics-listen needs a port for each worker, counted from its own")
        return self

    @classmethod
    def read(cls, options: Mapping[str, str | None]) -> Self:
        """Return the settings that the options, by the names of the fields, and the environment give together.

        Raise `BadSetting` for the first invalid value and for an environment variable that is no setting.
        """
        names = cls.model_fields.keys() | DEPRECATED.keys()
        known = {_BUILD, *(variable_name(name) for name in names)}
        for variable in os.environ:
            if variable.startswith(PREFIX) and variable not in known:
                raise BadSetting(f"There is no setting {variable}.")
        given: dict[str, Any] = {name: text for name, text in options.items() if text is not None}
        try:
            return cls(**given)
        except ValidationError as error:
            raise BadSetting(_sentence(error, given)) from None

    def metrics_address(self, worker: int) -> tuple[str, int] | None:
        """Return host and port of the operator's pages of a worker, counted from 0; None if there are none."""
        if not self.metrics_listen:
            return None
        host, port = split_address(self.metrics_listen)
        return host, port + worker if port else 0

    def limits(self) -> Limits:
        """Return the limits of the gateway."""
        return Limits(
            requests=self.request_rate,
            chat=self.chat_rate,
            creations=self.creation_rate,
            matches=self.match_rate,
            lists=self.list_rate,
            hints=self.hint_rate,
            analyses=self.analysis_rate,
            new_analyses=self.new_analysis_rate,
            accounts=self.account_rate,
            invitations=self.invitation_rate,
            sign_ins=self.sign_in_rate,
            new_accounts=self.new_account_rate,
            handshakes=self.handshake_rate,
            failures=self.failure_rate,
            sessions=self.session_rate,
            codes=self.code_rate,
            new_handshakes=self.new_handshake_rate,
            new_creations=self.new_creation_rate,
            new_matches=self.new_match_rate,
            new_chat=self.new_chat_rate,
            new_hints=self.new_hint_rate,
            connections=self.connections,
            connections_per_user=self.connections_per_user,
            connections_per_address=self.connections_per_address,
        )

    def transport_limits(self) -> TransportLimits:
        """Return the limits of each websocket."""
        return TransportLimits(write_buffer=self.write_buffer, resume_timeout=self.slow_seconds, frames=self.frame_rate)


def _sentence(error: ValidationError, options: Mapping[str, Any]) -> str:
    """Return a sentence about the first invalid value, with the option or the variable that it came from."""
    first = error.errors(include_url=False)[0]
    reason = first["msg"].removeprefix("Value error, ")
    if not first["loc"]:
        return f"{reason}."
    name = str(first["loc"][0]).removeprefix(PREFIX).lower()
    label = option_name(name) if name in options else variable_name(name)
    return f"{label} cannot be {first['input']!r}: {reason[0].lower()}{reason[1:]}."


def described() -> list[tuple[str, str]]:
    """Return the name and the help text, with the default, of every setting."""
    return [(name, _help(field.description or "", field.default)) for name, field in Settings.model_fields.items()]


def _help(description: str, default: Any) -> str:
    return description if "(default" in description else f"{description} (default: {_text(default)})"


def _text(value: Any) -> str:
    if isinstance(value, Rate):
        return f"{value.count}/{value.seconds:g}/{value.burst}"
    return f"{value:g}" if isinstance(value, float) else str(value)
