#!/usr/bin/env bash
# tools/format.sh [--check]: formats our C++ sources with clang-format 19, or with --check only says which are not.
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t files < <(find src tests fuzz -name '*.cpp' -o -name '*.hpp' | sort)
if [[ ${1:-} == --check ]]; then
    wrong=0
    for file in "${files[@]}"; do
        if ! clang-format-19 --dry-run -Werror "$file" >/dev/null 2>&1; then
            echo "$file: not formatted"
            wrong=$((wrong + 1))
        fi
    done
    if [[ $wrong -gt 0 ]]; then
        echo "$wrong of ${#files[@]} files are not formatted: run tools/format.sh"
        exit 1
    fi
    echo "${#files[@]} files are formatted"
else
    clang-format-19 -i "${files[@]}"
fi
