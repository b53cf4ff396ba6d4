"""Counterfactual explanations of tabular models, as good in a notebook as behind a page."""
