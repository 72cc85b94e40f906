#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# An endpoint of `uetinterop run` (docs/interop.md): `uetcat listen`, and its output cut into files.
set -eu
. ./common.sh
messages=$UET_SCRATCH/messages lines=$UET_SCRATCH/lines told=$UET_SCRATCH/told

# A region for each file of the list; receives are for the job of the first.
case $UET_OPERATION in
write)
    while read -r name length job key; do
        set -- "$@" --memory "$job:$UET_PID_ON_FEP:$UET_RESOURCE_INDEX:$key:$length" --save "$UET_OUT/$name"
    done <"$UET_RECEIVE"
    ;;
read)
    while read -r name length job key; do
        set -- "$@" --memory "$job:$UET_PID_ON_FEP:$UET_RESOURCE_INDEX:$key:$length" --from "$UET_IN/$name"
    done <"$UET_SEND"
    ;;
send | tagged_send) set -- "$@" --job "$(awk 'NR == 1 { print $3 }' "$UET_RECEIVE")" ;;
*) unsupported "operation $UET_OPERATION" ;;
esac

uetcat listen "$@" --output "$messages" >"$lines" 2>"$told" &
uetcat=$!
over=
trap 'over=1; kill -INT $uetcat' TERM
until grep -q "$UET_ADDRESS on" "$told"; do
    kill -0 $uetcat 2>/dev/null || {
        cat "$told" >&2
        exit 1
    }
    sleep 0.01
done
: >"$UET_READY"
status=0
wait $uetcat || status=$?
if [ "$over" ]; then # that was the trap: now its own end
    status=0
    wait $uetcat || status=$?
fi
cat "$told" >&2
cat "$lines"
[ "$status" -eq 0 ] || exit 1

# cut: the messages stand one after the other, their lengths and tags in the lines.
at=0 n=0
sed -nE '/: (NACK|refused)/d; s/.*SEND .* len=([0-9]+).*/\1/p' "$lines" >"$UET_SCRATCH/lengths"
sed -nE '/: (NACK|refused)/d; s/.*SEND .* tag=(0x[0-9a-f]+) .*/\1/p' "$lines" >"$UET_SCRATCH/tags"
while read -r length; do
    n=$((n + 1))
    if [ "$UET_OPERATION" = tagged_send ]; then
        tag=$(sed -n "${n}p" "$UET_SCRATCH/tags")
        name=$(awk -v key="$tag" '$4 == key { print $1 }' "$UET_RECEIVE")
    else
        name=$(sed -n "${n}s/ .*//p" "$UET_RECEIVE")
    fi
    [ -z "$name" ] || tail -c +$((at + 1)) "$messages" | head -c "$length" >"$UET_OUT/$name"
    at=$((at + length))
done <"$UET_SCRATCH/lengths"
