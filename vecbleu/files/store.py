"""Save tables of counts as .npz, and load them."""

from __future__ import annotations

import json
import os
from contextlib import nullcontext
from typing import Any, BinaryIO, Self

import numpy as np

from vecbleu.arguments.errors import named_as
from vecbleu.core.count_table import CountTable
from vecbleu.core.signature import UNKNOWN, read_signature
from vecbleu.files.replace import replaced_file

# The format of files. 1 had no signature; 2 wrote -1 for different numbers of references. Both, and
# some of 3, name no metric: they are of BLEU.
_FORMAT = 3


class OtherMetricError(ValueError):
    """A file has counts of another metric than those that are loaded."""

    def __init__(self, path: Any, metric: str, expected: str) -> None:
        super().__init__(f"{path} has counts of {metric}, not of {expected}")
        self.metric = metric


@named_as("Statistics")
class SavedTable(CountTable):
    """A table of counts that can be saved: the base of those of all metrics."""

    __slots__ = ()

    def save(self, path: str | os.PathLike[str] | BinaryIO) -> None:
        """Write the counts and the signature as .npz, to exactly this path or to an open file.

        An existing file is replaced when the new one is complete. An error leaves it unchanged.

        Raises
        ------
        OSError
            The file can't be written.

        Examples
        --------
        >>> import io, vecbleu
        >>> file = io.BytesIO()
        >>> vecbleu.statistics(["a b"], ["a c"], max_order=1).save(file)
        >>> _ = file.seek(0)
        >>> vecbleu.Statistics.load(file)
        Statistics(segments=1, hyp_len=2, ref_len=2, matches=[1], totals=[2])
        """
        fields: dict[str, Any] = {
            "format": np.int64(_FORMAT),
            "signature": np.asarray(json.dumps(self._signature.to_dict())),
            "statistics": self._array,
            "metric": np.asarray(self.metric),
            "reference_hashes": self._reference_hashes,
        }
        with (
            replaced_file(path) if isinstance(path, (str, os.PathLike)) else nullcontext(path)
        ) as file:
            np.savez_compressed(file, **fields)

    @classmethod
    def load(cls, path: str | os.PathLike[str] | BinaryIO) -> Self:
        """Read a file written by `save`, of this version or an older one.

        Raises
        ------
        ValueError
            The file is damaged, has a newer format, or holds something else.
        OSError
            The file can't be read.
        MemoryError
            The statistics do not fit in memory.
        """
        archive: Any = None
        try:
            archive = np.load(path, allow_pickle=False)
            with archive:
                version = int(archive["format"])
                if not 1 <= version <= _FORMAT:
                    raise ValueError(f"format {version}, this version reads up to {_FORMAT}")
                metric = archive["metric"].item() if "metric" in archive else "BLEU"
                if metric != cls.metric:
                    raise OtherMetricError(path, metric, cls.metric)
                signature = UNKNOWN
                if version > 1:
                    signature = read_signature(json.loads(archive["signature"].item()))
                table = cls(archive["statistics"], signature)
                if "reference_hashes" not in archive:  # vecbleu 0.4 and earlier
                    return table
                hashes = archive["reference_hashes"]
                if hashes.dtype != np.int64 or hashes.shape != table.array.shape[:-1]:
                    found = f"{hashes.dtype} of shape {hashes.shape}"
                    raise ValueError(f"reference_hashes are {found}, expected int64 for each row")
                return cls.of(table.array, signature, hashes)
        except MemoryError as error:
            raise MemoryError(f"{path}: too little memory for its statistics ({error})") from error
        except OtherMetricError:
            raise
        except Exception as error:  # of zipfile, zlib, NumPy or json
            if isinstance(error, OSError) and error.filename is not None:
                raise  # it can't be opened
            # NumPy takes any other file for a pickle, and says how to load that.
            is_other = archive is None and isinstance(error, ValueError)
            reason = "" if is_other else f": {error}"
            raise ValueError(f"{path}: no statistics of {cls.metric}{reason}") from error
