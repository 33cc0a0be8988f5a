"""The documentation without Sphinx: links, addresses and the reference."""

from __future__ import annotations

import importlib
import pkgutil
import re
import runpy
from pathlib import Path

import pytest

import vecbleu

ROOT = Path(__file__).parent.parent
FOLDERS = "docs", "data", "tests", "benchmarks", "vecbleu", ".ci"
FILES = [*ROOT.glob("*.*"), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))]
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in FILES if path.suffix == ".md")


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


def test_no_address_names_a_home_of_the_project():
    """It has none; `VECBLEU_REPOSITORY` sets one for the site."""
    for path in FILES:
        if path.suffix in {".md", ".py", ".toml", ".cff", ".in", ".html", ".js", ".yml", ""}:
            text = path.read_text(encoding="utf-8") if path.is_file() else ""
            assert not re.search(r"://[^\s)\"]*vecbleu", text), path


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
TYPES = [name for name in vars(vecbleu.typing) if name[0].isupper()]


def test_every_public_name_is_in_the_reference_once():
    named = {name for name in PUBLIC if name not in WORDS}  # modules and versions are words
    assert sorted(DESCRIBED) == sorted(named)
    assert all(pkgutil.resolve_name(name) is not None for name in DESCRIBED)
    assert {*TYPES} <= WORDS
