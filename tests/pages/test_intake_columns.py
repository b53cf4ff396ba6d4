"""What is found out of a table's columns, and taken back."""

from __future__ import annotations

from intake_driver import TABLE_NAME, IntakeScreen, loans


def test_a_category_spread_over_columns_is_told_as_one_feature_and_taken_apart() -> None:
    frame = loans()
    for housing in ("rent", "own"):
        frame = frame.assign(**{f"housing_{housing}": (frame["housing"] == housing).astype(int)})
    frame = frame.assign(housing_else=1 - frame["housing_rent"] - frame["housing_own"]).drop(columns="housing")
    screen = IntakeScreen.at("data_and_model")
    assert isinstance(screen, IntakeScreen)
    screen.bring((TABLE_NAME, frame[[*frame.columns.drop("paid"), "paid"]].to_csv(index=False).encode()))
    together = "housing: 3 columns"
    assert "exactly one is 1 in every row, so they are taken as one feature, 'housing'" in screen.text
    assert list(screen.columns.index[:4]) == ["age", "income", "visits", together]
    screen.edit(3, title="Home").click("ungroup housing")
    assert {"housing_rent", "housing_own", "housing_else"} < set(screen.columns.index)
    assert "one feature, 'housing'" not in screen.text and not screen.strips
