"""The command line: predictions in files, without a line of Python."""
