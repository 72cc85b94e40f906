#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# uetcat listen over a veth pair: spoken to by uetcat's own commands from the other end.
#   listen.sh PATH-OF-UETCAT PATH-OF-UETFEP
# Exit status 77: this system allows no network namespace.
set -u
. "$(dirname "$0")/far.sh"

# ---- wrong ----
none() { # STATUS ARGUMENT...: listen with these
    asks "$@"
    [ "$(wc -l <"$dir/out")" = 1 ] || fail "not one line: $(cat "$dir/out")"
}
none 2 listen --encapsulation native
has '^uetcat listen: native IP needs raw sockets: give our address with -S'
none 2 listen -S 192.0.2.1 192.0.2.2
has "^uetcat listen: '192.0.2.2' is no option: give our address with -S$"
none 2 listen -S 192.0.2.1 --memory 0:0:0:1
has "^uetcat listen: --memory '0:0:0:1': give JOB:PID:RI:KEY:LEN "
none 2 listen -S 192.0.2.1 --save x
has '^uetcat listen: --save is of a --memory: give that before it$'
none 2 listen -S 192.0.2.1 -M 0:0:0:1:64 --from /no/such/file
has '^uetcat listen: /no/such/file: No such file'
printf '123456789' >"$dir/nine"
none 2 listen -S 192.0.2.1 -M 0:0:0:1:8 --from "$dir/nine"
has 'nine: is longer than the memory$'
none 2 listen -S 192.0.2.1 -o /no/such/dir/x
has '^uetcat listen: /no/such/dir/x: cannot be written: No such file'
none 2 listen -S 192.0.2.1 -s 2000MiB
has "^uetcat listen: -s '2000MiB': give 1 to 1024MiB"
none 2 listen -S 192.0.2.1 --mtu 1500
none 2 listen -S 192.0.2.1 -c 0
none 2 listen -S 192.0.2.1 --frobnicate
none 2 listen --udp -S 192.0.2.1
has '^uetcat listen: this host has no address 192.0.2.1: '

# listens ARGUMENT...: at the far end, 192.0.2.2. Its output: $dir/lines, complaints: $dir/told.
listens() {
    begin '192.0.2.2 on\|"start"' "$uetcat" listen -I "$UET_IF_B" -S 192.0.2.2 "$@"
}
# ended STATUS: by itself, or by Ctrl-C
ended() {
    wait $fep
    got=$?
    fep=
    [ $got = "$1" ] || fail "listen: exit status $got, not $1: $(cat "$dir/told")"
}
line() {
    grep -qE -- "$1" "$dir/lines" || fail "no line is like '$1': $(cat "$dir/lines" "$dir/told")"
}
put() { # COMMAND ARGUMENT...: a command from our end
    asks 0 "$@" -W 5 -S 192.0.2.1 192.0.2.2
}

# ---- a file through it, byte for byte, in one message and in many ----
awk 'BEGIN { for (i = 0; i < 60000; i++) printf "%d ", i }' >"$dir/file"
listens -c 1 -o -
put send <"$dir/file"
ended 0
cmp "$dir/file" "$dir/lines" || fail "another file has come"
grep -qE '^192.0.2.1 SEND job=0 pid=0 ri=0 len=348890  30 20 31 20 32 20 33 20 34 20 35 20 36 20 37 20 \.\. \|0 1 2 3 4 5 6 7 \|$' \
    "$dir/told" || fail "no line of it: $(cat "$dir/told")"
grep -q '^uetcat listen: 1 messages, 348890 bytes; 0 requests refused, 0 NACKs sent, 0 packets missed$' "$dir/told" ||
    fail "no totals: $(cat "$dir/told")"
listens -c 300 -o "$dir/got" -q
asks 0 send -n 5000 -c 300 -w 64 --rod -W 5 -S 192.0.2.1 192.0.2.2
ended 0
[ "$(wc -c <"$dir/got")" = 1500000 ] || fail "$(wc -c <"$dir/got") bytes, not 300 x 5000"
[ -s "$dir/lines" ] && fail "-q prints: $(cat "$dir/lines")"

