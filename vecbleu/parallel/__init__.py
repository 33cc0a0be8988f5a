"""Apply a function to blocks in several processes. Nothing here knows a metric."""
