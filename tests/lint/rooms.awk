# SPDX-License-Identifier: BSD-3-Clause
# Print what the table in "rooms" forbids.
# usage: awk -f rooms.awk -v what=includes rooms SOURCE...
#        nm -gA OBJECT... | awk -f rooms.awk -v what=symbols rooms -
function room_of(path,    part) {
    split(path, part, "/")
    return part[1] == "mpi" ? "programs" : \
           part[2] == "util" ? part[3] : \
           part[2] == "family" ? "family/" part[3] : \
           part[2] == "watch" && part[4] != "" ? "watch/" part[3] : part[2]
}

function may(from, to) {
    return from == to || (from, to) in allowed || \
           from ~ /^family\// && ("family/*", to) in allowed || \
           from ~ /^watch\// && ("watch/*", to) in allowed || \
           to ~ /^watch\// && (from, "watch/*") in allowed || \
           to ~ /^family\// && (from, "family/*") in allowed
}

function has_door(room, name) {
    if (room ~ /^family\//)
        room = "family/*"
    return (room, "*") in door || (room, name) in door
}

function folder_of(path) {
    sub(/[^\/]*$/, "", path)
    return path
}

function read_rooms(    half, left, right, i, n) {
    split($0, half, /[ \t]*[:|][ \t]*/)
    known[half[1]] = 1
    n = split(half[2], left, " ")
    for (i = 1; i <= n; i++)
        allowed[half[1], left[i]] = 1
    n = split(half[3], right, " ")
    for (i = 1; i <= n; i++)
        door[half[1], right[i]] = 1
}

# A room without a line, once.
function need_line(room) {
    if (!(room in known) && room !~ /^family\// && !(room in said))
        print room ": has no line in tests/lint/rooms"
    said[room] = 1
}

# The header as it is written between quotes.
function check_include(header,    here, there, name, at) {
    here = room_of(FILENAME)
    at = FILENAME ":" FNR ": "
    need_line(here)
    name = header
    sub(/.*\//, "", name)
    if (header !~ /\// && (folder_of(FILENAME) header) in file)
        return
    if (header !~ /\// && !(("c/util/" header) in file)) {
        print at header " is of another room, and does not say which"
        return
    }
    if (header !~ /\//)
        there = header
    else if (("c/util/" header) in file)
        there = folder_of(header)
    else if (("c/watch/" header) in file)
        there = "watch/" folder_of(header)
    else
        there = "family/" folder_of(header)
    sub(/\/$/, "", there)
    sub(/\.h$/, "", name)
    if (there == here)
        print at header " is of the same room: no folder"
    else if (!may(here, there))
        print at here " may not include " header
    else if (!has_door(there, name))
        print at header " is no door of " there
}

function check_symbol(object, symbol,    here, there) {
    here = room_of(object)
    there = symbol ~ /^P?MPI_/ ? "mpi" : home[symbol]
    need_line(here)
    if (there != "" && !may(here, there))
        print object ": " here " may not use " symbol " of " there
}

BEGIN {
    for (i = 1; i < ARGC; i++)
        file[ARGV[i]] = 1
}
FILENAME ~ /lint\/rooms$/ {
    if ($0 ~ /^[^#]/)
        read_rooms()
    next
}
what == "includes" && /^ *# *include *<mpi\.h>/ {
    if (!may(room_of(FILENAME), "mpi"))
        print FILENAME ":" FNR ": " room_of(FILENAME) " knows no MPI"
}
what == "includes" && match($0, /^ *# *include *"[^"]*"/) {
    header = $0
    gsub(/^[^"]*"|"[^"]*$/, "", header)
    if (header !~ /^(config|commit|wrappers)\.h$/) # generated
        check_include(header)
}
what == "symbols" {
    object = $1
    sub(/:.*/, "", object)
    if ($(NF - 1) == "U")
        used[++uses] = object " " $NF
    else
        home[$NF] = room_of(object)
}
END {
    for (i = 1; i <= uses; i++) {
        split(used[i], pair, " ")
        check_symbol(pair[1], pair[2])
    }
}
