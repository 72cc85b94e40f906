#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# test_reassembly.sh pieces SEED...: messages from pieces in any order, that overlap, come twice or are lost
# (pieces.c knows what must come out)
# test_reassembly.sh linear UET-BENCH FORM...: a message takes no longer by packet, the longer it is; its
# packets come in order (long) or in any (shuffled)
. "$(dirname "$0")/lib.sh"
what=$1
shift
case $what in pieces) seeds=$* ;; linear) seeds= ;; *) echo "pieces or linear, not '$what'" >&2; exit 2 ;; esac
for seed in $seeds; do
    want=$UETX_OUT/want have=$UETX_OUT/have pcap=$UETX_OUT/pieces.pcap
    rm -rf "$want" "$have" && mkdir -p "$want" "$have" && chmod 777 "$want" "$have"
    "$UETX_TOOLS/pieces" "$pcap" "$want" $seed || exit 2
    chmod -R a+rX "$UETX_OUT"
    for passes in "" -2; do
        rm -f "$have"/*
        # shellcheck disable=SC2086
        uetx -Q $passes -r "$pcap" --export-objects "uetx,$have" || fail "seed $seed: tshark failed"
        diff -r "$want" "$have" >"$UETX_OUT/diff" ||
            fail "seed $seed $passes: what was put together: $(head -5 "$UETX_OUT/diff")"
    done
    n=$(ls "$want" | wc -l)
    [ "$n" -ge 30 ] && [ "$n" -le 58 ] || fail "seed $seed: $n of 60 messages are whole"
    # Packets of a message that is whole lead to the one that made it so; the bytes lie where they do.
    uetx -2 -r "$pcap" -Y uetx.message.reassembled_in -T fields -e uetx.message.reassembled_in |
        sort -u | wc -l >"$UETX_OUT/links"
    expect "seed $seed: messages that packets lead to" "$n" "$(tr -d ' ' <"$UETX_OUT/links")"
done
[ "$what" = linear ] || exit $bad
bench=$1
shift

# CPU seconds, the least of three; with the memory that users have, not the one that finds faults.
least() { # least CAPTURE
    for i in 1 2 3; do
        # shellcheck disable=SC2016
        LC_ALL=C bash -c 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1' - sh -c '
            . "$0"; uetx -n -r "$1" -o uetx.reassemble_kib:65536' "$here/lib.sh" "$UETX_OUT/$1.pcapng" 2>&1 |
            awk '{ print $1 + $2 }'
    done | sort -n | head -1
}

export UETX_WMEM=block
linear() { # linear FORM PACKETS: by packet, at most twice the time of messages of one packet
    "$bench" --messages "$UETX_OUT/short.pcapng" "$2" short || exit 2
    "$bench" --messages "$UETX_OUT/$1.pcapng" "$2" "$1" || exit 2
    chmod a+r "$UETX_OUT"/*.pcapng
    # How time grows the release build tells; a sanitizer has its own (UETX_PRELOAD: its runtime).
    if [ -z "${UETX_PRELOAD:-}" ]; then
        short=$(least short) && one=$(least "$1")
        echo "$1, $2 packets: $one s, of messages of one packet $short s"
        awk -v a="$one" -v b="$short" 'BEGIN { exit !(a > 0 && a <= 2 * b) }' ||
            fail "$1: $2 packets of a message take $one s, as messages of their own $short s"
    fi
    expect "$1: bytes put together" "$(($2 * 1024))" "$(uetx -n -r "$UETX_OUT/$1.pcapng" \
        -o uetx.reassemble_kib:65536 -Y uetx.message.length -T fields -e uetx.message.length)"
    rm -f "$UETX_OUT"/*.pcapng
}
for form in "$@"; do
    case $form in long) linear long 16384 ;; shuffled) linear shuffled 60000 ;; *) fail "no such form: $form" ;; esac
done
exit $bad
