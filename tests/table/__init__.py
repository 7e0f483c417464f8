"""Tests of reading, coding and writing tables."""
