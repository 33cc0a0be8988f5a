"""Score rows and domains in Spark, by batches of Arrow."""

import os
import sys

import pyarrow as pa
from pyspark.sql import SparkSession

import vecbleu


def score(batches):
    for batch in batches:
        scores = vecbleu.sentence_bleu(batch["output"], batch["refs"], workers=1)
        yield pa.record_batch([pa.array(scores)], ["bleu"])


def count(batches):
    for batch in batches:
        stats = vecbleu.statistics(batch["output"], batch["refs"], workers=1)
        yield pa.record_batch([batch["domain"], *stats.array.T], ["domain", *COUNTS])


COUNTS = [f"count{number}" for number in range(10)]
types = ", ".join(["domain string", *(f"{name} bigint" for name in COUNTS)])

os.environ["PYSPARK_PYTHON"] = sys.executable  # the Python that has vecbleu
session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
spark = session.getOrCreate()
rows = spark.read.parquet("rows.parquet")
scored = rows.mapInArrow(score, "bleu double").orderBy("bleu")
print([round(row["bleu"], 4) for row in scored.collect()])

sums = rows.mapInArrow(count, types).groupBy("domain").sum(*COUNTS).orderBy("domain")
for domain, *row in sums.collect():
    print(domain, vecbleu.bleu.scores(row).round(4))
spark.stop()
