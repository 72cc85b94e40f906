#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# uetcat decode on inputs made by hand: what it prints, its exit status, its one line of complaint.
#   decode.sh PATH-OF-UETCAT PATH-OF-CARRY
set -u
uetcat=$1 carry=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0

fail() {
    echo "FAILED: $1" >&2
    failures=$((failures + 1))
}

# want STATUS ARGUMENT...: runs uetcat; its output goes to $dir/out and $dir/err. Standard input is
# $dir/in when that is there.
want() {
    status=$1
    shift
    [ -e "$dir/in" ] || : >"$dir/in"
    "$uetcat" "$@" <"$dir/in" >"$dir/out" 2>"$dir/err"
    got=$?
    rm -f "$dir/in"
    [ $got = "$status" ] || fail "uetcat $*: exit status $got, not $status: $(cat "$dir/err")"
}

# out TEXT: the output has this line. err TEXT: the complaint is one line and has this in it.
out() {
    grep -qxF -- "$1" "$dir/out" || fail "no line '$1' in: $(cat "$dir/out")"
}
ends() {
    grep -qF -- "$1" "$dir/out" || fail "no '$1' in: $(cat "$dir/out")"
    grep -qF "trimmed" "$dir/out" && fail "trimmed: $(cat "$dir/out")"
}
err() {
    [ "$(wc -l <"$dir/err")" = 1 ] || fail "not one line: $(cat "$dir/err")"
    grep -qF -- "$1" "$dir/err" || fail "no '$1' in: $(cat "$dir/err")"
}

# A SYN write of four bytes over IPv4 (wire/tests/golden_bytes.h, syn_write).
syn="02 00 c0 00 02 02 02 00 c0 00 02 01 08 00 \
45 02 00 58 00 00 40 00 40 11 b6 8f c0 00 02 01 c0 00 02 02 \
42 42 12 b9 00 44 00 00 \
11 8c 00 00 12 34 56 78 10 01 00 00 \
01 23 00 07 00 00 00 01 00 03 00 05 00 00 00 00 00 00 00 40 00 00 00 2a \
00 00 00 00 de ad be ef 00 00 00 00 00 00 00 00 00 00 00 04 70 69 6e 67"
line="192.0.2.1 > 192.0.2.2 RUD_REQ syn ar psn=0x12345678+0 0x1001>new WRITE id=7 job=1 pid=3 ri=5 \
off=64 len=4 init=42 key=0xdeadbeef som eom dc +4 bytes"

# ---- hexadecimal as an argument, in several spellings ----
want 0 decode "$syn"
out "$line"
out "RUD/ROD Request, syn, 12 bytes at 42"
out "    psn                      0x12345678"
out "Payload, 4 bytes at 98"
want 0 decode -q "$syn"
[ "$(cat "$dir/out")" = "$line" ] || fail "-q prints more than the line: $(cat "$dir/out")"
# shellcheck disable=SC2086  # one word for each byte is the point
want 0 decode -q $syn
out "$line"
want 0 decode -q "$(echo "$syn" | tr -d ' ')"
out "$line"
want 0 decode -q "$(echo "$syn" | tr ' ' : | tr a-f A-F)"
out "$line"

# ---- from the IP header, from the PDS header ----
want 0 decode -q --ip "$(echo "$syn" | cut -d' ' -f15-)"
out "$line"
want 0 decode -q --pds 5a08 0000 1234567b 1001 2001 00000000
out "CP CLOSE_COMMAND ar psn=0x1234567b 0x1001>0x2001"
want 0 decode -q --pds 0x5000 0x0e00 0x12345678 0x0000 0x1001 0x00000000
out "NACK UET_INV_DPDCID psn=0x12345678 0x0000>0x1001"
want 1 decode -q --pds 5a08
out "2 bytes ! PDS header cut short at byte 0"

