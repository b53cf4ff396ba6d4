"""The rules of the house: who may import whom, where state lives, how long a file may be."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OURS = ("app", "frame", "pages", "components", "explainers", "samples", "tests", "benchmarks")
APP = ("app.py", "frame", "pages", "components")
MOST_LINES = 400
MOST_LINES_OF_A_PAGE = 150
HEAVY = ("sklearn", "shap", "skops", "onnxruntime", "xgboost", "lightgbm", "catboost", "lime", "dask")


def files(*parts: str) -> list[Path]:
    found: list[Path] = []
    for part in parts:
        path = ROOT / part
        found += [path] if path.is_file() else sorted(path.rglob("*.py"))
    return found


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert not node.level, "imports are absolute"
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def imports(path: Path) -> set[str]:
    return {module for node in ast.walk(tree(path)) for module in imported(node)}


def at_start(node: ast.AST) -> Iterator[ast.AST]:
    """What runs when a module is imported: not the insides of functions, nor what is for type checkers."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        yield child
        yield from at_start(child)


def within(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


@pytest.mark.parametrize(
    ("part", "never"),
    [
        (
            "explainers",
            ("streamlit", "plotly", "app", "frame", "pages", "components", "samples", "tests", "benchmarks"),
        ),
        ("samples", ("streamlit", "plotly", "app", "frame", "pages", "components", "tests", "benchmarks")),
        ("components", ("app", "frame", "pages", "tests", "benchmarks")),
        ("components/charts", ("streamlit", "components.state", "components.jobs", "components.store")),
        ("pages", ("app", "frame", "pages", "tests", "benchmarks")),
        ("frame", ("app", "tests", "benchmarks")),
    ],
)
def test_arrows_run_one_way(part: str, never: tuple[str, ...]) -> None:
    wrong = [(name(path), module) for path in files(part) for module in imports(path) if within(module, never)]
    assert not wrong


def test_heavy_libraries_are_imported_where_they_are_used() -> None:
    """They take seconds, and the first page shouldn't wait for them."""
    wrong = [
        (name(path), module)
        for path in files("explainers", "samples", *APP)
        for node in at_start(tree(path))
        for module in imported(node)
        if within(module, HEAVY)
    ]
    assert not wrong


def test_state_is_touched_in_components_state_only() -> None:
    wrong = [
        f"{name(path)}:{node.lineno}"
        for path in files(*APP)
        if not path.is_relative_to(ROOT / "components" / "state")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute) and node.attr in ("session_state", "query_params")
    ]
    assert not wrong


def test_no_file_is_too_long() -> None:
    lines = {name(path): path.read_text(encoding="utf-8").count("\n") for path in files(*OURS, "app.py")}
    most = {path: MOST_LINES_OF_A_PAGE if path.startswith("pages/") else MOST_LINES for path in lines}
    assert not {path: count for path, count in lines.items() if count > most[path]}


def test_what_is_public_in_explainers_is_described() -> None:
    bare = [
        f"{name(path)}: {node.name}"
        for path in files("explainers")
        for node in tree(path).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        if not node.name.startswith("_") and not ast.get_docstring(node)
    ]
    assert not bare


def test_every_module_says_what_it_is_for() -> None:
    bare = [
        name(path)
        for path in files("explainers", "samples", *APP)
        if tree(path).body and not ast.get_docstring(tree(path))
    ]
    assert not bare


def test_no_module_hides_a_package() -> None:
    """A plotly.py beside the script would be imported in Plotly's place.

    Installed packages' names are for nobody; the standard library's are free where no
    script starts, for there nothing is found by a bare name.
    """
    installed = set(packages_distributions()) - set(OURS)
    standard = set(sys.stdlib_module_names)
    wrong = []
    for path in files(*OURS, "app.py"):
        stem = path.parent.name if path.stem == "__init__" else path.stem
        starts_here = path.parent in (ROOT, ROOT / "frame", ROOT / "pages")
        if stem in installed or (starts_here and stem in standard):
            wrong.append(name(path))
    assert not wrong


def test_the_readme_s_notebook_runs(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S)
    assert len(blocks) == 1
    exec(compile(blocks[0], "README.md", "exec"), {})
    assert "it would score" in capsys.readouterr().out
