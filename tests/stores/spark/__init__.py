"""Rows that stay on a Spark cluster."""
