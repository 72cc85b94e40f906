#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# An endpoint for `uetinterop run` (docs/interop.md), to be changed: acme-write and acme-serve stand for
# the tools of your FEP.
set -eu

# 127: what we cannot do, in whatever case.
[ "$UET_OPERATION" = write ] && [ "$UET_MODE" = rud ] && [ "$UET_ENCAPSULATION" = udp ] || exit 127
[ -z "$UET_PARAMS" ] && [ "$UET_PAUSE_AFTER" = 0 ] && [ "$UET_KEEP_OPEN" = 0 ] || exit 127

case $UET_ROLE in
client)
    # Every file of the list to the region with its key; then close, and end with 0.
    while read -r name length job key; do
        ./acme-write -i "$UET_INTERFACE" -a "$UET_ADDRESS" -m "$UET_PAYLOAD_MTU" -j "$job" -k "$key" \
            -r "$UET_RESOURCE_INDEX" "$UET_PEER" "$UET_IN/$name"
    done <"$UET_SEND"
    ;;
server)
    # A region of LENGTH bytes for each line of the list. UET_READY is made when all are there; at
    # SIGTERM their bytes become the files NAME in UET_OUT.
    exec ./acme-serve -i "$UET_INTERFACE" -a "$UET_ADDRESS" -m "$UET_PAYLOAD_MTU" \
        -r "$UET_RESOURCE_INDEX" --regions "$UET_RECEIVE" --ready "$UET_READY" --save "$UET_OUT"
    ;;
*)
    exit 127
    ;;
esac
