"""Everything that may change without notice; `pipeline` tells how it works together."""
