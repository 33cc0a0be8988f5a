"""Score rows by a function in SQL, and domains batch by batch."""

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

    for domain in ("news", "talk"):
        query = f"SELECT output, refs FROM 'rows.parquet' WHERE domain = '{domain}'"
        corpus = vecbleu.Accumulator(workers=1)
        for batch in pa.RecordBatchReader.from_stream(connection.sql(query)):
            corpus.update(batch["output"], batch["refs"])
        print(domain, round(corpus.compute(), 4))
