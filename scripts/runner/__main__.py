# SPDX-License-Identifier: BSD-3-Clause
"""python3 FOLDER/runner COMMAND ...: as scripts/alidade starts it."""
import os
import sys

sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from runner.main import main  # noqa: E402  (found through the line above)

sys.exit(main(sys.argv[1:]))
