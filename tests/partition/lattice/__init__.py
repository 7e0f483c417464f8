"""Tests of full-domain recoding."""
