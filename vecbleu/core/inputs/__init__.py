"""What users pass, made into checked and aligned segments; errors name the segment."""

from vecbleu.core.inputs.alignment import align
from vecbleu.core.inputs.columns import complete_values, is_column, reference_rows, values_of
from vecbleu.core.inputs.frames import refuse_frame
from vecbleu.core.inputs.types import AlignedCorpus
from vecbleu.core.inputs.units import align_units, check_kinds
from vecbleu.core.inputs.values import are_strings

__all__ = [
    "AlignedCorpus",
    "align",
    "align_units",
    "are_strings",
    "check_kinds",
    "complete_values",
    "is_column",
    "reference_rows",
    "refuse_frame",
    "values_of",
]
