"""Show results: tables, text for terminals, output files, progress, signatures."""
