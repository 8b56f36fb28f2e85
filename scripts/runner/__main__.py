# SPDX-License-Identifier: BSD-3-Clause
"""python3 FOLDER/runner COMMAND ...: as scripts/alidade starts it."""
import os
import sys

if sys.version_info < (3, 6):
    sys.exit("%s: Python 3.6 or later is needed, and %s is older; the programs run without it" % (
        sys.argv[1], sys.executable))
if sys.version_info < (3, 7) and os.environ.get("LC_ALL") != "C.UTF-8":
    # It has no -X utf8: without a locale of UTF-8 it cannot read words and names of files in other
    # than ASCII.
    os.environ["LC_ALL"] = "C.UTF-8"
    os.execv(sys.executable, [sys.executable, "-I", "-S"] + sys.argv)
sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from runner.main import main  # noqa: E402  (found through the line above)

sys.exit(main(sys.argv[1:]))
