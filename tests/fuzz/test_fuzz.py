"""Each part finds nothing in a few cases, and finds a fault that is planted."""

from __future__ import annotations

from collections import deque
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module

import pytest

from fuzz import runner
from fuzz.program import main
from fuzz.runner import PARTS, run_batch, run_part
from vecbleu.analysis import ngram_counts
from vecbleu.core import table
from vecbleu.core.kernel import matches
from vecbleu.core.text import rules
from vecbleu.plots import drawing

each_part = pytest.mark.parametrize("part", PARTS)


@each_part
def test_a_part_finds_nothing(part):
    if part == "pictures":
        pytest.importorskip("matplotlib")
    report = run_part(part, scale=0)
    assert report.mismatches == []
    assert report.cases == import_module(f"fuzz.{part}").BATCH


# One fault a part: where, what, and by which batch it is found.
FAULTS = {
    "tokenizers": (rules, "_edit", lambda text, strips: text, 3),
    "kernel": (matches, "_in_several", lambda rows, _: matches._in_one(rows), 3),
    "differences": (ngram_counts, "mix", lambda keys: keys, 3),
    "commands": (table, "_LATEX", str.maketrans("", ""), 5),
    "pictures": (drawing, "escaped_name", str, 5),
}


@each_part
def test_a_part_finds_a_fault(part, monkeypatch):
    if part == "pictures":
        pytest.importorskip("matplotlib")
    module, name, fault, batches = FAULTS[part]
    monkeypatch.setattr(module, name, fault)
    batch = next(batch for batch in range(batches) if run_batch(part, 1, batch))
    monkeypatch.undo()
    assert run_batch(part, 1, batch) == []


@pytest.fixture
def fault(monkeypatch):
    """A fault that every batch of a part finds; the part."""
    monkeypatch.setattr(matches, "_sums", lambda found: found.sum(axis=1) + 1)
    monkeypatch.setattr(import_module("fuzz.kernel"), "BATCH", 200)
    monkeypatch.setattr(import_module("fuzz.kernel"), "CASES", 800)
    return "kernel"


def test_the_program_tells_how_to_repeat_what_it_finds(fault, capsys):
    assert main([fault, "--seed", "3", "--processes", "0"]) == 1
    first, line, command, *_ = capsys.readouterr().out.splitlines()
    assert first.split() == ["part", "cases", "mismatches", "seconds"]
    assert line.split()[:2] == ["kernel", "800"]
    words = command.split("#")[0].split()
    assert words[:3] == ["python", "-m", "tests.fuzz"]
    assert main(words[3:]) == 1


def test_a_part_goes_on_where_its_time_ran_out(monkeypatch, capsys):
    kernel = import_module("fuzz.kernel")
    monkeypatch.setattr(kernel, "check", lambda random, size: iter([(0, str(random.random()))]))
    whole = run_part("kernel", scale=5e-4)
    assert [batch for batch, *_ in whole.mismatches] == [0, 1, 2, 3, 4]
    assert run_part("kernel", scale=5e-4, first=3).mismatches == whole.mismatches[3:]
    assert main(["kernel", "--minutes", "0", "--from", "2", "--processes", "0"]) == 0
    assert "--from 2" in capsys.readouterr().out


def test_worker_processes_do_the_same(capsys):
    assert main(["kernel", "--scale", "2e-4", "--processes", "2"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split()[:3] == ["kernel", "2,000", "0"]


def test_an_exception_is_a_mismatch(monkeypatch):
    monkeypatch.setattr(matches, "sorted_rows", None)
    ((case, text),) = run_batch("kernel", 1, 0)
    assert case == -1
    assert "TypeError" in text


def test_a_process_that_dies_is_no_success():
    def result():
        raise BrokenProcessPool

    begun = deque([(4, result), (5, result)])
    with pytest.raises(SystemExit, match=r"in one of the batches 4, 5"):
        next(runner._finished(begun, 1))
