#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# uetcat with --keys over a veth pair: what it sends and takes is sealed, at either method of starting,
# on both IP versions and encapsulations; and no IV comes twice, whichever command was run.
#   sealed.sh PATH-OF-UETCAT PATH-OF-UETFEP PATH-OF-UETCONFORM
# Exit status 77: this system allows no network namespace.
set -u
. "$(dirname "$0")/far.sh"
uetconform=$3
umask 077
key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
sd="UET_SD sdi=0x000007 an=0 mode=cluster key=$key"
echo "$sd" >"$dir/0rtt"
printf 'UET_DOMAIN sdi=7 start=random-1rtt\n%s\n' "$sd" >"$dir/1rtt"
printf 'UET_DOMAIN sdi=7 ssi=9\n%s\n' "$sd" >"$dir/ssi"
printf 'UET_DOMAIN sdi=7 ssi=10\n%s\n' "$sd" >"$dir/own"
printf 'UET_DOMAIN sdi=7 jobs=5\n%s\n' "$sd" >"$dir/job5"
printf 'UET_DOMAIN sdi=7 counter_limit=1000\n%s\n' "$sd" >"$dir/limit"
echo "${sd%?}0" >"$dir/other"

# ---- wrong ----
asks 2 ping --keys /no/such/file -S 192.0.2.1 192.0.2.2
has '/no/such/file'
asks 2 ping --keys "$dir/0rtt" --entropy 7 -S 192.0.2.1 192.0.2.2
has 'entropy changes the UDP header'

# listens ARGUMENT...: at the far end.
listens() {
    begin ' on ' "$uetcat" listen -I "$UET_IF_B" "$@"
}
ended() {
    kill -INT $fep
    wait $fep
    got=$?
    fep=
    [ $got = 0 ] || fail "listen: exit status $got: $(cat "$dir/told")"
    cat "$dir/lines" "$dir/told" >>"$dir/listened"
}

# Every packet of a capture is sealed and opens; no rule is broken where all was sent.
all_sealed() { # NAME KEYS
    "$uetcat" decode "$dir/$1.pcapng" >"$dir/out" || fail "$1: decode"
    [ "$(grep -c ' sealed +' "$dir/out")" = "$(grep -c . "$dir/out")" ] ||
        fail "$1: something is in clear: $(grep -v ' sealed +' "$dir/out" | head -3)"
    "$uetconform" check --strict --vantage initiator --from-start --sender "${3:-192.0.2.1}" --keys "$dir/$2" \
        "$dir/$1.pcapng" >"$dir/out" 2>&1 || fail "$1: $(cat "$dir/out")"
}

