"""Rows that stay on a Spark cluster as words: made, counted and dealt to blocks by its workers."""
