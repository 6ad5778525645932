"""Parsers behind one interface, one vocabulary of relations, treebanks, and patterns over parses."""
