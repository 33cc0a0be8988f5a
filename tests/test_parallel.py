from __future__ import annotations

import math
import os
import pickle
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from functools import partial

import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import ugly_text

import vecbleu
import vecbleu.sacrebleu
from vecbleu import corpus, helper, parallel, pipeline
from vecbleu.files import read_blocks
from vecbleu.parallel import Labor, map_blocks
from vecbleu.sources import Source
from vecbleu.tokenizers import UnitError

SENTENCES = [f"the cat {i % 7} sat, on the mat number {i % 11} ." for i in range(300)]
REFERENCES = [f"a cat {i % 5} sat on a mat, number {i % 13} !" for i in range(300)]


@pytest.fixture
def small_blocks(monkeypatch):
    """Some ten blocks of the sentences above."""
    monkeypatch.setattr(corpus, "_FIRST_SEGMENTS", 16)
    monkeypatch.setattr(corpus, "_BLOCK_SIZES", {"text": 2000, "tokens": 500, "ids": 500})
    monkeypatch.setattr(pipeline, "_FILE_BLOCK", 1000)


@pytest.fixture(autouse=True)
def no_resting_helpers():
    """Every test begins and ends without helpers."""
    helper.stop([*helper._RUNNING])
    yield
    helper.stop([*helper._RUNNING])


def square(number, fails=(), dies=(), seconds=0.0):
    time.sleep(seconds)
    if number in dies and os.environ["VECBLEU_TEST_PID"] != str(os.getpid()):
        os.kill(os.getpid(), signal.SIGKILL)
    if number in fails:
        raise ValueError(f"block {number}")
    return number**2


def numbers(count, broken=None):
    for number in range(count):
        if number == broken:
            raise OSError("reading")
        yield number


def results_and_error(results):
    found = []
    try:
        found.extend(results)
    except Exception as error:
        return found, repr(error)
    return found, None


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_results_come_in_order(workers):
    assert [*map_blocks(square, range(50), Labor(workers), 0)] == [n * n for n in range(50)]
    assert [*map_blocks(square, [], Labor(workers), 0)] == []


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_reading_ahead_is_bounded(workers):
    drawn = []
    blocks = (drawn.append(number) or number for number in range(1000))
    for result in map_blocks(square, blocks, Labor(workers), 0):
        time.sleep(0.001 * (result < 50**2))  # a slow reader of the first results
        assert len(drawn) <= result**0.5 + 1 + 20 * (workers - 1)
    assert len(drawn) == 1000


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize(
    ("fails", "broken"), [((7, 9), None), ((7,), 8), ((12,), 5), ((0,), 0), ((), 3)]
)
def test_the_first_error_is_that_of_the_first_block(workers, fails, broken):
    function = partial(square, fails=fails, seconds=0.002)
    found = results_and_error(map_blocks(function, numbers(20, broken), Labor(workers), 0))
    assert found == results_and_error(map(function, numbers(20, broken)))


def test_a_helper_that_dies_is_an_error_and_no_wait(monkeypatch):
    monkeypatch.setenv("VECBLEU_TEST_PID", str(os.getpid()))
    function = partial(square, dies=range(40), seconds=0.02)
    with pytest.raises(ChildProcessError, match="worker process ended with status -9"):
        [*map_blocks(function, range(40), Labor(2), 0)]


def test_errors_that_do_not_unpickle_arrive_as_text():
    function = partial(raise_odd, os.getpid())
    with pytest.raises(RuntimeError, match="OddError: 3 and 4"):
        [*map_blocks(function, range(40), Labor(2), 0)]


class OddError(Exception):
    def __init__(self, one, other):
        super().__init__(f"{one} and {other}")


def raise_odd(caller, number):
    time.sleep(0.02)
    if os.getpid() != caller:
        raise OddError(3, 4)


def test_abandoned_work_leaves_no_process():
    results = map_blocks(process_of_helper, range(1000), Labor(3), 0)
    pids = {next(results) for _ in range(100)} - {os.getpid()}
    assert pids
    results.close()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def process_of_helper(number):
    time.sleep(0.005)
    return os.getpid()


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return not is_zombie(pid)


