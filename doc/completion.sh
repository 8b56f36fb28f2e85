#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Usage: doc/completion.sh bash|zsh SOURCE COMMAND PROGRAM...
# Print what the shell needs to complete the words of COMMAND, which is alidade; make does so.  Options of scripts
# are those of their --help, options of programs those of doc/options.md.
set -eu
shell=$1 source=$2 command=$3
shift 3
echo "#compdef $command"
cat <<'END_OF_TEXT'
# Made by make: completion of the words of alidade.

# _alidade_words VERB: the words that may follow a verb; of "programs" and of "program" the
# names of benchmarks and the options that they take.
_alidade_words() {
    case $1 in
END_OF_TEXT
words() { printf "    %s) echo '%s' ;;\n" "$1" "$(tr '\n' ' ' | sed 's/ $//')"; }
help() { "$source/scripts/$1" --help; }
verbs() { help alidade | sed -nE '/^Commands/,/^$/s/^  ([a-z-]+) .*/\1/p'; }
options() { sed -nE 's/^  (-[a-z], )?(--[a-z-]+)( .*|$)/\2/p'; }
{ verbs && help alidade | options; } | words "''"
for program; do echo "${program##*/}"; done | sort | words programs
grep -oE '^\| [^|]*' "$source/doc/options.md" | grep -oE -- '`--[a-z0-9-]+(=|\[=)?' | tr -d '`[' | sort -u | words program
for verb in $(verbs); do
    [ ! -f "$source/scripts/$verb" ] || help "$verb" | options | words "$verb"
done
sed -n 's/^## //p' "$source/doc/messages.md" | words explain
cat <<'END_OF_TEXT'
    esac
}

# _alidade_candidates WORD...: what may follow these words, from alidade on.
_alidade_candidates() {
    local verb=${2-} kinds=${2-} word
    case $verb in
    which) kinds=programs ;;
    run-suite | tune | compare) kinds="$verb programs" ;;
    repeat | place) kinds="$verb programs program" ;;
    esac
    # What follows is of the programs.
    for word; do [ "$word" != -- ] || kinds='programs program'; done
    if [ -z "$verb" ]; then
        _alidade_words ''
    else
        echo "$kinds" | tr ' ' '\n' | while read -r word; do _alidade_words "$word"; done
    fi
}
END_OF_TEXT
if [ "$shell" = zsh ]; then
    cat <<'END_OF_TEXT'

_alidade() {
    local -a found
    found=(${=$(_alidade_candidates "${(@)words[1,CURRENT-1]}")})
    compadd -a found
    [[ $PREFIX == -* ]] || _files
}
_alidade "$@"
END_OF_TEXT
else
    cat <<'END_OF_TEXT'

_alidade() {
    # shellcheck disable=SC2207 # words without blanks
    COMPREPLY=($(compgen -W "$(_alidade_candidates "${COMP_WORDS[@]:0:COMP_CWORD}")" -- "${COMP_WORDS[COMP_CWORD]}"))
}
END_OF_TEXT
    echo "complete -o default -F _alidade $command"
fi
