"""The version of sacreBLEU that is reproduced; vecbleu's own is `vecbleu.__version__`."""

from __future__ import annotations

from vecbleu.sacrebleu.installed import pass_on

__version__ = version = "2.6.0"
__version_tuple__ = version_tuple = (2, 6, 0)

__getattr__, __dir__ = pass_on(__name__, "version")
