"""Results of other libraries as tables that `explainers.counterfactuals.given` takes.

None of these libraries is needed: an adapter reads a result's public attributes alone.
"""
