#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Instructions a packet, which repeat where times do not: two runs of different length under
# callgrind, and the difference between them.
#   callgrind.sh PATH-OF-UET-BENCH NAME...    prints "NAME INSTRUCTIONS" for each
set -eu
bench=$1
shift
command -v valgrind >/dev/null || {
    echo "callgrind.sh: no valgrind; install the package valgrind" >&2
    exit 2
}

# collected NAME ROUNDS
collected() {
    log=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" --count "$1" "$2" 2>&1) || {
        echo "callgrind.sh: $bench --count $1 $2 failed under valgrind: $log" >&2
        exit 2
    }
    echo "$log" | sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

for name in "$@"; do
    few=$(collected "$name" 1000)
    many=$(collected "$name" 3000)
    echo "$name $(((many - few + 1000) / 2000))"
done
