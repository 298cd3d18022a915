"""The toolkit: read records, check them, compile them to Parquet, publish them as pages, read published pages back.

The program is two short functions: `sotakit.validate.validate`, which turns a data folder into findings and Parquet
tables, and `sotakit.publish.build.build_site`, which turns the tables into a site.
"""

__version__ = "0.1.0"
