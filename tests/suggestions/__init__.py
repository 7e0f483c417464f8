"""Tests of suggested policies."""
