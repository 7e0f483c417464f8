"""Tests of knowledge about terms."""
