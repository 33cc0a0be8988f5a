"""A test set of any size: words by Zipf's law, hypotheses as noisy copies of the references."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_VOCABULARY = 50_000
_EXPONENT = 1.05  # about that of English text
_MEAN_TOKENS = 28
_REPLACED, _DROPPED = 0.3, 0.04  # of the reference's words; about 40 BLEU
_MOST_MOVED, _FARTHEST = 4, 12  # words of a block that moves, and between its places


def zipf_corpus(
    segments: int,
    seed: int = 0,
    mean_tokens: int = _MEAN_TOKENS,
    replaced: float = _REPLACED,
    moved: float = 0,
) -> tuple[list[str], list[str]]:
    """Make hypotheses and references: distinct strings of so many tokens on average.

    `moved` is the number of blocks of words that move, by words of the hypotheses.
    """
    rng = np.random.default_rng(seed)
    return _corpus(segments, rng, _words(rng), " ", mean_tokens, replaced, moved)


def chinese_corpus(
    segments: int, seed: int = 0, mean_tokens: int = _MEAN_TOKENS, moved: float = 0
) -> tuple[list[str], list[str]]:
    """Make such a corpus of words of one to three Chinese characters, without spaces."""
    rng = np.random.default_rng(seed)
    characters = np.array([chr(0x4E00 + 6 * number) for number in range(3000)])
    lengths = rng.integers(1, 4, size=_VOCABULARY)
    words = ["".join(rng.choice(characters, size=length)) for length in lengths]
    words[7::17] = [f"{word}，" for word in words[7::17]]
    words[11::61] = [f"{rank}.5" for rank in range(11, _VOCABULARY, 61)]
    return _corpus(segments, rng, words, "", mean_tokens, moved=moved)


def id_corpus(
    segments: int, seed: int = 0, width: int = 64
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Make such a corpus of ids from 1 on: arrays (segments, width), padded with 0."""
    rng = np.random.default_rng(seed)
    lengths = np.clip(rng.gamma(4, _MEAN_TOKENS / 4, size=segments), 4, width).astype(int)
    references = _draw(rng, segments * width).reshape(segments, width) + 1
    drawn = _draw(rng, references.size).reshape(references.shape) + 1
    hypotheses = np.where(rng.random(references.shape) < _REPLACED, drawn, references)
    is_padding = np.arange(width) >= lengths[:, None]
    dropped = rng.random(references.shape) < _DROPPED
    dropped[:, :4] = False  # no hypothesis is shorter than the n-grams
    return np.where(is_padding | dropped, 0, hypotheses), np.where(is_padding, 0, references)


def _corpus(
    segments: int,
    rng: np.random.Generator,
    words: list[str],
    space: str,
    mean_tokens: int = _MEAN_TOKENS,
    replaced: float = _REPLACED,
    moved: float = 0,
) -> tuple[list[str], list[str]]:
    """Draw references by the frequency of words, and hypotheses as noisy copies of them."""
    lengths = np.maximum(3, rng.gamma(4, mean_tokens / 4, size=segments)).astype(int)
    ids = _draw(rng, int(lengths.sum()))
    noisy = np.where(rng.random(ids.size) < replaced, _draw(rng, ids.size), ids)
    keep = rng.random(ids.size) >= _DROPPED
    ends = np.cumsum(lengths)[:-1]
    sides = zip(np.split(noisy, ends), np.split(keep, ends), np.split(ids, ends), strict=True)
    hypotheses, references = [], []
    for number, (hypothesis, kept, reference) in enumerate(sides):
        ordered = _move_blocks(hypothesis[kept].tolist(), rng, moved) if moved else hypothesis[kept]
        # The last word makes every line distinct.
        hypotheses.append(space.join([words[i] for i in ordered]) + f" h{number}.")
        references.append(space.join([words[i] for i in reference]) + f" r{number}.")
    return hypotheses, references


def _move_blocks(ids: list[int], rng: np.random.Generator, moved: float) -> list[int]:
    """Move blocks of words to other places nearby, as translators order clauses differently."""
    for _ in range(rng.poisson(moved * len(ids))):
        start = int(rng.integers(len(ids)))
        end = start + int(rng.integers(1, _MOST_MOVED + 1))
        block = ids[start:end]
        del ids[start:end]
        place = max(0, start + int(rng.integers(-_FARTHEST, _FARTHEST + 1)))
        ids[place:place] = block
    return ids


def _draw(rng: np.random.Generator, size: int) -> npt.NDArray[np.int64]:
    """Draw the ranks of words by Zipf's law."""
    cumulated = np.cumsum(np.arange(1, _VOCABULARY + 1) ** -_EXPONENT)
    return np.searchsorted(cumulated, rng.random(size) * cumulated[-1])


def _words(rng: np.random.Generator) -> list[str]:
    """A vocabulary: frequent words are short; some are numbers, some end in a comma."""
    letters = np.array(list("etaoinshrdlcumwfgypbvk"))
    ranks = np.arange(_VOCABULARY)
    lengths = np.clip(np.log2(ranks + 2) * 0.45 + rng.gamma(2, 0.9, size=ranks.size), 1, 16)
    words = ["".join(rng.choice(letters, size=int(length))) for length in lengths]
    words[::23] = [f"{word}," for word in words[::23]]
    words[7::61] = [f"{rank}.{rank % 10}" for rank in range(7, _VOCABULARY, 61)]
    return words
