"""How results show themselves in a notebook: a card for each kind, and pictures that can be saved.

A surface, as the command line is one: it looks at results of the public API and at what draws reports. Nothing loads it
before something is shown.
"""
