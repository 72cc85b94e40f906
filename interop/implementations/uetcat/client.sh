#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# An endpoint of `uetinterop run` (docs/interop.md): a command of uetcat for each file.
set -eu
. ./common.sh
set -- "$@" --rel
case $UET_MODE in
rud) ;;
rod) set -- "$@" --rod ;;
*) unsupported "mode $UET_MODE" ;;
esac

list=$UET_SEND
case $UET_OPERATION in
write | send | tagged_send) ;;
read) list=$UET_RECEIVE ;;
*) unsupported "operation $UET_OPERATION" ;;
esac
n=0
while read -r name length job key; do
    if [ "$UET_PAUSE_AFTER" -gt 0 ] && [ "$n" -eq "$UET_PAUSE_AFTER" ]; then
        : >"$UET_PAUSED"
        until [ -e "$UET_GO" ]; do sleep 0.01; done
    fi
    n=$((n + 1))
    case $UET_OPERATION in
    write) uetcat write "$@" --job "$job" --key "$key" --input "$UET_IN/$name" "$UET_PEER" ;;
    send) uetcat send "$@" --job "$job" --input "$UET_IN/$name" "$UET_PEER" ;;
    tagged_send) uetcat tsend "$@" --job "$job" --tag "$key" --input "$UET_IN/$name" "$UET_PEER" ;;
    read) uetcat read "$@" --job "$job" --key "$key" --length "$length" --output "$UET_OUT/$name" "$UET_PEER" ;;
    esac
done <"$list"
