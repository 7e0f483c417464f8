"""The workbench: a page on this computer on which a table is opened, decided upon, promised about and released.

A surface over the public API. One process serves pages and holds the state; all work on data is done by one worker
process, so that no page waits for it and Stop is the end of that process.
"""
