"""Uploads and edits on disk, each under a token that can't be guessed.

Whoever has the token sees the data; there is no other way to it, and no list. An item is
kept until it wasn't used for some days, or until room is needed for newer ones.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import sqlalchemy as sql

from components.store_errors import Gone, StoreError, TooLarge

About = Mapping[str, str | int | float | None]

FILE_NAME = "store.sqlite"
SECONDS_A_DAY = 86_400.0
ROW_BYTES = 1024
"""What an item counts for beside its content, so that empty ones are bounded too."""

_TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")
_LONGEST_WAIT_MS = 30_000
_NOTE_USE_AFTER = 60.0

_items = sql.Table(
    "items",
    sql.MetaData(),
    sql.Column("token", sql.String, primary_key=True),
    sql.Column("kind", sql.String, nullable=False),
    sql.Column("about", sql.String, nullable=False),
    sql.Column("created", sql.Float, nullable=False),
    sql.Column("used", sql.Float, nullable=False),
    sql.Column("size", sql.Integer, nullable=False),
    # The last one, so that to read the others SQLite needn't pass over it.
    sql.Column("content", sql.LargeBinary, nullable=False),
    sql.Index("items_by_use", "used", "size"),
)


@dataclass(frozen=True, eq=False)
class Item:
    """What is kept under a token.

    Attributes
    ----------
    token : str
    kind : str
        What it is to the one who put it there, such as "table" or "schema".
    content : bytes
    about : mapping
        What was said about it, such as the name of the file.
    created, used : float
        When it was put there, and when it was last known to be used, in seconds since 1970.
    """

    token: str
    kind: str
    content: bytes
    about: About
    created: float
    used: float


class Store:
    """A folder with one SQLite file, which threads and processes may share.

    Parameters
    ----------
    folder : path, optional
        By default as `default_folder` says. Made if absent, readable by its owner only.
    clock : callable
        Seconds since 1970, so that what is kept expires over a restart too.
    most_bytes : int
        Of all items together. For a new one, those that were used longest ago make room.
    most_item_bytes : int
        Of one item. A larger one is refused.
    seconds_kept : float
        How long an item is kept after its last use; noted to the minute.

    Raises
    ------
    StoreError
        If the folder can't be written or the file isn't a store; also by every method.
    """

    def __init__(
        self,
        folder: str | Path | None = None,
        *,
        clock: Callable[[], float] = time.time,
        most_bytes: int = 2 * 1024**3,
        most_item_bytes: int = 256 * 1024**2,
        seconds_kept: float = 7 * SECONDS_A_DAY,
    ) -> None:
        if most_item_bytes + ROW_BYTES > most_bytes:
            raise ValueError("One item can't be allowed more room than all together.")
        self._clock = clock
        self._most_bytes = most_bytes
        self._most_item_bytes = most_item_bytes
        self._seconds_kept = seconds_kept
        self._path = _absolute(Path(folder) if folder is not None else default_folder()) / FILE_NAME
        with self._sentences():
            _make(self._path)
            self._engine = _engine(self._path)
        self.sweep()

    def put(self, kind: str, content: bytes, about: About | None = None) -> str:
        """Keep something; the token under which it is found.

        Raises
        ------
        TooLarge
            If it is larger than any item may be.
        """
        text = json.dumps(dict(about or {}))
        size = len(content) + len(text)
        if size > self._most_item_bytes:
            raise TooLarge(f"This is {_megabytes(size)}, and at most {_megabytes(self._most_item_bytes)} can be kept.")
        token, now = secrets.token_urlsafe(16), self._clock()
        row = {"token": token, "kind": kind, "about": text, "created": now, "used": now, "size": size + ROW_BYTES}
        with self._writing() as connection:
            self._drop_expired(connection)
            self._make_room(connection, size + ROW_BYTES)
            connection.execute(_items.insert().values(**row, content=content))
        return token

    def get(self, token: str, kind: str | None = None) -> Item:
        """What is kept under a token; counts as a use.

        Parameters
        ----------
        token : str
        kind : str, optional
            What it has to be; under the token of something else there is nothing.

        Raises
        ------
        Gone
            If there is nothing.
        """
        if not _TOKEN.fullmatch(token):
            raise Gone()
        with self._sentences(), self._engine.begin() as connection:
            row = connection.execute(_items.select().where(_items.c.token == token)).one_or_none()
        if row is None or kind not in (None, row.kind):
            raise Gone()
        if self._has_expired(row.used):
            self.sweep()
            raise Gone()
        if self._clock() - row.used >= min(_NOTE_USE_AFTER, self._seconds_kept / 100):
            self._note_use(token)
        about = MappingProxyType(json.loads(row.about))
        return Item(row.token, row.kind, row.content, about, row.created, row.used)

    def touch(self, token: str) -> None:
        """Count as a use without reading.

        Raises
        ------
        Gone
            If there is nothing under the token.
        """
        if not _TOKEN.fullmatch(token) or not self._note_use(token):
            raise Gone()

    def delete(self, token: str) -> None:
        """Forget what is under a token, if anything is."""
        if _TOKEN.fullmatch(token):
            with self._writing() as connection:
                connection.execute(_items.delete().where(_items.c.token == token))

    def sweep(self) -> int:
        """Forget what has expired; how many items that were."""
        with self._writing() as connection:
            return self._drop_expired(connection)

    def close(self) -> None:
        """Let go of the file."""
        self._engine.dispose()

    def _has_expired(self, used: float) -> bool:
        return used < self._clock() - self._seconds_kept

    def _note_use(self, token: str) -> bool:
        now = self._clock()
        is_there = (_items.c.token == token) & (_items.c.used >= now - self._seconds_kept)
        with self._writing() as connection:
            return connection.execute(_items.update().where(is_there).values(used=now)).rowcount > 0

    def _drop_expired(self, connection: sql.Connection) -> int:
        oldest = self._clock() - self._seconds_kept
        return connection.execute(_items.delete().where(_items.c.used < oldest)).rowcount

    def _make_room(self, connection: sql.Connection, size: int) -> None:
        """Drop the items used longest ago until there is room for so many bytes."""
        total = connection.execute(sql.select(sql.func.coalesce(sql.func.sum(_items.c.size), 0))).scalar_one()
        excess = total + size - self._most_bytes
        if excess <= 0:
            return
        dropped = []
        by_use = sql.select(_items.c.token, _items.c.size).order_by(_items.c.used, _items.c.created)
        for token, freed in connection.execute(by_use):
            dropped.append(token)
            excess -= freed
            if excess <= 0:
                break
        for token in dropped:
            connection.execute(_items.delete().where(_items.c.token == token))

    @contextmanager
    def _writing(self) -> Iterator[sql.Connection]:
        """A transaction that no other writer gets in between."""
        engine = self._engine.execution_options(writes=True)
        with self._sentences(), engine.begin() as connection:
            yield connection

    @contextmanager
    def _sentences(self) -> Iterator[None]:
        """Turn what the database or the disk says into one sentence."""
        try:
            yield
        except (sql.exc.SQLAlchemyError, OSError) as error:
            cause = getattr(error, "orig", None) or getattr(error, "strerror", None) or error
            raise StoreError(
                f"Uploads can't be kept or found, as {self._path} can't be used ({str(cause).rstrip('.')}); "
                "free or repair it, or set FLIPSIDE_STORE to another folder."
            ) from error


def default_folder() -> Path:
    """The folder that FLIPSIDE_STORE names, or else one in the user's cache."""
    chosen = os.environ.get("FLIPSIDE_STORE")
    if chosen:
        return Path(chosen)
    cache = os.environ.get("XDG_CACHE_HOME", "")
    # A relative one is to be ignored, says the XDG specification.
    return (Path(cache) if os.path.isabs(cache) else Path("~/.cache")) / "flipside"


