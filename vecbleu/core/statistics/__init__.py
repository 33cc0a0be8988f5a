"""The table of sufficient statistics: its columns, its signature, its file format."""
