#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# soak.sh BIN SOURCE MEMORY VETH: the suite MEMORY times on the memory port and VETH times over veth
# pairs, among six FEPs; no verdict may differ. On the memory port every run has a seed of its own, and then
# seed 1 again: there not only the verdicts must repeat, but also times, messages and frames.
# Exit status: 1 when a run fails or differs; veth is skipped (told) where there are no namespaces.
set -eu
bin=$1 source=$2 memory=$3 veth=$4
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

progress() { [ ! -t 2 ] || printf '\r%s: %d of %d ' "$1" "$2" "$3" >&2; }

# fail WHAT: with what the run said last.
fail() {
    tail -40 "$dir/log" >&2
    echo "soak: $1" >&2
    exit 1
}

# same KEYS NAME RUN: what the run says under KEYS is what the first of NAME said.
same() {
    grep -E "\"($1)\"" "$dir/run.json" >"$dir/now"
    [ -e "$dir/$2" ] || cp "$dir/now" "$dir/$2"
    cmp -s "$dir/$2" "$dir/now" || {
        diff "$dir/$2" "$dir/now" >"$dir/log" || true
        fail "$3 differs from the first"
    }
}

# on_memory SEED
on_memory() {
    "$bin/uetconform" run --fep ref --seed "$1" --json "$dir/run.json" --quiet >"$dir/log" 2>&1 ||
        fail "memory port, seed $1: did not pass (uetconform run --fep ref --seed $1)"
    same 'id|verdict' verdicts "memory port, seed $1"
}

i=1
while [ "$i" -le "$memory" ]; do
    progress 'memory port' "$i" "$memory"
    on_memory "$i"
    [ "$i" -ne 1 ] || same 'id|verdict|seconds|message|frame' whole first
    i=$((i + 1))
done
if [ "$memory" -gt 0 ]; then
    on_memory 1
    same 'id|verdict|seconds|message|frame' whole 'memory port, seed 1 once more'
    echo "memory port: $((memory + 1)) runs, $(grep -c '"id"' "$dir/verdicts") tests each, every verdict the same"
fi

# Where all is sealed (3.7), in each key mode; each with a seed of its own.
if [ "$memory" -gt 0 ]; then
    i=1
    for mode in cluster cluster-ssi cluster-rekey direct direct-ssi server server-ssi beside; do
        progress 'sealed' "$i" 8
        "$bin/uetconform" run --fep ref --secure="$mode" --seed "$i" --strict --quiet >"$dir/log" 2>&1 ||
            fail "sealed, $mode: did not pass (uetconform run --fep ref --secure=$mode --seed $i --strict)"
        i=$((i + 1))
    done
    echo "sealed: cluster, cluster-ssi, cluster-rekey, direct, direct-ssi, server, server-ssi and beside pass"
fi

i=1
while [ "$i" -le "$veth" ]; do
    progress veth "$i" "$veth"
    status=0
    UET_FEPS=6 UET_REPORT=$dir/run.json sh "$source/conformance/veth.sh" "$bin" "$source" --slow 10 --quiet \
        >"$dir/log" 2>&1 || status=$?
    if [ "$status" -eq 77 ]; then
        echo "veth: skipped, $(tail -1 "$dir/log")"
        exit 0
    fi
    [ "$status" -eq 0 ] || fail "veth, run $i of $veth: did not pass"
    same 'id|verdict' veth "veth, run $i of $veth"
    i=$((i + 1))
done
[ "$veth" -eq 0 ] ||
    echo "veth: $veth runs, $(grep -c '"id"' "$dir/veth") tests each, every verdict the same"
