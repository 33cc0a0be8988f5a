"""Show results as tables, and text on terminals."""
