#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# uetgen flood between two ends of a veth in a network namespace of its own: the other end counts.
#   flood.sh PATH-OF-UETGEN
set -u
uetgen=$1
if [ "${2:-}" != inside ]; then
    command -v ip >/dev/null && unshare -Urn true 2>/dev/null || {
        echo "SKIPPED: no ip, or no user namespaces"
        exit 77
    }
    exec unshare -Urn "$0" "$uetgen" inside
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0
fail() {
    echo "FAILED: $1" >&2
    failures=$((failures + 1))
}
ip link add left type veth peer name right || { echo "SKIPPED: no veth"; exit 77; }
for end in left right; do
    ip link set $end addrgenmode none # no router solicitation between our packets
    ip link set $end up
done
received() { ip -s link show right | awk -v w="$1" '/RX:/ { getline; print w == "packets" ? $2 : $1 }'; }

# want STATUS PACKETS BYTES ARGUMENT...: runs flood; the other end gets so much.
want() {
    status=$1 packets=$(($(received packets) + $2)) bytes=$(($(received bytes) + $3))
    shift 3
    "$uetgen" flood "$@" >"$dir/out" 2>"$dir/err"
    got=$?
    [ $got = "$status" ] || fail "flood $*: exit status $got, not $status: $(cat "$dir/err")"
    [ "$(received packets)" = $packets ] || fail "flood $*: $(received packets) packets, not $packets"
    [ "$(received bytes)" = $bytes ] || fail "flood $*: $(received bytes) bytes, not $bytes"
}

# 14 + 20 + 8 + 16 = 58 bytes for a NACK
want 0 1 58 left 'eth/ip/udp/pds.nack'
grep -q '^1 packets, 58 bytes in ' "$dir/out" || fail "says: $(cat "$dir/out")"
want 0 100 5800 left 'eth/ip/udp/pds.nack(nack_psn=1..100)'
want 0 250 14500 left 'eth/ip/udp/pds.nack(nack_psn=1..100)' -c 250
want 0 1000 58000 --count 1000 left 'eth/ip/udp/pds.nack'
want 0 3 186 left 'eth/ip/udp(!length=3)/pds.nack/crc' --count 3
# 20 packets at 100 a second: the last 190 ms after the first
before=$(date +%s%N)
want 0 20 1160 --rate 100 --count 20 left 'eth/ip/udp/pds.nack'
[ $((($(date +%s%N) - before) / 1000000)) -ge 190 ] || fail "20 packets at 100/s came too fast"

# ---- nothing is sent, and one line says why ----
want 2 0 0 left
want 2 0 0 left 'eth/ip/udp/pds.nak'
grep -q 'did you mean pds.nack' "$dir/err" || fail "no suggestion: $(cat "$dir/err")"
want 2 0 0 left 'pds.nack'
grep -q 'begin the line with eth/' "$dir/err" || fail "says: $(cat "$dir/err")"
want 2 0 0 nosuch 'eth/ip/udp/pds.nack'
grep -q nosuch "$dir/err" || fail "does not name the interface: $(cat "$dir/err")"
want 2 0 0 --rate 0 left 'eth/ip/udp/pds.nack'
want 1 0 0 left 'eth/ip/udp/pds.rud_req/ses.std/data(4096)' # the MTU is 1500
grep -q 'MTU' "$dir/err" || fail "says: $(cat "$dir/err")"

# ---- until interrupted ----
"$uetgen" flood --forever --rate 1000 left 'eth/ip/udp/pds.nack' >"$dir/out" 2>"$dir/err" &
pid=$!
before=$(received packets) tries=0
until [ "$(received packets)" -gt "$before" ] || [ $tries = 500 ]; do
    tries=$((tries + 1))
    sleep 0.02
done
kill -INT $pid
wait $pid || fail "interrupted: exit status $?: $(cat "$dir/err")"
grep -q ' packets, ' "$dir/out" || fail "interrupted, and says nothing"

[ $failures = 0 ] || exit 1
echo "all passed"
