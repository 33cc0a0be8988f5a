"""Import optional packages where they are used."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def import_extra(user: str, extra: str, *modules: str) -> list[Any]:
    """Import the modules that an extra installs; ImportError says how to install it."""
    try:
        return [*map(import_module, modules)]
    except ImportError as error:
        raise ImportError(
            f'{user} the extra {extra!r}: pip install "vecbleu[{extra}]" ({error})'
        ) from None
