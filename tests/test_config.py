"""Settings from options and the environment."""

import os
from pathlib import Path

import pytest

from server.config import DEPRECATED, BadSetting, Settings, described, option_name, variable_name
from server.gateway.limits import Limits, TransportLimits
from server.rate_limit import Rate


@pytest.fixture(autouse=True)
def empty_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in os.environ:
        if variable.startswith("SANFRANCISCO_"):
            monkeypatch.delenv(variable)


def test_the_default_limits_are_those_of_the_gateway() -> None:
    settings = Settings.read({})
    assert settings == Settings()
    assert settings.limits() == Limits()
    assert settings.transport_limits() == TransportLimits()


@pytest.mark.parametrize("name", ["port", "bot_min_seconds"])
def test_an_option_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(variable_name(name), "1")
    monkeypatch.setenv("SANFRANCISCO_HOST", "192.0.2.1")
    monkeypatch.setenv("OTHER_PORT", "3")
    settings = Settings.read({name: "2", "host": None})
    assert (getattr(settings, name), settings.host) == (2, "192.0.2.1")


def test_every_kind_of_value_is_read() -> None:
    settings = Settings.read(
        {
            "database": "some/where.db",
            "durability": "fast",
            "origins": "https://play.example, http://localhost:8000",
            "forwarded_from": "10.0.0.1,10.0.0.2",
            "slow_seconds": "2.5",
            "request_rate": "600/20/200",
            "connections": "10000",
        }
    )
    assert settings.database == Path("some/where.db")
    assert settings.durability == "fast"
    assert settings.origins == ("https://play.example", "http://localhost:8000")
    assert settings.forwarded_from == ("10.0.0.1", "10.0.0.2")
    assert settings.transport_limits().resume_timeout == 2.5
    assert settings.limits().requests == Rate(600, 20, burst=200)
    assert settings.limits().connections == 10_000


@pytest.mark.parametrize(
    "name, text",
    [
        ("port", "65536"),
        ("port", "-1"),
        ("port", "http"),
        ("port", ""),
        ("host", " "),
        ("durability", "slow"),
        ("log_level", "loud"),
        ("origins", "play.example"),
        ("origins", "https://play.example/"),
        ("origins", "ws://play.example"),
        ("redis", "http://localhost"),
        ("slow_seconds", "0"),
        ("slow_seconds", "soon"),
        ("slow_seconds", "inf"),
        ("slow_seconds", "nan"),
        ("bot_min_seconds", "-1"),
        ("connections", "0"),
        ("request_rate", "60/20"),
        ("request_rate", "0/20/20"),
        ("request_rate", "60/0/20"),
    ],
)
def test_an_invalid_value_is_refused_by_its_name(monkeypatch: pytest.MonkeyPatch, name: str, text: str) -> None:
    with pytest.raises(BadSetting, match=rf"^{option_name(name)} cannot be .*: [^A-Z].*[^.]\.$"):
        Settings.read({name: text})
    monkeypatch.setenv(variable_name(name), text)
    with pytest.raises(BadSetting, match=f"^{variable_name(name)} cannot be "):
        Settings.read({})


def test_an_unknown_variable_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANFRANCISCO_PROT", "1")
    with pytest.raises(BadSetting, match="SANFRANCISCO_PROT"):
        Settings.read({})


def test_the_variable_that_chooses_the_build_is_not_taken_for_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANFRANCISCO_BUILD", "plain")
    assert Settings.read({}) == Settings()


@pytest.mark.parametrize(
    "options, sentence",
    [
        ({"bot_min_seconds": "5"}, "--bot-max-seconds must be at least --bot-min-seconds."),
        ({"workers": "2"}, "--workers above 1 needs --redis, which all workers share."),
    ],
)
def test_settings_that_contradict_each_other_are_refused(options: dict[str, str], sentence: str) -> None:
    with pytest.raises(BadSetting) as error:
        Settings.read(options)
    assert str(error.value) == sentence


@pytest.mark.parametrize("old_name, name", DEPRECATED.items())
def test_a_deprecated_variable_is_still_read(monkeypatch: pytest.MonkeyPatch, old_name: str, name: str) -> None:
    monkeypatch.setenv(variable_name(old_name), "1.5")
    assert getattr(Settings.read({}), name) == 1.5
    monkeypatch.setenv(variable_name(name), "1.25")
    assert getattr(Settings.read({}), name) == 1.25


def test_every_setting_has_a_help_text_with_its_default() -> None:
    help_texts = dict(described())
    assert help_texts.keys() == Settings.model_fields.keys()
    assert all("(default: " in help_text for help_text in help_texts.values())
    assert help_texts["request_rate"].endswith("(default: 60/20/20)")


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.7", "[::1]", "localhost"])
def test_the_pages_of_the_operator_need_no_token_on_a_loopback_address(host: str) -> None:
    settings = Settings.read({"metrics_listen": f"{host}:9000", "workers": "3", "redis": "redis://here"})
    addresses = [settings.metrics_address(worker) for worker in range(3)]
    assert addresses == [(host.strip("[]"), 9_000), (host.strip("[]"), 9_001), (host.strip("[]"), 9_002)]


@pytest.mark.parametrize("host", ["[::]", "192.0.2.1", "play.example", "127.0.0.1.example"])
def test_on_any_other_address_they_need_a_token(host: str) -> None:
    with pytest.raises(BadSetting, match="--metrics-listen needs --metrics-token"):
        Settings.read({"metrics_listen": f"{host}:9000"})
    settings = Settings.read({"metrics_listen": f"{host}:9000", "metrics_token": "a-token-of-the-operator"})
    assert settings.metrics_address(0) == (host.strip("[]"), 9_000)


def test_the_pages_of_the_operator_are_closed_by_default() -> None:
    assert Settings.read({}).metrics_address(0) is None


@pytest.mark.parametrize(
    "name, text",
    [
        ("metrics_listen", "9000"),
        ("metrics_listen", "127.0.0.1"),
        ("metrics_listen", "127.0.0.1:http"),
        ("metrics_listen", "127.0.0.1:70000"),
        ("metrics_listen", "me@127.0.0.1:9000"),
        ("metrics_listen", "127.0.0.1:9000/metrics"),
        ("metrics_listen", "::1:9000:"),
        ("metrics_token", "short"),
        ("metrics_token", "two words and more of them"),
        ("metrics_token", "x" * 201),
        ("http_connections_per_address", "0"),
    ],
)
def test_an_address_or_a_token_that_cannot_be_used_is_refused(name: str, text: str) -> None:
    with pytest.raises(BadSetting, match=f"^{option_name(name)} cannot be "):
        Settings.read({name: text})


def test_every_worker_needs_a_port_for_the_operator() -> None:
    many = {"metrics_listen": "127.0.0.1:65534", "redis": "redis://here"}
    assert Settings.read(many | {"workers": "2"}).metrics_address(1) == ("127.0.0.1", 65_535)
    with pytest.raises(BadSetting, match="needs a port for each worker"):
        Settings.read(many | {"workers": "3"})
