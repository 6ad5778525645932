"""``python -m gapsmith`` is the `gapsmith` program."""

from gapsmith.app.cli.app import main

if __name__ == "__main__":
    main()
