# SPDX-License-Identifier: BSD-3-Clause
# Words and sentences that CONTRIBUTING.md does not allow, one a line (plain_words.sh).
# form=markdown: fenced blocks, code spans, comments and link targets do not count.
# form=help:     a line with little indentation, or of two columns, begins a text; a line
#                "=FAMILY PATH..." says whose help it is.

BEGIN {
    LONGEST = 35
    n = split("laps?|behind|beside|of which|in front of|ends? with [0-9]+|ended with [0-9]+|" \
        "stands?|looks? after|looked after|by itself|in place of|for sure|anew|the own|near to|" \
        "in the mean|once in a", bad, "|")
}

function complain(text) {
    print (name != "" ? name : FILENAME ":" from) ": " text
}

# One sentence, its words separated by one blank.
function sentence(text,    plain, count, word, i) {
    plain = " " tolower(text) " "
    gsub(/[^a-z0-9]+/, " ", plain)
    for (i = 1; i <= n; i++)
        if (match(plain, " (" bad[i] ") "))
            complain("\"" substr(plain, RSTART + 1, RLENGTH - 2) "\" in: " text)
    count = split(text, word, " ")
    if (count > LONGEST)
        complain(count " words: " text)
}

# The text that has been collected, by sentences.
function finish(    past) {
    if (form == "markdown") {
        gsub(/`[^`]*`/, "CODE", text)
        gsub(/\]\([^)]*\)/, "]", text)
        gsub(/<!--[^>]*-->/, "", text)
    }
    gsub(/[ \t]+/, " ", text)
    while (match(text, /[.!?][)"*]* /)) {
        past = RSTART + RLENGTH
        sentence(substr(text, 1, past - 2))
        text = substr(text, past)
    }
    if (text ~ /[A-Za-z]/)
        sentence(text)
    text = ""
}

function add(line) {
    if (text == "")
        from = FNR
    text = text " " line
}

FNR == 1 { finish(); fenced = 0 }
form == "markdown" && /^ *```/ { finish(); fenced = !fenced; next }
fenced { next }
/^[ \t]*$/ { finish(); next }
form == "markdown" && /^ *\|/ {
    # Each cell is a text; a bar in a code span is none between cells.
    finish()
    line = $0
    gsub(/\\\|/, "/", line)
    cells = split(line, cell, /\||<br>/)
    for (c = 1; c <= cells; c++) {
        add(cell[c])
        finish()
    }
    next
}
form == "markdown" && /^(#+ | *[-*] | *[0-9]+\. )/ { finish() }
form == "markdown" && /^#/ { add($0); finish(); next }
form == "help" && /^=/ { finish(); name = $0; sub(/^.*\//, "", name); next }
form == "help" && /^[Uu]sage:/ { add($0); finish(); next }
form == "help" && (/^  ? ? ? ? ? ? ?[^ ]/ || /^ .*[^ .:]  +[^ ]/) { finish() }
{ add($0) }
END { finish() }
