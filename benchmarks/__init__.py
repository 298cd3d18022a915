"""The project's benchmarks: what its commands cost, beside what other tools cost on the same data in the same run.

    python -m benchmarks [--quick] [--only PART]

Never part of the tests. Figures go to `build/benchmarks/`, one JSON file for each part; `docs/benchmarks.md` is put
together from them.
"""
