"""Tests of measures of releases."""
