#!/usr/bin/env bash
# check_scripts.sh SOURCE: every script is bash. One that bash cannot read to its end may exit with 0, as a test that found nothing:
# bash 5.2 does so where a condition in a function is wrong, with -n too. So what counts is that it has nothing to say.
set -uo pipefail
checked=0
for script in "$1"/*.sh "$1"/{bench,tests,tools}/{,*/}*.sh; do
    [[ -e $script ]] || continue
    said=$(bash -n "$script" 2>&1) && [[ -z $said ]] || { echo "$script: $said"; exit 1; }
    checked=$((checked + 1))
done
[[ $checked -gt 30 ]] || { echo "$checked scripts were found, expected more than 30"; exit 1; }
