"""What a person brought and said: one frozen value under a token, so that a link shows exactly this.

Every change makes a new project with a token of its own, which is why Back works.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import samples
from components.store_errors import Gone
from explainers.intake.roles import Plan, Way
from explainers.intake.schema_file import edits_of_plain, edits_to_plain
from samples import as_tables

if TYPE_CHECKING:
    from components.store import Store

PROJECT, TABLE, MODEL, ROWS = "project", "table", "model", "rows"
VERSION = 1
NOTE_USE_EVERY = 60.0
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")
_noted: dict[str, float] = {}


@dataclass(frozen=True)
class Project:
    """A table, a model and what is said of them.

    Attributes
    ----------
    table_name : str
        The file's name, or a sample's title.
    sample : str
        Whose table it is, if it is a sample's.
    table, sheet : str
        Token of the file, and which sheet of a workbook.
    model, model_name : str
        Token and name of the model's file, if there is one.
    plan : Plan
    """

    table_name: str
    sample: str = ""
    table: str = ""
    sheet: str = ""
    model: str = ""
    model_name: str = ""
    plan: Plan = field(default_factory=Plan)

    @property
    def title(self) -> str:
        """What stands in the list of data, where there is little room: a sample that was edited has a star."""
        return f"{self.table_name}*" if self.sample else self.table_name

    def planned(self, **changes: Any) -> Project:
        """The same files with something else said of them."""
        return replace(self, plan=replace(self.plan, **changes))


def store() -> Store:
    """Where uploads and projects are kept."""
    from components.store import default_folder

    return _store_in(default_folder())


@lru_cache(maxsize=4)
def _store_in(folder: Path) -> Store:
    from components.store import Store

    return Store(folder)


def is_token(data: str) -> bool:
    """Whether this names a project and not a sample."""
    return data not in samples.SAMPLES and _TOKEN.fullmatch(data) is not None


def keep_file(kind: str, name: str, content: bytes) -> str:
    """Keep an upload; its token."""
    return store().put(kind, content, {"name": name})


def keep(project: Project) -> str:
    """Keep a project; its token."""
    return store().put(PROJECT, json.dumps(to_plain(project)).encode(), {"name": project.table_name})


def of(data: str) -> Project:
    """The project under a token, or the one that a sample is.

    Its files count as used too, so that none expires before the project.

    Raises
    ------
    StoreError
        If it, or a file of it, has expired or never was.
    """
    if data in samples.SAMPLES:
        return Project(samples.get(data).title, sample=data, plan=as_tables.plan(data))
    item = store().get(data, PROJECT)
    project = of_plain(json.loads(item.content))
    for token in filter(None, (project.table, project.model)):
        note_use(token)
    return project


def file_of(kind: str, token: str) -> bytes:
    """What was uploaded."""
    return store().get(token, kind).content


def name_of(kind: str, token: str) -> str:
    """What the file was called that was uploaded."""
    return str(store().get(token, kind).about["name"])


def to_plain(project: Project) -> dict[str, Any]:
    """A project as plain data for JSON."""
    plan = {item.name: getattr(project.plan, item.name) for item in fields(Plan) if item.name != "edits"}
    files = {item.name: getattr(project, item.name) for item in fields(Project) if item.name != "plan"}
    return {"version": VERSION, **files, "plan": {**plan, "edits": edits_to_plain(project.plan.edits)}}


def of_plain(plain: dict[str, Any]) -> Project:
    """A project from plain data.

    Raises
    ------
    Gone
        If another version of the dashboard wrote it.
    """
    if plain.get("version") != VERSION:
        raise Gone()
    plan = plain["plan"]
    return Project(
        **{item.name: plain[item.name] for item in fields(Project) if item.name != "plan"},
        plan=Plan(
            way=Way(plan["way"]),
            classes=tuple(plan["classes"]),
            edits=edits_of_plain(plan["edits"]),
            **{name: plan[name] for name in ("target", "id", "trainer", "seed", "quantity", "unit")},
        ),
    )


def note_use(token: str) -> None:
    """Count as a use of a file: once a minute, as each note is written to the disk.

    Raises
    ------
    StoreError
        If it has expired or never was.
    """
    now = monotonic()
    if now - _noted.get(token, -NOTE_USE_EVERY) >= NOTE_USE_EVERY:
        store().touch(token)
        _noted[token] = now
