# SPDX-License-Identifier: BSD-3-Clause
# Reads a preprocessed mpi.h (and mpi-ext.h) and prints a line for each function of MPI but for those
# that take functions: its name and its arguments, with tabs between them.
BEGIN { RS = ";" }
{
    gsub(/#[^\n]*\n/, "")
    gsub(/[ \t\n]+/, " ")
    if (!match($0, /(^| )int MPIX?_[A-Za-z_]+ ?\(/))
        next
    text = substr($0, RSTART)
    sub(/^ ?int /, "", text)
    name = text
    sub(/ ?\(.*/, "", name)
    if (name in done)
        next
    sub(/^[^(]*\(/, "", text)
    # Up to the bracket that closes the first one.
    depth = 1
    for (i = 1; i <= length(text) && depth > 0; i++) {
        c = substr(text, i, 1)
        depth += (c == "(") - (c == ")")
    }
    text = substr(text, 1, i - 2)
    if (text ~ /[(]|\.\.\./)
        next
    done[name] = 1
    gsub(/ ?, ?/, "\t", text)
    printf "%s\t%s\n", name, text
}
