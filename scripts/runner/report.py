# SPDX-License-Identifier: BSD-3-Clause
"""report - results as one page, and as a figure of a paper."""
import glob
import os
from typing import List

from judge import report as judge
from judge.text import Refused

from .folders import read
from .options import Options, question_of

USAGE = """Usage: scripts/report [OPTION...] [NAME=]RESULTS... [-- BENCHMARK...]
Write results as one self-contained HTML page with tables and curves, or as a
figure for a paper.

  RESULTS  JSON result file (--json of a benchmark), or a folder of them; the
           second and further RESULTS are compared with the first
  BENCHMARK  leave out the results of all others

Options:
  -o, --output FILE     the page [report.html without --figure and --csv]
  --figure FILE         curves as wide as the column of a paper: .svg, or .pdf
                        and .png, which need matplotlib
  --csv FILE            the values of these curves
  -t, --title TEXT      title of the page [new compared with old]
  --markdown FILE       also write the comparisons as Markdown
  -m, --margin PERCENT  smallest relevant difference [3]
  --classes SIZES       where classes end, or rows: one each [256,8K,128K]
  --allow FIELD         JSON field that may differ, such as method.start;
                        repeatable

Examples:
  scripts/report results-today
  scripts/report -o page.html old=results/old new=results/new
  scripts/report --figure bw.pdf --csv bw.csv old=old new=new -- bw

Exit codes: 0 success, 1 not readable, not written, or files of one variant not
comparable, 3 wrong data.
"""

READING = {"plan": False}


def variants(folder: str) -> List[str]:
    """Of compare, which has a folder for each variant that it ran, and names those that were stored
    elsewhere.  Errors: Refused."""
    found = []
    for line in read(os.path.join(folder, ".variants")).splitlines():
        name, _, path = line.partition("=")
        if path and not os.path.exists(path):
            raise Refused("variant %s=%s of %s is not there any more: name all variants, as "
                          "NAME=RESULTS" % (name, path, folder))
        place = os.path.join(folder, name)
        if path:
            found.append(line)
        elif glob.glob(os.path.join(glob.escape(place), "*.json")):
            found.append(place)
    return found


def main(o: Options) -> int:
    if not o.words:
        raise Refused("results are needed: files, or folders of them; see --help")
    results: List[str] = []
    remarks: List[str] = []
    for word in o.words:
        is_comparison = os.path.isfile(os.path.join(word, ".variants"))
        results += variants(word) if is_comparison else [word]
        if is_comparison:
            remarks += read(os.path.join(word, ".remarks")).splitlines()
    return judge.answer(question_of(o, only=o.further, remark=remarks), results)
