#!/usr/bin/env bash
# tests/cli/export.sh BIN SOURCE: exports games with the programs in folder BIN and has pgn-extract read them: it must find
# the same games, tags, moves and results as in the PGN that was imported. Exit 77 without pgn-extract.
set -euo pipefail
bin=$(realpath "$1")
source=$(realpath "$2")
scholar=$bin/scholar
PATH=$PATH:/usr/games  # where Debian has it
command -v pgn-extract >/dev/null || { echo "no pgn-extract: this test is skipped"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# One game a line: its tags sorted, then moves and result; comments too if the second argument is -keep.
games_of() {
    local comments=-C
    [[ ${2:-} == -keep ]] && comments=
    pgn-extract -s $comments -N -V -w100000 "$1" 2>/dev/null | awk '
        /^\[/ { tags[count++] = $0; next }
        NF > 0 {
            for (i = 0; i < count; i++) for (j = i + 1; j < count; j++)
                if (tags[j] < tags[i]) { keep = tags[i]; tags[i] = tags[j]; tags[j] = keep }
            line = ""
            for (i = 0; i < count; i++) if (tags[i] !~ /"\?+(\.\?\?\.\?\?)?"\]$/) line = line tags[i] " "
            print line $0
            count = 0
        }'
}
same() { # WHAT FILE FILE
    cmp -s "$2" "$3" && return
    echo "WRONG: $1: they differ:"
    diff "$2" "$3" | head -4 | cut -c1-400
    exit 1
}

# The shipped games: nothing but what was in the PGN. How a game ended is a tag that export adds.
zstd -dcq "$source/games/master-games.pgn.zst" >shipped.pgn
"$scholar" games import -o shipped.games shipped.pgn >/dev/null 2>&1
"$scholar" games export shipped.games -o exported.pgn >said 2>/dev/null
grep -q '6,000 of 6,000 games' said
games_of shipped.pgn >expected
games_of exported.pgn | sed -E 's/\[Termination "[^"]*"\] //' >found
[[ $(wc -l <expected) -eq 6000 ]] || { echo "WRONG: pgn-extract read $(wc -l <expected) of 6000 games"; exit 1; }
same 'exported games' expected found

# Standard output, and a selection.
"$scholar" games export shipped.games -o - 2>/dev/null >piped.pgn
same 'standard output' exported.pgn piped.pgn
"$scholar" games export shipped.games --white karpov --result 1-0 --since 1980 -o - 2>/dev/null >karpov.pgn
games_of karpov.pgn | sed -E 's/\[Termination "[^"]*"\] //' >found
grep -i '\[White "[^"]*karpov' expected | grep -F '[Result "1-0"]' | grep -vE '\[Date "19[0-7]' >chosen
[[ -s chosen ]]
same 'a selection' chosen found

# Evaluations, clocks and what else a half-move has come back from the comments: the store made of the export is the same.
mkdir again
cat >evaluated.pgn <<'PGN'
[Event "Cup"]
[Site "?"]
[Date "2024.01.02"]
[Round "1"]
[White "Alpha"]
[Black "Beta"]
[Result "1-0"]

1. e4 {[%eval 0.31,20] [%clk 0:10:00]} e5 {[%eval 0.28,19] [%clk 0:09:58]} 2. Bc4
{[%eval 0.12,22] [%clk 0:09:55]} Nc6 {[%eval 0.20,18] [%clk 0:09:40]} 3. Qh5 {[%clk 0:09:50]}
Nf6 {[%eval #1,30] [%clk 0:09:39]} 4. Qxf7# 1-0

[Event "Cup"]
[Site "?"]
[Date "2024.01.02"]
[Round "2"]
[White "Beta"]
[Black "Alpha"]
[Result "1/2-1/2"]
[Variant "fischerandom"]
[SetUp "1"]
[FEN "bqnbrnkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRNKR w EHeh - 0 1"]

1. e4 e5 2. Ng3 {[%eval -0.05,9]} Ng6 1/2-1/2
PGN
"$scholar" games import -o evaluated.games evaluated.pgn >/dev/null 2>&1
"$scholar" games export evaluated.games -o once.pgn >/dev/null 2>&1
"$scholar" games import -o again/evaluated.games once.pgn >/dev/null 2>&1
"$scholar" games export again/evaluated.games -o twice.pgn >/dev/null 2>&1
same 'a second export' once.pgn twice.pgn
[[ $(pgn-extract -s -r once.pgn 2>&1 | grep -ciE 'error|failed') -eq 0 ]]
for each in '[%eval 0.31,20]' '[%eval #1,30]' '[%eval -0.05,9]' '[%clk 0:09:39' '[Variant "'; do
    grep -qF -- "$each" once.pgn || { echo "WRONG: $each is not in the export"; exit 1; }
done
echo "pgn-extract reads what is exported: the same games"
