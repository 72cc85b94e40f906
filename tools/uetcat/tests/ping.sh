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

# ---- IPv4: five answers, and a capture that shows a PDC opened and closed ----
far_fep --address 192.0.2.2
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
far_fep --address 192.0.2.2
want 0 -c 2 -i 0.05 -W 5 --json -S 192.0.2.1 192.0.2.2
has '^\{"event":"ack",.*"rtt_ms":' 2
has '^\{"event":"summary","sent":2,"answered":2,' 1

# ---- no end given: Ctrl-C closes and prints the statistics ----
rm -f "$dir/out"
"$uetcat" ping -i 0.05 -I "$UET_IF_A" -S 192.0.2.1 192.0.2.2 >"$dir/out" 2>&1 &
pid=$!
tries=0
until grep -qs '^ACK .*seq=3 ' "$dir/out" || [ $tries = 100 ]; do
    tries=$((tries + 1))
    sleep 0.05
done
kill -INT $pid
wait $pid || fail "an interrupted ping has status $?"
has '^[0-9]+ requests sent, [0-9]+ answered, 0% loss'

# ---- both ends must agree on the CRC trailer ----
far_fep --address 192.0.2.2 --protect crc
want 0 -c 2 -i 0.05 -W 5 --crc crc -S 192.0.2.1 192.0.2.2
has '2 answered, 0% loss'
want 1 -c 2 -i 0.05 -W 0.3 --crc none -S 192.0.2.1 192.0.2.2
has '^no answer from 192\.0\.2\.2: seq=1 '
has '^2 requests sent, 0 answered, 100% loss'

# ---- and on its byte order: some FEPs have it little-endian ----
far_fep --address 192.0.2.2 --protect crc --crc-order little
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
far_fep --address 192.0.2.2 --param UET_Over_UDP=0 --protect crc
want 0 -c 2 -i 0.05 -W 5 --encapsulation native --crc crc -S 192.0.2.1 192.0.2.2
has '2 answered, 0% loss'
want 1 -c 1 -W 0.3 --crc crc -S 192.0.2.1 192.0.2.2
far_fep --address 192.0.2.2 --param UET_Over_UDP=0 --param IP_Proto_Nxt_Hdr=254
want 0 -c 2 -i 0.05 -W 5 --encapsulation native --ip-protocol 254 -S 192.0.2.1 192.0.2.2
has '2 answered, 0% loss'
want 1 -c 1 -W 0.3 --encapsulation native -S 192.0.2.1 192.0.2.2

# ---- IPv6 ----
far_fep --address 2001:db8::2
want 0 -c 3 -i 0.05 -W 5 -S 2001:db8::1 2001:db8::2
has '^ACK from 2001:db8::2: ' 3

# ---- a payload: NO_OP has none, so it is a WRITE that changes memory ----
far_fep --address 192.0.2.2 --protect crc
want 2 -c 1 --size 100 -S 192.0.2.1 192.0.2.2
has '^uetcat ping: a NO_OP has no payload \(SES-027\): with --size, give the memory key of a region'
want 2 -c 1 -k 1 -S 192.0.2.1 192.0.2.2
has '^uetcat ping: -k is for --size: give that, too'
want 2 -c 1 -k 1 --size 4097 -S 192.0.2.1 192.0.2.2
has '^uetcat ping: --size is more than one packet carries: give --mtu, or fewer bytes$'
want 2 -c 1 -k 1 --size 4097 --mtu 5000 -S 192.0.2.1 192.0.2.2
has "^uetcat ping: --mtu '5000': give 1024, 2048, 4096 or 8192$"
want 0 -c 3 -i 0.01 -k 1 -O 0x200 --size 300 --crc crc -W 5 -S 192.0.2.1 --pcap "$dir/size.pcapng" 192.0.2.2
has '^UET PING .*: WRITE of 300 bytes, standard header, CRC on$'
has '^ACK from .* RC_OK time=' 3
"$uetcat" decode "$dir/size.pcapng" >"$dir/out" || fail "a packet of the capture is not well formed"
has 'RUD_REQ .* WRITE .*off=512 len=300 .*\+300 bytes' 3
want 0 -c 1 -k 2 --size 8 --crc crc -W 5 -S 192.0.2.1 192.0.2.2
has '^ACK from .* RC_BAD_MKEY time='

