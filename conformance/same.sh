#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# same.sh BUILD_A BUILD_B [SEEDS]: do two builds put the same on the wire? Runs the default suite of
# both on `ref` and on every variant of it, with each seed (1 to SEEDS, default 3), and compares
# every capture byte for byte, and which captures there are.
#
# A line for each difference: FEP, seed, test, the number of the first packet that differs. Then a
# count.
# Exit status: 0 the same; 1 something differs; 2 a build is missing or a run did not take place.
#
# Nothing is left out of the comparison: a capture holds no path, commit or time of its build, and
# the memory port's clock is virtual. Its comments are compared, too: they tell what tests found.
set -eu
export LC_ALL=C # what cmp and diff say is read below
[ $# -ge 2 ] && [ $# -le 3 ] || { echo "usage: same.sh BUILD_A BUILD_B [SEEDS]" >&2; exit 2; }
a=$1 b=$2 seeds=${3:-3}
case $seeds in *[!0-9]* | 0 | '') echo "same: SEEDS is a number from 1 on" >&2; exit 2 ;; esac
for build in "$a" "$b"; do
    for tool in uetconform uetfep; do
        [ -x "$build/bin/$tool" ] || { echo "same: $build/bin/$tool is missing: build it" >&2; exit 2; }
    done
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
same=0 differ=0
differs() { differ=$((differ + 1)); printf 'differs: %s\n' "$*"; }

# run BUILD NAME FEP SEED: its captures in $dir/NAME. A test that does not pass is no obstacle.
run() {
    rm -rf "${dir:?}/$2"
    status=0
    "$1/bin/uetconform" run --fep "$3" --seed "$4" --quiet --pcap-dir "$dir/$2" \
        >"$dir/$2.log" 2>&1 || status=$?
    [ "$status" -le 1 ] && [ -n "$(find "$dir/$2" -name '*.pcapng' | head -1)" ] && return
    tail -3 "$dir/$2.log" >&2
    echo "same: $1: run --fep $3 --seed $4 made no captures (exit status $status)" >&2
    return 2
}

# first_packet ONE OTHER: the number of the packet whose block (a pcapng block: type, length; 6 is a
# packet) holds the first byte that is not alike, counting from 1.
first_packet() {
    at=$(cmp "$1" "$2" 2>&1 | sed -nE 's/.*(byte|char) ([0-9]+).*/\2/p')
    od -An -v -tu4 -w4 "$1" | awk -v at="${at:-1}" '
        NR - 1 == next_block { type = $1 }
        NR - 1 == next_block + 1 { n += type == 6; next_block += $1 / 4
                                   if (next_block * 4 >= at) exit }
        END { print n + 0 }'
}

# In the order in which the tests ran: what differs first moves the times of all that is behind it.
# One diff for all captures of a run: a cmp for each would take longer than the run.
compare() { # compare FEP SEED
    (cd "$dir/a" && ls -tr && cd "$dir/b" && ls -tr) | grep '\.pcapng$' |
        awk '!seen[$0]++' >"$dir/all"
    diff -rq "$dir/a" "$dir/b" | sed -nE 's|^Files .*/([^/]*) differ$|\1|p
                                          s|^Only in .*: ||p' >"$dir/unlike" || true
    for name in $(grep -xFf "$dir/unlike" "$dir/all"); do
        one=$dir/a/$name other=$dir/b/$name where="$1, seed $2, ${name%.pcapng}"
        if [ ! -e "$one" ]; then
            differs "$where: a capture of $b only"
        elif [ ! -e "$other" ]; then
            differs "$where: a capture of $a only"
        else
            differs "$where: packet $(first_packet "$one" "$other")"
        fi
    done
    same=$((same + $(grep -vcxFf "$dir/unlike" "$dir/all" || true)))
}

variants() { "$1/bin/uetfep" --variant list | awk '{ print $1 }'; }
variants "$a" >"$dir/variants"
variants "$b" >"$dir/variants.b"
for v in $(sort "$dir/variants" "$dir/variants.b" | uniq -u); do
    differs "ref:$v: a variant of one build only"
done
for fep in ref $(grep -xFf "$dir/variants.b" "$dir/variants" | sed 's/^/ref:/'); do
    seed=1
    while [ "$seed" -le "$seeds" ]; do
        run "$a" a "$fep" "$seed" &
        failed=
        run "$b" b "$fep" "$seed" || failed=1
        wait $! || failed=1 # both have ended before what they made is removed
        [ -z "$failed" ] || exit 2
        compare "$fep" "$seed"
        seed=$((seed + 1))
    done
done
printf '%d captures the same, %d differ\n' "$same" "$differ"
[ "$differ" -eq 0 ]
