#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Instructions that NSCC adds to a packet between two FEPs: differences between benches.
#   nscc.sh PATH-OF-UET-BENCH    prints lines "NAME FIELD NUMBER" for uet-bench --figures
# nscc_each: with an ACK of its own for each packet. nscc: with ACKs coalesced.
# Exit status: 0; 2 set-up.
set -eu
here=$(dirname "$0")
counts=$("$here/callgrind.sh" "$1" feps feps_nscc feps_each feps_nscc_each) ||
    exit 2
echo "$counts" | awk '
    { of[$1] = $2 }
    END {
        printf "nscc instructions %d\n", of["feps_nscc"] - of["feps"]
        printf "nscc_each instructions %d\n", of["feps_nscc_each"] - of["feps_each"]
    }'
