"""Tokenizers as sacreBLEU's metrics carry them: called on a line, they give a line.

Its tokens stand between spaces, in sacreBLEU's own string. Segments of a corpus are tokenized
elsewhere, many at a time and faster; `counted_name` says by which of vecbleu's tokenizers.
"""

from __future__ import annotations

from typing import Any

from vecbleu.core.public import public
from vecbleu.core.text.tokenizers import find_tokenizer


@public("vecbleu.sacrebleu.tokenizers.tokenizer_base")
class BaseTokenizer:
    """A tokenizer, to derive from: an instance can be assigned to `BLEU.tokenizer`.

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

    def signature(self) -> str | None:
        """What a signature calls it."""
        raise NotImplementedError

    def __call__(self, line: str) -> str:
        """Separate the tokens of a line by spaces."""
        raise NotImplementedError


class LineTokenizer(BaseTokenizer):
    """One of vecbleu's tokenizers, for one line."""

    name: str  # vecbleu's

    def signature(self) -> str | None:
        """What a signature calls it."""
        return self.name


class ModelTokenizer(LineTokenizer):
    """One that needs a package or a model, which its signature identifies."""

    def signature(self) -> str | None:
        """What a signature calls it; raises if something is missing."""
        return find_tokenizer(self.name).signature()


@public("vecbleu.sacrebleu.tokenizers.tokenizer_none")
class NoneTokenizer(LineTokenizer):
    """Leaves a line as it is."""

    name = "none"

    def __call__(self, line: str) -> str:
        """Give the line itself."""
        return line


@public("vecbleu.sacrebleu.tokenizers.tokenizer_re")
class TokenizerRegexp(LineTokenizer):
    """The rules of mteval that `13a` and `zh` share."""

    name = "re"

    def __call__(self, line: str) -> str:
        """Separate punctuation, symbols, and hyphens behind digits."""
        from vecbleu.core.text.tokenizers.mteval import split_mteval

        return " ".join(split_mteval(line))


@public("vecbleu.sacrebleu.tokenizers.tokenizer_13a")
class Tokenizer13a(LineTokenizer):
    """`13a`: mteval-v13a.pl's.

    Examples
    --------
    >>> from vecbleu.sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
    >>> Tokenizer13a()("Hello, &quot;world&quot;!")
    'Hello , " world " !'
    """

    name = "13a"

    def __call__(self, line: str) -> str:
        """Undo entities and hyphenation, and separate punctuation."""
        from vecbleu.core.text.tokenizers.v13a import split_unstripped_13a

        return " ".join(split_unstripped_13a(line))


@public("vecbleu.sacrebleu.tokenizers.tokenizer_intl")
class TokenizerV14International(LineTokenizer):
    """`intl`: mteval-v14.pl's international tokenization."""

    name = "intl"

    def __call__(self, line: str) -> str:
        """Separate the punctuation and the symbols of Unicode."""
        from vecbleu.core.text.tokenizers.intl import split_unstripped_intl

        return " ".join(split_unstripped_intl(line))


@public("vecbleu.sacrebleu.tokenizers.tokenizer_zh")
class TokenizerZh(LineTokenizer):
    """`zh`: Chinese characters stand alone."""

    name = "zh"

    def __call__(self, line: str) -> str:
        """Separate Chinese characters, and everything else as mteval does."""
        from vecbleu.core.text.tokenizers.zh import split_zh

        return " ".join(split_zh(line))

    @staticmethod
    def _is_chinese_char(uchar: str) -> bool:
        """Whether a character stands alone."""
        from vecbleu.core.text.tokenizers.zh import is_chinese

        return is_chinese(uchar)


@public("vecbleu.sacrebleu.tokenizers.tokenizer_char")
class TokenizerChar(LineTokenizer):
    """`char`: characters are tokens."""

    name = "char"

    def __call__(self, line: str) -> str:
        """Put a space between all characters, spaces among them."""
        return " ".join(line)


@public("vecbleu.sacrebleu.tokenizers.tokenizer_ja_mecab")
class TokenizerJaMecab(ModelTokenizer):
    """`ja-mecab`: Japanese words, as MeCab finds them with IPADIC."""

    name = "ja-mecab"

    def __init__(self) -> None:
        self.signature()  # raises if a package is missing

    def __call__(self, line: str) -> str:
        """Separate words."""
        from vecbleu.core.text.tokenizers.mecab import MecabTokenizer

        return MecabTokenizer(self.name).separate([line])[0].strip()


@public("vecbleu.sacrebleu.tokenizers.tokenizer_ko_mecab")
class TokenizerKoMecab(TokenizerJaMecab):
    """`ko-mecab`: Korean morphemes, as MeCab finds them with mecab-ko-dic."""

    name = "ko-mecab"


@public("vecbleu.sacrebleu.tokenizers.tokenizer_spm")
class TokenizerSPM(ModelTokenizer):
    """The pieces of a SentencePiece model.

    Parameters
    ----------
    key : str
        A name that sacreBLEU has for a model, or the path of one.
    """

    def __init__(self, key: str = "spm") -> None:
        self.name = "flores101" if key == "spm" else key
        self.signature()  # raises if the package or the model is missing

    def __call__(self, line: str) -> str:
        """Separate pieces."""
        from vecbleu.core.text.tokenizers.sentencepiece import SentencePieceTokenizer

        return SentencePieceTokenizer(self.name).join_pieces([line])[0]


@public("vecbleu.sacrebleu.tokenizers.tokenizer_spm")
class Flores101Tokenizer(TokenizerSPM):
    """`flores101`."""

    def __init__(self) -> None:
        super().__init__("flores101")


@public("vecbleu.sacrebleu.tokenizers.tokenizer_spm")
class Flores200Tokenizer(TokenizerSPM):
    """`flores200`."""

    def __init__(self) -> None:
        super().__init__("flores200")


@public("vecbleu.sacrebleu.tokenizers.tokenizer_spm")
class spBLEU1KTokenizer(TokenizerSPM):  # noqa: N801  # sacreBLEU's name
    """`spBLEU-1K`."""

    def __init__(self) -> None:
        super().__init__("spBLEU-1K")


CLASSES: dict[str, type[LineTokenizer]] = {
    "none": NoneTokenizer,
    "zh": TokenizerZh,
    "13a": Tokenizer13a,
    "intl": TokenizerV14International,
    "char": TokenizerChar,
    "ja-mecab": TokenizerJaMecab,
    "ko-mecab": TokenizerKoMecab,
    "spm": TokenizerSPM,
    "flores101": Flores101Tokenizer,
    "flores200": Flores200Tokenizer,
    "spBLEU-1K": spBLEU1KTokenizer,
}
_OWN = frozenset(CLASSES.values())


def make_tokenizer(name: str) -> LineTokenizer:
    """A tokenizer by its name, or the path of a SentencePiece model."""
    if name in CLASSES:
        return CLASSES[name]()
    find_tokenizer(name)  # raises if it is no model's path
    return TokenizerSPM(name)


def counted_name(tokenizer: Any) -> str | None:
    """What vecbleu calls a tokenizer that it counts by; None for one of the user's."""
    return tokenizer.name if type(tokenizer) in _OWN else None


def signature_of_tokenizer(tokenizer: Any) -> str | None:
    """What a signature calls a tokenizer; None if it has no name of its own."""
    signature = getattr(tokenizer, "signature", None)
    try:
        return None if signature is None else signature()
    except NotImplementedError:
        return None
