"""The built-in data sets, in the order in which they are offered."""

from samples.auto_mpg import AUTO_MPG
from samples.breast_cancer import BREAST_CANCER
from samples.digits import DIGITS
from samples.german_credit import GERMAN_CREDIT
from samples.penguins import PENGUINS
from samples.sample import DataCard, Sample

__all__ = ["SAMPLES", "DataCard", "Sample", "get"]

SAMPLES: dict[str, Sample] = {
    sample.name: sample for sample in (GERMAN_CREDIT, BREAST_CANCER, PENGUINS, AUTO_MPG, DIGITS)
}


def get(name: str) -> Sample:
    """The sample called `name`.

    Raises
    ------
    LookupError
        If there is none.
    """
    try:
        return SAMPLES[name]
    except KeyError:
        raise LookupError(f"There is no sample called {name!r}; choose {' or '.join(SAMPLES)}.") from None
