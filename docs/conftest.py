"""Modules beside the pages are MkDocs'; pytest has no examples to find in them."""

collect_ignore_glob = ["*.py"]