echo 'some bytes' >"$dir/in"
for keys in 0rtt 1rtt ssi; do
    listens -S 192.0.2.2 --keys "$dir/$keys" -M 0:0:0:1:4096
    asks 0 ping -W 5 --keys "$dir/$keys" -c 3 -i 0.01 --pcap "$dir/p1.pcapng" -S 192.0.2.1 192.0.2.2
    has '^3 requests sent, 3 answered, 0% loss, '
    grep -q NACK "$dir/out" && fail "$keys: a NACK is told that is part of the start"
    asks 0 write -W 5 --keys "$dir/$keys" -k 1 --check -F "$dir/in" --pcap "$dir/w.pcapng" -S 192.0.2.1 192.0.2.2
    asks 0 read -W 5 --keys "$dir/$keys" -k 1 -n 11 -o "$dir/got" -S 192.0.2.1 192.0.2.2
    cmp "$dir/in" "$dir/got" || fail "$keys: other bytes come back"
    asks 0 atomic -W 5 --keys "$dir/$keys" -k 1 -O 64 -x 3 -S 192.0.2.1 192.0.2.2
    # What was sent goes again, sealed anew, and begins where the FEP wants it to.
    asks 0 replay -W 5 --keys "$dir/$keys" --pcap "$dir/r.pcapng" -S 192.0.2.1 "$dir/w.pcapng" 192.0.2.2
    has '^the same as in the capture$'
    # On other paths, too: each packet is sealed with the entropy value that it has.
    asks 0 replay -W 5 --entropy 50000-50003 --keys "$dir/$keys" --pcap "$dir/e.pcapng" -S 192.0.2.1 "$dir/w.pcapng" 192.0.2.2
    has '^the same as in the capture$'
    "$uetcat" decode --json "$dir/e.pcapng" | grep '"src":"192.0.2.1"' >"$dir/sent"
    [ "$(grep -c '"src_port":5000[0-3],' "$dir/sent")" = "$(wc -l <"$dir/sent")" ] ||
        fail "$keys: not with these entropy values: $(cat "$dir/sent")"
    # The key file of the FEP itself is no file for us: told, once, where both would have one SSI.
    same='^uetcat replay: the FEP seals with our SSI 0x00000009 of SDI 0x000007: .* another ssi=$'
    [ "$(grep -cE "$same" "$dir/out")" = "$([ $keys = ssi ] && echo 1 || echo 0)" ] ||
        fail "$keys: one SSI of two: $(cat "$dir/out")"
    all_sealed e $keys
    all_sealed p1 $keys
    all_sealed w $keys
    all_sealed r $keys
    # Three runs, one source: no counter of one is that of another.
    for run in p1 w r; do
        "$uetcat" decode "$dir/$run.pcapng" | sed -n 's/.* 192.0.2.1 > 192.0.2.2 .* counter=\([0-9]*\) .*/\1/p'
    done >"$dir/counters"
    [ "$(wc -l <"$dir/counters")" -ge 8 ] || fail "$keys: few counters: $(cat "$dir/counters")"
    [ -z "$(sort "$dir/counters" | uniq -d)" ] || fail "$keys: an IV comes twice"
    # In clear nobody is there, and with another key neither.
    asks 1 ping -c 1 -W 0.1 -S 192.0.2.1 192.0.2.2
    asks 1 ping --keys "$dir/other" -c 1 -W 0.1 -S 192.0.2.1 192.0.2.2
    asks 2 replay -S 192.0.2.1 "$dir/w.pcapng" 192.0.2.2
    has 'nothing can be replayed: [0-9]* packets encrypted; --keys opens them$'
    asks 2 replay --keys "$dir/other" -S 192.0.2.1 "$dir/w.pcapng" 192.0.2.2
    has 'nothing can be replayed: [0-9]* packets encrypted; --keys does not open them$'
    ended
done
listens -S 192.0.2.2 --keys "$dir/ssi"
asks 0 ping -W 5 --keys "$dir/ssi" -c 2 -i 0.01 --pcap "$dir/ours.pcapng" -S 192.0.2.1 192.0.2.2
[ "$(grep -c '^uetcat ping: the FEP seals with our SSI ' "$dir/out")" = 1 ] || fail "ping: one SSI of two: $(cat "$dir/out")"
asks 0 replay -W 5 --keys "$dir/own" -S 192.0.2.1 "$dir/ours.pcapng" 192.0.2.2
grep -q 'our SSI' "$dir/out" && fail "an SSI of our own is blamed: $(cat "$dir/out")"
ended
# What was recorded where the FEP chose the start goes to one that does not, and the reverse: they differ in
# the ACK of the close, which tells a floor or not.
listens -S 192.0.2.2 --keys "$dir/0rtt" -M 0:0:0:1:8192
asks 0 write -W 5 --keys "$dir/0rtt" -k 1 -n 5000 --pcap "$dir/w0.pcapng" -S 192.0.2.1 192.0.2.2
ended
listens -S 192.0.2.2 --keys "$dir/1rtt" -M 0:0:0:1:8192
asks 0 write -W 5 --keys "$dir/1rtt" -k 1 -n 5000 --pcap "$dir/w1.pcapng" -S 192.0.2.1 192.0.2.2
asks 1 replay -W 5 --keys "$dir/1rtt" -S 192.0.2.1 "$dir/w0.pcapng" 192.0.2.2
has "and was 'ACK of a Close Command with Expected_PSN'$"
has ' in the capture 2 came the same, 1 differ, 0 are missing$'
ended
listens -S 192.0.2.2 --keys "$dir/0rtt" -M 0:0:0:1:8192
asks 1 replay -W 5 --keys "$dir/0rtt" -S 192.0.2.1 "$dir/w1.pcapng" 192.0.2.2
has "the header is 'ACK of a Close Command with Expected_PSN'"
has ' in the capture 2 came the same, 1 differ, 0 are missing$'
has ' of a first try to open a sealed PDC$'
ended
has_nack() { "$uetcat" decode --keys "$dir/$1" "$dir/$2.pcapng" 2>/dev/null | grep -q UET_NEW_START_PSN; }
listens -S 192.0.2.2 --keys "$dir/1rtt"
asks 0 ping -W 5 --keys "$dir/0rtt" -c 1 --pcap "$dir/n.pcapng" -S 192.0.2.1 192.0.2.2
has_nack 1rtt n || fail "no NACK tells the random start"
ended

