#!/usr/bin/env bash
# tests/cli/suite_moves.sh BIN SOURCE: measures engines by the moves of real games with `scholar suite moves`.
set -uo pipefail
. "${0%/*}/checks.sh"

zstd -dcq "$source/games/master-games.pgn.zst" | head -c 900000 | awk '/^\[Event /{n++} n <= 400' >some.pgn
"$scholar" games import -o some.games some.pgn >import.log 2>&1 || complain "not imported: $(tail -1 import.log)"
awk 'BEGIN { RS = "\\[Event " } NR > 1 { game[++n] = $0 } END { for (; n > 0; --n) printf "[Event %s", game[n] }' some.pgn >reversed.pgn
"$scholar" games import -o reversed.games reversed.pgn >import.log 2>&1 || complain "not imported: $(tail -1 import.log)"

# measure NAME ARGUMENTS...: into NAME.txt
measure() {
    local name=$1
    shift
    "$scholar" suite moves "$@" >"$name.txt" 2>"$name.log" || complain "$name: $(tail -n 1 "$name.log")"
}
engines=(--engine 'name=guess option.Search=policy option.PolicyFile=<random:1>' --engine 'name=value option.Search=value option.MultiPV=10'
    --engine 'name=lots option.Search=random' --engine 'name=weak tc=nodes=50 option.UCI_LimitStrength=true option.UCI_Elo=1400')

# The same answers from any number of threads, and at another time.
measure one some.games "${engines[@]}" --positions 150 --test-share 0.2 --tc nodes=200
for threads in 2 3; do
    measure threads some.games "${engines[@]}" --positions 150 --test-share 0.2 --tc nodes=200 --threads $threads
    cmp -s one.txt threads.txt || complain "$threads threads gave other answers: $(diff one.txt threads.txt | head -n 4)"
done
grep -q '^set: 150 positions of ' one.txt || complain "not 150 positions: $(head -n 1 one.txt)"
for row in all 'opening, to move 10' 'middle, moves 11 to 30' 'late, from move 31' 'rated 2500 to 2599' 'quiet moves' \
    'captures, checks, promotions' '  most frequent move' '  chance'; do
    grep -q "^$row  " one.txt || complain "no row '$row'"
done

# The set is of the games, wherever they stand, and of the seed.
set_of() { sed -nE 's/^set: (.*), hash ([0-9a-f]{16});.*/\1 \2/p' "$1.txt"; }
measure turned reversed.games --positions 150 --test-share 0.2 --engine option.Search=random
[[ -n $(set_of one) && $(set_of turned) == "$(set_of one)" ]] || complain "games in another order: $(set_of turned), not $(set_of one)"
measure seeded some.games --positions 150 --test-share 0.2 --engine option.Search=random --seed 2
[[ $(set_of seeded) != "$(set_of one)" ]] || complain 'another seed gave the same set'

# Bands of ratings have as many positions each, as far as there are so many.
measure bands some.games --positions 20 --test-share 0.3 --bands 200 --engine option.Search=random --json
for band in '2400 to 2599' '2600 to 2799'; do
    grep -q "\"by\":\"rating\",\"group\":\"rated $band\",\"engine\":\"chance\",\"positions\":20," bands.txt ||
        complain "not 20 positions of those rated $band: $(grep '"by":"rating"' bands.txt | head -n 3)"
done

# The lines of JSON add up: each position, and the table.
measure json some.games "${engines[@]}" --positions 60 --per-game 2 --test-share 0.3 --tc nodes=100 --json
[[ $(grep -c '"played":' json.txt) -eq 240 ]] || complain "not a line for each answer: $(grep -c '"played":' json.txt)"
[[ $(grep '"played":' json.txt | grep -o '"game":"[0-9a-f]*"' | sort | uniq -c | awk '$1 > most { most = $1 } END { print most }') -eq 8 ]] ||
    complain 'not two of a game'
grep '"engine":"guess".*"played":' json.txt >answers.txt
# mean KEY EXPRESSION: of the answers, by hand, and as the table has it.
mean() { sed -nE "s/.*\"$1\":([0-9.e-]+).*/\1/p" answers.txt | awk "{ sum += $2 } END { printf \"%.6f\", sum / NR }"; }
told() { sed -nE "s/.*\"by\":\"all\".*\"engine\":\"guess\".*\"$1\":\{\"mean\":([0-9.e-]+),.*/\1/p" json.txt | awk '{ printf "%.6f", $1 }'; }
[[ -n $(told in_3) && $(told in_3) == "$(mean in_3 '$1')" ]] || complain "in 3: $(told in_3), expected $(mean in_3 '$1')"
[[ -n $(told log_loss) && $(told log_loss) == "$(mean probability '-log($1)')" ]] ||
    complain "log-loss: $(told log_loss), expected $(mean probability '-log($1)')"
grep -q '"by":"all".*"engine":"weak".*"in_1":{.*"in_3":null.*"log_loss":null' json.txt ||
    complain 'a search without probabilities told more than its move'

# Another program tells its moves alone, and is told the same games.
measure other some.games --positions 30 --test-share 0.2 --tc nodes=50 --engine name=here --engine 'name=there cmd=scholar'
figures() { awk -v name="  $1 " 'index($0, name) == 1 { print $2, $3, $4 }' other.txt; }
[[ -n $(figures here) && $(figures here) == "$(figures there)" ]] || complain 'the same engine behind pipes guessed otherwise'

verdict
