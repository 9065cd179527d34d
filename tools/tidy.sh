#!/usr/bin/env bash
# tools/tidy.sh [--changed | LAYER...]: clang-tidy 19 over the sources, with the rules in .clang-tidy; needs a configured
# build/release. Without arguments every layer but learning/, whose libtorch headers alone take longer than the
# rest; with --changed only what differs from the commit it branched from (origin/main, else main, else HEAD).
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/release
[[ -f $build/compile_commands.json ]] || {
    echo "tidy: no $build/compile_commands.json: run cmake --preset release first" >&2
    exit 1
}

if [[ ${1:-} == --changed ]] && ! git rev-parse -q --verify HEAD >/dev/null 2>&1; then
    shift # no history to compare with: all of it
fi
if [[ ${1:-} == --changed ]]; then
    base=
    for branch in origin/main main; do
        base=$(git merge-base HEAD "$branch" 2>/dev/null) && break
    done
    [[ -n $base && $base != "$(git rev-parse HEAD)" ]] || base=$(git rev-parse HEAD~1 2>/dev/null || git rev-parse HEAD)
    mapfile -t files < <({ git diff --name-only --diff-filter=d "$base"; git ls-files --others --exclude-standard; } |
        grep -E '^src/[^/]+/[^/]+\.cpp$' | grep -v '^src/learning/' | sort -u)
else
    layers=("$@")
    [[ ${#layers[@]} -gt 0 ]] || mapfile -t layers < <(ls src | grep -vE '^(learning|CMakeLists.txt)$')
    mapfile -t files < <(for layer in "${layers[@]}"; do find "src/$layer" -name '*.cpp'; done | sort)
fi

echo "tidy: ${#files[@]} files"
[[ ${#files[@]} -gt 0 ]] || exit 0
printf '%s\0' "${files[@]}" |
    xargs -0 -n 1 -P "$(nproc)" clang-tidy-19 --quiet -p "$build" --extra-arg=-Wno-error --extra-arg=-Wno-unknown-warning-option 2> >(grep -v 'warnings generated\|^$' >&2 || true)
