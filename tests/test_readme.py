"""What the README says outside its Python examples, which run as doctests."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import vecbleu.cli
import vecbleu.nltk
import vecbleu.sacrebleu

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_console_examples(monkeypatch, capsys, tmp_path):
    shutil.copytree(ROOT / "data", tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```console\n(.*?)```", README, flags=re.DOTALL)
    examples = [example for block in blocks for example in re.split(r"^\$ ", block, flags=re.M)]
    commands = [example.split("\n", 1) for example in examples if example]
    assert len(commands) == 4
    for command, expected in commands:
        program, *arguments = shlex.split(command)
        assert program == "vecbleu"
        assert vecbleu.cli.main(arguments) == 0
        assert capsys.readouterr().out == expected


def test_the_first_command_scores_the_sample():
    command = next(line for line in README.splitlines() if "pip install . " in line)
    *_, scoring = command.split(" && ")
    assert scoring.startswith(".venv/bin/vecbleu ")
    assert all((ROOT / word).is_file() for word in scoring.split() if word.startswith("data/"))


def test_linked_files_exist():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert target.startswith("http") or (ROOT / target).exists(), target


def test_named_functions_exist():
    for name in set(re.findall(r"`vecbleu\.((?:nltk\.|sacrebleu\.)?\w+)\(", README)):
        target = vecbleu
        for part in name.split("."):
            target = getattr(target, part)
        assert callable(target)
