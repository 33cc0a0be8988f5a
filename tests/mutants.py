"""Draw mutants of the package at random, and see which ones the tests find.

``python -m tests.mutants [--seed N] [--count 400] [PATH ...]`` runs all tests once, to learn which
lines each runs. On a mutant it runs a minute of those of its line, and if they take less than 15
seconds, others of the module and of the folder. A line that none runs in its own process, or that
runs at import, has the tests of its module, and those that start programs or read signatures.
Whether a survivor changes behavior, a person has to say.
"""

from __future__ import annotations

import argparse
import ast
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate
from pathlib import Path
from queue import SimpleQueue
from random import Random

import pytest

from tests.faults import PACKAGE, ROOT, Change

SECONDS = 60, 15  # of tests of a mutant's line; of these with others
READ = (  # signatures and docstrings
    "tests/test_names.py",
    "tests/test_public.py",
    "tests/test_sacrebleu.py::test_defaults_are_sacrebleus",
)
FIRST_SECONDS = 5  # of tests in a process of their own, which find most mutants
FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - |$)", flags=re.M)
LIMITS = ["prlimit", "--cpu=180", "timeout", "300"]  # if it never ends
OPTIONS = "-p tests.mutants -p no:cacheprovider --hypothesis-profile=first --hypothesis-seed=0"

# This module is a plugin of pytest, too: it writes what is learned, and reads what is chosen.
LEARNED, CHOSEN = "MUTANTS_LEARNED", "MUTANTS_CHOSEN"
seconds: dict[str, tuple[float, float]] = {}
left_out: set[str] = set()

SWAPS = "Lt LtE, Gt GtE, Eq NotEq, Is IsNot, In NotIn, And Or, Add Sub, Mult Div, Mod FloorDiv"
SWAPS += ", BitAnd BitOr, LShift RShift, BitXor BitAnd, Pow Mult, MatMult Mult"
PAIRS = [[getattr(ast, name) for name in pair.split()] for pair in SWAPS.split(", ")]
OTHER = {second: first for first, second in PAIRS} | dict(PAIRS)
NAMES = {"min": "max", "any": "all", "minimum": "maximum", "isdisjoint": "issuperset"}
NAMES |= {other: name for name, other in NAMES.items()}
REMOVED = ast.AugAssign | ast.Raise | ast.Delete | ast.If | ast.For | ast.Break | ast.Continue


