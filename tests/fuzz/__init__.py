"""Hostile links, usage files and price files, many and seeded: `python -m tests.fuzz --links 10000 --files 2000`."""
