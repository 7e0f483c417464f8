"""Rows that are too many to be held: kept in files of one's own, counted, ordered and written part by part."""
