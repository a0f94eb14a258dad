"""The files of the web client."""

from __future__ import annotations

import gzip
import socket
from pathlib import Path

import httpx
import pytest

from server.gateway.http.pages import accepted_encodings
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
            assert (await browser.get("/watch")).text == page.text
            script = await browser.get("/assets/main-A1B2C3D4.js")
            assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
            assert "javascript" in script.headers["content-type"]
            assert (await browser.get("/assets/gone-A1B2C3D4.js")).status_code == 404
            assert (await browser.get("/", headers={"If-None-Match": page.headers["etag"]})).status_code == 304
            assert (await browser.post("/")).status_code == 405
        for path in (b"/../secret.txt", b"/%2e%2e/secret.txt", b"/assets/..%2f..%2fsecret.txt", b"//secret.txt"):
            with socket.create_connection(("127.0.0.1", server.port), timeout=60) as peer:
                peer.sendall(b"GET " + path + b" HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
                assert b"404" in peer.recv(65_536).splitlines()[0]


@pytest.mark.parametrize(
    "header, accepted",
    [
        ("", set()),
        ("gzip, deflate, br", {"gzip", "br"}),
        ("BR;q=1.0, gzip;q=0.5", {"gzip", "br"}),
        ("br;q=0, gzip;q=0.001", {"gzip"}),
        ("br; q=0.000", set()),
        ("*;q=0.5, ,;", set()),
    ],
)
def test_a_coding_with_a_weight_of_zero_is_not_accepted(header: str, accepted: set[str]) -> None:
    assert accepted_encodings(header) == accepted


async def test_a_compressed_file_is_sent_to_a_browser_that_accepts_it(tmp_path: Path) -> None:
    script = tmp_path / "main-A1B2C3D4.js"
    (tmp_path / "index.html").write_text("<!doctype html>the page")
    (tmp_path / "index.html.gz").write_bytes(gzip.compress(b"<!doctype html>the page"))
    script.write_text("run()")
    script.with_name(script.name + ".br").write_bytes(b"not really brotli")
    with running(web=tmp_path) as server:
        async with httpx.AsyncClient(base_url=server.http, trust_env=False) as browser:
            page = await browser.get("/", headers={"Accept-Encoding": "gzip, br"})
            assert page.headers["content-encoding"] == "gzip"
            assert page.headers["content-type"] == "text/html; charset=utf-8"
            assert page.headers["cache-control"] == "no-cache"
            assert page.text == "<!doctype html>the page"
            plain = await browser.get("/", headers={"Accept-Encoding": "identity"})
            assert "content-encoding" not in plain.headers
            assert plain.headers["etag"] != page.headers["etag"]
            assert {plain.headers["vary"], page.headers["vary"]} == {"Accept-Encoding"}
            again = {"Accept-Encoding": "gzip", "If-None-Match": page.headers["etag"]}
            assert (await browser.get("/watch", headers=again)).status_code == 304
            async with browser.stream("GET", f"/{script.name}", headers={"Accept-Encoding": "br"}) as sent:
                assert sent.headers["content-encoding"] == "br"
                assert "javascript" in sent.headers["content-type"]
                assert "immutable" in sent.headers["cache-control"]
                assert b"".join([part async for part in sent.aiter_raw()]) == b"not really brotli"
            assert (await browser.get(f"/{script.name}", headers={"Accept-Encoding": "gzip"})).text == "run()"


async def test_pages_of_the_client_are_found_and_all_other_paths_are_not(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<!doctype html>home")
    (tmp_path / "table.html").write_text("<!doctype html>table")
    html = {"Accept": "text/html,*/*"}
    with running(web=tmp_path) as server:
        async with httpx.AsyncClient(base_url=server.http, trust_env=False, headers=html) as browser:
            for path in ("/", "/watch", "/watch/", "/you", "/rules", "/rules/planners", "/new", "/new/builders"):
                page = await browser.get(path)
                assert (path, page.status_code, page.text) == (path, 200, "<!doctype html>home")
            page = await browser.get("/t/abcd1234")
            assert (page.status_code, page.text) == (200, "<!doctype html>table")
            for path in ("/foo", "/t", "/t/", "/t/UPPER!", "/t/abc", "/rules/a/b", "/watch/x", "/foo.html"):
                page = await browser.get(path)
                assert (path, page.status_code, page.text) == (path, 404, "<!doctype html>home")
                assert page.headers["cache-control"] == "no-cache"
            # A missing file is a page for a person only.
            page = await browser.get("/assets/gone-A1B2C3D4.js", headers={"Accept": "*/*"})
            assert (page.status_code, page.text) == (404, "There is nothing here.\n")


async def test_scripts_styles_and_fonts_get_only_the_headers_that_matter_to_them(tmp_path: Path) -> None:
    for name in ("index.html", "main.js", "base.css", "inter.woff2", "art.svg"):
        (tmp_path / name).write_text("content")
    with running(web=tmp_path) as server:
        async with httpx.AsyncClient(base_url=server.http, trust_env=False) as browser:
            answers = {
                name: await browser.get(f"/{name}") for name in ("main.js", "base.css", "inter.woff2", "art.svg")
            }
            answers["/"] = await browser.get("/")
    assert {answer.headers["x-content-type-options"] for answer in answers.values()} == {"nosniff"}
    assert {answer.headers["cross-origin-resource-policy"] for answer in answers.values()} == {"same-origin"}
    with_policy = {name for name, answer in answers.items() if "content-security-policy" in answer.headers}
    assert with_policy == {"/", "art.svg"}
