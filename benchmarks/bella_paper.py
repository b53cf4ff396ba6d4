"""The paper's own figures: Tables 2 to 5 (neural network) and 7 to 11 (random forest), as printed there."""

from __future__ import annotations

Rows = dict[str, tuple[float, ...]]

FIDELITY_COLUMNS = ("lime", "maple", "bella", "shap", "counterfactual")
FIDELITY: dict[str, Rows] = {
    "nn": {
        "auto_mpg": (2.99, 0.86, 1.45, 0.0, 5.69),
        "seoul_bike": (579.76, 75.42, 224.7, 0.0, 1053.64),
        "concrete": (10.61, 2.13, 4.87, 0.0, 10.73),
        "servo": (0.75, 0.21, 0.59, 0.0, 1.12),
        "electrical_grid": (0.02, 0.01, 0.02, 0.0, 0.02),
        "superconductivity": (23.17, 1.05, 14.24, 0.0, 57.5),
        "wine_quality_white": (0.36, 0.17, 0.29, 0.0, 1.53),
        "real_estate": (4.97, 1.48, 2.01, 0.0, 1.76),
        "wind": (2.52, 1.15, 1.69, 0.0, 5.43),
        "cpu_activity": (16.3, 0.81, 1.18, 0.0, 2.24),
        "echocardiogram": (3.02, 1.82, 2.84, 0.0, 6.86),
        "iranian_churn": (172.13, 4.04, 24.4, 0.0, 30.49),
    },
    "rf": {
        "auto_mpg": (1.57, 0.95, 1.52, 0.0, 2.97),
        "seoul_bike": (338.5, 61.23, 228.14, 0.0, 1057.2),
        "concrete": (5.78, 2.22, 5.11, 0.0, 4.25),
        "servo": (0.45, 0.18, 0.45, 0.0, 4.47),
        "electrical_grid": (0.01, 0.0, 0.01, 0.0, 0.0),
        "superconductivity": (30.68, 0.96, 15.52, 0.0, 57.5),
        "wine_quality_white": (0.3, 0.17, 0.28, 0.0, 0.87),
        "real_estate": (5.19, 2.55, 5.04, 0.0, 10.71),
        "wind": (1.4, 0.7, 1.17, 0.0, 3.84),
        "cpu_activity": (12.57, 0.63, 1.26, 0.0, 2.54),
        "echocardiogram": (3.31, 1.64, 3.21, 0.0, 16.87),
        "iranian_churn": (141.57, 9.46, 17.39, 0.0, 320.59),
    },
}
"""The paper says RMSE; most of its figures are mean absolute errors."""

GENERALITY_COLUMNS = ("lime", "shap", "maple", "bella")
GENERALITY: dict[str, Rows] = {
    "nn": {
        "auto_mpg": (21.12, 0.0, 60.09, 44.21),
        "seoul_bike": (1.34, 0.0, 6.35, 45.08),
        "concrete": (1.1, 0.0, 32.05, 34.02),
        "servo": (13.43, 0.0, 76.23, 75.28),
        "electrical_grid": (0.02, 0.0, 8.44, 31.84),
        "superconductivity": (1.01, 0.0, 4.39, 52.78),
        "wine_quality_white": (0.97, 0.0, 16.45, 33.68),
        "real_estate": (3.43, 0.0, 47.89, 39.37),
        "wind": (0.78, 0.0, 12.46, 100.0),
        "cpu_activity": (0.79, 0.0, 9.34, 30.36),
        "echocardiogram": (0.06, 0.0, 9.19, 77.11),
        "iranian_churn": (1.83, 0.0, 12.17, 30.21),
    },
    "rf": {
        "auto_mpg": (8.35, 0.0, 45.41, 72.08),
        "seoul_bike": (1.34, 0.0, 6.36, 50.96),
        "concrete": (0.23, 0.0, 30.13, 42.24),
        "servo": (11.03, 0.0, 73.24, 84.03),
        "electrical_grid": (0.01, 0.0, 7.23, 33.24),
        "superconductivity": (0.01, 0.0, 3.47, 67.45),
        "wine_quality_white": (2.18, 0.0, 18.48, 72.24),
        "real_estate": (2.43, 0.0, 47.32, 83.38),
        "wind": (0.44, 0.0, 12.46, 100.0),
        "cpu_activity": (0.47, 0.0, 9.94, 50.43),
        "echocardiogram": (2.11, 0.0, 5.98, 88.22),
        "iranian_churn": (1.78, 0.0, 11.97, 28.43),
    },
}
"""Percent of the training rows."""

SIMPLICITY_COLUMNS = ("shap", "maple", "bella")
SIMPLICITY: dict[str, Rows] = {
    "nn": {
        "auto_mpg": (9.0, 8.93, 3.9),
        "seoul_bike": (11.54, 13.44, 8.47),
        "concrete": (8.0, 8.0, 6.24),
        "servo": (12.47, 17.88, 5.65),
        "electrical_grid": (12.0, 12.0, 9.4),
        "superconductivity": (70.29, 81.0, 14.19),
        "wine_quality_white": (11.0, 11.0, 7.58),
        "real_estate": (5.0, 5.0, 4.1),
        "wind": (13.05, 14.0, 9.32),
        "cpu_activity": (12.0, 12.0, 9.56),
        "echocardiogram": (7.33, 8.49, 7.07),
        "iranian_churn": (9.14, 10.52, 4.76),
    },
    "rf": {
        "auto_mpg": (9.0, 8.85, 3.65),
        "seoul_bike": (12.22, 13.43, 7.94),
        "concrete": (8.0, 8.0, 5.4),
        "servo": (10.16, 14.88, 6.47),
        "electrical_grid": (12.0, 12.0, 8.06),
        "superconductivity": (34.14, 81.0, 12.57),
        "wine_quality_white": (11.0, 11.0, 6.02),
        "real_estate": (5.0, 5.0, 3.95),
        "wind": (13.63, 13.0, 7.82),
        "cpu_activity": (12.0, 12.0, 9.5),
        "echocardiogram": (7.36, 8.43, 5.23),
        "iranian_churn": (9.15, 10.51, 4.87),
    },
}
"""Features of an explanation; LIME is given the size of BELLA."""

