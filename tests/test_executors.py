"""Counting on executors: pools, and a cluster of processes."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import re
import signal
import sys
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from clusters import two_processes

import vecbleu
from vecbleu.parallel import _run

WORDS = np.array(
    ["the", "a", "cat", "dog", "sat", "on", "mat", "of", ",", ".", "3.5", "Ünï", "😀", "x"]
)


def lines(size, seed):
    rng = np.random.default_rng(seed)
    return [" ".join(WORDS[rng.integers(0, len(WORDS), n)]) for n in rng.integers(0, 30, size)]


HYPOTHESES, REFERENCES = lines(4000, 1), lines(4000, 2)
EXPECTED = vecbleu.statistics(HYPOTHESES, REFERENCES)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Enough of them to be shared."""
    monkeypatch.setattr(vecbleu.corpus, "_BLOCK_SIZES", {"text": 8000, "tokens": 2000, "ids": 2000})
    monkeypatch.setattr(vecbleu.pipeline, "_FILE_BLOCK", 8000)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    for name, text in (("h", HYPOTHESES), ("r", REFERENCES)):
        (folder / name).write_text("".join(f"{line}\n" for line in text), encoding="utf-8")
    return folder / "h", folder / "r"


def spawned():
    return ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn"))


POOLS = {"threads": lambda: ThreadPoolExecutor(2), "processes": spawned}


@pytest.mark.parametrize("pool", POOLS)
def test_all_kinds_of_input(pool, files):
    tokens = [[line.split()] for line in REFERENCES]
    ids = np.random.default_rng(0).integers(0, 50, (300, 20))
    with POOLS[pool]() as executor:
        asked = {"executor": executor, "workers": 2}
        assert vecbleu.statistics(HYPOTHESES, REFERENCES, **asked) == EXPECTED
        assert vecbleu.file_statistics(*files, **asked) == EXPECTED
        hypotheses = [line.split() for line in HYPOTHESES]
        expected = vecbleu.statistics(hypotheses, tokens)
        assert vecbleu.statistics(hypotheses, tokens, **asked) == expected
        assert vecbleu.statistics(ids, ids[::-1], **asked) == vecbleu.statistics(ids, ids[::-1])
        whole = vecbleu.corpus_bleu(HYPOTHESES, REFERENCES)
        assert vecbleu.corpus_bleu(HYPOTHESES, REFERENCES, executor=executor) == whole
        scores = vecbleu.sentence_bleu(HYPOTHESES, REFERENCES, smoothing="exp", **asked)
        assert np.array_equal(scores, vecbleu.bleu(EXPECTED, smoothing="exp"))
        split = {"tokenize": lambda line: line.split()}  # which no other process can have
        assert vecbleu.file_statistics(*files, **split, **asked) == expected


def test_averages_of_lengths_are_exact():
    """Of sums that are added up they are so up to the last bit alone."""
    pairs = zip(REFERENCES, HYPOTHESES, strict=True)
    references = [[one] + [other] * (1 + place % 3) for place, (one, other) in enumerate(pairs)]
    asked = {"ref_length": "average"}
    expected = vecbleu.statistics(HYPOTHESES, references, **asked)
    with ThreadPoolExecutor(2) as executor:
        counted = vecbleu.statistics(HYPOTHESES, references, executor=executor, **asked)
        score = vecbleu.corpus_bleu(HYPOTHESES, references, executor=executor, **asked)
    assert counted == expected
    assert score == vecbleu.corpus_bleu(HYPOTHESES, references, **asked)
    parts = [expected[start : start + 700] for start in range(0, 4000, 700)]
    assert vecbleu.Statistics.concatenate(parts).sum() == expected.sum()
    added = sum(part.sum() for part in parts)
    assert added.ref_len == pytest.approx(expected.sum().ref_len, rel=1e-15)


def test_columns(files):
    pa = pytest.importorskip("pyarrow")
    with ThreadPoolExecutor(2) as executor:
        columns = pa.array(HYPOTHESES), pa.array(REFERENCES)
        assert vecbleu.statistics(*columns, executor=executor) == EXPECTED


