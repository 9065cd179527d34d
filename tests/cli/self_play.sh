#!/usr/bin/env bash
# tests/cli/self_play.sh BIN SOURCE: the engine plays itself through pipes, by nodes and by the clock, over UCI and over the
# xboard protocol, as itself and as others of its systems and levels. Fails if any game ends otherwise than by the rules: an
# illegal move, a crash, a stall, a clock that runs out while nothing comes. How late an engine may be is as much as it can be on
# a machine that does other things: this test is none of time management.
set -euo pipefail
bin=$(realpath "$1")
source=$(realpath "$2")

log=$(mktemp)
trap 'rm -f "$log"' EXIT

one=''
two=''
play() {
    local report
    report=$("$bin/scholar" match --engine "name=one $one" --engine "name=two $two" \
        --openings "$source/openings/first.epd" "$@" 2>"$log") || { cat "$log" >&2; exit 1; }
    echo "$report"
    # What did not happen is not counted there.
    grep -q '^ *two: [0-9]* moves' <<<"$report" || { echo "self_play: the report says nothing of two's moves" >&2; exit 1; }
    if grep -E '(illegal move|crash|stall|time loss|garbage|flood)(s|es)?: [0-9]' <<<"$report" >&2; then
        echo "self_play: a game ended by that" >&2
        exit 1
    fi
}

one=cmd=scholar two=cmd=scholar
play --games 4 --tc nodes=400 --max-plies 300
play --games 2 --tc 2+0.1 --time-margin 60000 --max-plies 120
two=''
play --games 4 --tc nodes=400 --max-plies 300
play --games 2 --tc 2+0.1 --time-margin 60000 --max-plies 120

one='cmd=scholar option.System=oneply' two='cmd=scholar option.System=random' play --games 4 --tc nodes=400 --max-plies 200
one='cmd=scholar option.UCI_LimitStrength=true option.UCI_Elo=1000' two='cmd=scholar option.MultiPV=3 option.Threads=2' \
    play --games 2 --tc nodes=400 --max-plies 200

# Two engines that tell each other their moves in xboard's words, until one of them says how the game has ended.
xboard_game() { # OPTION
    local line mover=0 plies=0
    local folder pids=() to=() from=()
    folder=$(mktemp -d)
    for side in 0 1; do
        mkfifo "$folder/to$side" "$folder/from$side"
        "$bin/scholar" xboard ${1:+--option "$1"} <"$folder/to$side" >"$folder/from$side" &
        pids[side]=$!
        exec {to[side]}>"$folder/to$side" {from[side]}<"$folder/from$side"
    done
    rm -r "$folder"
    for side in 0 1; do printf 'xboard\nprotover 2\nnew\nlevel 0 1 0\nsd 2\nhard\n' >&"${to[side]}"; done
    printf 'go\n' >&"${to[0]}"
    while [[ $plies -lt 400 ]]; do
        read -r -t 60 line <&"${from[mover]}" || { echo "self_play: no move over xboard at ply $plies" >&2; exit 1; }
        case $line in
            'move '*)
                plies=$((plies + 1))
                mover=$((1 - mover))
                printf 'usermove %s\n' "${line#move }" >&"${to[mover]}"
                ;;
            1-0* | 0-1* | 1/2-1/2*) break ;;
            Error* | Illegal* | tellusererror*) echo "self_play: over xboard: $line" >&2; exit 1 ;;
        esac
    done
    echo "over xboard: $plies half-moves, $line"
    for side in 0 1; do printf 'quit\n' >&"${to[side]}"; done
    for side in 0 1; do
        wait "${pids[side]}" || { echo "self_play: an engine ended badly over xboard" >&2; exit 1; }
        exec {to[side]}>&- {from[side]}<&-
    done
}
xboard_game ''
xboard_game System=random
