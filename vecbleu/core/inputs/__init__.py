"""What users pass, made into checked and aligned segments; errors name the segment."""
