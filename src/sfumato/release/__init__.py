"""A release apart from how it was made: its documents, opening and reading it, and how it gets in its place.

Whoever judges, measures, attacks or shows a release reads it from here. Nothing here knows a promise's model, an
algorithm or a publisher, and nothing here judges: what is wrong with the files is listed as it was found.

=================  ====================================================================================================
`documents`        ``release.json`` and the internal manifest; `document_bytes`: as bytes; `upgrade`: older versions
`opening`          a folder, a file with its document beside it, a frame, or one in memory, as an `Opened` release
`formulas`         names and values that are quoted for spreadsheets, as they were
`bounds`           a lower and an upper column as the one quasi-identifier that they are
`cells`            which values a published cell stands for
`views`            one per form: rows that a recipient cannot tell apart; `classes` count what they hold
`target`           the place of a release; `standing`: what is there; `commit`, `moves`, `locks`: whole, or not at all
`storage_target`   a place in an object store or HDFS; `ways`: how it appears there; `claims`: runs that meet
`like`             the table of tonight against the manifest of another night
=================  ====================================================================================================
"""
