"""What is measured, one kernel per file."""
