#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# dissector_seeds.sh HEX2PCAP SEEDS DIRECTORY FILE.hex...: the seeds of fuzz_dissector.
set -eu
hex2pcap=$1 seeds=$2 directory=$3
shift 3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$directory"
for hex in "$@"; do
    "$hex2pcap" "$hex" "$scratch/$(basename "$hex" .hex)"
done
"$seeds" "$directory" "$scratch"/*
