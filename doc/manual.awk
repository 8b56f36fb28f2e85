# SPDX-License-Identifier: BSD-3-Clause
# The manual page of what --help says: awk -v name=NAME -v version=VERSION -f doc/manual.awk
function escaped(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    sub(/^[.']/, "\\\\\\&&", text)
    return text
}
function show(text) { print escaped(text) }
# As it stands, or filled.
function filled(yes) {
    if (yes == as_is)
        print yes ? ".fi" : ".nf"
    as_is = !yes
}
function section(title) {
    filled(1)
    if (title != now)
        print ".SH " title
    now = title
}
NR == 1 {
    usage = substr($0, 8)
    next
}
NR == 2 {
    printf ".TH %s 1 \"\" \"Alidade %s\"\n.SH NAME\n%s \\- ", name, version, name
    show($0)
    section("SYNOPSIS")
    print ".B " escaped(usage)
    section("DESCRIPTION")
    show($0)
    next
}
/^$/ {
    filled(1)
    if (now != "OPTIONS")
        print ".PP"
    next
}
/^Examples?:$/ { section("EXAMPLES"); next }
/^Exit codes: / {
    section("EXIT STATUS")
    show(substr($0, 13))
    next
}
# Options have headings of their own in programs, and further ones may follow examples.
/^[A-Z].*:$/ {
    heading = $0
    sub(/( \(.*\))?:$/, "", heading)
    next
}
heading != "" {
    if ($1 ~ /^-/) {
        section("OPTIONS")
        if (heading != "Options")
            print ".SS " escaped(heading)
    } else
        section(toupper(heading))
    heading = ""
}
now == "OPTIONS" && /^ +-/ {
    sub(/^ +/, "")
    n = match($0, /  +/)
    print ".TP\n.B " escaped(n ? substr($0, 1, n - 1) : $0)
    if (n)
        show(substr($0, n + RLENGTH))
    next
}
# The words that an option takes have a line each.
now == "OPTIONS" && /^ / {
    sub(/^ +/, "")
    if (/  /)
        print ".br"
    show($0)
    next
}
now == "OPTIONS" { print ".PP" }
{
    filled(!/^ /)
    show($0)
}
END {
    filled(1)
    print ".SH REPORTING BUGS"
    show("Report bugs with the command, its output and that of --version" (address == "" ? "." : " to " address "."))
}
