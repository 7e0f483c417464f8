"""Tests of advice: what a table can promise, and what promises mean for each other."""
