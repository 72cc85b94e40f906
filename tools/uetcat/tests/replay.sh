#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# uetcat replay: what cannot be replayed, then conversations with the reference FEP played to it again,
# and to others that answer in another way.
#   replay.sh PATH-OF-UETCAT PATH-OF-UETFEP PATH-OF-UETGEN
# Exit status 77: this system allows no network namespace, or uetfep is not built.
set -u
. "$(dirname "$0")/far.sh"
gen=$3

# want STATUS ARGUMENT...: replays from our end.
want() {
    status=$1
    shift
    asks "$status" replay -W 1 -S 192.0.2.1 "$@"
}

# ---- wrong arguments, and files with nothing in them: status 2, one line ----
"$gen" scenario write -o "$dir/write.pcapng"
want 2 "$dir/write.pcapng"
has '^uetcat replay: give a capture and an address, not 1 words'
want 2 "$dir/none.pcapng" 192.0.2.2
has 'none.pcapng'
want 2 --as nobody "$dir/write.pcapng" 192.0.2.2
has "^uetcat replay: --as 'nobody' is no IPv4 or IPv6 address"
want 2 --as 192.0.2.99 "$dir/write.pcapng" 192.0.2.2
has 'write.pcapng: nothing can be replayed: 4 packets of a PDC whose SYN is not in the capture$'
want 2 --as 192.0.2.1 "$dir/write.pcapng" 192.0.2.2
has 'nothing can be replayed: 4 packets of a PDC that the other side opened$'
want 2 --fats "$dir/write.pcapng" 192.0.2.2
has 'did you mean --fast'
"$gen" scenario paper-read -o "$dir/middle.pcapng"
want 2 "$dir/middle.pcapng" 192.0.2.2
has 'nothing can be replayed: 12 packets of a PDC whose SYN is not in the capture$'
key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
"$gen" packet "eth/ip/udp/tss(sdi=1,counter=1..3,mode=cluster,key=$key)/pds.cp.close(psn=7)" -o "$dir/sealed.pcapng"
want 2 "$dir/sealed.pcapng" 192.0.2.2
has 'sealed.pcapng: nothing can be replayed: 3 packets encrypted; --keys opens them$'
"$gen" packet 'eth/ip/udp(!dst_port=53)/data(64)' -o "$dir/other.pcapng"
want 2 "$dir/other.pcapng" 192.0.2.2
has 'nothing can be replayed: 1 packets not UET$'
# 20000 bytes of IPv4 (by hand, without checksum): no frame is as long
{
    printf '\324\303\262\241\002\000\004\000\000\000\000\000\000\000\000\000\377\377\000\000\145\000\000\000'
    printf '\000\000\000\000\000\000\000\000\040\116\000\000\040\116\000\000'
    printf '\105\000\116\040\000\000\100\000\100\021\150\252\300\000\002\001\300\000\002\002'
    printf '\100\000\022\271\116\014\000\000\021\210\000\000\000\000\000\005\000\007\000\000'
    head -c 19960 /dev/zero
} >"$dir/long.pcap"
want 2 "$dir/long.pcap" 192.0.2.2
has 'long.pcap: nothing can be replayed: 1 packets too long$'
want 1 -W 0.2 "$dir/write.pcapng" 192.0.2.9
has '^uetcat replay: nobody answers ARP or neighbour discovery'

if [ ! -x "$uetfep" ]; then
    [ $failures = 0 ] || exit 1
    echo "skip: no $uetfep" >&2
    exit 77
fi

# ---- conversations of two reference FEPs, to a third one with the same memory: the same answers ----
far_fep --address 192.0.2.2 --memory 1:0:1:0x1001:64KiB --receive 1:0:1:64KiB --protect crc
for scene in write-long send rod psn-wrap error-response duplicates lost-ack; do
    "$gen" scenario $scene --crc -o "$dir/scene.pcapng"
    want 0 --fast --pcap "$dir/now.pcapng" "$dir/scene.pcapng" 192.0.2.2
    has '^the same as in the capture$'
    "$uetcat" decode --crc crc "$dir/now.pcapng" >"$dir/out" || fail "$scene: not well formed now"
    has '> 192\.0\.2\.1 > 192\.0\.2\.2 '
done

# ---- a read: what came back is not what is there now ----
far_fep --address 192.0.2.2
# own ARGUMENT...: a conversation of our own, into $dir/own.pcapng.
own() {
    "$uetcat" "$@" -W 5 -I "$UET_IF_A" -S 192.0.2.1 --pcap "$dir/own.pcapng" 192.0.2.2 >"$dir/out" 2>&1 ||
        fail "$*: $(cat "$dir/out")"
}
own read -k 1 -n 64
want 0 "$dir/own.pcapng" 192.0.2.2
"$uetcat" write -k 1 -n 1 --pattern hex:ee -W 5 -I "$UET_IF_A" -S 192.0.2.1 192.0.2.2 >/dev/null
want 1 "$dir/own.pcapng" 192.0.2.2
has '^packet [0-9]+( and [0-9]+ more)?: byte 0 of the data is 0xee, and was 0x00$'
has '^not the same as in the capture$'
want 1 --json "$dir/own.pcapng" 192.0.2.2
has '^\{"capture":".*own.pcapng","as":"192.0.2.1","from":"192.0.2.1","to":"192.0.2.2",.*"differ":[1-9],.*"differences":\[\{"what":"byte 0 of the data is 0xee, and was 0x00","count":[1-9],"packet":[0-9]+\}\],"verdict":"differs"\}$'

