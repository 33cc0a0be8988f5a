"""Count segments for any metric, and keep their rows. Private: anything may change.

docs/architecture.md shows the flow of the data. Words that all modules use::

    side      all hypotheses, or all references
    unit      a hypothesis or a reference
    segment   a hypothesis with its references
    block     segments that are counted together
    row       the counts of a segment
    order     the n of n-grams
    id        an integer for a token: equal tokens, equal ids
    key       an integer for an n-gram: equal n-grams, equal keys
    offsets   where each row begins in a flat array, and where the last one ends (rows + 1,)

Shapes use S for the number of segments and N for the highest order.
"""
