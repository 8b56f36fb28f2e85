#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Links of Markdown pages to files that are not there, or to headings that no page has.
# Prints PAGE:LINE: LINK.  Links to the web are not followed.
# usage: links.sh PAGE...
set -eu
for page; do
    awk '
        # The anchor that a heading gets: small letters, no punctuation, blanks are hyphens.
        function anchor(text) {
            gsub(/\[|\]\([^)]*\)|`/, "", text)
            text = tolower(text)
            gsub(/[^a-z0-9 _-]/, "", text)
            gsub(/ /, "-", text)
            return text
        }
        function has(file, wanted,    line, fenced, found) {
            while ((getline line < file) > 0) {
                if (line ~ /^ *```/) fenced = !fenced
                if (!fenced && line ~ /^#+ / && sub(/^#+ /, "", line) && anchor(line) == wanted) found = 1
            }
            close(file)
            return found
        }
        /^ *```/ { fenced = !fenced }
        fenced { next }
        {
            rest = $0
            gsub(/`[^`]*`/, "", rest)
            folder = FILENAME
            if (!sub(/\/[^\/]*$/, "", folder)) folder = "."
            while (match(rest, /\]\([^)]*\)/)) {
                link = substr(rest, RSTART + 2, RLENGTH - 3)
                rest = substr(rest, RSTART + RLENGTH)
                if (link ~ /^[a-z]+:/) continue
                file = link
                sub(/#.*/, "", file)
                file = file == "" ? FILENAME : folder "/" file
                if (system("test -e \"" file "\"") != 0 ||
                    (link ~ /#/ && !has(file, substr(link, index(link, "#") + 1))))
                    print FILENAME ":" FNR ": " link
            }
        }' "$page"
done
