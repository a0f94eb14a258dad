"""The files of the web client."""

from __future__ import annotations

import mimetypes
import os
import re
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

_HASHED: Final = re.compile(r"-[0-9A-Za-z]{8,}\.[a-z0-9]+(\.map)?$")
_IMMUTABLE: Final = "public, max-age=31536000, immutable"
_REVALIDATE: Final = "no-cache"

# Not every system knows the type of fonts.
mimetypes.add_type("font/woff2", ".woff2")

_PAGES: Final = (
    (re.compile(r"t/[a-z0-9]{4,32}"), "table.html"),
    (re.compile(r"|watch|you|games|(learn|rules|new|rankings)(/[a-z]{1,32})?"), "index.html"),
    (re.compile(r"u/[A-Za-z][A-Za-z0-9_-]{2,19}|g/[a-z0-9]{4,32}(/(coach|result))?"), "index.html"),
)
"""The paths of the client's pages, as in `web/src/routes.js`, and the file that loads each at once."""

_NOT_BUILT: Final = """San Francisco Tables is running, but the page to play on has not been built.

To build it, in the folder web:

    npm ci
    npm run build

The files are then in web/dist; restart the server to serve them.
"""


def web_pages(folder: Path) -> ASGIApp:
    """Return an app that serves the built client from a folder, or a page that explains how to build it."""
    if (folder / "index.html").is_file():
        return WebClient(folder)
    return not_built


async def not_built(scope: Scope, receive: Receive, send: Send) -> None:
    found = scope["path"] == "/"
    response = PlainTextResponse(_NOT_BUILT if found else "There is nothing here.\n", 200 if found else 404)
    await response(scope, receive, send)


def method_refused(allowed: str) -> Response:
    """Return the response to a request with another method than the allowed ones."""
    return PlainTextResponse("This address does not accept that method.\n", 405, {"Allow": allowed})


def page_of(path: str) -> tuple[str, int]:
    """Return the file that shows a path of the client, and the status: 404 for a path that leads nowhere."""
    for pattern, file in _PAGES:
        if pattern.fullmatch(path):
            return file, 200
    return "index.html", 404


_ENCODINGS: Final = (("br", ".br"), ("gzip", ".gz"))
"""The content codings that the build writes beside a file, the smallest first, with their suffixes."""


def accepted_encodings(header: str) -> frozenset[str]:
    """Return the content codings of `_ENCODINGS` that an Accept-Encoding header names with a weight above zero."""
    accepted = set()
    for part in header.split(","):
        coding, *parameters = (each.strip().lower() for each in part.split(";"))
        if not any(re.fullmatch(r"q=0(\.0*)?", parameter) for parameter in parameters):
            accepted.add(coding)
    return frozenset(coding for coding, _ in _ENCODINGS if coding in accepted)


class WebClient(StaticFiles):
    """The built client. A path that is no file is a page, which the client draws, also to say that nothing is there.

    A file that the build has compressed is sent compressed to a browser that accepts it.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, html=False, follow_symlink=False)

    async def get_response(self, path: str, scope: Scope) -> Response:
        name, status = path.rpartition("/")[2], 200
        if path == "." or "." not in name:
            path, status = page_of("" if path == "." else path)
        try:
            response = await self._file(path, scope)
        except HTTPException as error:
            if error.status_code == 405:
                return method_refused("GET, HEAD")
            # A person gets the client's page for a missing file too; a script or a picture gets a line of text.
            if error.status_code != 404 or "text/html" not in Headers(scope=scope).get("accept", ""):
                return PlainTextResponse("There is nothing here.\n", error.status_code)
            name, status = "index.html", 404
            response = await self._file(name, scope)
        if status == 404 and response.status_code == 200:
            response.status_code = 404
        response.headers["Cache-Control"] = _IMMUTABLE if _HASHED.search(name) else _REVALIDATE
        response.headers["Vary"] = "Accept-Encoding"
        return response

    async def _file(self, path: str, scope: Scope) -> Response:
        """Return a file, compressed if possible; raise `HTTPException` if there is none."""
        return await self._compressed(path, scope) or await super().get_response(path, scope)

    async def _compressed(self, path: str, scope: Scope) -> Response | None:
        """Return the smallest compressed file that the browser accepts, or None."""
        accepted = accepted_encodings(Headers(scope=scope).get("accept-encoding", ""))
        for coding, suffix in _ENCODINGS:
            if coding in accepted and self._is_file(path + suffix):
                response = await super().get_response(path + suffix, scope)
                response.headers["Content-Encoding"] = coding
                response.headers["Content-Type"] = _content_type(path)
                return response
        return None

    def _is_file(self, path: str) -> bool:
        try:
            full, stat = self.lookup_path(path)
        except (OSError, ValueError):
            # The name is too long, or holds a zero byte.
            return False
        return stat is not None and os.path.isfile(full)


def _content_type(path: str) -> str:
    guessed = mimetypes.guess_type(path)[0] or "application/octet-stream"
    return f"{guessed}; charset=utf-8" if guessed.startswith("text/") else guessed
