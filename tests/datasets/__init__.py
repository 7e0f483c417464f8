"""Tests of real tables and where they come from."""
