# SPDX-License-Identifier: BSD-3-Clause
"""JUnit XML, which CI systems read: suites of test cases."""
from typing import List, NamedTuple, Sequence

from .documents import escape


class Case(NamedTuple):
    """kind: "failure", "error" (it could not be judged), "skipped", or "": it passed.  message: why
    not.  lines: what was measured."""

    classname: str
    name: str
    kind: str = ""
    message: str = ""
    lines: Sequence[str] = ()

    def text(self) -> str:
        inner = '<%s message="%s"/>' % (self.kind, escape(self.message)) if self.kind else ""
        if self.lines:
            inner += "<system-out>%s</system-out>" % "\n".join(map(escape, self.lines))
        return '  <testcase classname="%s" name="%s">%s</testcase>\n' % (
            escape(self.classname), escape(self.name), inner)


class Suite(NamedTuple):
    """remarks: what to know before trusting it."""

    name: str
    cases: List[Case]
    remarks: Sequence[str] = ()

    def text(self) -> str:
        kinds = [case.kind for case in self.cases]
        text = '<testsuite name="%s" tests="%d" failures="%d" errors="%d" skipped="%d">\n' % (
            escape(self.name), len(kinds), kinds.count("failure"), kinds.count("error"),
            kinds.count("skipped"))
        if self.remarks:
            text += "  <properties>\n%s  </properties>\n" % "".join(
                '    <property name="remark" value="%s"/>\n' % escape(each)
                for each in self.remarks)
        return text + "".join(case.text() for case in self.cases) + "</testsuite>\n"


def junit(suites: Sequence[Suite]) -> str:
    return '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n%s</testsuites>\n' % "".join(
        suite.text() for suite in suites)
