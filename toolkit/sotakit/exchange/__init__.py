"""Reading what others publish, and published pages of our own; one module a format."""
