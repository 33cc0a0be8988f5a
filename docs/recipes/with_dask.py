"""Score rows and domains in the partitions of a Dask data frame."""

import dask
import dask.dataframe as dd
import pandas as pd

import vecbleu


def score(part):
    return part.assign(bleu=vecbleu.sentence_bleu(part["output"], part["refs"], workers=1))


@dask.delayed
def count(part):
    stats = vecbleu.statistics(part["output"], part["refs"], workers=1)
    return pd.DataFrame(stats.array, part["domain"]).groupby(level=0, dropna=False).sum()


rows = dd.read_parquet("rows.parquet", dtype_backend="pyarrow")
scored = rows.map_partitions(score, meta={**rows.dtypes, "bleu": float})
print(sorted(scored["bleu"].compute().round(4)))

parts = dask.compute(*map(count, rows.to_delayed()))  # each partition sends only its sums
sums = pd.concat(parts).groupby(level=0, dropna=False).sum()
for domain, *row in sums.itertuples():
    print(domain, vecbleu.bleu.scores(row).round(4))
