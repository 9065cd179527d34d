#!/usr/bin/env bash
# tests/cli/kill_selfplay.sh BIN [KILLS]: lets each system play itself, and each search whatever it needs, and kills it with SIGKILL at
# KILLS (4; of a search half as many) random moments, resuming each time. No game that was finished may be lost, other settings must be
# refused, and in the end the store must be, byte for byte, that of a run which nobody killed. SEED repeats the moments of another run.
set -uo pipefail
kills=${2:-4}
. "$(dirname "$0")/kill_support.sh"

games=24
# The values of the option $1.
choices() {
    local words
    words=$("$scholar" options --json | sed -nE '/^\{"name":"'"$1"'"/ { s/.*"choices":\[([^]]*)\].*/\1/; s/[",]+/ /g; p }')
    [[ -n $words ]] || fail "the engine names no $1"
    echo "$words"
}
systems=$(choices System) || exit 1
searches=$(choices Search) || exit 1
players=()
for system in $systems; do
    players+=("System=$system")
done
for search in $searches; do
    [[ $search == default ]] || players+=("Search=$search")
done

# The games that one who is killed has left so far.
finished() {
    local lines
    # It may go at any moment.
    lines=$({ wc -l <own.games.progress; } 2>/dev/null)
    echo $((${lines:-0} > 0 ? lines - 1 : 0))
}

for player in "${players[@]}"; do
    rm -f ./*.games
    times=$kills
    command=("$scholar" selfplay own.games --games "$games" --nodes 100 --max-plies 100 --option "$player" --option Hash=1)
    if [[ $player == Search=* ]]; then
        times=$(((kills + 1) / 2))
        command+=(--option 'PolicyFile=<random:7>' --option 'OrderFile=<order:<embedded>>')
    fi
    "${command[@]/own.games/whole.games}" --threads 1 >selfplay.log 2>&1 || fail "$player: $(tail -1 selfplay.log)"
    kills_done=0
    kept=()
    while ((kills_done < times)); do
        # Some games further, and then somewhere in the midst of the next, or of their packing.
        before=$(finished)
        draw more $((2 * games / (times + 1)))
        draw wait 10000
        ((more + before <= games)) || more=$((games - before))
        killed_after $((more + before)) finished "$wait" selfplay.log "${command[@]}" --threads 2 --resume || break
        kills_done=$((kills_done + 1))
        kept+=("$(finished)")
        (($(finished) >= before)) || [[ -e own.games ]] || fail "$player: $before games became $(finished)"
        [[ ! -e own.games ]] || break
        (($(finished) > 0)) || continue
        files=$(cat own.games.* | sha256sum)
        "${command[@]}" --resume --seed 2 >refused.log 2>&1 && fail "$player: another seed is not refused"
        grep -qE '^scholar: own\.games: cannot be resumed with --seed 2: it was begun with --seed 1$' refused.log ||
            fail "$player: another seed is refused with '$(cat refused.log)'"
        "${command[@]}" --overwrite >refused.log 2>&1 && fail "$player: to begin again is not refused"
        [[ $files == "$(cat own.games.* | sha256sum)" ]] || fail "$player: a refusal changed the games"
    done
    if [[ ! -e own.games || -e own.games.partial ]]; then
        "${command[@]}" --threads 2 --resume >selfplay.log 2>&1 || fail "$player: killed $kills_done times, then: $(tail -1 selfplay.log)"
    fi
    cmp whole.games own.games || fail "$player: killed $kills_done times, it has other games"
    rm -f own.games.progress # of one who was killed at the very end
    left=$(echo own.games.*)
    [[ $left == 'own.games.*' ]] || fail "$player: $left was left"
    echo "$player: killed $kills_done times, with ${kept[*]} of $games games there: the same store"
done
