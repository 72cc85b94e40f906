#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What `uetconform check` takes for a packet: instructions (two captures of different length under
# callgrind, and the difference between them), and its time beside reading the same file with
# port/pcapng_read alone, CPU time, five runs of each in turn.
#   check.sh BUILD-DIRECTORY    prints lines "NAME FIELD NUMBER" for uet-bench --figures
# Exit status: 0; 2 set-up.
set -eu
bin=$(cd "$1" && pwd)/bin
few=20000 many=40000 long=200000
command -v valgrind >/dev/null || {
    echo "check.sh: no valgrind; install the package valgrind" >&2
    exit 2
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 2' HUP INT TERM
for n in $few $many $long; do
    "$bin/uet-bench" --capture "$scratch/$n.pcapng" "$n"
done

collected() { # collected PACKETS
    log=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null \
        "$bin/uetconform" check "$scratch/$1.pcapng" 2>&1) || {
        echo "check.sh: uetconform check failed under valgrind: $log" >&2
        exit 2
    }
    echo "$log" | sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

run() { # run COMMAND...: its CPU seconds
    LC_ALL=C bash -c 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>"$0"' "$scratch/err" "$@" \
        2>"$scratch/time" || {
        echo "check.sh: $1 failed: $(cat "$scratch/err")" >&2
        exit 2
    }
    awk '{ print $1 + $2 }' "$scratch/time"
}

less=$(collected $few) || exit 2
more=$(collected $many) || exit 2
echo "check instructions $(((more - less) / (many - few)))"
for i in 1 2 3 4 5; do
    read_alone=$(run "$bin/uet-bench" --read "$scratch/$long.pcapng") || exit 2
    check=$(run "$bin/uetconform" check "$scratch/$long.pcapng") || exit 2
    echo "$read_alone $check" >>"$scratch/runs"
done
awk -v n="$long" '
    NR == 1 || $1 < read_alone { read_alone = $1 }
    NR == 1 || $2 < check { check = $2 }
    END {
        printf "check million_a_second %.2f\n", n / check / 1e6
        printf "check_read ratio %.1f\n", check / (read_alone > 0 ? read_alone : 0.001)
    }' "$scratch/runs"
