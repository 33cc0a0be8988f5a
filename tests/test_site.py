"""The documentation as a site: links, navigation and reference, without MkDocs."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import re
from pathlib import Path

import pytest

import vecbleu
from vecbleu.cli.program import COMMANDS

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
README = "README.md"
PAGES = [path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]]


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


hooks = load(DOCS / "hooks.py")


def text_of(page):
    return (ROOT / page).read_text(encoding="utf-8")


def prose_of(page):
    """A page without its blocks of code."""
    return re.sub(r"^ *```.*?^ *```$", "", text_of(page), flags=re.M | re.S)


def links_of(page):
    return re.findall(r"\]\(([^)\s]+)\)", prose_of(page))


def sections_of(page):
    """What links call the headings of a page, on code hosts and on the site."""
    headings = re.findall(r"^#+ (.*)$", prose_of(page), flags=re.M)
    return [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]


@pytest.mark.parametrize("page", PAGES)
def test_no_link_is_dead(page):
    """Neither its file nor its section."""
    for link in links_of(page):
        target = hooks.linked_file(link, page)
        section = link.partition("#")[2]
        if target is not None:
            assert (ROOT / target).is_file(), link
            assert not section or section in sections_of(target), link


@pytest.mark.parametrize(
    ("link", "source", "expected"),
    [
        ("{site}/changelog.html#fixed", README, "changelog.md#fixed"),
        ("docs/speed.md", "CONTRIBUTING.md", "speed.md"),
        ("../CHANGELOG.md#fixed", "docs/stability.md", "changelog.md#fixed"),
        ("../data/README.md", "docs/score.md", "{code}/blob/main/data/README.md"),
        ("nowhere.md", "docs/score.md", "nowhere.md"),
    ],
)
def test_links_become_those_of_the_site(link, source, expected):
    urls = hooks.project_urls()
    known = {"site": urls["documentation"], "code": urls["repository"]}
    assert hooks.site_link(link.format(**known), source) == expected.format(**known)


def test_every_page_is_in_the_navigation():
    named = re.findall(r"^ +- (?:.*: )?([\w/-]+(?:\.md|/))", text_of("mkdocs.yml"), flags=re.M)
    folders = tuple(name for name in named if name.endswith("/"))
    made = {page.removeprefix("docs/") for page in PAGES if page.startswith("docs/")}
    made |= {*hooks.ROOT_PAGES.values()}
    assert sorted(name for name in named if name not in folders) == sorted(
        page for page in made if not page.startswith(folders)
    )


PACKAGES = [vecbleu, *(importlib.import_module(f"vecbleu.{one}") for one in vecbleu._PACKAGES)]
PUBLIC = {
    f"{package.__name__}.{name}": getattr(package, name)
    for package in PACKAGES
    for name in getattr(package, "__all__", ())
}
REFERENCE = [page for page in PAGES if page.startswith("docs/reference/")]
DESCRIBED = [
    name for page in REFERENCE for name in re.findall(r"^::: (.*)$", text_of(page), flags=re.M)
]
WORDS = {word for page in REFERENCE for word in re.findall(r"`([\w.]+)`", text_of(page))}


def test_every_public_name_is_in_the_reference():
    described = [pkgutil.resolve_name(name) for name in DESCRIBED]
    for name, value in PUBLIC.items():
        assert name in WORDS or any(value is one for one in described), name


def test_the_reference_has_public_names_only_and_each_once():
    assert len({*DESCRIBED}) == len(DESCRIBED)
    public = [*PUBLIC.values()]
    for name in DESCRIBED:
        value = pkgutil.resolve_name(name)
        module, _, own = name.rpartition(".")
        is_named = own in getattr(importlib.import_module(module), "__all__", ())
        assert is_named or any(value is one for one in public), name


def test_every_command_is_in_the_reference():
    page = text_of("docs/reference/command-line.md")
    sections = re.findall(r"^## vecbleu ?(.*)\n\n<!-- help: ?(.*?) ?-->$", page, flags=re.M)
    assert sections == [(name, name) for name in ("", *sorted(COMMANDS))]
    assert len(page.split("<!-- help:")) == len(sections) + 1
    assert hooks.help_of(" stats ").startswith("usage: vecbleu stats REF")
