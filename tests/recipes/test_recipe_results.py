"""What the recipes' functions return, against vecbleu's calls on lists of strings."""

from __future__ import annotations

import gc
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from corpora import noisy_systems
from pages import environment, recipe, skip_if_missing

import vecbleu

pytestmark = pytest.mark.slow

SIZE = 600
FIRST, (OUTPUTS, SECOND) = noisy_systems(SIZE, [0.2, 0.5])
# One, two, or three of which one is missing.
REFERENCES = [
    [[a], [a, b], [b, None, a]][row % 3]
    for row, (a, b) in enumerate(zip(FIRST, SECOND, strict=True))
]
COMPLETE = [[one for one in row if one is not None] for row in REFERENCES]
DOMAINS = [["news", "talk", "web"][row % 7 % 3] for row in range(SIZE)]
ROWS = {"domain": DOMAINS, "output": OUTPUTS, "references": REFERENCES}
SCORES = vecbleu.sentence_bleu(OUTPUTS, COMPLETE, smoothing="floor").tolist()
ALL = float(vecbleu.corpus_bleu(OUTPUTS, COMPLETE))


def score_of(domain):
    """BLEU of the rows of a domain, and nothing else of them."""
    rows = [row for row in range(SIZE) if DOMAINS[row] == domain]
    selected = ([column[row] for row in rows] for column in (OUTPUTS, COMPLETE))
    return float(vecbleu.corpus_bleu(*selected))


BY_DOMAIN = {domain: score_of(domain) for domain in sorted({*DOMAINS})}


def by_domain(domains, counts):
    return dict(zip(domains, vecbleu.bleu(np.asarray(counts)).tolist(), strict=True))


@pytest.mark.parametrize("engine", ["streaming", "in-memory"])
def test_polars(engine, tmp_path):
    polars = recipe("polars")
    pl = polars.pl
    pl.DataFrame(ROWS).write_parquet(tmp_path / "rows", partition_by="domain")
    frame = pl.scan_parquet(tmp_path / "rows")
    scored = frame.with_columns(
        bleu=polars.sentence_bleu("output", "references", smoothing="floor")
    )
    kept = scored.filter((pl.col("bleu") > 0.3) & (pl.col("domain") != "web"))
    kept.sink_parquet(tmp_path / "kept.parquet", engine=engine)
    expected = [
        (domain, output, score)
        for domain, output, score in zip(DOMAINS, OUTPUTS, SCORES, strict=True)
        if score > 0.3 and domain != "web"
    ]
    found = pl.read_parquet(tmp_path / "kept.parquet").select("domain", "output", "bleu")
    assert found.schema == kept.select("domain", "output", "bleu").collect_schema()
    assert sorted(found.rows()) == sorted(expected)

    counted = frame.select("domain", polars.counts("output", "references").alias("c")).unnest("c")
    sums = counted.group_by("domain").sum().collect(engine=engine)
    assert by_domain(sums["domain"], sums.select(polars.COUNTS)) == BY_DOMAIN


