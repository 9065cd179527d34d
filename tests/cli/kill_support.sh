# Sourced by the tests that kill, with the folder of the programs as $1: a folder of its own, in which the test goes on, and
# how something is started and killed. RANDOM's seed is SEED, if that is set.
. "${BASH_SOURCE[0]%/*}/checks.sh"
RANDOM=${SEED:-$$}

fail() {
    echo "${0##*/}: $*" >&2
    exit 1
}

# killed MICROSECONDS LOG COMMAND...: starts it and kills it after so long. False if it had finished before; the test fails if
# it had failed.
killed() {
    local wait=$1 log=$2
    shift 2
    "$@" >"$log" 2>&1 &
    local process=$!
    sleep "$(printf '%d.%06d' $((wait / 1000000)) $((wait % 1000000)))"
    kill -KILL "$process" 2>/dev/null
    wait "$process" 2>/dev/null
    local status=$?
    [[ $status -eq 0 || $status -eq 137 ]] || fail "exit $status: $(tail -1 "$log")"
    [[ $status -eq 137 ]]
}
