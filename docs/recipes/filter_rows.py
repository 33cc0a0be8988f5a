"""Keep the rows whose output is close enough to a reference; errors have the number of the row."""

import pyarrow as pa
import pyarrow.parquet as parquet

import vecbleu


def scores(batch, first):
    try:
        return vecbleu.chrf.sentence_chrf(batch["output"], batch["refs"], workers=1)
    except (vecbleu.ArgumentError, vecbleu.ArgumentTypeError) as error:
        row, *inside = error.index
        error.index = (first + row, *inside)  # in the file, not in the batch
        raise


rows = parquet.ParquetFile("rows.parquet")
read = kept = 0
with parquet.ParquetWriter("kept.parquet", rows.schema_arrow) as writer:
    for batch in rows.iter_batches():
        chosen = batch.filter(pa.array(scores(batch, read) >= 0.8))
        writer.write_batch(chosen)
        read += len(batch)
        kept += len(chosen)
print(f"{kept} of {read} rows")
