"""The sections of the page on systems, in files named after the tables of `rainbow systems`."""
