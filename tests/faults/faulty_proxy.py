"""A proxy in front of Redis that can cut connections, refuse them for a while, and delay all data."""

from __future__ import annotations

import asyncio
from pathlib import Path


class FaultyProxy:
    """A proxy that listens on a Unix socket and forwards all data to another one."""

    def __init__(self, target: Path, path: Path) -> None:
        self._target = target
        self.path = path
        self.delay_seconds = 0.0
        self.is_closed = False
        self._connections: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        return f"unix://{self.path}"

    async def open(self) -> None:
        self._server = await asyncio.start_unix_server(self._proxy, self.path)

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
        self.cut()
        await asyncio.gather(*self._connections, return_exceptions=True)

    def cut(self) -> None:
        """End all connections."""
        for task in self._connections:
            task.cancel()

    async def _proxy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        other: asyncio.StreamWriter | None = None
        try:
            if self.is_closed:
                return
            answers, other = await asyncio.open_unix_connection(self._target)
            async with asyncio.TaskGroup() as both:
                both.create_task(self._copy(reader, other))
                both.create_task(self._copy(answers, writer))
        except (OSError, ExceptionGroup, asyncio.CancelledError):
            pass
        finally:
            self._connections.discard(task)
            for end in (writer, other):
                if end is not None:
                    end.close()

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(1 << 16):
            if self.delay_seconds:
                await asyncio.sleep(self.delay_seconds)
            writer.write(data)
            await writer.drain()
        raise ConnectionResetError
