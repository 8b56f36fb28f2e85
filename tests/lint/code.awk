# SPDX-License-Identifier: BSD-3-Clause
# The code of C files without their comments, line by line, numbers in front; named=yes: and the files.
FNR == 1 { inside = 0 }
{
    line = $0
    code = ""
    while (line != "") {
        if (inside) {
            end = index(line, "*/")
            if (end == 0)
                break
            line = substr(line, end + 2)
            inside = 0
        } else {
            start = index(line, "/*")
            if (start == 0) {
                code = code line
                break
            }
            code = code substr(line, 1, start - 1)
            line = substr(line, start + 2)
            inside = 1
        }
    }
    if (code ~ /[^ \t]/)
        print (named == "yes" ? FILENAME " " : "") FNR ": " code
}
