"""Every method there is; a new one is a file and a line here."""

from __future__ import annotations

from explainers.attributions.lime_weights import Lime
from explainers.attributions.shap_values import Shap
from explainers.counterfactuals.face import Face
from explainers.counterfactuals.genetic import Genetic
from explainers.counterfactuals.growing_spheres import GrowingSpheres
from explainers.counterfactuals.mcce import Mcce
from explainers.counterfactuals.nearest_case import NearestCase
from explainers.counterfactuals.nice import Nice
from explainers.counterfactuals.pareto import Pareto
from explainers.counterfactuals.prototype_path import PrototypePath
from explainers.counterfactuals.prototype_search import PrototypeSearch
from explainers.counterfactuals.random_search import RandomSearch
from explainers.importance.countershapley import CounterShapley
from explainers.importance.greedy import Greedy
from explainers.importance.sampled import Sampled
from explainers.importance.tree_shap import TreeShap
from explainers.method import AttributionMethod, Generator, ImportanceMethod, Surrogate
from explainers.surrogates.bella import Bella

GENERATORS: dict[str, Generator] = {
    method.name: method
    for method in (
        Nice(),
        Mcce(),
        NearestCase(),
        PrototypePath(),
        PrototypeSearch(),
        RandomSearch(),
        Genetic(),
        GrowingSpheres(),
        Face(),
        Pareto(),
    )
}
IMPORTANCES: dict[str, ImportanceMethod] = {
    method.name: method for method in (CounterShapley(), TreeShap(), Sampled(), Greedy())
}
SURROGATES: dict[str, Surrogate] = {method.name: method for method in (Bella(),)}
ATTRIBUTIONS: dict[str, AttributionMethod] = {method.name: method for method in (Shap(), Lime())}
