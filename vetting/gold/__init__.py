"""The gold set: items with known flaws, and sound ones, to measure the linter by."""