def changed(node: ast.AST, **fields: object) -> ast.AST:
    """Return a copy with other fields."""
    return type(node)(**{**vars(node), **fields})


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Return what may stand in the place of a node."""
    match node:
        case ast.Compare(ops=[op, *rest]):
            yield changed(node, ops=[OTHER[type(op)](), *rest])
        case ast.BoolOp(op=op, values=[first, *_, last]):
            yield from (changed(node, op=OTHER[type(op)]()), first, last)
        case ast.BinOp(op=op, left=left, right=right):
            yield from (changed(node, op=OTHER[type(op)]()), left, right)
        case ast.UnaryOp(operand=operand):
            yield operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield from (ast.Constant(value - 1), ast.Constant(value + 1))
        case ast.Call(args=[first, second, *rest]) if type(first) is type(second):
            yield changed(node, args=[second, first, *rest])
        case ast.Call(args=[only]) if ast.unparse(node.func)[0].islower():
            yield only
        case ast.Name(id=name) if name in NAMES:
            yield changed(node, id=NAMES[name])
        case ast.Attribute(attr=name) if name in NAMES:
            yield changed(node, attr=NAMES[name])
        case ast.Slice(lower=lower, upper=upper) if lower or upper:
            yield changed(node, **{"upper" if lower is None else "lower": None})
        case ast.IfExp(body=body, orelse=orelse):
            yield from (body, orelse)
        case ast.If(test=test) | ast.While(test=test):
            yield changed(node, test=ast.UnaryOp(ast.Not(), test))
        case ast.ListComp(generators=[of]) | ast.GeneratorExp(generators=[of]) if of.ifs:
            yield changed(node, generators=[changed(of, ifs=[])])
        case ast.Expr(value=ast.Call()):
            yield ast.Pass()
    if isinstance(node, ast.Call):
        for keyword in node.keywords:
            yield changed(node, keywords=[k for k in node.keywords if k is not keyword])
    if isinstance(node, REMOVED):
        yield ast.Pass()


def nodes_below(node: ast.AST) -> Iterator[ast.AST]:
    """Return all but annotations, messages, and f-strings (Python 3.11 doesn't know where)."""
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name not in ("annotation", "returns"):
                yield child
                if not isinstance(child, ast.Raise | ast.JoinedStr):
                    yield from nodes_below(child)


def mutate(code: bytes, node: ast.AST, other: ast.AST) -> tuple[str, bytes]:
    """Put another node in a node's place; return what is changed, and the module."""
    starts = [0, *accumulate(map(len, code.splitlines(keepends=True)))]
    start = starts[node.lineno - 1] + node.col_offset
    end = starts[node.end_lineno - 1] + node.end_col_offset
    after = ast.unparse(other)
    is_bare = isinstance(other, ast.stmt | ast.Slice)
    text = after.replace("\n", "\n" + " " * node.col_offset) if is_bare else f"({after})"
    before = ast.unparse(node).splitlines()[0]
    return f"{before}  ->  {after.splitlines()[0]}", code[:start] + text.encode() + code[end:]


def draw(seed: int, count: int, paths: tuple[str, ...]) -> list[Change]:
    """Draw lines, and a mutant of each; a line that stays is drawn again when others change.

    A module of four times the lines has twice the mutants, so that small ones have their share.
    """
    drawn = []
    for file in sorted(PACKAGE.rglob("*.py")):
        code, path = file.read_bytes(), file.relative_to(PACKAGE).as_posix()
        lines, seen = defaultdict(list), Counter()
        for node in nodes_below(ast.parse(code)):
            for other in changes(node):
                lines[node.lineno].append((node, other))
        for line, choices in sorted(lines.items()):
            text = code.splitlines()[line - 1]
            seen[text] += 1
            random = Random(f"{seed} {path} {text} {seen[text]}")
            place = random.random() * math.sqrt(len(lines)), path, line
            what, mutant = mutate(code, *random.choice(choices))
            if f"{path}:{line}".startswith(paths):
                drawn.append((place, Change(path, f"{path}:{line}  {what}", mutant)))
    return [mutant for _, mutant in sorted(drawn)[:count]]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Learn which lines a test runs, and what processor time it takes, with its programs."""
    if LEARNED not in os.environ:
        return (yield)
    from coverage import Coverage

    Coverage.current().switch_context(item.nodeid)
    before = os.times()
    result = yield
    after = os.times()
    here, elsewhere = (sum(after[part]) - sum(before[part]) for part in (slice(2), slice(2, 4)))
    seconds[item.nodeid] = here, elsewhere
    return result


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Leave out what fails or is skipped."""
    if not report.passed:
        left_out.add(report.nodeid)


def pytest_sessionfinish() -> None:
    """Write what is learned."""
    if LEARNED in os.environ:
        learned = {test: taken for test, taken in seconds.items() if test not in left_out}
        Path(os.environ[LEARNED]).write_text(json.dumps(learned), encoding="utf-8")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave the chosen tests."""
    if CHOSEN in os.environ:
        chosen = json.loads(Path(os.environ[CHOSEN]).read_text(encoding="utf-8"))
        items[:] = [item for item in items if item.nodeid in chosen]


class Suite:
    """Copies of the project; the time of each test, and the tests of each place."""

    def __init__(self, folder: Path):
        self.copies = SimpleQueue()
        for name in ("first", "second"):
            no_project = shutil.ignore_patterns(".git", ".venv", ".hypothesis", ".*cache")
            copy = folder.resolve() / name / "project"
            self.copies.put(shutil.copytree(ROOT, copy, ignore=no_project))
        self.seconds: dict[str, float] = {}
        self.tests: dict[str, set[str]] = defaultdict(set)  # of a line, a module or a folder
        self.others: set[str] = set()  # which start programs, or read what is said at import

    def run(self, copy: Path, *command: str, **given: str) -> subprocess.CompletedProcess[str]:
        env = os.environ | {"PYTHONPATH": str(copy), "PYTEST_ADDOPTS": OPTIONS} | given
        return subprocess.run(command, cwd=copy, capture_output=True, text=True, env=env)

    def learn(self, mark: str) -> None:
        """Run the tests of a mark without a mutant."""
        from coverage import CoverageData

        copy = self.copies.get()
        data, learned = copy.parent / "data", copy.parent / "learned"
        options = "coverage", "run", f"--data-file={data}", f"--include={copy}/vecbleu/*"
        command = sys.executable, "-m", *options, "-m", "pytest", "-m", mark
        done = self.run(copy, *command, COVERAGE_CORE="ctrace", **{LEARNED: str(learned)})
        for failed in FAILED.findall(done.stdout):
            print(f"{failed} fails without a change, and is left out", flush=True)
        found = json.loads(learned.read_text(encoding="utf-8"))
        for test, (here, elsewhere) in found.items():
            self.seconds[test] = here + elsewhere
            if elsewhere or test.startswith(READ):
                self.others.add(test)
        lines = CoverageData(str(data))
        lines.read()
        for file in lines.measured_files():
            path = Path(file).relative_to(copy / "vecbleu").as_posix()
            for line, names in lines.contexts_by_lineno(file).items():
                for place in places_of(path, line):
                    self.tests[place] |= found.keys() & names
        self.copies.put(copy)

    def chosen(self, mutant: Change) -> list[list[str]]:
        """Return the nearest and quickest tests, in two parts: those of some files go first."""
        path, line = mutant.what.split()[0].split(":")
        # A line that no test runs in this process has the tests of a line before it.
        lines = (at for at in range(int(line), 0, -1) if f"{path}:{at}" in self.tests)
        near = [self.tests.get(place, set()) for place in places_of(path, next(lines, 0))]
        near[0] = near[0] or near[1] | self.others
        ranks = {
            test: (test not in near[0], sum(test not in tests for tests in near))
            for test in self.seconds
        }
        order = sorted(ranks, key=lambda test: (ranks[test], self.seconds[test]))
        ends = dict(zip(order, accumulate(map(self.seconds.get, order)), strict=True))
        tests = [test for test in order if ends[test] <= SECONDS[ranks[test][0]]]
        files = Counter()
        for test in tests:
            files[file_of(test)] += self.seconds[test]
        tests.sort(key=lambda test: (ranks[test], files[file_of(test)], file_of(test)))
        ends = accumulate(map(self.seconds.get, tests))
        few = sum(end <= FIRST_SECONDS for end in ends)
        return [tests[:few], tests[few:]]

    def check(self, mutant: Change) -> tuple[str, Counter[str]]:
        """Run tests on a mutant; return the one that fails, and how many of each file passed."""
        copy, passed = self.copies.get(), Counter()
        kept, names = copy.parent / "kept", copy.parent / "chosen"
        module = copy / "vecbleu" / mutant.path
        module.rename(kept)
        module.write_bytes(mutant.text)
        given = {CHOSEN: str(names), "PYTHONDONTWRITEBYTECODE": "1"}  # that of mutants may mix
        try:
            for chosen in filter(None, self.chosen(mutant)):
                names.write_text(json.dumps(chosen), encoding="utf-8")
                files = Counter(map(file_of, chosen))
                command = *LIMITS, sys.executable, "-m", "pytest", "-x", "-m", "", *files
                done = self.run(copy, *command, **given)
                if done.returncode not in (0, 5):  # 5: no test is left
                    failed = FAILED.search(done.stdout)
                    return failed[1] if failed else f"exit status {done.returncode}", passed
                passed += files
        finally:
            kept.replace(module)
            self.copies.put(copy)
        return "", passed


def places_of(path: str, line: int) -> list[str]:
    """Return a line, its module and its folder."""
    return [f"{path}:{line}", path, path.rpartition("/")[0]]


def file_of(test: str) -> str:
    return test.partition("::")[0]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("--seed", type=int, default=1, help="draws others (default: %(default)s)")
    parser.add_argument("--count", type=int, default=400, help="of mutants (default: %(default)s)")
    parser.add_argument("paths", nargs="*", default=[""], help="such as ter, or ter/rows.py:12")
    options = parser.parse_args()
    mutants = draw(options.seed, options.count, tuple(options.paths))
    drawn, survived = Counter(), Counter()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        suite = Suite(Path(folder))
        list(pool.map(suite.learn, ["not slow", "slow"]))
        for mutant, (failed, passed) in zip(mutants, pool.map(suite.check, mutants), strict=True):
            rows = [mutant.path.partition("/")[0], "all"]
            drawn.update(rows)
            survived.update(rows if not failed else [])
            ran = failed or f"SURVIVED {passed.total()} tests of {' '.join(sorted(passed))}"
            print(f"{mutant.what}  {ran}", flush=True)
    print(f"{'':16} drawn  found  survived")
    for row in sorted(drawn, key=lambda row: (row == "all", row)):
        print(f"{row:16} {drawn[row]:5}  {drawn[row] - survived[row]:5}  {survived[row]:8}")


if __name__ == "__main__":
    main()
