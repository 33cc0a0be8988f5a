"""The functions of `sacrebleu.utils` that need nothing else; the others are passed on."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from functools import reduce
from operator import add
from typing import IO, TYPE_CHECKING, Any

from vecbleu.core.scoring.smoothing import LOG_ZERO
from vecbleu.sacrebleu.installed import pass_on

if TYPE_CHECKING:
    from sacrebleu.dataset import DATASETS as DATASETS
    from sacrebleu.dataset import SUBSETS as SUBSETS
    from sacrebleu.utils import SACREBLEU_DIR as SACREBLEU_DIR
    from sacrebleu.utils import USERHOME as USERHOME
    from sacrebleu.utils import Color as Color
    from sacrebleu.utils import args_to_dict as args_to_dict
    from sacrebleu.utils import download_file as download_file
    from sacrebleu.utils import download_test_set as download_test_set
    from sacrebleu.utils import extract_tarball as extract_tarball
    from sacrebleu.utils import filter_subset as filter_subset
    from sacrebleu.utils import get_available_origlangs as get_available_origlangs
    from sacrebleu.utils import get_available_subsets as get_available_subsets
    from sacrebleu.utils import get_available_testsets as get_available_testsets
    from sacrebleu.utils import (
        get_available_testsets_for_langpair as get_available_testsets_for_langpair,
    )
    from sacrebleu.utils import get_files as get_files
    from sacrebleu.utils import get_langpairs_for_testset as get_langpairs_for_testset
    from sacrebleu.utils import get_md5sum as get_md5sum
    from sacrebleu.utils import get_reference_files as get_reference_files
    from sacrebleu.utils import get_source_file as get_source_file
    from sacrebleu.utils import print_results_table as print_results_table
    from sacrebleu.utils import print_single_results as print_single_results
    from sacrebleu.utils import print_subset_results as print_subset_results
    from sacrebleu.utils import print_test_set as print_test_set
    from sacrebleu.utils import sacrelogger as sacrelogger
    from sacrebleu.utils import sanity_check_lengths as sanity_check_lengths


def smart_open(file: str | os.PathLike[str], mode: str = "rt", encoding: str = "utf-8") -> IO[Any]:
    r"""Open a text file, compressed with gzip if its name ends in .gz; only ``\n`` ends lines.

    Parameters
    ----------
    file : str or path
        The file.
    mode : str
        The mode of the built-in `open`.
    encoding : str
        The encoding.

    Returns
    -------
    file object
    """
    if not os.fspath(file).endswith(".gz"):
        return open(file, mode, encoding=encoding, newline="\n")
    import gzip

    return gzip.open(file, mode, encoding=encoding, newline="\n")  # type: ignore[return-value]


def my_log(num: float) -> float:
    """Take the logarithm; of zero, -9999999999, of which the exponential is zero."""
    return LOG_ZERO if num == 0 else math.log(num)


def sum_of_lists(lists: Sequence[Sequence[Any]]) -> Any:
    """Add up lists of numbers, place by place; a single one is given back as it is."""
    if len(lists) == 1:
        return lists[0]
    zero = type(lists[0][0])(0)
    return [reduce(add, column, zero) for column in zip(*lists, strict=True)]


if not TYPE_CHECKING:  # else every name would be known, misspelled ones too
    __getattr__, __dir__ = pass_on(__name__, "utils")
