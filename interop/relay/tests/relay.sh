#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# uetcat - veth - uetrelay - veth - uetfep: with each impairment all bytes arrive, written and read
# back, the counters say that it happened, and the captures on both cables show it.
#   relay.sh PATH-OF-UETRELAY PATH-OF-UETCAT PATH-OF-UETFEP
# Exit status 77: this system allows no network namespace.
set -u
. "$(dirname "$0")/cables.sh"
uetcat=$2 uetfep=$3

# through NAME OPTION...: 1 MiB to the FEP and back, the relay run with these options. What is sent
# ends in a CRC where the file $dir/crc is.
through() {
    name=$1
    shift
    rm -f "$dir/ready" "$dir/fep"
    "$relay" --left uet-b --right uet-c --ready "$dir/ready" --counters "$dir/$name.json" \
        --capture-left "$dir/$name-l.pcapng" --capture-right "$dir/$name-r.pcapng" "$@" \
        >"$dir/$name.out" 2>"$dir/$name.err" &
    relay_pid=$!
    "$uetfep" --port uet-d --address 192.0.2.2 --protect $protect --memory 0:0:0:1:1MiB \
        --dscp-request 10 --dscp-trimmed 11 --dscp-control 14 --param RTO_Init_Time=50ms \
        >"$dir/fep" 2>"$dir/fep.err" &
    fep_pid=$!
    pids="$relay_pid $fep_pid"
    wait_for "$dir/ready" $relay_pid
    wait_for "$dir/fep" $fep_pid
    set -- --interface uet-a --source 192.0.2.1 --key 1 --wait $wait --crc $protect
    timeout 60 "$uetcat" write "$@" --input "$dir/in" 192.0.2.2 >"$dir/write" 2>&1 ||
        fail "$name: write: $(cat "$dir/write")"
    timeout 60 "$uetcat" read "$@" --length $bytes --output "$dir/back" 192.0.2.2 >"$dir/read" 2>&1 ||
        fail "$name: read: $(cat "$dir/read")"
    cmp "$dir/in" "$dir/back" || fail "$name: other bytes came back"
    kill $relay_pid
    wait $relay_pid
    got=$?
    kill $fep_pid
    wait $fep_pid
    pids=
    [ $got = 0 ] || fail "$name: the relay ends with $got: $(cat "$dir/$name.err")"
}

# count NAME SIDE WHAT: a counter.
count() {
    sed -n "/^  \"$2\": {/,/^  }/s/^    \"$3\": \([0-9]*\),*\$/\1/p" "$dir/$1.json"
}

# did NAME SIDE WHAT COMMENT: the counter is above 0, and as many packets say it: in the capture of the
# side from where they came, and in that of the other, but for those that are gone.
did() {
    n=$(count "$1" "$2" "$3")
    case $3:$2 in
    lost:left | dropped:left | cut:left) captures=l ;;
    lost:right | dropped:right | cut:right) captures=r ;;
    *) captures='l r' ;;
    esac
    [ "${n:-0}" -gt 0 ] || fail "$1: nothing from the $2 was $3: $(cat "$dir/$1.json")"
    for capture in $captures; do
        says=$(grep -a -o "relay: [A-Za-z0-9,: ]*" "$dir/$1-$capture.pcapng" | grep -c -- "$4")
        [ "$says" -ge "${n:-0}" ] || fail "$1: $n from the $2 were $3, $says in $1-$capture say it"
    done
}

bytes=1048576
protect=none
wait=0.4
head -c $bytes /dev/urandom >"$dir/in"

through nothing
for what in cut lost trimmed marked corrupted duplicated delayed rehashed reordered; do
    [ "$(count nothing left $what)$(count nothing right $what)" = 00 ] || fail "without a plan: $what"
done
[ "$(count nothing left frames)" = "$(count nothing left sent)" ] || fail "not all frames left it"
if grep -a -q 'relay: ' "$dir/nothing-l.pcapng" "$dir/nothing-r.pcapng"; then
    fail "comments without a plan"
fi

through loss --plan 'loss 2%' --seed 3
did loss left lost 'lost'
did loss right lost 'lost'
# The capture of a cable has what came, lost or not, and what was sent there.
"$uetcat" decode "$dir/loss-l.pcapng" >"$dir/decoded" || fail "the capture is not well formed"
lines=$(grep -c ' RUD_REQ \| ACK\| CP\| NACK' "$dir/decoded")
want=$(($(count loss left uet) + $(count loss right uet) - $(count loss right lost)))
[ "$lines" = $want ] || fail "$lines packets in the capture of the left cable, not $want"
through one-side --plan 'left: loss 3%' --seed 4
did one-side left lost 'lost'
[ "$(count one-side right lost)" = 0 ] || fail "loss from the right with a rule for the left"
through reorder --plan 'reorder 5% by 3'
did reorder left reordered 'held back for 3 others'
did reorder right reordered 'held back for 3 others'
through duplicate --plan 'duplicate 5% after 100us'
did duplicate left duplicated 'duplicated'
did duplicate right duplicated 'duplicated'
says=$(grep -a -c 'the second copy' "$dir/duplicate-r.pcapng")
[ "$says" -gt 0 ] || fail "no second copy in the capture of the right cable"
[ "$(count duplicate left sent)" = $(($(count duplicate left frames) + $(count duplicate left duplicated))) ] ||
    fail "second copies were not sent"
through delay --plan 'delay 200us jitter 50us'
did delay left delayed 'delayed by 2[0-5][0-9] us'
did delay right delayed 'delayed by 2[0-5][0-9] us'
through ce --plan 'ce 10%'
did ce left marked 'marked CE'
did ce right marked 'marked CE'
# uetcat's requests have DSCP 0, the FEP's 10.
through trim --plan 'left: trim 5% dscp 0 to 11' --plan 'right: trim 5%'
did trim left trimmed 'trimmed to 24 bytes'
did trim right trimmed 'trimmed to 24 bytes'
through rehash --plan 'rehash 4 paths 50us every 5ms'
did rehash left rehashed 'path [1-4]'
did rehash right rehashed 'path [1-4]'
# A window of uetcat's does not fit into the queue, nor one of the FEP's.
through queue --plan 'queue 100KiB at 500Mbit/s'
did queue left dropped 'lost: the queue is full'
through marks --plan 'left: queue 64MiB at 1Gbit/s ce above 20KiB trim above 60KiB dscp 0 to 11' \
    --plan 'right: queue 64MiB at 1Gbit/s ce above 20KiB trim above 60KiB'
for what in marked trimmed; do
    did marks left $what $what
    did marks right $what $what
done
through cut --plan 'cut at 0ms for 30ms'
did cut left cut 'lost: the link is cut'
# As long a loss as uetcat has patience for: four resends are lost, too, the fifth comes 3.875 s after the
# first packet, and without an answer for 5 s there is none.
wait=1
through outage --plan 'cut at 0ms for 3200ms'
did outage left cut 'lost: the link is cut'
[ "$(count outage left cut)" -ge 5 ] || fail "outage: $(count outage left cut) packets were lost, not five"
wait=0.4
through corrupt --plan 'corrupt 5%'
[ "$(count corrupt left corrupted)" = 0 ] || fail "packets without a CRC were corrupted"
protect=crc
through corrupt --plan 'corrupt 5%'
did corrupt left corrupted 'corrupted: bit [0-7] of byte [0-9]*'
did corrupt right corrupted 'corrupted: bit [0-7] of byte [0-9]*'

[ $failures = 0 ] || exit 1
echo "all passed"