@pytest.mark.parametrize("pool", POOLS)
def test_errors_name_their_place(pool, files, tmp_path):
    (tmp_path / "bad").write_bytes(files[0].read_bytes()[:-10] + b"\xff" * 9 + b"\n")
    with POOLS[pool]() as executor:
        with pytest.raises(ValueError, match=r"bad: line 4000 is not UTF-8"):
            vecbleu.file_statistics(tmp_path / "bad", files[1], executor=executor)
        (tmp_path / "short").write_text("a\n" * 2000)
        with pytest.raises(ValueError, match="different numbers of lines"):
            vecbleu.file_statistics(tmp_path / "short", files[1], executor=executor)
        assert vecbleu.file_statistics(*files, executor=executor) == EXPECTED


class Watched(Executor):
    """An executor that runs everything later, and says how much it has at once."""

    def __init__(self):
        self.most, self.open = 0, 0
        self.pool = ThreadPoolExecutor(1)

    def submit(self, function, /, *arguments, **options):
        self.open += 1
        self.most = max(self.most, self.open)
        future = self.pool.submit(function, *arguments, **options)
        future.add_done_callback(lambda _: setattr(self, "open", self.open - 1))
        return future


def test_an_executor_is_not_flooded(files):
    executor = Watched()
    assert vecbleu.file_statistics(*files, executor=executor, workers=2) == EXPECTED
    assert 2 <= executor.most <= 7
    executor.pool.shutdown()


class Broken(Executor):
    """An executor that cancels everything from some task on."""

    def __init__(self, good):
        self.good = good
        self.futures = []

    def submit(self, function, /, *arguments, **options):
        future = Future()
        if len(self.futures) < self.good:
            future.set_result(function(*arguments, **options))
        elif len(self.futures) == self.good:
            future.cancel()
            future.set_running_or_notify_cancel()
        self.futures.append(future)
        return future


def test_what_is_lost_is_named_and_the_rest_cancelled(files):
    executor = Broken(3)
    with pytest.raises(ChildProcessError, match=r"lost the block that begins with .*h: line \d+"):
        vecbleu.file_statistics(*files, executor=executor)
    assert all(future.cancelled() for future in executor.futures[3:])
    with pytest.raises(ChildProcessError, match=r"lost the block that begins with hypotheses\[0\]"):
        vecbleu.statistics(HYPOTHESES, REFERENCES, executor=Broken(0))


class Closing(Broken):
    """An executor that takes no more work from some task on."""

    def submit(self, function, /, *arguments, **options):
        if len(self.futures) == self.good:
            raise RuntimeError("cannot schedule new futures after shutdown")
        return super().submit(function, *arguments, **options)


class Failing(Broken):
    """An executor where some task meets an error of the executor's own."""

    def __init__(self, good, error):
        super().__init__(good)
        self.error = error

    def submit(self, function, /, *arguments, **options):
        future = super().submit(function, *arguments, **options)
        if len(self.futures) == self.good + 1:
            future = self.futures[-1] = Future()
            future.set_exception(self.error)
        return future


def beginnings(*files):
    """The first line of each block."""
    sources = [*map(vecbleu.sources.Source, files)]
    return [block.first for block in vecbleu.files.read_blocks(sources, 8000)]


@pytest.mark.parametrize(
    ("executor", "reason"),
    [
        (Closing(3), "RuntimeError: cannot schedule new futures after shutdown"),
        (Failing(3, OSError("node gone")), "OSError: node gone"),
        (Failing(3, TimeoutError()), "TimeoutError: "),
        (Failing(3, ValueError("of the executor")), "ValueError: of the executor"),
    ],
)
def test_whatever_fails_but_the_counting_is_a_loss(files, executor, reason):
    lost = f"block that begins with {files[0]}: line {beginnings(*files)[3]} ({reason})"
    with pytest.raises(ChildProcessError, match=re.escape(lost)):
        vecbleu.file_statistics(*files, executor=executor)


def test_nobody_waits_for_an_executor_that_has_closed(files):
    class Closed(Executor):
        futures = ()

        def submit(self, function, /, *arguments, **options):
            if self.futures:
                raise RuntimeError("closed")
            self.futures = [Future()]
            return self.futures[0]

    executor = Closed()
    with pytest.raises(ChildProcessError, match=r"h: line 1 \(RuntimeError: closed\)"):
        vecbleu.file_statistics(*files, executor=executor)
    assert executor.futures[0].cancelled()


class Late(Executor):
    """An executor that begins when something has happened."""

    def __init__(self, happen):
        self.happen = happen

    def submit(self, function, /, *arguments, **options):
        future = Future()
        try:
            self.happen()
            future.set_result(function(*arguments, **options))
        except Exception as error:
            future.set_exception(error)
        return future


