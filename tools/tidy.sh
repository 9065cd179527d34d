#!/usr/bin/env bash
# tools/tidy.sh [--changed [COMMIT] | LAYER...]: clang-tidy 19 over the sources and headers of every layer and of bench/, with the
# rules in .clang-tidy, or of the layers named ("bench" is one); with --changed of those layers in which anything differs from
# COMMIT, without one from where the branch left origin/main or main. Dozens of sources are read as one, as for test.sh: what they
# include takes longer than they do. What CMake writes, embedded files and a list of what is compiled beforehand, is nobody's source.
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/lint

if [[ ${1:-} == --changed ]]; then
    base=
    for commit in ${2:-origin/main main}; do
        base=$(git merge-base HEAD "$commit" 2>/dev/null) && break
    done
    # On the branch itself nothing is known of what came last: it is all of it.
    if [[ -z $base || ( $# -lt 2 && $base == "$(git rev-parse HEAD)" && -z $(git status --porcelain) ) ]]; then
        layers=()
    else
        mapfile -t layers < <({ git diff --name-only "$base"; git ls-files --others --exclude-standard; } |
            sed -nE 's:^src/([^/]+)/.*\.[ch]pp$:\1:p; s:^(bench)/.*\.[ch]pp$:\1:p' | sort -u)
        [[ ${#layers[@]} -gt 0 ]] || { echo "tidy: no source has changed since $base"; exit 0; }
    fi
else
    layers=("$@")
    for layer in "${layers[@]}"; do
        [[ -d src/$layer || $layer == bench ]] || { echo "tidy: no layer '$layer', expected bench or one of: $(cd src && echo */)" >&2; exit 2; }
    done
fi

cmake --preset lint >/dev/null
mapfile -t files < <(sed -nE 's/^ *"file": "(.*)",?$/\1/p' "$build/compile_commands.json" |
    grep -E "^$PWD/($build/)?(src|bench)/" | grep -vE '\.embedded\.cpp$|/cmake_pch\.' | sort -u |
    if [[ ${#layers[@]} -eq 0 ]]; then cat; else grep -E "^$PWD/($build/)?(src/)?($(IFS='|'; echo "${layers[*]}"))/"; fi)
echo "tidy: ${layers[*]:-all layers}: ${#files[@]} files"
[[ ${#files[@]} -gt 0 ]] || { echo "tidy: nothing to look at in $build/compile_commands.json" >&2; exit 1; }
# Those with the most to read first. What includes libtorch needs a header before it.
printf '%s\0' "${files[@]}" | xargs -0 ls -S | tr '\n' '\0' |
    xargs -0 -n 1 -P "$(nproc)" bash -c '
        case $1 in */learning/* | */trainer_*) set -- "$1" --extra-arg-before=-include"$PWD/tools/tidy_torch.hpp" ;; esac
        exec clang-tidy-19 --quiet -p "$0" --checks=-bugprone-suspicious-include "--header-filter=(src|layers|bench)/.*\.[ch]pp$" \
            --extra-arg=-Wno-error --extra-arg=-Wno-unknown-warning-option "$@"' "$build" \
        2> >(grep -v 'warnings generated\|^$' >&2 || true)
