"""Results of dice-ml."""

from __future__ import annotations

from typing import Any

import pandas as pd


def from_dice(result: Any, case: int = 0, *, sparse: bool = True) -> pd.DataFrame:
    """The counterfactuals of one case.

        found = given(problem, case, from_dice(dice.generate_counterfactuals(query, total_CFs=4)))

    Parameters
    ----------
    result : dice_ml.counterfactual_explanations.CounterfactualExplanations
        Or one of its ``cf_examples_list``.
    case : int
        Which of the cases that were asked about.
    sparse : bool
        Those that dice-ml made sparser afterwards, where there are any.

    Returns
    -------
    DataFrame
        One row a counterfactual, without the outcome; none where dice-ml found none.

    Raises
    ------
    ValueError
        If there is no such case.
    """
    examples = getattr(result, "cf_examples_list", [result])
    if not -len(examples) <= case < len(examples):
        raise ValueError(f"There are results for {len(examples)} cases, so there is no case {case}.")
    example = examples[case]
    found = example.final_cfs_df_sparse if sparse and example.final_cfs_df_sparse is not None else example.final_cfs_df
    if found is None:
        found = example.test_instance_df.iloc[:0]
    outcome = example.data_interface.outcome_name
    return found.drop(columns=[outcome], errors="ignore").reset_index(drop=True)