def helpers_of_a_call():
    return {*map_blocks(process_of_helper, range(100), Labor(2), 0)} - {os.getpid()}


def test_a_helper_rests_until_the_next_call():
    pids = helpers_of_a_call()
    assert len(pids) == 1
    assert helpers_of_a_call() == pids
    assert [*map_blocks(square, range(100), Labor(2), 0)] == [n**2 for n in range(100)]
    assert helpers_of_a_call() == pids


def test_a_helper_that_has_rested_for_long_ends(monkeypatch):
    monkeypatch.setattr(helper, "_IDLE_SECONDS", 0.1)
    threads = threading.active_count()
    (pid,) = helpers_of_a_call()
    for _ in range(100):
        if threading.active_count() > threads:
            time.sleep(0.05)
    assert threading.active_count() == threads
    assert not is_running(pid)
    assert not helper._RUNNING
    assert helpers_of_a_call() != {pid}


def test_work_that_takes_long_is_no_rest(monkeypatch):
    monkeypatch.setattr(helper, "_IDLE_SECONDS", 0.01)
    slow = partial(square, seconds=0.1)
    assert [*map_blocks(slow, range(9), Labor(2), 0)] == [n**2 for n in range(9)]


@pytest.mark.parametrize("change", ["path", "environment", "place", "death"])
def test_a_helper_that_would_be_another_now_is_not_used_again(monkeypatch, tmp_path, change):
    (pid,) = helpers_of_a_call()
    if change == "path":
        monkeypatch.syspath_prepend(tmp_path)
    elif change == "environment":
        monkeypatch.setenv("VECBLEU_TEST", "new")
    elif change == "place":
        monkeypatch.chdir(tmp_path)
    else:
        os.kill(pid, signal.SIGKILL)
        time.sleep(0.2)
    pids = helpers_of_a_call()
    assert len(pids) == 1
    assert pids != {pid}
    assert not is_running(pid)


def test_a_helper_does_not_rest_after_an_error():
    with pytest.raises(ValueError, match="block 5"):
        [*map_blocks(partial(square, fails=(5,)), range(100), Labor(2), 0)]
    assert not helper._RUNNING


def test_a_helper_rests_for_one_call_only():
    helpers_of_a_call()
    found = [None, None]

    def call(place):
        found[place] = helpers_of_a_call()

    threads = [threading.Thread(target=call, args=(place,)) for place in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found[0]) == len(found[1]) == 1
    assert not found[0] & found[1]


def test_a_helper_that_another_call_has_hired_is_not_stopped():
    """An interrupt may come when a helper rests already and its old team still has it."""
    helpers_of_a_call()
    (one,) = helper._RUNNING
    old_team, new_team = [one], []
    assert helper.hire(new_team) is one
    assert helper.hire(old_team) is not one
    del old_team[1:]
    helper.stop_team(old_team)
    assert one.is_like_new()
    helper.stop_team(new_team)
    assert not one.is_like_new()


