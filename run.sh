#!/usr/bin/env bash
# ./run.sh: from a fresh Debian 12 to an engine that has taught itself. Installs what is missing, builds, lets a network learn
# chess from random weights and the rules alone for six core-minutes, plays it against what it was at the start and after one
# of them, and says how to use it. What is already done is not done again. ./run.sh --build-only stops after the build.
set -euo pipefail
cd "$(dirname "$0")"

build_only=false
case ${1:-} in
    '') ;;
    --build-only) build_only=true ;;
    *)
        echo "run.sh: unknown argument '$1', expected --build-only or nothing" >&2
        exit 2
        ;;
esac

steps_total=4
[[ $build_only == true ]] && steps_total=2
. tools/steps.sh

scholar=build/release/bin/scholar
run=runs/learn

step "Installing packages"
tools/setup.sh

step "Building scholar and scholar-train"
cmake --preset release
cmake --build --preset release --target scholar scholar-train

if [[ $build_only == true ]]; then
    steps_done
    exit 0
fi

step "Learning from nothing (six core-minutes)"
# Goes on if it was stopped; nothing is left to do if it was not.
go_on=()
compgen -G "$run/recipe/*.toml" >/dev/null && go_on=(--resume)
"$scholar" learn -o "$run" --core-minutes 6 "${go_on[@]}" || {
    status=$?
    ((status == 130)) && exit 130 # Ctrl-C
    echo "If $run is a run of an older Scholar, rename or remove it, and start again." >&2
    exit 1
}

step "Playing against what it was"
against() { # NAME NETWORK
    "$scholar" match \
        --engine "name=newest cmd=$scholar option.EvalFile=$run/network.safetensors" \
        --engine "name=$1 cmd=$scholar option.EvalFile=$2" \
        --openings openings/first.epd --games 40 --tc nodes=2000 --concurrency 2
}
against untrained "$run/snapshots/000000000000-lessons.safetensors"
against one-core-minute "$run/milestones/001-core-minutes.safetensors"

steps_done
cat <<TEXT

How it learnt, with plots: $PWD/$run/report.md
It goes on learning with
  $scholar learn -o $run --resume
To play against it in a chess GUI (Cute Chess, Arena, BanksiaGUI, En Croissant, Scid…), add a UCI engine with
  command   $PWD/$scholar
  option    EvalFile = $PWD/$run/network.safetensors
Without EvalFile the engine plays with the network that is built into it.
TEXT
