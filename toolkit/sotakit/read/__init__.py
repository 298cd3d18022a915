"""Reading record files: YAML, JSON, JSON Lines and CSV into plain values, each with a place that can be pointed at.

One module a format. Each reads a text to `Raw` records and can say at which line and column the value or the key at a
path stands; a fault is a `Fault`, which the caller turns into a finding. Nothing here knows what a record means.
"""
