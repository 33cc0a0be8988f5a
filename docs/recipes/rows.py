"""Write the rows that all recipes read: ``python rows.py``."""

import pyarrow as pa
import pyarrow.parquet as parquet

rows = {
    "domain": ["news", "talk", "news"],
    "output": ["the cat sat on the mat", "a dog barked at me", "it rained all day"],
    "refs": [
        ["the cat sat on a mat", "a cat sat on the mat"],
        ["the dog barked at me"],
        ["it rained all day long"],
    ],
}
parquet.write_table(pa.table(rows), "rows.parquet")
