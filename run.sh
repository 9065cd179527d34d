#!/usr/bin/env bash
# ./run.sh: from a fresh Debian 12 to a playing engine. Installs what is missing, builds, imports the master games that
# ship with the source, trains a network on them for about two minutes, plays it against the untrained one, and says
# how to use it. What is already done is not done again. ./run.sh --build-only stops after the build.
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

steps_total=5
[[ $build_only == true ]] && steps_total=2
. tools/steps.sh

scholar=build/release/bin/scholar
games=games/master-games.pgn.zst
store=runs/first/master-games.games
recipe=recipes/first.toml
network=runs/first/network.safetensors
untrained=runs/first/untrained.safetensors

# Whether file $1 is there and newer than all the others.
up_to_date() {
    local made=$1 source
    [[ -f $made ]] || return 1
    shift
    for source in "$@"; do [[ $made -nt $source ]] || return 1; done
}

step "Installing packages"
tools/setup.sh

step "Building scholar and scholar-train"
cmake --preset release
cmake --build --preset release --target scholar scholar-train

if [[ $build_only == true ]]; then
    steps_done
    exit 0
fi

mkdir -p runs/first

step "Importing games"
if up_to_date "$store" "$games"; then
    echo "$store is up to date"
else
    "$scholar" games import -o "$store" "$games"
fi

step "Training a network on them (about two minutes)"
if up_to_date "$network" "$store" "$recipe" && [[ -f $untrained ]]; then
    echo "$network is up to date; remove runs/first to train it again"
elif up_to_date runs/first/checkpoint.safetensors "$store" "$recipe"; then
    "$scholar" train "$recipe" --resume # a run that was stopped
else
    "$scholar" train "$recipe" --overwrite
fi

step "Playing the trained network against the untrained one"
"$scholar" match \
    --engine "name=trained cmd=$scholar option.EvalFile=$network" \
    --engine "name=untrained cmd=$scholar option.EvalFile=$untrained" \
    --openings openings/first.epd --games 40 --tc nodes=2000 --concurrency 2

steps_done
cat <<TEXT

To play against it in a chess GUI (Cute Chess, Arena, BanksiaGUI, En Croissant, Scid…), add a UCI engine with
  command   $PWD/$scholar
  option    EvalFile = $PWD/$network
Without EvalFile the engine plays with the network that is built into it.
TEXT
