"""Tests of releases on disk and of what they say."""
