"""Aligned segments: one module a kind, behind the protocols of `blocks`."""