def test_pandas():
    pandas = recipe("pandas")
    frame = pandas.pd.DataFrame(ROWS, index=np.arange(SIZE) // 2)  # labels that occur twice
    frame["system"] = pandas.pd.Categorical(["A"] * SIZE, categories=["A", "B"])
    found = pandas.bleu_by(frame, ["domain"])
    assert found.to_dict() == BY_DOMAIN
    found = pandas.bleu_by(frame, ["system", "domain"])
    assert found.to_dict() == {("A", domain): score for domain, score in BY_DOMAIN.items()}
    assert found.index.names == ["system", "domain"]


@pytest.mark.parametrize("size", [7, 1000])
def test_pyarrow(size):
    pyarrow = recipe("pyarrow")
    table = pyarrow.pa.table(ROWS)
    batches = [*table.to_batches(max_chunksize=size), *table[:0].to_batches()]
    assert pyarrow.corpus_bleu(batches) == ALL
    scored = pyarrow.pa.Table.from_batches(pyarrow.with_bleu(batches, smoothing="floor"))
    assert scored.drop_columns("bleu").equals(table)
    assert scored["bleu"].to_pylist() == SCORES
    assert pyarrow.corpus_bleu([]) == 0


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # Dask's reader uses it
@pytest.mark.parametrize("scheduler", ["sync", "threads"])
def test_dask(scheduler, tmp_path):
    dask = recipe("dask")
    table = dask.pa.table(ROWS)
    for part, rows in enumerate([table[:250], table[:0], table[250:]]):
        dask.pa.parquet.write_table(rows, tmp_path / f"{part}.parquet")
    frame = dask.dd.read_parquet(tmp_path, dtype_backend="pyarrow")
    assert frame["references"].dtype == dask.LISTS
    scored = dask.with_bleu(frame, smoothing="floor")
    found = scored.compute(scheduler=scheduler)
    assert found.dtypes.to_dict() == scored.dtypes.to_dict()
    assert found["bleu"].tolist() == SCORES
    assert found["output"].tolist() == OUTPUTS
    counts = dask.with_counts(frame, ["domain"])
    total = counts[dask.COUNTS].sum().compute(scheduler=scheduler)
    assert vecbleu.bleu(total.to_numpy()) == ALL
    sums = counts.groupby("domain").sum().compute(scheduler=scheduler)
    assert by_domain(sums.index, sums) == BY_DOMAIN


def test_duckdb():
    duckdb = recipe("duckdb")
    table = duckdb.pa.table({"row": [*range(SIZE)], "missing": [None] * SIZE, **ROWS})
    with duckdb.duckdb.connect() as connection:
        duckdb.register(connection)
        connection.register("segments", duckdb.pa.concat_tables([table] * 9))  # more than a vector
        found = connection.execute(
            'SELECT row, sentence_bleu(output, "references") FROM segments'
        ).fetchall()
        scores = vecbleu.sentence_bleu(OUTPUTS, COMPLETE).tolist()
        assert sorted(found) == [pair for pair in enumerate(scores) for _ in range(9)]
        sums = connection.execute("""
            SELECT domain, sum(COLUMNS(* EXCLUDE domain))::BIGINT
            FROM (SELECT domain, unnest(bleu_counts(output, "references")) FROM segments)
            GROUP BY domain
        """).fetchnumpy()
        domains, *columns = sums.values()
        assert [*sums] == ["domain", *duckdb.COUNTS]
        assert by_domain(domains, np.stack(columns, axis=-1)) == BY_DOMAIN


def test_duckdb_leaves_groups_of_nulls_out():
    duckdb = recipe("duckdb")
    with duckdb.duckdb.connect() as connection:
        duckdb.register(connection)
        connection.execute("CREATE TABLE segments (domain VARCHAR, output VARCHAR, refs VARCHAR[])")
        rows = [*zip(DOMAINS, OUTPUTS, REFERENCES, strict=True), ("none", "a", None)]
        rows += [("web", "a", None), ("missing", None, ["a b c d"])]
        connection.executemany("INSERT INTO segments VALUES (?, ?, ?)", rows)
        found = duckdb.bleu_by_domain(connection)
        assert found == {**BY_DOMAIN, "missing": 0}  # a missing output is an empty one
        assert [*found] == sorted(found)


@pytest.fixture(scope="module")
def spark():
    """A session of Spark on this machine, whose Python processes can import vecbleu."""
    skip_if_missing("pyspark")
    from pyspark.sql import SparkSession

    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"PYSPARK_PYTHON": sys.executable, **environment()}.items():
            patch.setenv(name, value)
        session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        session = session.config("spark.sql.execution.arrow.maxRecordsPerBatch", "100")
        session = session.config("spark.sql.shuffle.partitions", "2").getOrCreate()
        yield session
        session.stop()
        gc.collect()  # sockets, of which another test would be told