# ---- what single implementations send: named where nothing else can be meant, else on request ----
want 0 decode --pds 38400002 12345678 20011001 9abcdef0
out "ACK cack=0x12345678 ack=0x1234567a 0x2001>0x1001 epsn=0x9abcdef0 [reference provider]"
out "ACK of a Close Command with Expected_PSN, 16 bytes at 0"
want 0 decode -q --pds 5c840000 12345678 10010000 $(printf '%064d' 0)
out "CP NEGOTIATION syn psn=0x12345678+0 0x1001>new [releases before 1.0.3]"
# reserved opcode 0x10; 4660 of 3 is the reference provider's sync group, or four bytes of data
sync="11800000 00000005 10012001 10030002 00000001 00030005 $(printf '%016d' 0) 0000002a \
$(printf '%032d' 0) 00000002 12340003 beef"
# shellcheck disable=SC2086
want 0 decode -q --pds $sync
out "RUD_REQ psn=0x00000005 0x1001>0x2001 RESERVED_0x10_0x2f id=2 job=1 pid=3 ri=5 off=0 len=2 \
init=42 key=0x0 som eom +6 bytes"
# shellcheck disable=SC2086
want 0 decode -q --pds --variants $sync
out "RUD_REQ psn=0x00000005 0x1001>0x2001 RESERVED_0x10_0x2f id=2 job=1 pid=3 ri=5 off=0 len=2 \
init=42 key=0x0 som eom sync=4660/3 [reference provider] +2 bytes"
draft=13b0800000050a0b0c0d0000000000000009c1c2c3c400112233445566778899aabbccddeeff
want 0 decode -q --pds --variants $draft
out "TSS [drafts before 1.0] sealed +4 bytes"
want 1 decode -q --pds $draft

# ---- sealed and trimmed packets are nobody's mistake ----
want 0 decode -q --pds 09abcdef0102030405060708c1c2c3c400112233445566778899aabbccddeeff
out "TSS sdi=0xabcdef an=1 epoch=258 counter=3315799033608 sealed +4 bytes"
# the SYN write after 24 bytes of IP payload, as a switch leaves it: 44 of 68 bytes are gone
trimmed="02 00 c0 00 02 02 02 00 c0 00 02 01 08 00 \
45 42 00 2c 00 00 40 00 40 11 b6 7b c0 00 02 01 c0 00 02 02 42 42 12 b9 00 44 00 00 \
11 8c 00 00 12 34 56 78 10 01 00 00 01 23 00 07"
want 0 decode -q "$trimmed"
out "192.0.2.1 > 192.0.2.2 RUD_REQ syn ar psn=0x12345678+0 0x1001>new trimmed? -44 bytes in \
ses_req_std_som1"

# ---- the CRC trailer: found, wanted, not wanted ----
nack="02 00 c0 00 02 01 02 00 c0 00 02 02 08 00 \
45 b8 00 30 00 00 40 00 40 11 b6 01 c0 00 02 02 c0 00 02 01 42 42 12 b9 00 1c 00 00 \
50 00 0e 00 12 34 56 78 00 00 10 01 00 00 00 00 cf 84 fc 41"
want 0 decode "$nack"
out "    = crc                    0xcf84fc41, good"
want 0 decode --crc crc "$nack"
out "    = crc                    0xcf84fc41, good"
want 0 decode -q --crc none "$nack"
out "192.0.2.2 > 192.0.2.1 NACK UET_INV_DPDCID psn=0x12345678 0x0000>0x1001 +4 bytes"
want 1 decode --crc=crc "${nack%41}40"
out "    = crc                    0xcf84fc40, BAD, computed 0xcf84fc41"
out "! CRC-32C wrong at byte 58"

little="${nack% cf 84 fc 41} 41 fc 84 cf"
want 0 decode "$little"
out "    = crc                    0xcf84fc41, good, little-endian"
want 0 decode --protect crc "$little"
out "    = crc                    0xcf84fc41, good, little-endian"
want 1 decode --crc crc --crc-order big "$little"
out "! CRC-32C wrong at byte 58"
want 0 decode --crc crc --crc-order little "$little"
want 2 decode --crc-order middle "$nack"
err "--crc-order 'middle': give auto, big or little"

# ---- native IP of another protocol number: an ACK behind the entropy header ----
native="60 00 00 00 00 10 fa 40 20 01 0d b8 00 00 00 00 00 00 00 00 00 00 00 01 \
20 01 0d b8 00 00 00 00 00 00 00 00 00 00 00 02 42 42 00 00 38 00 00 00 00 00 00 09 20 01 10 01"
want 0 decode -q --ip --ip-protocol 250 "$native"
out "2001:db8::1 > 2001:db8::2 ACK cack=0x00000009 ack=0x00000009 0x2001>0x1001"
want 1 decode -q --ip "$native"
want 2 decode --ip-protocol 256 "$native"
err "--ip-protocol '256': give a number from 1 to 255"

# ---- JSON ----
want 0 decode --json "$syn"
[ "$(wc -l <"$dir/out")" = 1 ] || fail "JSON of one packet is not one line"
for part in '"summary":"192.0.2' '"header":"rud_rod_req_syn"' '"psn":305419896' \
    '"type":"RUD_REQ"' '"start_psn":305419896' '"match_bits_or_memory_key":"0x00000000deadbeef"' \
    '"dst":"192.0.2.2"' '"payload":{"offset":98,"length":4}' '"number":1'; do
    [ "$part" = '"summary":"192.0.2' ] && part='"summary":"RUD_REQ syn ar'
    grep -qF -- "$part" "$dir/out" || fail "no $part in the JSON: $(cat "$dir/out")"