ROBUSTNESS_COLUMNS = ("lime5", "shap5", "maple5", "bella5", "lime20", "shap20", "maple20", "bella20")
ROBUSTNESS: dict[str, Rows] = {
    "nn": {
        "auto_mpg": (0.89, 0.74, 0.73, 0.91, 0.82, 0.69, 0.66, 0.85),
        "seoul_bike": (0.78, 0.67, 0.52, 0.83, 0.82, 0.63, 0.52, 0.81),
        "concrete": (0.79, 0.81, 0.68, 0.74, 0.63, 0.7, 0.64, 0.64),
        "servo": (0.85, 0.46, 0.53, 0.76, 0.88, 0.42, 0.55, 0.78),
        "electrical_grid": (0.65, 0.58, 0.69, 0.83, 0.62, 0.55, 0.74, 0.83),
        "superconductivity": (0.91, 0.8, 0.6, 0.91, 0.9, 0.74, 0.49, 0.92),
        "wine_quality_white": (0.72, 0.64, 0.71, 0.77, 0.59, 0.54, 0.64, 0.67),
        "real_estate": (0.77, 0.75, 0.78, 0.78, 0.67, 0.65, 0.62, 0.77),
        "wind": (0.68, 0.59, 0.66, 0.99, 0.72, 0.56, 0.62, 0.98),
        "cpu_activity": (0.53, 0.73, 0.7, 0.82, 0.42, 0.71, 0.75, 0.81),
        "echocardiogram": (0.77, 0.64, 0.61, 0.92, 0.76, 0.63, 0.57, 0.84),
        "iranian_churn": (0.71, 0.86, 0.67, 0.89, 0.64, 0.8, 0.6, 0.86),
    },
    "rf": {
        "auto_mpg": (0.9, 0.68, 0.7, 0.96, 0.83, 0.58, 0.65, 0.93),
        "seoul_bike": (0.69, 0.63, 0.47, 0.83, 0.67, 0.62, 0.48, 0.85),
        "concrete": (0.81, 0.73, 0.76, 0.79, 0.67, 0.58, 0.65, 0.73),
        "servo": (0.85, 0.46, 0.63, 0.74, 0.8, 0.59, 0.62, 0.76),
        "electrical_grid": (0.82, 0.55, 0.62, 0.88, 0.76, 0.5, 0.58, 0.88),
        "superconductivity": (0.88, 0.69, 0.68, 0.94, 0.86, 0.73, 0.68, 0.95),
        "wine_quality_white": (0.74, 0.58, 0.62, 0.87, 0.66, 0.46, 0.53, 0.83),
        "real_estate": (0.73, 0.71, 0.76, 0.94, 0.66, 0.64, 0.67, 0.82),
        "wind": (0.64, 0.61, 0.66, 0.99, 0.68, 0.61, 0.61, 0.99),
        "cpu_activity": (0.58, 0.73, 0.67, 0.82, 0.55, 0.66, 0.62, 0.79),
        "echocardiogram": (0.83, 0.59, 0.52, 0.97, 0.8, 0.57, 0.45, 0.96),
        "iranian_churn": (0.77, 0.83, 0.7, 0.86, 0.76, 0.77, 0.62, 0.84),
    },
}
"""Against the 5 and the 20 nearest neighbours."""

SECONDS_COLUMNS = ("lime", "shap", "maple", "bella")
SECONDS: dict[str, Rows] = {
    "nn": {
        "auto_mpg": (2.21, 0.04, 0.02, 1.4),
        "seoul_bike": (1.84, 0.1, 0.01, 2.7),
        "concrete": (2.1, 0.02, 0.02, 0.92),
        "servo": (1.34, 0.17, 0.02, 2.99),
        "electrical_grid": (3.27, 0.13, 0.01, 2.27),
        "superconductivity": (21.9, 0.17, 0.02, 242.0),
        "wine_quality_white": (3.71, 0.16, 0.02, 1.66),
        "real_estate": (1.74, 0.01, 0.01, 0.72),
        "wind": (3.77, 0.13, 0.01, 1.53),
        "cpu_activity": (1.04, 0.11, 0.01, 1.36),
        "echocardiogram": (1.83, 0.01, 0.01, 3.35),
        "iranian_churn": (2.83, 0.04, 0.02, 1.36),
    },
    "rf": {
        "auto_mpg": (2.32, 0.06, 0.01, 1.35),
        "seoul_bike": (1.42, 0.12, 0.01, 3.24),
        "concrete": (2.26, 0.04, 0.02, 0.92),
        "servo": (1.42, 0.18, 0.02, 3.03),
        "electrical_grid": (1.93, 0.11, 0.01, 1.95),
        "superconductivity": (21.65, 0.27, 0.02, 243.51),
        "wine_quality_white": (3.92, 0.2, 0.02, 1.7),
        "real_estate": (1.84, 0.02, 0.01, 0.77),
        "wind": (2.24, 0.13, 0.01, 1.45),
        "cpu_activity": (1.87, 0.12, 0.01, 1.66),
        "echocardiogram": (1.17, 0.02, 0.01, 2.57),
        "iranian_churn": (3.0, 0.08, 0.02, 1.4),
    },
}
"""Of one explanation."""
