"""Tools of the trade that users never run: what builds the data files that ship. Not installed with gapsmith."""
