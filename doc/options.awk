# SPDX-License-Identifier: BSD-3-Clause
# Help texts in, each after a line "=FAMILY PROGRAM"; tables of options out (options.sh).

# Puts an item into a list, after the one before it on this page.
function place(list, item) {
    if (!((list, item) in following)) {
        following[list, item] = following[list, last[list]]
        following[list, last[list]] = item
    }
    last[list] = item
}

# The option that has been read is complete.
function finish(    fallback, item) {
    if (option == "")
        return
    if (match(text, / \(default: .*\)$/)) {
        fallback = substr(text, RSTART + 11, RLENGTH - 12)
        text = substr(text, 1, RSTART - 1)
    }
    text = text words
    gsub(/\|/, "\\|", text)
    place("groups", group)
    place(group, option)
    item = group SUBSEP option SUBSEP text
    if (!(item in programs))
        meanings[group, option] = meanings[group, option] text "\n"
    programs[item] = programs[item] program " "
    if (fallback != "" && index("; " fallbacks[item] "; ", "; " fallback "; ") == 0)
        fallbacks[item] = fallbacks[item] (fallbacks[item] == "" ? "" : "; ") fallback
    having[item, fallback]++
    option = ""
}

# A few defaults all, of many the most frequent one.
function few(item,    i, n, one, most) {
    n = split(fallbacks[item], one, "; ")
    if (n <= 3)
        return fallbacks[item]
    most = 1
    for (i = 2; i <= n; i++)
        if (having[item, one[i]] > having[item, one[most]])
            most = i
    return "often " one[most] "; see `--help`"
}

# "a, b and c", by families where all or most of a family have it.
function summary(names,    i, f, n, word, has, have, lack, list, left) {
    n = split(names, word, " ")
    if (n == total)
        return "all"
    for (i = 1; i <= n; i++)
        has[word[i]] = 1
    for (i = 1; i <= total; i++)
        if (!(name[i] in has))
            left = left (left == "" ? "" : ", ") name[i]
    if (total - n <= 10)
        return "all but `" left "`"
    for (f = 1; f <= families; f++) {
        have = lack = ""
        n = 0
        for (i = 1; i <= total; i++)
            if (family[i] == order[f] && name[i] in has) {
                have = have (have == "" ? "" : ", ") name[i]
                n++
            } else if (family[i] == order[f])
                lack = lack (lack == "" ? "" : ", ") name[i]
        if (n > 0)
            list = list (list == "" ? "" : "; ") \
                (lack == "" ? order[f] : \
                2 * n > size[order[f]] ? order[f] " but `" lack "`" : "`" have "`")
    }
    return list
}

/^=/ {
    finish()
    program = $2
    sub(/.*\//, "", program)
    name[++total] = program
    family[total] = substr($1, 2)
    if (!size[family[total]]++)
        order[++families] = family[total]
    for (list in last)
        last[list] = ""
    next
}
# Headings of groups, and what looks alike but has no options.
/^[A-Z].*:$/ { group = substr($0, 1, length($0) - 1) }
/^($|[^ ])/ { finish(); next }
/^(  -., |      )--[a-z]/ {
    finish()
    option = $0
    sub(/^ +/, "", option)
    text = match(option, /  +/) ? substr(option, RSTART + RLENGTH) : ""
    sub(/  .*/, "", option)
    words = ""
    next
}
# Words that an option takes are indented more than what it does, and where their meanings
# go on still more.
option != "" {
    match($0, /[^ ]/)
    line = substr($0, RSTART)
    if (RSTART == 30)
        text = text (text == "" ? "" : " ") line
    else if (RSTART == 32) {
        match(line, /  +/)
        words = words "<br>`" substr(line, 1, RSTART - 1) "`: " substr(line, RSTART + RLENGTH)
    } else
        words = words " " line
}

# The rows of one option: one for each meaning.
function rows(group, option,    n, i, meaning, item, shown) {
    shown = option
    gsub(/, --/, "`, `--", shown)
    gsub(/\|/, "\\|", shown)
    n = split(meanings[group, option], meaning, "\n") - 1
    for (i = 1; i <= n; i++) {
        item = group SUBSEP option SUBSEP meaning[i]
        printf "| `%s` | %s | %s | %s |\n", shown, meaning[i], few(item),
            summary(programs[item])
    }
}

END {
    finish()
    for (group = following["groups", ""]; group != ""; group = following["groups", group]) {
        printf "\n## %s\n\n", group
        print "| option | meaning | default | programs |\n|---|---|---|---|"
        for (option = following[group, ""]; option != ""; option = following[group, option])
            rows(group, option)
    }
}
