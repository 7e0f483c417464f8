"""Tests of SWEEP."""
