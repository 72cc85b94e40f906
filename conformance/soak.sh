#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# soak.sh UETCONFORM N: the suite N times on the memory port, one seed; every verdict must repeat.
set -eu
uetconform=$1 n=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
i=1
while [ "$i" -le "$n" ]; do
    "$uetconform" run --fep ref --seed 1 --json "$dir/run.json" >"$dir/log" 2>&1 || {
        tail -40 "$dir/log" >&2
        echo "soak: run $i of $n did not pass" >&2
        exit 1
    }
    # Verdicts without the wall clock: what has to repeat.
    grep -E '"(id|verdict|seconds|message|frame)"' "$dir/run.json" >"$dir/now"
    [ -e "$dir/first" ] || cp "$dir/now" "$dir/first"
    cmp -s "$dir/first" "$dir/now" || {
        diff "$dir/first" "$dir/now" | head -20 >&2
        echo "soak: run $i of $n differs from the first" >&2
        exit 1
    }
    i=$((i + 1))
done
echo "soak: $n runs, $(grep -c '"id"' "$dir/first") tests each, every verdict the same"
