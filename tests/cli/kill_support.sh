# Sourced by the tests that kill, with the folder of the programs as $1: a folder of its own, in which the test goes on, and
# how something is started and killed at a random moment. The seed of what is random is SEED, or a new one each time; the test
# begins by saying it, and says when it fails with which command it is run again.
seed=${SEED:-$((SRANDOM % 1000000))}
[[ $seed =~ ^[0-9]{1,9}$ ]] || { echo "${0##*/}: SEED='$seed', expected a number of at most nine digits" >&2; exit 1; }
again=$(printf '%q ' env "SEED=$seed" "$(realpath "$0")" "$(realpath "$1")" "${@:2}")
RANDOM=$seed
. "${BASH_SOURCE[0]%/*}/checks.sh"
echo "${0##*/}: seed $seed"

fail() {
    echo "${0##*/}: $*" >&2
    echo "${0##*/}: again with: $again" >&2
    exit 1
}

# draw NAME BELOW: sets NAME to a random number from 0 to BELOW - 1. No function to be called in $(...): what RANDOM gives in a
# subshell does not follow from the seed.
draw() {
    printf -v "$1" %d $(((RANDOM * 32768 + RANDOM) % $2))
}

# killed MICROSECONDS LOG COMMAND...: starts it and kills it after so long. False if it had finished before; the test fails if
# it had failed.
killed() {
    killed_after 0 'echo 0' "$@"
}

# killed_after AMOUNT WORK MICROSECONDS LOG COMMAND...: the same, so long after `WORK` printed AMOUNT or more: where in its work
# something is killed then does not depend on how fast the machine is today.
killed_after() {
    local amount=$1 work=$2 wait=$3 log=$4
    shift 4
    "$@" >"$log" 2>&1 &
    local process=$!
    until (($($work) >= amount)) || ! kill -0 "$process" 2>/dev/null; do sleep 0.005; done
    sleep "$(printf '%d.%06d' $((wait / 1000000)) $((wait % 1000000)))"
    kill -KILL "$process" 2>/dev/null
    wait "$process" 2>/dev/null
    local status=$?
    [[ $status -eq 0 || $status -eq 137 ]] || fail "exit $status: $(tail -1 "$log")"
    [[ $status -eq 137 ]]
}
