#!/usr/bin/env bash
# tests/cli/analyse.sh BIN SOURCE [KILLS]: `scholar analyse` on real games. What it writes must be the same from one thread and from
# two, and after it was killed with SIGKILL at KILLS (3) random moments and resumed each time; other programs must read the games that
# it annotates as those that it was given; and what its JSON says must add up. SEED repeats the moments of another run.
set -uo pipefail
source=$(realpath "$2")
kills=${3:-3}
. "$(dirname "$0")/kill_support.sh"
PATH=$PATH:/usr/games # where Debian has pgn-extract

games=8
zstd -dcq "$source/games/master-games.pgn.zst" | awk '/^\[Event /{n++} n > 400 {exit} {print}' >some.pgn
"$scholar" games import -o some.games some.pgn >import.log 2>&1 || fail "not imported: $(tail -1 import.log)"
selection=(--max-plies 60 --min-plies 30 --games "$games")
systems=(--system scholar --system 'knightcap name=old option.Hash=1' --system convchess)
command=("$scholar" analyse some.games "${selection[@]}" "${systems[@]}" --nodes 200 --moves)

"${command[@]}" --threads 1 -o whole.pgn --log whole.jsonl >whole.txt 2>whole.log || fail "one thread: $(tail -1 whole.log)"
"${command[@]}" --threads 2 -o two.pgn --log two.jsonl >two.txt 2>two.log || fail "two threads: $(tail -1 two.log)"
for each in pgn jsonl txt; do cmp whole.$each two.$each || fail "two threads write another $each"; done
[[ $(wc -l <whole.jsonl) -eq $games ]] || fail "$(wc -l <whole.jsonl) lines of JSON"
[[ ! -e whole.pgn.partial && ! -e whole.pgn.progress && ! -e whole.jsonl.partial ]] || fail 'something is left'

# The same from PGN, selected by the same words.
"${command[@]/some.games/some.pgn}" -o pgns.pgn --log pgns.jsonl >pgns.txt 2>pgns.log || fail "of PGN: $(tail -1 pgns.log)"
cmp whole.jsonl pgns.jsonl || fail 'the games of the PGN file are analysed otherwise'

# Killed and gone on with.
finished() {
    local lines
    lines=$({ wc -l <killed.pgn.progress; } 2>/dev/null)
    echo $((${lines:-0} > 2 ? (lines - 1) / 2 : 0))
}
resumable=("${command[@]}" --threads 2 -o killed.pgn --log killed.jsonl --resume)
kills_done=0
while ((kills_done < kills)); do
    before=$(finished)
    draw wait 200000
    killed_after $((before + 1)) finished "$wait" killed.log "${resumable[@]}" || break
    kills_done=$((kills_done + 1))
    (($(finished) >= before)) || fail "$before games became $(finished)"
    [[ ! -e killed.pgn ]] || fail 'the output has its name before it is whole'
done
((kills_done > 0)) || fail 'it was over before the first kill: nothing was tested'
if (($(finished) > 0)) && [[ -e killed.pgn.progress ]]; then
    files=$(cat killed.* | sha256sum)
    "${resumable[@]}" --lines 2 >refused.log 2>&1 && fail 'other lines are not refused'
    grep -q '^scholar: killed.pgn.progress: is the state of another analysis: systems/0/options/MultiPV is ' refused.log ||
        fail "other lines: $(tail -1 refused.log)"
    "${command[@]}" -o killed.pgn --log killed.jsonl >refused.log 2>&1 && fail 'what did not come to its end is begun anew'
    grep -q 'expected --resume to go on with it, or --overwrite' refused.log || fail "begun anew: $(tail -1 refused.log)"
    [[ $files == "$(cat killed.* | sha256sum)" ]] || fail 'a refusal changed the files'
fi
if [[ ! -e killed.pgn ]]; then
    "${resumable[@]}" >killed.txt 2>killed.log || fail "killed $kills_done times, then: $(tail -1 killed.log)"
    cmp whole.txt killed.txt || fail "killed $kills_done times, it tells other things"
fi
for each in pgn jsonl; do cmp whole.$each killed.$each || fail "killed $kills_done times, it writes another $each"; done

