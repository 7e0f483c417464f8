"""Taxonomies: the tree over a column's values, its builders, its file formats and what its labels mean."""