# ---- flood: each after the answer to the one before; no line for each ----
far_fep --address 192.0.2.2
want 2 -f -i 1 -S 192.0.2.1 192.0.2.2
has '^uetcat ping: give -f, or -i or --rate, not both$'
want 0 -f -c 500 -W 5 -S 192.0.2.1 192.0.2.2
has '^ACK' 0
has '^500 requests sent, 500 answered, 0% loss'
has '^rtt median/90%/99% = ([0-9]+\.[0-9]{3}/){2}[0-9]+\.[0-9]{3} ms$'
has '^[0-9]+ answers a second$'
want 0 -f -c 500 -W 5 --json -S 192.0.2.1 192.0.2.2
has '^\{"event":"summary","sent":500,"answered":500,.*"per_second":.*"median":.*"p99":'

# ---- entropy values: each first copy on the next one, with a right CRC, over native IP, too ----
for list in x 65536 5-4 all:0 all:65537 1, 1,,2 0x; do
    want 2 -c 1 --entropy "$list" -S 192.0.2.1 192.0.2.2
    has "^uetcat ping: --entropy '$list': give values up to 65535 as N, A-B or all:N"
done
far_fep --address 192.0.2.2 --protect crc --param UET_Over_UDP=0
want 0 -c 2 --entropy 7,0xc000-0xc001 --encapsulation native --crc crc -W 5 -S 192.0.2.1 --pcap "$dir/ev.pcapng" 192.0.2.2
has '^ACK from 192\.0\.2\.2: seq=[1-6] .* ev=0x0007 ' 2
has '^0x0007 +2 +2 +0\.0% +[0-9.]+ +[0-9.]+ +[0-9.]+$'
has '^0xc000 +2 +2 +0\.0%'
has '^0xc001 +2 +2 +0\.0%'
has '^0 of 3 entropy values are bad$'
"$uetcat" decode --json "$dir/ev.pcapng" | grep 'NO_OP' | grep -c '"entropy":7[,}]' >"$dir/out"
has '^2$'

# ---- a bad path is found: one value is lost on the way there, another on the way back ----
PATH=$PATH:/usr/sbin:/sbin
# lose IN INTERFACE VALUE: what leaves the interface with this UDP source port is lost.
lose() {
    # shellcheck disable=SC2086  # a command in several words, or none
    {
        $1 tc qdisc add dev "$2" root handle 1: htb default 1 &&
            $1 tc class add dev "$2" parent 1: classid 1:1 htb rate 1gbit &&
            $1 tc class add dev "$2" parent 1: classid 1:2 htb rate 1gbit &&
            $1 tc qdisc add dev "$2" parent 1:2 handle 2: pfifo limit 0 &&
            $1 tc filter add dev "$2" parent 1: protocol ip u32 match ip sport "$3" 0xffff flowid 1:2
    } >"$dir/tc" 2>&1
}
far_fep --address 192.0.2.2
if lose "" "$UET_IF_A" 0xc003 && lose "$UET_IN_B" "$UET_IF_B" 0xc005; then
    want 1 -c 4 -q -W 1 --entropy 0xc000-0xc007 -S 192.0.2.1 192.0.2.2
    has '^32 requests sent, 24 answered, 25% loss'
    has '^0xc003 +4 +0 +100\.0% +- +- +-  BAD: no answer$'
    has '^0xc005 +4 +0 +100\.0% +- +- +-  BAD: no answer, 4 requests arrived whose answers were lost$'
    has '^0xc00[0-7] .* BAD' 2
    has '^2 of 8 entropy values are bad: 0xc003, 0xc005$'
    want 1 -c 12 -f -W 0.5 --entropy 0xc000-0xc007 --json -S 192.0.2.1 192.0.2.2
    has '"paths":\[.*\{"entropy":49155,"verdict":"dead","sent":12,"answered":0,"lost":12,"answers_lost":0,'
    has '\{"entropy":49157,"verdict":"dead","sent":12,"answered":0,"lost":12,"answers_lost":12,'
    has '"bad":\[49155,49157\]\}$'
    want 0 -c 4 -q -W 5 --entropy 0xc000-0xc002 -S 192.0.2.1 192.0.2.2
    has '^0 of 3 entropy values are bad$'
else
    echo "no path was made bad: $(head -1 "$dir/tc")" >&2
fi

[ $failures = 0 ] || exit 1
echo "all passed"
