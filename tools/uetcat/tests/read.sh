#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# uetcat read over a veth pair from the reference FEP in the other namespace.
#   read.sh PATH-OF-UETCAT PATH-OF-UETFEP
# Exit status 77: this system allows no network namespace, or uetfep is not built.
set -u
. "$(dirname "$0")/far.sh"

# want STATUS ARGUMENT...: reads from our end; the output goes to $dir/out.
want() {
    status=$1
    shift
    asks "$status" read "$@"
}

want 2 -S 192.0.2.1 192.0.2.2
has 'give the memory key of the region with -k'
want 2 -k 1 --encapsulation native 192.0.2.2
has 'give our address with -S'
want 2 -k 1 --mtu 1500 -S 192.0.2.1 192.0.2.2
has 'give 1024, 2048, 4096 or 8192'
want 2 -k 1 -n x -S 192.0.2.1 192.0.2.2
want 1 -k 1 -W 0.2 -S 192.0.2.1 192.0.2.9
has 'nobody answers ARP or neighbour discovery'

if [ ! -x "$uetfep" ]; then
    [ $failures = 0 ] || exit 1
    echo "skip: no $uetfep" >&2
    exit 77
fi

# uetfep offers memory with key 1, in which byte i is (i + i/256 + i/65536) modulo 256.
far_fep --address 192.0.2.2

# ---- 16 bytes ride in the ACK: Max_ACK_Data_Size is 16; 20 come as a Request ----
want 0 -k 1 -n 16 -O 64 -W 5 -S 192.0.2.1 --pcap "$dir/ack.pcapng" 192.0.2.2
has '^00000040  4041 4243 4445 4647 4849 4a4b 4c4d 4e4f  \|@ABCDEFGHIJKLMNO\|$'
[ "$(wc -l <"$dir/out")" = 1 ] || fail "one line for 16 bytes: $(cat "$dir/out")"
"$uetcat" decode "$dir/ack.pcapng" >"$dir/out" || fail "a packet is not well formed"
has ' ACK(_CC)? .*RESPONSE_W_DATA RC_OK '
has 'CP CLEAR_COMMAND '
has 'CP CLOSE_COMMAND ar psn='
want 0 -k 1 -n 20 -O 0x100 -W 5 -S 192.0.2.1 --pcap "$dir/req.pcapng" 192.0.2.2
has '^00000100  0102 0304 0506 0708 090a 0b0c 0d0e 0f10  \|\.{16}\|$'
has '^00000110  1112 1314 {32}\|\.\.\.\.\|$'
"$uetcat" decode "$dir/req.pcapng" >"$dir/out" || fail "a packet is not well formed"
has '< 192\.0\.2\.2 > 192\.0\.2\.1 RUD_REQ .*RESPONSE_W_DATA RC_OK '
has '> 192\.0\.2\.1 > 192\.0\.2\.2 ACK .*DEFAULT_RESPONSE RC_OK '

# ---- many packets, into a file ----
want 0 -k 1 -n 1048576 -W 5 -o "$dir/got" -S 192.0.2.1 192.0.2.2
[ -s "$dir/out" ] && fail "with -o nothing is shown: $(cat "$dir/out")"
od -An -v -tu1 -w1 "$dir/got" | awk '
    { i = NR - 1; if ($1 != (i + int(i / 256) + int(i / 65536)) % 256) wrong++ }
    END { if (NR != 1048576 || wrong) { print NR " bytes, " wrong + 0 " wrong"; exit 1 } }
' >"$dir/out" || fail "other bytes came than there are: $(cat "$dir/out")"
want 0 -k 1 -n 0 -W 5 -S 192.0.2.1 192.0.2.2
want 2 -k 1 -o /no/such/dir/x -W 5 -S 192.0.2.1 192.0.2.2
has '/no/such/dir/x'

# ---- what the FEP refuses ----
want 1 -k 2 -W 5 -S 192.0.2.1 192.0.2.2
has 'the FEP refuses: RC_BAD_MKEY'
want 1 -k 1 -O 1048575 -n 2 -W 5 -S 192.0.2.1 192.0.2.2
has 'the FEP refuses: RC_BAD_ADDR'
want 1 -k 1 -n 100000 --mtu 8192 -W 5 -S 192.0.2.1 192.0.2.2 # the FEP has 4096
has 'the FEP refuses: RC_OP_VIOLATION'

# ---- the only PDC of the FEP is taken: a NACK each time ----
# It asks for the PDC back (Close Request), and a ping would give it back at once: but it is stopped.
far_fep --address 192.0.2.2 --max-pdcs 1 --param RTO_Init_Time=2s
"$uetcat" ping -i 0.05 -I "$UET_IF_A" -S 192.0.2.3 192.0.2.2 >"$dir/ping" 2>&1 &
ping=$!
tries=0
until grep -q '^ACK ' "$dir/ping" || [ $tries = 100 ]; do
    tries=$((tries + 1))
    sleep 0.05
done
kill -STOP $ping
want 1 -k 1 -n 20 -W 5 -S 192.0.2.1 192.0.2.2
has 'the FEP gives the PDC up: UET_NO_PDC_AVAIL'
kill -CONT $ping
kill $ping
wait $ping

# ---- native IP ----
far_fep --address 192.0.2.2 --param UET_Over_UDP=0 --param IP_Proto_Nxt_Hdr=254
want 0 -k 1 -n 20 -O 0x100 -W 5 --encapsulation native --ip-protocol 254 -S 192.0.2.1 192.0.2.2
has '^00000110  1112 1314 {32}\|\.\.\.\.\|$'

# ---- CRC trailers in little-endian order ----
far_fep --address 192.0.2.2 --protect crc --crc-order little
want 0 -k 1 -n 20 -O 0x100 -W 5 --crc crc --crc-order little -S 192.0.2.1 192.0.2.2
has '^00000110  1112 1314 {32}\|\.\.\.\.\|$'
want 1 -k 1 -n 20 -W 0.1 --crc crc -S 192.0.2.1 192.0.2.2
has 'does not answer.* another --crc, --crc-order or --encapsulation'

[ $failures = 0 ] || exit 1
echo "all passed"
