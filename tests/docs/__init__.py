"""The documentation, read, run and compared with the code."""
