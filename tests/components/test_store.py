"""The store: what is kept, for whom, how long, and how much of it."""

from __future__ import annotations

import re
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from components.store import FILE_NAME, ROW_BYTES, Store, default_folder
from components.store_errors import Gone, StoreError, TooLarge

DAY = 86_400.0
PATIENCE = 60.0


class Clock:
    """Stands still until told."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


Make = Callable[..., Store]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def make(tmp_path: Path, clock: Clock) -> Iterator[Make]:
    """Opens stores on one folder, and closes them after the test."""
    made: list[Store] = []

    def one(most_bytes: int = 1_000_000, most_item_bytes: int = 100_000, seconds_kept: float = 7 * DAY) -> Store:
        limits = {"most_bytes": most_bytes, "most_item_bytes": most_item_bytes}
        made.append(Store(tmp_path / "store", clock=clock, seconds_kept=seconds_kept, **limits))
        return made[-1]

    yield one
    for store in made:
        store.close()


@pytest.fixture
def store(make: Make) -> Store:
    return make()


def is_there(store: Store, token: str) -> bool:
    try:
        store.get(token)
    except Gone:
        return False
    return True


values = st.one_of(st.text(), st.integers(), st.floats(allow_nan=False), st.none())


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=5000), st.dictionaries(st.text(), values, max_size=5), st.sampled_from(["table", "schema"]))
def test_what_is_put_comes_back_as_it_was(
    store: Store, content: bytes, about: dict[str, str | int | float | None], kind: str
) -> None:
    token = store.put(kind, content, about)
    item = store.get(token)
    assert (item.token, item.kind, item.content, dict(item.about)) == (token, kind, content, about)
    assert type(item.content) is bytes


def test_an_item_cannot_be_written_to(store: Store) -> None:
    item = store.get(store.put("table", b"a", {"name": "a.csv"}))
    with pytest.raises(TypeError):
        item.about["name"] = "b.csv"  # type: ignore[index]
    with pytest.raises(AttributeError):
        item.content = b"b"  # type: ignore[misc]


def test_tokens_are_long_distinct_and_safe_in_an_address(store: Store) -> None:
    tokens = [store.put("table", b"the same") for _ in range(200)]
    assert len(set(tokens)) == 200
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{22}", token) for token in tokens)
    # Nothing that a counter or a clock would leave the same in all of them.
    assert all(len({token[place] for token in tokens}) > 2 for place in range(22))


@pytest.mark.parametrize(
    "change",
    [
        str.swapcase,
        lambda token: token[:-1],
        lambda token: token + "a",
        lambda token: token + "\n",
        lambda token: " " + token,
        lambda token: "%",
        lambda token: "_" * 22,
        lambda token: "' OR 1=1 --",
        lambda token: "\ud800" * 22,
        lambda token: token + "\0",
        lambda token: "",
    ],
)
def test_only_the_exact_token_opens(store: Store, change: Callable[[str], str]) -> None:
    token = store.put("table", b"mine")
    wrong = change(token)
    for use in (store.get, store.touch):
        with pytest.raises(Gone, match="expired or never was here"):
            use(wrong)
    store.delete(wrong)
    assert store.get(token).content == b"mine"


def test_a_token_of_another_kind_opens_nothing(store: Store) -> None:
    token = store.put("schema", b"{}")
    assert store.get(token, kind="schema").content == b"{}"
    with pytest.raises(Gone):
        store.get(token, kind="table")


def test_what_is_deleted_is_gone_and_the_rest_is_not(store: Store) -> None:
    first, second = store.put("table", b"a"), store.put("table", b"b")
    store.delete(first)
    store.delete(first)
    assert not is_there(store, first) and is_there(store, second)
    with pytest.raises(Gone):
        store.touch(first)


def test_it_outlives_a_restart(make: Make, clock: Clock) -> None:
    store = make()
    token = store.put("table", b"kept", {"name": "a.csv"})
    store.close()
    clock.now += 6 * DAY
    item = make().get(token)
    assert item.content == b"kept" and item.about["name"] == "a.csv"
    assert item.created == clock.now - 6 * DAY


def test_it_expires_when_it_was_not_used_for_long_enough(store: Store, clock: Clock) -> None:
    token = store.put("table", b"a")
    clock.now += 7 * DAY
    assert is_there(store, token)
    clock.now += 7 * DAY
    assert is_there(store, token), "a use starts the days anew"
    clock.now += 7 * DAY + 1
    with pytest.raises(Gone):
        store.touch(token)
    assert not is_there(store, token)


def test_a_touch_is_a_use(store: Store, clock: Clock) -> None:
    token = store.put("table", b"a")
    for _ in range(3):
        clock.now += 6 * DAY
        store.touch(token)
    assert store.get(token).used == clock.now


def test_a_sweep_forgets_what_has_expired_and_nothing_else(store: Store, clock: Clock) -> None:
    old = [store.put("table", b"a"), store.put("table", b"b")]
    clock.now += 4 * DAY
    new = store.put("table", b"c")
    assert store.sweep() == 0
    clock.now += 4 * DAY
    assert store.sweep() == 2
    assert store.sweep() == 0
    assert [is_there(store, token) for token in (*old, new)] == [False, False, True]


@pytest.mark.parametrize("occasion", ["sweep", "put", "get", "restart", "delete"])
def test_what_is_forgotten_leaves_the_disk(make: Make, clock: Clock, tmp_path: Path, occasion: str) -> None:
    secret = b"the salary of Anna" * 2000
    store = make()
    token = store.put("table", secret)
    store.close()
    file = tmp_path / "store" / FILE_NAME
    size = file.stat().st_size
    assert secret[:18] in file.read_bytes()
    if occasion == "delete":
        store.delete(token)
    else:
        clock.now += 8 * DAY
    if occasion == "sweep":
        store.sweep()
    elif occasion == "put":
        store.put("table", b"new")
    elif occasion == "get":
        assert not is_there(store, token)
    elif occasion == "restart":
        make().close()
    store.close()
    left = b"".join(path.read_bytes() for path in file.parent.iterdir())
    assert secret[:18] not in left
    assert file.stat().st_size < size


def test_an_item_may_be_as_large_as_allowed_but_no_larger(make: Make) -> None:
    store = make(most_item_bytes=3 * 1024**2, most_bytes=10 * 1024**2)
    about = {"name": "a.csv"}
    room = 3 * 1024**2 - len('{"name": "a.csv"}')
    assert is_there(store, store.put("table", bytes(room), about))
    with pytest.raises(TooLarge, match=r"3\.0 MB can be kept"):
        store.put("table", bytes(room + 1), about)
    with pytest.raises(TooLarge):
        store.put("table", b"", {"name": "a" * 4 * 1024**2})


def test_the_items_used_longest_ago_make_room(make: Make, clock: Clock) -> None:
    store = make(most_bytes=3 * (1002 + ROW_BYTES), most_item_bytes=2500)
    tokens = []
    for _ in range(3):
        clock.now += 100
        tokens.append(store.put("table", bytes(1000)))
    clock.now += 100
    store.get(tokens[0])
    newest = store.put("table", bytes(1000))
    assert [is_there(store, token) for token in (*tokens, newest)] == [True, False, True, True]
    large = store.put("table", bytes(2400))
    assert is_there(store, large)
    assert sum(is_there(store, token) for token in (*tokens, newest)) == 1


def test_a_refused_item_drops_nothing(make: Make) -> None:
    store = make(most_bytes=4000, most_item_bytes=2900)
    token = store.put("table", bytes(2000))
    with pytest.raises(TooLarge):
        store.put("table", bytes(2899))
    assert is_there(store, token)


def test_empty_items_are_bounded_too(make: Make) -> None:
    store = make(most_bytes=5 * (ROW_BYTES + 2), most_item_bytes=1000)
    tokens = [store.put("table", b"") for _ in range(8)]
    assert sum(is_there(store, token) for token in tokens) == 5


def test_limits_that_contradict_each_other_are_an_error(make: Make) -> None:
    with pytest.raises(ValueError, match="more room"):
        make(most_bytes=1000, most_item_bytes=1000)


def test_two_stores_on_one_folder_see_the_same(make: Make) -> None:
    one, other = make(), make()
    token = one.put("table", b"a")
    assert other.get(token).content == b"a"
    other.delete(token)
    assert not is_there(one, token)


def test_another_process_sees_the_same(make: Make, tmp_path: Path, clock: Clock) -> None:
    store = make()
    token = store.put("table", b"from here")
    script = f"""
