#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# uetcat write, send and tsend over a veth pair to the reference FEP in the other namespace.
#   put.sh PATH-OF-UETCAT PATH-OF-UETFEP
# Exit status 77: this system allows no network namespace, or uetfep is not built.
set -u
. "$(dirname "$0")/far.sh"

# want STATUS COMMAND ARGUMENT...: from our end; the output goes to $dir/out.
want() {
    asks "$@" <"$dir/in"
}

printf 'hello, world' >"$dir/in"
want 2 write -S 192.0.2.1 192.0.2.2
has 'give the memory key of the region with -k'
want 2 tsend -S 192.0.2.1 192.0.2.2
has 'give the match bits of the receive with -t'
want 2 send -S 192.0.2.1 -n 8 -F x 192.0.2.2
has 'give -F or -n, not both'
want 2 send -S 192.0.2.1 -F /no/such/file 192.0.2.2
has '/no/such/file: No such file'
want 2 send -S 192.0.2.1 -c 0 192.0.2.2
want 2 send -S 192.0.2.1 -w 65 192.0.2.2
want 2 send -S 192.0.2.1 -k 1 192.0.2.2
want 2 write -S 192.0.2.1 -k 1 --mtu 1500 192.0.2.2
has 'give 1024, 2048, 4096 or 8192'
want 1 send -W 0.2 -S 192.0.2.1 192.0.2.9
has 'nobody answers ARP or neighbour discovery'

if [ ! -x "$uetfep" ]; then
    [ $failures = 0 ] || exit 1
    echo "skip: no $uetfep" >&2
    exit 77
fi

far_fep --address 192.0.2.2

# ---- bytes of standard input arrive: read back by another command ----
want 0 write -k 1 -O 0x100 -W 5 -S 192.0.2.1 --pcap "$dir/w.pcapng" 192.0.2.2
has '^12 bytes in [0-9.]+ us$'
want 0 read -k 1 -O 0x100 -n 12 -W 5 -S 192.0.2.1 192.0.2.2
has '^00000100  6865 6c6c 6f2c 2077 6f72 6c64 .*\|hello, world\|$'
"$uetcat" decode "$dir/w.pcapng" >"$dir/out" || fail "a packet is not well formed"
has ' RUD_REQ .* WRITE .* len=12 '

# ---- a file of many packets, and a pattern, compared by the command itself ----
awk 'BEGIN { for (i = 0; i < 60000; i++) printf "%d ", i }' >"$dir/file"
want 0 write -k 1 -F "$dir/file" -W 5 --check -S 192.0.2.1 192.0.2.2
n=$(wc -c <"$dir/file")
has "^$n bytes in "
want 0 read -k 1 -n "$n" -W 5 -o "$dir/got" -S 192.0.2.1 192.0.2.2
cmp "$dir/file" "$dir/got" || fail "the file is another one there"
want 0 write -k 1 -n 100000 --rod -W 5 --check -S 192.0.2.1 --pcap "$dir/rod.pcapng" 192.0.2.2
"$uetcat" decode "$dir/rod.pcapng" >"$dir/out" || fail "a packet is not well formed"
has ' ROD_REQ .* WRITE '
want 0 write -k 1 -n 0 -W 5 -S 192.0.2.1 192.0.2.2
has '^0 bytes in '

# ---- many ----
want 0 send -n 8 -c 500 -w 16 -W 5 -S 192.0.2.1 192.0.2.2
has '^500 of 500 x 8 bytes in [0-9.]+ s: [0-9]+/s, [0-9.]+ MB/s$'
has '^latency us: min [0-9.]+, median [0-9.]+, 90% [0-9.]+, 99% [0-9.]+, max [0-9.]+$'
want 0 send -n 5000 -c 20 -W 5 --json -S 192.0.2.1 192.0.2.2
has '^\{"event":"result","operation":"send","count":20,"done":20,"length":5000,"seconds":[0-9.e-]+,"per_second":.*"latency_us":\{"min":.*"p99":'

