"""What tests share: profiles of hypothesis, data, the path of the core, small blocks."""

from __future__ import annotations

import gc
import re
import signal
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from contextlib import contextmanager, nullcontext
from functools import lru_cache
from importlib.util import find_spec
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

import vecbleu
from vecbleu.bleu import arrays
from vecbleu.core import corpus
from vecbleu.files import text as file_text
from vecbleu.kernel import ngrams, packed, plain
from vecbleu.ter import arrays as ter_arrays
from vecbleu.ter.metric import Ter

# A shell's jobs in the background ignore it, and so would the programs that are interrupted here.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Tests make many small objects; by default, a tenth of their time is spent on looking for cycles.
gc.set_threshold(200_000, 50, 1000)

SHARED = Path(__file__).parent.parent.parent / "shared" / "data"

FEW = 3  # examples of a property, and cases of a test, on a further Python

# How long drawing takes depends on what else the machine does; no other check is suppressed.
_common = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("quick", max_examples=20, **_common)
settings.register_profile("few", max_examples=FEW, **_common)  # .ci/suite, on further Pythons
_phases = [Phase.explicit, Phase.generate]  # tests/faults.py has no use for small examples
settings.register_profile("first", max_examples=25, phases=_phases, **_common)
settings.register_profile("long", max_examples=4000, **_common)
settings.load_profile("quick")


# What the examples of a page or module need beside NumPy; without it they are skipped by name.
EXAMPLES_NEED = {
    "docs/columns.md": ["pyarrow", "distributed"],
    "docs/from-nltk.md": ["nltk"],
    "docs/why.md": ["matplotlib"],
    "vecbleu/plots.py": ["matplotlib"],
}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip examples whose packages are missing; with the profile "few", leave out cases."""
    if settings.default.max_examples == FEW:
        chosen = few_cases(items)
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = [item for item in items if item in chosen]
    needed = {config.rootpath / page: packages for page, packages in EXAMPLES_NEED.items()}
    for item in items:
        if missing := [name for name in needed.get(item.path, []) if find_spec(name) is None]:
            item.add_marker(pytest.mark.skip(reason=f"no {', '.join(missing)}"))


def few_cases(items: Iterable[pytest.Item]) -> set[pytest.Item]:
    """Of each test, cases that lie apart in its list; those of one Python are not another's."""
    cases = defaultdict(list)
    for item in items:
        cases[item.nodeid.partition("[")[0]].append(item)
    chosen = set()
    for tests in cases.values():
        step = -(-len(tests) // FEW)
        chosen.update(tests[sys.version_info.minor % step :: step])
    return chosen


def shared(name: str) -> Path:
    """A folder of data that is not part of the project."""
    folder = SHARED / name
    if not folder.is_dir():
        pytest.skip(f"no data at {folder}")
    return folder


@pytest.fixture(scope="session")
def wmt23() -> Path:
    """WMT 2023 outputs and published scores."""
    return shared("wmt23")


def count_nothing_plainly(patch):
    """Few segments are counted as arrays, too."""
    patch.setattr(plain, "MOST_TOKENS", -1)
    patch.setattr(Ter, "most_plain", lambda metric, is_text: -1)


@contextmanager
def blocks_of(size: int):
    """A context in which so many characters, tokens or bytes make a block."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("BLOCK_CHARACTERS", "BLOCK_TOKENS"):
            patch.setattr(corpus, name, size)
        patch.setattr(file_text, "FILE_BLOCK_BYTES", size)
        count_nothing_plainly(patch)
        patch.setattr(packed, "_PART_SYMBOLS", size)
        patch.setattr(ngrams, "GROUP_KEYS", size)
        patch.setattr(ter_arrays, "_PART", size)
        patch.setattr(corpus, "FIRST_SEGMENTS", 1 + size // 64)
        yield


@contextmanager
def arrays_only():
    """A context in which few segments are counted and scored as arrays, too."""
    with pytest.MonkeyPatch.context() as patch:
        count_nothing_plainly(patch)
        patch.setattr(arrays, "_FEW_ROWS", -1)
        yield


# Marks of modules whose tests run on arrays, and of those whose tests run on objects, too.
ON_ARRAYS, ON_BOTH_PATHS = (
    pytest.mark.parametrize("path", paths, indirect=True, scope="module")
    for paths in (["arrays"], ["objects", "arrays"])
)


@pytest.fixture(autouse=True, scope="session")
def no_temporary_file_is_left(tmp_path_factory):
    """Nor a folder, by a test, an example or a process; Dask and torchrun keep their own."""
    folder = tmp_path_factory.mktemp("temporary")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(folder))
        patch.setattr(tempfile, "tempdir", str(folder))
        yield
    left = [path.name for path in folder.iterdir()]
    assert [name for name in left if not name.startswith(("dask-scratch", "torchelastic"))] == []


@pytest.fixture(autouse=True, scope="session")
def sacrebleu_edits_once():
    """Ask sacreBLEU once for the edits of each pair of words, which take it milliseconds."""
    if find_spec("sacrebleu") is None:
        yield
        return
    from sacrebleu.metrics import ter as theirs

    edits = lru_cache(100_000)(theirs.translation_edit_rate)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(theirs, "translation_edit_rate", lambda *sides: edits(*map(tuple, sides)))
        yield


@pytest.fixture(autouse=True, scope="module")
def path(request):
    """The way of the core that a module's mark names, and with it the names of its tests."""
    with arrays_only() if getattr(request, "param", "") == "arrays" else nullcontext():
        yield


@pytest.fixture
def small_blocks():
    """Some ten blocks of a few hundred short segments, for a whole test."""
    with blocks_of(1000):
        yield


def assert_same(sides, others, **options):
    """Others count as the lists of their rows do, on either side and on both."""
    expected = vecbleu.statistics(*sides, **options)
    for mixed in product(*zip(sides, others, strict=True)):
        assert vecbleu.statistics(*mixed, **options) == expected


def assert_refused(error, named, call, *arguments, **options):
    with pytest.raises(error, match=re.escape(named)):
        call(*arguments, **options)
