#!/usr/bin/env bash
# tests/cli/net_export.sh BIN SOURCE EVALUATE: exports the built-in network as integers; the example in C gives each of 10,000 positions
# of masters' games the score that the engine says, and refuses in one line what is no network or no position.
set -uo pipefail
evaluate=$(realpath "$3")
. "${0%/*}/checks.sh"

"$scholar" net export '<embedded>' -o network.bin >/dev/null || complain 'not exported'
"$scholar" games import -o master.games "$source/games/master-games.pgn.zst" >/dev/null 2>&1 || complain 'no games'
"$scholar" games sample master.games --count 10000 -o positions.epd >/dev/null 2>&1 || complain 'no positions'
"$evaluate" network.bin positions.epd >scores || complain "evaluate: exit $?"
awk '{ printf "position fen %s %s %s %s 0 1\neval\n", $1, $2, $3, $4 } END { print "quit" }' positions.epd >commands
"$scholar" uci <commands >answers
sed -nE 's/^Static evaluation: [+]?(-?[0-9]+) .*/\1/p' answers >expected
[[ $(wc -l <expected) -eq 10000 ]] || complain "the engine said $(wc -l <expected) scores: $(head -3 answers)"
cmp -s scores expected || complain "other scores: $(diff scores expected | head -3)"

# says MESSAGE ARGUMENTS...: one line that ends so, and no success.
says() {
    local message=$1 output
    shift
    output=$("$evaluate" "$@" 2>&1 >/dev/null) && complain "$*: exit 0"
    [[ $output == "$message" ]] || complain "$*: expected '$message': $output"
}
says 'none.bin cannot be read' none.bin positions.epd
says 'none.epd cannot be read' network.bin none.epd
says 'positions.epd is no network that scholar net export wrote' positions.epd positions.epd
head -c 1000000 network.bin >cut.bin
says 'cut.bin is damaged' cut.bin positions.epd
printf '%s\n' '8/8/8/8/8/8/8/K6k w - -' '9/8/8/8/8/8/8/K6k w - -' >bad.epd
says 'bad.epd: line 2 is no FEN' network.bin bad.epd
for line in 'pppppppppp/8/8/8/8/8/8/K6k w' '8/8/8/8/8/8/8/8/K6k w' '8/8/8/8/8/8/8/K6k' '8/8/8/8/8/8/8/K7 b' 'nonsense' ''; do
    echo "$line" >bad.epd
    says 'bad.epd: line 1 is no FEN' network.bin bad.epd
done
verdict
