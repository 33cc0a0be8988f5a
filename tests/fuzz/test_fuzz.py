"""Each part finds nothing in a few cases, and finds that a call returns something else."""

from __future__ import annotations

from importlib import import_module

import pytest
from peers import TOKENIZE

import vecbleu
from fuzz.runner import PARTS, main, run_batch

pytestmark = pytest.mark.slow

each_part = pytest.mark.parametrize("part", PARTS)


def longest(*texts, **options):
    """Statistics by another rule for lengths of references."""
    return vecbleu.api.statistics(*texts, **options | {"ref_length": "longest"})


# What a part calls that then returns something else, and how many batches it takes to be found.
FAULTS = {
    "tokenizers": ("fuzz.tokenizers.TOKENIZE", TOKENIZE | {"char": str.split}, 1),
    "kernel": ("vecbleu.statistics", longest, 3),
    "commands": ("vecbleu.core.table._LATEX", str.maketrans("", ""), 5),
    "pictures": ("vecbleu.plots.drawing.escaped_name", str, 5),
}


@each_part
def test_a_part_finds_a_fault_and_else_nothing(part, monkeypatch):
    if part == "pictures":
        pytest.importorskip("matplotlib")
    assert run_batch(part, 1, 0) == []
    name, fault, batches = FAULTS[part]
    monkeypatch.setattr(name, fault)
    assert any(run_batch(part, 1, batch) for batch in range(batches))


def test_an_exception_is_a_mismatch(monkeypatch):
    monkeypatch.setattr("fuzz.kernel.check", None)
    ((case, text),) = run_batch("kernel", 1, 0)
    assert case == -1
    assert "TypeError" in text


def test_the_program_tells_how_to_repeat_what_it_finds_and_where_to_go_on(monkeypatch, capsys):
    assert main(["kernel", "--minutes", "0", "--from", "2", "--processes", "1"]) == 0
    assert "--from 2" in capsys.readouterr().out
    monkeypatch.setattr("vecbleu.statistics", longest)
    assert main(["kernel", "--seed", "3", "--batch", "4"]) == 1
    _, line, command, *_ = capsys.readouterr().out.splitlines()
    assert line.split()[:2] == ["kernel", "1,000"]
    words = command.partition("#")[0].split()
    assert words == ["python", "-m", "tests.fuzz", "kernel", "--seed", "3", "--batch", "4"]


def test_batches_of_processes_are_those_of_this_one(monkeypatch, capsys):
    monkeypatch.setattr(import_module("fuzz.kernel"), "CASES", 2000)
    assert main(["kernel", "--processes", "2"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split()[:3] == ["kernel", "2,000", "0"]
