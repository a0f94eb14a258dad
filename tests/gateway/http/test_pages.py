"""The files of the web client."""

from __future__ import annotations

import socket
from pathlib import Path

import httpx

from tests.gateway.gateway_server import running


async def test_without_a_built_client_the_page_explains_how_to_build_it(browser: httpx.AsyncClient) -> None:
    page = await browser.get("/")
    assert page.headers["content-type"].startswith("text/plain")
    assert "npm run build" in page.text
    assert (await browser.get("/other")).status_code == 404


async def test_the_client_is_served_and_its_hashed_files_are_immutable(tmp_path: Path) -> None:
    (tmp_path / "dist" / "assets").mkdir(parents=True)
    (tmp_path / "dist" / "index.html").write_text("<!doctype html>the page")
    (tmp_path / "dist" / "assets" / "main-A1B2C3D4.js").write_text("run()")
    (tmp_path / "secret.txt").write_text("secret")
    with running(web=tmp_path / "dist") as server:
        async with httpx.AsyncClient(base_url=server.http, trust_env=False) as browser:
            page = await browser.get("/")
            assert (page.status_code, page.text) == (200, "<!doctype html>the page")
            assert page.headers["cache-control"] == "no-cache"
            assert (await browser.get("/table/abcd")).text == page.text
            script = await browser.get("/assets/main-A1B2C3D4.js")
            assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
            assert "javascript" in script.headers["content-type"]
            assert (await browser.get("/assets/gone-A1B2C3D4.js")).status_code == 404
            assert (await browser.get("/", headers={"If-None-Match": page.headers["etag"]})).status_code == 304
            assert (await browser.post("/")).status_code == 405
        for path in (b"/../secret.txt", b"/%2e%2e/secret.txt", b"/assets/..%2f..%2fsecret.txt", b"//secret.txt"):
            with socket.create_connection(("127.0.0.1", server.port), timeout=5) as peer:
                peer.sendall(b"GET " + path + b" HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
                assert b"404" in peer.recv(65_536).splitlines()[0]
