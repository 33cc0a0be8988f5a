"""Score rows by a function in SQL, and all domains in one pass."""

from collections import defaultdict

import duckdb
import pyarrow as pa

import vecbleu


def sentence_bleu(outputs, refs):
    return pa.array(vecbleu.sentence_bleu(outputs, refs, workers=1))


with duckdb.connect() as connection:
    types = ["VARCHAR", "VARCHAR[]"]
    connection.create_function("sentence_bleu", sentence_bleu, types, "DOUBLE", type="arrow")
    scored = "SELECT sentence_bleu(output, refs) FROM 'rows.parquet' ORDER BY 1"
    print([round(score, 4) for (score,) in connection.sql(scored).fetchall()])

    domains = defaultdict(int)
    rows = connection.sql("SELECT * FROM 'rows.parquet'")
    for batch in pa.RecordBatchReader.from_stream(rows):
        stats = vecbleu.statistics(batch["output"], batch["refs"], workers=1)
        labels = batch["domain"].to_numpy(zero_copy_only=False)
        for domain in set(labels):
            domains[domain] += stats[labels == domain].sum()
    for domain, total in sorted(domains.items()):
        print(domain, round(total.score(), 4))
