"""Requests to servers that are slow, gone or malicious, and to names that lead into private networks."""

from __future__ import annotations

import asyncio
import datetime
import ssl
from collections.abc import Sequence
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from server.notifications.addresses import AddressRules
from server.notifications.outbound import Answer, Outbound, check_status
from server.notifications.outcomes import Undeliverable
from tests.notifications.receivers import (
    LOOPBACK,
    Behaviour,
    HttpServer,
    answering,
    endless_body,
    endless_headers,
    endless_interim_answers,
    silent,
    slow_headers,
    status,
)


def outbound(timeout: float = 30.0) -> Outbound:
    return Outbound(AddressRules(LOOPBACK), timeout_seconds=timeout)


async def code_of(server: HttpServer, sender: Outbound) -> str:
    with pytest.raises(Undeliverable) as failure:
        check_status(await sender.post(server.url, [], b"x"))
    return failure.value.code


async def test_a_request_arrives_as_it_was_sent() -> None:
    async with HttpServer().running() as server:
        answer = await outbound().post(server.url, [("X-Kind", "test")], b"\x00body")
        assert answer == Answer(201, 0.0)
        (request,) = server.requests
        assert (request.target, request.body) == ("/hook?a=b", b"\x00body")
        assert request.headers["x-kind"] == "test"
        assert request.headers["host"] == f"127.0.0.1:{server.port}"


@pytest.mark.parametrize("behaviour", [silent, slow_headers])
async def test_a_slow_server_is_given_up(behaviour: Behaviour) -> None:
    async with HttpServer(behaviour).running() as server:
        assert await code_of(server, outbound(0.3)) == "timeout"


@pytest.mark.parametrize("behaviour", [endless_headers, endless_interim_answers, answering(b"SSH-2.0-x\r\n\r\n")])
async def test_an_endless_or_foreign_answer_is_not_read(behaviour: Behaviour) -> None:
    async with HttpServer(behaviour).running() as server:
        assert await code_of(server, outbound()) == "malformed_answer"


async def test_an_answer_that_breaks_off_is_a_failure() -> None:
    async with HttpServer(answering(b"HTTP/1.1 200")).running() as server:
        assert await code_of(server, outbound()) == "malformed_answer"


async def test_an_endless_body_is_thrown_away() -> None:
    async with HttpServer(endless_body).running() as server:
        assert (await outbound().post(server.url, [], b"x")).status == 200
        async with asyncio.timeout(60):
            await server.is_left.wait()
        # Only buffers of the system were filled.
        assert server.sent < 64 * 1024 * 1024


async def test_a_redirect_is_not_followed() -> None:
    async with (
        HttpServer().running() as inside,
        HttpServer(status(307, f"Location: {inside.url}")).running() as server,
    ):
        assert await code_of(server, outbound()) == "redirected"
        assert inside.connections == 0


@pytest.mark.parametrize(
    "behaviour, code, is_final, retry_after",
    [
        (status(404), "gone", True, 0),
        (status(410), "gone", True, 0),
        (status(400), "refused", False, 0),
        (status(413), "refused", False, 0),
        (status(429, "Retry-After: 120"), "too_many", False, 120),
        (status(429, "Retry-After: Wed, 21 Oct 2026 07:28:00 GMT"), "too_many", False, 0),
        (status(503, "Retry-After: 7"), "server_error", False, 7),
    ],
)
async def test_a_status_says_what_comes_next(
    behaviour: Behaviour, code: str, is_final: bool, retry_after: float
) -> None:
    async with HttpServer(behaviour).running() as server:
        with pytest.raises(Undeliverable) as failure:
            check_status(await outbound().post(server.url, [], b"x"))
    assert (failure.value.code, failure.value.is_final, failure.value.retry_after) == (code, is_final, retry_after)


async def test_nothing_is_sent_where_nobody_listens() -> None:
    async with HttpServer().running() as server:
        url = server.url
    with pytest.raises(Undeliverable, match="unreachable"):
        await outbound().post(url, [], b"x")


async def test_loopback_is_refused_before_anything_is_sent() -> None:
    async with HttpServer().running() as server:
        with pytest.raises(Undeliverable, match="forbidden_address"):
            await Outbound(AddressRules()).post(server.url, [], b"x")
        assert server.connections == 0


@pytest.mark.parametrize("host", ["localhost", "127.1", "2130706433", "0x7f.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0"])
async def test_no_spelling_of_loopback_is_connected_to(host: str) -> None:
    with pytest.raises(Undeliverable) as failure:
        await Outbound(AddressRules()).post(f"https://{host}/", [], b"x")
    assert failure.value.code in ("forbidden_address", "unresolved")


async def test_a_name_is_resolved_once_and_the_checked_address_is_connected_to() -> None:
    """A name server that answers with a public address first and with loopback then (DNS rebinding) wins nothing."""
    asked: list[str] = []

    async def rebinding(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["127.0.0.2"]

    async with HttpServer().running() as server:
        sender = Outbound(AddressRules(["127.0.0.1/32"]), resolve=rebinding)
        url = server.url.replace("127.0.0.1", "rebind.example")
        assert (await sender.post(url, [], b"x")).status == 201
        assert asked == ["rebind.example"]
        assert server.requests[0].headers["host"] == f"rebind.example:{server.port}"
        with pytest.raises(Undeliverable, match="forbidden_address"):
            await sender.post(url, [], b"x")


async def test_a_name_that_cannot_be_resolved_is_no_crash() -> None:
    async def failing(host: str, port: int) -> Sequence[str]:
        raise OSError

    with pytest.raises(Undeliverable, match="unresolved"):
        await Outbound(AddressRules(), resolve=failing).post("https://nowhere.example/", [], b"x")


def certificate(folder: Path, name: str) -> Path:
    """Return a file with a self-signed certificate for a name, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = folder / f"{name}.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(signed.public_bytes(Encoding.PEM) + private)
    return file


async def test_a_certificate_must_be_valid_for_the_name_and_not_for_the_address(tmp_path: Path) -> None:
    file = certificate(tmp_path, "hooks.example")
    of_server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    of_server.load_cert_chain(file)
    trusting = ssl.create_default_context(cafile=file)

    async def local(host: str, port: int) -> Sequence[str]:
        return ["127.0.0.1"]

    async with HttpServer().running(of_server) as server:
        url = f"https://hooks.example:{server.port}/"
        rules = AddressRules(LOOPBACK)
        assert (await Outbound(rules, trusting, local).post(url, [], b"x")).status == 201
        with pytest.raises(Undeliverable, match="tls"):
            await Outbound(rules, trusting, local).post(url.replace("hooks", "other"), [], b"x")
        with pytest.raises(Undeliverable, match="tls"):
            await Outbound(rules, None, local).post(url, [], b"x")
        assert len(server.requests) == 1