done

# ---- lines on standard input ----
printf '# two packets\n%s\n\n%s # a NACK\n' "$syn" "$nack" >"$dir/in"
want 0 decode -q -
[ "$(wc -l <"$dir/out")" = 2 ] || fail "two lines in, not two out: $(cat "$dir/out")"
printf '%s\n11 8z\n' "$syn" >"$dir/in"
want 2 decode -q -
err "line 2 of standard input: character 5, 'z', is no hexadecimal digit"

# ---- a capture: classic pcap, written by hand (little-endian, microseconds, Ethernet) ----
# hex2bin: bytes in hexadecimal on standard input to bytes
hex2bin() {
    # shellcheck disable=SC2013  # words, not lines
    for byte in $(cat); do
        # shellcheck disable=SC2059  # the format is the byte
        printf "\\$(printf %03o "0x$byte")"
    done
}
header="d4 c3 b2 a1 02 00 04 00 00 00 00 00 00 00 00 00 ff ff 00 00 01 00 00 00"
record="02 00 00 00 40 e2 01 00 66 00 00 00 66 00 00 00"
echo "$header $record $syn" | hex2bin >"$dir/one.pcap"
want 0 decode "$dir/one.pcap"
out "    1 2.123456 $line"
want 0 decode -v "$dir/one.pcap"
out "SES standard Request, SOM, 44 bytes at 54"
cp "$dir/one.pcap" "$dir/in"
want 0 decode --json -
grep -qF '"time":"2.123456000"' "$dir/out" || fail "no time in $(cat "$dir/out")"
short="02 00 00 00 40 e2 01 00 3c 00 00 00 66 00 00 00"
echo "$header $short $(echo "$syn" | cut -d' ' -f1-60)" | hex2bin >"$dir/short.pcap"
want 0 decode "$dir/short.pcap"
out "    1 2.123456 192.0.2.1 > 192.0.2.2 RUD_REQ syn ar psn=0x12345678+0 0x1001>new in \
ses_req_std_som1 (cut short by the capture, 42 bytes not captured)"
echo "$header $record 01 02 03" | hex2bin >"$dir/cut.pcap"
want 2 decode "$dir/cut.pcap"
err "cut.pcap"
echo "$header" | hex2bin >"$dir/empty.pcap"
want 1 decode "$dir/empty.pcap"
echo "this is no capture" >"$dir/text"
want 2 decode "$dir/text"
err "text"
want 2 decode "$dir"
err "$dir"

# ---- captures of other links, and tunnels (written by hand: wire/tests/carriers.c) ----
"$carry" "$dir" >"$dir/names" || fail "no carriers"
line="${line%0x1001>new*}0x1001>new clear=-1${line#*0x1001>new}"
while read -r carrier; do
    want 0 decode "$dir/$carrier.pcap"
    grep -qF "$line" "$dir/out" || fail "$carrier: $(cat "$dir/out")"
done <"$dir/names"
want 0 decode --json "$dir/vxlan.pcap"
grep -qF '"via":"VXLAN"' "$dir/out" || fail "no via in $(cat "$dir/out")"
want 0 decode "$dir/erspan3.pcap"
out "    1 1700000000.000000 $line [in ERSPAN]"
want 1 decode "$dir/wifi.pcap"
out "    1 1700000000.000000 102 bytes ! not a UET packet at byte 0 (link type 127 is not read)"
[ ! -s "$dir/err" ] || fail "wifi.pcap: $(cat "$dir/err")"
want 1 decode "$dir/ssh.pcap"
err "no packet goes to UDP port 4793 or is of IP protocol 253; give --udp-port or --ip-protocol"
want 1 decode "$dir/snap30.pcap"
want 0 decode "$dir/snap98.pcap"
# a mirror that truncates leaves the lengths alone
want 0 decode "$dir/mirror60.pcap"
ends "(cut short by the capture, 42 bytes not captured)"
want 0 decode "$dir/mirror60_fcs.pcap"
ends "(cut short by the capture, 42 bytes not captured)"
want 0 decode "$dir/mirror98_snap80.pcap"
ends "(cut short by the capture, 22 bytes not captured)"
want 0 decode "$dir/mirror98_erspan.pcap"
ends " [in ERSPAN] (cut short by the capture, 4 bytes not captured)"
want 0 decode "$dir/mirror_ipv6.pcap"
ends "(cut short by the capture, 4 bytes not captured)"
want 1 decode "$dir/mirror38.pcap"
ends "(cut short by the capture)"
want 0 decode --ip-protocol 250 "$dir/native250.pcap"
want 0 decode "$dir/crc_little.pcap"
err "little-endian CRC trailers: 6; 3.5.25 has big-endian"
want 1 decode "$dir/crc_one_wrong.pcap"
grep -c '! CRC-32C wrong' "$dir/out" | grep -qx 1 || fail "not one CRC is wrong: $(cat "$dir/out")"
want 0 decode --crc none "$dir/crc_big.pcap"
err "packets look as if they ended in CRC trailers: use --crc crc"
# the way back: what --as-spec says of a packet in a tunnel makes that packet
want 0 decode --as-spec "$dir/geneve.pcap"
want 0 craft "$(cat "$dir/out")"
grep -q "12345678" "$dir/out" || fail "craft of --as-spec: $(cat "$dir/out")"

