"""Attacks are no modules of tests, whatever their names end in."""

collect_ignore = ["attacks", "uses"]
