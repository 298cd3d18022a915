"""From the compiled tables to a site: addresses, typed page contexts, rendering, writing."""
