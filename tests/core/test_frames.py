"""Tables and lazy frames as arguments: refused, with the call to write instead."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing

import numpy as np
import pytest

import vecbleu
import vecbleu.huggingface
import vecbleu.sacrebleu

TEXT = ["the cat sat", "a dog"]


class Frame:
    """A table that can be iterated over, as most can: its columns' names, or rows."""

    columns = property(lambda self: list(TEXT))

    def __iter__(self):
        return iter(self.columns)

    def __len__(self):
        return len(TEXT)


def method(self, *arguments):
    raise AssertionError("computed unasked")


def stand_in(library, name, *methods, parents=(Frame,)):
    """A value of a class with the methods of another library's."""
    members = dict.fromkeys(methods, method)
    return type(name, parents, {"__module__": f"{library}.core", **members})()


# Values of libraries that are too large to be installed, and what is to be called.
STAND_INS = {
    "spark": (stand_in("pyspark", "DataFrame", "collect", "toPandas"), '.toPandas()["column"]'),
    "spark rdd": (stand_in("pyspark", "RDD", "collect", parents=()), ".collect()"),
    "snowpark": (stand_in("snowflake", "DataFrame", "collect", "to_pandas"), '.to_pandas()["'),
    "ibis": (stand_in("ibis", "Table", "execute", "to_pandas"), '.to_pandas()["column"]'),
    "ibis column": (stand_in("ibis", "Column", "execute", "to_pandas", parents=()), ".to_pandas()"),
    "duckdb": (stand_in("duckdb", "DuckDBPyRelation", "execute", "fetchall", "df"), '.df()["col'),
    "duckdb 1": (
        stand_in("duckdb", "DuckDBPyRelation", "execute", "fetchall", "df", "fetch_arrow_table"),
        '.fetch_arrow_table()["column"]',
    ),
    "polars": (stand_in("polars", "LazyFrame", "collect"), '.collect()["column"]'),
    "eager": (Frame(), 'table (Frame); pass one of its columns: ARGUMENT["column"]'),
}


def dask_values():
    dask, bag = pytest.importorskip("dask"), pytest.importorskip("dask.bag")
    yield bag.from_sequence(TEXT), "dask's Bag", ".compute()"
    yield dask.delayed(TEXT), "dask's Delayed", ".compute()"
    array = pytest.importorskip("dask.array")
    yield array.ones((2, 3), dtype=int), "dask's Array", ".compute()"
    pd, frames = pytest.importorskip("pandas"), pytest.importorskip("dask.dataframe")
    frame = frames.from_pandas(pd.DataFrame(dict.fromkeys(TEXT, TEXT)), npartitions=1)
    yield frame, "dask", '["column"].compute()'
    yield frame[TEXT[0]], "dask", ".compute()"


def assert_refused(value, message):
    """Each argument that is one entry a segment, by its name."""
    calls = {
        "hypotheses": [
            lambda: vecbleu.corpus_bleu(value, TEXT),
            lambda: vecbleu.sentence_bleu(value, TEXT),
            lambda: vecbleu.Accumulator().update(value, TEXT),
            lambda: vecbleu.sacrebleu.corpus_bleu(value, [TEXT]),
        ],
        "references": [
            lambda: vecbleu.statistics(TEXT, value),
            lambda: vecbleu.huggingface.bleu(predictions=TEXT, references=value),
        ],
        "references[0]": [lambda: vecbleu.sacrebleu.corpus_bleu(TEXT, [value])],
        "predictions": [lambda: vecbleu.huggingface.bleu(predictions=value, references=TEXT)],
    }
    for name, some in calls.items():
        for call in some:
            with pytest.raises(TypeError, match=f"^{re.escape(name)} is .*") as caught:
                call()
            assert message.replace("ARGUMENT", name) in str(caught.value)


@pytest.mark.parametrize("name", STAND_INS)
def test_frames_are_refused_with_the_call_to_write(name):
    value, call = STAND_INS[name]
    is_lazy = call.startswith(".")
    assert_refused(value, f"is still to be computed; pass ARGUMENT{call}" if is_lazy else call)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_collections_of_dask_are_refused_with_the_call_to_write():
    for value, kind, call in dask_values():
        assert_refused(value, f"pass ARGUMENT{call}")
        with pytest.raises(TypeError, match=f"hypotheses is {kind}"):
            vecbleu.statistics(value, TEXT)


def test_frames_of_polars_are_refused_with_the_call_to_write():
    pl = pytest.importorskip("polars")
    frame = pl.LazyFrame({"text": TEXT})
    assert_refused(frame, "polars's LazyFrame, which is still to be computed; pass ARGUMENT.coll")
    assert_refused(frame.collect(), "is a table (DataFrame); pass one of its columns")
    assert vecbleu.statistics(frame.collect().select(pl.col("text")).to_series(), TEXT)


def test_relations_of_duckdb_are_refused_with_the_call_to_write():
    duckdb, pa = pytest.importorskip("duckdb"), pytest.importorskip("pyarrow")
    connection = duckdb.connect()
    connection.register("texts", pa.table({"h": TEXT, "r": TEXT[::-1]}))
    for query in ("select h from texts", "from texts"):
        relation = connection.sql(query)
        assert_refused(
            relation,
            "is duckdb's DuckDBPyRelation, which is still to be computed; "
            'pass ARGUMENT.to_arrow_table()["column"]',
        )
    table = relation.to_arrow_table()
    assert vecbleu.statistics(table["h"], table["r"]) == vecbleu.statistics(TEXT, TEXT[::-1])
    result = connection.execute("select h from texts")
    assert_refused(
        result, "is duckdb's DuckDBPyConnection, which is still to be computed; pass ARGUMENT.to_"
    )


def test_cursors_are_refused_with_the_call_to_write():
    said = "is sqlite3's Cursor, whose rows are tuples; pass [row[0] for row in ARGUMENT]"
    with closing(sqlite3.connect(":memory:")) as connection:
        cursor = connection.execute("values ('the cat sat'), ('a dog')")
        assert_refused(cursor, said)
        hypotheses = [row[0] for row in cursor]
    assert vecbleu.statistics(hypotheses, TEXT) == vecbleu.statistics(TEXT, TEXT)


def test_readers_of_arrow_are_refused_with_the_call_to_write():
    pa = pytest.importorskip("pyarrow")
    reader = pa.table({"h": TEXT}).to_reader()
    assert_refused(reader, 'which is still to be computed; pass ARGUMENT.read_all()["column"]')
    assert vecbleu.statistics(reader.read_all()["h"], TEXT) == vecbleu.statistics(TEXT, TEXT)


class Column(list):
    """A list is one, whatever it can do."""

    columns = property(len)
    collect = method


class Lines(Sequence):
    """So is any other sequence, which has its items already."""

    columns = ("text",)
    collect = method

    def __len__(self):
        return len(TEXT)

    def __getitem__(self, index):
        return TEXT[index]


class Rows:
    """What has a method of such a name, or could be lazy and is not, is no frame."""

    def columns(self):
        return []

    def __dask_graph__(self):
        return None

    def __array__(self, dtype=None, copy=None):
        return np.array([[1, 2], [3, 4]])


def test_other_values_are_read_as_before():
    for text in (Column(TEXT), Lines()):
        assert vecbleu.statistics(text, TEXT).hyp_len.tolist() == [3, 2]
    assert vecbleu.statistics(Rows(), Rows()).hyp_len.tolist() == [2, 2]
