"""Tests of whole runs: from a table and a policy to a release."""
