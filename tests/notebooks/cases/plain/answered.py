"""Somebody answers every question and changes nothing else."""
