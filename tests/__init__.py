"""The tests: folders named as those of the package, what they share in `support`."""
