"""Text that 13a is not made for: scripts that are written without spaces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import islice

# Letters among the first strings from which on text is judged.
_FEWEST_LETTERS = 100
_STRINGS = 100

_KANA = "\u3041-\u30ff\uff66-\uff9f"
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"


def warn_of_script(
    strings: Iterable[str], tokenize: str | None, warn: Callable[[str], None]
) -> None:
    """Warn where text looks Chinese or Japanese and is cut by 13a."""
    if tokenize != "13a":
        return
    text = " ".join(islice(strings, _STRINGS))
    if text.isascii():
        return
    kana, han = (len(re.findall(f"[{letters}]", text)) for letters in (_KANA, _HAN))
    words = len(text.split())  # four letters or more each, unless they were segmented before
    if kana + han >= max(_FEWEST_LETTERS, len(text) / 2, 4 * words):
        language, own = ("Japanese", "ja-mecab") if kana > han / 9 else ("Chinese", "zh")
        warn(
            f"the text looks {language}, which is written without spaces, and 13a would take its "
            f"phrases for words; tokenize={own!r} is usual"
        )
