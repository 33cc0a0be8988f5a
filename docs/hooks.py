"""What MkDocs can't do by itself: pages from files of other places, and links that leave docs/.

Links are written so that they work on a code host; here they become those of the site.
"""

from __future__ import annotations

import os
import posixpath
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent

# Files beside docs/, and the pages that they become.
ROOT_PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
}
SOURCES = {page: source for source, page in ROOT_PAGES.items()}

_LINK = re.compile(r"(?<=\]\()[^)\s]+(?=\))")
_HELP = re.compile(r"<!-- help:(.*?)-->")
_LOADED = re.compile(
    r'<(?:script|img|iframe|link rel="stylesheet")[^>]* (?:src|href)="(?:https?:)?//'
)


def project_urls() -> dict[str, str]:
    """[project.urls] of pyproject.toml, by their names in lower case."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    table = text.partition("[project.urls]\n")[2].partition("\n[")[0]
    pairs = re.findall(r'^"?(\w+)"? = "(.*)"$', table, flags=re.M)
    return {name.lower(): url for name, url in pairs}


def linked_file(link: str, source: str) -> str | None:
    """The file that a link of another one means, from the root; None of another host's.

    Links are relative, or begin with the address of the site or of the repository.
    """
    urls = project_urls()
    path = link.partition("#")[0]
    if path.startswith(urls["documentation"]):
        path = path.removeprefix(urls["documentation"]).strip("/").removesuffix(".html") or "index"
        is_folder = (ROOT / "docs" / path).is_dir()
        found = f"{path}/README.md" if is_folder else path if "." in path else f"{path}.md"
        return SOURCES.get(found, f"docs/{found}")
    if path.startswith(blob := f"{urls['repository']}/blob/main/"):
        return path.removeprefix(blob)
    if re.match(r"\w+:", path):
        return None
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), path)) if path else source


def site_link(link: str, source: str) -> str:
    """A link of a file, as a link from the page that the file becomes."""
    target = linked_file(link, source)
    if target is None or not link.partition("#")[0] or not (ROOT / target).exists():
        return link  # MkDocs names what it does not find
    section = link[link.index("#") :] if "#" in link else ""
    page, there = (ROOT_PAGES.get(file, file.removeprefix("docs/")) for file in (source, target))
    if there == target:  # no page of the site
        return f"{project_urls()['repository']}/blob/main/{target}{section}"
    return posixpath.relpath(there, posixpath.dirname(page) or ".") + section


def help_of(command: str) -> str:
    """What a command of vecbleu prints for --help."""
    arguments = [sys.executable, "-m", "vecbleu", *command.split(), "--help"]
    environment = {**os.environ, "NO_COLOR": "1", "PYTHONPATH": str(ROOT)}
    found = subprocess.run(
        arguments, env=environment, cwd=ROOT, check=True, capture_output=True, encoding="utf-8"
    )
    return found.stdout


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Set the addresses, and let the navigation name every page of the folders in it."""
    urls = project_urls()
    config.site_url = urls["documentation"] + "/"
    # With `repo_url`, every page would ask the code host for its numbers of stars.
    icon, link = "fontawesome/brands/git-alt", urls["repository"]
    config.extra["social"] = [{"icon": icon, "link": link, "name": "Repository"}]
    for tab in config.nav or []:
        for name, entries in tab.items():
            if isinstance(entries, list):
                tab[name] = [found for entry in entries for found in _with_pages_of_folder(entry)]
    return config


def _with_pages_of_folder(entry: Any) -> list[Any]:
    """An entry of the navigation; of a folder, its pages, if there are any."""
    if not isinstance(entry, dict):
        return [entry]
    ((name, path),) = entry.items()
    if not path.endswith("/"):
        return [entry]
    pages = sorted((ROOT / "docs" / path).glob("*.md"), key=lambda one: (one.stem != "README", one))
    return [{name: [path + page.name for page in pages]}] if pages else []


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that stand beside docs/."""
    from mkdocs.structure.files import File

    for source, page in ROOT_PAGES.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Links of the site, outputs of --help, and examples that are colored as sessions."""
    path = page.file.src_uri
    source = SOURCES.get(path, f"docs/{path}")
    markdown = _LINK.sub(lambda link: site_link(link[0], source), markdown)
    markdown = _HELP.sub(lambda found: f"```text\n{help_of(found[1])}```", markdown)
    return re.sub(r"^```python\n(?=>>> )", "```pycon\n", markdown, flags=re.M)


def on_post_page(output: str, page: Page, **_: Any) -> str:
    """Refuse a page that loads anything from another host: the site is read without a network."""
    from mkdocs.exceptions import PluginError

    if found := _LOADED.search(output):
        raise PluginError(f"{page.file.src_uri} loads from another host: {found[0]}")
    return output
