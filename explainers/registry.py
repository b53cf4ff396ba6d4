"""Every method there is; a new one is a file and a line here."""

from __future__ import annotations

from explainers.counterfactuals.nice import Nice
from explainers.importance.countershapley import CounterShapley
from explainers.importance.greedy import Greedy
from explainers.method import Generator, ImportanceMethod

GENERATORS: dict[str, Generator] = {method.name: method for method in (Nice(),)}
IMPORTANCES: dict[str, ImportanceMethod] = {method.name: method for method in (CounterShapley(), Greedy())}
