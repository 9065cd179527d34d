#!/usr/bin/env bash
# tests/cli/kill_import.sh BIN SOURCE [ROUNDS]: imports games with the scholar in folder BIN and kills it with SIGKILL at
# ROUNDS (20) random moments, resuming each time. Each time what is there of the store must open, hold whole blocks only,
# and hold no fewer than before, and no command may replace it unasked; in the end it must have just the games, in order, of
# an import that nobody killed. Then the same for an append. SEED repeats the moments of another run.
set -uo pipefail
source=$(realpath "$2")
rounds=${3:-20}
. "$(dirname "$0")/kill_support.sh"

# number FIELD FILE...: a number that `games info --json` says of a store.
number() {
    "$scholar" games info --json "$2" 2>info.log | grep -oE "\"$1\":[0-9]+" | head -1 | cut -d: -f2
}

# Enough games for several blocks.
zstd -dcq "$source/games/master-games.pgn.zst" >sample.pgn
for ((i = 0; i < 8; ++i)); do cat sample.pgn; done >first.pgn
for ((i = 0; i < 4; ++i)); do cat sample.pgn; done >second.pgn
files=(first.pgn second.pgn)

begin=$(date +%s%N)
"$scholar" games import -o whole.games "${files[@]}" >import.log 2>&1 || fail "the import failed: $(tail -1 import.log)"
took=$((($(date +%s%N) - begin) / 1000)) # microseconds
"$scholar" games import -o base.games sample.pgn >import.log 2>&1 || fail "the import failed: $(tail -1 import.log)"
cp base.games appended.games
"$scholar" games import --append -o appended.games "${files[@]}" >import.log 2>&1 || fail "the append failed: $(tail -1 import.log)"
[[ $(number games whole.games) -gt 0 ]] || fail "no games: $(cat info.log)"

# At a random moment.
killed_somewhen() {
    local wait
    draw wait "$took"
    killed "$wait" import.log "$@"
}

# same STORE STORE: whether they have the same games in the same order.
same() {
    cmp -s "$1" "$2" && return
    "$scholar" games export "$1" -o one.pgn >export.log 2>&1 || fail "$(tail -1 export.log)"
    "$scholar" games export "$2" -o other.pgn >export.log 2>&1 || fail "$(tail -1 export.log)"
    cmp one.pgn other.pgn
}

# refused COMMAND...: whether it fails, says why and leaves the store that is not finished as it is.
refused() {
    local before after
    before=$(cat "$growing" "$result.progress" | sha256sum)
    "$@" >refused.log 2>&1 && return 1
    after=$(cat "$growing" "$result.progress" | sha256sum)
    [[ $(grep -c '^scholar: ' refused.log) -eq 1 && $before == "$after" ]]
}

# trial NAME GROWING RESULT EXPECTED: GROWING is the store while it is made, RESULT what becomes of it. The functions
# NAME_anew, NAME_begin and NAME_resume put things as they were, and say with which command to begin and to resume.
trial() {
    local name=$1 growing=$2 result=$3 expected=$4 kills=0 finished=0 games=0 most=0 now
    "${name}_anew"
    "${name}_begin"
    while ((kills < rounds)); do
        if ! killed_somewhen "${command[@]}"; then
            same "$expected" "$result" || fail "$name: killed $kills times, it has other games"
            finished=$((finished + 1))
            games=0
            "${name}_anew"
            "${name}_begin"
            continue
        fi
        kills=$((kills + 1))
        if [[ -e $growing ]]; then
            now=$(number games "$growing")
            [[ -n $now ]] || fail "$name: killed $kills times, the store does not open: $(cat info.log)"
            ((now >= games)) || fail "$name: killed $kills times, $games games became $now"
            # Every move of every game can be read.
            "$scholar" games export "$growing" -o partial.pgn >export.log 2>&1 ||
                fail "$name: killed $kills times: $(tail -1 export.log)"
            [[ $(grep -c '^\[Event ' partial.pgn) -eq $now ]] || fail "$name: not $now games in the export"
            games=$now
            ((games > most)) && most=$games
            # With the games of `base` only, an append has not begun.
            if [[ -e $result.progress ]] && ((games > $(number games base.games))); then
                refused "$scholar" games import -o "$result" "${files[@]}" ||
                    fail "$name: a new import is not refused: $(cat refused.log)"
                refused "$scholar" games merge "$growing" -o "$result" ||
                    fail "$name: a merge into its own name is not refused: $(cat refused.log)"
            fi
        fi
        # Killed before it had begun, or when it was finished, there is nothing to resume.
        if [[ -e $result.progress ]]; then
            "${name}_resume"
        else
            "${name}_anew"
            "${name}_begin"
            games=0
        fi
    done
    "${command[@]}" >import.log 2>&1 || fail "$name: killed $kills times, then: $(tail -1 import.log)"
    same "$expected" "$result" || fail "$name: killed $kills times, it has other games"
    [[ ! -e $result.partial && ! -e $result.progress ]] || fail "$name: $(echo "$result".*) was left"
    echo "$name: killed $kills times in $((finished + 1)) runs, with up to $most of $(number games "$expected") games there; always resumed to the same games"
}

import_anew() { rm -f killed.games; }
import_begin() { command=("$scholar" games import -o killed.games "${files[@]}"); }
import_resume() { command=("$scholar" games import --resume -o killed.games "${files[@]}"); }
trial import killed.games.partial killed.games whole.games

append_anew() { cp base.games grown.games; }
append_begin() { command=("$scholar" games import --append -o grown.games "${files[@]}"); }
append_resume() { command=("$scholar" games import --append --resume -o grown.games "${files[@]}"); }
trial append grown.games grown.games appended.games
