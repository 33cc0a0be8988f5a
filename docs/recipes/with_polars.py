"""Score rows and domains in a streamed plan of Polars."""

import polars as pl

import vecbleu


def score(pairs):
    return pl.Series(vecbleu.sentence_bleu(*pairs.struct.unnest(), workers=1))


def count(pairs):
    return pl.DataFrame(vecbleu.statistics(*pairs.struct.unnest(), workers=1).array).to_struct()


COUNTS = {f"column_{number}": pl.Int64 for number in range(10)}  # as Polars names them
pair = pl.struct("output", "refs")
bleu = pair.map_batches(score, pl.Float64, is_elementwise=True)
counts = pair.map_batches(count, pl.Struct(COUNTS), is_elementwise=True)

rows = pl.scan_parquet("rows.parquet")
scored = rows.select(bleu.alias("bleu")).sort("bleu").collect(engine="streaming")
print(scored["bleu"].round(4).to_list())

counted = rows.select("domain", counts.alias("counts")).unnest("counts")
sums = counted.group_by("domain").sum().sort("domain").collect(engine="streaming")
for domain, *row in sums.iter_rows():
    print(domain, vecbleu.bleu.scores(row).round(4))
