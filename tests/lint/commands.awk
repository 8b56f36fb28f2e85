# SPDX-License-Identifier: BSD-3-Clause
# The commands of the console blocks of Markdown pages (commands.sh), one a line, by tabs:
# PAGE:LINE, the exit code that the block shows (0), why it is not run or "-", the command.
# "<!-- not run: REASON -->" on the line before a block exempts it. The code is a line
# "exit code N" among the output, or what a following "$ echo $?" prints.

function finish() {
    if (command != "")
        print where "\t" code "\t" reason "\t" command
    command = ""
}

FNR == 1 { finish(); inside = 0; exempt = "-" }
!inside && /^ *```console *$/ { inside = 1; reason = exempt; next }
inside && /^ *```/ { finish(); inside = 0; exempt = "-"; next }
!inside && /^ *<!-- not run: .* -->$/ {
    exempt = $0
    gsub(/^ *<!-- not run: | -->$/, "", exempt)
    next
}
!inside { if ($0 !~ /^ *$/) exempt = "-"; next }
/^ *\$ echo \$\?$/ { asked = 1; next }
asked { code = $1; asked = 0; next }
/^ *\$ / {
    finish()
    where = FILENAME ":" FNR
    command = $0
    sub(/^ *\$ /, "", command)
    code = 0
}
more { command = command $0 }
/^ *exit code [0-9]+$/ && !more { code = $NF }
{
    more = (/^ *\$ / || more) && command ~ /\\$/
    if (more)
        command = substr(command, 1, length(command) - 1)
}
END { finish() }
