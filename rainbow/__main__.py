"""`python -m rainbow` is the command `rainbow`."""

from rainbow.cli import main

if __name__ == "__main__":
    main()
