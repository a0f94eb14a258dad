"""The files of the web client."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

_HASHED: Final = re.compile(r"-[0-9A-Za-z]{8,}\.[a-z0-9]+(\.map)?$")
_IMMUTABLE: Final = "public, max-age=31536000, immutable"
_REVALIDATE: Final = "no-cache"

_PAGES: Final = (
    (re.compile(r"t/[a-z0-9]{4,32}"), "table.html"),
    (re.compile(r"|watch|you|(rules|new)(/[a-z]{1,32})?"), "index.html"),
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


def page_of(path: str) -> tuple[str, int]:
    """Return the file that shows a path of the client, and the status: 404 for a path that leads nowhere."""
    for pattern, file in _PAGES:
        if pattern.fullmatch(path):
            return file, 200
    return "index.html", 404


class WebClient(StaticFiles):
    """The built client. A path without a file extension is a page, which the client draws: also one that says 404."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, html=False, follow_symlink=False)

    async def get_response(self, path: str, scope: Scope) -> Response:
        name, status = path.rpartition("/")[2], 200
        if path == "." or "." not in name:
            path, status = page_of("" if path == "." else path)
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            return PlainTextResponse("There is nothing here.\n", error.status_code)
        if status == 404 and response.status_code == 200:
            response.status_code = 404
        response.headers["Cache-Control"] = _IMMUTABLE if _HASHED.search(name) else _REVALIDATE
        return response
