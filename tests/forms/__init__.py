"""Tests of forms."""
