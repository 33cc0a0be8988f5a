"""sacreBLEU's tokenizer classes, which turn a line into a line with spaces between tokens.

Corpora are tokenized by `vecbleu.core.text.tokenizers` instead, many segments at a time;
`counted_name` returns the name of the tokenizer there.
"""

from __future__ import annotations

from typing import Any

from vecbleu.core.text import rules
from vecbleu.core.text.tokenizers import resolve_tokenizer

# sacreBLEU's module and class of each tokenizer.
_TOKENIZERS = {
    "none": "tokenizer_none.NoneTokenizer",
    "zh": "tokenizer_zh.TokenizerZh",
    "13a": "tokenizer_13a.Tokenizer13a",
    "intl": "tokenizer_intl.TokenizerV14International",
    "char": "tokenizer_char.TokenizerChar",
    "ja-mecab": "tokenizer_ja_mecab.TokenizerJaMecab",
    "ko-mecab": "tokenizer_ko_mecab.TokenizerKoMecab",
    "spm": "tokenizer_spm.TokenizerSPM",
    "flores101": "tokenizer_spm.Flores101Tokenizer",
    "flores200": "tokenizer_spm.Flores200Tokenizer",
    "spBLEU-1K": "tokenizer_spm.spBLEU1KTokenizer",
}

# Functions that tokenize a line without stripping it.
_RULES = {
    "13a": rules.split_unstripped_13a,
    "intl": rules.split_unstripped_intl,
    "re": rules.split_mteval,
    "zh": rules.split_zh,
}


class BaseTokenizer:
    """Base class for your own tokenizers; assign an instance to `BLEU.tokenizer`.

    Examples
    --------
    >>> from vecbleu.sacrebleu import BLEU
    >>> from vecbleu.sacrebleu.tokenizers import BaseTokenizer
    >>> class Underscores(BaseTokenizer):
    ...     def __call__(self, line):
    ...         return line.replace("_", " ")
    >>> metric = BLEU()
    >>> metric.tokenizer = Underscores()
    >>> metric.corpus_score(["a_b_c d"], [["a b c d"]]).score
    100.00000000000004
    """

    __module__ = "vecbleu.sacrebleu.tokenizers.tokenizer_base"

    def signature(self) -> str | None:
        """Return the tokenizer's name in signatures."""
        raise NotImplementedError

    def __call__(self, line: str) -> str:
        """Separate the tokens of a line by spaces."""
        raise NotImplementedError


class LineTokenizer(BaseTokenizer):
    """One of vecbleu's tokenizers, for single lines."""

    name: str  # in `vecbleu.core.text.tokenizers`

    def __init__(self, key: str = "") -> None:
        if key:  # a name or path of a SentencePiece model
            self.name = key
        self.signature()

    def signature(self) -> str | None:
        """Return the name in signatures; raise an error if a package or model is missing."""
        return self.name if self.name == "re" else resolve_tokenizer(self.name).signature()

    def __call__(self, line: str) -> str:
        """Separate the tokens of a line by spaces."""
        if self.name in _RULES:
            return " ".join(_RULES[self.name](line))
        if self.name in ("none", "char"):
            return line if self.name == "none" else " ".join(line)
        tokenizer: Any = resolve_tokenizer(self.name)
        return str(tokenizer.separator()(line))


def _make_class(name: str) -> type[LineTokenizer]:
    """Make the class of a tokenizer, named as in sacreBLEU."""
    module, _, own = _TOKENIZERS.get(name, "tokenizer_re.TokenizerRegexp").partition(".")
    place = f"vecbleu.sacrebleu.tokenizers.{module}"
    members = {"__module__": place, "__doc__": f"sacreBLEU's tokenizer {name!r}.", "name": name}
    return type(own, (LineTokenizer,), members)


_CLASSES = {name: _make_class(name) for name in _TOKENIZERS}

globals().update({cls.__name__: cls for cls in [*_CLASSES.values(), _make_class("re")]})


def _get_tokenizer(name: str) -> type[LineTokenizer]:
    return _CLASSES[name]


def make_tokenizer(name: str) -> LineTokenizer:
    """Return a tokenizer by its name, or by the path of a SentencePiece model."""
    if name in _TOKENIZERS:
        return _CLASSES[name]()
    resolve_tokenizer(name)  # raises unless it is the path of a model
    return _CLASSES["spm"](name)


def counted_name(tokenizer: Any) -> str | None:
    """Return the name of vecbleu's equivalent tokenizer; None for the user's own."""
    return tokenizer.name if type(tokenizer) in _CLASSES.values() else None


def signature_of_tokenizer(tokenizer: Any) -> str | None:
    """Return the name of a tokenizer in signatures; None if it has none."""
    signature = getattr(tokenizer, "signature", None)
    try:
        return None if signature is None else signature()
    except NotImplementedError:
        return None
