#!/usr/bin/env bash
# tools/setup.sh [--tests] [--fuzz]: installs what Scholar is built from, on Debian 12, as root or through sudo. Installs
# only what is missing; with --tests also what the checks of test.sh need, with --fuzz what tools/fuzz.sh needs.
set -euo pipefail

packages=(
    g++ cmake ninja-build ccache pkg-config
    libtorch-dev libopenblas0-openmp
    libhwy-dev libdnnl-dev libprotozero-dev libcli11-dev libtomlplusplus-dev nlohmann-json3-dev libfmt-dev
    libzstd-dev zlib1g-dev libbz2-dev libarchive-dev libxxhash-dev libboost-dev zstd libfathom-dev libgaviotatb-dev
    libgtest-dev libgmock-dev librapidcheck-dev
)

fail() {
    echo "setup: $*" >&2
    exit 1
}

for option in "$@"; do
    case $option in
        --tests) packages+=(clang-19 clang-format-19 clang-tidy-19 libclang-rt-19-dev bzip2 libbenchmark-dev libopencv-dnn-dev dpkg-dev file) ;;
        --fuzz) packages+=(clang-19 libclang-rt-19-dev) ;;
        *) fail "option '$option' is not known, expected --tests or --fuzz" ;;
    esac
done

command -v apt-get >/dev/null || fail "no apt-get here: expected Debian 12; install by hand: ${packages[*]}"
. /etc/os-release
if [[ ${ID:-} != debian || ${VERSION_ID:-} != 12 ]]; then
    echo "setup: this is ${PRETTY_NAME:-an unknown system}, expected Debian 12: going on, some packages may have other names"
fi

missing() {
    local package
    for package in "$@"; do
        [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || echo "$package"
    done
}

mapfile -t wanted < <(missing "${packages[@]}")
if [[ ${#wanted[@]} -eq 0 ]]; then
    echo "setup: all ${#packages[@]} packages are installed"
else
    as_root=()
    if [[ $EUID -ne 0 ]]; then
        command -v sudo >/dev/null || fail "missing ${wanted[*]}: run as root, or install sudo"
        as_root=(sudo)
    fi
    echo "setup: installing ${#wanted[@]} packages: ${wanted[*]}"
    export DEBIAN_FRONTEND=noninteractive
    "${as_root[@]}" apt-get update -qq || fail "apt-get update failed: is the network there?"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${wanted[@]}" >/dev/null || true
    mapfile -t wanted < <(missing "${packages[@]}")
    [[ ${#wanted[@]} -eq 0 ]] || fail "apt-get could not install: ${wanted[*]}"
fi

# The trainer is some ten times slower with the reference BLAS than with OpenBLAS.
blas=$(update-alternatives --query "libblas.so.3-$(uname -m)-linux-gnu" 2>/dev/null | sed -n 's/^Value: //p')
if [[ $blas != *openblas* ]]; then
    echo "setup: warning: libblas.so.3 is ${blas:-not chosen}, expected OpenBLAS: training will be slow;" \
        "choose it with: update-alternatives --config libblas.so.3-$(uname -m)-linux-gnu"
fi