grep '"check":' "$dir/out" && fail "checked, though nobody asked"
want 0 send -n 8 -c 5 -v -q -W 5 -S 192.0.2.1 192.0.2.2
has '^5: 8 bytes in [0-9.]+ us$'
[ "$(wc -l <"$dir/out")" = 5 ] || fail "-v -q: not five lines: $(cat "$dir/out")"
want 0 send -n 8 -c 3 -v --json -W 5 -S 192.0.2.1 192.0.2.2
has '^\{"event":"done","number":3,"length":8,"latency_us":[0-9.]+\}$'
has '^\{"event":"result","operation":"send","count":3,"done":3,'
[ "$(wc -l <"$dir/out")" = 4 ] || fail "-v --json: not four lines: $(cat "$dir/out")"
sed '$d' "$dir/out" | grep -vE '^\{"event":"done","number":[123],"length":8,"latency_us":[0-9.e-]+\}$' &&
    fail "-v --json: a line that is neither done nor the result"
tail -1 "$dir/out" | grep -q '^{"event":"result",' || fail "-v --json: the last line is not the result"
want 0 send -n 8 -c 11 --rate 50 --json -W 5 -S 192.0.2.1 192.0.2.2
has '"seconds":0\.[2-9]'
want 2 send -n 8 -c 2 --rate 50 -i 1 -S 192.0.2.1 192.0.2.2
has '^uetcat send: give -i or --rate, not both$'

# ---- patterns, and the check ----
want 2 write -k 1 --pattern zero -S 192.0.2.1 192.0.2.2
has '^uetcat write: --pattern is of so many bytes: give -n, too$'
want 2 write -k 1 -n 8 --pattern nought -S 192.0.2.1 192.0.2.2
has "^uetcat write: --pattern 'nought': give count, zero, ones, random:SEED or hex:DIGITS$"
want 2 write -k 1 -n 8 --pattern hex:abc -S 192.0.2.1 192.0.2.2
has "^uetcat write: --pattern 'hex:abc': give 1 to 4096 bytes"
want 2 write -k 1 -n 8 --pattern random:x -S 192.0.2.1 192.0.2.2
want 0 write -k 1 -n 10 --pattern hex:c0ffee -W 5 --check --json -S 192.0.2.1 192.0.2.2
has ',"check":"same"\}$'
want 0 read -k 1 -n 12 -W 5 -S 192.0.2.1 192.0.2.2
has '^00000000  c0ff eec0 ffee c0ff eec0 '
want 0 write -k 1 -n 4000 --pattern random:9 -W 5 --check -S 192.0.2.1 192.0.2.2
want 0 read -k 1 -n 4000 --check --pattern random:9 -W 5 -q -S 192.0.2.1 192.0.2.2
[ ! -s "$dir/out" ] || fail "read -q prints: $(cat "$dir/out")"
want 1 read -k 1 -n 4000 --check --pattern random:8 -W 5 -q -S 192.0.2.1 192.0.2.2
has '^uetcat read: byte [0-9]+ is 0x[0-9a-f]{2}, and should be 0x[0-9a-f]{2}$'
want 0 write -k 1 -n 4 --pattern ones -W 5 --entropy 5 -S 192.0.2.1 192.0.2.2
want 1 read -k 1 -n 4 --check --pattern zero --json -W 5 -S 192.0.2.1 192.0.2.2
has '"data":"ffffffff","check":"byte 0 is 0xff, and should be 0x00"\}$'

# ---- what the FEP refuses; what was done before is told ----
want 1 write -k 2 -W 5 -S 192.0.2.1 192.0.2.2
has 'uetcat write: the FEP refuses: RC_BAD_MKEY'
want 1 write -k 1 -O 1048570 -W 5 -S 192.0.2.1 192.0.2.2
has 'RC_BAD_ADDR'
want 1 write -k 2 -c 3 --json -W 5 -S 192.0.2.1 192.0.2.2
has '^\{"event":"result","operation":"write","count":3,"done":0,.*"error":"the FEP refuses: RC_BAD_MKEY"\}$'
want 1 tsend -t 7 -W 5 -S 192.0.2.1 192.0.2.2
has 'uetcat tsend: the FEP refuses: RC_'
far_fep --address 192.0.2.2 --bare --protect crc
want 1 send -n 8 -c 3 -W 5 --crc crc -S 192.0.2.1 192.0.2.2
has '^0 of 3 x 8 bytes'
has 'the FEP refuses: RC_'

[ $failures = 0 ] || exit 1
echo "all passed"
