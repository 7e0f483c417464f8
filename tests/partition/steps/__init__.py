"""Tests of steps on top of an algorithm."""
