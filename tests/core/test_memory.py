"""Memory that is kept is only for speed."""

from __future__ import annotations

import numpy as np

from vecbleu.core import memory


def test_no_memory_to_keep_is_no_error(monkeypatch):
    def refuse(*_):
        raise MemoryError

    monkeypatch.setattr(np, "empty", refuse)
    memory.keep_freed_memory.__wrapped__()
