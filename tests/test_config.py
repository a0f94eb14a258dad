"""Settings from arguments and the environment."""

from pathlib import Path

import pytest

from server.config import BadSetting, Settings, described, option_name
from server.gateway.limits import Limits, TransportLimits
from server.rate_limit import Rate


def test_without_anything_said_the_limits_are_those_of_the_gateway() -> None:
    settings = Settings.read({}, {})
    assert settings == Settings()
    assert settings.limits() == Limits()
    assert settings.transport_limits() == TransportLimits()


def test_arguments_go_before_the_environment() -> None:
    environment = {"SANFRANCISCO_PORT": "1", "SANFRANCISCO_HOST": "192.0.2.1", "OTHER_PORT": "3"}
    settings = Settings.read({"port": "2", "host": None}, environment)
    assert (settings.port, settings.host) == (2, "192.0.2.1")


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
        },
        {},
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
        ("slow_seconds", "0"),
        ("slow_seconds", "soon"),
        ("connections", "0"),
        ("request_rate", "60/20"),
        ("request_rate", "0/20/20"),
        ("request_rate", "60/0/20"),
    ],
)
def test_what_cannot_be_meant_is_refused_by_its_name(name: str, text: str) -> None:
    with pytest.raises(BadSetting, match=option_name(name)):
        Settings.read({name: text}, {})
    with pytest.raises(BadSetting, match=f"SANFRANCISCO_{name.upper()}"):
        Settings.read({}, {f"SANFRANCISCO_{name.upper()}": text})


def test_a_misspelt_variable_is_not_passed_over() -> None:
    with pytest.raises(BadSetting, match="SANFRANCISCO_PROT"):
        Settings.read({}, {"SANFRANCISCO_PROT": "1"})


def test_bots_that_would_take_less_than_the_least_are_refused() -> None:
    with pytest.raises(BadSetting, match="bot-most-seconds"):
        Settings.read({"bot_least_seconds": "5"}, {})


def test_every_setting_has_a_sentence_with_its_default() -> None:
    sentences = dict(described())
    assert sentences.keys() == Settings.__dataclass_fields__.keys()
    assert all("(default: " in sentence for sentence in sentences.values())
    assert sentences["request_rate"].endswith("(default: 60/20/20)")