def test_errors_of_the_counting_are_its_own(files, tmp_path):
    path = tmp_path / "h"
    path.write_bytes(files[0].read_bytes())
    with pytest.raises(ValueError, match="h: the file has changed while it was read"):
        vecbleu.file_statistics(path, files[1], executor=Late(lambda: os.utime(path, ns=(1, 1))))
    with pytest.raises(FileNotFoundError, match=r"No such file or directory: '.*h'"):
        vecbleu.file_statistics(path, files[1], executor=Late(lambda: path.unlink(missing_ok=True)))


class Interrupted(Future):
    def result(self, timeout=None):
        raise KeyboardInterrupt


def test_an_interrupt_cancels_the_block_that_is_waited_for(files):
    class Waiting(Executor):
        futures = ()

        def submit(self, function, /, *arguments, **options):
            self.futures = [*self.futures, Interrupted()]
            return self.futures[-1]

    executor = Waiting()
    with pytest.raises(KeyboardInterrupt):
        vecbleu.file_statistics(*files, executor=executor, workers=1)
    assert len(executor.futures) == 3
    assert all(future.cancelled() for future in executor.futures)


def counted_until(files, executor, is_over):
    """Count again and again; every result is complete and equal, or the first error is returned."""
    for _ in range(1000):
        try:
            assert vecbleu.file_statistics(*files, executor=executor) == EXPECTED
        except ChildProcessError as error:
            return str(error)
        if is_over():
            return None
    raise AssertionError("nothing happened")


@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed by signals here")
def test_a_killed_process_of_a_pool_is_an_error(files):
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as executor:
        pid = executor.submit(os.getpid).result()
        threading.Timer(0.1, os.kill, (pid, signal.SIGKILL)).start()
        error = counted_until(files, executor, lambda: False)
    assert "the executor lost the block that begins with" in error
    assert "BrokenProcessPool" in error


def test_an_executor_submits():
    with pytest.raises(TypeError, match=r"executor is int, expected a concurrent.futures.Executor"):
        vecbleu.statistics(["a"], ["a"], executor=3)
    with pytest.raises(TypeError, match=r"executor is <class .*ThreadPoolExecutor'>, expected a "):
        vecbleu.statistics(["a"], ["a"], executor=ThreadPoolExecutor)


@pytest.fixture(scope="module")
def cluster():
    with two_processes() as client:
        yield client


# Clusters that end while their parts still talk warn of it.
on_cluster = pytest.mark.filterwarnings("ignore")


@on_cluster
def test_a_cluster(cluster, files):
    executor = cluster.get_executor()
    assert vecbleu.file_statistics(*files, executor=executor) == EXPECTED
    assert vecbleu.statistics(HYPOTHESES, REFERENCES, executor=executor, workers=2) == EXPECTED


@on_cluster
def test_partitioned_parquet_on_a_cluster(cluster, tmp_path):
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    for number, start in enumerate(range(0, 4000, 900)):
        rows = slice(start, start + 900)
        table = pa.table({"hypothesis": HYPOTHESES[rows], "reference": REFERENCES[rows]})
        parquet.write_table(table, tmp_path / f"part{number}.parquet")

    def count(path):
        table = parquet.read_table(path)
        return vecbleu.statistics(table["hypothesis"], table["reference"]).sum()

    parts = cluster.gather(cluster.map(count, sorted(map(str, tmp_path.glob("*.parquet")))))
    assert sum(parts) == EXPECTED.sum()


@on_cluster
def test_a_worker_killed_in_the_middle(cluster, files):
    """The result is complete and equal, or an error says what is missing."""
    victim = next(iter(cluster.run(os.getpid).values()))
    killer = threading.Timer(0.1, os.kill, (victim, signal.SIGKILL))
    killer.start()
    error = counted_until(files, cluster.get_executor(), lambda: not killer.is_alive())
    assert error is None or "the executor lost the block that begins with" in error
    assert vecbleu.file_statistics(*files, executor=cluster.get_executor()) == EXPECTED


def fails_with_a_function(block):
    error = LookupError("no such thing")
    error.look = lambda: block  # which no other process can have
    raise error


def test_errors_that_can_not_travel_are_told_in_words():
    value, error = _run(pickle.dumps((fails_with_a_function, None)))
    assert value is None
    assert repr(pickle.loads(pickle.dumps(error))) == "RuntimeError('LookupError: no such thing')"
