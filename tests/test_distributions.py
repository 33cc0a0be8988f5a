"""The check of a release's files finds what is wrong with them."""

from __future__ import annotations

import io
import tarfile
import zipfile

import pytest
from distributions import LICENSES, METADATA, files_of, wrong

INFO = "vecbleu-1.0.dist-info"
HEADERS = [
    "Metadata-Version: 2.4",
    "Description-Content-Type: text/markdown",
    *(f"License-File: {name}" for name in LICENSES),
    "Requires-Dist: numpy>=2.0",
    'Requires-Dist: tqdm; extra == "progress"',
]
CHECKOUT = {
    "README.md": b"# vecbleu\n",
    "LICENSE": b"MIT",
    "NOTICE.md": b"None",
    "pyproject.toml": b"[project]",
    "tests/test_it.py": b"assert True",
    "vecbleu/__init__.py": b"1",
    "vecbleu/py.typed": b"",
    ".ci/run": b"exit",
    ".gitignore": b"*.pyc",
}
WHEEL = {
    **{name: text for name, text in CHECKOUT.items() if name.startswith("vecbleu/")},
    **{f"{INFO}/{name}": b"" for name in METADATA},
    **{f"{INFO}/licenses/{name}": CHECKOUT[name] for name in LICENSES},
    f"{INFO}/WHEEL": b"Root-Is-Purelib: true\nTag: py3-none-any\n",
    f"{INFO}/METADATA": "\n".join([*HEADERS, "", "# vecbleu\n"]).encode(),
}
SDIST = {
    **{name: text for name, text in CHECKOUT.items() if not name.startswith((".ci", ".git"))},
    "PKG-INFO": b"",
    "setup.cfg": b"",
    "vecbleu.egg-info/SOURCES.txt": b"",
}


def found(sdist=SDIST, first=WHEEL, second=WHEEL):
    return [*wrong(CHECKOUT, sdist, {"first": first, "second": second})]


def without(files, name):
    return {other: text for other, text in files.items() if other != name}


def with_metadata(old, new):
    changed = WHEEL[f"{INFO}/METADATA"].replace(old, new)
    return WHEEL | {f"{INFO}/METADATA": changed}


def test_nothing_is_wrong_with_a_release():
    assert found() == []


@pytest.mark.parametrize(
    "name", ["vecbleu/py.typed", f"{INFO}/licenses/NOTICE.md", f"{INFO}/entry_points.txt"]
)
def test_what_a_wheel_lacks(name):
    (line,) = found(first=without(WHEEL, name), second=without(WHEEL, name))[::2]
    assert line == f"first: {name.removeprefix(f'{INFO}/')} is missing"


@pytest.mark.parametrize("name", ["tests/test_it.py", "data/en", "vecbleu/old.py", f"{INFO}/x"])
def test_what_a_wheel_has_beside_the_package(name):
    changed = WHEEL | {name: b""}
    line, _ = found(first=changed, second=changed)
    assert line == f"first: {name.removeprefix(f'{INFO}/')} does not belong there"


def test_modules_that_are_not_the_checkouts():
    changed = WHEEL | {"vecbleu/__init__.py": b"2"}
    assert found(second=changed) == [
        "second: vecbleu/__init__.py has other contents",
        "second, not as first: vecbleu/__init__.py has other contents",
    ]


def test_a_wheel_of_one_platform():
    changed = WHEEL | {f"{INFO}/WHEEL": b"Root-Is-Purelib: false\n"}
    assert "first: it is not for every platform" in found(first=changed, second=changed)


@pytest.mark.parametrize(
    ("sdist", "line"),
    [
        (without(SDIST, "tests/test_it.py"), "tests/test_it.py is missing"),
        (SDIST | {"notes.txt": b""}, "notes.txt does not belong there"),
        (SDIST | {".ci/run": b"exit"}, ".ci/run does not belong there"),
        (SDIST | {"LICENSE": b"BSD"}, "LICENSE has other contents"),
    ],
)
def test_what_is_wrong_with_an_sdist(sdist, line):
    assert found(sdist=sdist) == [f"sdist: {line}"]


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (b"text/markdown", b"text/plain", "the README is not shown as Markdown"),
        (b"# vecbleu", b"# another", "the description is not the README"),
        (b"License-File: LICENSE\n", b"", "it names the license files ['NOTICE.md']"),
        (b"numpy>=2.0", b"tqdm>=2.0", "it needs ['tqdm>=2.0'], not NumPy alone"),
    ],
)
def test_what_is_wrong_with_metadata(old, new, line):
    changed = with_metadata(old, new)
    assert found(first=changed, second=changed) == [f"first: {line}"]


def test_archives_are_read(tmp_path):
    wheel, sdist = tmp_path / "vecbleu-1.0-py3-none-any.whl", tmp_path / "vecbleu-1.0.tar.gz"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("vecbleu/a.py", b"1")
    with tarfile.open(sdist, "w:gz") as archive:
        member = tarfile.TarInfo("vecbleu-1.0/vecbleu/a.py")
        member.size = 1
        archive.addfile(member, io.BytesIO(b"1"))
    assert files_of(wheel) == files_of(sdist) == {"vecbleu/a.py": b"1"}
