"""What the README and the guide say outside their Python examples, which run as doctests."""

from __future__ import annotations

import pkgutil
import re
import shlex
import shutil
from pathlib import Path

import pytest

import vecbleu.cli
import vecbleu.nltk
import vecbleu.sacrebleu

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDE = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs/guide").glob("*.md"))


def text_of(page):
    return (ROOT / page).read_text(encoding="utf-8")


def blocks_of(page):
    """Languages of a page's code blocks, and what they hold."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", text_of(page), flags=re.M | re.S)


def commands_of(page):
    """Commands of a page's examples, and what they print."""
    blocks = [block for language, block in blocks_of(page) if language == "console"]
    examples = [example for block in blocks for example in re.split(r"^\$ ", block, flags=re.M)]
    return [example.split("\n", 1) for example in examples if example]


def sections_of(page):
    """What links call the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", text_of(page), flags=re.M)
    return [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]


@pytest.mark.parametrize(
    "page", [page for page in ["README.md", *GUIDE] if "```console" in text_of(page)]
)
def test_console_examples(page, monkeypatch, capsys, tmp_path):
    commands = commands_of(page)
    assert commands
    if any(command.startswith("vecbleu plot ") for command, _ in commands):
        pytest.importorskip("matplotlib")
    shutil.copytree(ROOT / "data", tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    for command, expected in commands:
        program, *arguments = shlex.split(command)
        assert program == "vecbleu"
        assert vecbleu.cli.main(arguments) == 0
        assert capsys.readouterr().out == expected


@pytest.mark.parametrize("page", GUIDE)
def test_every_block_of_the_guide_is_run(page):
    blocks = blocks_of(page)
    assert text_of(page).count("```") == 2 * len(blocks)
    for language, block in blocks:
        assert block.startswith({"python": ">>> ", "console": "$ "}[language])
        assert language == "console" or block.endswith("\n\n")  # or the fence would be output


def test_the_first_command_scores_the_sample():
    command = next(line for line in README.splitlines() if "pip install . " in line)
    *_, scoring = command.split(" && ")
    assert scoring.startswith(".venv/bin/vecbleu ")
    assert all((ROOT / word).is_file() for word in scoring.split() if word.startswith("data/"))


@pytest.mark.parametrize("page", ["README.md", *GUIDE])
def test_linked_files_and_sections_exist(page):
    for target in re.findall(r"\]\(([^)]+)\)", text_of(page)):
        if not target.startswith("http"):
            name, _, section = target.partition("#")
            path = (ROOT / page).parent / name
            assert path.exists(), target
            assert not section or section in sections_of(path), target


@pytest.mark.parametrize("page", ["README.md", *GUIDE])
def test_named_functions_exist(page):
    for name in set(re.findall(r"`(vecbleu(?:\.\w+)+)\(", text_of(page))):
        assert callable(pkgutil.resolve_name(name)), name
