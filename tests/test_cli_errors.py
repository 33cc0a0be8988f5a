"""Wrong calls: one line on standard error, with what is wrong and the numbers."""

from __future__ import annotations

import os
import re

import pytest
from command import REFERENCES, SYSTEMS, error, lines, run, write_lines

import vecbleu
from vecbleu.cli.program import COMMANDS


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("errors")
    texts = {"r": REFERENCES, "short": ["a", "b"], "empty": [], "seven": ["x"] * 7}
    write_lines(folder, SYSTEMS | texts)
    (folder / "latin1").write_bytes("a\ncafé au\nb .\nc\n".encode("latin-1"))
    for name in ("folder.npz", "folder.png"):
        (folder / name).mkdir()
    for name in "hs":
        vecbleu.file_statistics(folder / name, folder / "r").save(folder / f"{name}.npz")
    vecbleu.file_statistics(folder / "s", folder / "r", tokenize="char").save(folder / "c.npz")
    vecbleu.Statistics.load(folder / "h.npz").sum().save(folder / "sum.npz")
    return folder


# Commands, and words of what is told, in this order.
ERRORS = [
    # Files
    ("r -i none", "none:"),
    ("r -i short", "short 2 r 4"),
    ("r -i latin1", "latin1 line 2 0xe9"),
    ("r -i h -e hex", "--encoding 'hex'"),
    ("r s", "input 0"),
    ("- -i -", "input 2"),
    ("-i h", "vecbleu REF"),
    ("r -i h h", "'h' twice"),
    ("r -nr 2 -i h", "r line 1 1 2"),
    # Options
    ("r -i h --max-order 0", "--max-order 0 1 100"),
    ("r -i h -sv 1", "--smooth-value 1.0 'exp'"),
    ("r -i h -tok 14a", "--tokenize '14a' 13a char"),
    ("r -i h -l en", "--language-pair 'en'"),
    ("r -i h s -sl", "one system"),
    ("r -i h -sl -ci", "sentence"),
    # Tests
    ("-i h.npz -ci -cin 99999999999", "--resamples 99999999999 1 2147483648"),
    ("r -i h -pbs", "several systems"),
    ("r -i h s -pbs -par", "bootstrap randomization"),
    ("r -i h s -pbs -pbsn 3 --resamples 3", "--resamples"),
    ("r -i h s --sides 2", "--sides -pbs"),
    ("r -i h s -par --sides 2", "--sides bootstrap"),
    ("empty -par", "no segments"),
    # Names
    ("r -i h s --names x", "--names 1 2"),
    ("report r -i h s -o x.html --names one \u2003", "--names blank"),
    # Statistics in place of text
    ("h.npz -i h", "h.npz"),
    ("-i h.npz -tok char", "h.npz tokenize '13a' command line 'char'"),
    ("-i h.npz --max-order 2", "h.npz max_order 4 command line 2"),
    ("r r -i h.npz", "h.npz references 1 command line 2"),
    ("r -i s c.npz", "c.npz tokenize 'char' command line '13a'"),
    ("-i h.npz c.npz", "c.npz tokenize 'char' h.npz '13a'"),
    ("short -i h.npz", "h.npz 4 short 2"),
    ("-i sum.npz -ci", "sum.npz"),
    ("r -i sum.npz", "sum.npz"),
    # stats
    ("stats r -i h -o x", "'x' .npz"),
    ("stats r -i never -o h/x.npz", "h/x.npz:"),
    ("stats r -i never -o folder.npz", "folder.npz:"),
    ("stats r -i h s -o x.npz", "2"),
    ("stats r -i h.npz -o x.npz", "h.npz"),
    ("stats -i h.npz ./h.npz -o x.npz", "part twice"),
    ("stats -i h.npz s.npz -o ./h.npz", "'./h.npz'"),
    ("stats -i h.npz s.npz --max-order 2 -o x.npz", "--max-order"),
    # compare
    ("compare r -i h -", "input 2"),
    (f"compare r -i h {os.devnull}", os.devnull),
    ("compare r -i h s --baseline t", "--baseline 't' h, s"),
    ("compare r -i h s --labels r --edges 3", "--edges --labels"),
    ("compare r -i h s --labels short", "short 2 h 4"),
    # rank, plot and report
    ("rank r -i h s --json --latex", "--json --latex"),
    ("plot bars r -i h -o x.svg", "'bars' scores, pairs, precisions, groups"),
    ("plot precisions r -i never -o folder.png", "folder.png:"),
    ("report r -i h s -o x.pdf", "'x.pdf' .html"),
    ("report r -i h s -o x.html --source short", "h 4 s 4 short 2"),
    # explain
    ("explain", "--hyp --ref --line"),
    ("explain --hyp a --ref b r", "--hyp --ref --line"),
    ("explain --hyp a --ref b --names x", "--names"),
    ("explain r -i h", "--line"),
    ("explain r -i h --line 5", "--line 5 r 4"),
    # mbr
    ("mbr -i seven -n 3", "seven 7 3 -n"),
    ("mbr seven -i r -n 2 -p 2", "seven 7 2 -p"),
    ("mbr seven -i r -n 2 -p 7", "seven 1 7 r 2 2"),
]


@pytest.mark.parametrize(("command", "told"), ERRORS)
def test_a_wrong_call_is_told_in_one_line(folder, command, told):
    words = command.split(" ")
    program = f"vecbleu {words[0]}" if words[0] in COMMANDS else "vecbleu"
    found = error(run(folder, *words))
    assert found.startswith(f"{program}: error: ")
    message = found.partition("error: ")[2]
    assert re.search(".*".join(map(re.escape, told.split(" "))), message), message
    assert not [*folder.glob("x*")]


@pytest.mark.parametrize(
    "command",
    ["stats r -i h -o x.npz", "stats -i h.npz s.npz -o x.npz", "plot precisions r -i h -o x.svg"],
)
def test_outputs_are_replaced_and_stay_links(folder, tmp_path, command):
    if command.startswith("plot"):
        pytest.importorskip("matplotlib")
    old, link = tmp_path / "old", folder / command[-5:]
    old.write_bytes(b"old")
    link.symlink_to(old)
    with old.open("rb") as opened:
        lines(run(folder, *command.split()))
        assert opened.read() == b"old"
    assert link.is_symlink()
    link.unlink()
    assert len(old.read_bytes()) > 3
    assert [*tmp_path.iterdir()] == [old]
