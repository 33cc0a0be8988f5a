"""SentencePiece tokenizers: the models that sacreBLEU names, or any local model by its path.

sacreBLEU strips the segment on the right, joins its pieces with spaces, and splits at white space.
Models are looked for where sacreBLEU keeps those that it has downloaded; nothing is downloaded.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from functools import cache
from typing import Any

from vecbleu.core.extras import import_extra
from vecbleu.core.records import dataclass
from vecbleu.core.text.spans import refuse_surrogates
from vecbleu.core.text.tokenizers.external import SeparatingTokenizer

_FLORES = "https://dl.fbaipublicfiles.com/fairseq/models/flores/sacrebleu_tokenizer_spm.model"

# Where each model can be downloaded; the last part is the name of its file.
MODELS = {
    "spm": _FLORES,
    "flores101": _FLORES,
    "flores200": "https://tinyurl.com/flores200sacrebleuspm",
    "spBLEU-1K": "https://www.dlnlp.ai/spBLEU-1K/spbleu-1k_tokenizer_spm.model",
}


@cache
def _local() -> Any:
    """What each thread has of its own: processors by the paths of their models, and digests."""
    from threading import local  # 1 ms, which other tokenizers need not wait for

    return local()


@dataclass(frozen=True, slots=True, repr=False)
class SentencePieceTokenizer(SeparatingTokenizer):
    """The pieces of a model, which is given by its name or its path."""

    model: str
    digest: str = ""  # SHA-256 of the file that is expected; "": of whatever file is there

    def separate(self, strings: Sequence[str]) -> list[str]:
        """Have the model split the segments."""
        return self.join_pieces([string.rstrip() for string in strings])

    def join_pieces(self, lines: Sequence[str]) -> list[str]:
        """Have the model split lines as they are."""
        processor, found = _load(self.model)
        if self.digest and found != self.digest:
            raise ValueError(
                f"{_model_path(self.model)}: this SentencePiece model is another than the "
                f"caller's: its SHA-256 is {found[:8]}..., expected {self.digest[:8]}..."
            )
        refuse_surrogates(lines, "SentencePiece")
        pieces = processor.encode(lines, out_type=str, num_threads=1) if lines else []
        return [*map(" ".join, pieces)]

    def signature(self) -> str:
        """The model's name; of other models the file and its digest."""
        _, digest = _load(self.model)
        if self.model == "spm":
            return "flores101"
        if self.model in MODELS:
            return self.model
        return f"{os.path.basename(self.model)}-{digest[:8]}"

    def pinned(self) -> SentencePieceTokenizer:
        """The same model wherever a process runs, or an error there."""
        path = self.model if self.model in MODELS else os.path.abspath(self.model)
        return SentencePieceTokenizer(path, _load(self.model)[1])


TOKENIZERS = {name: SentencePieceTokenizer(name) for name in MODELS}


def _model_path(model: str) -> str:
    """Where a model should be."""
    if model not in MODELS:
        return model
    folder = os.environ.get("SACREBLEU") or os.path.join(os.path.expanduser("~"), ".sacrebleu")
    return os.path.join(folder, "models", os.path.basename(MODELS[model]))


def _load(model: str) -> tuple[Any, str]:
    """The thread's processor of a model, and its digest; an error says what to put where."""
    loaded, path = _local().__dict__, _model_path(model)
    place = os.path.abspath(path)
    if place not in loaded:
        import hashlib  # loads OpenSSL, 4 ms

        (package,) = import_extra("SentencePiece tokenizers need", "spm", "sentencepiece")
        if not os.path.exists(path):
            advice = "no such SentencePiece model"
            if model in MODELS:
                advice = f"the model of tokenizer {model!r} is missing; "
                advice += f"download {MODELS[model]} to this path"
            raise FileNotFoundError(errno.ENOENT, advice, path)
        with open(path, "rb") as file:
            data = file.read()
        try:
            processor = package.SentencePieceProcessor()
            processor.LoadFromSerializedProto(data)
        except RuntimeError as error:
            raise ValueError(f"{path} is no SentencePiece model: {error}") from None
        loaded[place] = processor, hashlib.sha256(data).hexdigest()
    found: tuple[Any, str] = loaded[place]
    return found
