"""Rules: each a small function with a code, a severity and a title. `rules.py` lists them all."""
