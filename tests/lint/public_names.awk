# SPDX-License-Identifier: BSD-3-Clause
# Reads the table public_names, then code as code.awk prints it with named=yes: calls of MPI by
# public names that the table does not have, and what the table has in vain.
function name_at() {
    return substr(code, RSTART, RLENGTH)
}

FNR == NR {
    if ($0 !~ /^#/ && sub(/:/, "") && NF > 1)
        for (i = 2; i <= NF; i++)
            allowed[$1, $i] = 1
    next
}

{
    file = $1
    code = $0
    sub(/^[^ ]+ /, "", code)
    gsub(/"([^"\\]|\\.)*"/, "\"\"", code)
    line = code + 0
    while (match(code, /[A-Za-z0-9_]*MPI_[A-Z][a-z][A-Za-z0-9_]*/)) {
        name = name_at()
        code = substr(code, RSTART + RLENGTH)
        if (name !~ /^MPI_/ || name ~ /_function$/ ||
            name ~ /^MPI_(Aint|Comm|Count|Datatype|Errhandler|Group|Info|Op|Request|Session|Status|Win)$/)
            continue
        sub(/^MPI_/, "", name)
        if ((file, name) in allowed)
            used[file, name] = 1
        else if ((file, "*") in allowed)
            used[file, "*"] = 1
        else
            print file ":" line ": MPI_" name " of the harness: PMPI_" name ", or a row in tests/lint/public_names"
    }
}

END {
    for (pair in allowed)
        if (!(pair in used)) {
            split(pair, part, SUBSEP)
            print "tests/lint/public_names: " part[1] " does not call " part[2]
        }
}