# Games are read back as they were, by the importer and by pgn-extract.
moves() { "$scholar" games import -o moves.games "$1" --overwrite >import.log 2>&1 || fail "$1: $(tail -1 import.log)"
    "$scholar" games info --json moves.games | grep -oE '"plies":[0-9]+' | head -1; }
numbers=$(sed -nE 's/^\{"game":([0-9]+),.*/\1/p' whole.jsonl)
for number in $numbers; do "$scholar" games export some.games --number "$number" -o - 2>/dev/null; done >chosen.pgn
[[ $(moves whole.pgn) == "$(moves chosen.pgn)" ]] || fail "the annotated games have $(moves whole.pgn), expected $(moves chosen.pgn)"
grep -qE '\$[246] ' whole.pgn || fail 'no move has a sign'
grep -q '(' whole.pgn || fail 'no variation'
if command -v pgn-extract >/dev/null; then
    main_line() { pgn-extract -s -C -N -V -w100000 "$1" 2>extract.log | grep -vE '^\[|^$'; }
    main_line whole.pgn >found.txt
    main_line chosen.pgn >expected.txt
    [[ $(wc -l <found.txt) -eq $games ]] || fail "pgn-extract reads $(wc -l <found.txt) games"
    cmp found.txt expected.txt || fail "pgn-extract reads other moves: $(diff found.txt expected.txt | head -3)"
    pgn-extract -s -r whole.pgn 2>&1 | grep -iE 'error|failed|unknown' && fail 'pgn-extract complains'
fi

# The sums: losses are from 0 to 1, a sign follows from the judge's, and the summary from the signs.
grep -oE '"sign":"[^"]*"|"scholar":\{"expected"|"loss":[^,}]*' whole.jsonl | awk '
    /^"sign"/ { sign = $0; gsub(/"sign":|"/, "", sign); fresh = 1; next }
    /^"scholar"/ { judged = 1; next }
    /^"loss"/ && judged && fresh {
        loss = substr($0, 8) + 0; judged = 0; fresh = 0; ++count
        expected = loss >= 0.3 ? "??" : loss >= 0.2 ? "?" : loss >= 0.1 ? "?!" : ""
        if (sign != expected || loss < 0 || loss > 1) { print "loss " loss " is signed " sign; exit 1 }
    }
    END { if (count < 200) { print "only " count " moves"; exit 1 } }' || fail 'signs do not follow from losses'
signs=$(grep -o '"sign":"?[^"]*"' whole.jsonl | sort | uniq -c | tr -s ' \n' '  ')
told=$(sed -nE 's/.*\?! ([0-9]+), \? ([0-9]+), \?\? ([0-9]+)  Black.*\?! ([0-9]+), \? ([0-9]+), \?\? ([0-9]+)  \(by scholar\).*/\1 \2 \3 \4 \5 \6/p' whole.txt |
    awk '{ q += $2 + $5; b += $3 + $6; i += $1 + $4 } END { print i + q + b }')
[[ $(grep -o '"sign":"?[^"]*"' whole.jsonl | wc -l) -eq $told ]] || fail "signs $signs, but the table says $told"

# What cannot be read is told, and the rest goes on; a position; and nothing at all.
{ sed -n '1,/^$/p' some.pgn; printf '[Event "bad"]\n[White "W"]\n[Black "B"]\n\n1. e4 e5 2. Qh9 *\n\n[Event "none"]\n\n*\n\n'; cat chosen.pgn; } |
    awk '/^\[Event /{n++} n > 1' | head -c 3000 | awk '/^\[Event /{n++} n <= 3' >odd.pgn
"$scholar" analyse odd.pgn --system scholar --nodes 20 >odd.txt 2>odd.log || fail "odd games: $(tail -1 odd.log)"
grep -q '^1 game skipped:' odd.txt && grep -q "odd.pgn: line .*half-move 3: .*Qh9" odd.txt || fail "the bad game is not told: $(cat odd.txt)"
grep -q '^  no moves' odd.txt || fail 'the game without moves is not told'
"$scholar" analyse --fen '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1' --system scholar --json >position.json 2>&1 || fail "$(cat position.json)"
grep -q '"expected":1.0,"mate":1,.*"best":"Ra8#"' position.json || fail "a mate in one: $(cat position.json)"
echo "killed $kills_done times: the same analysis as without"
