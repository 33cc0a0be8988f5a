"""The documentation as a site: links, navigation and reference, without MkDocs."""

from __future__ import annotations

import doctest
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


def dead_links(page):
    """Links of a page whose file or section does not exist."""
    for link in links_of(page):
        target = hooks.linked_file(link, page)
        section = link.partition("#")[2]
        if target is None:
            continue
        if not (ROOT / target).is_file() or (section and section not in sections_of(target)):
            yield link


@pytest.mark.parametrize("page", PAGES)
def test_no_link_is_dead(page):
    assert [*dead_links(page)] == []
    if page != README:  # its links work on package indexes, too, those of others on every host
        assert [link for link in links_of(page) if link.startswith(addresses())] == []


def addresses():
    urls = hooks.project_urls()
    return urls["documentation"], urls["repository"]


def test_links_of_the_readme_work_on_a_package_index():
    links = links_of(README)
    assert {link.partition(":")[0] for link in links} == {"https"}
    assert [link for link in links if hooks.linked_file(link, README) is None] == []


@pytest.mark.parametrize(
    ("link", "source", "expected"),
    [
        ("{site}/guide/", README, "guide/README.md"),
        ("{site}", README, "index.md"),
        ("{site}/speed.svg", README, "speed.svg"),
        ("{site}/changelog.html#fixed", README, "changelog.md#fixed"),
        ("{site}/speed.html#growth", "docs/guide/score.md", "../speed.md#growth"),
        ("{code}/blob/main/LICENSE", README, "{code}/blob/main/LICENSE"),
        ("{code}/blob/main/CONTRIBUTING.md", README, "contributing.md"),
        ("docs/speed.md", "CONTRIBUTING.md", "speed.md"),
        ("../CHANGELOG.md#fixed", "docs/stability.md", "changelog.md#fixed"),
        ("../../data/README.md", "docs/guide/score.md", "{code}/blob/main/data/README.md"),
        ("sets.md", "docs/guide/score.md", "sets.md"),
        ("#files", "docs/guide/score.md", "#files"),
        ("nowhere.md", "docs/guide/score.md", "nowhere.md"),
        ("https://example.org/a", README, "https://example.org/a"),
    ],
)
def test_links_become_those_of_the_site(link, source, expected):
    site, code = addresses()
    expected = expected.format(site=site, code=code)
    assert hooks.site_link(link.format(site=site, code=code), source) == expected


def test_examples_of_the_readme_need_no_file(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    results = doctest.testfile(str(ROOT / README), module_relative=False, encoding="utf-8")
    assert results.failed == 0
    assert results.attempted > 5
    assert [*tmp_path.iterdir()] == []


def test_every_page_is_in_the_navigation():
    named = re.findall(r"^ +- (?:.*: )?([\w/-]+(?:\.md|/))", text_of("mkdocs.yml"), flags=re.M)
    folders = tuple(name for name in named if name.endswith("/"))
    made = {page.removeprefix("docs/") for page in PAGES if page.startswith("docs/")}
    made |= {*hooks.ROOT_PAGES.values()}
    assert sorted(name for name in named if name not in folders) == sorted(
        page for page in made if not page.startswith(folders)
    )


def public_modules():
    """The package and its public packages, and the modules of the layers that name their own."""
    yield vecbleu
    for name in sorted(vecbleu._PACKAGES):
        package = importlib.import_module(f"vecbleu.{name}")
        yield package
        if name in ("huggingface", "nltk", "sacrebleu"):
            for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
                yield importlib.import_module(found.name)


PUBLIC = {
    f"{module.__name__}.{name}": getattr(module, name)
    for module in public_modules()
    for name in getattr(module, "__all__", ())
}
REFERENCE = [page for page in PAGES if page.startswith("docs/reference/")]
DESCRIBED = [
    name for page in REFERENCE for name in re.findall(r"^::: (.*)$", text_of(page), flags=re.M)
]


def test_every_public_name_is_in_the_reference():
    described = [pkgutil.resolve_name(name) for name in DESCRIBED]
    words = {word for page in REFERENCE for word in re.findall(r"`([\w.]+)`", text_of(page))}
    missing = [
        f"::: {name}"
        for name, value in PUBLIC.items()
        if name not in words and not any(value is one for one in described)
    ]
    assert not missing, "\n".join(["lines for pages in docs/reference/:", *missing])


def test_the_reference_has_public_names_only_and_each_once():
    assert len({*DESCRIBED}) == len(DESCRIBED)
    public = [*PUBLIC.values()]
    values = {name: pkgutil.resolve_name(name) for name in DESCRIBED}
    assert [name for name, value in values.items() if not any(value is one for one in public)] == []


def test_every_command_is_in_the_reference():
    page = text_of("docs/reference/command-line.md")
    sections = re.findall(r"^## vecbleu ?(.*)\n\n<!-- help: ?(.*?) ?-->$", page, flags=re.M)
    assert sections == [(name, name) for name in ("", *sorted(COMMANDS))]
    assert len(page.split("<!-- help:")) == len(sections) + 1
    assert hooks.help_of(" stats ").startswith("usage: vecbleu stats REF")
