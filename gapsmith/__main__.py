"""``python -m gapsmith`` is the program."""

from gapsmith.cli.app import main

if __name__ == "__main__":
    main()
