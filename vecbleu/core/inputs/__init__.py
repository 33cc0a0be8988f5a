"""Check what users pass, and align it into segments; errors name the segment."""
