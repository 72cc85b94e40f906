#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Captures of the suite and the scenarios, cut, thinned and shuffled: no rule fires (test_tap.c).
#   tap.sh UETCONFORM TEST_TAP [SEEDS [SEEDS-OF-SCENARIOS]]
set -u
uetconform=$1 test_tap=$2 seeds=${3:-4}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
"$uetconform" run --fep ref --quiet --pcap-dir "$tmp" || [ $? -eq 1 ] || exit 1
"$test_tap" "$seeds" "$tmp"/*.pcapng
