"""Check input, and align it into segments; errors name the segment."""