# ---- what it prints of each kind, and its totals at Ctrl-C ----
printf 'hello, world' >"$dir/in"
printf '0123456789' >"$dir/ten"
listens -M 0:0:0:7:64 --from "$dir/ten" --save "$dir/saved"
put send <"$dir/in"
put tsend -t 0xabc --initiator 9 <"$dir/in"
put write -k 7 -O 16 <"$dir/in"
put read -k 7 -n 4 -O 2
has '^00000002  3233 3435 '
put atomic -k 7 -O 40 -x 5
put ping -c 1
asks 1 write -k 8 -W 5 -S 192.0.2.1 192.0.2.2 <"$dir/in"
asks 1 send -W 5 --ri 3 -S 192.0.2.1 192.0.2.2 <"$dir/in"
kill -INT $fep
ended 0
line '^192.0.2.1 SEND job=0 pid=0 ri=0 len=12  68 65 6c 6c 6f 2c 20 77 6f 72 6c 64  \|hello, world\|$'
line '^192.0.2.1 TAGGED_SEND job=0 pid=0 ri=0 tag=0xabc len=12 init=9  68 .*\|hello, world\|$'
line '^192.0.2.1 WRITE job=0 pid=0 ri=0 key=0x7 off=16 len=12$'
line '^192.0.2.1 READ job=0 pid=0 ri=0 key=0x7 off=2 len=4$'
line '^192.0.2.1 FETCHING_ATOMIC job=0 pid=0 ri=0 key=0x7 off=40 len=8$'
line '^192.0.2.1 NO_OP job=0 pid=0 ri=0$'
line '^192.0.2.1 WRITE job=0 pid=0 ri=0 key=0x8 off=0 len=12: refused, RC_BAD_MKEY$'
line '^192.0.2.1 SEND job=0 pid=0 ri=3 len=12: refused, RC_'
[ "$(wc -l <"$dir/lines")" = 8 ] || fail "not 8 lines: $(cat "$dir/lines")"
grep -q '^uetcat listen: 6 messages, 48 bytes; 2 requests refused, 0 NACKs sent, 0 packets missed$' "$dir/told" ||
    fail "other totals: $(cat "$dir/told")"
[ "$(head -c 28 "$dir/saved" | tr '\0' .)" = '0123456789......hello, world' ] ||
    fail "saved: $(od -c "$dir/saved")"
[ "$(od -An -tu1 -j40 -N8 "$dir/saved" | tr -d ' ')" = 50000000 ] || fail "the atomic is not there"

# ---- only that job, only that tag; JSON; a message that is too long ----
listens --job 5 -t 7 -s 8 --json --hex -c 2
asks 1 send --job 4 -n 8 -W 5 -S 192.0.2.1 192.0.2.2
asks 1 tsend --job 5 -t 8 -n 8 -W 5 -S 192.0.2.1 192.0.2.2
asks 1 send --job 5 -n 9 -W 5 -S 192.0.2.1 192.0.2.2
put tsend --job 5 -t 7 -n 8
put send --job 5 -n 4 --rel
ended 0
line '^\{"event":"start","address":"192.0.2.2","on":'
line '"event":"refused","source":"192.0.2.1","kind":"SEND","job":4,'
line '"kind":"TAGGED_SEND","job":5,.*"tag":"0x8",.*"code":"RC_NO_MATCH"'
line '^\{"event":"message","source":"192.0.2.1","kind":"TAGGED_SEND","job":5,"pid":0,"ri":0,"tag":"0x7","length":8,"initiator":0,"bytes":"0001020304050607"\}$'
line '"kind":"SEND","job":5,.*"bytes":"00010203"'
line '^\{"event":"summary","messages":2,"bytes":12,"refused":3,"nacks":0,"missed":0\}$'

# ---- an output that is full ----
listens -o /dev/full
asks 0 send -n 8 -W 5 -S 192.0.2.1 192.0.2.2
ended 2
grep -q '^uetcat listen: /dev/full: No space left' "$dir/told" || fail "$(cat "$dir/told")"

# ---- native IP with CRC, IPv6 ----
listens --encapsulation native --crc crc -c 1
asks 0 send -n 8 -W 5 --encapsulation native --crc crc -S 192.0.2.1 192.0.2.2
ended 0

[ $failures = 0 ] || exit 1
echo "all passed"
