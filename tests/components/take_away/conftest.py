"""What somebody brings is kept in a folder of the tests' own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from components import projects


@pytest.fixture(scope="session", autouse=True)
def store_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("store")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FLIPSIDE_STORE", str(folder))
        yield folder
        projects.store().close()
