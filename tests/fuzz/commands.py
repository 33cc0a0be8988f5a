"""Command lines: vecbleu prints what sacreBLEU prints, and fails where sacreBLEU fails.

Where the two differ on purpose ("Differences from sacreBLEU" in docs/from-sacrebleu.md), the
command is not drawn or the difference is taken out, beside a comment with the row's first words.
Tests of significance are compared in tests/test_cli.py.
"""

from __future__ import annotations

import tempfile
from difflib import unified_diff
from importlib.util import find_spec
from pathlib import Path

from command import run, run_sacrebleu
from peers import MECAB, TOKENIZE, with_our_version

from fuzz.cases import draw_alphabet, draw_strings

WORDS = ["the", "cat", "sat", "on", "a", "mat.", "Mat", "3.5", "中文", "naïve"]
TOKENIZERS = [*TOKENIZE] * 4 + [name for name, (package, _) in MECAB.items() if find_spec(package)]


def check_commands(random, size):
    """Run each command here and there, on the same files; the one without a name is stdin."""
    for case in range(size):
        arguments, files = draw_command(random)
        # "an empty list of hypotheses", "empty standard input"
        is_ended = random.random() < 0.8 or "" in files or [""] in files.values()
        end, encoding = "\n" * is_ended, arguments[-1]
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            data = {
                name: ("\n".join(lines) + end).encode(encoding, "replace")
                for name, lines in files.items()
            }
            stdin = data.pop("", b"")
            for name, written in data.items():
                (folder / name).write_bytes(written)
            try:
                theirs = with_our_version(run_sacrebleu(folder, *arguments, stdin=stdin)[0])
            except Exception:  # it fails in whatever way
                theirs = ""
            done = run(folder, *arguments, stdin=stdin)
        ours = done.stdout.decode() if done.returncode == 0 else ""
        if ours != theirs:
            shown = unified_diff(theirs.split("\n"), ours.split("\n"), "theirs", "ours", n=0)
            yield case, "\n".join([f"{arguments} {files}", *shown, done.stderr.decode()])


def draw_command(random):
    """A command line that is right more often than wrong, and the lines of the files it reads."""
    systems = random.choice([1, 1, 1, 2, 3])
    fields = random.choice([1, 1, 1, 2, 3])
    references = 1 if fields > 1 else random.choice([1, 1, 2, 3])
    names = random.sample(["h", "sys.txt", "a_b%{x}", "$y^&#", "ü 系", "z~"], systems)
    count = random.choice([1, 2, 5, 12, 30])
    files = {f"r{k}": draw_lines(random, count, fields) for k in range(references)}
    arguments = [*files, "-nr", str(fields)] if fields > 1 else [*files]
    if random.random() < 0.2:  # "a bare CR on standard input"
        lines = [line.replace("\r", "") for line in draw_lines(random, count, systems)]
        # A tab begins another system, and tables of several systems differ.
        files[""] = [line.replace("\t", " ") for line in lines] if systems == 1 else lines
    else:
        files |= {name: draw_lines(random, count, 1) for name in names}
        arguments += ["-i", *names]
    if random.random() < 0.03:
        files[random.choice([*files])].append("one more")
    encoding = random.choice(["utf-8"] * 8 + ["latin-1", "utf-16"])
    return [*arguments, *draw_options(random, systems), "-e", encoding], files


def draw_options(random, systems):
    """Options by chance, of which each has an effect: "options without effect" are errors here."""
    options = []

    def perhaps(share, option, *values):
        if is_drawn := random.random() < share:
            options.append(option)
            options.extend(map(str, random.sample(values, min(len(values), 1))))
        return is_drawn

    # "output without `-f`" and tables of several systems differ.
    is_text = systems == 1 and random.random() < 0.7
    options += ["-f", "text" if is_text else "json"]
    is_bare = systems == 1 and perhaps(0.15, "-b")
    if is_text:
        perhaps(0.15, "-sl")
        if not is_bare:
            perhaps(0.15, "-sh")
    for flag in ("-q", "-nc"):
        perhaps(0.15, flag)
    perhaps(0.5, "-w", 0, 1, 2, 3, 5, 8)
    metrics = random.choice([[], [], ["bleu"], ["chrf"], ["chrf", "bleu"]])
    options += ["-m", *metrics] if metrics else []
    if metrics != ["chrf"]:
        perhaps(0.5, "-tok", *TOKENIZERS)
        perhaps(0.1, "-l", "en-de", "de-zh", "fr-en", "en-xx-yy")
        perhaps(0.15, "-lc")
        perhaps(0.15, "--force")
        if perhaps(0.5, "-s", "exp", "none", "floor", "add-k") and options[-1] in (
            "floor",
            "add-k",
        ):
            perhaps(0.5, "-sv", 0, 1, 3, 0.1, 0.5, 1e-9)
    if "chrf" in metrics:
        perhaps(0.3, "-cc", *range(1, 9))
        perhaps(0.5, "-cw", *range(4))
        perhaps(0.3, "--chrf-beta", *range(1, 4))
        for flag in ("lowercase", "whitespace", "eps-smoothing"):
            perhaps(0.2, f"--chrf-{flag}")
    return options


def draw_lines(random, count, fields):
    """Lines of plain words, with something ugly in some of them."""
    # "a NUL character under `ja-mecab`, `ko-mecab`"
    ugly = [piece.replace("\n", "").replace("\0", "") for piece in draw_alphabet(random)]
    alphabet = WORDS + random.choice([[], ugly])
    lines = []
    for _ in range(count):
        texts = [" ".join(random.choices(alphabet, k=random.randrange(9))) for _ in range(fields)]
        lines.append("\t".join(texts))
    if random.random() < 0.3:
        lines[: count // 2] = draw_strings(random, [*ugly, "x", "y"], count // 2, 6)
    if count == 1:  # carriage returns in a file without a newline are an error here
        lines = [line.replace("\r", "") for line in lines]
    return lines
