"""Count integers: hashes, rows of different lengths, n-gram keys, matches, reference lengths.

Read `ragged`, `hashing`, `ngrams`, `matches`, in this order. Nothing here knows of text.
"""
