#!/usr/bin/env bash
# tests/cli/reproduce.sh BIN SOURCES PART PARTS: every experiment of every paper, quickly, twice: the second time nothing is learnt or
# played again and the report is the same. Of each PARTS papers the one that is PART, from 0.
set -uo pipefail
. "$(dirname "$0")/checks.sh"

fail() {
    echo "reproduce.sh: $*" >&2
    exit 1
}

papers=$("$scholar" reproduce --help | sed -nE '/^Subcommands:/,/^$/ { s/^  ([a-z0-9-]+) .*/\1/p }')
[[ -n $papers ]] || fail 'reproduce --help names no paper'
"$scholar" games import "$source/games/master-games.pgn.zst" -o others.games >log 2>&1 || fail "others: $(tail -1 log)"
head -4 "$source/suites/mates.epd" >suite.epd
number=0
for paper in $papers; do
    (( number++ % $4 == $3 )) || continue
    experiments=$("$scholar" reproduce "$paper" --help | sed -nE '/^Experiments:/,/^[A-Z]/ { s/^  ([a-z0-9-]+) .*/\1/p }')
    [[ -n $experiments ]] || fail "reproduce $paper --help names no experiment"
    others=()
    [[ $("$scholar" reproduce "$paper" --help) != *--test-store* ]] || others=(--test-store others.games)
    [[ $("$scholar" reproduce "$paper" --help) != *--suite* ]] || others+=(--suite suite.epd)
    # One by itself, then all.
    "$scholar" reproduce "$paper" "${experiments##*$'\n'}" "${others[@]}" --quick -o "$paper" >log 2>&1 || fail "$paper ${experiments##*$'\n'}: $(tail -1 log)"
    "$scholar" reproduce "$paper" "${others[@]}" --quick -o "$paper" >log 2>&1 || fail "$paper: $(tail -1 log)"
    for experiment in $experiments; do
        [[ -s $paper/quick/$experiment.md ]] || fail "$paper $experiment found nothing"
        grep -qF "The whole of \`$experiment\`: " "$paper/quick/report.md" || fail "$paper $experiment is not in the report"
    done
    grep -qE 'Not begun|Not finished' "$paper/quick/report.md" && fail "$paper: not all was done"
    cp "$paper/quick/report.md" first.md
    before=$(cd "$paper/quick" && find . -name '*.jsonl' -exec sha256sum {} + | sort)
    "$scholar" reproduce "$paper" "${others[@]}" --quick -o "$paper" >log 2>&1 || fail "$paper: $(tail -1 log)"
    cmp first.md "$paper/quick/report.md" || fail "$paper: the second report differs"
    [[ $before == "$(cd "$paper/quick" && find . -name '*.jsonl' -exec sha256sum {} + | sort)" ]] || fail "$paper: something was done again"
    echo "$paper: $(wc -w <<<"$experiments") experiments"
done
