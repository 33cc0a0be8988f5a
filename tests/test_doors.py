"""The same corpus through every door gives identical statistics."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise

import numpy as np
import pytest
from clusters import two_processes

import vecbleu

SIZE = 700
WORDS = np.array(["the", "a", "cat", "dog", "sat", "on", "mat,", "of.", "3.5", "Ünï", "😀"])


def lines(seed):
    rng = np.random.default_rng(seed)
    rows = [WORDS[rng.integers(0, len(WORDS), size)] for size in rng.integers(0, 25, SIZE)]
    return [" ".join(row) for row in rows]


HYPOTHESES, FIRST, SECOND = lines(1), lines(2), lines(3)
REFERENCES = [list(pair) for pair in zip(FIRST, SECOND, strict=True)]
IDS = {word: place + 1 for place, word in enumerate(WORDS.tolist())}  # 0 is padding


def count(hypotheses, references, **options):
    return vecbleu.statistics(hypotheses, references, tokenize="none", **options)


def by_files(folder):
    paths = []
    for name, text in (("h", HYPOTHESES), ("r1", FIRST), ("r2", SECOND)):
        paths.append(folder / name)
        paths[-1].write_text("".join(f"{line}\n" for line in text), encoding="utf-8")
    return paths


def files(folder, **options):
    first, *others = by_files(folder)
    return vecbleu.file_statistics(first, others, tokenize="none", **options)


def arrow(folder):
    pa = pytest.importorskip("pyarrow", reason="needs the extra 'arrow'")
    return count(pa.array(HYPOTHESES), pa.array(REFERENCES))


def pandas(folder):
    pd = pytest.importorskip("pandas")
    return count(pd.Series(HYPOTHESES), pd.Series(REFERENCES))


def polars(folder):
    pl = pytest.importorskip("polars")
    return count(pl.Series(HYPOTHESES), pl.Series(REFERENCES))


def tokens(folder):
    split = [[line.split() for line in some] for some in REFERENCES]
    return vecbleu.statistics([line.split() for line in HYPOTHESES], split)


def ids(folder):
    def padded(text):
        array = np.zeros((SIZE, 25), np.int32)
        for row, line in enumerate(text):
            own = [IDS[word] for word in line.split()]
            array[row, : len(own)] = own
        return array

    references = np.stack([padded(FIRST), padded(SECOND)], axis=1)
    return vecbleu.statistics(padded(HYPOTHESES), references, pad_id=0)


def accumulator(folder):
    rng = np.random.default_rng(4)
    cuts = [0, *sorted(rng.integers(0, SIZE, 9).tolist()), SIZE]
    made = vecbleu.Accumulator(tokenize="none", keep_rows=True)
    for low, high in pairwise(cuts):
        made.update(HYPOTHESES[low:high], REFERENCES[low:high])
    assert made.state[1:].tolist() == made.rows.sum().to_array().tolist()
    return made.rows


def process_pool(folder):
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as executor:
        found = files(folder, executor=executor)
        assert count(HYPOTHESES, REFERENCES, executor=executor) == found
    return found


def dask(folder):
    with two_processes() as client:
        return files(folder, executor=client.get_executor())


def kept(folder):
    files(folder).save(folder / "kept.npz")
    return vecbleu.Statistics.load(folder / "kept.npz")


DOORS = {
    "lists": lambda folder: count(HYPOTHESES, REFERENCES),
    "files": files,
    "workers": lambda folder: files(folder, workers=2),
    "kept": kept,
    "Arrow": arrow,
    "pandas": pandas,
    "Polars": polars,
    "tokens": tokens,
    "ids": ids,
    "accumulator": accumulator,
    "process pool": process_pool,
    "Dask": dask,
}


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("door", DOORS)
def test_every_door_leads_to_the_same_statistics(door, tmp_path, monkeypatch):
    expected = vecbleu.statistics(HYPOTHESES, REFERENCES, tokenize=str.split)
    monkeypatch.setattr(vecbleu.corpus, "_BLOCK_SIZES", {"text": 9000, "tokens": 900, "ids": 900})
    monkeypatch.setattr(vecbleu.pipeline, "_FILE_BLOCK", 5000)
    assert DOORS[door](tmp_path) == expected
