"""Grids that ship: POSH-BENCH's trainings and their miniature."""
