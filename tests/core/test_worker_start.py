"""What workers are started as, and that counting goes on where they can't be started."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
import threading
import warnings
from functools import partial

import pytest
from processes import TESTS
from test_parallel import in_workers, mapped, process_of_worker, workers_of_a_call

from vecbleu.core.parallel import cores, worker

pytestmark = pytest.mark.usefixtures("no_workers")

# `eval` is a function that all processes have, whatever they can import.
PRELUDE = f"""
import os, sys
sys.path[:] = [*filter(None, sys.path), {str(TESTS.parent)!r}]
from vecbleu.core.parallel.executors import open_executor
from vecbleu.core.parallel.futures import map_blocks

def seen_by_a_worker(look):
    task = f"__import__('os').getpid(), {{look}}"
    with open_executor(None, 2, 0.0, {{}}) as executor:
        found = dict(map_blocks(eval, [task] * 20, executor))
    del found[os.getpid()]
    return found.popitem()[1]
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
        ["-I"],
        ["-E", "-s", "-B"],
        ["-O", "-b"],
        ["-X", "dev", "-X", "int_max_str_digits=9999", "-X", "of_a_program=its own"],
        ["-W", "ignore::ResourceWarning", "-W", "error:no such thing:UserWarning"],
        pytest.param(
            ["-P"], marks=pytest.mark.skipif(sys.version_info < (3, 11), reason="-P is of 3.11")
        ),
    ],
    ids=" ".join,
)
def test_flags_of_the_interpreter_reach_workers(options):
    code = """
        for name in ("flags", "warnoptions", "_xoptions"):
            look = f"str(__import__('sys').{name})"
            print(seen_by_a_worker(look) == eval(look))
    """
    assert output_with(*options, code=code).split() == ["True"] * 3


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


def test_modules_of_the_directory_where_a_program_began_are_found_after_it_left(tmp_path):
    for name, value in (("first", 1), ("later", 2)):
        (tmp_path / name).mkdir()
        source = f"import os\ndef look(): return {value}, os.path.basename(os.getcwd())\n"
        (tmp_path / name / "mine.py").write_text(source)
        # Behind all others: what is here replaces nothing.
        (tmp_path / name / "fractions.py").write_text(MARKS)
    code = """
        sys.path.insert(0, "")
        import mine
        os.chdir("../later")
        print(*seen_by_a_worker("__import__('mine').look()"))
    """
    assert output_with(code=code, folder=tmp_path / "first").split() == ["1", "later"]
    assert [*tmp_path.rglob("*.executed")] == []


def test_a_path_of_any_length_reaches_workers(monkeypatch):
    entries = [f"/nowhere/{number:0200}" for number in range(2000)]
    monkeypatch.setattr(sys, "path", sys.path + entries)
    assert seen_by_a_worker(path_of_imports) == sys.path


def path_of_imports():
    return sys.path


def test_a_worker_that_fails_does_not_wait_for_input(monkeypatch):
    monkeypatch.setenv("PYTHONINSPECT", "1")
    assert seen_by_a_worker(inspection) == [None]


def inspection():
    return [os.environ.get("PYTHONINSPECT")]


@pytest.mark.skipif(sys.platform == "win32", reason="descriptors are closed as POSIX has them")
@pytest.mark.parametrize("closed", [(2,), (0, 1, 2)])
def test_workers_need_no_standard_streams(tmp_path, closed):
    code = f"""
        for number in {closed}:
            os.close(number)
        sys.stdout = __import__("io").StringIO()
        process = seen_by_a_worker("[__import__('os').getpid(), print('hello', flush=True)]")
        open({str(tmp_path / "found")!r}, "w").write(str(process != [os.getpid(), None]))
        os._exit(0)
    """
    output_with(code=code)
    assert (tmp_path / "found").read_text() == "True"


def refuse(error):
    def start(*_, **__):
        raise error

    return start


def only(count):
    """Lets so many threads start, and no more."""
    start = threading.Thread.start

    def start_some(thread):
        nonlocal count
        count -= 1
        if count < 0:
            raise RuntimeError("can't start new thread")
        start(thread)

    return start_some


MISSING = "/nowhere/python"
CAUSES = {
    "OSError: .*list too long": (subprocess, "Popen", lambda: refuse(OSError(7, "list too long"))),
    "MemoryError: ": (worker, "_widen", lambda: refuse(MemoryError())),
    "RuntimeError: can't start new thread": (threading.Thread, "start", lambda: only(0)),
    "RuntimeError: can't .* thread": (threading.Thread, "start", lambda: only(1)),
    f"FileNotFoundError: .*{MISSING}": (sys, "executable", lambda: MISSING),
    "ChildProcessError: a worker process ended with status 1": (
        os,
        "environ",
        lambda: os.environ | {"PYTHONHOME": "/nowhere"},
    ),
}


@pytest.mark.parametrize("reason", CAUSES)
@pytest.mark.parametrize("workers", [None, 4])
def test_where_workers_can_not_be_started_all_is_done_here(monkeypatch, reason, workers):
    monkeypatch.setattr(cores, "available_cores", lambda: 4)
    threads = threading.active_count()
    place, name, value = CAUSES[reason]
    with monkeypatch.context() as patch, warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        patch.setattr(place, name, value())
        found = {*mapped(process_of_worker, range(100), workers, 100.0)}
    assert found == {os.getpid()}
    assert not worker._RUNNING
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