@pytest.mark.filterwarnings("ignore")  # PySpark's own, and of its sockets
def test_pyspark(spark):
    pyspark = recipe("pyspark")
    schema = "domain string, output string, references array<string>"
    rows = [*zip(*ROWS.values(), strict=True)]
    frame = spark.createDataFrame(rows, schema).repartition(5)
    before = frame.schema.simpleString()
    scored = pyspark.with_bleu(frame, smoothing="floor")
    assert scored.schema["bleu"].dataType.simpleString() == "double"
    found = [(*row[:2], row["bleu"]) for row in scored.collect()]
    assert sorted(found) == sorted(zip(DOMAINS, OUTPUTS, SCORES, strict=True))
    assert frame.schema.simpleString() == before

    total = pyspark.sums_by(frame).first()
    assert total.asDict().keys() == {*pyspark.COUNTS}
    assert vecbleu.bleu(total) == ALL
    domains, *columns = zip(*pyspark.sums_by(frame, "domain").collect(), strict=True)
    assert by_domain(domains, np.transpose(columns)) == BY_DOMAIN


class Letters:
    """A tokenizer of ids below 100."""

    pad_token_id = 0

    def batch_decode(self, rows, skip_special_tokens):
        assert skip_special_tokens
        assert min(map(min, rows)) >= 0  # as that of transformers asks for
        return [" ".join(f"w{one}" for one in row if one) for row in rows]


@pytest.mark.parametrize("as_tensors", [False, True])
def test_trainer(as_tensors):
    torch = pytest.importorskip("torch") if as_tensors else None
    trainer = recipe("trainer")
    rng = np.random.default_rng(1)
    labels = rng.integers(1, 9, (50, 12))
    predictions = np.where(rng.random((50, 12)) < 0.2, 9, labels)
    labels[rng.random((50, 12)).cumsum(1) > 5] = -100
    predictions[:, 9:] = -100
    texts = [
        [" ".join(f"w{one}" for one in row if one > 0) for row in ids]
        for ids in (predictions, labels)
    ]
    expected = vecbleu.corpus_bleu(*texts, smoothing="floor")

    def evaluated(rows):
        given = predictions[rows], labels[rows]
        if as_tensors:
            given = map(torch.from_numpy, given)
        return SimpleNamespace(**dict(zip(["predictions", "label_ids"], given, strict=True)))

    metric = trainer.BleuMetric(Letters(), smoothing="floor")
    for _ in range(2):  # an evaluation begins anew
        assert metric(evaluated(slice(None)))["bleu"] == expected.percent
    assert metric(evaluated(slice(0, 20)), compute_result=False) == {}
    found = metric(evaluated(slice(20, 50)), compute_result=True)
    assert found["bleu"] == expected.percent
    assert (found["hyp_len"], found["ref_len"]) == (expected.hyp_len, expected.ref_len)


def test_torchmetrics():
    torchmetrics = recipe("torchmetrics")
    metric = torchmetrics.Bleu()
    first, second = slice(0, 200), slice(200, SIZE)
    alone = metric(OUTPUTS[first], COMPLETE[first])  # the batch's own score
    assert alone.item() == float(vecbleu.corpus_bleu(OUTPUTS[first], COMPLETE[first]))
    metric.update(OUTPUTS[second], COMPLETE[second])
    assert metric.compute().item() == ALL
    metric.reset()
    assert metric.counts.sum() == 0
    metric.update(OUTPUTS, COMPLETE)
    assert metric.compute().item() == ALL


def test_grpo():
    grpo = recipe("grpo")
    expected = vecbleu.sentence_bleu(OUTPUTS, COMPLETE, smoothing="add-k").tolist()
    rewards = grpo.bleu_reward(completions=OUTPUTS, references=COMPLETE, prompts=OUTPUTS)
    assert rewards == expected
    assert {*map(type, rewards)} == {float}
    chats = [
        [{"role": "user", "content": "?"}, {"role": "assistant", "content": one}] for one in OUTPUTS
    ]
    assert grpo.bleu_reward(completions=chats, references=COMPLETE) == expected
