# SPDX-License-Identifier: BSD-3-Clause
"""python3 FOLDER/judge VERB ...: the judge without an installation."""
import os
import sys

sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from judge.main import main  # noqa: E402  (found through the line above)

sys.exit(main(sys.argv[1:]))
