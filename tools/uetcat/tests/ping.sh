#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# uetcat ping over a veth pair: nobody there, then the reference FEP in the other namespace.
#   ping.sh PATH-OF-UETCAT PATH-OF-UETFEP
# Exit status 77: this system allows no network namespace, or uetfep is not built.
set -u
. "$(dirname "$0")/far.sh"

# want STATUS ARGUMENT...: pings from our end; the output goes to $dir/out.
want() {
    status=$1
    shift
    asks "$status" ping "$@"
}

# has PATTERN [TIMES]: the output has lines like this.
has() {
    n=$(grep -cE -- "$1" "$dir/out")
    if [ $# -gt 1 ]; then
        [ "$n" = "$2" ] || fail "$n lines, not $2, are like '$1': $(cat "$dir/out")"
    else
        [ "$n" -gt 0 ] || fail "no line is like '$1': $(cat "$dir/out")"
    fi
}

want 1 -c 1 -W 0.2 -S 192.0.2.1 192.0.2.9
has '^nobody answers ARP or neighbour discovery'
has '^0 requests sent, 0 answered, 0% loss'
want 2 -I no-such-if -S 192.0.2.1 192.0.2.9
want 2 -c 1 -S 192.0.2.1 --pcap /no/such/dir/x.pcapng 192.0.2.9

if [ ! -x "$uetfep" ]; then
    [ $failures = 0 ] || exit 1
    echo "skip: no $uetfep" >&2
    exit 77
fi

# start ARGUMENT...: the FEP at the far end, instead of the one before.
start() {
    stop
    # shellcheck disable=SC2086,SC2153  # UET_IN_B is a command in several words, from with-veth
    $UET_IN_B "$uetfep" --port "$UET_IF_B" "$@" >"$dir/fep" 2>&1 &
    fep=$!
}
stop() {
    [ -n "$fep" ] || return 0
    kill $fep 2>/dev/null
    wait $fep
    fep=
}

# ---- IPv4: five answers, and a capture that shows a PDC opened and closed ----
start --address 192.0.2.2
want 0 -c 5 -i 0.05 -W 5 -S 192.0.2.1 --pcap "$dir/ping.pcapng" 192.0.2.2
has '^UET PING 192\.0\.2\.2 from 192\.0\.2\.1 on '
has '^ACK from 192\.0\.2\.2: seq=[1-5] psn=0x[0-9a-f]{8} .*time=[0-9]+\.[0-9]{3} ms$' 5
has '^5 requests sent, 5 answered, 0% loss, time [0-9]+ ms$'
has '^rtt min/avg/max/mdev = ([0-9]+\.[0-9]{3}/){3}[0-9]+\.[0-9]{3} ms$'
"$uetcat" decode "$dir/ping.pcapng" >"$dir/out" || fail "a packet of the capture is not well formed"
has '> 192\.0\.2\.1 > 192\.0\.2\.2 RUD_REQ syn ar psn='
has '> 192\.0\.2\.1 > 192\.0\.2\.2 RUD_REQ .*NO_OP' 5
has '< 192\.0\.2\.2 > 192\.0\.2\.1 ACK(_CC)? ' 6
has 'CP CLOSE_COMMAND ar psn=' 1

# ---- a wait shorter than ARP takes: the FEP is found all the same ----
"$uetcat" ping -I "$UET_IF_A" -c 1 -W 0.0001 -S 192.0.2.1 192.0.2.2 >"$dir/out" 2>&1
has 'nobody answers ARP' 0
has '^1 requests sent, '

# ---- as JSON; a FEP that remembers no PDC of the ping before, which may have ended unclosed ----
start --address 192.0.2.2
want 0 -c 2 -i 0.05 -W 5 --json -S 192.0.2.1 192.0.2.2
has '^\{"event":"ack",.*"rtt_ms":' 2
has '^\{"event":"summary","sent":2,"answered":2,' 1

# ---- no end given: Ctrl-C closes and prints the statistics ----
"$uetcat" ping -i 0.05 -I "$UET_IF_A" -S 192.0.2.1 192.0.2.2 >"$dir/out" 2>&1 &
pid=$!
tries=0
until grep -q '^ACK .*seq=3 ' "$dir/out" || [ $tries = 100 ]; do
    tries=$((tries + 1))
    sleep 0.05
done
kill -INT $pid
wait $pid || fail "an interrupted ping has status $?"
has '^[0-9]+ requests sent, [0-9]+ answered, 0% loss'

# ---- both ends must agree on the CRC trailer ----
start --address 192.0.2.2 --protect crc
want 0 -c 2 -i 0.05 -W 5 --crc crc -S 192.0.2.1 192.0.2.2
has '2 answered, 0% loss'
want 1 -c 2 -i 0.05 -W 0.3 --crc none -S 192.0.2.1 192.0.2.2
has '^no answer from 192\.0\.2\.2: seq=1 '
has '^2 requests sent, 0 answered, 100% loss'

# ---- and on its byte order: some FEPs have it little-endian ----
start --address 192.0.2.2 --protect crc --crc-order little
want 0 -c 2 -i 0.05 -W 5 --crc crc --crc-order little -S 192.0.2.1 192.0.2.2
has '2 answered, 0% loss'
want 1 -c 1 -W 0.3 --crc crc --crc-order big -S 192.0.2.1 192.0.2.2
want 1 -c 1 -W 0.3 --crc crc -S 192.0.2.1 192.0.2.2
has 'no answer at all: the FEP may want another --crc, --crc-order or --encapsulation'
want 2 -c 1 --crc crc --crc-order middle -S 192.0.2.1 192.0.2.2
has "^uetcat ping: --crc-order 'middle': give big or little$"

# ---- native IP: both ends must agree on the protocol number, too ----
want 2 -c 1 --encapsulation navite -S 192.0.2.1 192.0.2.2
has "^uetcat ping: --encapsulation 'navite': give udp or native$"
want 2 -c 1 --ip-protocol 253 -S 192.0.2.1 192.0.2.2
has '^uetcat ping: --ip-protocol is of native IP: give --encapsulation native, too$'
want 2 -c 1 --encapsulation native --ip-protocol 17 -S 192.0.2.1 192.0.2.2
has '17 is the number of UDP'
start --address 192.0.2.2 --param UET_Over_UDP=0 --protect crc
want 0 -c 2 -i 0.05 -W 5 --encapsulation native --crc crc -S 192.0.2.1 192.0.2.2
has '2 answered, 0% loss'
want 1 -c 1 -W 0.3 --crc crc -S 192.0.2.1 192.0.2.2
start --address 192.0.2.2 --param UET_Over_UDP=0 --param IP_Proto_Nxt_Hdr=254
want 0 -c 2 -i 0.05 -W 5 --encapsulation native --ip-protocol 254 -S 192.0.2.1 192.0.2.2
has '2 answered, 0% loss'
want 1 -c 1 -W 0.3 --encapsulation native -S 192.0.2.1 192.0.2.2

# ---- IPv6 ----
start --address 2001:db8::2
want 0 -c 3 -i 0.05 -W 5 -S 2001:db8::1 2001:db8::2
has '^ACK from 2001:db8::2: ' 3

[ $failures = 0 ] || exit 1
echo "all passed"
