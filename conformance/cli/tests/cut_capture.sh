#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Captures of the suite and the scenarios, cut, thinned and shuffled: no rule fires (test_cut_capture.c).
#   cut_capture.sh UETCONFORM TEST_CUT_CAPTURE SEEDS [OPTION...]: these are of the run in which all is sealed
set -u
uetconform=$1 test_cut_capture=$2 seeds=$3
shift 3
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
"$uetconform" run --fep ref --depth smoke --quiet --pcap-dir "$tmp" || [ $? -eq 1 ] || exit 1
"$test_cut_capture" "$seeds" "$tmp"/*.pcapng || exit 1
# The same sealed (3.7), opened every other time.
"$uetconform" run --fep ref --secure --depth smoke "$@" --quiet --pcap-dir "$tmp/sealed" || [ $? -eq 1 ] || exit 1
"$test_cut_capture" "$seeds" --keys "$tmp/sealed/keys.txt" "$tmp"/sealed/*.pcapng
