"""Programs that are measured, each in a process of its own and with its own imports only."""
