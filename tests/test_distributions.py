"""The check of a release's files finds what is wrong with them."""

from __future__ import annotations

import io
import tarfile
import zipfile

import pytest
from distributions import LICENSES, METADATA, files_of, wrong

INFO = "vecbleu-1.0.dist-info"
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
    f"{INFO}/METADATA": b"Requires-Dist: numpy>=2.0\n\n# vecbleu\n",
}
SDIST = {
    **{name: text for name, text in CHECKOUT.items() if not name.startswith((".ci", ".git"))},
    "PKG-INFO": b"",
    "setup.cfg": b"",
    "vecbleu.egg-info/SOURCES.txt": b"",
}


def found(sdist=SDIST, wheel=WHEEL):
    return [*wrong(CHECKOUT, sdist, {"first": wheel, "second": WHEEL})]


def without(files, name):
    return {other: text for other, text in files.items() if other != name}


def with_metadata(old, new):
    name = f"{INFO}/METADATA"
    return WHEEL | {name: WHEEL[name].replace(old, new)}


def test_nothing_is_wrong_with_a_release():
    assert found() == []


@pytest.mark.parametrize(
    ("changed", "name"),
    [
        ({"wheel": without(WHEEL, "vecbleu/py.typed")}, "vecbleu/py.typed"),
        ({"wheel": without(WHEEL, f"{INFO}/licenses/NOTICE.md")}, "licenses/NOTICE.md"),
        ({"wheel": WHEEL | {"tests/test_it.py": b""}}, "tests/test_it.py"),
        ({"wheel": WHEEL | {"vecbleu/__init__.py": b"2"}}, "vecbleu/__init__.py"),
        ({"wheel": WHEEL | {f"{INFO}/WHEEL": b"Root-Is-Purelib: false\n"}}, "platform"),
        ({"wheel": with_metadata(b"# vecbleu", b"# another")}, "README"),
        ({"wheel": with_metadata(b"numpy>=2.0", b"tqdm>=2.0")}, "tqdm"),
        ({"sdist": without(SDIST, "tests/test_it.py")}, "tests/test_it.py"),
        ({"sdist": SDIST | {".ci/run": b"exit"}}, ".ci/run"),
        ({"sdist": SDIST | {"LICENSE": b"BSD"}}, "LICENSE"),
    ],
)
def test_what_is_wrong_is_named(changed, name):
    lines = [line for line in found(**changed) if " not as first" not in line]
    assert len(lines) == 1
    assert name in lines[0]


def test_archives_are_read(tmp_path):
    wheel, sdist = tmp_path / "vecbleu-1.0-py3-none-any.whl", tmp_path / "vecbleu-1.0.tar.gz"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("vecbleu/a.py", b"1")
    with tarfile.open(sdist, "w:gz") as archive:
        member = tarfile.TarInfo("vecbleu-1.0/vecbleu/a.py")
        member.size = 1
        archive.addfile(member, io.BytesIO(b"1"))
    assert files_of(wheel) == files_of(sdist) == {"vecbleu/a.py": b"1"}
