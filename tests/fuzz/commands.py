"""Command lines: vecbleu prints what sacreBLEU prints, and fails where sacreBLEU fails.

Where the two differ on purpose ("Differences from sacreBLEU" in docs/from-sacrebleu.md), the
command is not drawn or the difference is taken out, beside a comment with the row's first words.
Tests of significance are compared in tests/test_cli.py.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from difflib import unified_diff
from importlib.util import find_spec
from pathlib import Path
from random import Random

from command import run, run_sacrebleu
from peers import MECAB, TOKENIZE, with_our_version

from fuzz.runner import Found
from fuzz.texts import draw_alphabet, draw_strings

CASES = 2_000
BATCH = 10

_WORDS = ["the", "cat", "sat", "on", "a", "mat.", "Mat", "3.5", "中文", "naïve"]

# Lines of files by their names; standard input has none.
Files = dict[str, list[str]]


def check(random: Random, size: int) -> Iterator[Found]:
    """Run each command here and there."""
    for case in range(size):
        arguments, files = _draw(random)
        last_newline = "\n" * (random.random() < 0.8 or "" in files)
        if found := _difference(arguments, files, last_newline):
            yield case, f"{arguments} {files}\n{found}"


def _difference(arguments: list[str], files: Files, last_newline: str) -> str:
    """What the two print where that differs."""
    encoding = arguments[arguments.index("-e") + 1]
    data = {
        name: ("\n".join(lines) + last_newline).encode(encoding, "replace")
        for name, lines in files.items()
    }
    with tempfile.TemporaryDirectory() as folder:
        stdin = data.pop("", b"")
        for name, written in data.items():
            Path(folder, name).write_bytes(written)
        theirs = _run_sacrebleu(Path(folder), arguments, stdin)
        done = run(Path(folder), *arguments, stdin=stdin)
    ours = done.stdout.decode() if done.returncode == 0 else ""
    if bool(ours) != bool(theirs):
        return f"ours   {ours or done.stderr.decode()!a}\ntheirs {theirs!a}"
    return "\n".join(unified_diff(theirs.split("\n"), ours.split("\n"), "theirs", "ours", n=0))


def _run_sacrebleu(folder: Path, arguments: list[str], stdin: bytes) -> str:
    """What it prints; nothing if it fails, in whatever way."""
    try:
        return with_our_version(run_sacrebleu(folder, *arguments, stdin=stdin)[0])
    except Exception:
        return ""


def _draw(random: Random) -> tuple[list[str], Files]:
    """A command line that is right more often than wrong, and the files that it reads."""
    reads_stdin = random.random() < 0.2
    systems = random.choice([1, 1, 1, 2, 3])
    fields = random.choice([1, 1, 1, 2, 3])
    references = 1 if fields > 1 else random.choice([1, 1, 2, 3])
    names = random.sample(["h", "sys.txt", "a_b%{x}", "$y^&#", "ü 系", "z~"], systems)
    # "an empty list of hypotheses", "empty standard input"
    count = random.choice([1, 2, 5, 12, 30])
    files = {f"r{k}": _draw_lines(random, count, fields) for k in range(references)}
    arguments = [*files, "-nr", str(fields)] if fields > 1 else [*files]
    if reads_stdin:  # "a bare CR on standard input"
        files[""] = [line.replace("\r", "") for line in _draw_lines(random, count, systems)]
    else:
        files |= {name: _draw_lines(random, count, 1) for name in names}
        arguments += ["-i", *names]
    if random.random() < 0.03:
        files[random.choice([*files])].append("one more")
    encoding = random.choice(["utf-8"] * 8 + ["latin-1", "utf-16"])
    return [*arguments, "-e", encoding, *_draw_options(random, systems)], files


def _draw_options(random: Random, systems: int) -> list[str]:
    """Options by chance; "output without `-f`" and tables of several systems differ."""

    def perhaps(share: float, *words: str) -> list[str]:
        return [*words] if random.random() < share else []

    mecab = [name for name, (package, _) in MECAB.items() if find_spec(package)]
    form = "json" if systems > 1 else random.choice(["text", "text", "json", "latex"])
    options = ["-f", form]
    options += perhaps(0.5, "-tok", random.choice([*TOKENIZE] * 4 + mecab))
    options += perhaps(0.1, "-l", random.choice(["en-de", "de-zh", "fr-en", "en-xx-yy"]))
    method = random.choice(["exp", "none", "floor", "add-k"])
    options += perhaps(0.5, "-s", method)
    if "-s" in options and method in ("floor", "add-k"):  # "`-sv` with a smoothing that takes no"
        options += perhaps(0.5, "-sv", random.choice(["0", "1", "3", "0.1", "0.5", "1e-9"]))
    for flag in ("-lc", "-b", "-sh", "--force", "-q", "-nc", "-sl"):
        options += perhaps(0.15, flag)
    options += perhaps(0.5, "-w", str(random.choice([0, 1, 2, 3, 5, 8])))
    metrics = random.choice([[], [], ["bleu"], ["chrf"], ["chrf", "bleu"]])
    options += ["-m", *metrics] if metrics else []
    if "chrf" in metrics:
        options += perhaps(0.3, "-cc", str(random.randrange(1, 9)))
        options += perhaps(0.5, "-cw", str(random.randrange(4)))
        options += perhaps(0.3, "--chrf-beta", str(random.randrange(1, 4)))
        for flag in ("lowercase", "whitespace", "eps-smoothing"):
            options += perhaps(0.2, f"--chrf-{flag}")
    return options


def _draw_lines(random: Random, count: int, fields: int) -> list[str]:
    """Lines of plain words, with something ugly in some of them."""
    # "a NUL character under `ja-mecab`, `ko-mecab`"
    ugly = [piece.replace("\n", "").replace("\0", "") for piece in draw_alphabet(random)]
    alphabet = _WORDS + random.choice([[], ugly])
    lines = []
    for _ in range(count):
        texts = [" ".join(random.choices(alphabet, k=random.randrange(9))) for _ in range(fields)]
        lines.append("\t".join(texts))
    if random.random() < 0.3:
        lines[: count // 2] = draw_strings(random, [*ugly, "x", "y"], count // 2, 6)
    return lines
