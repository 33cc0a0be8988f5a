"""Each page of recipes is a script that runs as it is, and prints what the page says."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pages
import pytest

pytestmark = pytest.mark.slow

# What the index says to save a script as.
(NAME,) = re.findall(r"save one as `(.*?)`", pages.text_of("README"))


def run(script, folder):
    """What a script prints that is pasted into a file and run in an empty folder."""
    path = folder / NAME
    path.write_text(script, encoding="utf-8")
    warnings = ["-W", "error", "-W", f"ignore:{pages.WARNING_OF_SPARK}"]
    command = [sys.executable, *warnings, path.name]
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | pages.environment(),
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", pages.NAMES)
def test_script_prints_what_the_page_says(name, tmp_path):
    pages.skip_if_missing(name)
    (language, script), (output, expected) = pages.blocks_of(name)
    assert (language, output) == ("python", "text")
    assert run(script, tmp_path) == expected
    assert [path.name for path in tmp_path.iterdir()] == [NAME]  # nothing is left behind


@pytest.mark.parametrize("name", pages.NAMES)
def test_index_names_every_page_and_what_it_needs(name):
    row = next(line for line in pages.text_of("README").splitlines() if f"({name}.md)" in line)
    for package in pages.packages_of(name):
        assert f"`{package}" in row, package
