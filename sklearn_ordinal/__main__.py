"""The command line: ``python -m sklearn_ordinal``, the same as ``sklearn-ordinal``."""

from __future__ import annotations

import sys

from sklearn_ordinal._command_line import program

if __name__ == "__main__":
    sys.exit(program.main())
