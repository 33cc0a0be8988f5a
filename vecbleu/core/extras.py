"""Packages that extras of this one bring, imported where they are used."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def import_extra(user: str, extra: str, *modules: str) -> list[Any]:
    """Import what an extra of this package brings; an error says what to install."""
    try:
        return [*map(import_module, modules)]
    except ImportError as error:
        raise ImportError(
            f'{user} the extra {extra!r}: pip install "vecbleu[{extra}]" ({error})'
        ) from None
