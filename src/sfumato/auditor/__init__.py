"""The independent auditor: it reads a release, a policy and, for the holder, the manifest.

It imports nothing that it judges and shares no decision code with it.
"""
