"""The Python tools that people pick, on the same data with the same promise, in an environment of their own."""
