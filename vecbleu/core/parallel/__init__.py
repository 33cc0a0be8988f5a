"""A function applied to blocks by several processes, whatever the blocks hold."""

from __future__ import annotations

from vecbleu.core.parallel.executors import open_executor
from vecbleu.core.parallel.futures import LostBlockError, MovedBlockError, map_blocks
from vecbleu.core.parallel.progress import progress_bar

__all__ = ["LostBlockError", "MovedBlockError", "map_blocks", "open_executor", "progress_bar"]
