"""An attack on releases: random tables and policies, and a judge of its own.

What is published is read from disk as a recipient would and judged by the definitions, in plain Python and fractions;
nothing here but the runner imports sfumato. ``python -m tests.attack.run --releases 5000`` from the root of the project
runs it; a small sample is part of the ordinary tests.
"""
