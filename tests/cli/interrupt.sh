#!/usr/bin/env bash
# tests/cli/interrupt.sh BIN SOURCE: every command that is interrupted exits with 130, and signals that were ignored when it
# began stay ignored.
set -uo pipefail
. "${0%/*}/checks.sh"

# hears SIGNAL: whether the process took this signal from its threads, to wait for it. (Before it is scholar it is a shell,
# which blocks signals for a moment.)
hears() {
    local mask
    [[ /proc/$process/exe -ef $scholar ]] || return 1
    mask=$(sed -n 's/^SigBlk:\t//p' "/proc/$process/status" 2>/dev/null) || return 1
    ((0x${mask:-0} >> ($(kill -l "$1") - 1) & 1))
}

# start WORD...: env with these words, whose input is games without end; goes on when it hears SIGTERM.
start() {
    { while cat whole.pgn; do :; done; } 2>/dev/null | env "$@" >output 2>&1 &
    process=$!
    until hears TERM; do
        kill -0 "$process" 2>/dev/null || break
        sleep 0.02
    done
}

# interrupted SIGNAL COMMAND...: must exit with 130.
interrupted() {
    local signal=$1 status
    shift
    # The background of a shell without job control ignores SIGINT.
    start --default-signal=INT,HUP "$scholar" "$@"
    kill "-$signal" "$process" 2>/dev/null
    wait "$process"
    status=$?
    [[ $status -eq 130 ]] || complain "$signal to scholar $*: exit $status: $(tail -n 1 output)"
}

zstd -dcq "$source/games/master-games.pgn.zst" | head -c 300000 | awk '/^\[Event /{n++} n <= 100' >whole.pgn
player=$(sed -n 's/^\[White "\(.*\)"\]$/\1/p' whole.pgn | head -n 1)
"$scholar" book learn learnt.book --games whole.pgn --player "$player" >/dev/null 2>&1 || complain 'no book was learnt'
"$scholar" games import -o whole.games whole.pgn >/dev/null 2>&1 || complain 'the games were not imported'
printf 'id long\nepd rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\nperft 12 1\n' >long.perft

for signal in INT TERM HUP; do interrupted $signal perft 12; done
interrupted INT perft --suite long.perft 12
interrupted INT bench 60
interrupted INT match --engine name=a --engine name=b --openings "$source/openings/first.epd" --tc depth=60 --state match.state
interrupted INT selfplay own.games --depth 60
interrupted INT nodes whole.games -o nodes.games --nodes 1000000000
interrupted INT compare default name=again --tc 1000+0 --state compare.state
interrupted INT tune --param 'Move Overhead' --tc depth=60 --games 1000
interrupted INT suite "$source/suites/mates.epd" --depth 60
interrupted INT suite moves whole.games --tc depth=60 --test-share 0.4
interrupted INT analyse whole.games --depth 60 -o analysed.pgn
interrupted INT analyse --fen '8/8/8/8/8/4k3/4p3/4K2R w - - 0 1' --system scholar --movetime 1000
interrupted INT rate -
interrupted INT games read -
interrupted INT games import -o endless.games -
interrupted INT book make -o made.bin -
interrupted INT book search learnt.book --minutes 1000
interrupted INT net check --games 1000000

# nohup, and the background of a script.
start --ignore-signal=INT,HUP "$scholar" perft 6
kill -INT "$process"
kill -HUP "$process"
wait "$process" || complain "ignored signals: exit $?"
grep -q 119060324 output || complain "ignored signals: $(cat output)"
verdict
