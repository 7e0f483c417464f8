"""The tables and figures of the five papers, computed again."""
