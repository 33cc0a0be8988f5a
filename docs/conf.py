"""Build the documentation: ``sphinx-build -n -W --keep-going docs FOLDER``.

Links in Markdown are relative paths that work in a checkout. Links to files that are no page of the
site lead to VECBLEU_REPOSITORY, the address of a folder of files, if it is set; else they are text.
"""

from __future__ import annotations

import os
import posixpath
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from vecbleu import __version__  # noqa: E402

project = "vecbleu"
copyright = "The vecbleu developers, MIT license"  # noqa: A001
release = version = __version__

extensions = ["sphinx.ext.autodoc", "myst_parser", "numpydoc", "sphinx_copybutton"]
default_role = "py:obj"  # `names` in docstrings are links where they are public
nitpick_ignore_regex = [("py:obj", r"(?!vecbleu\.).*")]  # parameters, and names of other libraries
myst_enable_extensions = ["colon_fence"]
smartquotes = False  # "closest" is a string to copy
myst_heading_anchors = 4  # as code hosts make them
autodoc_default_options = {
    "members": True,
    "inherited-members": "float, tuple",
    # Between modules.
    "exclude-members": "lengths, numbers, of, resampled_as_sacrebleu, row_scores, sacrebleu_type",
    "special-members": "__add__, __getitem__",
}
autodoc_typehints = "none"  # docstrings name the types
toc_object_entries_show_parents = "hide"
numpydoc_show_class_members = False
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "pydata_sphinx_theme"
html_css_files = ["site.css"]
html_favicon = "_static/favicon.svg"
html_static_path, templates_path = ["_static"], ["_templates"]
html_sidebars = {"**": ["pages.html"]}
html_show_sourcelink = html_copy_source = False
html_theme_options = {
    "logo": {"text": "vecbleu"},
    "navbar_center": [],
    "navbar_align": "right",
    "show_toc_level": 2,
    "article_header_start": [],
    "footer_start": ["copyright"],
    "footer_end": [],
}

# Files beside docs/, and the pages that include them.
PAGES = {f"{name.upper()}.md": f"{name}.md" for name in ("changelog", "contributing")}
PAGES["README.md"] = "index.md"
REPOSITORY = os.environ.get("VECBLEU_REPOSITORY", "").rstrip("/")

# A block of code, or a link: its mark of an image, its text and its path.
_LINK = re.compile(
    r"^ *```.*?^ *```$|(!?)\[((?:`[^`]*`|!\[[^]]*\]\([^)]*\)|[^][])*)\]\(([^)\s]+)\)",
    flags=re.MULTILINE | re.DOTALL,
)
_HELP = re.compile(r"^<!-- help:(.*?)-->$", flags=re.MULTILINE)


def site_link(link: re.Match[str], source: str, page: str) -> str:
    """Return a link of a file as a link of the page that shows the file."""
    mark, text, address = link.groups()
    if address is None:  # doctests need an empty line before the fence, readers do not
        return re.sub(r"\n\n( *```)\Z", r"\n\1", link[0])
    path, _, section = address.partition("#")
    if not path or re.match(r"\w+:", path):
        return link[0]
    target = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
    if target in PAGES or target.startswith("docs/"):
        target = PAGES.get(target, target.removeprefix("docs/"))
        target = posixpath.relpath(target, posixpath.dirname(page) or ".")
    elif not REPOSITORY and (ROOT / target).exists():
        return str(text)
    elif REPOSITORY:
        target = f"{REPOSITORY}/{target}"
    return f"{mark}[{text}]({target}{'#' * bool(section)}{section})"


def help_of(command: str) -> str:
    """Return what a command of vecbleu prints for --help."""
    call = [sys.executable, "-m", "vecbleu", *command.split(), "--help"]
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "100", "PYTHONPATH": str(ROOT)}
    return subprocess.run(call, env=environment, check=True, capture_output=True, text=True).stdout


def show_page(app: Any, name: str, text: list[str]) -> None:
    """Fill in a page of docs/: links that leave the folder, and outputs of --help."""
    page = f"{name}.md"
    text[0] = _LINK.sub(lambda link: site_link(link, f"docs/{page}", page), text[0])
    text[0] = _HELP.sub(lambda found: f"```text\n{help_of(found[1])}```", text[0])


def show_file(app: Any, path: Path, name: str, text: list[str]) -> None:
    """Rewrite the links of a file that a page includes."""
    source = posixpath.normpath(f"docs/{path.as_posix()}")
    text[0] = _LINK.sub(lambda link: site_link(link, source, PAGES[source]), text[0])


def skip_field(app: Any, what: str, name: str, value: Any, *_: Any) -> bool | None:
    """Leave fields of named tuples to the docstring of their class."""
    return True if type(value).__name__ == "_tuplegetter" else None


def setup(app: Any) -> None:
    """Register what runs as files are read."""
    app.connect("source-read", show_page)
    app.connect("include-read", show_file)
    app.connect("autodoc-skip-member", skip_field)
