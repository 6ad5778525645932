"""The version of gapsmith: it stands here and nowhere else; the package's metadata is made from it."""

VERSION = "0.2.0"
