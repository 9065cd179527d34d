#!/usr/bin/env bash
# tools/format.sh [--check]: formats our sources with clang-format 19, or with --check only says which are not.
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t files < <(find src tests fuzz bench examples -name '*.[ch]' -o -name '*.[ch]pp' | sort)
each=(xargs -0 -n 16 -P "$(nproc)" clang-format-19)
if [[ ${1:-} == --check ]]; then
    status=0
    said=$(printf '%s\0' "${files[@]}" | "${each[@]}" --dry-run -Werror 2>&1) || status=$?
    mapfile -t wrong < <(sed -nE 's/^([^:]+):[0-9]+:[0-9]+: error: .*/\1/p' <<<"$said" | sort -u)
    if [[ ${#wrong[@]} -gt 0 ]]; then
        printf '%s: not formatted\n' "${wrong[@]}"
        echo "${#wrong[@]} of ${#files[@]} files are not formatted: run tools/format.sh"
        exit 1
    fi
    [[ $status -eq 0 ]] || { echo "format: $said" >&2; exit 1; }
    echo "${#files[@]} files are formatted"
else
    printf '%s\0' "${files[@]}" | "${each[@]}" -i
fi
