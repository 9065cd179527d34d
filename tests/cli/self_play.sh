#!/usr/bin/env bash
# tests/cli/self_play.sh BIN SOURCE: the engine plays itself, through pipes and in one process, by nodes and by the clock. Fails if any game ends
# otherwise than by the rules: an illegal move, a crash, a stall, a lost clock.
set -euo pipefail
bin=$(realpath "$1")
source=$(realpath "$2")

play() {
    local report
    report=$("$bin/scholar" match --engine 'name=one cmd=scholar' --engine "name=two $second" --openings "$source/openings/first.epd" "$@" 2>/dev/null)
    echo "$report"
    for failure in 'illegal move' crash stall 'time loss'; do
        if grep -oE "$failure: [0-9]+" <<<"$report" | grep -qv ': 0$'; then
            echo "self_play: a game ended by: $failure" >&2
            exit 1
        fi
    done
    grep -qE 'illegal move: 0' <<<"$report" || { echo 'self_play: the report counts no failures' >&2; exit 1; }
}

second='cmd=scholar'
play --games 4 --tc nodes=400 --max-plies 300
play --games 2 --tc 2+0.1 --time-margin 1000 --max-plies 120
second='proto=internal'
play --games 4 --tc nodes=400 --max-plies 300
play --games 2 --tc 2+0.1 --time-margin 1000 --max-plies 120
