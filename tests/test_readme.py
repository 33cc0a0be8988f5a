"""What the README and the pages say outside their Python examples, which run as doctests."""

from __future__ import annotations

import doctest
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
FLAT = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md"))
PAGES = ["README.md", *FLAT]
OTHERS = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))
ALL_PAGES = ["README.md", *OTHERS]


def text_of(page):
    return (ROOT / page).read_text(encoding="utf-8")


def blocks_in(text):
    """Languages of a text's code blocks, and what they hold."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", text, flags=re.M | re.S)


def commands_of(page):
    """Commands of a page's examples, and what they print."""
    blocks = [block for language, block in blocks_in(text_of(page)) if language == "console"]
    examples = [example for block in blocks for example in re.split(r"^\$ ", block, flags=re.M)]
    return [example.split("\n", 1) for example in examples if example]


@pytest.mark.parametrize("page", [page for page in PAGES if "```console" in text_of(page)])
def test_console_examples(page, monkeypatch, capsys, tmp_path):
    commands = commands_of(page)
    assert commands
    if any(command.startswith("vecbleu plot ") for command, _ in commands):
        pytest.importorskip("matplotlib")
    if any(" -m " in command for command, _ in commands):
        pytest.importorskip("sacrebleu")
    monkeypatch.delenv("COLUMNS", raising=False)  # compare fits its lines to it
    shutil.copytree(ROOT / "data", tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    for command, expected in commands:
        program, *arguments = shlex.split(command)
        assert program == "vecbleu"
        assert vecbleu.cli.main(arguments) == 0
        assert capsys.readouterr().out == expected


def not_run(text):
    """Blocks of Python or of commands, of which something is not run."""
    if "~~~" in text or text.count("```") != 2 * len(blocks_in(text)):
        yield "a fence of another kind"
    for language, block in blocks_in(text):
        if language == "console":
            is_run = block.startswith("$ ")
        elif language == "python":
            examples = doctest.DocTestParser().parse(block)
            prose = "".join(part for part in examples if isinstance(part, str))
            # Without an empty line at its end, the fence would be output.
            is_run = len(examples) > 1 and not prose.strip() and block.endswith("\n\n")
        else:
            is_run = language in ("sh", "text", "py")  # of a checkout, drawings, tests/recipes
        if not is_run:
            yield block


@pytest.mark.parametrize("page", PAGES)
def test_every_block_is_run(page):
    assert [*not_run(text_of(page))] == []


def replacements():
    """What stands first on either side of the README's table of replacements."""
    table = text_of("README.md").partition("| in place of | write |\n|---|---|\n")[2]
    rows = (row.split(" | ") for row in table.partition("\n\n")[0].splitlines())
    return [[re.search("`(.*?)`", side)[1] for side in row] for row in rows]


HYPOTHESES = ["a cat sat on the mat", "a dog barked at me"]
REFERENCES = [["the cat sat on the mat"], ["the dog barked at me"]]
GIVEN = """
import vecbleu, sacrebleu as peer, nltk.translate.bleu_score as nltk_bleu
hypotheses, references, sentence_bleu = HYPOTHESES, REFERENCES, nltk_bleu.sentence_bleu
metric = peer.BLEU(effective_order=True)
"""
TOKENS = """
hypotheses = [one.split() for one in HYPOTHESES]
references = [[one.split()] for one, in REFERENCES]
"""


@pytest.mark.parametrize(
    ("row", "given", "use"),
    [
        (0, "", "sacrebleu.corpus_bleu(hypotheses, [*zip(*references)]).score"),
        (1, "", "[*result]"),
        (
            3,
            TOKENS,
            "corpus_bleu(references, hypotheses), sentence_bleu(references[0], hypotheses[0])",
        ),
        (4, TOKENS, "[*result]"),
    ],
)
def test_replacements_work_when_pasted(row, given, use):
    pytest.importorskip("nltk"), pytest.importorskip("sacrebleu")
    found = []
    for side in replacements()[row]:
        names = {"HYPOTHESES": HYPOTHESES, "REFERENCES": REFERENCES}
        exec(f"{GIVEN}{given}{'' if 'import' in side else 'result = '}{side}", names)
        found.append(eval(use, names))
    assert found[1] == pytest.approx(found[0], rel=1e-12)  # the last digit depends on the Python


@pytest.mark.parametrize("page", ALL_PAGES)
def test_named_functions_exist(page):
    for name in set(re.findall(r"`(vecbleu(?:\.\w+)+)\(", text_of(page))):
        assert callable(pkgutil.resolve_name(name)), name
