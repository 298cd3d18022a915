"""Regenerating records from models: what is evaluated, and how.

Four nouns, four places: **data** (`data`: MNIST as tensors), **models** (`models`: classifiers with a posterior),
**methods** (`methods`: one file each, holding only its mathematics; `search` is the loop they share) and **metrics**
(`metrics`, `class_metrics`: pure functions; `metric_info` their facts). `grid` makes tasks of them, `runs` does the
tasks on an `engine` into run files, `records` turns run files into records. `command.evaluate` is all of it in one
call.

The package knows the record models of `sotaschema` and nothing of the toolkit that validates and publishes records.
"""
