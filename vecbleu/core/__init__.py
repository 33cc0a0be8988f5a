"""From what users pass to arrays of counts and scores. Everything here may change without notice.

A unit is a hypothesis or a reference; a segment is a hypothesis with its references; a block is
some segments that are counted together. An order is the n of n-grams, or a permutation where it is
that of units. Ids are of tokens, keys of n-grams. Offsets say where rows begin in a flat array.
"""
