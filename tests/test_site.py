"""The documentation without Sphinx: links, the reference, and examples that are no doctests."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import runpy
import shlex
import shutil
from pathlib import Path

import pytest

import vecbleu
import vecbleu.cli

ROOT = Path(__file__).parent.parent
FOLDERS = "docs", "data", "tests", "benchmarks", "vecbleu", ".ci"
FILES = [*ROOT.glob("*.*"), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))]
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in FILES if path.suffix == ".md")
USERS_PAGES = [page for page in PAGES if page.startswith(("README", "docs/"))]


def text_of(page):
    return (ROOT / page).read_text(encoding="utf-8")


def prose_of(page):
    """A page without its blocks of code."""
    return re.sub(r"^ *```.*?^ *```$", "", text_of(page), flags=re.M | re.S)


def sections_of(page):
    """What links call the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", prose_of(page), flags=re.M)
    return [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]


@pytest.mark.parametrize("page", PAGES)
def test_no_link_is_dead(page):
    """Neither its file nor its section."""
    for link in re.findall(r"\]\(([^)\s]+)\)", prose_of(page)):
        if re.match(r"\w+:", link):
            continue
        path, _, section = link.partition("#")
        target = (ROOT / page).parent / path if path else ROOT / page
        assert target.exists(), link
        assert not section or section in sections_of(target), link


@pytest.mark.parametrize(
    ("link", "page", "repository", "expected"),
    [
        ("[all](../CHANGELOG.md#fixed)", "stability.md", "", "[all](changelog.md#fixed)"),
        ("[all](../speed.md)", "reference/nltk.md", "", "[all](../speed.md)"),
        ("[its *data*](../data/README.md)", "score.md", "", "its *data*"),
        ("[data](../data/README.md)", "score.md", "https://a.b/c", "[data](https://a.b/c/data/README.md)"),
        ("[none](nowhere.md)", "score.md", "", "[none](nowhere.md)"),
    ],
)  # fmt: skip
def test_links_become_those_of_the_site(link, page, repository, expected, monkeypatch):
    monkeypatch.setenv("VECBLEU_REPOSITORY", repository)
    text = [link]
    runpy.run_path(str(ROOT / "docs/conf.py"))["show_page"](None, page.removesuffix(".md"), text)
    assert text == [expected]


def described(page):
    """Names that a page of the reference shows, with their module."""
    module = ""
    for kind, name in re.findall(r"^\.\. (currentmodule|auto\w+):: ([\w.]+)", text_of(page), re.M):
        if kind == "currentmodule":
            module = f"{name}."
        else:
            yield name if name.startswith("vecbleu.") else module + name


REFERENCE = [page for page in PAGES if page.startswith("docs/reference/")]
DESCRIBED = [name for page in REFERENCE for name in described(page)]
WORDS = {word for page in REFERENCE for word in re.findall(r"`([\w.]+)`", text_of(page))}
PACKAGES = [vecbleu, *(importlib.import_module(f"vecbleu.{one}") for one in vecbleu._PACKAGES)]
PUBLIC = [f"{one.__name__}.{name}" for one in PACKAGES for name in getattr(one, "__all__", ())]


def test_every_public_name_is_in_the_reference_once():
    named = {name for name in PUBLIC if name not in WORDS}  # modules and versions are words
    assert sorted(DESCRIBED) == sorted(named)
    assert all(pkgutil.resolve_name(name) is not None for name in DESCRIBED)
    assert {name for name in vars(vecbleu.typing) if name[0].isupper()} <= WORDS


def blocks_in(text):
    """Languages of a text's code blocks, and what they hold."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", text, flags=re.M | re.S)


@pytest.mark.parametrize("page", [page for page in USERS_PAGES if "```console" in text_of(page)])
def test_console_examples_print_what_pages_show(page, monkeypatch, capsys, tmp_path):
    blocks = [block for language, block in blocks_in(text_of(page)) if language == "console"]
    examples = [example for block in blocks for example in re.split(r"^\$ ", block, flags=re.M)]
    commands = [example.split("\n", 1) for example in examples if example]
    assert commands
    if any(command.startswith("vecbleu plot ") for command, _ in commands):
        pytest.importorskip("matplotlib")
    if any(" -m " in command for command, _ in commands):
        pytest.importorskip("sacrebleu")
    monkeypatch.delenv("COLUMNS", raising=False)  # compare fits its lines to it
    shutil.copytree(ROOT / "data", tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    status, shows_status = 0, True
    for command, expected in commands:
        if command == "echo $?":
            assert expected == f"{status}\n"
            shows_status = True
            continue
        assert shows_status, command  # of the command before, if it is not 0
        program, *arguments = shlex.split(command)
        assert program == "vecbleu"
        status = vecbleu.cli.main(arguments)
        printed = capsys.readouterr()
        assert printed.out + printed.err == expected
        shows_status = status == 0
    assert shows_status


@pytest.mark.parametrize("page", [page for page in USERS_PAGES if page not in REFERENCE])
def test_every_block_is_run(page):
    text = text_of(page)
    assert "~~~" not in text  # nor a fence of another kind
    assert text.count("```") == 2 * len(blocks_in(text))
    for language, block in blocks_in(text):
        if language == "console":
            is_run = block.startswith("$ ")
        elif language == "python":
            examples = doctest.DocTestParser().parse(block)
            prose = "".join(part for part in examples if isinstance(part, str))
            # Without an empty line at its end, the fence would be output.
            is_run = len(examples) > 1 and not prose.strip() and block.endswith("\n\n")
        elif language == "yaml":
            commands = re.findall("run: (vecbleu .*)", block)
            is_run = commands != [] and all(f"\n$ {command}\n" in text for command in commands)
        else:
            is_run = language in ("sh", "text", "py")  # of a checkout, drawings, tests/recipes
        assert is_run, block


GIVEN = """
import vecbleu, sacrebleu as peer
from nltk.translate.bleu_score import sentence_bleu
hypotheses = ["a cat sat on the mat", "a dog barked at me"]
references = [["the cat sat on the mat"], ["the dog barked at me"]]
metric = peer.BLEU(effective_order=True)
"""
TOKENS = """
hypotheses = [one.split() for one in hypotheses]
references = [[one.split()] for one, in references]
"""


@pytest.mark.parametrize(
    ("row", "use"),
    [
        (0, "sacrebleu.corpus_bleu(hypotheses, [*zip(*references)]).score"),
        (1, "[*result]"),
        (3, "corpus_bleu(references, hypotheses), sentence_bleu(references[0], hypotheses[0])"),
        (4, "[*result]"),
    ],
)
def test_replacements_work_when_pasted(row, use):
    pytest.importorskip("nltk"), pytest.importorskip("sacrebleu")
    found = []
    table = text_of("README.md").partition("| in place of | write |\n|---|---|\n")[2]
    given = GIVEN if row < 3 else GIVEN + TOKENS
    for side in table.splitlines()[row].split(" | "):
        code, names = re.search("`(.*?)`", side)[1], {}
        exec(f"{given}{'' if 'import' in code else 'result = '}{code}", names)
        found.append(eval(use, names))
    assert found[1] == pytest.approx(found[0], rel=1e-12)  # the last digit depends on the Python


def test_functions_that_pages_call_exist():
    for name in re.findall(r"`(vecbleu(?:\.\w+)+)\(", "".join(map(text_of, USERS_PAGES))):
        assert callable(pkgutil.resolve_name(name)), name
