"""Tokenizers: from a block of segments to the ids of their tokens."""

from __future__ import annotations

from vecbleu.core.text.tokenizers.base import ByteTokenizer, Tokenizer
from vecbleu.core.text.tokenizers.registry import NAMES, find_tokenizer, resolve_tokenizer

__all__ = ["NAMES", "ByteTokenizer", "Tokenizer", "find_tokenizer", "resolve_tokenizer"]