# ---- data that the target sent again there, for want of an ACK, need not come twice now ----
"$gen" scenario read-lost-data -o "$dir/scene.pcapng"
"$uetcat" decode "$dir/scene.pcapng" >"$dir/out"
has '192\.0\.2\.1 > 192\.0\.2\.11 RUD_REQ retx .*RESPONSE_W_DATA'
far_fep --address 192.0.2.2 --memory 1:0:1:0x1001:64KiB
want 0 --fast --json "$dir/scene.pcapng" 192.0.2.2
has '"same":7,"differ":0,"missing":0,.*"copies":1,'
far_fep --address 192.0.2.2

# ---- the times of the capture, or not: four pings, 0.7 s apart ----
own ping -c 4 -i 0.7
begin=$(date +%s%N)
want 0 "$dir/own.pcapng" 192.0.2.2
took=$((($(date +%s%N) - begin) / 1000000))
[ $took -ge 2100 ] || fail "2.1 s of capture took $took ms"
begin=$(date +%s%N)
want 0 --fast --json "$dir/own.pcapng" 192.0.2.2
took=$((($(date +%s%N) - begin) / 1000000))
[ $took -lt 2000 ] || fail "--fast took $took ms"
has '"sent":5,"unsent":0,"answers":5,"same":5,"differ":0,"missing":0,.*"verdict":"same"\}$'

# ---- a FEP that answers otherwise: codes, and NACKs ----
own write -k 1 -n 5000
far_fep --address 192.0.2.2 --memory 0:0:0:2:1MiB
want 1 --fast "$dir/own.pcapng" 192.0.2.2
has '^packet [0-9]+ and 1 more: return_code is RC_BAD_MKEY \(28\), and was RC_OK \(1\)$'
far_fep --address 192.0.2.2 --variant plain
want 1 --fast "$dir/own.pcapng" 192.0.2.2
has "^packet [0-9]+.*: the header is 'ACK.*', and was 'ACK_CC.*'$"
"$gen" scenario nack-no-pdc-avail -o "$dir/scene.pcapng"
far_fep --address 192.0.2.2 --memory 1:0:1:0x1001:64KiB --receive 1:0:1:64KiB
want 1 --fast -W 0.3 "$dir/scene.pcapng" 192.0.2.2
has '^packet 4: an answer came in the place of the NACK UET_NO_PDC_AVAIL$'

# ---- over another encapsulation and IP version, with entropy values of our own ----
own ping -c 2 -i 0
far_fep --address 2001:db8::2 --protect crc --param UET_Over_UDP=0
asks 0 replay --fast -S 2001:db8::1 --encapsulation native --crc crc --entropy 77 --pcap "$dir/now.pcapng" \
    "$dir/own.pcapng" 2001:db8::2
"$uetcat" decode --json "$dir/now.pcapng" | grep '"direction":"out"' >"$dir/out"
[ "$(grep -c '"header":"entropy","fields":{"entropy":77,' "$dir/out")" = 3 ] || fail "not all with entropy 77: $(cut -c1-300 "$dir/out")"

# ---- a capture that was cut, and one without a close: the PDC is closed all the same ----
"$gen" scenario trimmed -o "$dir/scene.pcapng"
far_fep --address 192.0.2.2 --memory 1:0:1:0x1001:64KiB --receive 1:0:1:64KiB --stats
want 0 --fast "$dir/scene.pcapng" 192.0.2.2
has '^1 packets are left out: cut short$'
has '^1 packets are left out: answers to packets that are left out$'
"$gen" packet 'eth(src=02:00:00:00:00:01,dst=02:00:00:00:00:02)/ip(src=198.51.100.1,dst=198.51.100.2)/udp/pds.rud_req(psn=5,syn=1,ar=1,spdcid=7)/ses.std(opcode=no_op,som=1,eom=1,message_id=1)' -o "$dir/open.pcapng"
want 0 --fast -v --pcap "$dir/now.pcapng" "$dir/open.pcapng" 192.0.2.2
has '^>     1 RUD_REQ syn ar psn=0x00000005'
has '^the capture has no answers to compare with$'
"$uetcat" decode "$dir/now.pcapng" >"$dir/out"
has '> 192\.0\.2\.1 > 192\.0\.2\.2 CP CLOSE_COMMAND '
n=$(grep -c '< 192\.0\.2\.2 > 192\.0\.2\.1 ACK' "$dir/out")
[ "$n" = 2 ] || fail "$n ACKs, not of the request and of the close"

[ $failures = 0 ] || exit 1
echo "all passed"
