"""The small language model that ships with gapsmith, and the values its surprisals are checked against."""