# ---- IPv6, and native IP ----
listens -S 2001:db8::2 --keys "$dir/ssi"
asks 0 ping -W 5 --keys "$dir/ssi" -c 1 --pcap "$dir/six.pcapng" -S 2001:db8::1 2001:db8::2
all_sealed six ssi 2001:db8::1
ended
listens -S 192.0.2.2 --keys "$dir/0rtt" --encapsulation native
asks 0 ping -W 5 --keys "$dir/0rtt" -c 1 --encapsulation native --pcap "$dir/native.pcapng" -S 192.0.2.1 192.0.2.2
all_sealed native 0rtt
ended

# ---- jobs of the domain ----
listens -S 192.0.2.2 --keys "$dir/job5"
asks 2 ping --keys "$dir/job5" -c 1 -S 192.0.2.1 192.0.2.2
has 'no domain serves JobID 0: give another --job'
asks 0 ping -W 5 --keys "$dir/job5" --job 5 -c 1 -S 192.0.2.1 192.0.2.2
asks 2 ping --keys "$dir/limit" -c 1 -S 192.0.2.1 192.0.2.2
has 'counter_limit=1000 is too low'
ended

# ---- the same file for a FEP, by either method ----
for keys in 0rtt 1rtt; do
    [ -x "$uetfep" ] || break
    # A PENDING PDC lives for 5 ms by default: on a busy machine we may need longer for the second packet.
    far_fep --address 192.0.2.2 --keys "$dir/$keys" --param New_PDC_Time=100ms
    asks 0 write --keys "$dir/$keys" -k 1 -W 5 --check -n 20000 --pcap "$dir/fep.pcapng" -S 192.0.2.1 192.0.2.2
    all_sealed fep $keys
    asks 0 ping -W 5 --keys "$dir/$keys" -c 2 -i 0.01 -S 192.0.2.1 192.0.2.2
    asks 1 ping -c 1 -W 0.1 -S 192.0.2.1 192.0.2.2
    # What it supports is found out sealed, too; the NACK of its start is no refusal.
    asks 0 probe --keys "$dir/$keys" -k 1 -W 1 --pcap "$dir/probe.pcapng" -S 192.0.2.1 192.0.2.2
    has '^wrapping +UDP, TSS +yes +ACK(_CC)?, RC_OK, '
    # Above its floor a FEP with EXPECTED_0RTT_START takes the Start_PSN, which is random here (3.5.8).
    says='where the FEP says \(UET_NEW_START_PSN\)'
    [ $keys = 1rtt ] || says="($says|where the initiator says)"
    has "^start +of a PDC +- +$says\$"
    has '^mode +RUD: NO_OP +yes '
    has '^ +in clear: no answer +yes +silence$'
    has '^answer +tells a CE mark \(flags.m\) +yes'
    has '^ +returns the entropy value +yes'
    has '^It answers over UDP, TSS; '
    [ "$("$uetcat" decode "$dir/probe.pcapng" | grep -cv ' sealed +')" = 1 ] || fail "probe: not one packet in clear"
    asks 1 probe --keys "$dir/other" -W 0.1 -S 192.0.2.1 192.0.2.2
    has '^No answer: it is there, but does not answer: it may have other keys'
    kill $fep
    wait $fep
    fep=
done

grep -rqi "$key" "$dir/out" "$dir/told" "$dir/lines" "$dir/listened" && fail "a key is shown"
[ $failures = 0 ]
