"""The page behind the link in a mail that switches messages off: a question with a button, then the answer."""

from __future__ import annotations

import base64
import hashlib
from html import escape
from typing import Final, Literal

from server.notifications.texts import text

_STYLE: Final = (
    "body{margin:0;min-height:100vh;display:grid;place-items:center;background:#f6f1e7;color:#22303c;"
    "font:17px/1.5 system-ui,sans-serif}"
    "main{box-sizing:border-box;width:min(100%,34rem);padding:24px}"
    "h1{font-size:24px;line-height:1.25}"
    "button{min-height:48px;padding:0 20px;border:0;border-radius:10px;background:#1f5f80;color:#fff;font:inherit;"
    "font-weight:600;cursor:pointer}"
    "a{color:#1f5f80}"
    "@media(prefers-color-scheme:dark){body{background:#17202a;color:#ece6da}a{color:#8cc4e0}}"
)
_HASH: Final = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()

POLICY: Final = (
    f"default-src 'none'; style-src 'sha256-{_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""The content security policy of the page: no script, this style, and its own form."""


def unsubscribe_page(language: str, says: Literal["ask", "done", "wrong"]) -> str:
    """Return the page in HTML."""
    title, line = escape(text(language, "off.title")), escape(text(language, f"off.{says}"))
    button = f'<form method="post"><button>{escape(text(language, "off.button"))}</button></form>'
    return (
        f'<!doctype html><html lang="{language}"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">'
        f"<title>{title}</title><style>{_STYLE}</style>"
        f'<main><h1>{title}</h1><p role="status">{line}</p>{button if says == "ask" else ""}'
        f'<p><a href="/">{escape(text(language, "off.home"))}</a></p></main></html>\n'
    )
