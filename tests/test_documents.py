"""Documents that are joined before they are scored."""

import json
import re
from itertools import accumulate

import pytest
from command import run, write_lines
from conftest import blocks_of
from hypothesis import given
from hypothesis import strategies as st

import vecbleu

LINES = st.text(st.sampled_from("ab .\x0b\r\u3000\u0301"), max_size=8)


@given(st.lists(st.integers(1, 9), max_size=6), st.data())
def test_documents_are_joined_by_spaces(sizes, data):
    size = sum(sizes)
    texts = data.draw(st.lists(LINES, min_size=size, max_size=size))
    documents = [number for number, size in enumerate(sizes) for _ in range(size)]
    ends = list(accumulate(sizes, initial=0))
    expected = [" ".join(texts[ends[n] : ends[n + 1]]) for n in range(len(sizes))]
    assert vecbleu.join_documents(iter(texts), iter(documents)) == expected


@pytest.mark.parametrize("block", [1, 7, 64, 1 << 19])
@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter"])
def test_files_are_joined_like_lists(tmp_path, block, metric):
    documents = [f"d{line // size}" for size in (3, 11) for line in range(33)]
    documents[33:] = [f"e{name}" for name in documents[33:]]
    lines = {
        "sys": [f"the cat {n} sat on {n * n % 7} mats ." for n in range(66)],
        "ref": [f"a cat {n} sat on {n % 7} mats\t{n} cats" for n in range(66)],
        "documents": documents,
    }
    write_lines(tmp_path, lines)
    sides = [[line.split("\t")[n] for line in lines["ref"]] for n in (0, 1)]
    joined = [vecbleu.join_documents(side, documents) for side in (lines["sys"], *sides)]
    write_lines(tmp_path, dict(zip(["joined.sys", "joined.0", "joined.1"], joined, strict=True)))
    options = "-m", metric, "-w", "9"
    expected = run(tmp_path, "joined.0", "joined.1", "-i", "joined.sys", "-b", *options)
    asked = "ref", "-nr", "2", "-i", "sys", "--documents", "documents"
    with blocks_of(block):
        found = run(tmp_path, *asked, "-b", *options)
        assert found.stdout == expected.stdout
        assert not found.stderr
        for asks in (), ("-sl",):
            described = run(tmp_path, *asked, *asks, *options)
            assert "|docs:joined|" in described.stdout.decode()
    sentences = run(tmp_path, "joined.0", "joined.1", "-i", "joined.sys", "-b", "-sl", *options)
    assert run(tmp_path, *asked, "-b", "-sl", *options).stdout == sentences.stdout
    assert len(sentences.stdout.splitlines()) == len(joined[0])


def test_json_says_that_documents_are_joined(tmp_path):
    write_lines(tmp_path, {"sys": ["a b", "c d"], "ref": ["a b", "c d"], "documents": ["A", "A"]})
    asked = run(tmp_path, "ref", "-i", "sys", "--json", "--documents", "documents")
    (record,) = json.loads(asked.stdout)
    assert record["BLEU"] == pytest.approx(100)
    assert "|docs:joined|" in record["signature"]


@pytest.mark.parametrize("command", ["rank", "compare"])
def test_tests_say_how_many_documents_they_draw(tmp_path, command):
    lines = {"sys": ["a b c d", "a"] * 12, "ref": ["a b c d", "b"] * 12}
    write_lines(tmp_path, lines | {"documents": [f"{line // 2}" for line in range(24)]})
    asked = run(tmp_path, command, "ref", "-i", "sys", "ref", "--documents", "documents")
    assert "|docs:12|" in asked.stdout.decode()


@pytest.mark.parametrize("block", [1, 1 << 19])
def test_a_document_can_not_begin_again(tmp_path, block):
    lines = {"sys": list("abcd"), "ref": list("abcd"), "documents": list("xxyx"), "few": ["x"] * 3}
    write_lines(tmp_path, lines)
    with blocks_of(block):
        asked = run(tmp_path, "ref", "-i", "sys", "--documents", "documents")
        assert asked.returncode
        message = "documents: line 4 is 'x' again, after another document; sort the segments"
        assert message in asked.stderr.decode()
        asked = run(tmp_path, "ref", "-i", "sys", "--documents", "few")
        assert (
            "different numbers of lines: sys has 4, ref has 4, few has 3" in asked.stderr.decode()
        )
    with pytest.raises(vecbleu.ArgumentError, match=re.escape("documents[3] is 'x' again")):
        vecbleu.join_documents(lines["sys"], lines["documents"])


def test_counts_can_not_be_joined(tmp_path):
    write_lines(tmp_path, {"sys": ["a", "b"], "ref": ["a", "b"], "documents": ["x", "x"]})
    run(tmp_path, "stats", "ref", "-i", "sys", "-o", "sys.npz")
    asked = run(tmp_path, "ref", "-i", "sys.npz", "--documents", "documents")
    assert "--documents is documents, but sys.npz is a file of statistics" in asked.stderr.decode()


def test_columns_are_joined():
    pa = pytest.importorskip("pyarrow")
    pd = pytest.importorskip("pandas")
    for column in (pa.array, pd.Series):
        assert vecbleu.join_documents(column(["a", "b"]), column([1, 1])) == ["a b"]
    with pytest.raises(TypeError, match="texts is DataFrame, expected one for each segment"):
        vecbleu.join_documents(pd.DataFrame({"a": ["x"]}), [1])


@pytest.mark.parametrize(
    ("texts", "documents", "message"),
    [
        (["a"], "x", "documents is str, expected one for each segment"),
        (["a"], 5, "documents is int, expected one for each segment"),
        ("ab", [*"xx"], "texts is str, expected one for each segment"),
        (
            ["a", ["b"]],
            [*"xx"],
            "texts[1] is list, expected a string; join each reference by itself",
        ),
        (["a"], [*"xy"], "texts has 1 segments but documents has 2"),
    ],
)
def test_what_is_no_text_is_named(texts, documents, message):
    with pytest.raises((TypeError, ValueError), match=re.escape(message)):
        vecbleu.join_documents(texts, documents)
