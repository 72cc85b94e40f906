#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Instructions of security beside the cipher's: differences between benches, which leave what OpenSSL
# takes for the same bytes out, and our own calls of it.
#   security.sh PATH-OF-UET-BENCH    prints lines "NAME FIELD NUMBER" for uet-bench --figures
# security: a packet at one FEP, the mean of sealing one and opening one, since a FEP does as many of
# the one as its peer of the other. derived_key: found in the cache.
# Exit status: 0; 2 set-up.
set -eu
here=$(dirname "$0")
counts=$("$here/callgrind.sh" "$1" feps_sealed feps_evp seal_stored seal_cached) ||
    exit 2
# Of four packets and their ACK, five are sealed at one end and opened at the other.
echo "$counts" | awk '
    { of[$1] = $2 }
    END {
        printf "security instructions %.0f\n", (of["feps_sealed"] - of["feps_evp"]) / 2.5
        printf "derived_key instructions %d\n", of["seal_cached"] - of["seal_stored"]
    }'
