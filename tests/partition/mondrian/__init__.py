"""Tests of Mondrian."""
