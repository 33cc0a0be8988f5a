"""What workers are started as, and that counting goes on where they can't be started."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
import threading
import warnings
from functools import partial

import pytest
from processes import TESTS
from test_parallel import in_workers, mapped, process_of_worker, processes, workers_of_a_call

from vecbleu.core.parallel import mapping

pytestmark = pytest.mark.usefixtures("no_workers")

# `eval` is a function that all processes have, whatever they can import.
PRELUDE = f"""
import os, sys
sys.path[:] = [*filter(None, sys.path), {str(TESTS.parent)!r}]
from vecbleu.core.options import RunOptions
from vecbleu.core.parallel.mapping import map_blocks

def seen_by_a_worker(look):
    task = f"__import__('time').sleep(0.01), __import__('os').getpid(), {{look}}"
    found = map_blocks(eval, [task] * 1000, 0.0, RunOptions(2))
    return next(seen for _, process, seen in found if process != os.getpid())
"""


def output_with(*options, code, folder=None):
    """What a program prints that is started with options of the interpreter, somewhere."""
    program = subprocess.run(
        [sys.executable, *options, "-c", PRELUDE + textwrap.dedent(code)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert program.returncode == 0, program.stderr
    return program.stdout


def seen_by_a_worker(look):
    found = mapped(partial(in_workers, look, os.getpid()), range(100), 2)
    return next(one for one in found if one is not None)


@pytest.mark.parametrize(
    "options",
    [
        ["-s", "-B"],
        ["-O", "-b"],
        ["-X", "dev", "-X", "utf8"],
        ["-W", "ignore::ResourceWarning", "-W", "error:no such thing:UserWarning"],
        ["-P"],
    ],
    ids=" ".join,
)
def test_flags_of_the_interpreter_reach_workers(options):
    code = """
        names = {*dir(sys.flags)} - {"safe_path"}  # which workers always have
        names = sorted(name for name in names if isinstance(getattr(sys.flags, name), int))
        look = f"[getattr(__import__('sys').flags, name) for name in {names}]"
        print(seen_by_a_worker(look) == eval(look))
        look = "str(__import__('sys').warnoptions)"
        print(seen_by_a_worker(look) == eval(look))
    """
    assert output_with(*options, code=code).split() == ["True"] * 2


MARKS = "open(__file__ + '.executed', 'w').close()"


@pytest.mark.parametrize("entry", ["", ".", "below"])
def test_nothing_is_imported_from_a_directory_that_is_entered_later(tmp_path, entry):
    names = "numpy", "vecbleu", "types", "contextlib", "importlib", "pickle", "sitecustomize"
    for name in names:
        for folder in (tmp_path, tmp_path / "below"):
            folder.mkdir(exist_ok=True)
            (folder / f"{name}.py").write_text(MARKS)
    code = f"""
        sys.path.insert(0, {entry!r})
        os.environ["PYTHONPATH"] = {entry!r}
        os.chdir({str(tmp_path)!r})
        look = "[__import__(name).__file__ for name in ('numpy', 'vecbleu', 'types')]"
        print(seen_by_a_worker(look) == eval(look))
    """
    assert output_with(code=code).split() == ["True"]
    assert [*tmp_path.rglob("*.executed")] == []


def refuse(error):
    def start(*_, **__):
        raise error

    return start


MISSING = "/nowhere/python"
CAUSES = {
    "OSError: .*list too long": (subprocess, "Popen", lambda: refuse(OSError(7, "list too long"))),
    "BlockingIOError: .*unavailable": (
        subprocess,
        "Popen",
        lambda: refuse(BlockingIOError(11, "Resource temporarily unavailable")),
    ),
    "RuntimeError: can't start new thread": (
        threading.Thread,
        "start",
        lambda: refuse(RuntimeError("can't start new thread")),
    ),
    f"FileNotFoundError: .*{MISSING}": (sys, "executable", lambda: MISSING),
    "ChildProcessError: a worker process ended with status 1": (
        sys,
        "executable",
        lambda: shutil.which("false") or pytest.skip("there is no program that fails"),
    ),
}


@pytest.mark.parametrize("reason", CAUSES)
@pytest.mark.parametrize("workers", [None, 4])
def test_where_workers_can_not_be_started_all_is_done_here(monkeypatch, reason, workers):
    monkeypatch.setattr(mapping, "available_cores", lambda: 4)
    threads = threading.active_count()
    place, name, value = CAUSES[reason]
    with monkeypatch.context() as patch, warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        patch.setattr(place, name, value())
        found = {*mapped(process_of_worker, range(100), workers, 100.0)}
    assert found == {os.getpid()}
    assert not processes()
    assert threading.active_count() == threads
    if workers is None:
        assert warned == []
    else:
        (warning,) = warned
        assert warning.category is RuntimeWarning
        asked = "workers is 4, but no more worker processes can be started: "
        assert re.fullmatch(asked + reason + ".*", str(warning.message))


def test_workers_that_have_been_started_go_on_without_others(monkeypatch):
    start, turns = subprocess.Popen, iter([True])

    def start_one(*arguments, **options):
        if not next(turns, False):
            raise BlockingIOError("no more")
        return start(*arguments, **options)

    monkeypatch.setattr(subprocess, "Popen", start_one)
    with pytest.warns(RuntimeWarning, match="no more worker processes can be started: Blocking"):
        assert len(workers_of_a_call(4)) == 1
