"""Reading record files: YAML, JSON, JSON Lines and CSV into plain values, each with a place that can be pointed at.

One module a format. Each has `read(text) -> Iterator[Raw]` and `position(text, line, path, at_key) -> (line, column)`;
a fault is a `Fault`, which the caller turns into a finding. Nothing here knows what a record means.
"""
