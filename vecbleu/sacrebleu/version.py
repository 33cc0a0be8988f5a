"""The version of sacreBLEU that is reproduced; vecbleu's own is `vecbleu.__version__`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vecbleu.sacrebleu.installed import pass_on

if TYPE_CHECKING:
    from sacrebleu.version import commit_id as commit_id

__version__ = version = "2.6.0"
__version_tuple__ = version_tuple = (2, 6, 0)

if not TYPE_CHECKING:  # else every name would be known, misspelled ones too
    __getattr__, __dir__ = pass_on(__name__, "version")