def _absolute(folder: Path) -> Path:
    try:
        return folder.expanduser().absolute()
    except RuntimeError as error:
        raise StoreError("There is no home folder to keep uploads in; set FLIPSIDE_STORE to a folder.") from error


def _megabytes(size: int) -> str:
    return f"{size / 1024**2:,.1f} MB"


def _make(path: Path) -> None:
    """Make the file if it is absent, for its owner only; of several who try at once one succeeds.

    It is made under another name and then linked: SQLite can't change the journal mode while
    others look, and its locks are lost when this process closes a file that it has open.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if path.exists():
        return
    number, name = tempfile.mkstemp(prefix="new-", dir=path.parent)
    os.close(number)
    try:
        # In this order: the journal mode fixes the other.
        engine = _engine(Path(name), "auto_vacuum = FULL", "journal_mode = WAL")
        with engine.begin() as connection:
            _items.metadata.create_all(connection)
        engine.dispose()
        os.link(name, path)
    except FileExistsError:
        pass  # another was faster
    finally:
        os.unlink(name)


def _engine(path: Path, *settings: str) -> sql.Engine:
    engine = sql.create_engine(sql.URL.create("sqlite", database=str(path)))
    # With secure_delete, what is forgotten leaves the disk.
    settings = (f"busy_timeout = {_LONGEST_WAIT_MS}", *settings, "secure_delete = ON", "journal_size_limit = 0")

    def prepare(connection: Any, record: object) -> None:
        # The driver's own way of beginning is too late: two writers could both have read before.
        connection.isolation_level = None
        for setting in settings:
            connection.execute(f"PRAGMA {setting}").close()

    sql.event.listen(engine, "connect", prepare)
    sql.event.listen(engine, "begin", _begin)
    return engine


def _begin(connection: sql.Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")
