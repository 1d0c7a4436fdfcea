"""What noise, missing entries and rows that do not sum to 1 mean."""

from dataclasses import dataclass
from numbers import Real
from typing import Literal, TypeAlias, final, get_args

from sfumato._typing import Name
from sfumato._wording import option
from sfumato.errors import InputError
from sfumato.partitions.reading.checks import check_choice, shown

__all__ = ["AS_IT_IS", "Missing", "Noise", "Reading"]

Noise: TypeAlias = Literal["cluster", "singletons", "unknown", "drop"]
Missing: TypeAlias = Literal["raise", "unknown", "drop"]


@final
@dataclass(frozen=True, slots=True)
class Reading:
    """How input is read, as `as_partition` explains; checked once, then handed through."""

    noise: Noise | None = None
    noise_label: Name = -1
    missing: Missing = "raise"
    new_class: bool = False
    normalize: bool = False

    def __post_init__(self) -> None:
        if self.noise is not None:
            check_choice(self.noise, get_args(Noise), "noise")
        check_choice(self.missing, get_args(Missing), "missing")
        for name in ("new_class", "normalize"):
            if not isinstance(value := getattr(self, name), bool):
                raise InputError(f"{name} is {shown(value)}; pass True or False.")
        if self.new_class and self.missing != "unknown":
            raise InputError(
                f"{option('new_class', True)} says what unknown labels may be; pass "
                f"{option('missing', 'unknown')} with it."
            )
        try:
            hash(self.noise_label)
        except TypeError:
            raise InputError(
                f"noise_label is {shown(self.noise_label)}; pass the one label that marks noise."
            ) from None

    def is_noise(self, label: object) -> bool:
        """Whether a label marks noise; also as text or as a fraction, the way files hold it.

        Examples
        --------
        >>> [Reading(noise_label=-1).is_noise(label) for label in (-1, "-1", "-1.0", "1", "x")]
        [True, True, True, False, False]
        """
        if label == self.noise_label or str(label) == str(self.noise_label):
            return True
        number = _number(label)
        return number is not None and number == _number(self.noise_label)


AS_IT_IS = Reading()


def _number(label: object) -> float | None:
    if isinstance(label, bool) or not isinstance(label, str | Real):
        return None
    try:
        return float(label)
    except (ValueError, OverflowError, TypeError):  # the last of durations
        return None
