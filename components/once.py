"""Values that are made once for all sessions."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Once(Generic[T]):
    """What is made at most once a key at a time; the keys asked for longest ago are forgotten."""

    def __init__(self, kept: int) -> None:
        self._most_kept = kept
        self._made: OrderedDict[Hashable, T] = OrderedDict()
        self._making: dict[Hashable, threading.Lock] = {}
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """What was made for the key, or is made now."""
        with self._lock:
            if key in self._made:
                self._made.move_to_end(key)
                return self._made[key]
            making = self._making.setdefault(key, threading.Lock())
        with making:
            with self._lock:
                if key in self._made:
                    return self._made[key]
            made = make()
            with self._lock:
                self._made[key] = made
                self._making.pop(key, None)
                while len(self._made) > self._most_kept:
                    self._made.popitem(last=False)
            return made

    def peek(self, key: Hashable) -> T | None:
        """What was made for the key and is still kept; it counts as asked for."""
        with self._lock:
            if key not in self._made:
                return None
            self._made.move_to_end(key)
            return self._made[key]
