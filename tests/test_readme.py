"""What the README says outside its Python examples, which run as doctests."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import vecbleu.cli
import vecbleu.nltk
import vecbleu.sacrebleu

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_console_example(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    (block,) = re.findall(r"```console\n(.*?)```", README, flags=re.DOTALL)
    command, expected = block.split("\n", 1)
    program, *arguments = shlex.split(command.removeprefix("$ "))
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
