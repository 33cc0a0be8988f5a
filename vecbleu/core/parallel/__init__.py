"""A function applied to blocks by several processes, whatever the blocks hold."""
