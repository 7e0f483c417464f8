"""Tests of the algorithms whose rows all differ."""