def test_a_helper_ends_with_its_caller_though_a_fork_lives():
    code = """
        import os, signal, sys, time
        from test_parallel import helpers_of_a_call
        (pid,) = helpers_of_a_call()
        child = os.fork()
        if child == 0:
            time.sleep(3)
            os._exit(0)
        print(pid, child, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    paths = os.path.dirname(__file__)
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": paths},
    ) as program:
        pid, child = map(int, program.stdout.readline().split())
        program.wait()
        for _ in range(100):
            if is_running(pid):
                time.sleep(0.02)
        assert not is_running(pid)
        assert is_running(child)


def test_a_fork_starts_helpers_of_its_own():
    code = """
        import os
        from test_parallel import helpers_of_a_call
        (first,) = helpers_of_a_call()
        child = os.fork()
        if child == 0:
            os._exit(helpers_of_a_call() == {first})
        assert os.waitpid(child, 0)[1] == 0
        assert helpers_of_a_call() == {first}
        print(first)
    """
    program = run_program(code)
    assert program.returncode == 0, program.stderr
    assert not is_running(int(program.stdout))  # nor does one rest when the program has ended


def test_ctrl_c_stops_at_once_and_leaves_no_process():
    code = textwrap.dedent("""
        import os, sys, time
        from vecbleu.parallel import Labor, map_blocks
        from test_parallel import process_of_helper
        for pid in map_blocks(process_of_helper, range(10**6), Labor(2), 0):
            if pid != os.getpid():
                print(pid, flush=True)
    """)
    environment = os.environ | {"PYTHONPATH": os.path.dirname(__file__)}
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        text=True,
    ) as program:
        helper = int(program.stdout.readline())
        program.send_signal(signal.SIGINT)
        program.stdout.read()
        assert "KeyboardInterrupt" in program.stderr.read()
    with pytest.raises(ProcessLookupError):
        os.kill(helper, 0)


def test_helpers_end_with_a_caller_that_is_killed():
    code = textwrap.dedent("""
        import os, time
        from vecbleu.parallel import Labor, map_blocks
        from test_parallel import process_of_helper
        for pid in map_blocks(process_of_helper, range(10**6), Labor(2), 0):
            if pid != os.getpid():
                print(pid, flush=True)
                os.kill(os.getpid(), 9)
    """)
    environment = os.environ | {"PYTHONPATH": os.path.dirname(__file__)}
    program = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, env=environment, text=True, check=False
    )
    helper = int(program.stdout)
    for _ in range(500):
        try:
            os.kill(helper, 0)
        except ProcessLookupError:
            return
        if is_zombie(helper):
            return
        time.sleep(0.01)
    raise AssertionError("the helper is still there")


def is_zombie(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@pytest.mark.parametrize("workers", [2, 3])
@pytest.mark.usefixtures("small_blocks")
def test_statistics_do_not_depend_on_the_number_of_workers(workers, tmp_path):
    words = [line.split() for line in SENTENCES], [[line.split()] for line in REFERENCES]
    ids = np.random.default_rng(0).integers(0, 5, size=(2, 300, 12))
    lists = [[one, *REFERENCES[i : i + i % 3]] for i, one in enumerate(REFERENCES)]
    for hypotheses, references, options in [
        (SENTENCES, REFERENCES, {"tokenize": "13a"}),
        (SENTENCES, lists, {"tokenize": "char", "lowercase": True}),
        (SENTENCES, REFERENCES, {"tokenize": lambda line: line.split("t")}),
        (*words, {}),
        (*ids, {"pad_id": 0}),
    ]:
        alone = vecbleu.statistics(hypotheses, references, workers=1, **options)
        assert vecbleu.statistics(hypotheses, references, workers=workers, **options) == alone
        score = vecbleu.corpus_bleu(hypotheses, references, workers=workers, **options)
        assert score == vecbleu.corpus_bleu(hypotheses, references, **options)
    paths = tmp_path / "hyp", tmp_path / "ref"
    for path, lines, end in zip(paths, (SENTENCES, REFERENCES), ("", "\n"), strict=True):
        path.write_text("\n".join(lines) + end)
    alone = vecbleu.file_statistics(*paths, workers=1)
    assert vecbleu.file_statistics(*paths, workers=workers) == alone
    assert alone == vecbleu.statistics(SENTENCES, REFERENCES)


@settings(max_examples=10)
@given(st.lists(ugly_text, min_size=20, max_size=60))
def test_ugly_strings_on_several_processes(strings):
    sizes = corpus._BLOCK_SIZES, corpus._FIRST_SEGMENTS
    corpus._BLOCK_SIZES, corpus._FIRST_SEGMENTS = {"text": 20, "tokens": 20, "ids": 20}, 2
    try:
        for tokenize in ("13a", "intl", "none"):
            found = vecbleu.statistics(strings, strings[::-1], tokenize=tokenize, workers=2)
            assert found == vecbleu.statistics(strings, strings[::-1], tokenize=tokenize)
    finally:
        corpus._BLOCK_SIZES, corpus._FIRST_SEGMENTS = sizes


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.usefixtures("small_blocks")
def test_errors_name_the_segment_and_the_line(workers, tmp_path):
    words = [line.split() for line in SENTENCES]
    words[250] = ["a", []]
    with pytest.raises(TypeError, match=r"hypotheses\[250\]: token \[\] can't be used"):
        vecbleu.statistics(words, [[line.split()] for line in REFERENCES], workers=workers)
    path = tmp_path / "hyp"
    lines = [line.encode() for line in SENTENCES]
    lines[280] = b"\xff"
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(ValueError, match=r"hyp: line 281 is not UTF-8"):
        vecbleu.file_statistics(path, path, workers=workers)


def test_blocks_of_files_travel_as_places(tmp_path):
    path = tmp_path / "hyp"
    path.write_text("\n".join(SENTENCES))  # without a newline at its end
    blocks = [*read_blocks([Source(path), Source(path)], 1000)]
    assert len(blocks) > 5
    for block in blocks:
        sent = pickle.dumps(block)
        assert b"cat" not in sent
        assert pickle.loads(sent) == block
    os.replace(shutil.copy(path, tmp_path / "copy"), path)
    with pytest.raises(ValueError, match="hyp: the file has changed while it was read"):
        pickle.loads(sent)


@pytest.mark.usefixtures("small_blocks")
def test_a_file_that_changes_is_an_error_that_arrives(tmp_path):
    path = tmp_path / "hyp"
    path.write_text("\n".join(SENTENCES * 50))

    def change(tokenized):
        path.write_text("\n".join(REFERENCES * 50))
        return tokenized

    blocks = read_blocks([Source(path), Source(path)], 1000)
    changed = (block if number < 100 else change(block) for number, block in enumerate(blocks))
    with pytest.raises(ValueError, match="hyp: the file has changed while it was read"):
        [*map_blocks(line_of_helper, changed, Labor(2), 0)]


def line_of_helper(block):
    time.sleep(0.002)
    return block.first


@pytest.mark.usefixtures("small_blocks")
def test_descriptors_of_files_are_read_by_helpers_too(tmp_path):
    path = tmp_path / "hyp"
    path.write_text("\n".join(SENTENCES))
    with open(path) as file:
        name = f"/dev/fd/{file.fileno()}"
        if not os.path.exists(name):
            pytest.skip("this system has no /dev/fd")
        found = vecbleu.file_statistics(name, path, workers=2)
    assert found == vecbleu.file_statistics(path, path)


def test_what_can_not_be_read_again_travels_itself(tmp_path):
    path = tmp_path / "hyp"
    path.write_text("a\tb\nc\td\n", encoding="utf-16")
    (block,) = read_blocks([Source(path, 2, "utf-16")], 1000)
    path.unlink()
    assert pickle.loads(pickle.dumps(block)) == block


@pytest.mark.usefixtures("small_blocks")
def test_kept_references_meet_what_helpers_hash(monkeypatch):
    monkeypatch.setattr(parallel, "_MANY_TOKENS", 2)
    monkeypatch.setattr(parallel, "_cores", lambda: 3)
    kept = vecbleu.sacrebleu.BLEU(references=[REFERENCES], force=True)
    expected = sacrebleu.BLEU(force=True).corpus_score(SENTENCES, [REFERENCES])
    for _ in range(3):
        assert kept.corpus_score(SENTENCES, None).score == expected.score


@pytest.mark.usefixtures("small_blocks")
def test_sums_of_averages_do_not_depend_on_blocks(monkeypatch):
    references = [[one, *REFERENCES[i : i + 2 + i % 5]] for i, one in enumerate(REFERENCES)]
    rows = vecbleu.statistics(SENTENCES, references, ref_length="average")
    expected = math.fsum(rows.ref_len)
    assert rows.sum().ref_len == expected
    for size in (50, 333, 10**6):
        monkeypatch.setitem(corpus._BLOCK_SIZES, "text", size)
        score = vecbleu.corpus_bleu(SENTENCES, references, ref_length="average", workers=1)
        assert score.ref_len == expected


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("name", ["hypotheses", "references"])
def test_lists_that_shrink_meanwhile_are_an_error(name):
    sides = {"hypotheses": SENTENCES * 20, "references": REFERENCES * 20}

    def shrink(line):
        del sides[name][2000:]
        return line.split()

    with pytest.raises(ValueError, match=f"{name} has shrunk to 2000 segments while it was"):
        vecbleu.statistics(*sides.values(), tokenize=shrink)


def run_program(code, *arguments, **environment):
    paths = os.pathsep.join([os.path.dirname(__file__), environment.pop("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), *arguments],
        capture_output=True,
        env=os.environ | {"PYTHONPATH": paths} | environment,
        text=True,
        check=False,
        timeout=60,
    )


def test_what_is_printed_at_the_start_is_no_reply(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("print('hello', flush=True)")
    code = """
        from test_parallel import process_of_helper
        from vecbleu.parallel import Labor, map_blocks
        print(len({*map_blocks(process_of_helper, range(100), Labor(2), 0)}))
    """
    assert run_program(code, PYTHONPATH=str(tmp_path)).stdout.split() == ["hello", "2"]


def test_helpers_find_this_package_whatever_the_path(tmp_path):
    code = f"""
        import os, pathlib, sys
        sys.path.insert(0, {str(tmp_path)!r})
        import vecbleu
        from vecbleu.parallel import Labor, map_blocks
        from test_parallel import process_of_helper
        sys.path.remove({str(tmp_path)!r})
        sys.path.append(pathlib.Path("/"))
        os.chdir("/")
        print(len({{*map_blocks(process_of_helper, range(100), Labor(2), 0)}}), vecbleu.__file__)
    """
    shutil.copytree(os.path.dirname(vecbleu.__file__), tmp_path / "vecbleu")
    program = run_program(code)
    assert program.stdout.split() == ["2", str(tmp_path / "vecbleu" / "__init__.py")]


def test_helpers_import_nothing_from_where_the_program_runs(tmp_path, monkeypatch):
    for name in ("types", "contextlib", "warnings", "importlib"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(3)")
    monkeypatch.chdir(tmp_path)
    assert len({*map_blocks(process_of_helper, range(100), Labor(2), 0)}) == 2


def test_kept_references_work_in_other_processes():
    scorer = vecbleu.sacrebleu.BLEU(references=[REFERENCES], force=True)
    expected = scorer.corpus_score(SENTENCES, None).score
    code = """
        import pickle, sys
        from test_parallel import SENTENCES
        print(pickle.loads(bytes.fromhex(sys.argv[1])).corpus_score(SENTENCES, None).score)
    """
    (printed,) = run_program(code, pickle.dumps(scorer).hex()).stdout.split()
    assert float(printed) == expected


def test_interrupts_at_any_moment_leave_nothing_behind():
    code = """
        import os, random, signal, threading, time
        from test_parallel import SENTENCES
        import vecbleu
        from vecbleu import corpus, helper
        helper._IDLE_SECONDS = 0.1
        corpus._BLOCK_SIZES["text"] = 2000
        for number in range(40):
            try:
                signal.setitimer(signal.ITIMER_REAL, random.Random(number).uniform(1e-4, 0.03))
                signal.signal(signal.SIGALRM, signal.default_int_handler)
                vecbleu.statistics(SENTENCES * 9, SENTENCES * 9, workers=3)
            except KeyboardInterrupt:
                pass
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        for _ in range(100):
            if threading.active_count() > 1:
                time.sleep(0.05)
        try:
            os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            print("no child,", threading.active_count(), "thread")
    """
    program = run_program(code)
    assert program.stdout == "no child, 1 thread\n", program.stderr


def test_an_error_outside_leaves_no_process_at_the_end():
    code = """
        from test_parallel import process_of_helper
        from vecbleu.parallel import Labor, map_blocks
        for pid in map_blocks(process_of_helper, range(10**6), Labor(2), 0):
            raise ValueError(pid)
    """
    program = run_program(code)
    assert program.returncode == 1
    assert "ValueError" in program.stderr.splitlines()[-1]


@pytest.mark.parametrize("fails", [KeyboardInterrupt, MemoryError])
def test_helpers_that_can_not_be_started_leave_none_behind(monkeypatch, fails):
    started = []

    def fail_at_the_third(pipe):
        started.append(pipe)
        if len(started) > 4:
            raise fails

    monkeypatch.setattr(helper, "_widen", fail_at_the_third)
    threads = threading.active_count()
    with pytest.raises(fails):
        [*map_blocks(process_of_helper, range(1000), Labor(8), 0)]
    assert threading.active_count() == threads
    assert not helper._RUNNING


def test_no_more_helpers_than_blocks(monkeypatch):
    helpers = []
    hire = parallel.hire

    def count(team):
        helpers.append(hire(team))
        return helpers[-1]

    monkeypatch.setattr(parallel, "hire", count)
    assert [*map_blocks(square, range(4), Labor(100), 0)] == [0, 1, 4, 9]
    assert len(helpers) <= 3
    helpers.clear()
    assert [*map_blocks(square, range(1), Labor(100), 0)] == [0]
    assert not helpers


@pytest.mark.parametrize(("name", "value"), [("executable", ""), ("frozen", True)])
def test_without_an_interpreter_all_is_done_here(monkeypatch, name, value):
    monkeypatch.setattr(sys, name, value, raising=False)
    assert {*map_blocks(process_of_helper, range(9), Labor(3), 0)} == {os.getpid()}


def test_results_that_do_not_unpickle_are_errors():
    with pytest.raises(ValueError, match="only in the helper"):
        [*map_blocks(partial(odd_result, os.getpid()), range(40), Labor(2), 0)]


class OddResult:
    def __reduce__(self):
        return refuse_elsewhere, (os.getpid(),)


def refuse_elsewhere(pid):
    if pid != os.getpid():
        raise ValueError("only in the helper")


def odd_result(caller, number):
    time.sleep(0.01)
    return OddResult() if os.getpid() != caller else None


def test_little_work_starts_no_process(monkeypatch):
    def refuse(team):
        raise AssertionError("a helper was started")

    monkeypatch.setattr(parallel, "hire", refuse)
    assert len(vecbleu.statistics(SENTENCES, REFERENCES)) == 300
    assert [*map_blocks(square, range(5), Labor(None), 1e6)] == [0, 1, 4, 9, 16]
    with pytest.raises(AssertionError, match="a helper was started"):
        [*map_blocks(square, range(5), Labor(2), 0)]


def test_much_work_is_shared_among_the_cores(monkeypatch):
    monkeypatch.setattr(parallel, "_cores", lambda: 3)
    pids = {*map_blocks(process_of_helper, range(400), Labor(None), 1e9)}
    assert len(pids) == 3


def test_units_errors_keep_their_unit():
    error = pickle.loads(pickle.dumps(UnitError(3, "why")))
    assert (error.unit, str(error)) == (3, "why")


@pytest.mark.parametrize(
    ("workers", "error", "message"),
    [
        (0, ValueError, "workers is 0, expected at least 1"),
        (-1, ValueError, "workers is -1"),
        (True, TypeError, "workers is True, expected an integer or None"),
        (2.0, TypeError, r"workers is 2\.0"),
    ],
)
def test_wrong_numbers_of_workers(workers, error, message):
    for call in (
        lambda: vecbleu.statistics(["a"], ["a"], workers=workers),
        lambda: vecbleu.corpus_bleu(["a"], ["a"], workers=workers),
        lambda: vecbleu.sentence_bleu(["a"], ["a"], workers=workers),
        lambda: vecbleu.file_statistics("a", "b", workers=workers),
    ):
        with pytest.raises(error, match=message):
            call()
