#!/usr/bin/env bash
# tests/cli/command_line.sh BIN: what is wrong with a command line is said by name, for every command and option that --help
# lists (of trainers, some options): misspelt ones get the one that was meant, and a number that is none, or infinite, is refused.
set -uo pipefail
. "${0%/*}/checks.sh"

# refused PATTERN WORD...: a command line that must be refused, in one line that names what is wrong.
refused() {
    local pattern=$1 output status
    shift
    output=$("$scholar" "$@" 2>&1 >/dev/null </dev/null)
    status=$?
    [[ $status -eq 2 && $output != *$'\n'* && $output =~ $pattern ]] ||
        complain "scholar $*: exit $status where 2 was expected, with '$output' where /$pattern/ was"
}

# A letter in the middle made another one.
misspelt() {
    local at=$((${#1} / 2))
    printf '%s%s%s' "${1:0:at}" "$([[ ${1:at:1} == q ]] && echo j || echo q)" "${1:at+1}"
}

no_numbers=(nan -nan inf -inf infinity 1e999)
trainers='learn|train|reproduce'
commands=0 options=0 numbers=0
# check WORD...: the command of these words, and those under it.
check() {
    local help name
    help=$("$scholar" "$@" --help) || complain "scholar $* --help: exit $?"
    commands=$((commands + 1))
    # It says how to print, never where.
    [[ ! $help =~ --json\ [A-Z]+(\ |$) ]] || complain "scholar $*: --json takes a value"
    while read -r name; do
        # (What may stand there instead, as a recipe behind learn, takes any word.)
        [[ $help == *Positionals:* ]] ||
            refused "unknown command '$(misspelt "$name")': did you mean '$name'\?" "$@" "$(misspelt "$name")"
        [[ $# -eq 0 && $name =~ ^($trainers)$ && ! -e $bin/scholar-train ]] || check "$@" "$name"
    done < <(sed -n '/^Subcommands:/,/^[^ ]/s/^  \([a-z][a-z0-9-]*\) .*/\1/p' <<<"$help")
    while read -r name; do
        options=$((options + 1))
        # The trainers' program takes two seconds to start: every fourth of its options, and of each number below one value, the
        # next of them.
        [[ ! ${1:-} =~ ^($trainers)$ || $((options % 4)) -eq 0 ]] || continue
        refused "unknown option '$(misspelt "$name")': did you mean '--" "$@" "$(misspelt "$name")"
    done < <(sed -nE 's/^  (-[a-zA-Z], ?)?(--[a-z][a-z0-9-]+)[ ,].*/\2/p' <<<"$help")
    while read -r name; do
        local values=("${no_numbers[@]}")
        [[ ! ${1:-} =~ ^($trainers)$ ]] || values=("${no_numbers[numbers % ${#no_numbers[@]}]}")
        for value in "${values[@]}"; do
            numbers=$((numbers + 1))
            refused "^scholar: $name: value '$value', expected a number (from|above) .*[0-9]" "$@" "$name=$value"
        done
    done < <(sed -nE 's/^  (-[a-zA-Z], ?)?(--[a-z][a-z0-9-]+) FLOAT.*/\2/p' <<<"$help")
}
check
# What stands at the beginning explains what is missing because of it.
refused "unknown option '--enigne': did you mean '--engine'\?" match --enigne x --openings y
refused "unknown command 'xyzzy': expected one of .*match, .*tune" xyzzy
refused "value 'tets', did you mean 'test'\?" games sample --split tets a.games
refused "'more' was not expected" perft 3 more
echo "$commands commands, $options options, $numbers numbers"
[[ $commands -ge 30 && $options -ge 100 && $numbers -ge 50 ]] || complain "too few were found in --help"
verdict
