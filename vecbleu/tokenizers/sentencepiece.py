"""SentencePiece tokenizers: the models that sacreBLEU names, or any local model by its path.

sacreBLEU strips the segment on the right, joins its pieces with spaces, and splits at white space.
Models are looked for where sacreBLEU keeps those that it has downloaded; nothing is downloaded.
"""

from __future__ import annotations

import errno
import hashlib
import os
import threading
from typing import Any

from vecbleu.text import Text
from vecbleu.tokenizers.none import tokenize_none
from vecbleu.tokenizers.spans import Spans, refuse_surrogates

_FLORES = "https://dl.fbaipublicfiles.com/fairseq/models/flores/sacrebleu_tokenizer_spm.model"

# Where each model can be downloaded; the last part is the name of its file.
MODELS = {
    "spm": _FLORES,
    "flores101": _FLORES,
    "flores200": "https://tinyurl.com/flores200sacrebleuspm",
    "spBLEU-1K": "https://www.dlnlp.ai/spBLEU-1K/spbleu-1k_tokenizer_spm.model",
}

_LOCAL = threading.local()  # whole paths to processors, each serving one thread, and digests


def tokenize_sentencepiece(model: str, text: Text, digest: str = "") -> Spans:
    """Split into the pieces of a model, given by its name or its path, and its digest if known."""
    processor, found = _load(model)
    if digest and found != digest:
        raise ValueError(
            f"{_model_path(model)}: this SentencePiece model is another than the caller's: its "
            f"SHA-256 is {found[:8]}..., expected {digest[:8]}..."
        )
    strings = [string.rstrip() for string in text.strings()]
    refuse_surrogates(strings, "SentencePiece")
    pieces = processor.encode(strings, out_type=str, num_threads=1) if strings else []
    return tokenize_none(Text.from_strings([*map(" ".join, pieces)]))


def sentencepiece_signature(model: str) -> str:
    """What sacreBLEU's signature calls the tokenizer; for other models the file and its digest."""
    _, digest = _load(model)
    if model == "spm":
        return "flores101"
    if model in MODELS:
        return model
    return f"{os.path.basename(model)}-{digest[:8]}"


def pin_model(model: str) -> tuple[str, str]:
    """What a model is called wherever somebody stands, and its digest."""
    return model if model in MODELS else os.path.abspath(model), _load(model)[1]


def _model_path(model: str) -> str:
    """Where a model should be."""
    if model not in MODELS:
        return model
    folder = os.environ.get("SACREBLEU") or os.path.join(os.path.expanduser("~"), ".sacrebleu")
    return os.path.join(folder, "models", os.path.basename(MODELS[model]))


def _load(model: str) -> tuple[Any, str]:
    """The thread's processor of a model, and its digest; an error says what to put where."""
    loaded, path = _LOCAL.__dict__, _model_path(model)
    place = os.path.abspath(path)
    if place not in loaded:
        try:
            from sentencepiece import SentencePieceProcessor
        except ImportError as error:
            raise ImportError(
                "SentencePiece tokenizers need the extra 'spm': pip install \"vecbleu[spm]\" "
                f"({error})"
            ) from None
        if not os.path.exists(path):
            advice = "no such SentencePiece model"
            if model in MODELS:
                advice = f"the model of tokenizer {model!r} is missing; "
                advice += f"download {MODELS[model]} to this path"
            raise FileNotFoundError(errno.ENOENT, advice, path)
        with open(path, "rb") as file:
            data = file.read()
        try:
            processor = SentencePieceProcessor()
            processor.LoadFromSerializedProto(data)
        except RuntimeError as error:
            raise ValueError(f"{path} is no SentencePiece model: {error}") from None
        loaded[place] = processor, hashlib.sha256(data).hexdigest()
    found: tuple[Any, str] = loaded[place]
    return found