# ---- wrong arguments: one line, status 2 ----
want 2 decode
err "nothing to decode"
want 2 decode ""
err "no bytes"
want 2 decode 123
err "half a byte"
want 2 decode no-such-file.pcap
err "'no-such-file.pcap' is neither a file that is there nor hexadecimal"
want 2 decode 11 0g
err "character 5, 'g'"
want 2 decode --crc maybe 11
err "--crc 'maybe': give auto, none or crc"
want 2 decode --crc
err "--crc lacks its value"
want 2 decode --udp-port 65536 11
err "--udp-port '65536': give a number from 1 to 65535"
want 2 decode --udp-port -1 11
err "--udp-port '-1'"
want 2 decode --frobnicate 11
err "--frobnicate is not an option"
want 2 decode -x 11
err "-x is not an option"
want 2 decode --as-spce 00
err "--as-spce is not an option (did you mean --as-spec?); see uetcat decode --help"
want 2 decode -
err "standard input is empty"
want 2 decode "$(printf '00%.0s' $(seq 9601))"
err "at most 9600 bytes"
want 2 frobnicate
err "no command 'frobnicate'"
want 2
want 2 ping
err "give one address"
want 2 ping --encapsulation native 192.0.2.2
err "-S"
want 2 ping -S 192.0.2.1 localhost
err "'localhost' is no IPv4 or IPv6 address"
want 2 ping -S 2001:db8::1 192.0.2.2
err "same IP version"
want 2 ping -c 0 -S 192.0.2.1 192.0.2.2
err "-c '0'"
want 2 ping -i x -S 192.0.2.1 192.0.2.2
err "-i 'x': give seconds"
want 2 ping --job 16777216 -S 192.0.2.1 192.0.2.2
err "--job"
want 2 ping -I no-such-if -S 192.0.2.1 192.0.2.2
err "no-such-if"

# ---- keys ----
gen=$(dirname "$uetcat")/uetgen
key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
sealed=$("$gen" packet "eth/ip/udp/tss(sdi=1,counter=7,mode=cluster,key=$key)/pds.cp.close(psn=7)")
(umask 077 && printf 'UET_SD sdi=1 key=%s\n' $key >"$dir/keys")
want 0 decode --quiet "$sealed"
grep -q "sealed" "$dir/out" || fail "without a key: $(cat "$dir/out")"
want 0 decode --quiet --keys "$dir/keys" "$sealed"
grep -q "TSS sdi=0x000001 .*CLOSE_COMMAND psn=0x00000007" "$dir/out" || fail "keys: $(cat "$dir/out")"
printf 'UET_SD sdi=1 key=%s\n' "ff${key#00}" >"$dir/keys"
want 0 decode --quiet --keys "$dir/keys" "$sealed"
grep -q "sealed" "$dir/out" || fail "the wrong key: $(cat "$dir/out")"
chmod 644 "$dir/keys"
want 0 decode --quiet --keys "$dir/keys" "$sealed"
err "every user of this host can read these keys (mode 0644): chmod 600 $dir/keys"
chmod 600 "$dir/keys"
want 2 decode --keys "$dir/none" "$sealed"
err "none: No such file"
printf 'UET_SD sdi=1 key=12\n' >"$dir/keys"
want 2 decode --keys "$dir/keys" "$sealed"
err "keys:1: the key is 32 bytes long"

# ---- help ----
want 0 --help
want 0 --version
want 0 decode --help
grep -q '^Examples:' "$dir/out" || fail "decode --help has no examples"
want 0 ping --help
grep -q '^Examples:' "$dir/out" || fail "ping --help has no examples"

# ---- output that cannot be written is no success ----
if [ -e /dev/full ]; then
    "$uetcat" decode "$syn" >/dev/full 2>"$dir/err"
    [ $? = 2 ] || fail "a full disk looks like success"
fi

[ $failures = 0 ] || exit 1
echo "all passed"
