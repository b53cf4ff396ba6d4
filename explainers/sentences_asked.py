"""What was asked for: rules and options, as a reader of the results has to know them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from explainers.constraints import Constraints, Rule
from explainers.method import Options
from explainers.schema import Direction, Feature, Schema
from explainers.sentences import listed
from explainers.wording import value

DIRECTIONS = {Direction.UP: "may only rise", Direction.DOWN: "may only fall"}


def rules(schema: Schema, constraints: Constraints) -> str:
    """What binds the features of a case, in one sentence."""
    locked = [schema[name].title for name, rule in constraints.rules if rule.locked]
    parts = [f"{listed(locked)} {'is' if len(locked) == 1 else 'are'} locked"] if locked else []
    parts += [_limits(schema[name], rule) for name, rule in constraints.rules if not rule.locked]
    return f"{'; '.join(parts)}." if parts else "Every feature may change to any value."


def options(asked: Options) -> str:
    """How the options of a method are set: look for: few changes; ..."""
    return "; ".join(_option(item.metadata, getattr(asked, item.name)) for item in fields(asked))


def _option(about: Mapping[str, Any], own: Any) -> str:
    if "choices" in about:
        text = about["choices"][own]
    elif isinstance(own, bool):
        text = "yes" if own else "no"
    else:
        text = "left open" if own is None else str(own)
    return f"{about['label']}: {text}"


def _limits(feature: Feature, rule: Rule) -> str:
    said = [DIRECTIONS[rule.direction]] if rule.direction in DIRECTIONS else []
    low, high = (None if bound is None else value(feature, bound) for bound in (rule.low, rule.high))
    if low and high:
        said.append(f"may change to {low} up to {high}")
    elif low or high:
        said.append(f"may change to {low} or more" if low else f"may change to {high} or less")
    if rule.categories is not None:
        allowed = [label for label in feature.labels if label in rule.categories]
        said.append(f"may change to {listed(allowed)}" if allowed else "may change to nothing else")
    return f"{feature.title} {listed(said)}"
