"""Web Push: the encryption against the example of RFC 8291, the proof against RFC 8292, and a service that decrypts."""

from __future__ import annotations

import json

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from server.notifications.addresses import AddressRules
from server.notifications.outbound import Outbound
from server.notifications.outcomes import Undeliverable
from server.notifications.recipients import Contact, News
from server.notifications.texts import LANGUAGES, Message, message_of
from server.notifications.web_push import (
    PADDED_BYTES,
    PushSender,
    base64url,
    bytes_of,
    encrypted,
    is_subscription,
    private_key_of,
    public_bytes,
    vapid,
)
from tests.notifications.receivers import LOOPBACK, HttpServer, PushBrowser, decrypted, key_of, status

# RFC 8291, section 5 and appendix A.
PLAIN = b"When I grow up, I want to be a watermelon"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
RECEIVER = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
RECEIVER_PUBLIC = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
ENCRYPTED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A"
    "_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)

MESSAGE = Message("id", "en", "Your move: Investors", ("Bid or pass",), "/t/k3q7m2xd", "k3q7m2xd")


def test_the_example_of_the_rfc_comes_out_byte_by_byte() -> None:
    body = encrypted(PLAIN, bytes_of(RECEIVER_PUBLIC), bytes_of(AUTH), key_of(SENDER), bytes_of(SALT), padded_bytes=1)
    assert base64url(body) == ENCRYPTED


def test_the_receiver_of_the_tests_decrypts_the_example_of_the_rfc() -> None:
    assert decrypted(bytes_of(ENCRYPTED), key_of(RECEIVER), bytes_of(AUTH)) == PLAIN


def test_the_length_of_a_message_says_little() -> None:
    browser = PushBrowser()
    bodies = [encrypted(b"x" * length, bytes_of(browser.key), bytes_of(browser.secret)) for length in (0, 1, 500)]
    assert len({len(body) for body in bodies}) == 1
    assert len(bodies[0]) == 86 + PADDED_BYTES + 16


def test_no_two_messages_look_alike() -> None:
    browser = PushBrowser()
    first, second = (encrypted(b"x", bytes_of(browser.key), bytes_of(browser.secret)) for _ in range(2))
    assert first[:16] != second[:16]
    assert first[21:86] != second[21:86]


def test_the_proof_is_signed_by_the_key_that_browsers_know() -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    header = vapid("https://push.example", key, "mailto:operator@club.example", 1_000_000)
    assert header.startswith("vapid t=")
    token, public = header.removeprefix("vapid t=").split(", k=")
    assert public == base64url(public_bytes(key))
    signed, _, signature = token.rpartition(".")
    head, claims = (json.loads(bytes_of(part)) for part in signed.split("."))
    assert head == {"typ": "JWT", "alg": "ES256"}
    assert claims == {"aud": "https://push.example", "exp": 1_043_200, "sub": "mailto:operator@club.example"}
    r, s = (int.from_bytes(bytes_of(signature)[begin : begin + 32], "big") for begin in (0, 32))
    key.public_key().verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(hashes.SHA256()))


@pytest.mark.parametrize(
    "key, secret",
    [
        ("", AUTH),
        (RECEIVER_PUBLIC, ""),
        (RECEIVER_PUBLIC, "AAAA"),
        ("AAAA", AUTH),
        (f"B{'A' * 86}", AUTH),
        ("ümlaut", AUTH),
        (RECEIVER_PUBLIC, "=" * 22),
    ],
)
def test_malformed_keys_are_no_subscription(key: str, secret: str) -> None:
    assert is_subscription(RECEIVER_PUBLIC, AUTH)
    assert not is_subscription(key, secret)


def contact_of(browser: PushBrowser, url: str) -> Contact:
    return Contact("push-1", "push", url, "https://play.example", 0, key=browser.key, secret=browser.secret, device="d")


async def test_a_push_service_gets_what_only_the_browser_can_read() -> None:
    browser = PushBrowser()
    sender = PushSender(Outbound(AddressRules(LOOPBACK)), private_key_of(bytes(31) + b"\x01"), "")
    async with HttpServer().running() as service:
        await sender.send(contact_of(browser, service.url), MESSAGE, 0)
        (request,) = service.requests
    assert request.headers["content-encoding"] == "aes128gcm"
    assert request.headers["ttl"] == "86400"
    assert len(request.headers["topic"]) <= 32
    claims = json.loads(bytes_of(request.headers["authorization"].split(".")[1]))
    assert claims["aud"] == f"http://127.0.0.1:{service.port}"
    assert claims["sub"] == "https://play.example"
    assert b"Investors" not in request.body
    assert browser.decrypted(request.body) == {
        "title": "Your move: Investors",
        "body": "Bid or pass",
        "path": "/t/k3q7m2xd",
        "tag": "k3q7m2xd",
        "language": "en",
    }


@pytest.mark.parametrize("number", [404, 410])
async def test_a_subscription_that_has_ended_is_final(number: int) -> None:
    sender = PushSender(Outbound(AddressRules(LOOPBACK)), private_key_of(bytes(31) + b"\x01"), "")
    async with HttpServer(status(number)).running() as service:
        with pytest.raises(Undeliverable) as failure:
            await sender.send(contact_of(PushBrowser(), service.url), MESSAGE, 0)
    assert failure.value.is_final


async def test_an_operator_can_name_the_push_services() -> None:
    outbound = Outbound(AddressRules(LOOPBACK))
    sender = PushSender(outbound, private_key_of(bytes(31) + b"\x01"), "", ("push.example", "other.example"))
    assert sender.is_allowed("https://push.example/x")
    assert sender.is_allowed("https://eu.push.example/x")
    assert not sender.is_allowed("https://evilpush.example/x")
    async with HttpServer().running() as service:
        with pytest.raises(Undeliverable, match="forbidden_address"):
            await sender.send(contact_of(PushBrowser(), service.url), MESSAGE, 0)
        assert service.connections == 0


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_longest_message_fits_into_a_record(language: str) -> None:
    news = tuple(
        News("move", f"table{number}", "planners", "Ж" * 40, 0, ("push-1",), decision="lay", since=1, deadline=10**12)
        for number in range(50)
    )
    browser = PushBrowser()
    sender = PushSender(Outbound(AddressRules(LOOPBACK)), private_key_of(bytes(31) + b"\x01"), "")
    async with HttpServer().running() as service:
        await sender.send(contact_of(browser, service.url), message_of("id", language, "UTC", news, {}), 0)
        assert len(service.requests[0].body) <= 4096
        assert browser.decrypted(service.requests[0].body)["body"].endswith("…")
