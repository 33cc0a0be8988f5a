"""Read tables: a module for each format, which yields the cells of some columns in blocks."""
