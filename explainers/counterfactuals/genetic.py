"""A genetic search for few and small changes.

After the genetic method of DiCE (Mothilal, Sharma and Tan 2020; Schleich and others,
"GeCo", 2021). Here mutation draws values of real cases, the budget and the seed are
fixed, and the nearest real cases are in the first generation; so the search ends, is the
same each time, and finds something wherever a real case helps.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explainers.counterfactuals.evolution import Evolution, EvolutionOptions, Population
from explainers.counterfactuals.searching import InventiveSearcher, Prepared, Search

PATIENCE = 5


class Genetic(InventiveSearcher):
    """Rows bred towards few and small changes."""

    name = "genetic"
    title = "Genetic (DiCE, GeCo)"
    question = "Which few and small changes survive generation after generation?"
    options_type = EvolutionOptions

    def seek(self, search: Search, options: EvolutionOptions, prepared: Prepared) -> None:
        """Keep the fittest rows of each generation and breed the next one from them."""
        if not search.has_desired_rows:
            return
        evolution = Evolution.of(search)
        living = evolution.first(options.population)
        living = living.kept(_fittest_first(living))
        since_better, best = 0, _fitness(living)[:1].tolist()
        for generation in range(options.generations):
            if since_better == PATIENCE or not len(living):
                break
            search.run.progress((generation + 1) / (options.generations + 1))
            everybody = living.with_others(evolution.children(living, options.population))
            living = everybody.kept(_fittest_first(everybody)[: options.population])
            fitness = _fitness(living)[:1].tolist()
            since_better, best = (since_better + 1, best) if fitness == best else (0, fitness)


def _fitness(population: Population) -> NDArray[np.float64]:
    """Number of changes plus their mean size, less being better; shape (n_rows,)."""
    return np.asarray(population.changes + population.distances / (1 + population.distances))


def _fittest_first(population: Population) -> NDArray[np.intp]:
    """Rows that flip by their fitness, then the others by closeness; the earlier one in a tie."""
    fitness = np.where(population.flips, _fitness(population), -population.closeness)
    return np.lexsort((fitness, ~population.flips))
