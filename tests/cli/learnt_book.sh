#!/usr/bin/env bash
# tests/cli/learnt_book.sh BIN SOURCE: a learnt book as a user meets it: told of games, shown, searched, killed while it is
# searched, rolled back byte for byte, exported.
set -uo pipefail
. "${0%/*}/checks.sh"

# expect PATTERN COMMAND...: succeeds, and says so.
expect() {
    local pattern=$1 output
    shift
    output=$("$@" 2>&1) || complain "$*: exit $?: $output"
    [[ $output =~ $pattern ]] || complain "$*: expected /$pattern/, not: $output"
}

# refused PATTERN COMMAND...: fails with one line.
refused() {
    local pattern=$1 output
    shift
    output=$("$@" 2>&1 >/dev/null) && complain "$*: exit 0"
    output=$(grep -vE ' [0-9]+ % .*/s, | games, .*/s' <<<"$output")  # without lines of progress
    [[ $(grep -c . <<<"$output") -eq 1 && $output =~ $pattern ]] || complain "$*: expected /$pattern/, not: $output"
}

zstd -dcq "$source/games/master-games.pgn.zst" | head -c 1000000 | awk '/^\[Event /{n++} n <= 300' >all.pgn
player=$(sed -nE 's/^\[(White|Black) "(.*)"\]$/\2/p' all.pgn | sort | uniq -c | sort -rn | head -1 | sed 's/^ *[0-9]* //')
awk '/^\[Event /{n++} n % 2' all.pgn >first.pgn
awk '/^\[Event /{n++} !(n % 2)' all.pgn >second.pgn

refused 'a.book: cannot open' "$scholar" book check a.book
refused 'all.pgn: expected a learnt book' "$scholar" book learn all.pgn --games first.pgn --player "$player"
refused 'cannot open' "$scholar" book learn a.book --games none.pgn --player "$player"
printf '[Event "x"]\n\n1. e9 *\n' >garbage.pgn
refused 'no game could be read: garbage.pgn' "$scholar" book learn a.book --games garbage.pgn --player "$player"
refused 'no game could be read: garbage.pgn' "$scholar" net features --games garbage.pgn
rm -f a.book a.book.snapshot

expect 'games learnt' "$scholar" book learn a.book --games first.pgn --player "$player"
expect 'sound, and the snapshot is what they make' "$scholar" book check a.book
games=$("$scholar" book info a.book --json | sed -E 's/.*"games":([0-9]+).*/\1/')
cp a.book before.book
cp a.book.snapshot before.snapshot
expect 'games learnt.*to undo it, and searches since game [0-9]*: scholar book rollback a.book '"$games" \
    "$scholar" book learn a.book --games second.pgn --player "$player"
expect '[1-9][0-9]* search' "$scholar" book search a.book --minutes 0.03 --nodes 2000
# Whatever the search was at when its nodes were used up.
expect '[1-9][0-9]* search' "$scholar" book search a.book --minutes 0.02 --nodes 700 --lines 1
expect 'sound, and the snapshot' "$scholar" book check a.book
expect 'worth .* another move' "$scholar" book show a.book
expect '"otherwise":' "$scholar" book show a.book --json
refused "no game against 'Nobody at all'" "$scholar" book show a.book --opponent 'Nobody at all'
expect 'games against .* opponents' "$scholar" book info a.book
expect 'as a Polyglot book' "$scholar" book export a.book -o a.bin
expect 'moves in .* positions' "$scholar" book info a.bin
refused 'expected -o' "$scholar" book export a.book

# Killed while it searches, it has what was searched before.
"$scholar" book search a.book --minutes 1 --nodes 1000 >/dev/null 2>&1 &
pid=$!
# Until it has the book; it locks it at once.
until readlink /proc/$pid/fd/* 2>/dev/null | grep -q '/a\.book$' || ! kill -0 $pid; do sleep 0.02; done
sleep 0.5
refused 'another program is writing it' "$scholar" book rollback a.book 0
kill -9 $pid
wait $pid 2>/dev/null
expect 'are sound' "$scholar" book check a.book
cp a.book late.book

refused "has [0-9]+ whole games" "$scholar" book rollback a.book 1000000
expect "as after game $games" "$scholar" book rollback a.book "$games"
cmp a.book before.book || complain 'not the journal that it was'
cmp a.book.snapshot before.snapshot || complain 'not the snapshot that it was'
cat "a.book.after-$games" >>a.book
cmp a.book late.book || complain 'what was rolled back does not make the book whole'
expect 'are sound' "$scholar" book check a.book

# Of a dead draw a search finds all there is, once.
printf '[Event "x"]\n[White "%s"]\n[Black "y"]\n[Result "1/2-1/2"]\n[SetUp "1"]\n[FEN "8/8/4k3/8/8/3K4/8/8 w - - 0 1"]\n\n1. Ke3 Ke5 1/2-1/2\n' \
    "$player" >dead.pgn
"$scholar" book learn dead.book --games dead.pgn --player "$player" >/dev/null 2>&1
expect "dead.book: 2 searches" timeout 60 "$scholar" book search dead.book --minutes 10 --nodes 10000

# A damaged line is named, and rolled back beyond.
sed '3s/startpos/startPos/' late.book >damaged.book
refused 'damaged.book: line 3 is damaged and others follow' "$scholar" book check damaged.book
refused 'line 3 is damaged' "$scholar" book learn damaged.book --games first.pgn --player "$player"
expect 'as after game 1' "$scholar" book rollback damaged.book 1
expect '1 game and 0 searches are sound' "$scholar" book check damaged.book

# The engine plays from it.
answer=$(printf 'setoption name LearntBook value before.book\nsetoption name OwnBook value true\nposition startpos\ngo nodes 1000000000\n' |
    timeout 20 "$scholar") # a search would take an hour
[[ $answer == *bestmove* ]] || complain "no move from the book: $answer"
refused_option=$(printf 'setoption name LearntBook value all.pgn\nisready\n' | "$scholar")
[[ $refused_option == *'info string error: option LearntBook: all.pgn: expected a learnt book'*readyok* ]] ||
    complain "a PGN file for a learnt book: $refused_option"

verdict
echo "a learnt book of '$player', $games games and more: all is as it should be"