from components.store import Store
store = Store({str(tmp_path / "store")!r}, clock=lambda: {clock.now!r})
print(store.get({token!r}).content.decode(), store.put("table", b"from there"))
"""
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=root, capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    *said, theirs = done.stdout.split()
    assert said == ["from", "here"]
    assert store.get(theirs).content == b"from there"


def test_many_threads_on_two_stores_lose_nothing_and_keep_the_bound(make: Make) -> None:
    stores = [make(most_bytes=20 * 2026, most_item_bytes=1500) for _ in range(2)]
    barrier = threading.Barrier(8)
    wrong: list[str] = []
    tokens: list[str] = []

    def visitor(number: int) -> None:
        barrier.wait(PATIENCE)
        try:
            for step in range(15):
                content = bytes([number, step]) * 500
                token = stores[number % 2].put("table", content)
                tokens.append(token)
                if is_there(stores[step % 2], token) and stores[0].get(token).content != content:
                    wrong.append(f"{number} {step}")
                if step % 3 == 0:
                    stores[0].delete(token)
        except Gone:
            pass  # dropped between two looks, to make room for the others
        except Exception as error:
            wrong.append(repr(error))

    threads = [threading.Thread(target=visitor, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()
    assert wrong == []
    assert 0 < sum(is_there(stores[0], token) for token in tokens) <= 20


def test_many_may_open_a_new_store_at_once(tmp_path: Path) -> None:
    barrier = threading.Barrier(8)
    opened: list[str] = []

    def visitor() -> None:
        barrier.wait(PATIENCE)
        with closing(Store(tmp_path / "new")) as store:
            opened.append(store.put("table", b"a"))

    threads = [threading.Thread(target=visitor) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    with closing(Store(tmp_path / "new")) as store:
        assert [is_there(store, token) for token in opened] == [True] * 8
    assert [path.name for path in (tmp_path / "new").iterdir()] == [FILE_NAME]


def test_only_the_owner_can_read_it(make: Make, tmp_path: Path) -> None:
    make().put("table", b"a")
    folder = tmp_path / "store"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert FILE_NAME in modes and set(modes.values()) == {0o600}


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(StoreError, match=r"^Uploads can't be kept[^\n]*FLIPSIDE_STORE[^\n]*\.$"):
        Store(tmp_path / "file" / "store")


def test_a_file_that_is_no_store_is_one_sentence_and_is_left_as_it_was(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"something else" * 1000)
    with pytest.raises(StoreError, match=r"^Uploads can't be kept[^\n]*not a database[^\n]*\.$"):
        Store(tmp_path)
    assert (tmp_path / FILE_NAME).read_bytes() == b"something else" * 1000


def test_a_database_of_something_else_is_one_sentence(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.execute("CREATE TABLE else_where (token TEXT)")
    with pytest.raises(StoreError, match=r"^Uploads can't be kept[^\n]*no such table[^\n]*\.$"):
        Store(tmp_path)


def test_a_file_that_breaks_while_it_is_open_is_one_sentence(make: Make, tmp_path: Path) -> None:
    store = make()
    token = store.put("table", bytes(50_000))
    store.close()
    (tmp_path / "store" / FILE_NAME).write_bytes(b"broken" * 10_000)
    for use in (lambda: store.get(token), lambda: store.put("table", b"a"), store.sweep):
        with pytest.raises(StoreError, match=r"^Uploads can't be kept") as caught:
            use()
        assert not isinstance(caught.value, Gone)


def test_the_folder_is_the_chosen_one_or_in_the_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("FLIPSIDE_STORE", str(tmp_path / "chosen"))
    assert default_folder() == tmp_path / "chosen"
    monkeypatch.delenv("FLIPSIDE_STORE")
    assert default_folder() == tmp_path / "cache" / "flipside"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    with closing(Store()) as store:
        store.put("table", b"a")
    assert (tmp_path / ".cache" / "flipside" / FILE_NAME).exists()
