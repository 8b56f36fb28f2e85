#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Draws the pictures of doc/worked-examples.md with the pages of scripts/report: make pictures.
# Needs chromium.  The results are archived, so that the pictures do not depend on this machine.
# usage: pictures.sh SOURCE
set -eu
source=$1
data=$source/results/2026-11-27-2core-epyc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v chromium >/dev/null || {
    echo "pictures.sh: chromium is not installed" >&2
    exit 1
}

# picture NAME WIDTH HEIGHT FIRST LAST: the lines of the page from the one that has FIRST to the
# one that has LAST, with its style.
picture() {
    {
        sed -n '1,/<body>/p' "$work/$1.html" | sed '/<h1>/d'
        echo '<style>body{padding:0 .5em}h2,h3{margin-top:.4em;border:0}</style>'
        awk -v first="$4" -v last="$5" 'index($0, first) { on = 1 } on { print } on && index($0, last) { exit }' "$work/$1.html"
    } >"$work/cut.html"
    chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size="$2,$3" \
        --screenshot="$source/doc/$1.png" "file://$work/cut.html" >"$work/log" 2>&1
}

"$source/scripts/report" --output "$work/interrupted.html" "$data/examples/interrupted.json"
picture interrupted 560 350 '<figure>' '</figure>'
"$source/scripts/report" --output "$work/bands.html" "$data/examples/bands"
picture bands 560 475 '<h2>Over time' '</figure>'
"$source/scripts/report" --output "$work/slow-link.html" "$data/examples/pair_bw.json"
picture slow-link 680 495 '<h3>All pairs' '</ul>'
cp "$data/compare-openmpi-mpich.html" "$work/crossover.html"
picture crossover 680 435 'aria-label="allreduce' '</figure>'
