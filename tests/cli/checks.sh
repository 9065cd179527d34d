# Sourced by tests with the folder of the programs as $1 and, if they need it, the sources' as $2: a folder of its own, in which
# the test goes on, and, for those that go on after something was wrong, a count of it.
bin=$(realpath "$1")
[[ $# -lt 2 ]] || source=$(realpath "$2")
scholar=$bin/scholar
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
wrong=0

complain() {
    echo "WRONG: $*" >&2
    wrong=$((wrong + 1))
}

# The last command of a test.
verdict() {
    [[ $wrong -eq 0 ]] || { echo "$wrong wrong" >&2; exit 1; }
}
